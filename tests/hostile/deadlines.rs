//! Deadlines: bots that are slow, busy, stuck or loud at the wrong time, and referees that are
//! stopped meanwhile.

use testkit::arena::{Arena, Mode};
use testkit::list::{Tests, Tier};
use testkit::record::list;
use testkit::run::{Dir, Game};
use testkit::text::has;
use testkit::tools::{BASH, SETSID, SYSTEM_PYTHON, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        a_bot_that_spins_loses_by_time,
        a_bot_without_time_for_the_game_loses,
        a_bot_that_spins_costs_its_opponent_nothing
    );
    tests.needing(&[UNIX], |tests| {
        tests.tier(Tier::Thorough, |tests| {
            add!(tests, thinking_in_every_turn_is_no_pondering);
        });
        add!(
            tests,
            a_loop_without_end_is_no_pondering,
            a_slow_start_is_forgiven,
            standard_error_is_read_in_the_opponents_turn,
            a_bot_that_reads_nothing_is_recognized,
            a_late_reply_answers_no_later_request,
            moves_sent_ahead_are_taken_in_order
        );
    });
    #[cfg(unix)]
    tests.needing(&[UNIX, SYSTEM_PYTHON], |tests| {
        add!(
            tests,
            a_reply_to_a_stopped_referee_counts,
            a_stopped_referee_blames_nobody,
            stopped_referee_charges_no_clock
        );
        add!(
            tests,
            a_loud_bot_fills_no_memory,
            a_deaf_bot_is_not_waited_for
        );
    });
    #[cfg(unix)]
    tests.needing(&[BASH], |tests| {
        add!(tests, a_referee_that_ignores_children_sees_them_end);
    });
    #[cfg(target_os = "linux")]
    tests.needing(&[SETSID], |tests| {
        rows!(tests, BLOWS, the_referee_sweeps_after_its_supervisor, 1);
    });
}

const SILENCE: &str = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";

/// It had all that time, and computed in it.
fn a_loop_without_end_is_no_pondering() {
    let bot = "rogue=sh -c 'echo ready; while read -r word rest; do case $word in place) while :; do :; done ;; esac; done'";
    let dir = Dir::new();
    let game = dir
        .run("play --json --limit 1=1500ms --limit 2=60s")
        .arg(bot)
        .arg("awful")
        .ends()
        .game();
    assert_eq!(game.text("ended_by"), "timeout");
    assert_eq!(game.0["players"][0]["warnings"], serde_json::json!([]));
    // On a busy machine it may not have computed for most of the time.
    let sentences = [
        "(it computed all the time: a loop without end?)",
        "(0 bytes read; is stdout flushed?)",
    ];
    assert!(
        sentences
            .iter()
            .any(|sentence| game.text("reason").ends_with(sentence)),
        "{}",
        game.text("reason")
    );
}

/// It computes for some seconds in all, and is asked for as long.
fn thinking_in_every_turn_is_no_pondering() {
    let bot = "rogue=sh -c 'echo ready; n=99; while read -r word rest; do case $word in place) echo place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h;; \
               attack) i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; echo attack $((n / 10)) $((n % 10)); n=$((n - 1));; \
               quit) exit;; esac; done'";
    let dir = Dir::new();
    let run = dir
        .run("play --json --limit 1=60s --limit 2=60s")
        .arg(bot)
        .arg("awful");
    let game = run.ends().game();
    assert_eq!(game.text("ended_by"), "fleet_sunk");
    assert_eq!(game.0["players"][0]["warnings"], serde_json::json!([]));
}

fn a_bot_that_reads_nothing_is_recognized() {
    let arena = Arena::new(Mode::Plain).with("--limit 1=1s --limit 2=60s");
    let players = "'rogue=sh -c \"echo ready; sleep 30\"' awful";
    let sentence = "did not read the request place within 1 s";
    let game = arena.players(players).play();
    game.forfeits("not_reading", sentence);
}

/// It answers ahead and never reads, and its pipe is as small as a pipe can be, so that the
/// pipe is soon full. The referee does not block on the full pipe.
#[cfg(unix)]
fn a_deaf_bot_is_not_waited_for() {
    let script = "import fcntl, time
fcntl.fcntl(0, 1031, 4096)
print('ready\\nplace 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h')
print('attack 9 9\\n' * 1500, end='', flush=True)
time.sleep(60)";
    let arena = Arena::new(Mode::Plain).with("--max-turns 100000 --limit 2s");
    arena.dir.file("bot.py", script);
    let game = arena
        .players("'/usr/bin/python3 bot.py' '/usr/bin/python3 bot.py'")
        .play();
    assert_eq!(game.text("ended_by"), "not_reading", "{game:?}");
}

/// Large programs load their libraries first.
fn a_slow_start_is_forgiven() {
    let arena = Arena::new(Mode::Plain).with("--limit 2s").shell("reply");
    arena
        .players("'rogue=sh -c \"sleep 3; exec sh rogue.sh\"' awful")
        .wins();
}

/// The referee waits for the opponent at that time, and has to read the standard error of both.
fn standard_error_is_read_in_the_opponents_turn() {
    Arena::new(Mode::Plain)
        .shell("sleep 0.01; reply")
        .players("'rogue=test-bot act reply-then-stderr-megabyte' 'sh rogue.sh'")
        .wins();
}

fn a_bot_that_spins_loses_by_time() {
    let game = Arena::new(Mode::Plain)
        .with("--limit 1=1s --limit 2=60s")
        .players("'rogue=test-bot act spin' awful")
        .play();
    assert_eq!(game.text("ended_by"), "timeout");
    // Until the supervisor has seen it compute for most of the time.
    let looping = "no reply to attack within 1 s (it computed all the time: a loop without end?)";
    let reason = game.text("reason");
    assert!(
        [SILENCE, looping]
            .iter()
            .any(|words| reason.ends_with(words)),
        "{reason}"
    );
}

/// Its clock is in its dialogue, in its line of the record, and in the sentence.
fn a_bot_without_time_for_the_game_loses() {
    let dir = Dir::new();
    let run = dir.run("play --json --clock 1500ms+250ms --transcript dialogue");
    let run = run.arg("rogue=test-bot act hang").arg("awful");
    let game = run.ends().game();
    assert_eq!(game.text("ended_by"), "out_of_time");
    assert_eq!(game.text("winner"), "awful");
    let reason = game.text("reason");
    let told = "of its 1500 ms for the game and 250 ms a reply";
    has(reason, told);
    let clock = serde_json::json!({"total_ms": 1500, "increment_ms": 250});
    let player = &game.0["players"][1];
    assert_eq!(
        (&player["limit_ms"], &player["clock"]),
        (&serde_json::Value::Null, &clock)
    );
    assert!(dir.text("dialogue").contains("<- clock 1500\n"));
}

/// On the very core on which the opponent has to think.
fn a_bot_that_spins_costs_its_opponent_nothing() {
    let spins = "'rogue=test-bot act spin-in-background'";
    for players in [format!("{spins} awful"), format!("awful {spins}")] {
        Arena::new(Mode::Plain).players(&players).wins();
    }
}

/// Otherwise it would be the reply to the next request.
fn a_late_reply_answers_no_later_request() {
    let arena = Arena::new(Mode::Plain).with("--limit 1=1s --limit 2=60s");
    let game = arena.shell("sleep 5; reply").play();
    game.forfeits("timeout", SILENCE);
    assert_eq!(game.0["shots"].to_string(), "[]");
}

/// The verdict is the same, whether the moves come together or one by one.
fn moves_sent_ahead_are_taken_in_order() {
    let ahead = "[ $n = 0 ] && { while [ $n -lt 100 ]; do reply; done; }\n true";
    let [one, other] = ["reply", ahead].map(|deed| {
        let game = Arena::new(Mode::Plain).shell(deed).play();
        game.won_by("rogue");
        let shots = list(&game.0["shots"]).iter();
        shots
            .map(|shot| (shot[1].clone(), shot[2].clone()))
            .collect::<Vec<_>>()
    });
    assert_eq!(one, other);
}

/// Stops the referee of a game with this bot, which makes the file `asked`, until its deadline has
/// passed. `meanwhile` it may do what the other function waits for.
#[cfg(unix)]
fn stopped(bot: &str, meanwhile: impl FnOnce(&Arena), then: impl FnOnce(&Arena)) -> Game {
    stopped_under("--limit 2s", 2500, bot, meanwhile, then)
}

/// The same under these terms, for this time.
#[cfg(unix)]
fn stopped_under(
    terms: &str,
    milliseconds: u64,
    bot: &str,
    meanwhile: impl FnOnce(&Arena),
    then: impl FnOnce(&Arena),
) -> Game {
    use std::time::{Duration, Instant};

    use testkit::arena::until;
    use testkit::run::{Signal, signal};

    let arena = Arena::new(Mode::Plain).with(terms).python(bot);
    arena.play_while(|id| {
        arena.has("asked");
        let asked = Instant::now();
        signal(id, Signal::STOP);
        meanwhile(&arena);
        until("the deadline has passed", || {
            asked.elapsed() > Duration::from_millis(milliseconds)
        });
        signal(id, Signal::CONT);
        then(&arena);
    })
}

/// It began to reply in time; that the referee could not look is not its fault.
#[cfg(unix)]
fn a_reply_to_a_stopped_referee_counts() {
    let bot = "def attacked():
    if shots == 0:
        open('asked', 'w').close()
        while not os.path.exists('go'):
            time.sleep(0.001)
        reply()
        open('said', 'w').close()
    else:
        reply()";
    let meanwhile = |arena: &Arena| {
        arena.dir.file("go", "");
        arena.has("said");
    };
    stopped(bot, meanwhile, |_| {}).won_by("rogue");
}

/// Whether a bot was late cannot be known when the referee itself was stopped: here the bot answers
/// after that.
#[cfg(unix)]
fn a_stopped_referee_blames_nobody() {
    let bot = "def attacked():
    open('asked', 'w').close()
    while not os.path.exists('go'):
        time.sleep(0.001)
    reply()
    sys.exit()";
    let game = stopped(
        bot,
        |_| {},
        |arena| {
            arena.dir.file("go", "");
        },
    );
    assert_eq!(game.0["shots"][0][3], "hit", "{game:?}");
    // What it does after that is its own fault.
    assert_eq!(game.text("ended_by"), "exited");
}

/// The time of the stop would use up the clock.
#[cfg(unix)]
fn stopped_referee_charges_no_clock() {
    let bot = "def attacked():
    if shots == 0:
        open('asked', 'w').close()
        while not os.path.exists('go'):
            time.sleep(0.001)
    reply()";
    let go = |arena: &Arena| {
        arena.dir.file("go", "");
    };
    // With the increment of the placement the clock has 3 s.
    stopped_under("--clock 2s+1s", 4000, bot, go, |_| {}).won_by("rogue");
}

/// A megabyte on standard error at every turn, and a flood of comments below the limit at each.
#[cfg(unix)]
fn a_loud_bot_fills_no_memory() {
    let bot = "def attacked():
    os.write(2, b'e' * 500000)
    os.write(1, b'# hm\\n' * 5000)
    reply()";
    Arena::new(Mode::Plain).python(bot).wins();
}

/// As under programs that ignore the end of their children.
#[cfg(unix)]
fn a_referee_that_ignores_children_sees_them_end() {
    let after = |signals: &str, rogue: &str| {
        let trap = format!("bash -c \"trap '' {signals}; exec \\\"\\$@\\\"\" bash");
        Arena::new(Mode::Plain)
            .after(&trap)
            .players(&format!("'rogue=test-bot act {rogue}' awful"))
            .play()
    };
    after("CHLD PIPE", "exit 7").forfeits("exited", "exited with status 7; nothing on stderr");
    after("CHLD", "--at quit hang").won_by("rogue");
}

/// The attacks of a bot on its supervisor, which are possible if the kernel confines nothing.
#[cfg(target_os = "linux")]
const BLOWS: [(&str, &str); 2] = [
    ("killed", "kill -KILL $PPID"),
    ("stopped", "kill -STOP $PPID"),
];

/// The referee ends what the supervisor does not end any more. The arena finds what is left.
#[cfg(target_os = "linux")]
fn the_referee_sweeps_after_its_supervisor((_, blow): (&str, &str)) {
    let daemon =
        "setsid sh -c 'trap \"\" TERM HUP; sleep 600 & sleep 600' >/dev/null 2>&1 </dev/null &";
    let game = Arena::new(Mode::Unconfined)
        .shell(&format!("{daemon}\n {blow}\n reply"))
        .play();
    assert_eq!(game.0["players"][1]["warnings"].to_string(), "[]");
}
