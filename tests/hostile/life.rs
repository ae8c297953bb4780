//! Bots that are slow, busy, stuck or loud at the wrong time, and referees that are stopped meanwhile.

use testkit::arena::{Arena, Way};
use testkit::list::Tests;
use testkit::programs::misbehaving;
use testkit::tools::{BASH, PYTHON, SETSID, UNIX};

pub(crate) fn tests(tests: &mut Tests) {
    rows!(
        tests,
        Way::SUPERVISED_OR_NOT,
        a_bot_that_spins_loses_by_time
    );
    rows!(
        tests,
        Way::SUPERVISED_OR_NOT,
        a_bot_that_spins_in_the_opponents_turn_does_not_cost_it_the_game
    );
    tests.needing(&[UNIX], |tests| {
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            a_slow_start_is_not_held_against_a_bot_that_is_quick_afterwards
        );
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            standard_error_is_read_in_the_opponents_turn_too
        );
    });
    #[cfg(unix)]
    {
        tests.needing(&[UNIX, PYTHON], |tests| {
            add!(
                tests,
                a_reply_that_came_while_the_referee_was_stopped_counts
            );
        });
    }
    tests.needing(&[UNIX, PYTHON], |tests| {
        rows!(
            tests,
            Way::SUPERVISED_OR_NOT,
            a_bot_that_is_loud_all_the_time_fills_no_memory
        );
    });
    #[cfg(unix)]
    {
        tests.needing(&[BASH], |tests| {
            rows!(
                tests,
                Way::SUPERVISED_OR_NOT,
                a_referee_started_to_ignore_its_children_sees_them_end
            );
        });
    }
    #[cfg(target_os = "linux")]
    {
        tests.needing(&[SETSID], |tests| {
            rows!(tests, BLOWS, the_referee_sweeps_after_a_supervisor_that_was);
        });
    }
}

/// Large programs load their libraries first.
fn a_slow_start_is_not_held_against_a_bot_that_is_quick_afterwards(way: Way) {
    let arena = Arena::new(way).with(&["--limit", "3s"]);
    let rogue = arena.shell("reply");
    let script = arena.folder().join("rogue.sh");
    let text = std::fs::read_to_string(&script).unwrap();
    std::fs::write(&script, format!("sleep 4\n{text}")).unwrap();
    arena.play([&rogue, "awful"]).is_won_by("rogue");
}

/// The referee waits for the opponent at that time, and has to read the standard error of both.
fn standard_error_is_read_in_the_opponents_turn_too(way: Way) {
    let arena = Arena::new(way);
    let rogue = misbehaving("reply-then-stderr-megabyte");
    let slow = arena.shell("sleep 0.01; reply").replace("rogue=", "slow=");
    arena.play([&rogue, &slow]).is_won_by("rogue");
}

fn a_bot_that_spins_loses_by_time(way: Way) {
    let arena = Arena::new(way).with(&["--limits", "1s:60s"]);
    let seen = arena.play([&misbehaving("spin"), "awful"]);
    assert_eq!(seen.ended_by(), "timeout");
    // Until the supervisor has seen it compute for most of the time.
    let silence = "no reply to attack within 1 s (0 bytes read; is stdout flushed?)";
    let looping = "no reply to attack within 1 s (it computed all the time: a loop without end?)";
    let is_known = [silence, looping]
        .iter()
        .any(|words| seen.reason().ends_with(words));
    assert!(is_known, "{}", seen.reason());
}

/// On the very core on which the opponent has to think.
fn a_bot_that_spins_in_the_opponents_turn_does_not_cost_it_the_game(way: Way) {
    Arena::new(way)
        .play([&misbehaving("spin-in-background"), "awful"])
        .is_won_by("rogue");
    Arena::new(way)
        .play(["awful", &misbehaving("spin-in-background")])
        .is_won_by("rogue");
}

/// It began to reply in time; that the referee could not look is not its fault.
#[cfg(unix)]
fn a_reply_that_came_while_the_referee_was_stopped_counts() {
    use rustix::process::Signal;
    use std::time::{Duration, Instant};

    use testkit::arena::until;

    let arena = Arena::new(Way::Supervised).with(&["--limit", "3s"]);
    let rogue = arena.python(
        "def attacked():
    if shots == 0:
        open('asked', 'w').close()
        while not os.path.exists('go'):
            time.sleep(0.001)
        reply()
        open('said', 'w').close()
    else:
        reply()",
    );
    let game = arena.start([&rogue, "awful"]);
    arena.wait_for_file("asked");
    let asked = Instant::now();
    game.signal(Signal::STOP);
    std::fs::write(arena.folder().join("go"), "").unwrap();
    arena.wait_for_file("said");
    until("the deadline has passed", || {
        asked.elapsed() > Duration::from_millis(3500)
    });
    game.signal(Signal::CONT);
    game.end().is_won_by("rogue");
}

/// A megabyte on standard error at every turn, and a flood of comments below the limit at each.
fn a_bot_that_is_loud_all_the_time_fills_no_memory(way: Way) {
    let arena = Arena::new(way);
    let rogue = arena.python(
        "def attacked():
    os.write(2, b'e' * 500000)
    os.write(1, b'# hm\\n' * 5000)
    reply()",
    );
    arena.play([&rogue, "awful"]).is_won_by("rogue");
}

/// As under programs that ignore the end of their children.
#[cfg(unix)]
fn a_referee_started_to_ignore_its_children_sees_them_end(way: Way) {
    let arena = Arena::new(way).wrapped(&["bash", "-c", "trap '' CHLD PIPE; exec \"$0\" \"$@\""]);
    let sentence = "exited with status 7; nothing on stderr";
    arena
        .play([&misbehaving("exit 7"), "awful"])
        .is_forfeit("exited", sentence);
    let arena = Arena::new(way).wrapped(&["bash", "-c", "trap '' CHLD; exec \"$0\" \"$@\""]);
    arena
        .play([&misbehaving("--at quit hang"), "awful"])
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
fn the_referee_sweeps_after_a_supervisor_that_was((_, blow): (&str, &str)) {
    let arena = Arena::new(Way::Unconfined);
    let daemon =
        "setsid sh -c 'trap \"\" TERM HUP; sleep 600 & sleep 600' >/dev/null 2>&1 </dev/null &";
    let rogue = arena.shell(&format!("{daemon}\n {blow}\n reply"));
    let seen = arena.play([&rogue, "awful"]);
    assert_eq!(seen.record["players"][1]["warnings"].to_string(), "[]");
}
