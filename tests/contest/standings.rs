//! The places of players in a tournament and in a ranking, and their names.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::{Folder, SMALL, misbehaving, misbehaving_bot, referee, test_bot};

fn run(command: &str, words: &[&str], options: &[&str]) -> Value {
    let output = referee()
        .arg(command)
        .args(words)
        .args(options)
        .arg("--json")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The players' names and places, in the order of the places and then of the names.
fn places(summary: &Value) -> Vec<(u64, &str)> {
    let of = |player: &'_ Value| player["place"]["place"].as_u64().unwrap();
    let players = summary["players"].as_array().unwrap().iter();
    let mut places: Vec<_> = players
        .map(|player| (of(player), player["name"].as_str().unwrap()))
        .collect();
    places.sort_unstable();
    places
}

#[test]
fn a_player_that_cannot_play_stands_at_the_end_and_the_others_play() {
    let folder = Folder::new();
    let out = folder.path("cup.jsonl");
    let rogue = misbehaving("exit 3 --at place");
    let players = ["awful", "./no-such-bot", "mediocre", &rogue];
    let options = [&SMALL[..], &["--out", &out, "-q"]].concat();
    let summary = run(
        "tournament",
        &players,
        &[&options[..], &["--games", "4"]].concat(),
    );
    assert_eq!(summary["games"], 4);
    let [awful, missing, mediocre, rogue] = &summary["players"].as_array().unwrap()[..] else {
        panic!("{summary}")
    };
    for player in [awful, mediocre] {
        assert_eq!(
            (&player["games"], &player["cannot_play"]),
            (&4.into(), &Value::Null)
        );
    }
    for (player, why) in [
        (missing, "there is no file"),
        (rogue, "exited with status 3"),
    ] {
        assert!(
            player["cannot_play"].as_str().unwrap().contains(why),
            "{player}"
        );
        assert_eq!(
            (
                &player["place"]["place"],
                &player["place"]["points"],
                &player["disqualified"]
            ),
            (&3.into(), &0.0.into(), &false.into())
        );
    }
    // It is as it was at the beginning, also for a bot that could play by now.
    let text = referee()
        .arg("tournament")
        .args(["awful", "./no-such-bot", "mediocre", players[3]])
        .args(&options)
        .args(["--games", "6", "--resume"])
        .assert()
        .code(0);
    text.stdout(
        contains("6 games")
            .and(contains(
                "no-such-bot could not play: could not start: there is no file",
            ))
            .and(contains("rogue could not play: ")),
    );
    // A match needs both, a tournament two.
    let pair = ["awful", "./no-such-bot"];
    for command in ["match", "tournament"] {
        let refused = referee()
            .arg(command)
            .args(pair)
            .args(SMALL)
            .assert()
            .code(4);
        refused.stderr(contains("no-such-bot cannot play").and(contains("nothing was played")));
    }
}

/// It lost every game that was to come, and was disqualified with those that it had won.
#[test]
fn a_player_that_can_no_longer_play_keeps_a_contest_from_going_on() {
    let folder = Folder::new();
    let (out, flag) = (folder.path("cup.jsonl"), folder.path("flag"));
    let broken = format!(
        "test ! -e '{flag}' && exec {} bot awful",
        env!("CARGO_BIN_EXE_referee")
    );
    let script = folder.file("bot.sh", &broken);
    let flaky = format!("flaky=sh '{script}'");
    let options = [&SMALL[..], &["--out", &out, "-q"]].concat();
    run(
        "tournament",
        &["awful", "mediocre", &flaky],
        &[&options[..], &["--games", "2"]].concat(),
    );
    let before = crate::common::text_of(&out);
    folder.file("flag", "");
    let resumed = referee()
        .args([
            "tournament",
            "awful",
            "mediocre",
            &flaky,
            "--games",
            "20",
            "--resume",
        ])
        .args(&options)
        .assert();
    resumed.code(4).stderr(contains(
        "it could play when the contest began; fix the bot",
    ));
    assert_eq!(crate::common::text_of(&out), before);
}

#[test]
fn a_gauntlet_needs_its_first_player() {
    let players = ["./no-such-bot", "awful", "mediocre"];
    let gauntlet = referee()
        .args(["tournament", "--format", "gauntlet"])
        .args(players)
        .assert();
    gauntlet.code(4).stderr(contains("nothing was played"));
}

/// It could not place its ships in one of the games by which players are checked, and nothing was played.
#[test]
fn a_player_that_gives_up_placing_at_times_may_play() {
    let shy = format!("shy={} chance --gives-up 2", test_bot());
    for _ in 0..3 {
        let summary = run(
            "match",
            &[&shy, "awful"],
            &["--games", "2", "--seed", "7", "-q"],
        );
        assert_eq!(summary["games"], 2);
    }
}

/// The copies of one program had places by whether they met a disqualified player before it was out.
#[test]
fn games_against_a_disqualified_player_do_not_count() {
    let folder = Folder::new();
    let out = folder.path("cup.jsonl");
    let rogue = misbehaving("crash --after 5");
    let players = ["a=awful", &rogue, "b=awful", "c=awful", "d=awful"];
    let options = [
        "--games", "8", "--series", "4", "--seed", "1", "-q", "--out", &out,
    ];
    let summary = run("tournament", &players, &options);
    let met = |pairing: &&Value| pairing["players"].as_array().unwrap().contains(&1.into());
    let pairings = summary["pairings"].as_array().unwrap();
    let (with, without): (Vec<_>, Vec<_>) = pairings.iter().partition(met);
    assert!(!with.is_empty() && with.iter().all(|pairing| pairing["counts"] == false));
    assert!(without.len() == 6 && without.iter().all(|pairing| pairing["counts"] == true));
    for (index, player) in summary["players"].as_array().unwrap().iter().enumerate() {
        assert_eq!(player["disqualified"], index == 1);
        let of = |what: &str| player["results"][what].as_u64().unwrap();
        let games = of("wins") + of("draws") + of("losses");
        if index != 1 {
            assert_eq!((games, &player["games"]), (24, &24.into()), "{player}");
        }
    }
    // A ranking by the record has the same order, places and ratings.
    let ranking = run("rank", &[&out], &[]);
    assert_eq!(places(&ranking), places(&summary));
    let ratings = |of: &Value| {
        let players = of["players"].as_array().unwrap().iter();
        players
            .map(|player| player["rating"]["rating"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ratings(&ranking), ratings(&summary));
    let rank = referee().args(["rank", &out]).assert().code(0);
    rank.stderr(contains("rogue was disqualified there; its "))
        .stdout(contains(
            "Places go by the rating in whole points, then by the share of the points.",
        ));
    let resumed = referee()
        .arg("tournament")
        .args(players)
        .args(options)
        .arg("--resume")
        .assert();
    resumed
        .code(0)
        .stdout(contains("is disqualified: it spoiled 12 of").and(contains("(4/4)")));
}

#[test]
fn equal_players_share_a_place_in_every_table() {
    let folder = Folder::new();
    let out = folder.path("cup.jsonl");
    // Each wins when it moves first: equal in everything.
    let names = ["a", "b", "c", "d", "e", "f"].map(|name| format!("{name}=awful"));
    let players = names.each_ref().map(String::as_str);
    let options = [
        "--rows",
        "1",
        "--cols",
        "2",
        "--ship",
        "2 R rowboat",
        "--games",
        "6",
    ];
    let options = [&options[..], &["--seed", "3", "-q", "--out", &out]].concat();
    let summary = run("tournament", &players, &options);
    let all_first = ["a", "b", "c", "d", "e", "f"].map(|name| (1, name));
    assert_eq!(places(&summary), all_first);
    assert_eq!(places(&run("rank", &[&out], &[])), all_first);
    let csv = referee()
        .args(["rank", &out, "--csv"])
        .output()
        .unwrap()
        .stdout;
    let csv = String::from_utf8(csv).unwrap();
    assert!(
        csv.lines().skip(1).all(|line| line.starts_with("1,")),
        "{csv}"
    );
}

/// A bot took the place of a shipped player by calling itself so.
#[test]
fn a_shipped_player_and_a_named_one_keep_their_names() {
    let liar = format!(
        "{} --at greeting say 'name good\\nready\\n'",
        misbehaving_bot()
    );
    let other = format!(
        "{} --at greeting say 'name b\\nready\\n'",
        misbehaving_bot()
    );
    let third = format!(
        "b={} --at greeting say 'name Olive\\nready\\n'",
        misbehaving_bot()
    );
    let players = [&liar, "awful", &other, &third, "good=awful"];
    let output = referee()
        .arg("tournament")
        .args(players)
        .args(["--games", "2", "--seed", "1", "-q"])
        .output()
        .unwrap();
    let [text, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    for line in ["test-bot: ", "test-bot 2: ", "b: "] {
        assert!(
            text.lines().any(|found| found.starts_with(line)),
            "{line}\n{text}"
        );
    }
    assert!(text.contains("(calls itself Olive)\n"), "{text}");
    assert!(
        !text.contains("calls itself good)") && !text.contains("calls itself b)"),
        "{text}"
    );
    assert!(
        said.contains("test-bot 2 calls itself b, which is another player's name"),
        "{said}"
    );
}

#[test]
#[needs(PYTHON)]
fn a_bot_is_called_by_its_folder() {
    let folder = Folder::new();
    for name in ["mybot", "O'Brien \"x\""] {
        referee()
            .args(["new", "python", &folder.path(name)])
            .assert()
            .success();
    }
    let python = |name: &str| format!("python3 \"{}\"", folder.path(name).replace('"', "\\\""));
    let players = [python("mybot/bot.py"), python("O'Brien \"x\"/bot.py")];
    let players = players.each_ref().map(String::as_str);
    let summary = run("match", &players, &["--games", "2", "--seed", "1", "-q"]);
    let said = |at: usize, what: &str| summary["players"][at][what].clone();
    assert_eq!(
        (said(0, "name"), said(0, "calls_itself")),
        ("mybot".into(), Value::Null)
    );
    // Quotation marks would end the text in which the name stands.
    assert_eq!(said(1, "name"), "O'Brien \"x\"");
    assert_eq!(said(1, "calls_itself"), "O-Brien -x-");
}
