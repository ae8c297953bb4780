//! Collects what a page shows of games, as they are read or played, in bounded memory.

use std::collections::BTreeMap;

use super::course::Course;
use super::data::{ChunkData, GameReviewData, Review, SaidLine, Setup};
use super::details::DetailsOfPlayer;
use super::pack::{self, PackedGame, PlaceOfGame};
use super::said::said_lines;
use super::scenes::{Phrases, Witness};
use super::texts::Texts;
use crate::attack_review::review_game;
use crate::duel::Duel;
use crate::game_record::GameRecord;
use crate::judged::{ShownGame, ShownGames};
use arena::explain::GameDigest;
use arena::game::EndedBy;
use arena::record::GameLine;
use battleship::game_reader::{RecordedGame, ReplayError};
use bothost::{BySide, Side};
use bots::HitChance;

/// The number of games that have a replay in a page; of more, a sample of at most as many.
const MOST_KEPT: usize = 10_000;

/// A chunk has at most this many games, so that one of them is shown at once however many there
/// are.
const MOST_IN_CHUNK: usize = 500;

/// The number of printed figures that are kept turn by turn; of more games, only the means.
const MOST_OF_FIGURES: usize = 150_000;

/// More different boards and fleets than these are not shown.
const MOST_SETUPS: usize = 100;

/// A game that is over, and its place among the others.
#[derive(Clone, Copy, Debug)]
pub struct PastGame<'g> {
    /// Its number in the records, from 1.
    pub number: u64,
    /// The players on seats 0 and 1, as their numbers among all players.
    pub players: [usize; 2],
    /// The game.
    pub game: &'g GameLine,
    /// Whether its series was played to its end, if it is of one.
    pub finished: bool,
}

/// The data of the games that a page shows.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    pub(super) setups: Vec<Setup>,
    pub(super) texts: Texts,
    /// Cells outside the boards: apart from the sentences, which wild shots must not crowd out.
    pub(super) outside: Texts,
    pub(super) phrases: Phrases,
    /// The names of the figures that bots printed.
    pub(super) figure_names: Texts,
    /// The number of figures of turns in the games of the sample.
    figures_kept: usize,
    pub(super) players: Vec<DetailsOfPlayer>,
    pub(super) course: Course,
    /// All games, by the reasons of their ends.
    pub(super) endings: BTreeMap<EndedBy, u64>,
    /// The dialogue of some games, by their numbers.
    pub(super) dialogue: BTreeMap<u64, Vec<SaidLine>>,
    /// The attacks that a strong player would have made in some games, by their numbers.
    pub(super) reviews: BTreeMap<u64, GameReviewData>,
    /// The games of each two players, as each of them sees them.
    pub(super) duels: BTreeMap<[usize; 2], [Duel; 2]>,
    /// Games of judges.
    pub(super) judged: ShownGames,
    games: Vec<PackedGame>,
    /// Of this many games one is kept, a power of two.
    one_of: u64,
    /// All games that were heard.
    heard: u64,
    /// Games without a replay, as their records contradict the rules.
    pub(super) wrong: u64,
}

/// Games of one encounter, ready for the page.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) data: ChunkData,
    /// In base64.
    pub(super) packed: String,
}

impl Collector {
    /// Takes a game into account. Games come in the order of their numbers.
    pub fn hear(&mut self, past: PastGame<'_>) {
        let PastGame {
            number,
            players,
            game: line,
            finished,
        } = past;
        self.heard += 1;
        self.one_of = self.one_of.max(1);
        let most = players[0].max(players[1]) + 1;
        if self.players.len() < most {
            self.players.resize_with(most, DetailsOfPlayer::default);
        }
        let digest = GameDigest::new(number, line, finished);
        self.course.add(players, &digest);
        *self.endings.entry(line.ended_by).or_default() += 1;
        if let Some(shown) = ShownGame::of(line, number, false) {
            self.judged.add(shown);
            return;
        }
        let game = &GameRecord::from(line);
        let Some(setup) = self.setup(&game.game) else {
            self.wrong += 1;
            return;
        };
        let place = PlaceOfGame {
            number,
            players,
            setup,
            counts: digest.points.is_some(),
            finished,
        };
        // A game that a player should look at is kept by that player.
        let wants =
            BySide::from_fn(|side: Side| self.players[players[side.index()]].wants(&digest, side));
        let in_sample = is_sampled(number, self.one_of);
        if wants.one || wants.two || in_sample {
            let Ok(packed) = self.pack(game, place) else {
                self.wrong += 1;
                return;
            };
            self.keep(packed, &digest, game, wants, in_sample);
        }
        for side in Side::BOTH {
            let player = &mut self.players[players[side.index()]];
            player.count(&digest, game, side, &mut self.figure_names);
        }
        let first = if players[0] > players[1] {
            Side::Two
        } else {
            Side::One
        };
        let encounter = [first, first.other()];
        let duels = self
            .duels
            .entry(encounter.map(|side| players[side.index()]))
            .or_default();
        for (duel, side) in duels.iter_mut().zip(encounter) {
            duel.add(&digest, line, side);
        }
    }

    fn keep(
        &mut self,
        mut packed: PackedGame,
        digest: &GameDigest,
        game: &GameRecord,
        wants: BySide<bool>,
        in_sample: bool,
    ) {
        for side in Side::BOTH.into_iter().filter(|side| wants[*side]) {
            let player = packed.place.players[side.index()];
            self.players[player].keep(&packed, digest, game, side);
        }
        if in_sample {
            self.figures_kept += packed.count_of_figures();
            if self.figures_kept > MOST_OF_FIGURES {
                packed.drop_figures();
            }
            self.games.push(packed);
        }
        if self.games.len() > MOST_KEPT {
            self.one_of *= 2;
            let one_of = self.one_of;
            self.games
                .retain(|game| is_sampled(game.place.number, one_of));
        }
    }

    /// Packs a game, which has to agree with the rules.
    fn pack(&mut self, game: &GameRecord, place: PlaceOfGame) -> Result<PackedGame, ReplayError> {
        let Collector {
            texts,
            outside,
            phrases,
            figure_names,
            ..
        } = self;
        let mut witness = Witness::new(place.setup, game.game.rules()?, phrases, outside);
        let nothing;
        let game = match game.game.replay(&mut witness) {
            Ok(()) => game,
            // There is nothing to see of it but how it ended; what it has of fleets and turns was
            // not checked.
            Err(ReplayError::NotBegun(_)) => {
                nothing = GameRecord {
                    line: game.line.clone(),
                    game: RecordedGame {
                        fleets: BySide::default(),
                        turns: Vec::new(),
                        ..game.game.clone()
                    },
                };
                &nothing
            }
            Err(error) => return Err(error),
        };
        Ok(PackedGame::new(
            game,
            place,
            witness.turns,
            texts,
            figure_names,
        ))
    }

    /// Returns the number of the board and ships of a game; `None` if there can be no such board,
    /// or too many.
    fn setup(&mut self, game: &RecordedGame) -> Option<usize> {
        let known = self.setups.iter().position(|setup| setup.is_of(game));
        if known.is_none() && self.setups.len() < MOST_SETUPS && game.rules().is_ok() {
            self.setups.push(Setup::of(game));
            return Some(self.setups.len() - 1);
        }
        known
    }

    /// Takes what was said in a game, as `--transcript` writes it.
    pub fn hear_dialogue(&mut self, number: u64, game: &GameLine, dialogue: &[u8]) {
        // As the dialogue has them, which shows no character that could steer a terminal.
        let names = game.players.as_ref().map(|player| player.name.clone());
        let BySide { one, two } = game.stats.turns;
        let turns = (one + two) as usize;
        // A player that failed or resigned was asked for one more.
        let was_asked = game.ended_by.is_fault() || game.ended_by == EndedBy::Resigned;
        self.dialogue.insert(
            number,
            said_lines(dialogue, &names.into(), turns + usize::from(was_asked)),
        );
    }

    /// Estimates for the games that each player should look at, and for some others of it, how
    /// likely attacks were to hit, which would have been the likeliest, and how likely both were to
    /// win.
    pub fn review(&mut self) {
        // Both players of a game may want it, and rating it takes a third of a second.
        let mut known = BTreeMap::new();
        let reviews = &mut self.reviews;
        let mut once = |number, game: &RecordedGame| -> Option<BySide<Vec<HitChance>>> {
            known
                .entry(number)
                .or_insert_with(|| rate(reviews, number, game))
                .clone()
        };
        for player in &mut self.players {
            for (number, game) in player.worst_games() {
                once(number, game);
            }
            player.rate(&mut once);
        }
    }

    /// Rates the attacks of one game.
    pub(super) fn rate(&mut self, number: u64, game: &GameLine) {
        if let Ok(game) = RecordedGame::read(&game.json) {
            rate(&mut self.reviews, number, &game);
        }
    }

    /// Drops all that is of single games or was said by bots: what remains are sums, which may be
    /// shown to anyone.
    pub fn without_games(&mut self) {
        self.players.clear();
        self.games.clear();
        self.texts = Texts::default();
        self.outside = Texts::default();
        self.phrases = Phrases::default();
        self.figure_names = Texts::default();
        self.dialogue.clear();
        self.reviews.clear();
        self.duels.clear();
        self.judged = ShownGames::default();
        self.one_of = 1;
    }

    /// Returns how many games were heard.
    #[must_use]
    pub const fn heard(&self) -> u64 {
        self.heard
    }

    /// Returns whether the page has only a sample of the games.
    pub(super) const fn is_sample(&self) -> bool {
        self.one_of > 1
    }

    /// Returns all games with a replay.
    fn all_kept(&self) -> Vec<&PackedGame> {
        let of_players = self.players.iter().flat_map(DetailsOfPlayer::kept);
        // Those of players first, which have their figures in any case: of two copies the first
        // stays.
        let mut games: Vec<&PackedGame> = of_players.chain(&self.games).collect();
        games.sort_by_key(|game| (game.encounter(), game.place.number));
        games.dedup_by_key(|game| game.place.number);
        games
    }

    /// Returns the number of games with a replay.
    pub(super) fn kept(&self) -> usize {
        self.all_kept().len()
    }

    /// Returns all kept games by encounters.
    pub(super) fn chunks(&self) -> Vec<Chunk> {
        let games = self.all_kept();
        let encounters = games.chunk_by(|one, other| one.encounter() == other.encounter());
        let chunks = encounters.flat_map(|games| games.chunks(MOST_IN_CHUNK));
        chunks
            .map(|games| {
                let data = ChunkData {
                    players: games[0].encounter(),
                    games: games.len(),
                    numbers: runs(games.iter().map(|game| game.place.number)),
                };
                Chunk {
                    data,
                    packed: pack::chunk(games),
                }
            })
            .collect()
    }
}

/// Rates a game. Returns the estimates; `None` for a game of the other rules and for one without a
/// fleet.
fn rate(
    reviews: &mut BTreeMap<u64, GameReviewData>,
    number: u64,
    game: &RecordedGame,
) -> Option<BySide<Vec<HitChance>>> {
    let found = review_game(game).ok().flatten()?;
    let attacks = found
        .attacks
        .as_ref()
        .map(|chances| -> Vec<Review> {
            chances
                .iter()
                .map(|chance| review(chance, game.size[1]))
                .collect()
        })
        .into();
    let winning = found
        .winning
        .into_iter()
        .map(|chance| percent(chance).round())
        .collect();
    reviews.insert(number, GameReviewData { attacks, winning });
    Some(found.attacks)
}

/// Returns an estimate as the page has it: the best cell, and the chances in percent.
fn review(chance: &HitChance, cols: i32) -> Review {
    let best = chance
        .best
        .and_then(|best| usize::try_from(best.row * cols + best.col).ok());
    (best, percent(chance.chance), percent(chance.best_chance))
}

fn percent(share: f64) -> f64 {
    if share.is_finite() {
        (1000.0 * share).round() / 10.0
    } else {
        0.0
    }
}

/// Returns whether one of this many games is this one, whatever the order of players is: the
/// numbers are mixed (`SplitMix64` by G. Steele, D. Lea and C. Flood, 2014).
fn is_sampled(number: u64, one_of: u64) -> bool {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)).is_multiple_of(one_of)
}

/// Returns ascending numbers as runs: the first, and how many follow each other.
fn runs(numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use arena::game::{Ending, Game as _, Played};
    use battleship::{Game, Rules};

    use super::*;

    /// Returns a player of a game of whom only the name matters.
    #[test]
    fn numbers_in_a_row_are_a_run() {
        assert_eq!(
            runs([1, 2, 3, 7, 9, 10].into_iter()),
            [(1, 3), (7, 1), (9, 2)]
        );
    }

    #[test]
    fn a_smaller_sample_is_a_part() {
        let of = |one_of| {
            (1..=10_000)
                .filter(move |number| is_sampled(*number, one_of))
                .count()
        };
        assert_eq!(of(1), 10_000);
        assert!((4_800..5_200).contains(&of(2)), "{}", of(2));
        assert!((1..=10_000).all(|number| !is_sampled(number, 4) || is_sampled(number, 2)));
    }

    /// A game that ended before there was anything to see, by a fault of its first player.
    fn unplayed() -> GameLine {
        let rules = Rules::classic(Game::standard());
        let player = |name: &str| {
            let json = serde_json::json!({
                "name": name, "command": name, "human": false, "seed": 1, "warnings": [],
            });
            serde_json::from_value(json).unwrap()
        };
        let players = BySide::new(player("a"), player("b"));
        let new = GameLine::new("classic", 1, Side::One, 9, players);
        let ending = Ending::lost_by(Side::One, EndedBy::Timeout, "did not reply");
        let played = Played::without_play(ending, rules.unplayed());
        new.finished(&played, rules.reader())
    }

    #[test]
    fn a_sample_of_many_games_is_kept() {
        let game = unplayed();
        let mut collector = Collector::default();
        for number in 1..=25_000 {
            collector.hear(PastGame {
                number,
                players: [0, 1],
                game: &game,
                finished: true,
            });
        }
        assert!(collector.is_sample());
        assert_eq!((collector.heard(), collector.wrong), (25_000, 0));
        assert!(
            (5_000..=10_005).contains(&collector.kept()),
            "{}",
            collector.kept()
        );
        let chunks = collector.chunks();
        assert!(chunks.iter().all(|chunk| chunk.data.games <= MOST_IN_CHUNK));
        let numbers: Vec<_> = chunks
            .iter()
            .flat_map(|chunk| &chunk.data.numbers)
            .collect();
        assert_eq!(
            numbers.iter().map(|(_, count)| count).sum::<u64>(),
            collector.kept() as u64
        );
        // The first forfeits.
        assert_eq!(numbers[0].0, 1);
        assert_eq!(collector.players[0].finished(None).n_forfeits, 25_000);
    }
}
