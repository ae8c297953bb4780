//! The report of contests and of any records.

use serde_json::{Value, json};

use testkit::list::Tests;
use testkit::run::Dir;

use super::{Page, places};
use testkit::record::list;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_report_has_the_standings_and_every_game,
        players_that_are_out_stay_out,
        names_with_markup_stay_text,
        several_records_make_one_ranking,
        an_unfinished_contest_has_a_report,
        the_page_of_a_contest_is_its_report,
        a_page_claims_no_more_than_its_match,
        one_first_mover_proves_no_advantage,
        the_course_of_ratings_ends_at_the_ratings
    );
    rows!(tests, SCHEDULES, a_report_has_the_places_of_its_schedule, 1);
}

/// A folder with the record `cup` of a tournament, and its summary.
fn tournament(words: &str) -> (Dir, Value) {
    let dir = Dir::new();
    let done = dir
        .run(format!("tournament --json -q --seed 3 --out cup {words}"))
        .succeeds();
    (dir, done.json())
}

fn a_report_has_the_standings_and_every_game() {
    let (dir, summary) = tournament("awful mediocre decent --games 4");
    let page = Page::of(&dir, "cup");
    assert_eq!(page.data["title"], "Round robin of 3 players");
    assert_eq!(page.games(), [12, 12]);
    assert_eq!(page.places(), places(&summary));
    for heading in [
        "Standings",
        "Who beat whom",
        "Attacks to win",
        "The first move",
        "Reply times",
    ] {
        page.has(&format!("<h2>{heading}</h2>"));
    }
    page.has("8 of 8 points");
    assert_eq!(page.data["live"], Value::Null);
    let awful = page.details("awful");
    // It lost all its games.
    assert_eq!([&awful["duel"]["fell"], &awful["duel"]["stood"]], [8, 0]);
    assert_eq!(page.data["duels"].as_array().unwrap().len(), 3);
    assert_eq!(list(&awful["worst"]).len(), 3);
    dir.run("match awful mediocre --games 4 --seed 1 -q --out m")
        .succeeds();
    assert_eq!(Page::of(&dir, "m").data["title"], "awful against mediocre");
}

const SCHEDULES: [&str; 3] = [
    "--format swiss --rounds 3",
    "--format knockout",
    "--format gauntlet",
];

fn a_report_has_the_places_of_its_schedule(schedule: &str) {
    let players = "a=awful b=mediocre c=awful d=mediocre e=awful --games 4 --series 2";
    let (dir, summary) = tournament(&format!("{players} {schedule}"));
    let page = Page::of(&dir, "cup");
    assert_eq!(page.places(), places(&summary));
    page.lacks("stopped before its end");
}

fn players_that_are_out_stay_out() {
    let players = "awful mediocre 'rogue=test-bot act exit 3 --after 5' absent=./absent";
    let (dir, summary) = tournament(&format!("{players} --games 10 --series 2 --max-faults 0.2"));
    let page = Page::of(&dir, "cup");
    assert_eq!(page.places(), places(&summary));
    page.has("rogue is disqualified: it spoiled 10 of its 10 games (10 exited)");
    page.has("absent could not play: it failed the check before the first game");
    let rogue = page.details("rogue");
    assert_eq!(rogue["nForfeits"], 10);
    let forfeit = &rogue["forfeits"][0];
    let reason = usize::try_from(forfeit["reason"].as_u64().unwrap()).unwrap();
    assert_eq!(page.data["reasons"][reason]["word"], "exited");
    assert!(
        forfeit["advice"]
            .as_str()
            .unwrap()
            .starts_with("It ended by itself"),
        "{forfeit}"
    );
}

fn names_with_markup_stay_text() {
    let name = "<script>alert(1)<b>";
    let (dir, _) = tournament(&format!(
        "\"'{name}=awful'\" \"'x&y=mediocre'\" '<style>=awful' --games 2"
    ));
    let page = Page::of(&dir, "cup");
    assert_eq!(page.data["players"][0]["name"], name);
    page.lacks("<script>alert");
    assert_eq!(page.html.matches("</style>").count(), 1);
    let escaped = ["&lt;script&gt;alert(1)", "&#60;script&#62;alert(1)"];
    assert!(escaped.iter().any(|text| page.html.contains(text)));
}

fn several_records_make_one_ranking() {
    let (dir, _) = tournament("awful mediocre m=mediocre --games 2");
    for seed in [1, 2] {
        dir.run(format!(
            "play awful mediocre --seed {seed} --json --out single"
        ))
        .succeeds();
    }
    let page = Page::of(&dir, "cup single");
    assert_eq!(page.data["title"], "Ranking of 3 players");
    assert_eq!(page.games(), [8, 8]);
    let records = page.data["records"].as_array().unwrap().iter();
    let records: Vec<_> = records
        .map(|record| json!([record["name"], record["games"]]))
        .collect();
    assert_eq!(records, [json!(["cup", 6]), json!(["single", 2])]);
    // Games are numbered on.
    let mut chunks = page.data["chunks"].as_array().unwrap().iter();
    assert!(chunks.any(|chunk| chunk["numbers"].to_string().contains("[5,4]")));
    let page = Page::of(&dir, "cup single --only awful,mediocre");
    assert_eq!(page.data["players"].as_array().unwrap().len(), 2);
}

fn an_unfinished_contest_has_a_report() {
    let (dir, _) = tournament("awful mediocre m=mediocre --games 8 --series 2 --shard 1/2");
    let shard = Page::of(&dir, "cup");
    assert_eq!(shard.data["games"], 12);
    shard.lacks("stopped before its end");
    let record = dir.text("cup");
    let lines: Vec<_> = record.split_inclusive('\n').collect();
    // The header, three whole series, and a game of the fourth.
    dir.file("half", lines[..11].concat());
    let half = Page::of(&dir, "half");
    assert_eq!(half.games(), [7, 6]);
    half.has("1 game left out: their series were not played to their end.")
        .has("stopped before its end");
}

fn the_page_of_a_contest_is_its_report() {
    let players = "awful mediocre m=mediocre --series 2 --report live.html";
    let (dir, _) = tournament(&format!("{players} --games 6"));
    assert_eq!(
        Page::read(&dir, "live.html").html,
        Page::of(&dir, "cup").html
    );
    // And of one that continues.
    let words = format!("tournament -q --seed 3 --out cup {players} --games 10 --resume");
    dir.run(&words).succeeds();
    let page = Page::of(&dir, "cup");
    assert_eq!(Page::read(&dir, "live.html").html, page.html);
    assert_eq!(page.data["games"], 30);
    // And of a match that a test has decided.
    let words = "match awful mediocre --games 1000 --series 100 --seed 1 -q --sprt elo0=0,elo1=100";
    dir.run(format!("{words} --out m --report live.html"))
        .succeeds();
    let page = Page::of(&dir, "m");
    assert!(page.games()[0] < 100);
    assert_eq!(
        Page::read(&dir, "live.html").html,
        page.lacks("stopped before its end").html
    );
}

fn a_page_claims_no_more_than_its_match() {
    let dir = Dir::new();
    let done = dir
        .run("match mediocre x=mediocre --games 10 --seed 1 -q --out m")
        .succeeds();
    let sentence = "Too close to call after 10 games";
    done.prints(sentence);
    Page::of(&dir, "m").has(sentence);
}

fn one_first_mover_proves_no_advantage() {
    let dir = Dir::new();
    for seed in 1..=3 {
        dir.run(format!(
            "play mediocre awful --seed {seed} --json --out games"
        ))
        .succeeds();
    }
    let page = Page::of(&dir, "games");
    page.has("Some players moved first more often than others")
        .lacks("moving first is an advantage");
}

fn the_course_of_ratings_ends_at_the_ratings() {
    let anchor = "--anchor mediocre=1500";
    let (dir, summary) = tournament(&format!(
        "awful mediocre m=mediocre --games 20 --series 2 {anchor}"
    ));
    let page = Page::of(&dir, &format!("cup {anchor}"));
    let (_, course) = page.html.split_once("id=\"course\"").unwrap();
    let (course, _) = course.split_once("</section>").unwrap();
    let (_, last) = course.rsplit_once("<tr>").unwrap();
    for player in list(&summary["players"]) {
        let rating = player["rating"]["rating"].as_f64().unwrap().round();
        assert!(
            last.contains(&format!(">{rating:+}<")),
            "{rating} in {last}"
        );
    }
}
