//! The attribute `#[test]` of the black-box tests. It stands in for the built-in one, which only the standard test
//! harness understands, and registers the function below it with the harness in `tests/harness`.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Registers a function as a test.
///
/// ```text
/// #[test]
/// fn a_sentence_about_what_holds() { ... }
///
/// #[test]
/// #[needs(GO, RUBY)]      // constants of `harness::needs`; without these tools the test is left out
/// fn ...() { ... }
///
/// #[test]
/// #[rows(REPLIES)]        // a constant array; each row is a test of its own, called by the row's first field
/// fn ...(row: Row) { ... }
///
/// #[test]
/// #[ignore = "thorough"]  // only in the thorough tier; of rows `#[first(2)]` leaves two in the first tier
/// #[ignore = "release"]   // only in the tier of a release
/// fn ...() { ... }
/// ```
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    if !arguments.is_empty() {
        return refusal("#[test] takes no arguments; write #[needs(...)] or #[rows(...)] below it");
    }
    match registered(function) {
        Ok(tokens) => tokens,
        Err(why) => refusal(why),
    }
}

/// Returns an error of the compiler.
fn refusal(why: &str) -> TokenStream {
    format!("::core::compile_error!({why:?});")
        .parse()
        .expect("it is valid Rust")
}

fn registered(function: TokenStream) -> Result<TokenStream, &'static str> {
    let (mut needs, mut rows, mut first) = (TokenStream::new(), None, None);
    let (mut kept, mut name) = (Vec::new(), None);
    let mut is_release = false;
    let mut tokens = function.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        // Only attributes before the name belong to the function itself.
        if let (true, None, Some(TokenTree::Group(group))) = (is_hash, &name, tokens.peek()) {
            if let Some(arguments) = arguments_of("needs", group) {
                needs = arguments;
                tokens.next();
                continue;
            }
            if let Some(arguments) = arguments_of("rows", group) {
                rows = Some(arguments);
                tokens.next();
                continue;
            }
            if let Some(arguments) = arguments_of("first", group) {
                first = Some(arguments.to_string());
                tokens.next();
                continue;
            }
            if let Some(tier) = ignored_tier(group)? {
                first = Some("0".to_owned());
                is_release = tier == "release";
                tokens.next();
                continue;
            }
        }
        let is_fn = matches!(&token, TokenTree::Ident(word) if word.to_string() == "fn");
        if let (true, None, Some(TokenTree::Ident(word))) = (is_fn, &name, tokens.peek()) {
            name = Some(word.to_string());
        }
        kept.push(token);
    }
    let name = name.ok_or("#[test] stands above a function")?;
    let first = first.unwrap_or_else(|| "usize::MAX".to_owned());
    let body = match rows {
        None => format!("::testkit::harness::Body::One({name})"),
        Some(rows) => {
            format!("::testkit::harness::Body::Rows(|| ::testkit::harness::rows(&{rows}, {name}))")
        }
    };
    let mut list = String::new();
    for need in needs {
        match need {
            TokenTree::Ident(need) => {
                list.extend(["&::testkit::harness::needs::", &need.to_string(), ","]);
            }
            TokenTree::Punct(_) => {}
            TokenTree::Group(_) | TokenTree::Literal(_) => {
                return Err("#[needs(...)] lists constants of harness::needs");
            }
        }
    }
    let submitted = format!(
        "::testkit::inventory::submit! {{ ::testkit::harness::Test {{ module: ::core::module_path!(), \
         name: {name:?}, needs: &[{list}], first: {first}, \
         is_release: {is_release}, body: {body} }} }}"
    );
    let submitted: TokenStream = submitted
        .parse()
        .map_err(|_| "#[rows(...)] names a constant array")?;
    Ok(kept.into_iter().chain(submitted).collect())
}

/// Returns the tier of an attribute `[ignore = "thorough"]` or `[ignore = "release"]`; `None` if it is another attribute.
fn ignored_tier(attribute: &Group) -> Result<Option<&'static str>, &'static str> {
    match attribute.stream().to_string().split_once("ignore") {
        Some(("", rest)) if rest.replace(' ', "") == "=\"thorough\"" => Ok(Some("thorough")),
        Some(("", rest)) if rest.replace(' ', "") == "=\"release\"" => Ok(Some("release")),
        Some(("", _)) => Err("a test is ignored only as #[ignore = \"thorough\"] or \"release\""),
        Some(_) | None => Ok(None),
    }
}

/// Returns what stands in parentheses in the attribute `[word(...)]`, or `None` if it is another attribute.
fn arguments_of(word: &str, attribute: &Group) -> Option<TokenStream> {
    let mut tokens = attribute.stream().into_iter();
    let is_it = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name.to_string() == word);
    match tokens.next() {
        Some(TokenTree::Group(arguments))
            if is_it && arguments.delimiter() == Delimiter::Parenthesis =>
        {
            Some(arguments.stream())
        }
        _ => None,
    }
}
