//! The frame that every page has around its content: style, script, data, and the policy that
//! allows nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::data::{PageData, in_script};
use super::script::SCRIPT;

/// The one style sheet.
pub(super) const CSS: &str = include_str!("assets/page.css");

/// The parts of a page that the template `base.html` puts around the content.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) title: String,
    pub(super) version: &'static str,
    pub(super) policy: String,
    pub(super) css: &'static str,
    pub(super) js: &'static str,
    /// JSON, safe within a `script` element.
    pub(super) data: String,
    /// Packed games, in base64.
    pub(super) chunks: Vec<String>,
}

impl Frame {
    /// Returns the frame of a page with this data and these games.
    pub(super) fn new(data: &PageData, chunks: Vec<String>) -> Frame {
        Frame {
            title: data.title.clone(),
            version: env!("CARGO_PKG_VERSION"),
            policy: usual_policy(),
            css: CSS,
            js: &SCRIPT,
            data: in_script(data),
            chunks,
        }
    }

    /// Returns the frame of a page without a script.
    pub(super) fn without_script(data: &PageData) -> Frame {
        Frame {
            policy: policy(CSS, ""),
            js: "",
            ..Frame::new(data, Vec::new())
        }
    }

    /// Returns the frame of a page that asks its server for more, with a style and a script of its
    /// own.
    pub(super) fn live(data: &PageData, css: &'static str, js: &'static str) -> Frame {
        Frame {
            policy: live_policy(css, js),
            css,
            js,
            ..Frame::new(data, Vec::new())
        }
    }
}

/// Returns the Content-Security-Policy of a page with the usual style and script, as all pages of
/// records have it.
#[must_use]
pub fn usual_policy() -> String {
    policy(CSS, &SCRIPT)
}

/// Returns the Content-Security-Policy of the page of a game that is played.
pub(super) fn live_policy(css: &str, js: &str) -> String {
    format!("{}; connect-src 'self'", policy(css, js))
}

/// Returns the Content-Security-Policy of a page: its own script and style by their digests, and
/// nothing from anywhere. So markup that would come into the page in spite of all escaping could
/// not run, and no page can load or send anything.
fn policy(css: &str, js: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        digest(js),
        digest(css)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_style_can_end_its_element() {
        assert!(!CSS.to_lowercase().contains("</style"));
    }
}
