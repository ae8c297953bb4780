//! Pages: `referee report`, the pages of single games, and the page of a contest that runs.

mod games;
mod standings;
mod wrong;

#[cfg(unix)]
mod live;

use std::path::Path;

use serde_json::Value;

use testkit::list::Tests;
use testkit::programs::{referee, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    games::tests(tests);
    standings::tests(tests);
    wrong::tests(tests);
    #[cfg(unix)]
    live::tests(tests);
}

/// A page, as its script reads it.
pub(crate) struct Page {
    pub(crate) html: String,
    data: Value,
}

impl Page {
    /// Reads the page at `path`, and checks what holds for every page.
    pub(crate) fn read(path: impl AsRef<Path>) -> Page {
        let html = text_of(path);
        let data = html
            .split_once("<script type=\"application/json\" id=\"page-data\">")
            .unwrap()
            .1;
        let data = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        let page = Page { html, data };
        assert!(page.html.starts_with("<!doctype html>\n"));
        assert!(
            page.html
                .contains("default-src &#39;none&#39;; script-src &#39;sha256-")
        );
        // Nothing that would be loaded from anywhere, and nothing that a policy by hashes refuses.
        let html = page
            .html
            .replacen(" src=\"data:image/svg+xml;base64,", "", 1);
        for external in [
            " src=",
            "<link",
            "@import",
            "url(http",
            " style=",
            " onclick=",
        ] {
            assert!(!html.contains(external), "{external}");
        }
        let chunks = page.data["chunks"].as_array().unwrap();
        for number in 0..chunks.len() {
            assert!(page.html.contains(&format!(" id=\"chunk-{number}\">")));
        }
        let games = |chunk: &Value| chunk["games"].as_u64().unwrap();
        assert_eq!(
            chunks.iter().map(games).sum::<u64>(),
            page.data["kept"].as_u64().unwrap()
        );
        page
    }

    /// The names of the players, the best first.
    fn order(&self) -> Vec<&str> {
        let mut players: Vec<&Value> = self.data["players"].as_array().unwrap().iter().collect();
        players.sort_by_key(|player| player["place"].as_u64().unwrap());
        players
            .iter()
            .map(|player| player["name"].as_str().unwrap())
            .collect()
    }

    /// Returns the data in the page about the player called `name`.
    fn details(&self, name: &str) -> &Value {
        let players = self.data["players"].as_array().unwrap();
        let place = players
            .iter()
            .position(|player| player["name"] == name)
            .unwrap();
        &self.data["details"][place]
    }
}

/// Makes the report of `records` with these options, in the folder `at`; returns it.
fn report(at: &Path, records: &[&str], options: &[&str]) -> Page {
    let out = at.join("report.html");
    let mut command = referee();
    command
        .arg("report")
        .args(records)
        .args(options)
        .arg("--out")
        .arg(&out)
        .current_dir(at);
    command.assert().code(0);
    Page::read(out)
}
