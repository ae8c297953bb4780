//! Modules that mean no good, and modules whose bytes were changed: each ends in a typed way, and
//! the same each time.

use std::io::Cursor;

use battleship::seeded::SeededRng;

use std::thread;

use super::*;

/// Units of fuel: an endless loop is found at once.
const FUEL: u64 = 2_000_000;

const DIALOGUE: &str = "battleship 1\ngame classic 10 10\nseed 7\nplace\nattack\nquit\n";

/// A bot that answers all that `DIALOGUE` asks, by the first letter of each line.
const BOT: &str = r#"
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
    (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 0) "\40\00\00\00\00\10\00\00")
    (data (i32.const 32) "ready\nplace none\nattack 0 0\n")
    (func $say (param $at i32) (param $length i32)
        (i32.store (i32.const 8) (local.get $at))
        (i32.store (i32.const 12) (local.get $length))
        (drop (call $write (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 16))))
    (func $line (result i32)
        (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))
        (if (result i32) (i32.load (i32.const 16)) (then (i32.load8_u (i32.const 64))) (else (i32.const 0))))
    (func $answer (param $word i32)
        (if (i32.eq (local.get $word) (i32.const 98)) (then (call $say (i32.const 32) (i32.const 6))))
        (if (i32.eq (local.get $word) (i32.const 112)) (then (call $say (i32.const 38) (i32.const 11))))
        (if (i32.eq (local.get $word) (i32.const 97)) (then (call $say (i32.const 49) (i32.const 11)))))
"#;

/// A bot that plays on with `BOT`, and has `more`.
fn playing(more: &str) -> String {
    format!(
        r#"(module {BOT} {more} (func (export "_start") (local $word i32)
            (loop $next (local.set $word (call $line)) (call $answer (local.get $word))
                (br_if $next (local.get $word)))))"#
    )
}

/// A bot that does `what` in the place of its game.
fn doing(what: &str) -> String {
    format!(r#"(module {BOT} (func (export "_start") (local $i i32) {what}))"#)
}

/// A module that has nothing but this: `START` is a program that ends at once, `LOCALS` are more
/// variables than a function may have.
fn whole(text: &str) -> String {
    let start = "(func (export \"_start\"))";
    let locals = "i64 ".repeat(9000);
    format!(
        "(module {})",
        text.replace("START", start).replace("LOCALS", &locals)
    )
}

type Memory = Streams<Cursor<Vec<u8>>, Vec<u8>, Vec<u8>>;

fn run_raw(bytes: &[u8], input: &str) -> (End, Memory) {
    let limits = Limits {
        fuel: FUEL,
        memory: 4 << 20,
        processor: Duration::MAX,
        wall: Duration::MAX,
    };
    let input = Cursor::new(input.to_owned().into_bytes());
    let streams = Streams {
        input,
        output: Vec::new(),
        errors: Vec::new(),
    };
    let dialogue = dialogue::Dialogue::new(streams);
    let (bytes, arguments) = (bytes.to_vec(), vec![b"bot.wasm".to_vec()]);
    let (end, mut dialogue) = on_thread(move || module::run(&bytes, arguments, limits, dialogue));
    dialogue.linger();
    (end, dialogue.streams)
}

fn run_bytes(bytes: &[u8], input: &str) -> (End, String, String) {
    let (end, Streams { output, errors, .. }) = run_raw(bytes, input);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (end, text(output), text(errors))
}

/// Returns what `run` does on a thread with the stack of the interpreter.
fn on_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(module::STACK).spawn(run);
    thread.unwrap().join().unwrap()
}

fn end_of(text: &str) -> End {
    let bytes = wat::parse_str(text).unwrap();
    let (end, output, _) = run_bytes(&bytes, DIALOGUE);
    assert_eq!(
        (end.clone(), output),
        {
            let again = run_bytes(&bytes, DIALOGUE);
            (again.0, again.1)
        },
        "{text}"
    );
    end
}

/// Returns the kind of an ending, and its words.
fn named(end: End) -> (&'static str, String) {
    match end {
        End::Exited(code) => ("exited", code.to_string()),
        End::Unheard => ("unheard", String::new()),
        End::Failed(HostVerdict::Silent) => ("silent", String::new()),
        End::Failed(HostVerdict::OutOfFuel) => ("fuel", String::new()),
        End::Failed(HostVerdict::OutOfTime(time)) => ("time", time.as_secs().to_string()),
        End::Failed(HostVerdict::Trapped(what)) => ("trapped", what),
        End::Failed(HostVerdict::UsedTooMuch(what)) => ("memory", what),
        End::Failed(HostVerdict::NotStarted(why)) => ("start", why),
        End::Failed(HostVerdict::OfMachine(why)) => ("machine", why),
    }
}

#[test]
fn a_bot_plays_and_leaves() {
    let bytes = wat::parse_str(playing("")).unwrap();
    let (end, output, errors) = run_bytes(&bytes, DIALOGUE);
    assert_eq!(end, End::Exited(0));
    assert_eq!(
        (&*output, &*errors),
        ("ready\nplace none\nattack 0 0\n", "")
    );
}

/// Where a text of a module is put, the text, how the module ends, and what is said of it.
type Hostile = (fn(&str) -> String, &'static str, &'static str, &'static str);

const HOSTILE: [Hostile; 56] = [
    // Functions that are not given.
    (
        whole,
        "(import \"env\" \"system\" (func)) START",
        "start",
        "it imports \"system\" of \"env\"; a bot gets",
    ),
    (
        whole,
        "(import \"wasi_snapshot_preview1\" \"thread_spawn\" (func)) START",
        "start",
        "\"thread_spawn\"",
    ),
    (
        whole,
        "(import \"wasi_unstable\" \"fd_read\" (func)) START",
        "start",
        "\"wasi_unstable\"",
    ),
    (
        whole,
        "(import \"wasi_snapshot_preview1\" \"fd_read\" (func)) START",
        "start",
        "type mismatch",
    ),
    (
        whole,
        "(import \"wasi_snapshot_preview1\" \"path_open\" (func)) START",
        "start",
        "\"path_open\"",
    ),
    (
        whole,
        "(import \"env\" \"memory\" (memory 1)) START",
        "start",
        "\"memory\"",
    ),
    (
        whole,
        "(import \"env\" \"table\" (table 1 funcref)) START",
        "start",
        "\"table\"",
    ),
    (
        whole,
        "(import \"env\" \"global\" (global i32)) START",
        "start",
        "\"global\"",
    ),
    // No program.
    (whole, "", "start", "exports no function _start"),
    (whole, "(memory (export \"_start\") 1)", "start", ""),
    (whole, "(func (export \"_start\") (param i32))", "start", ""),
    (
        whole,
        "(import \"wasi_snapshot_preview1\" \"sched_yield\" (func $y (result i32))) (func (export \"_start\") (drop (call $y)))",
        "start",
        "exports no memory",
    ),
    // Memory and tables.
    (
        whole,
        "(memory 65536) START",
        "memory",
        "asked for 4096 MiB of memory, and may have 4",
    ),
    (whole, "(memory 60 65536) START", "exited", "0"),
    (whole, "(memory 1) (memory 1) START", "start", ""),
    (whole, "(table 4294967295 funcref) START", "start", ""),
    (
        whole,
        "(table 600000 funcref) (table 600000 funcref) START",
        "start",
        "",
    ),
    (
        doing,
        "(loop $l (br_if $l (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) unreachable",
        "memory",
        "asked for ",
    ),
    (
        doing,
        "(drop (memory.grow (i32.const 65535))) (i32.store (i32.const 400000000) (i32.const 1))",
        "memory",
        "asked for 4096 MiB",
    ),
    (
        doing,
        "(if (i32.ne (memory.grow (i32.const 65535)) (i32.const -1)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        whole,
        "(table $t 1 funcref) (func (export \"_start\") (if (i32.ne (table.grow $t (ref.null func) (i32.const 2000000)) (i32.const -1)) (then unreachable)))",
        "exited",
        "0",
    ),
    (
        whole,
        "(memory 1) (data (i32.const 65530) \"far too long\") (func (export \"_start\"))",
        "trapped",
        "memory",
    ),
    // A loop that continues after it is refused, and calls that take long.
    (
        doing,
        "(loop $l (drop (memory.grow (i32.const 60000))) (br $l))",
        "memory",
        "asked for ",
    ),
    (
        whole,
        "(table $t 1 funcref) (func (export \"_start\") (loop $l (drop (table.grow $t (ref.null func) (i32.const 2000000))) (br $l)))",
        "trapped",
        "asked for more memory or elements too often",
    ),
    (
        whole,
        "(table $t 1 funcref) (func (export \"_start\") (loop $l (drop (table.grow $t (ref.null func) (i32.const 1))) (br $l)))",
        "trapped",
        "asked for more memory or elements too often",
    ),
    (
        whole,
        "(func $f (local LOCALS)) START",
        "start",
        "a function of it has more than 8160 local variables",
    ),
    // Traps.
    (doing, "unreachable", "trapped", "gave up (unreachable) ("),
    (
        doing,
        "(drop (i32.div_s (i32.const 1) (local.get $i)))",
        "trapped",
        "divided by zero",
    ),
    (
        doing,
        "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))",
        "trapped",
        "overflow",
    ),
    (
        doing,
        "(drop (i32.load (i32.const 65536)))",
        "trapped",
        "memory that it has not",
    ),
    (
        doing,
        "(drop (i32.trunc_f64_s (f64.const nan)))",
        "trapped",
        "an integer of a number",
    ),
    (
        whole,
        "(func $f (export \"_start\") (call $f))",
        "trapped",
        "nested its calls too deep",
    ),
    (
        whole,
        "(func $f (param i64 i64 i64) (call $f (local.get 0) (local.get 1) (local.get 2)) (call $f (local.get 0) (local.get 1) (local.get 2))) (func (export \"_start\") (call $f (i64.const 1) (i64.const 2) (i64.const 3)))",
        "trapped",
        "nested its calls too deep",
    ),
    (
        whole,
        "(table 1 funcref) (func (export \"_start\") (call_indirect (i32.const 0)))",
        "trapped",
        "not there",
    ),
    (
        whole,
        "(table 1 funcref) (elem (i32.const 0) $f) (func $f (param i32)) (func (export \"_start\") (call_indirect (i32.const 0)))",
        "trapped",
        "another type",
    ),
    (
        whole,
        "(table 1 funcref) (func (export \"_start\") (call_indirect (i32.const 9)))",
        "trapped",
        "table",
    ),
    // Time.
    (doing, "(loop $l (br $l))", "fuel", ""),
    (
        playing,
        "(func $s (loop $l (br $l))) (start $s)",
        "fuel",
        "",
    ),
    (
        playing,
        "(func $s unreachable) (start $s)",
        "trapped",
        "gave up",
    ),
    (
        whole,
        "(func $f (export \"_start\") (return_call $f))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (call $say (i32.const 32) (i32.const 6)) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 16))) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (call $say (i32.const 100) (i32.const 60000)) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (drop (call $time (i32.const 0) (i64.const 1) (i32.const 200))) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (drop (call $random (i32.const 200) (i32.const 60000))) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (drop (call $poll (i32.const 200) (i32.const 400) (i32.const 1) (i32.const 16))) (br $l))",
        "fuel",
        "",
    ),
    (
        doing,
        "(i64.store (i32.const 224) (i64.const -1)) (drop (call $poll (i32.const 200) (i32.const 400) (i32.const 1) (i32.const 16)))",
        "fuel",
        "",
    ),
    (
        doing,
        "(loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) (br $l))",
        "fuel",
        "",
    ),
    // The dialogue, and addresses that are none.
    (doing, "(loop $l (drop (call $line)) (br $l))", "silent", ""),
    (doing, "(call $exit (i32.const 3))", "exited", "3"),
    (
        doing,
        "(if (i32.ne (call $read (i32.const 0) (i32.const -8) (i32.const 1) (i32.const 16)) (i32.const 21)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        doing,
        "(if (i32.ne (call $write (i32.const 1) (i32.const -1) (i32.const 2) (i32.const 16)) (i32.const 21)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        doing,
        "(if (i32.ne (call $write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 16)) (i32.const 28)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        doing,
        "(if (i32.ne (call $write (i32.const 7) (i32.const 0) (i32.const 1) (i32.const 16)) (i32.const 8)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        doing,
        "(if (i32.ne (call $poll (i32.const -40) (i32.const 0) (i32.const 900) (i32.const 16)) (i32.const 21)) (then unreachable))",
        "exited",
        "0",
    ),
    (
        doing,
        "(if (i32.ne (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 0)) (i32.const 76)) (then unreachable))",
        "exited",
        "0",
    ),
];

#[test]
fn hostile_modules_lose_by_typed_reasons() {
    for (place, text, kind, what) in HOSTILE {
        let text = place(text);
        let (kind_found, words) = named(end_of(&text));
        assert_eq!(kind_found, kind, "{text}: {words}");
        assert!(words.contains(what) && words.len() < 400, "{text}: {words}");
    }
}

#[test]
fn bytes_that_are_no_module_are_named() {
    for (bytes, what) in [
        (&b""[..], "not a WebAssembly module"),
        (b"\x7fELF\x02\x01\x01\0", "not a WebAssembly module"),
        (b"\0asm", "version 1"),
        (b"\0asm\x02\0\0\0", "version 1"),
        (b"\0asm\x0d\0\x01\0", "component"),
        (b"\0asm\x01\0\0\0\xff\xff\xff\xff", "cannot be run"),
        (b"\0asm\x01\0\0\0", "_start"),
    ] {
        // Some of these are shown as a hexadecimal dump by no one: a sentence says it.
        let (kind, why) = named(run_bytes(bytes, DIALOGUE).0);
        assert!(
            kind == "start" && (why.contains(what) || why.contains("run")),
            "{bytes:?}: {why}"
        );
    }
}

#[test]
fn a_verdict_cannot_be_forged() {
    let forge = r"(i32.store (i32.const 8) (i32.const 300)) (i32.store (i32.const 12) (i32.const 16))
        (i64.store (i32.const 300) (i64.const 0x74726174731e0a))
        (drop (call $write (i32.const 2) (i32.const 8) (i32.const 1) (i32.const 16)))";
    let (_, _, errors) = run_bytes(&wat::parse_str(doing(forge)).unwrap(), DIALOGUE);
    assert!(errors.starts_with("\n?start"), "{errors:?}");
}

#[test]
fn the_clock_is_the_fuel_and_random_bytes_are_those_of_the_seed() {
    let tell = r#"(module IMPORTS (func (export "_start") (local $word i32)
        (loop $next (local.set $word (call $line))
            (if (i32.eq (local.get $word) (i32.const 115)) (then
                (drop (call $time (i32.const 1) (i64.const 1) (i32.const 512)))
                (drop (call $random (i32.const 520) (i32.const 8)))
                (call $say (i32.const 512) (i32.const 16))))
            (call $answer (local.get $word)) (br_if $next (local.get $word)))))"#;
    let bytes = wat::parse_str(tell.replace("IMPORTS", BOT)).unwrap();
    let told =
        |seed: u32| run_bytes(&bytes, &format!("battleship 1\nseed {seed}\nplace\nquit\n")).1;
    assert_eq!(told(7), told(7));
    assert_ne!(told(7), told(8));
}

/// Runs `count` modules whose bytes were changed. Returns how they ended.
fn mutated(count: u32) -> std::collections::BTreeMap<&'static str, u32> {
    let module = wat::parse_str(playing("(table 2 funcref) (elem (i32.const 0) $answer)")).unwrap();
    let mut ends = std::collections::BTreeMap::new();
    let mut dice = SeededRng::new(36);
    for _ in 0..count {
        let mut bytes = module.clone();
        for _ in 0..=dice.below(4) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[at] ^= 1 << dice.below(8),
                1 => bytes[at] = dice.next_u64().to_le_bytes()[0],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, dice.next_u64().to_le_bytes()[0]),
            }
        }
        let (kind, what) = named(run_bytes(&bytes, DIALOGUE).0);
        assert!(!what.contains("interpreter failed"), "{bytes:?}");
        *ends.entry(kind).or_default() += 1;
    }
    ends
}

#[test]
fn changed_modules_end_in_typed_ways() {
    let ends = mutated(2_000);
    assert!(ends.len() > 2, "{ends:?}");
}

#[test]
#[ignore = "thorough"]
fn a_hundred_thousand_changed_modules_end_in_typed_ways() {
    println!("{:?}", mutated(100_000));
}

/// What a module does, and the units of fuel that it takes at least: about its nanoseconds on a
/// slow machine.
const COSTS: [(&str, u64); 14] = [
    ("(drop (call $write (i32.const 1) (i32.const 4096) (i32.const 1024) (i32.const 16)))", 20_000),
    ("(i64.store (i32.const 4100) (i64.const 1)) (drop (call $write (i32.const 2) (i32.const 4096) (i32.const 1) (i32.const 16)))", 1_000),
    (
        "(i64.store (i32.const 4096) (i64.const 0x100000000)) (i64.store (i32.const 4104) (i64.const 0x100000000))
         (drop (call $write (i32.const 2) (i32.const 4096) (i32.const 2) (i32.const 16)))",
        2_000,
    ),
    ("(drop (call $read (i32.const 0) (i32.const 4096) (i32.const 1024) (i32.const 16)))", 20_000),
    ("(drop (call $poll (i32.const 4096) (i32.const 8000) (i32.const 1000) (i32.const 16)))", 20_000),
    ("(drop (call $random (i32.const 4096) (i32.const 60000)))", 60_000),
    ("(drop (call $arguments (i32.const 4096) (i32.const 5000)))", 1_000),
    (
        "(drop (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 0)))",
        1_000,
    ),
    ("(memory.fill (i32.const 4096) (i32.const 0) (i32.const 60000))", 7_500),
    ("(memory.copy (i32.const 4096) (i32.const 4097) (i32.const 60000))", 7_500),
    ("(memory.init $bytes (i32.const 4096) (i32.const 0) (i32.const 1000))", 125),
    ("(drop (memory.grow (i32.const 2)))", 16_000),
    ("(drop (table.grow $table (ref.null func) (i32.const 1000)))", 500),
    // The fuel of what is in no loop is taken before it begins.
    ("(loop (call $locals))", 150),
];

#[test]
fn work_of_the_host_costs_its_time() {
    for (what, least) in COSTS {
        let text = format!(
            r#"(module (import "wasi_snapshot_preview1" "args_get" (func $arguments (param i32 i32) (result i32))) {BOT}
                (table $table 1 funcref) (data $bytes "{}") (func $locals (local {}))
                (func (export "_start") (drop (call $time (i32.const 1) (i64.const 1) (i32.const 512))) {what}
                    (drop (call $time (i32.const 1) (i64.const 1) (i32.const 520))) (call $say (i32.const 512) (i32.const 16))))"#,
            "x".repeat(1000),
            "i64 ".repeat(5000)
        );
        let bytes = wat::parse_str(&text).unwrap();
        let (end, streams) = run_raw(&bytes, DIALOGUE);
        let clock = |at: usize| {
            let bytes = streams.output.get(at..at + 8).map(TryInto::try_into);
            u64::from_le_bytes(bytes.unwrap_or_else(|| panic!("{end:?} {what}")).unwrap())
        };
        // The second call of the clock costs 1000 too.
        let cost = clock(8) - clock(0) - 1000;
        assert!((least..2 * least + 1500).contains(&cost), "{cost} {what}");
    }
}

/// Returns the end of a loop without end, with more fuel than it uses within these limits.
fn end_of_a_long_loop(name: &str, processor: Duration, wall: Duration) -> (&'static str, String) {
    let file = std::env::temp_dir().join(format!("{name}-{}.wasm", std::process::id()));
    std::fs::write(&file, wat::parse_str(doing("(loop $l (br $l))")).unwrap()).unwrap();
    let streams = Streams {
        input: Cursor::new(DIALOGUE),
        output: std::io::sink(),
        errors: std::io::sink(),
    };
    let limits = Limits {
        fuel: 4_000_000_000_000,
        memory: 4 << 20,
        processor,
        wall,
    };
    let end = run(&file, Vec::new(), limits, streams);
    std::fs::remove_file(file).unwrap();
    named(end)
}

#[test]
fn a_module_that_gets_no_processor_is_not_to_blame() {
    let (kind, why) = end_of_a_long_loop("slow", Duration::MAX, Duration::ZERO);
    assert_eq!(kind, "machine", "{why}");
    assert!(
        why.contains("did not use up its fuel of 4000000 million"),
        "{why}"
    );
}

/// A module that could make the machine look slow would make each game void that it is about to
/// lose.
#[cfg(any(unix, windows))]
#[test]
fn a_module_that_has_the_processor_loses_by_time() {
    let limit = Duration::from_millis(50);
    let (kind, why) = end_of_a_long_loop("hungry", limit, Duration::MAX);
    assert_eq!((kind, &*why), ("time", "0"));
}

#[test]
fn long_constant_expressions_are_refused() {
    let sum = |terms: usize| {
        let terms = "(i32.const 0) i32.add ".repeat(terms);
        [
            format!("(global i32 (i32.const 0) {terms})"),
            format!("(memory 1) (data (offset (i32.const 0) {terms}) \"\")"),
            format!("(table 1 funcref) (elem (offset (i32.const 0) {terms}) func)"),
        ]
    };
    for text in sum(100) {
        assert_eq!(named(end_of(&whole(&format!("{text} START")))).0, "exited");
    }
    for text in sum(10_000) {
        let (kind, why) = named(end_of(&whole(&format!("{text} START"))));
        assert_eq!(kind, "start");
        assert!(
            why.contains("a constant expression of it has more than 1024 bytes"),
            "{why}"
        );
    }
}
