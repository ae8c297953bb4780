//! Tests of the configuration: the way to arguments and back, and its JSON.

use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Duration;

use battleship::{Game, RuleOptions, Rules, Ruleset};
use clap::Parser;
use proptest::prelude::*;

use super::*;
use engine::terms::{
    FUEL, GRACE, GameTerms, LIMIT, MAX_MEMORY, MAX_THREADS, START_LIMIT, SandboxLevel,
};

/// A command line of nothing but these options.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct TypedTerms {
    #[command(flatten)]
    options: TermsOptions,
}

fn terms_of(args: &[String]) -> GameTerms {
    TypedTerms::try_parse_from(args)
        .unwrap()
        .options
        .terms()
        .unwrap()
}

fn a_game() -> impl Strategy<Value = Game> {
    let ship = (
        1_i32..=3,
        "[A-WYZa-np-z0-9#*-]",
        "[a-z]([ a-z-]{0,8}[a-z])?",
    );
    let ships = prop::collection::btree_map("[A-WYZa-np-z0-9#*-]", ship, 1..5);
    prop_oneof![
        Just(Game::standard()),
        (3_i32..=10, 3_i32..=10, ships).prop_map(|(rows, cols, ships)| {
            let mut game = Game::new(rows, cols).unwrap();
            for (symbol, (length, _, name)) in ships {
                game.add_ship(length, symbol.chars().next().unwrap(), &name)
                    .unwrap();
            }
            game
        })
    ]
}

fn a_duration() -> impl Strategy<Value = Duration> {
    (1_u64..100_000_000).prop_map(Duration::from_millis)
}

/// Any terms that can be typed. Only Linux has a sandbox.
fn any_terms() -> impl Strategy<Value = GameTerms> {
    let options = (any::<bool>(), any::<bool>(), prop::option::of(1_u8..=100)).prop_map(
        |(apart, is_salvo, shots)| {
            (
                is_salvo,
                RuleOptions {
                    apart,
                    shots: shots.and_then(NonZeroU8::new),
                    ..RuleOptions::default()
                },
            )
        },
    );
    let on_boards = (a_game(), options).prop_map(|(game, (is_salvo, options))| {
        let ruleset = if is_salvo {
            Ruleset::Salvo
        } else {
            Ruleset::Classic
        };
        Rules::usual(ruleset).with_game(game).with(options)
    });
    let rules = prop_oneof![on_boards, Just(Rules::Twist)];
    let limits = (1_u32.., 1_u32..);
    let folders =
        prop::sample::subsequence(vec![PathBuf::from("/usr"), PathBuf::from("/tmp")], 0..=2);
    let sandbox = prop_oneof![
        Just(None),
        (any::<bool>(), folders, limits).prop_map(|(strict, allow, limits)| {
            let level = if strict {
                SandboxLevel::World
            } else {
                SandboxLevel::Basic
            };
            Some((level, allow, limits))
        })
    ];
    let times = (a_duration(), a_duration(), a_duration(), 1_u32..);
    let env = prop::collection::vec("[A-Z_][A-Z0-9_]{0,9}", 0..3);
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    (
        rules,
        any::<Option<std::num::NonZeroU32>>(),
        times,
        sandbox,
        env,
        switches,
    )
        .prop_map(
            |(
                rules,
                max_turns,
                (limit, start_limit, grace, fuel),
                sandbox,
                env,
                (pin, portable, ponder),
            )| {
                let usual = GameTerms::usual(rules);
                let max_turns = max_turns.map_or(usual.max_turns, std::num::NonZeroU32::get);
                let terms = GameTerms {
                    max_turns,
                    limit,
                    start_limit,
                    fuel,
                    grace,
                    env,
                    pin,
                    ponder,
                    ..usual
                };
                match sandbox.filter(|_| cfg!(target_os = "linux")) {
                    None => GameTerms { portable, ..terms },
                    Some((level, allow, (max_memory, max_threads))) => GameTerms {
                        sandbox: Some(level),
                        allow,
                        max_memory,
                        max_threads,
                        ..terms
                    },
                }
            },
        )
}

proptest! {
    #[test]
    fn terms_turned_into_arguments_and_parsed_are_the_same(terms in any_terms()) {
        let args = terms.to_args();
        let parsed = terms_of(&args);
        prop_assert_eq!(&parsed, &terms);
        prop_assert_eq!(parsed.to_args(), args);
    }

    #[test]
    fn terms_written_to_a_header_and_read_are_the_same(terms in any_terms()) {
        let json = serde_json::to_string(&terms).unwrap();
        prop_assert_eq!(serde_json::from_str::<GameTerms>(&json).unwrap(), terms);
    }
}

#[test]
fn usual_terms_need_no_arguments() {
    for rules in [Rules::Classic(Game::standard()), Rules::Twist] {
        let terms = GameTerms::usual(rules.clone());
        let name: &[&str] = if rules == Rules::Twist {
            &["--rules", "twist"]
        } else {
            &[]
        };
        assert_eq!(terms.to_args(), name);
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
    let standard = Game::standard();
    assert_eq!(
        (of("rows"), of("cols")),
        (standard.rows().to_string(), standard.cols().to_string())
    );
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
