//! A mistake in each kit, found by a position of a game that it lost.

use super::kits::Fresh;
use crate::common::{referee, text_of};
use crate::harness::Label;
use crate::harness::needs::{CC, CXX, GO, JAVA, JAVAC, MAKE, NODE, Need, PYTHON, RUBY};
use serde_json::Value;

/// A mistake: the bot forgets its hits.
#[derive(Clone, Copy)]
struct Forgets {
    kit: &'static str,
    needs: &'static [&'static Need],
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
}

impl Label for Forgets {
    fn label(&self) -> &str {
        self.kit
    }

    fn needs(&self) -> &'static [&'static Need] {
        self.needs
    }
}

const fn forgets(
    kit: &'static str,
    needs: &'static [&'static Need],
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> Forgets {
    Forgets {
        kit,
        needs,
        file,
        right,
        wrong,
    }
}

static MISTAKES: [Forgets; 8] = [
    forgets(
        "python",
        &[&PYTHON],
        "strategy.py",
        "self.hits.append((row, col))",
        "pass",
    ),
    forgets(
        "c",
        &[&CC, &MAKE],
        "strategy.c",
        "near_hit[i] = true",
        "near_hit[i] = false",
    ),
    forgets(
        "cpp",
        &[&CXX, &MAKE],
        "strategy.hpp",
        "hits.insert(cell)",
        "hits.clear()",
    ),
    forgets(
        "java",
        &[&JAVA, &JAVAC],
        "Strategy.java",
        "hits.add(cell)",
        "hits.clear()",
    ),
    forgets(
        "javascript",
        &[&NODE],
        "strategy.js",
        "this.hits.push({ row, col })",
        "this.hits = []",
    ),
    forgets(
        "rust",
        &[&CC],
        "src/strategy.rs",
        "self.hits.push(cell)",
        "self.hits.clear()",
    ),
    forgets(
        "go",
        &[&GO],
        "strategy.go",
        "s.near = append(s.near,",
        "_ = append(s.near,",
    ),
    forgets(
        "ruby",
        &[&RUBY],
        "strategy.rb",
        "@hits << [row, col]",
        "@hits.clear",
    ),
];

fn output(folder: &Fresh, words: &[&str]) -> (String, i32) {
    let output = referee()
        .args(words)
        .current_dir(folder.folder())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (said, output.status.code().unwrap())
}

/// The first turn behind a hit in which the player of this dialogue attacked no neighbour of a hit, before it sank a ship, and the
/// untried neighbours of the hits then.
fn forgotten(dialogue: &str) -> Option<(usize, Vec<(i32, i32)>)> {
    let results = dialogue
        .lines()
        .filter_map(|line| line.strip_prefix("<- result "));
    let (mut tried, mut near) = (Vec::new(), Vec::new());
    for (number, result) in (1..).zip(results) {
        let [row, col, what] = result.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let at: (i32, i32) = (row.parse().unwrap(), col.parse().unwrap());
        if !near.is_empty() && !near.contains(&at) {
            return Some((number, near));
        }
        tried.push(at);
        if what == "hit" {
            near.extend(
                [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(row, col)| (at.0 + row, at.1 + col)),
            );
        }
        let on_board = |at: &(i32, i32)| (0..10).contains(&at.0) && (0..10).contains(&at.1);
        near.retain(|cell| on_board(cell) && !tried.contains(cell));
    }
    None
}

#[test]
#[rows(MISTAKES)]
#[ignore = "thorough"]
fn a_position_of_a_lost_game_finds_the_mistake(mistake: Forgets) {
    let (sound, planted) = (Fresh::new(mistake.kit), Fresh::new(mistake.kit));
    let file = planted.folder().join(mistake.file);
    let text = text_of(&file);
    assert_eq!(text.matches(mistake.right).count(), 1, "{}", mistake.kit);
    std::fs::write(&file, text.replace(mistake.right, mistake.wrong)).unwrap();
    planted.build();

    let player = format!("forgetful={}", planted.player());
    let games = [
        "--games",
        "4",
        "--seed",
        "1",
        "--out",
        "lost.jsonl",
        "--quiet",
    ];
    assert_eq!(
        output(
            &planted,
            &[&["match", &player, "mediocre"], &games[..]].concat()
        )
        .1,
        0
    );
    let lost = [
        "list",
        "lost.jsonl",
        "--player",
        "forgetful",
        "--lost",
        "--json",
    ];
    let (lost, _) = output(&planted, &lost);
    let (game, turn, near) = lost
        .lines()
        .find_map(|line| {
            let game: Value = serde_json::from_str(line).unwrap();
            let seat = usize::from(game["players"][0] != "forgetful");
            let (number, last) = (game["number"].to_string(), game["turns"][seat].to_string());
            let position = [
                "position",
                "lost.jsonl",
                "--game",
                &number,
                "--player",
                "forgetful",
            ];
            let (dialogue, _) = output(&planted, &[&position[..], &["--turn", &last]].concat());
            forgotten(&dialogue).map(|(turn, near)| (number, turn.to_string(), near))
        })
        .expect("it forgets a hit in some lost game");
    let near: Vec<_> = near
        .iter()
        .map(|(row, col)| format!("({row},{col})"))
        .collect();
    let expected = format!("attack among {}", near.join(" "));
    let position = [
        "position",
        "lost.jsonl",
        "--game",
        &game,
        "--player",
        "forgetful",
    ];
    let options = ["--turn", &turn, "--expect", &expected];
    let (position, _) = output(&planted, &[&position[..], &options].concat());
    for (bot, code) in [(&planted, 4), (&sound, 0)] {
        std::fs::write(bot.folder().join("positions/lost.txt"), &position).unwrap();
        let words = ["check", &bot.player(), "--positions", "positions/lost.txt"];
        let (said, found) = output(bot, &words);
        assert_eq!(found, code, "{}: {position}{said}", mistake.kit);
    }
}
