//! What a bot does has the same verdict whichever way its pipes are read.

use super::*;
use crate::system::BY_THREADS;

/// What a bot of the shell does when it is asked to attack, and the verdict on it.
const FAULTS: [(&str, &str); 10] = [
    (
        "sleep 60",
        "no reply to attack within 200 ms (0 bytes read; is stdout flushed?)",
    ),
    (
        "printf attack; sleep 60",
        "no reply to attack within 200 ms (partial line \"attack\", no newline)",
    ),
    (
        "echo '# hm'; sleep 60",
        "no reply to attack within 200 ms (1 comment, nothing else)",
    ),
    (
        "while :; do :; done",
        "no reply to attack within 200 ms (0 bytes read; is stdout flushed?)",
    ),
    (
        "head -c 5000 /dev/zero | tr '\\0' x; echo",
        "said a line of more than 4096 bytes, beginning \"xxx",
    ),
    ("yes '#'", "said far more than it was asked for"),
    (
        "exec >&-; sleep 60",
        "closed its output without a reply to attack",
    ),
    (
        "echo oops >&2; exit 3",
        "exited with status 3; last words on stderr: \"oops\"",
    ),
    (
        "kill -SEGV $$",
        "was ended by signal 11 (segmentation fault",
    ),
    (
        "sleep 60 & exit 3",
        "exited with status 3; nothing on stderr",
    ),
];

fn pair(script: &str) -> BotPair {
    let bot = BotProgram {
        file: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        ..BotProgram::default()
    };
    let interrupt = Arc::new(Interrupt::never().unwrap());
    let mut bots = BotPair::alone(&bot, &Launch::unsupervised(), interrupt, None).unwrap();
    bots.set_clocks(BySide::from_fn(|_| Clock::Wall(Duration::from_millis(200))));
    bots
}

fn by_epoll_and_by_threads(test: impl Fn()) {
    for by_threads in [false, true] {
        BY_THREADS.set(by_threads);
        test();
    }
}

#[test]
fn a_fault_is_the_same_on_each_transport() {
    by_epoll_and_by_threads(|| {
        for (deed, verdict) in FAULTS {
            let mut bots = pair(&format!("read -r line; {deed}"));
            let error = bots.ask(Side::One, format_args!("attack")).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with(verdict), "{}: {error}", BY_THREADS.get());
        }
    });
}

#[test]
fn a_bot_that_never_reads_is_found() {
    by_epoll_and_by_threads(|| {
        let mut bots = pair("sleep 60");
        let long = "x".repeat(4000);
        for _ in 0..100 {
            bots.tell(Side::One, format_args!("{long}")).unwrap();
        }
        let asked = bots.put(Side::One, format_args!("attack"));
        let error = asked.and_then(|mut question| bots.answer(&mut question).map(drop));
        assert!(error.unwrap_err().to_string().contains("not read"));
    });
}

#[test]
fn no_byte_moves_a_deadline() {
    by_epoll_and_by_threads(|| {
        let mut bots =
            pair("read -r line; for byte in a b c d e f; do printf $byte; sleep 0.05; done");
        let error = bots.ask(Side::One, format_args!("attack")).unwrap_err();
        assert!(error.to_string().contains("partial line"), "{error}");
    });
}

#[test]
fn a_games_clock_ends_in_the_midst_of_a_game() {
    by_epoll_and_by_threads(|| {
        let mut bots = pair(
            "while read -r line; do echo yes; case $line in slow) read -r x; sleep 60; esac; done",
        );
        let total = Duration::from_millis(300);
        let increment = Duration::from_millis(10);
        bots.set_clocks(BySide::from_fn(|_| Clock::Game { total, increment }));
        assert_eq!(
            bots.ask(Side::One, format_args!("place")).unwrap().line,
            b"yes"
        );
        let left = bots.time_left(Side::One).unwrap();
        assert!(left <= total + increment, "{left:?}");
        bots.ask(Side::One, format_args!("slow")).unwrap();
        let error = bots.ask(Side::One, format_args!("attack")).unwrap_err();
        let is_out = matches!(error, AskError::Fault(Fault::OutOfTime { .. }));
        assert!(is_out, "{error}");
    });
}
