//! Pages, replays and pictures of recorded games.

#[cfg(unix)]
mod follow;
mod games;
mod outputs;
mod pictures;
mod replay;
mod report;

use std::fs;

use serde_json::Value;

use testkit::list::Tests;
use testkit::record::list;
use testkit::run::Dir;

pub(crate) fn tests(tests: &mut Tests) {
    #[cfg(unix)]
    follow::tests(tests);
    games::tests(tests);
    outputs::tests(tests);
    pictures::tests(tests);
    replay::tests(tests);
    report::tests(tests);
}

/// A page, as its script reads it.
struct Page {
    html: String,
    data: Value,
}

/// Nothing of a page is loaded from anywhere, or refused by its policy of hashes.
#[track_caller]
pub(crate) fn is_contained(html: &str) {
    assert!(html.starts_with("<!doctype html>\n"));
    assert!(html.contains("default-src &#39;none&#39;; script-src &#39;sha256-"));
    let without_icon = html.replacen(" src=\"data:image/svg+xml;base64,", "", 1);
    for external in [
        " src=",
        "<link",
        "@import",
        "url(http",
        " style=",
        " onclick=",
    ] {
        assert!(!without_icon.contains(external), "{external}");
    }
}

impl Page {
    /// Reads a page, and checks what holds for every page.
    #[track_caller]
    fn read(dir: &Dir, name: &str) -> Page {
        let html = fs::read_to_string(dir.path(name)).unwrap();
        let (_, data) = html
            .split_once("<script type=\"application/json\" id=\"page-data\">")
            .unwrap();
        let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        is_contained(&html);
        let mut games = 0;
        for (number, chunk) in list(&data["chunks"]).iter().enumerate() {
            assert!(html.contains(&format!(" id=\"chunk-{number}\">")));
            games += chunk["games"].as_u64().unwrap();
        }
        assert_eq!(data["kept"], games);
        Page { html, data }
    }

    /// The report of these records.
    #[track_caller]
    fn of(dir: &Dir, words: &str) -> Page {
        dir.run(format!("report {words} --force --out report.html"))
            .succeeds();
        Page::read(dir, "report.html")
    }

    #[track_caller]
    fn has(&self, text: &str) -> &Page {
        assert!(self.html.contains(text), "the page lacks {text:?}");
        self
    }

    #[track_caller]
    fn lacks(&self, text: &str) -> &Page {
        assert!(!self.html.contains(text), "the page has {text:?}");
        self
    }

    /// The counts of games in the records, and in the page.
    fn games(&self) -> [u64; 2] {
        ["games", "kept"].map(|count| self.data[count].as_u64().unwrap())
    }

    /// The names and places of the players.
    fn places(&self) -> Vec<(&Value, &Value)> {
        let players = self.data["players"].as_array().unwrap().iter();
        players
            .map(|player| (&player["name"], &player["place"]))
            .collect()
    }

    /// The data in the page about a player.
    fn details(&self, name: &str) -> &Value {
        let place = self.places().iter().position(|(player, _)| *player == name);
        &self.data["details"][place.unwrap()]
    }
}

/// The names and places of the players of a summary.
fn places(summary: &Value) -> Vec<(&Value, &Value)> {
    let players = list(&summary["players"]).iter();
    players
        .map(|player| (&player["name"], &player["place"]["place"]))
        .collect()
}
