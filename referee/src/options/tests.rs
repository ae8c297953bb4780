//! Tests of the configuration: the way to arguments and back, and its JSON.

use battleship::Rules;
use std::time::Duration;

use clap::Parser;

use super::*;
use arena::game::Game as _;
use arena::terms::{FUEL, GRACE, GameTerms, LIMIT, MAX_MEMORY, MAX_THREADS, START_LIMIT};

/// A command line of nothing but these options.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct TypedTerms {
    #[command(flatten)]
    options: GameOptions,
}

fn terms_of(args: &[String]) -> (Rules, GameTerms) {
    let typed = TypedTerms::try_parse_from(args).unwrap();
    typed.options.terms().unwrap()
}

#[test]
fn terms_survive_arguments_and_headers() {
    const GAMES: [&str; 6] = [
        "",
        "--rules twist",
        "--rules salvo",
        "--rules salvo --salvo 100 --apart",
        "--apart --rows 3 --cols 4 --ship '3 # row boat' --ship '1 Z z'",
        "--rows 9 --cols 1 --ship '1 0 a-b c'",
    ];
    // Only Linux has a sandbox.
    const SANDBOXED: [&str; 3] = [
        "--sandbox --allow /usr --allow /tmp",
        "--sandbox=basic --max-memory 1 --max-threads 4294967295",
        "--sandbox --max-memory 4294967295 --max-threads 1",
    ];
    const OTHERS: [&str; 11] = [
        "",
        "--max-turns 1",
        "--max-turns 4294967295",
        "--limit 1ms --start-limit 90s",
        "--limit 99999999ms --grace 2s --fuel 4294967295",
        "--env A --env _B9 --no-pin",
        "--start-limit 1ms --grace 1ms --fuel 1",
        "--ponder",
        "--no-pin --ponder --limit 1s",
        "--clock 60s",
        "--clock 1500ms+1ms --grace 1s",
    ];
    let sandboxed = if cfg!(target_os = "linux") {
        &SANDBOXED[..]
    } else {
        &[]
    };
    for game in GAMES {
        for sandbox in [""].iter().chain(sandboxed) {
            for other in OTHERS {
                let typed = shlex::split(&format!("{game} {sandbox} {other}")).unwrap();
                let (rules, terms) = terms_of(&typed);
                let words = terms.to_args(&rules);
                assert_eq!(terms_of(&words), (rules, terms.clone()), "{typed:?}");
                // Each option that was typed is there again.
                let options =
                    |args: &[String]| args.iter().filter(|arg| arg.starts_with("--")).count();
                assert_eq!(options(&words), options(&typed), "{typed:?}");
                let json = serde_json::to_string(&terms).unwrap();
                assert_eq!(serde_json::from_str::<GameTerms>(&json).unwrap(), terms);
            }
        }
    }
}

#[test]
fn usual_terms_need_no_arguments() {
    for (rules, args) in [
        (Rules::classic(battleship::Game::standard()), &[][..]),
        (Rules::Twist, &["--rules", "twist"]),
    ] {
        assert_eq!(GameTerms::usual(rules.max_turns()).to_args(&rules), args);
    }
}

/// The help names the usual values in words; they are those of the constants.
#[test]
fn the_help_tells_the_usual_values() {
    use clap::CommandFactory;
    let help = TypedTerms::command().render_long_help().to_string();
    let of = |option: &str| {
        let at = help.find(&format!("--{option} ")).unwrap();
        let end = help[at + 2..]
            .find("\n      --")
            .map_or(help.len(), |end| at + 2 + end);
        let text = help[at..end]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let (_, usual) = text.rsplit_once("[default: ").unwrap();
        usual.split_once(']').unwrap().0.to_owned()
    };
    for (option, usual) in [
        ("limit", LIMIT),
        ("start-limit", START_LIMIT),
        ("grace", GRACE),
    ] {
        assert_eq!(time_limit(&of(option)), Ok(usual), "{option}");
    }
    assert_eq!(of("fuel"), FUEL.to_string());
    assert_eq!(of("max-memory"), MAX_MEMORY.to_string());
    assert_eq!(of("max-threads"), MAX_THREADS.to_string());
    let standard = battleship::Game::standard();
    assert_eq!(
        (of("rows"), of("cols")),
        (standard.rows().to_string(), standard.cols().to_string())
    );
}

#[test]
fn limits_of_players_are_named_or_numbered() {
    let player = |word| crate::player::parse(word, "referee".as_ref()).unwrap();
    let mut players = ["Popeye=awful", "good", "human"].map(player);
    let words = "--limit 7s --limit Popeye=1s --limit 2=2s --limit human=3s --start-limit 1=4s";
    let typed = TypedTerms::try_parse_from(words.split(' ')).unwrap();
    let options = typed.options.bots;
    options.limit_players(&mut players).unwrap();
    let limits = players.each_ref().map(|player| player.limits.limit);
    assert_eq!(limits, [1, 2, 3].map(|s| Some(Duration::from_secs(s))));
    let start = players[0].limits.start_limit;
    assert_eq!(start, Some(Duration::from_secs(4)));
    for words in ["--limit Bluto=1s", "--limit 4=1s", "--limit 0=1s"] {
        let typed = TypedTerms::try_parse_from(words.split(' ')).unwrap();
        let error = typed.options.bots.limit_players(&mut players).unwrap_err();
        let what = error.to_string();
        assert!(what.ends_with("there are Popeye, good, human"), "{what}");
    }
}

#[test]
fn limits_without_a_sandbox_are_refused() {
    let options = ["--max-memory=9", "--max-threads=9", "--allow=/"];
    for option in options {
        let line = TypedTerms::try_parse_from([option]).unwrap();
        let error = line.options.terms().unwrap_err().to_string();
        let (name, _) = option.split_once('=').unwrap();
        assert_eq!(error, format!("{name} works only with --sandbox; add it"));
    }
}
