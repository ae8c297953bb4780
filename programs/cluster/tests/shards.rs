//! The shards of a contest and their one record, by a stand-in for Slurm that runs each task at once, one after the other.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use testkit::contest::without_times;
use testkit::list::Tests;
use testkit::programs::{Folder, built, misbehaving, referee, text_of};

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        more_games_extend_the_shards_and_the_one_record,
        a_player_is_disqualified_by_the_games_of_all_shards,
        shards_of_other_terms_or_programs_are_refused,
        a_player_that_cannot_play_stops_its_shards_and_is_named,
        what_is_for_one_machine_is_refused
    );
}

/// A folder with the commands of Slurm that the referee calls.
struct StandIn {
    folder: Folder,
}

impl StandIn {
    fn new() -> StandIn {
        let folder = Folder::new();
        fs::create_dir(folder.path("bin")).unwrap();
        for (name, text) in [
            ("scontrol", "echo 'MaxArraySize = 1001'"),
            ("squeue", "exit 0"),
            (
                "sbatch",
                "for task in $(sed -n 's/^#SBATCH --array=//p' \"$2\" | tr ',' ' '); do
                    for number in $(seq ${task%-*} ${task#*-}); do
                        SLURM_ARRAY_TASK_ID=$number sh \"$2\" >\"${2%/*}/logs/$number.log\" 2>&1
                    done
                done
                echo 1",
            ),
        ] {
            let file = folder.file(&format!("bin/{name}"), &format!("#!/bin/sh\n{text}\n"));
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        StandIn { folder }
    }

    /// Plays what `words` say in `shards` shards.
    fn plays(&self, shards: &str, words: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap();
        Command::new(built("referee"))
            .args([
                "cluster",
                "slurm",
                "--shards",
                shards,
                "--out",
                "cup.jsonl",
                "--",
            ])
            .args(words)
            .env("PATH", format!("{}:{path}", self.folder.path("bin")))
            .current_dir(self.folder.path(""))
            .output()
            .unwrap()
    }

    /// Returns the exit code and the messages.
    fn ends(&self, words: &[&str]) -> (i32, String) {
        let output = self.plays("4", words);
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    /// Plays the same as one contest.
    fn plays_in_one(&self, words: &[&str]) {
        let mut one = referee();
        one.args(words).args(["--out", "one.jsonl"]);
        one.current_dir(self.folder.path("")).assert().code(0);
    }

    fn has_record(&self) -> bool {
        fs::exists(self.folder.path("cup.jsonl")).unwrap()
    }

    fn attempts(&self, shard: &str) -> Vec<PathBuf> {
        let begin = format!("shard-{shard}-of-4.");
        let files = fs::read_dir(self.folder.path("cup.jsonl.shards")).unwrap();
        files
            .map(|file| file.unwrap().path())
            .filter(|path| {
                path.file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .starts_with(&begin)
            })
            .collect()
    }
}

fn more_games_extend_the_shards_and_the_one_record() {
    let slurm = StandIn::new();
    let words = |games: &'static str| {
        [
            "match", "awful", "mediocre", "--series", "4", "--seed", "3", "--games", games,
        ]
    };
    let first = slurm.plays("4", &words("12"));
    assert!(first.status.success(), "{first:?}");
    // Some shards get no more series by that.
    let second = slurm.plays("4", &words("20"));
    assert!(second.status.success(), "{second:?}");
    slurm.plays_in_one(&words("20"));
    // One run has a header at the place from which on there are more games.
    let games = |name: &str| {
        let lines = without_times(&text_of(slurm.folder.path(name)));
        lines
            .into_iter()
            .filter(|line| line["format"] != "battleship-contest")
            .collect::<Vec<_>>()
    };
    assert_eq!(games("cup.jsonl").len(), 20 + 5);
    assert_eq!(games("cup.jsonl"), games("one.jsonl"));
    let fewer = slurm.plays("4", &words("8"));
    assert_eq!(fewer.status.code(), Some(2), "{fewer:?}");
}

fn a_player_is_disqualified_by_the_games_of_all_shards() {
    let slurm = StandIn::new();
    // It attacks a few times, and then exits: enough for the check before the first game.
    let rogue = misbehaving("--after 5 exit 3");
    let words = [
        "tournament",
        "awful",
        "mediocre",
        &rogue,
        "M=mediocre",
        "--games",
        "40",
        "--series",
        "4",
        "--seed",
        "3",
    ];
    let output = slurm.plays("5", &words);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("disqualified"), "{text}");
    slurm.plays_in_one(&words);
    let record = |name: &str| without_times(&text_of(slurm.folder.path(name)));
    assert_eq!(record("cup.jsonl"), record("one.jsonl"));
}

fn shards_of_other_terms_or_programs_are_refused() {
    let slurm = StandIn::new();
    let bot = |more: &str| {
        slurm
            .folder
            .file("bot.sh", &format!("exec {}{more}\n", built("awful-bot")))
    };
    let player = format!("A=sh {}", bot(""));
    let play = |more: &[&str]| {
        slurm.ends(&[&["match", "mediocre", &player, "--games", "40"], more].concat())
    };
    assert_eq!(play(&[]).0, 0);
    let forget_second = || {
        for shard in slurm.attempts("2") {
            fs::remove_file(shard).unwrap();
        }
    };
    forget_second();
    let whole = text_of(slurm.folder.path("cup.jsonl"));
    fs::remove_file(slurm.folder.path("cup.jsonl")).unwrap();
    let (code, said) = play(&["--limit", "3s"]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("is of another contest") && said.contains("limit"),
        "{said}"
    );
    assert!(!slurm.has_record());

    forget_second();
    bot(" # new");
    let (code, said) = play(&[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("is of another contest") && said.contains("bot.sh has changed"),
        "{said}"
    );

    // A record that was there before is not touched either.
    slurm
        .folder
        .file("cup.jsonl", &whole.replace("\"seed\":", "\"seed\": "));
    let (code, said) = play(&["--seed", "1"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--seed"), "{said}");
}

fn a_player_that_cannot_play_stops_its_shards_and_is_named() {
    let slurm = StandIn::new();
    let (code, said) = slurm.ends(&["tournament", "awful", "mediocre", "X=false", "--games", "4"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("not complete") && said.contains("X cannot play"),
        "{said}"
    );
    assert!(!slurm.has_record());
}

fn what_is_for_one_machine_is_refused() {
    let slurm = StandIn::new();
    for (words, what) in [
        (
            &["match", "awful", "awful", "--out", "x.jsonl"][..],
            "--out",
        ),
        (&["match", "awful", "awful", "--verify"], "--verify"),
        (
            &["tournament", "awful", "good", "--format", "swiss"],
            "cannot be divided",
        ),
        (&["play", "awful", "awful"], "a match or a tournament"),
    ] {
        let (code, said) = slurm.ends(words);
        assert_eq!(code, 2, "{words:?}: {said}");
        assert!(said.contains(what), "{words:?}: {said}");
    }
}
