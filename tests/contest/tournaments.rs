//! Tournaments: who meets whom, who cannot play or is disqualified, places and names.

use serde_json::{Value, json};

use testkit::list::{Tests, Tier};
use testkit::run::Dir;
use testkit::tools::{CXX, PYTHON};

use testkit::programs::{cpp, python};
use testkit::record::list;

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, FORMATS, a_format_has_its_pairings, 3);
    add!(
        tests,
        the_summary_has_standings_and_a_crosstable,
        a_player_that_cannot_play_stands_last,
        a_player_must_still_play_on_resume,
        a_player_may_give_up_placing_at_times,
        games_against_a_disqualified_player_do_not_count,
        a_share_of_1_disqualifies_nobody,
        equal_players_share_a_place,
        ratings_are_counted_from_the_anchor,
        a_name_commands_nothing,
        a_bot_cannot_take_anothers_name
    );
    tests.needing(&[PYTHON], |tests| {
        add!(tests, a_bot_is_called_by_its_folder);
        tests.tier(Tier::Thorough, |tests| {
            tests.needing(&[CXX], |tests| add!(tests, bots_of_three_languages_meet));
        });
    });
}

fn summary(words: &str) -> Value {
    Dir::new()
        .run(format!("tournament --json -q --seed 1 {words}"))
        .succeeds()
        .json()
}

/// The names of the players with their places, the best first.
fn places(summary: &Value) -> Vec<(u64, &str)> {
    let players = list(&summary["players"]).iter();
    let places = players.map(|player| {
        (
            player["place"]["place"].as_u64().unwrap(),
            player["name"].as_str().unwrap(),
        )
    });
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    places
}

/// The counted games of each pairing.
fn games(summary: &Value) -> Vec<u64> {
    let pairings = list(&summary["pairings"]).iter();
    let results = ["wins", "draws", "losses"];
    let games = pairings.map(|pairing| {
        results
            .map(|result| pairing["results"][result].as_u64().unwrap())
            .iter()
            .sum()
    });
    games.collect()
}

/// The options of a format, and the games of its pairings among four players.
const FORMATS: [(&str, &[u64]); 5] = [
    ("--games 4 --format gauntlet", &[4; 3]),
    ("--games 4 --format swiss --rounds 2", &[4; 4]),
    ("--games 20 --format knockout", &[20, 20, 40]),
    ("--games 4", &[4; 6]),
    // Three rounds of two encounters.
    ("--games 4 --format swiss", &[4; 6]),
];

fn a_format_has_its_pairings((options, pairings): (&str, &[u64])) {
    let summary = summary(&format!("mediocre awful a=awful b=awful {options}"));
    assert_eq!(games(&summary), pairings);
    assert_eq!(places(&summary)[0].1, "mediocre");
    let winner = &summary["players"][0]["place"];
    if options.contains("knockout") {
        assert_eq!(
            (&winner["points"], &winner["note"]),
            (&json!(2.0), &json!("winner"))
        );
    }
    let mut pairings = list(&summary["pairings"]).iter();
    assert!(!options.contains("gauntlet") || pairings.all(|pairing| pairing["players"][0] == 0));
}

fn bots_of_three_languages_meet() {
    let dir = Dir::new();
    let words = format!(
        "decent awful 'python={}' cpp={} --games 6",
        python().replace('\'', "\""),
        cpp(&dir.path(""))
    );
    let summary = summary(&words);
    assert_eq!(games(&summary), [6; 6]);
    assert_eq!(
        [&summary["games"], &summary["finish"]],
        [&json!(36), &json!("complete")]
    );
    let places = places(&summary);
    assert_eq!(places[0].1, "decent", "{places:?}");
    assert_eq!(summary["ratings"]["connected"], true);
    let players = list(&summary["players"]).iter();
    let sum: f64 = players
        .map(|player| player["rating"]["rating"].as_f64().unwrap())
        .sum();
    assert!(sum.abs() < 1e-6, "their mean is 0");
}

fn the_summary_has_standings_and_a_crosstable() {
    let done = Dir::new()
        .run("tournament awful Olive=awful mediocre --games 20 --seed 1 -q")
        .succeeds();
    let text = &done.is_quiet().stdout;
    assert!(
        text.starts_with("Round robin of 3 players: 60 games in 3 series, seed 1\n"),
        "{text}"
    );
    let rows: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with(" 1  mediocre"))
        .collect();
    assert!(rows.len() == 2 && rows[1].contains("/20"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
}

fn a_player_that_cannot_play_stands_last() {
    let dir = Dir::new();
    let words = "tournament awful ./no-such-bot mediocre 'rogue=test-bot act exit 3 --at place' --out cup -q";
    let summary = dir
        .run(format!("{words} --json --games 4"))
        .small()
        .succeeds()
        .json();
    assert_eq!(summary["games"], 4);
    for (player, reason) in [
        (0, ""),
        (1, "there is no file"),
        (2, ""),
        (3, "exited with status 3"),
    ] {
        let player = &summary["players"][player];
        let cause = player["cannot_play"].as_str().unwrap_or_default();
        if reason.is_empty() {
            assert_eq!((&player["games"], cause), (&json!(4), ""));
        } else {
            assert!(cause.contains(reason), "{player}");
            assert_eq!(
                (&player["place"]["place"], &player["place"]["points"]),
                (&json!(3), &json!(0.0))
            );
            assert_eq!(player["disqualified"], false);
        }
    }
    // It is as it was at the beginning, also for a bot that could play by now.
    let done = dir
        .run(format!("{words} --games 6 --resume"))
        .small()
        .succeeds();
    done.prints("6 games").prints("rogue could not play: ");
    done.prints("no-such-bot could not play: could not start: there is no file");
    // A match needs both, a tournament two, a gauntlet its first player.
    for words in [
        "match awful ./no-such-bot",
        "tournament awful ./no-such-bot",
        "tournament --format gauntlet ./no-such-bot awful mediocre",
    ] {
        dir.run(words)
            .fails(4, "no-such-bot cannot play")
            .warns("nothing was played");
    }
}

/// It lost every game that was to come, and was disqualified with those that it had won.
fn a_player_must_still_play_on_resume() {
    let dir = Dir::new();
    dir.file("bot.sh", "test ! -e flag && exec referee bot awful");
    let words = "tournament awful mediocre 'flaky=sh bot.sh' --out cup -q";
    dir.run(format!("{words} --games 2")).small().succeeds();
    let before = dir.text("cup");
    dir.file("flag", "");
    let run = dir.run(format!("{words} --games 20 --resume")).small();
    run.fails(4, "it could play when the contest began; fix the bot");
    assert_eq!(dir.text("cup"), before);
}

/// It could not place its ships in one of the games by which players are checked, and nothing was
/// played.
fn a_player_may_give_up_placing_at_times() {
    let words = "match 'shy=test-bot chance --gives-up 2' awful --games 2 --seed 7 -q --json";
    assert_eq!(Dir::new().run(words).succeeds().json()["games"], 2);
}

/// The copies of one program had places by whether they met a disqualified player before it was
/// out.
fn games_against_a_disqualified_player_do_not_count() {
    let dir = Dir::new();
    let words = "tournament a=awful 'rogue=test-bot act crash --after 5' b=awful c=awful d=awful \
                 --games 8 --series 4 --seed 1 -q --out cup";
    let summary = dir.run(format!("{words} --json")).succeeds().json();
    let pairings = list(&summary["pairings"]);
    let met = |pairing: &&Value| list(&pairing["players"]).contains(&1.into());
    let (with, without): (Vec<_>, Vec<_>) = pairings.iter().partition(met);
    assert!(!with.is_empty() && with.iter().all(|pairing| pairing["counts"] == false));
    assert!(without.len() == 6 && without.iter().all(|pairing| pairing["counts"] == true));
    for (index, player) in list(&summary["players"]).iter().enumerate() {
        assert_eq!(player["disqualified"], index == 1);
        assert!(index == 1 || player["games"] == 24, "{player}");
    }
    assert_eq!(places(&summary)[4].1, "rogue");
    assert_eq!(summary["players"][1]["place"]["note"], "disqualified");
    // A ranking by the record has the same order, places and ratings.
    let ranking = dir.run("rank cup --json").succeeds().json();
    assert_eq!(places(&ranking), places(&summary));
    let ratings = |summary: &Value| -> Vec<Value> {
        list(&summary["players"])
            .iter()
            .map(|player| player["rating"]["rating"].clone())
            .collect()
    };
    assert_eq!(ratings(&ranking), ratings(&summary));
    for figure in [
        "moving_first",
        "moving_second",
        "shots_to_win",
        "shots",
        "wasted",
        "reply_us",
        "faults",
        "cpu_ms",
    ] {
        let of = |summary: &Value, player: usize| summary["players"][player][figure].clone();
        for player in [0, 2, 3, 4] {
            assert_eq!(of(&ranking, player), of(&summary, player), "{figure}");
        }
    }
    let rank = dir.run("rank cup").succeeds();
    rank.warns("rogue was disqualified there; its ");
    rank.prints("Places go by the rating in whole points, then by the share of the points.");
    let resumed = dir.run(format!("{words} --resume")).succeeds();
    resumed
        .prints("rogue is disqualified: it spoiled 12 of")
        .prints("(4/4)");
}

fn a_share_of_1_disqualifies_nobody() {
    let rogue = "'rogue=test-bot act crash --at attack --after 5'";
    let summary = summary(&format!("awful {rogue} b=awful --games 12 --max-faults 1"));
    assert_eq!(summary["players"][1]["disqualified"], false);
    assert_eq!(summary["players"][1]["faults"]["crashed"], 24);
}

fn equal_players_share_a_place() {
    let dir = Dir::new();
    // Each wins when it moves first: equal in everything.
    let words = "tournament a=awful b=awful c=awful d=awful --rows 1 --cols 2 --ship '2 R rowboat' --games 6 --seed 3";
    let summary = dir
        .run(format!("{words} -q --json --out cup"))
        .succeeds()
        .json();
    let all = [(1, "a"), (1, "b"), (1, "c"), (1, "d")];
    assert_eq!(places(&summary), all);
    assert_eq!(places(&dir.run("rank cup --json").succeeds().json()), all);
    let csv = dir.run("rank cup --csv").succeeds().stdout;
    assert!(
        csv.lines().skip(1).all(|line| line.starts_with("1,")),
        "{csv}"
    );
}

fn ratings_are_counted_from_the_anchor() {
    let summary = summary("x=awful awful mediocre --games 4 --anchor awful=1500");
    let rating = &summary["players"][1]["rating"];
    assert_eq!(
        [&rating["rating"], &rating["standard_error"]],
        [1500.0, 0.0]
    );
    assert!(summary["players"][2]["rating"]["rating"].as_f64().unwrap() > 1500.0);
    assert_eq!(summary["ratings"]["anchor"]["player"], "awful");
}

/// Names come from bots, and a spreadsheet runs text that begins with an equals sign.
fn a_name_commands_nothing() {
    let named = |name: &str| format!(r"test-bot act --at greeting say 'name {name}\nready\n'");
    let play = |options: &str| {
        let dir = Dir::new();
        let run = dir.run(format!("tournament --games 2 --seed 1 -q {options}"));
        run.arg("awful")
            .arg(named("=cmd()"))
            .arg(named(r"\e[31mred"))
            .succeeds()
    };
    let csv = play("--csv").lacks("\x1b").stdout.clone();
    assert!(
        csv.contains(",'=cmd(),") || csv.contains(",'=cmd()"),
        "{csv}"
    );
    assert!(
        csv.split([',', '\n'])
            .all(|cell| !cell.starts_with(['=', '+', '@'])),
        "{csv}"
    );
    play("")
        .prints("calls itself\n  =cmd())")
        .prints(r"\u{1b}[31mred")
        .lacks("\x1b");
}

/// A bot took the place of a shipped player by calling itself so.
fn a_bot_cannot_take_anothers_name() {
    let named = |name: &str| format!(r"test-bot act --at greeting say 'name {name}\nready\n'");
    let dir = Dir::new();
    let run = dir.run("tournament awful good=awful --games 2 --seed 1 -q");
    let done = run
        .arg(named("good"))
        .arg(named("b"))
        .arg(format!("b={}", named("Olive")))
        .succeeds();
    for line in [
        "\ntest-bot: ",
        "\ntest-bot 2: ",
        "\nb: ",
        "(calls itself Olive)\n",
    ] {
        done.prints(line);
    }
    done.warns("test-bot 2 calls itself b, which is another player's name");
    assert!(
        !done.stdout.contains("calls itself good)") && !done.stdout.contains("calls itself b)"),
        "{}",
        done.stdout
    );
}

fn a_bot_is_called_by_its_folder() {
    let dir = Dir::new();
    for name in ["mybot", "O'Brien \"x\""] {
        dir.run("new python").arg(name).succeeds();
    }
    let run = dir.run("match --games 2 --seed 1 -q --json 'python3 mybot/bot.py'");
    let summary = run
        .arg(r#"python3 "O'Brien \"x\"/bot.py""#)
        .succeeds()
        .json();
    let [first, second] = [0, 1].map(|player| &summary["players"][player]);
    assert_eq!(
        (&first["name"], &first["calls_itself"]),
        (&json!("mybot"), &Value::Null)
    );
    // Quotation marks would end the text in which the name stands.
    assert_eq!(
        [&second["name"], &second["calls_itself"]],
        ["O'Brien \"x\"", "O-Brien -x-"]
    );
}
