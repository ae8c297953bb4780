//! The texts on the pages of the class of `nights`.

use super::Class;

/// Returns the page of `id`, which has to say all of `wanted`.
fn says(class: &Class, id: &str, wanted: &[&str]) -> String {
    let page = class.page_of(id);
    for text in wanted {
        assert!(page.contains(text), "{id}: {text}");
    }
    page
}

pub(super) fn first_night(class: &Class) {
    let public = class.public_page();
    for text in [
        "Popeye",
        "O&#39;Neil",
        "cpp",
        "Not playing",
        "the newest version cannot be built",
    ] {
        assert!(public.contains(text), "{text}");
    }
    // Names are not markup, and what bots say and where their ships are is on no public page.
    assert!(!public.contains("<script>alert(1)"));
    for secret in ["the secret of Cris", "Ada Lovelace", "KeyError", "bot.c:1"] {
        assert!(!public.contains(secret), "{secret}");
    }
    assert!(
        public.contains("\"kept\":0"),
        "no games are on the public page"
    );
    says(
        class,
        "unbuilt",
        &[
            "Its build failed",
            "bot.c:1",
            "Attention: the newest version cannot be built",
        ],
    );
    says(
        class,
        "loops",
        &["The build took more than 1s and was ended."],
    );
    says(
        class,
        "bomb",
        &[
            "It was refused before it was built",
            "unpacked it has more than 20 MiB",
        ],
    );
    says(class, "outside", &["leads out of its folder"]);
    says(class, "links", &["is a link or a device"]);
    says(
        class,
        "cheats",
        &["is a player that comes with the referee"],
    );
    says(
        class,
        "fails",
        &[
            "It cannot play: look for the line that begins with FAIL",
            "Its check found: ",
            "does not keep to the protocol",
        ],
    );
    says(
        class,
        "late",
        &["handed in too late", "1 version came after the deadline"],
    );
    says(
        class,
        "py",
        &[
            "Your bot has won",
            "It passed.",
            "games to watch",
            "Its worst games against the staff",
        ],
    );
    // The hidden requirement is not on it.
    let page = class.page_of("py");
    assert!(page.contains("above 10.0 %") && !page.contains("above 99.0 %"));
    let crashed = says(
        class,
        "crashes",
        &["by a fault of its program", "Forfeits: ", "!! "],
    );
    assert!(crashed.contains("the secret of Cris"));
    // Files are named as their author knows them. Where a check wraps its lines, a folder with spaces, as this class has, may
    // be in two.
    let (_, forfeits) = crashed.split_once("Forfeits: ").unwrap();
    let texts: Vec<_> = forfeits.split("<pre class=\"card\"").skip(1).collect();
    assert!(texts.iter().any(|text| text.contains("strategy.py")));
    for text in texts.iter().filter_map(|text| text.split("</pre>").next()) {
        assert!(!text.contains("/bots/"), "{text}");
    }
    says(
        class,
        "slow",
        &["by a fault of its program", "did not reply", "Forfeits: "],
    );
    // Nothing of that is on the pages of others.
    for (id, _, _) in [("py", "", ""), ("c", "", ""), ("own", "", "")] {
        assert!(!class.page_of(id).contains("the secret of Cris"), "{id}");
    }
}

pub(super) fn second_night(class: &Class) {
    let page = class.page_of("own");
    assert!(page.contains("2026-11-30T10-00-00") && page.contains("2026-12-01T10-00-00"));
    assert!(!class.public_page().contains(">unbuilt<"));
    assert!(!class.page_of("unbuilt").contains("Attention"));
}

pub(super) fn third_night(class: &Class) {
    says(
        class,
        "c",
        &["Attention: the newest version cannot be built; an earlier one plays."],
    );
    says(class, "go", &["1 version came after the deadline"]);
}
