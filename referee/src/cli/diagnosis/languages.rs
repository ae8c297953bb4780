//! The tools that bots in other languages need: where they are, or which package has them.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bothost::find_on_path;
use kits::Tool;

use super::Finding;

/// More than any tool takes to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Looks at all tools at once: some take a second to start.
pub(super) fn look() -> Vec<Finding> {
    thread::scope(|scope| {
        // All are started before the first is waited for.
        let looks: Vec<_> = kits::all_tools()
            .map(|tool| {
                (
                    tool,
                    thread::Builder::new().spawn_scoped(scope, || look_at(tool)),
                )
            })
            .collect();
        let found = |(tool, look): (&Tool, io::Result<thread::ScopedJoinHandle<'_, Finding>>)| {
            let found = look.ok().and_then(|look| look.join().ok());
            found.unwrap_or_else(|| look_at(tool))
        };
        looks.into_iter().map(found).collect()
    })
}

fn look_at(tool: &Tool) -> Finding {
    let Some(path) = find_on_path(tool.name.as_ref()) else {
        return Finding::missing(tool.name, "not on the PATH", how_to_get(tool));
    };
    let mut command = Command::new(&path);
    // A proxy of rustup would download what it stands for.
    command
        .arg(tool.version)
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env("LC_ALL", "C");
    let path = path.display();
    match output_within(command.stdin(Stdio::null()), PATIENCE) {
        Ok((true, said)) => match version_in(&said) {
            Some(version) => Finding::ok(tool.name, format!("{version}, {path}")),
            None => Finding::ok(tool.name, path.to_string()),
        },
        Ok((false, said)) => {
            let why = said
                .lines()
                .next()
                .unwrap_or("it says nothing")
                .trim()
                .to_owned();
            Finding::note(
                tool.name,
                format!("{path} does not work: {why}"),
                how_to_get(tool),
            )
        }
        Err(error) => Finding::note(
            tool.name,
            format!("{path} does not work: {error}"),
            how_to_get(tool),
        ),
    }
}

fn how_to_get(tool: &Tool) -> String {
    if cfg!(target_os = "macos") {
        format!("brew install {}", tool.homebrew)
    } else if cfg!(windows) {
        format!("winget install {}", tool.winget)
    } else {
        let is_address = tool.debian.starts_with("https:");
        if is_address {
            tool.debian.to_owned()
        } else {
            format!("Debian: apt install {}", tool.debian)
        }
    }
}

/// Returns the first word that looks like a version: digits around a dot.
fn version_in(said: &str) -> Option<&str> {
    let words = said.split(|letter: char| letter.is_whitespace() || "\"(),;".contains(letter));
    let mut words =
        words.map(|word| word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()));
    words.find(|word| {
        word.split_once('.').is_some_and(|(major, minor)| {
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            !major.is_empty()
                && is_number(major)
                && minor.starts_with(|digit: char| digit.is_ascii_digit())
        })
    })
}

/// Runs a command to its end. Returns whether it succeeded, and what it printed; only the beginning of much.
///
/// # Errors
/// If it cannot be started, or does not end in `time`, after which it is killed.
pub(super) fn output_within(command: &mut Command, time: Duration) -> io::Result<(bool, String)> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if start.elapsed() < time => thread::sleep(Duration::from_millis(5)),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(io::Error::other(format!(
                    "still running after {} s",
                    time.as_secs()
                )));
            }
        }
    };
    Ok((status.success(), printed(&mut child)))
}

/// Number of bytes that fit into a pipe, so they can be read after the program has ended.
const MOST: u64 = 16 << 10;

fn printed(child: &mut Child) -> String {
    let mut said = Vec::new();
    if let Some(out) = child.stdout.take() {
        let _ = out.take(MOST).read_to_end(&mut said);
    }
    if let Some(error) = child.stderr.take() {
        let _ = error.take(MOST).read_to_end(&mut said);
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs of the tools.
    #[test]
    fn the_version_is_found_in_what_a_tool_says() {
        for (said, version) in [
            ("Python 3.11.2\n", "3.11.2"),
            ("v18.19.0\n", "18.19.0"),
            (
                "openjdk version \"17.0.9\" 2023-10-17\nOpenJDK Runtime",
                "17.0.9",
            ),
            ("javac 17.0.9\n", "17.0.9"),
            ("go version go1.19.8 linux/amd64\n", "1.19.8"),
            (
                "ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]",
                "3.1.2p20",
            ),
            ("cc (Debian 12.2.0-14) 12.2.0\n", "12.2.0-14"),
            ("Apple clang version 15.0.0 (clang-1500.1.0.2.5)", "15.0.0"),
            ("GNU Make 4.3\n", "4.3"),
            ("rustc 1.89.0 (29483883e 2025-08-04)", "1.89.0"),
            (
                "Mono JIT compiler version 6.8.0.105 (Debian 6.8)",
                "6.8.0.105",
            ),
        ] {
            assert_eq!(version_in(said), Some(version), "{said}");
        }
        assert_eq!(version_in("no version. here 12"), None);
    }
}
