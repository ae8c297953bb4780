//! `referee report`: a page with the standings and all games of some records, or one game of a
//! record; also as text, and a game as a picture.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arena::record::{GameChoice, GameLine, page_output, write_page};
use arena::result::{ReadContest, read_contest};
use arena::system;
use battleship::game_reader::READERS;
use clap::Args;
use pages::{
    Collector, Live, PastGame, Report, Shown, Source, Width, game_in_words, game_page,
    match_summary, picture, report_page,
};

use super::CommandArgs;
use super::rank::PoolArguments;
use crate::exit::{self, Failure};
use crate::help::Group;
use crate::outputs::Outputs;
use crate::{World, browser, listen, note};

/// A page is not written more often than this while a contest runs.
const PAUSE: Duration = Duration::from_secs(5);

/// The minimum pause, as a multiple of the time that the last page took: the contest needs the
/// machine.
const SHARE: u32 = 10;

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Records: of matches and tournaments or parts of them, and of single games (play --out)
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// Write this file, by its ending: .html a page, .svg a game as a picture that moves, .txt
    /// text; a page that the referee has made is replaced
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Replace the file of --out, even if the referee has not made it
    #[arg(long)]
    force: bool,
    /// Only this game: its number in `referee list`, from 1, or its name, e.g. red-vs-blue-game-13
    #[arg(
        long,
        value_name = "GAME",
        allow_hyphen_values = true,
        conflicts_with_all = ["follow", "review", "anchor", "only", "without", "latest"]
    )]
    game: Option<GameChoice>,
    /// Draw the one position of the game after this many turns
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// Open the file in the browser
    #[arg(long)]
    open: bool,
    /// Write the file again while the contest runs, at most every 5 seconds, until it ends or you
    /// press Ctrl-C
    #[arg(long, alias = "watch")]
    follow: bool,
    /// Show what good would have attacked in each player's worst games; takes up to a second a game
    #[arg(long, alias = "with-good")]
    review: bool,
    #[command(flatten)]
    pool: PoolArguments,
}

/// The kind of file that is written.
#[derive(Clone, Copy)]
enum Kind {
    Page,
    Picture,
    Text,
}

impl CommandArgs for ReportArguments {
    const NAME: &'static str = "report";
    const ABOUT: &'static str = "Make a page for a browser: standings, charts, replays of games";
    const GROUP: Group = Group::LookBack;
    const EXAMPLES: &'static str = "\
A page is one file that needs no network. Every game that counts is in it; of
more than 10000, a sample.

Examples:
  referee report cup.jsonl --open
  referee report cup.jsonl -o site/cup.html --follow
  referee report monday.jsonl tuesday.jsonl -o week.html --latest
  referee report cup.jsonl --game 17 -o game.html
  referee report cup.jsonl --game 17 -o game.svg";

    fn run(self, _: &World) -> Result<(), Failure> {
        let kind = self.kind()?;
        Outputs {
            files: vec![("--out", Some(&self.out))],
            force: self.force,
            inputs: self.records.iter().collect(),
            players: Vec::new(),
        }
        .check()?;
        // Before a long record is read.
        page_output("--out", &self.out, self.force).check()?;
        let interrupt = if self.follow { Some(listen()?) } else { None };
        let mut stamp = 0;
        loop {
            let begun = Instant::now();
            stamp += 1;
            let (content, live) = match &self.game {
                Some(choice) => (self.game(choice, kind)?, None),
                None => self.contest(kind, stamp)?,
            };
            // From the second time on it is the file that this command has made.
            write_page("--out", &self.out, self.force || stamp > 1, &content)?;
            if stamp == 1 {
                let what = if self.game.is_some() {
                    "game"
                } else {
                    "report"
                };
                note(&format!("the {what} is in {}", self.out.display()));
                if self.open {
                    browser::open(&self.out);
                }
            }
            let (Some(interrupt), Some(live)) = (&interrupt, live) else {
                return Ok(());
            };
            if stamp == 1 {
                note(&format!(
                    "{} of {} games so far; the file is written again until the contest ends or you press Ctrl-C",
                    live.done, live.of
                ));
                if is_left(&self.records[0]) {
                    note(
                        "no contest writes to this record now: it was stopped, or its referee was killed; the command of the \
                         contest with --resume continues it",
                    );
                }
            }
            if !interrupt.wait(Some(PAUSE.max(SHARE * begun.elapsed())))? {
                return Err(Failure::Reported(exit::INTERRUPTED));
            }
        }
    }
}

impl ReportArguments {
    /// Returns the kind of file that the ending of `--out` asks for.
    fn kind(&self) -> Result<Kind, Failure> {
        let ending = self.out.extension().unwrap_or_default();
        let kind = match ending.to_ascii_lowercase().to_str() {
            // A stream, as /dev/stdout, has no ending.
            Some("html" | "") => Kind::Page,
            Some("svg") => Kind::Picture,
            Some("txt") => Kind::Text,
            Some(_) | None => {
                return Err(Failure::misuse(format!(
                    "--out {}: a report is a page (.html), a picture of a game (.svg) or text (.txt); end the name in one \
                     of these",
                    self.out.display()
                )));
            }
        };
        let what = match kind {
            Kind::Picture if self.game.is_none() => {
                "--out: a picture shows one game; choose it with --game N, its number in referee list"
            }
            Kind::Page | Kind::Text if self.turn.is_some() => {
                "--turn: only a picture shows one turn; ask for it with -o FILE.svg"
            }
            Kind::Text if self.review => {
                "--review: only a page shows attacks; ask for it with -o FILE.html"
            }
            Kind::Page | Kind::Picture | Kind::Text => return Ok(kind),
        };
        Err(Failure::misuse(what))
    }

    /// Returns one game.
    fn game(&self, choice: &GameChoice, kind: Kind) -> Result<String, Failure> {
        let [record] = &self.records[..] else {
            let what = "--game needs one record: name the file that has the game alone";
            return Err(Failure::misuse(what));
        };
        let (number, game) = choice.find(record, READERS).map_err(Failure::misuse)?;
        let content = match kind {
            Kind::Page => game_page(&game, number, None, true).map_err(|error| error.to_string()),
            Kind::Picture => {
                let turn = self.turn.map(|turn| Shown::Still(Some(turn)));
                let drawn = picture(&game, number, turn.unwrap_or(Shown::Moving));
                drawn.map_err(|error| error.to_string())
            }
            Kind::Text => match game_in_words(&game) {
                Ok(turns) => Ok(turns.concat()),
                Err(error) => Err(error.to_string()),
            },
        };
        content
            .map_err(|what| Failure::misuse(format!("{}, game {number}: {what}", record.display())))
    }

    /// Checks that there is one record to follow.
    fn check_followed(&self) -> Result<(), Failure> {
        let [record] = &self.records[..] else {
            return Err(Failure::misuse(
                "--follow needs one contest: name the file of its record alone",
            ));
        };
        let what = match std::fs::metadata(record) {
            Err(error) => error.to_string(),
            Ok(file) if !file.is_file() => {
                "--follow needs a file, which is read again; this is none".to_owned()
            }
            Ok(_) if !self.pool.is_usual() => {
                "--follow shows a contest as it is; leave --only, --without and --latest out"
                    .to_owned()
            }
            Ok(_) => return Ok(()),
        };
        Err(Failure::misuse(format!("{}: {what}", record.display())))
    }

    /// Returns the report of the records, and the progress of the contest if it is followed and has
    /// not ended. `stamp` counts the versions of the report.
    fn contest(&self, kind: Kind, stamp: u64) -> Result<(String, Option<Live>), Failure> {
        if self.follow {
            self.check_followed()?;
        }
        let mut collector = Collector::default();
        let mut on_game = |number, players, game: &GameLine, finished| {
            collector.hear(PastGame {
                number,
                players,
                game,
                finished,
            });
        };
        let mut records: Vec<_> = self.records.iter().map(|path| (path.clone(), 0)).collect();
        let mut contest = None;
        // A pipe can be read only once.
        if let [path] = &self.records[..]
            && path.is_file()
            && self.pool.is_usual()
        {
            let read = read_contest(path, READERS, &mut |number, players, game| {
                on_game(number, players, game, true);
            });
            contest = read.map_err(Failure::misuse)?;
        }
        // Whether any of several records continues is unknown.
        let mut live = None;
        let mut not_counted = 0;
        let source = if let Some(ReadContest {
            board,
            games,
            left_out,
        }) = contest
        {
            let header = board.header();
            let players = header.config.players.iter();
            let names: Vec<_> = players.map(|player| player.name.clone()).collect();
            records[0].1 = games;
            not_counted = left_out;
            let (done, of) = board.games();
            live = (self.follow && !board.is_finished()).then_some(Live {
                finished: false,
                done,
                of,
                stamp,
            });
            Source::contest(board.summary(self.pool.anchor(&names)?), header.clone())
        } else {
            if self.follow {
                let what = format!(
                    "--follow: {} has single games, which no contest continues; leave --follow out",
                    self.records[0].display()
                );
                return Err(Failure::misuse(what));
            }
            let mut number = 0;
            let ranking = self
                .pool
                .rank(&self.records, |record, seats, game, unfinished| {
                    number += 1;
                    records[record].1 += 1;
                    if let Some(players) = seats {
                        on_game(number, players, game, !unfinished);
                    }
                })?;
            Source::records(ranking)
        };
        if let Kind::Text = kind {
            let standings = source.standings();
            let text = match &source {
                Source::Contest(contest) if standings.players.len() == 2 => {
                    match_summary(&contest.0, Width::USUAL)
                }
                Source::Contest(_) | Source::Records(_) => standings.text(Width::USUAL),
            };
            return Ok((text, live));
        }
        if self.review {
            collector.review();
        }
        let page = report_page(&Report {
            source: &source,
            collector: &collector,
            records: &records,
            left_out: not_counted,
            live,
            supplement: None,
        });
        Ok((page, live))
    }
}

/// Returns whether no contest has locked its record, where a lock can be tried and given back.
fn is_left(record: &Path) -> bool {
    cfg!(unix)
        && std::fs::File::open(record).is_ok_and(|file| system::try_lock_shared(&file).is_ok())
}
