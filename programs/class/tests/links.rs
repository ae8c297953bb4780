//! The links of the pages of a class: each leads to something.

use std::collections::BTreeSet;
use std::path::Path;

use crate::class::Class;
use testkit::list::{Tests, Tier};
use testkit::tools::{CHROMIUM, NAMESPACES};

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, a_page_without_games_links_to_none);
    });
    tests.tier(Tier::Thorough, |tests| {
        tests.needing(&[CHROMIUM, NAMESPACES], |tests| {
            add!(tests, every_link_of_a_page_leads_somewhere);
        });
    });
}

/// A class after a night with two bots, and a submission without a bot.
fn class_with_pages() -> Class {
    let class = Class::new("ada bob cyd");
    for id in ["ada", "bob"] {
        class.plain(id);
        class.adds(id);
    }
    class.hands_in("cyd", &[("bot.toml", "run = 'good'\n")]);
    for step in ["intake", "check", "play", "site"] {
        class.run(step);
    }
    class
}

/// Every cell of the table of results led to an empty list of games.
fn a_page_without_games_links_to_none() {
    let class = class_with_pages();
    let public = class.public_page();
    assert!(public.contains("Who beat whom"));
    assert!(!public.contains("A cell leads to the games."));
    class.pages_have(&[("ada", "A cell leads to the games.")]);
}

/// Returns the document of a page at an address after its scripts have run.
fn document(class: &Class, page: &Path, hash: &str) -> String {
    let words = "--headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom";
    let address = format!("file://{}{hash}", page.display()).replace(' ', "%20");
    class
        .desk
        .program("chromium", words)
        .arg(address)
        .succeeds()
        .stdout
}

/// Returns the addresses that the links of a document lead to.
fn links(document: &str) -> BTreeSet<String> {
    let links = document.split("<a ").skip(1);
    let addresses = links.filter_map(|link| {
        let (link, _) = link.split_once('>')?;
        let (_, address) = link.split_once("href=\"")?;
        let (address, _) = address.split_once('"')?;
        Some(address.replace("&amp;", "&"))
    });
    addresses.collect()
}

/// Returns the visible part of a view: its section in the document.
fn section<'d>(document: &'d str, view: &str) -> &'d str {
    let (_, section) = document.split_once(&format!("id=\"{view}\"")).unwrap();
    section.split("</section>").next().unwrap()
}

/// Checks what is at an address.
fn is_there(document: &str, address: &str) {
    let (view, _) = address
        .trim_start_matches('#')
        .split_once('=')
        .unwrap_or_default();
    let view = if view == "game" { "replay" } else { view };
    if view.is_empty() {
        let id = format!("id=\"{}\"", address.trim_start_matches('#'));
        assert!(
            address.starts_with('#') && document.contains(&id),
            "{address}"
        );
        return;
    }
    assert!(
        document.contains(&format!("data-view=\"{view}\"")),
        "{address}"
    );
    let problem = format!("id=\"{view}-problem\"");
    let (_, problem) = document.split_once(&problem).unwrap();
    let (attributes, _) = problem.split_once('>').unwrap();
    assert!(
        attributes.contains("hidden"),
        "{address}: {}",
        section(document, view)
    );
    if view == "games" {
        let rows = section(document, view).matches("<tr").count();
        assert!(rows > 1, "{address} is empty: {}", section(document, view));
    }
}

fn every_link_of_a_page_leads_somewhere() {
    let class = class_with_pages();
    let list = class.text("private/pages.csv");
    // The page of bob is like that of ada.
    let lines = list.lines().skip(1).filter(|line| !line.starts_with("bob"));
    let private = lines.map(|line| {
        let (_, name) = line.rsplit_once(',').unwrap();
        class.path("private").join(name)
    });
    let mut count = 0;
    for page in private.chain([class.path("site/index.html")]) {
        let mut known = BTreeSet::from([String::new()]);
        let mut next = vec![String::new()];
        while let Some(address) = next.pop() {
            let document = document(&class, &page, &address);
            if !address.is_empty() {
                is_there(&document, &address);
            }
            // Moments of a game are many, and all are of one view.
            let links = links(&document).into_iter();
            for link in links.filter(|link| !link.contains("&shot=")) {
                let is_game = link.starts_with("#game=");
                let is_enough = is_game && known.iter().any(|other| other.starts_with("#game="));
                if !is_enough && known.insert(link.clone()) {
                    next.push(link);
                }
            }
        }
        count += known.len();
    }
    assert!(count > 20, "{count}");
}
