//! A class that plays the game of a judge, from the intake to the grades.

use std::cmp::Ordering;

use crate::class::{Class, SH};
use testkit::list::Tests;
use testkit::tools::NAMESPACES;

pub(crate) fn tests(tests: &mut Tests) {
    tests.needing(&[NAMESPACES], |tests| {
        add!(tests, a_class_plays_the_game_of_a_judge);
    });
}

const JUDGE: &str = r#"while read -r word player reply; do
  case $word in
    judge) echo game throws ;;
    begin) echo ask 1 throw ;;
    reply)
      case $reply in [1-6]) ;; *) echo "bad $player expected one of: 1, 6" && continue ;; esac
      if [ $player = 1 ]; then one=$reply; echo ask 2 throw
      elif [ $one -gt $reply ]; then echo over 1 more
      elif [ $one -lt $reply ]; then echo over 2 more
      else echo over draw equal; fi ;;
    quit) exit ;;
  esac
done
"#;

/// A bot that throws this.
fn bot(throws: &str) -> String {
    format!(
        "while read -r word; do case $word in battleship*) echo plays throws; echo ready ;; throw) echo {throws} ;; quit) exit ;; esac; done\n"
    )
}

const GAME: &str = "\
[game]
judge = 'sh judge.py'

[[staff]]
name = 'simple'
command = 'sh simple.py'
rating = 1000

[[grade]]
against = 'simple'
above = 0.3
points = 60
";

fn a_class_plays_the_game_of_a_judge() {
    let class = Class::new("ann bob cyd dan eve");
    let text = class.text("class.toml");
    let settings = text.split("[[staff]]").next().unwrap();
    class.file("class.toml", format!("{settings}{GAME}"));
    // By their endings, sources of Python beside these files belong to them.
    class.file("judge.py", JUDGE);
    class.file("simple.py", bot("3"));
    for (id, throws) in [
        ("ann", "6"),
        ("bob", "3"),
        ("cyd", "1"),
        ("dan", "nonsense"),
    ] {
        class.hands_in(
            id,
            &[
                ("bot.toml", SH),
                ("bot.sh", &format!("# {id}\n{}", bot(throws))),
            ],
        );
    }
    class.run("intake").prints("4 built");
    class
        .run("check")
        .prints("dan  unfit  \"nonsense\" breaks the rules: expected one of: 1, 6");
    // Each plays two series for its rating and two for the requirement, and some against the others.
    let series = class.plays();
    assert!((12..=20).contains(&series), "{series}");
    class.is_whole();
    for game in class.games().iter().flat_map(|record| record.games()) {
        assert_eq!(game["rules"], "judge throws");
        let [one, two] = [0, 1].map(|player| game["players"][player]["name"].as_str().unwrap());
        let throw = |name: &str| match name {
            "ann" => 6,
            "cyd" => 1,
            _ => 3,
        };
        let winner = match throw(one).cmp(&throw(two)) {
            Ordering::Greater => Some(one),
            Ordering::Less => Some(two),
            Ordering::Equal => None,
        };
        assert_eq!(game["winner"].as_str(), winner, "{game}");
    }
    class.run("site");
    assert!(class.public_page().contains("simple"));
    class.pages_have(&[("ann", "simple"), ("dan", "breaks the rules")]);
    let grades = class.run("grade");
    for line in [
        "ann,,,60,yes,1.0000,",
        "bob,,,0,no,0.5000,",
        "cyd,,,0,no,0.0000,",
        "dan,,,0,no,,,0,",
    ] {
        grades.prints(line);
    }
    // A submission below the folder of the judge and the staff changes neither of them.
    let files = [
        ("bot.toml", SH),
        ("bot.sh", &format!("# eve\n{}", bot("4"))),
        ("notes.py", ""),
    ];
    class.hands_in("eve", &files);
    class.run("intake").prints("1 built");
    class.run("check");
    // Eve meets some of the four others; nobody else plays again.
    let series = class.plays();
    assert!((4..=8).contains(&series), "{series}");
}
