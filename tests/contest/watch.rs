//! A person watches a contest on the screen of a terminal.

#![cfg(unix)]

use testkit::list::Tests;
use testkit::run::Dir;
use testkit::screen::Screen;
use testkit::text::has;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        the_summary_follows_a_watched_match,
        a_judged_match_is_not_watched,
        a_tournament_shows_standings_and_results,
        a_twist_tournament_is_watched,
        a_watched_contest_survives_another_size,
        keys_after_ctrl_z_count_later,
        q_stops_a_watched_match_in_order
    );
}

/// The last line of the screen.
const KEYS: &str = "q stop the contest";

fn watcher(options: &str) -> Screen {
    Screen::of(
        (80, 24),
        &format!("match awful mediocre --seed 1 --watch --ascii {options}"),
    )
}

/// Returns how many games the referee says were played before it stopped.
fn stopped_after(shown: &str) -> u64 {
    let rest = shown.split("referee: stopped after ").nth(1).expect(shown);
    rest.split(' ').next().unwrap().parse().expect(shown)
}

fn the_summary_follows_a_watched_match() {
    let mut screen = watcher("--games 6 --series 2 --jobs 2");
    has(&screen.sees(KEYS).text(), "last results");
    screen.leaves(0);
    has(&screen.printed(), "(6 games, 3 series, seed 1)");
}

fn a_judged_match_is_not_watched() {
    let judge = r#"sh -c "read -r line; echo game turns 10 10; read -r line""#;
    let mut screen = Screen::of((80, 24), &format!("match A B --watch --judge '{judge}'"));
    screen.leaves(2);
    has(&screen.text(), "--watch: it works with Battleship only");
}

fn a_tournament_shows_standings_and_results() {
    let contest = "tournament awful mediocre Popeye=awful Olive=awful Bluto=awful Wimpy=awful";
    let options = "--games 100000 --series 2 --seed 1 --jobs 1 --watch --ascii";
    let mut screen = Screen::of((80, 24), &format!("{contest} {options}"));
    let shows_all = |shown: &str| {
        let lines: Vec<_> = shown.lines().collect();
        let names = ["awful", "mediocre", "Popeye", "Olive", "Bluto", "Wimpy"];
        let is_listed = |name: &str| {
            let place = format!("  {name} ");
            lines[15..21].iter().any(|line| line.contains(&place))
        };
        lines.len() == 24
            && lines[0].contains(", turn ")
            && lines[14].contains("95% interval   last results")
            && names.into_iter().all(is_listed)
            && lines[15..22].iter().any(|line| line.contains(" beat "))
            && lines[22].contains(" of 1500000 games, ")
    };
    screen.until("game, standings and results", shows_all);
    // A larger terminal has the standings beside the game, and the results below them.
    screen.resize((120, 40)).until("standings beside", |shown| {
        let lines: Vec<_> = shown.lines().collect();
        lines[2].contains(" 9 ")
            && lines[2].contains("95% interval")
            && lines[10].contains("last results")
            && lines[11].contains(" beat ")
    });
    screen
        .press("?")
        .sees("-- keys --")
        .press(" ")
        .press("\x03");
    screen.leaves(130);
}

fn a_twist_tournament_is_watched() {
    let contest =
        "tournament awful mediocre good --rules twist --games 2 --series 2 --max-turns 20";
    let mut screen = Screen::of((80, 24), &format!("{contest} --seed 1 --watch --ascii"));
    screen.sees(KEYS);
    screen.leaves(0);
    let shown = screen.text();
    has(&shown, "Round robin of 3 players: 6 games in 3 series");
}

fn a_watched_contest_survives_another_size() {
    let mut screen = watcher("--games 1000000 --series 2");
    screen
        .sees(KEYS)
        .resize((60, 20))
        .sees("needs 80x24")
        .resize((120, 40))
        .sees(KEYS);
    screen.suspends().sees(KEYS).press("\x03");
    screen.leaves(130);
}

fn keys_after_ctrl_z_count_later() {
    let mut screen = watcher("--games 1000000 --series 2");
    screen.sees(KEYS).press("\x1a\x1a\x03");
    screen.leaves(130);
}

/// More games than any test waits for.
fn q_stops_a_watched_match_in_order() {
    let dir = Dir::new();
    let record = dir.path("cup.jsonl").display().to_string();
    let options = format!("--games 1000000 --series 2 --jobs 1 --out {record}");
    let mut screen = watcher(&options);
    screen.sees(KEYS).press("q").sees("stop?").press("y");
    screen.leaves(130);
    let shown = screen.printed();
    // The games of an unfinished series are played again.
    let recorded = stopped_after(&shown) / 2 * 2;
    has(&shown, "stopping after the running games");
    assert!(
        shown.contains("this continues:") && shown.contains("--resume"),
        "{shown}"
    );

    let mut screen = watcher(&format!("{options} --resume"));
    screen.sees(KEYS).press("\x03");
    screen.leaves(130);
    assert!(
        stopped_after(&screen.printed()) >= recorded,
        "{recorded} {}",
        screen.printed()
    );
}
