//! Reads what the built pages refer to, and what can be referred to in them.

/// An element of a page: its name, and its attributes as they are written.
pub(crate) struct Element<'h> {
    pub(crate) name: &'h str,
    attributes: &'h str,
}

impl<'h> Element<'h> {
    /// Returns the value of an attribute in double quotation marks; `None` if there is none.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'h str> {
        let mark = format!("{name}=\"");
        let mut places = self.attributes.match_indices(&mark).map(|(at, _)| at);
        let before = |at: usize| self.attributes[..at].chars().next_back();
        let at = places.find(|at| before(*at).is_none_or(char::is_whitespace))?;
        self.attributes[at + mark.len()..]
            .split_once('"')
            .map(|(value, _)| value)
    }
}

/// Returns the elements of a page in their order, but not what scripts and styles contain.
pub(crate) fn elements(page: &str) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if rest.starts_with("!--") {
            rest = rest.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let is_letter = |char: char| char.is_ascii_alphanumeric();
        let name = &rest[..rest.find(|char| !is_letter(char)).unwrap_or(rest.len())];
        if name.is_empty() {
            continue;
        }
        let attributes = &rest[name.len()..end(rest)];
        rest = &rest[name.len() + attributes.len()..];
        found.push(Element { name, attributes });
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            rest = rest.find(&close).map_or("", |at| &rest[at..]);
        }
    }
    found
}

/// Returns where the element at the start of `text` ends, which a `>` in quotation marks does not.
fn end(text: &str) -> usize {
    let mut quote = None;
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (_, _) => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_in_elements_and_nowhere_else() {
        let page = "<p title=\"a > b\" id=\"x\">href=\"no\"</p><script>\"<a href='no'>\"</script><!-- <a href=\"no\"> -->\
                    <a data-href=\"no\" href=\"b.html#c\">";
        let elements = elements(page);
        let names: Vec<_> = elements.iter().map(|element| element.name).collect();
        assert_eq!(names, ["p", "script", "a"]);
        assert_eq!(elements[0].attribute("id"), Some("x"));
        assert_eq!(elements[2].attribute("href"), Some("b.html#c"));
        assert_eq!(elements[0].attribute("href"), None);
    }
}
