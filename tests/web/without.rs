//! A build without its part for browsers.

use crate::common::referee;

#[test]
fn a_build_without_a_web_server_says_so() {
    for (arguments, what) in [
        (&["play", "human", "awful", "--web"][..], "--web"),
        (&["watch", "games.jsonl"], "watch"),
    ] {
        let output = referee().args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(&format!("{what}: this referee was built without")),
            "{said}"
        );
    }
}
