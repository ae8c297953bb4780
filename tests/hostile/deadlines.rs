//! Deadlines: bots that are slow, busy, stuck or loud at the wrong time, and referees that are stopped meanwhile.

use testkit::arena::{Arena, Way};
use testkit::list::Tests;
use testkit::run::Dir;
use testkit::tools::{BASH, PYTHON, SETSID, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(tests, WAYS, a_bot_that_spins_loses_by_time, 1);
    rows!(tests, WAYS, a_bot_that_spins_costs_its_opponent_nothing, 1);
    tests.needing(&[UNIX], |tests| {
        add!(tests, a_loop_without_end_is_no_pondering);
        rows!(tests, WAYS, a_slow_start_is_forgiven, 1);
        rows!(tests, WAYS, standard_error_is_read_in_the_opponents_turn, 1);
        rows!(tests, WAYS, a_bot_that_reads_nothing_is_recognized, 1);
        rows!(
            tests,
            WAYS,
            a_late_reply_does_not_answer_the_next_request,
            1
        );
        rows!(tests, WAYS, moves_sent_ahead_are_taken_in_order, 1);
    });
    #[cfg(unix)]
    tests.needing(&[UNIX, PYTHON], |tests| {
        add!(
            tests,
            a_reply_to_a_stopped_referee_counts,
            a_stopped_referee_blames_nobody
        );
        rows!(tests, WAYS, a_loud_bot_fills_no_memory, 1);
        rows!(tests, WAYS, a_bot_that_never_reads_is_not_waited_for, 1);
    });
    #[cfg(unix)]
    tests.needing(&[BASH], |tests| {
        rows!(
            tests,
            WAYS,
            a_referee_that_ignores_its_children_sees_them_end,
            1
        )
    });
    #[cfg(target_os = "linux")]
    tests.needing(&[SETSID], |tests| {
        rows!(tests, BLOWS, the_referee_sweeps_after_its_supervisor)
    });
}

const WAYS: [Way; 2] = Way::SUPERVISED_OR_NOT;

fn rogue(flags: &str) -> String {
    format!(
        "rogue={} act {flags}",
        testkit::programs::built("examples/test-bot")
    )
}

/// It had all that time, and computed in it.
fn a_loop_without_end_is_no_pondering() {
    let bot = "rogue=sh -c 'echo ready; while read -r word rest; do case $word in place) while :; do :; done ;; esac; done'";
    let dir = Dir::new();
    let game = dir
        .run("play --json --limits 1500ms:60s")
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

fn a_bot_that_reads_nothing_is_recognized(way: Way) {
    let arena = Arena::new(way).with(&["--limits", "1s:60s"]);
    let seen = arena.play(["rogue=sh -c 'echo ready; sleep 30'", "awful"]);
    match way {
        Way::Supervised | Way::Unconfined => {
            seen.is_forfeit("not_reading", "did not read the request place within 1 s");
        }
        // The thread has written all to the pipe, and what is left in there it cannot know.
        Way::Portable => {
            seen.is_forfeit(
                "timeout",
                "no reply to place within 1 s (0 bytes read; is stdout flushed?)",
            );
        }
    }
}

/// It answers ahead and never reads, and its pipe is as small as a pipe can be, so that the referee's words soon find no
/// room. The referee is not to be stuck with them.
#[cfg(unix)]
fn a_bot_that_never_reads_is_not_waited_for(way: Way) {
    let script = "import fcntl,time\nfcntl.fcntl(0, 1031, 4096)\nprint(\"ready\")\n\
        print(\"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\")\nfor i in range(1500): print(\"attack 9 9\")\n\
        time.sleep(60)";
    let bot = format!("python3 -u -c '{script}'");
    let arena = Arena::new(way).with(&["--max-turns", "100000", "--limit", "2s"]);
    let seen = arena.play([&bot, &bot]);
    assert_eq!(seen.ended_by(), "not_reading", "{}", seen.reason());
}

/// Large programs load their libraries first.
fn a_slow_start_is_forgiven(way: Way) {
    let arena = Arena::new(way).with(&["--limit", "3s"]);
    let bot = arena.shell("reply");
    let script = arena.folder().join("rogue.sh");
    let text = std::fs::read_to_string(&script).unwrap();
    std::fs::write(&script, format!("sleep 4\n{text}")).unwrap();
    arena.play([&bot, "awful"]).is_won_by("rogue");
}

/// The referee waits for the opponent at that time, and has to read the standard error of both.
fn standard_error_is_read_in_the_opponents_turn(way: Way) {
    let arena = Arena::new(way);
    let slow = arena.shell("sleep 0.01; reply").replace("rogue=", "slow=");
    arena
        .play([&rogue("reply-then-stderr-megabyte"), &slow])
        .is_won_by("rogue");
}

fn a_bot_that_spins_loses_by_time(way: Way) {
    let seen = Arena::new(way)
        .with(&["--limits", "1s:60s"])
        .play([&rogue("spin"), "awful"]);
    assert_eq!(seen.ended_by(), "timeout");
    // Until the supervisor has seen it compute for most of the time.
    let silence = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";
    let looping = "no reply to attack within 1 s (it computed all the time: a loop without end?)";
    assert!(
        [silence, looping]
            .iter()
            .any(|words| seen.reason().ends_with(words)),
        "{}",
        seen.reason()
    );
}

/// On the very core on which the opponent has to think.
fn a_bot_that_spins_costs_its_opponent_nothing(way: Way) {
    let spins = rogue("spin-in-background");
    Arena::new(way).play([&spins, "awful"]).is_won_by("rogue");
    Arena::new(way).play(["awful", &spins]).is_won_by("rogue");
}

/// Otherwise it would be the reply to the next request.
fn a_late_reply_does_not_answer_the_next_request(way: Way) {
    let arena = Arena::new(way).with(&["--limits", "1s:60s"]);
    let seen = arena.play([&arena.shell("sleep 5; reply"), "awful"]);
    seen.is_forfeit(
        "timeout",
        "no reply to attack within 1 s (0 bytes read; is stdout flushed?)",
    );
    assert_eq!(seen.record["shots"].as_array().unwrap().len(), 0);
}

/// The verdict is the same, whether the moves come together or one by one.
fn moves_sent_ahead_are_taken_in_order(way: Way) {
    let ahead = "[ $n = 0 ] && { while [ $n -lt 100 ]; do reply; done; }";
    let [one, other] = ["reply", ahead].map(|deed| {
        let arena = Arena::new(way);
        let seen = arena.play([&arena.shell(&format!("{deed}\n true")), "awful"]);
        seen.is_won_by("rogue");
        let shots = seen.record["shots"].as_array().unwrap().iter();
        shots
            .map(|shot| (shot[1].clone(), shot[2].clone()))
            .collect::<Vec<_>>()
    });
    assert_eq!(one, other);
}

/// Stops the referee of a game with this bot, which makes the file `asked`, until its deadline has passed. `meanwhile` it may
/// do what the other function waits for.
#[cfg(unix)]
fn stopped(
    bot: &str,
    meanwhile: impl FnOnce(&Arena),
    then: impl FnOnce(&Arena),
) -> testkit::arena::Seen {
    use rustix::process::Signal;
    use std::time::{Duration, Instant};

    let arena = Arena::new(Way::Supervised).with(&["--limit", "3s"]);
    let bot = arena.python(bot);
    let game = arena.start([&bot, "awful"]);
    arena.wait_for_file("asked");
    let asked = Instant::now();
    game.signal(Signal::STOP);
    meanwhile(&arena);
    testkit::arena::until("the deadline has passed", || {
        asked.elapsed() > Duration::from_millis(3500)
    });
    game.signal(Signal::CONT);
    then(&arena);
    game.end()
}

#[cfg(unix)]
fn go(arena: &Arena) {
    std::fs::write(arena.folder().join("go"), "").unwrap();
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
        go(arena);
        arena.wait_for_file("said");
    };
    stopped(bot, meanwhile, |_| {}).is_won_by("rogue");
}

/// Whether a bot was late cannot be known when the referee itself was stopped: here the bot answers after that.
#[cfg(unix)]
fn a_stopped_referee_blames_nobody() {
    let bot = "def attacked():
    open('asked', 'w').close()
    while not os.path.exists('go'):
        time.sleep(0.001)
    reply()
    sys.exit()";
    let seen = stopped(bot, |_| {}, go);
    assert_eq!(seen.record["shots"][0][3], "hit", "{seen:?}");
    assert_eq!(
        seen.ended_by(),
        "exited",
        "and what it does after that is its own fault"
    );
}

/// A megabyte on standard error at every turn, and a flood of comments below the limit at each.
#[cfg(unix)]
fn a_loud_bot_fills_no_memory(way: Way) {
    let arena = Arena::new(way);
    let bot = arena.python(
        "def attacked():
    os.write(2, b'e' * 500000)
    os.write(1, b'# hm\\n' * 5000)
    reply()",
    );
    arena.play([&bot, "awful"]).is_won_by("rogue");
}

/// As under programs that ignore the end of their children.
#[cfg(unix)]
fn a_referee_that_ignores_its_children_sees_them_end(way: Way) {
    let arena = Arena::new(way).wrapped(&["bash", "-c", "trap '' CHLD PIPE; exec \"$0\" \"$@\""]);
    arena
        .play([&rogue("exit 7"), "awful"])
        .is_forfeit("exited", "exited with status 7; nothing on stderr");
    let arena = Arena::new(way).wrapped(&["bash", "-c", "trap '' CHLD; exec \"$0\" \"$@\""]);
    arena
        .play([&rogue("--at quit hang"), "awful"])
        .is_won_by("rogue");
}

/// The attacks of a bot on its supervisor, which are possible if the kernel confines nothing.
#[cfg(target_os = "linux")]
const BLOWS: [(&str, &str); 2] = [
    ("stopped", "kill -STOP $PPID"),
    ("killed", "kill -KILL $PPID"),
];

/// The referee ends what the supervisor does not end any more. The arena finds what is left.
#[cfg(target_os = "linux")]
fn the_referee_sweeps_after_its_supervisor((_, blow): (&str, &str)) {
    let arena = Arena::new(Way::Unconfined);
    let daemon =
        "setsid sh -c 'trap \"\" TERM HUP; sleep 600 & sleep 600' >/dev/null 2>&1 </dev/null &";
    let bot = arena.shell(&format!("{daemon}\n {blow}\n reply"));
    let seen = arena.play([&bot, "awful"]);
    assert_eq!(seen.record["players"][1]["warnings"].to_string(), "[]");
}
