//! The completion of the values of arguments, beyond the words and files that clap knows of.

use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use battleship_bots::SHIPPED;
use engine::game::EndedBy;
use engine::system;
use kits::kits;

/// Completes a player: a shipped one, or files in a command line; with what precedes it, as in `Popeye=good`.
pub(in crate::cli) fn players() -> ArgValueCompleter {
    ArgValueCompleter::new(player)
}

/// Completes a file that has games.
pub(in crate::cli) fn records() -> ArgValueCompleter {
    ArgValueCompleter::new(record)
}

/// Completes a language for `referee new`.
pub(in crate::cli) fn languages() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let candidate = |language| CompletionCandidate::new(language);
        kits().iter().map(|kit| candidate(kit.language())).collect()
    })
}

/// Completes a reason for which games end.
pub(in crate::cli) fn reasons() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        EndedBy::ALL
            .iter()
            .map(|reason| CompletionCandidate::new(reason.word()))
            .collect()
    })
}

fn player(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else {
        return Vec::new();
    };
    let files = |path: &str| PathCompleter::any().complete(OsStr::new(path));
    let behind = |prefix: &str, candidates: Vec<CompletionCandidate>| {
        candidates
            .into_iter()
            .map(|candidate| candidate.add_prefix(prefix))
            .collect()
    };
    // The file that an interpreter runs.
    if let Some(at) = typed.rfind(' ') {
        let (command, file) = typed.split_at(at + 1);
        return behind(command, files(file));
    }
    // As where players are read, no slash precedes the name.
    let name = typed
        .rfind('=')
        .filter(|_| typed.find(['=', '@']) < typed.find('/').or(Some(usize::MAX)));
    let (prefix, program) = typed.split_at(name.map_or(0, |at| at + 1));
    if system::is_path(program) || program.starts_with('.') {
        return behind(prefix, files(program));
    }
    let shipped = SHIPPED.iter().map(|shipped| shipped.name);
    let shipped = shipped.filter(|name| name.starts_with(program));
    behind(prefix, shipped.map(CompletionCandidate::new).collect())
}

/// Records by their names, or if none fits, any files: a record may be called anything.
fn record(typed: &OsStr) -> Vec<CompletionCandidate> {
    let records = PathCompleter::any()
        .filter(is_called_record)
        .complete(typed);
    let is_folder = |candidate: &CompletionCandidate| {
        candidate
            .get_value()
            .as_encoded_bytes()
            .last()
            .is_some_and(|end| b"/\\".contains(end))
    };
    if records.iter().all(is_folder) {
        PathCompleter::any().complete(typed)
    } else {
        records
    }
}

fn is_called_record(path: &Path) -> bool {
    let name = path.to_string_lossy();
    path.is_file() && (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(typed: &str) -> Vec<String> {
        let candidates = player(OsStr::new(typed)).into_iter();
        candidates
            .map(|candidate| candidate.get_value().to_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn a_player_is_a_shipped_one_behind_its_name_or_a_file_of_a_command() {
        assert_eq!(
            completed(""),
            ["awful", "mediocre", "fair", "decent", "good", "human"]
        );
        assert_eq!(completed("me"), ["mediocre"]);
        assert_eq!(completed("Popeye=go"), ["Popeye=good"]);
        assert_eq!(completed("Popeye@bots/a=go"), ["Popeye@bots/a=good"]);
        assert_eq!(completed("x"), [""; 0]);
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        std::fs::write(folder.path().join("bot.py"), "").unwrap();
        for before in ["", "python3 ", "Popeye=", "A=python3 -u "] {
            assert_eq!(
                completed(&format!("{before}{root}/b")),
                [format!("{before}{root}/bot.py")]
            );
        }
    }
}
