//! The programs that are measured beside the referee's own. Each is this bench, started with a
//! word.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};

/// Exchanges of lines in one measurement of the pipes.
pub(crate) const EXCHANGES: u32 = 200_000;

/// Asks two programs in turn, as much as a referee says and reads in a turn, and nothing else: the
/// pace of the pipes.
pub(crate) fn ask() -> io::Result<()> {
    let own = std::env::current_exe()?;
    let start = || {
        Command::new(&own)
            .arg("bot")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
    };
    let mut programs = [start()?, start()?];
    let mut buffer = [0; 4096];
    for turn in 0..EXCHANGES {
        let program = &mut programs[(turn % 2) as usize];
        let (input, output) = (program.stdin.as_mut(), program.stdout.as_mut());
        input
            .expect("piped")
            .write_all(b"opponent 9 9\nresult 9 9 wasted\nattack\n")?;
        let _ = output.expect("piped").read(&mut buffer)?;
    }
    for mut program in programs {
        drop(program.stdin.take());
        program.wait()?;
    }
    Ok(())
}

/// The least that plays whole games: as `awful` it attacks each cell once, from the last to the
/// first. Every reply is one read and one write.
pub(crate) fn smallest() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = [0; 4096];
    let mut cell = 100;
    loop {
        let told = match input.read(&mut buffer)? {
            0 => return Ok(()),
            count => &buffer[..count],
        };
        if told.ends_with(b"attack\n") {
            cell = if cell == 0 { 99 } else { cell - 1 };
            writeln!(output, "attack {} {}", cell / 10, cell % 10)?;
        } else if told.ends_with(b"place\n") {
            cell = 100;
            output.write_all(b"place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h\n")?;
        } else if told.starts_with(b"battleship") {
            output.write_all(b"ready\n")?;
        } else {
            return Ok(());
        }
    }
}

/// A judge that asks for as much as a game of the smallest bots has, and looks at nothing.
pub(crate) fn judge() -> io::Result<()> {
    let mut output = io::stdout().lock();
    let mut replies = 0;
    for line in io::stdin().lines() {
        let line = line?;
        if line.starts_with("judge") {
            output.write_all(b"game classic 10 10\n")?;
        } else if line.starts_with("begin") {
            replies = 0;
            output.write_all(b"ask 1 place\n")?;
        } else if let Some(reply) = line.strip_prefix("reply ") {
            replies += 1;
            let (own, other) = if reply.starts_with('1') {
                (1, 2)
            } else {
                (2, 1)
            };
            match replies {
                1 => output.write_all(b"ask 2 place\n")?,
                2 => output.write_all(b"ask 1 attack\n")?,
                201 => output.write_all(b"over 1 the last attack\n")?,
                _ => {
                    let told = format!(
                        "tell {own} result 9 9 wasted\ntell {other} opponent 9 9\nask {other} attack\n"
                    );
                    output.write_all(told.as_bytes())?;
                }
            }
        } else {
            return Ok(());
        }
        output.flush()?;
    }
    Ok(())
}

/// Keeps its core busy until it is ended.
pub(crate) fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}
