//! The secrets that bots must not see: the seed on the command line, and the files that the referee
//! writes.

use std::path::{Path, PathBuf};

use arena::record::separate;
use bothost::{BotProgram, Launch};

/// Returns the files of a command, as absolute paths: `files`, which it reads and writes, and what
/// its standard streams lead to. A record has the seed of the contest, a transcript what the
/// opponent says.
pub(super) fn own_files<'p>(files: impl Iterator<Item = &'p Path>) -> Vec<PathBuf> {
    let streams = (0..=2).filter_map(|number| {
        let leads_to = std::fs::read_link(format!("/proc/self/fd/{number}")).ok()?;
        leads_to.is_file().then_some(leads_to)
    });
    // Those that cannot be named absolutely cannot be opened either.
    let files = files.filter_map(|path| std::path::absolute(path).ok());
    files.chain(streams).collect()
}

/// Hides `files`, and the files of each other, from the bots of `launch`, if they run in a sandbox.
pub(super) fn hide<'p>(
    launch: &mut Launch,
    bots: impl IntoIterator<Item = &'p mut BotProgram>,
    files: &[PathBuf],
) {
    if let Some(sandbox) = &mut launch.sandbox {
        sandbox.hide.extend_from_slice(files);
        separate(&mut bots.into_iter().collect::<Vec<_>>(), files);
    }
}

/// Overwrites the values of `--seed` in the command line of this process, which all processes of
/// the machine may read. Where that is not possible, they stay.
pub(super) fn mask_seeds() {
    #[cfg(target_os = "linux")]
    let _ = linux::mask_seeds();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io;
    use std::ops::Range;
    use std::os::unix::fs::FileExt;

    /// The option whose values bots are not to see.
    const SECRET: &[u8] = b"--seed";

    /// The place of `arg_start` in `/proc/PID/stat`, counted from the field behind the name, which
    /// is the third: see `proc_pid_stat(5)`.
    const ARG_START: usize = 48 - 3;

    pub(super) fn mask_seeds() -> io::Result<()> {
        let typed = std::fs::read("/proc/self/cmdline")?;
        let secrets = secrets(&typed);
        if secrets.is_empty() {
            return Ok(());
        }
        let stat = std::fs::read("/proc/self/stat")?;
        // The name of the program's file need not be UTF-8, and may have spaces and parentheses; it
        // ends at the last one.
        let stat = String::from_utf8_lossy(&stat);
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let start = fields
            .split_whitespace()
            .nth(ARG_START)
            .and_then(|word| word.parse::<u64>().ok());
        let start = start.ok_or(io::ErrorKind::InvalidData)?;
        // Through the file and not through a pointer: the kernel checks the place.
        let memory = File::options().write(true).open("/proc/self/mem")?;
        for range in secrets {
            memory.write_all_at(&vec![b'*'; range.len()], start + range.start as u64)?;
        }
        Ok(())
    }

    /// Returns the places of the values in `typed`, the arguments with a zero after each.
    fn secrets(typed: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        let mut is_value = false;
        for word in typed.split(|byte| *byte == 0) {
            let end = start + word.len();
            if is_value {
                found.push(start..end);
            }
            is_value = word == SECRET;
            if word.starts_with(SECRET) && word.get(SECRET.len()) == Some(&b'=') {
                found.push(start + SECRET.len() + 1..end);
            }
            start = end + 1;
        }
        found
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_values_of_seeds_are_found() {
            let typed = b"referee\0play\0--seed\09\0--seed=12\0--seeds=1\0seed\0--seed\0";
            let values: Vec<_> = secrets(typed)
                .into_iter()
                .map(|range| &typed[range])
                .collect();
            assert_eq!(values, [&b"9"[..], b"12", b""]);
        }
    }
}
