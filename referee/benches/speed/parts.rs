//! The parts of the bench.

use std::ffi::OsString;
use std::io::{self, Write};

use bothost::pin;

use super::bots::EXCHANGES;
use super::runs::{Busy, Took, bind, median, most_memory, own_player, referee, run};

/// The measurements of each kind; the median counts.
const REPEATS: usize = 5;

/// The games of one measurement, in series of the usual length, and the replies of a game: the
/// first mover's hundredth attack ends it, since both attack the same cells in the same order.
const GAMES: u32 = 600;
const REPLIES: f64 = 200.0;

/// The options that every contest here has.
const ALONE: [&str; 5] = ["--jobs", "1", "--quiet", "--seed", "7"];

/// Prints what a reply of a whole match costs, start-up and all, beside the exchange of lines
/// alone.
pub(crate) fn reply(out: &mut dyn Write) -> io::Result<()> {
    let record = tempfile::tempdir()?;
    let record = record.path().join("match.jsonl");
    let file = record.to_str().expect("a path of ASCII");
    let smallest = own_player("bot")?;
    let judge = own_player("judge")?;
    let kinds: [(&str, &str, &[&str]); 5] = [
        ("the smallest bots", &smallest, &[]),
        (
            "the smallest bots, a judge",
            &smallest,
            &["--judge", &judge],
        ),
        ("the smallest bots, --out", &smallest, &["--out", file]),
        ("awful", "awful", &[]),
        ("awful, --out", "awful", &["--out", file]),
    ];
    let mut rows = vec![Row::new("lines alone, two programs")];
    rows.extend(kinds.iter().map(|(name, ..)| Row::new(name)));
    for _ in 0..REPEATS {
        let raw = PerReply::of(raw()?, f64::from(EXCHANGES));
        rows[0].add(raw, raw);
        for (row, (_, player, options)) in rows[1..].iter_mut().zip(kinds) {
            // A record that is there is not overwritten.
            let _ = std::fs::remove_file(&record);
            row.add(
                PerReply::of(contest(player, GAMES, options)?, f64::from(GAMES) * REPLIES),
                raw,
            );
        }
    }
    writeln!(
        out,
        "us a reply in a match of {GAMES} games, median of {REPEATS}"
    )?;
    print(out, &rows)
}

/// Prints what a reply costs while every core runs a busy loop.
pub(crate) fn busy(out: &mut dyn Write) -> io::Result<()> {
    const FEW: u32 = 60;
    let cores = pin::cores();
    let smallest = own_player("bot")?;
    let measure = || -> io::Result<[PerReply; 2]> {
        bind();
        let raw = PerReply::of(raw()?, f64::from(EXCHANGES));
        Ok([
            raw,
            PerReply::of(contest(&smallest, FEW, &[])?, f64::from(FEW) * REPLIES),
        ])
    };
    let names = [
        "lines alone",
        "lines alone, busy",
        "a match",
        "a match, busy",
    ];
    let mut rows = names.map(Row::new);
    for _ in 0..REPEATS {
        let quiet = measure()?;
        let busy = {
            let _busy = Busy::start(&cores)?;
            measure()?
        };
        for of in [0, 1] {
            rows[2 * of].add(quiet[of], quiet[of]);
            rows[2 * of + 1].add(busy[of], quiet[of]);
        }
    }
    writeln!(
        out,
        "us a reply with a busy loop on each core, and the ratio to quiet ones"
    )?;
    print(out, &rows)
}

/// Prints what starts cost.
pub(crate) fn start(out: &mut dyn Write) -> io::Result<()> {
    const SERIES: u32 = 40;
    let smallest = own_player("bot")?;
    writeln!(
        out,
        "ms of processor time                      a match of 2 games   a series more"
    )?;
    for (name, player) in [("the smallest bots", &*smallest), ("awful", "awful")] {
        let (mut short, mut more) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            // The clock has hundredths of a second.
            let mut whole = 0.0;
            for _ in 0..10 {
                whole += milliseconds(contest(player, 2, &[])?);
            }
            short.push(whole / 10.0);
            let games = 2 * SERIES + 2;
            let cut = milliseconds(contest(player, games, &["--series", "2"])?);
            let one = milliseconds(contest(player, games, &["--series", &games.to_string()])?);
            more.push((cut - one) / f64::from(SERIES));
        }
        writeln!(
            out,
            "  {name:40}{:18.1}{:16.2}",
            median(short),
            median(more)
        )?;
    }
    Ok(())
}

/// Prints how fast records are written and read, and the memory that reading takes.
pub(crate) fn records(out: &mut dyn Write) -> io::Result<()> {
    const MANY: u32 = 20_000;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("small.jsonl");
    let file = file.to_str().expect("a path of ASCII");
    let small = [
        "--rows",
        "1",
        "--cols",
        "1",
        "--ship",
        "1 D dinghy",
        "--series",
        "200",
        "--out",
        file,
    ];
    let played = contest("awful", MANY, &small)?;
    let ranked = run(&referee(), &["rank", file])?;
    let memory = most_memory(&referee(), &["rank", file])?;
    let a_second = |took: Took| f64::from(MANY) / took.cpu.as_secs_f64();
    writeln!(out, "games a second of processor time, of one attack each")?;
    writeln!(out, "  played and recorded {:10.0}", a_second(played))?;
    writeln!(
        out,
        "  read by rank        {:10.0}, in {memory} MiB of memory",
        a_second(ranked)
    )
}

fn raw() -> io::Result<Took> {
    bind();
    run(&std::env::current_exe()?.into(), &["ask"])
}

/// Plays a contest of `player` against itself.
fn contest(player: &str, games: u32, options: &[&str]) -> io::Result<Took> {
    bind();
    let games = games.to_string();
    let words = [
        &["match", player, player, "--games", &games],
        &ALONE[..],
        options,
    ]
    .concat();
    let referee: OsString = referee();
    run(&referee, &words)
}

fn milliseconds(took: Took) -> f64 {
    took.cpu.as_secs_f64() * 1e3
}

/// Microseconds of one reply.
#[derive(Clone, Copy)]
struct PerReply {
    wall: f64,
    cpu: f64,
}

impl PerReply {
    fn of(took: Took, replies: f64) -> PerReply {
        let each = |time: std::time::Duration| time.as_secs_f64() * 1e6 / replies;
        PerReply {
            wall: each(took.wall),
            cpu: each(took.cpu),
        }
    }
}

/// The measurements of one kind.
struct Row<'n> {
    name: &'n str,
    own: Vec<PerReply>,
    /// The ratio of each to its reference.
    ratios: Vec<PerReply>,
}

impl<'n> Row<'n> {
    fn new(name: &'n str) -> Row<'n> {
        Row {
            name,
            own: Vec::new(),
            ratios: Vec::new(),
        }
    }

    fn add(&mut self, own: PerReply, compared: PerReply) {
        self.own.push(own);
        self.ratios.push(PerReply {
            wall: own.wall / compared.wall,
            cpu: own.cpu / compared.cpu,
        });
    }
}

fn print(out: &mut dyn Write, rows: &[Row<'_>]) -> io::Result<()> {
    writeln!(
        out,
        "                                wall     cpu   ratio of wall   of cpu"
    )?;
    for Row { name, own, ratios } in rows {
        let of =
            |list: &[PerReply], part: fn(&PerReply) -> f64| median(list.iter().map(part).collect());
        let (wall, cpu) = (of(own, |one| one.wall), of(own, |one| one.cpu));
        let (slower, dearer) = (of(ratios, |one| one.wall), of(ratios, |one| one.cpu));
        writeln!(
            out,
            "  {name:26}{wall:8.2}{cpu:8.2}{slower:16.2}{dearer:9.2}"
        )?;
    }
    Ok(())
}
