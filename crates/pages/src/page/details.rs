//! The part of a page about one player: the cells where it places and attacks, and the games that
//! it should look at.

use super::data::{FigureData, Forfeit, PlayerDetails, WorstGame};
use super::pack::PackedGame;
use super::texts::Texts;
use crate::duel::Duel;
use crate::game_record::GameRecord;
use crate::skill::{Skill, SkillSample};
use crate::standings::remarks;
use arena::explain::GameDigest;
use arena::game::EndedBy;
use arena::result::PlayerSummary;
use arena::result::labelled_figures;
use battleship::game_reader::{BattleshipReader, RecordedGame};
use bothost::{BySide, Side, text};
use bots::HitChance;
use check::recorded_fault;
use league::statistics::Mean;

/// The number of worst games that a page has in any case.
const WORST: usize = 3;

/// The number of forfeits that are shown with what the player said.
const FORFEITS: usize = 20;

/// The number of forfeits that have a replay in any case.
const FORFEITS_KEPT: usize = 5;

/// The knowledge of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct DetailsOfPlayer {
    duel: Duel,
    /// Some games by which luck is told from skill, and what they say once they are rated.
    sample: SkillSample,
    skill: Option<Skill>,
    forfeits: Vec<Forfeit>,
    n_forfeits: u64,
    forfeits_kept: Vec<PackedGame>,
    figures: Vec<FigureOfGames>,
    /// The worst first.
    worst: Vec<Worst>,
}

/// Figures of a player beyond this many names are not shown.
const MOST_FIGURES: usize = 16;

/// A figure has at most twice this many points; of more games, the mean of each few.
const POINTS: usize = 100;

/// A figure that the player printed, in the course of its games.
#[derive(Clone, Debug)]
struct FigureOfGames {
    name: u64,
    /// The number of games that make a point.
    every: u64,
    /// The first game of each point, and the mean of the games' means.
    points: Vec<(u64, Mean)>,
}

/// The rank of a game by how bad it was for a player; less is worse: the losses first, those
/// against the fewest turns first, then games without a winner, then the wins that took the most
/// turns.
type Badness = (u8, u32);

/// A game that the player should look at.
#[derive(Clone, Debug)]
struct Worst {
    /// Its rank; less is worse.
    badness: Badness,
    why: String,
    packed: PackedGame,
    /// Whole, for what good would have done.
    game: Box<RecordedGame>,
}

impl DetailsOfPlayer {
    /// Returns whether the player should look at this game, in which it is on this side.
    pub(super) fn wants(&self, game: &GameDigest, side: Side) -> bool {
        let is_new_forfeit = game.is_fault_of(side) && self.forfeits_kept.len() < FORFEITS_KEPT;
        is_new_forfeit
            || badness(game, side).is_some_and(|badness| self.place_among_worst(badness).is_some())
    }

    fn place_among_worst(&self, badness: Badness) -> Option<usize> {
        let place = self.worst.partition_point(|other| other.badness <= badness);
        (place < WORST).then_some(place)
    }

    /// Keeps a game that is wanted.
    pub(super) fn keep(
        &mut self,
        packed: &PackedGame,
        digest: &GameDigest,
        game: &GameRecord,
        side: Side,
    ) {
        if digest.is_fault_of(side) {
            self.forfeits_kept.push(packed.clone());
            return;
        }
        let Some(badness) = badness(digest, side) else {
            return;
        };
        let Some(place) = self.place_among_worst(badness) else {
            return;
        };
        let why = why_lost(digest, game, side);
        let packed = packed.clone();
        let game = Box::new(game.game.clone());
        self.worst.insert(
            place,
            Worst {
                badness,
                why,
                packed,
                game,
            },
        );
        self.worst.truncate(WORST);
    }

    /// Returns the games that are in the page because of this player.
    pub(super) fn kept(&self) -> impl Iterator<Item = &PackedGame> {
        self.forfeits_kept
            .iter()
            .chain(self.worst.iter().map(|worst| &worst.packed))
    }

    /// Returns the games that the player should look at, with their numbers.
    pub(super) fn worst_games(&self) -> impl Iterator<Item = (u64, &RecordedGame)> {
        self.worst
            .iter()
            .map(|worst| (worst.packed.place.number, &*worst.game))
    }

    /// Tells luck from skill by some games, which `rated` rates.
    pub(super) fn rate(
        &mut self,
        mut rated: impl FnMut(u64, &RecordedGame) -> Option<BySide<Vec<HitChance>>>,
    ) {
        let mut skill = Skill::default();
        for (number, side, game) in self.sample.games() {
            if let Some(attacks) = rated(*number, game) {
                skill.add(game, *side, &attacks[*side]);
            }
        }
        self.skill = (skill.games > 0).then_some(skill);
    }

    /// Counts what the player did in a game, in which it is on this side.
    pub(super) fn count(
        &mut self,
        digest: &GameDigest,
        game: &GameRecord,
        side: Side,
        figure_names: &mut Texts,
    ) {
        self.duel.add(digest, &game.line, side);
        self.sample.add(digest.number, &game.game, side);
        if digest.is_fault_of(side) {
            self.n_forfeits += 1;
            if self.forfeits.len() < FORFEITS {
                self.forfeits.push(forfeit(digest, game, side));
            }
        }
        for figure in game
            .line
            .figures
            .iter()
            .filter(|figure| usize::from(figure.player) == side.index())
        {
            let name = figure_names.index_of(&figure.name);
            self.count_figure(name, digest.number, &figure.values);
        }
    }

    fn count_figure(&mut self, name: u64, game: u64, values: &[(u32, f64)]) {
        let values = values.iter().map(|(_, value)| *value);
        let Some(mean) = values.collect::<Mean>().value() else {
            return;
        };
        let known = self.figures.iter().position(|figure| figure.name == name);
        let place = known.unwrap_or(self.figures.len());
        if place == MOST_FIGURES {
            return;
        }
        if known.is_none() {
            self.figures.push(FigureOfGames {
                name,
                every: 1,
                points: Vec::new(),
            });
        }
        self.figures[place].add(game, mean);
    }

    /// Returns all of it for the page, with what the standings know of the player.
    pub(super) fn finished(&self, summary: Option<&PlayerSummary>) -> PlayerDetails {
        let worst = self.worst.iter().map(|worst| WorstGame {
            game: worst.packed.place.number,
            why: worst.why.clone(),
        });
        PlayerDetails {
            duel: self.duel.summary(),
            skill: self.skill,
            forfeits: self.forfeits.clone(),
            n_forfeits: self.n_forfeits,
            worst: worst.collect(),
            figures: self.figures.iter().map(FigureOfGames::finished).collect(),
            summary: summary.map(figures_of).unwrap_or_default(),
            notes: summary.map(notes).unwrap_or_default(),
        }
    }
}

/// Returns the figures of a player with their labels, as a page shows them.
fn figures_of(player: &PlayerSummary) -> Vec<(String, String)> {
    let mut figures = labelled_figures(player);
    for (_, shown) in &mut figures {
        // The words and the sign of a terminal.
        *shown = shown.replace('_', " ").replace(" us", " µs");
    }
    figures
}

/// Returns the remarks on a player.
fn notes(player: &PlayerSummary) -> Vec<String> {
    let remarks = remarks(std::slice::from_ref(player));
    remarks
        .iter()
        .map(|remark| text::shown(remark.line().as_bytes()))
        .collect()
}

fn badness(game: &GameDigest, side: Side) -> Option<Badness> {
    // Forfeits have a list of their own.
    if game.is_fault_of(side) {
        return None;
    }
    let sank = game.ended_by == EndedBy::FleetSunk;
    match game.points?[side] {
        lost if lost < 0.5 => Some((0, game.turns[side.other()])),
        won if won > 0.5 => sank.then(|| (2, u32::MAX - game.turns[side])),
        _ => Some((1, 0)),
    }
}

fn forfeit(digest: &GameDigest, game: &GameRecord, side: Side) -> Forfeit {
    let reason = EndedBy::all()
        .position(|reason| reason == game.line.ended_by)
        .unwrap_or(0);
    let advice = recorded_fault(&game.line, &BattleshipReader, side)
        .map(|fault| fault.cause)
        .unwrap_or_default();
    Forfeit {
        game: digest.number,
        reason,
        text: digest.reason.clone(),
        advice,
    }
}

fn why_lost(digest: &GameDigest, game: &GameRecord, side: Side) -> String {
    let opponent = &digest.players[side.other()];
    let turns = digest.turns[side.other()];
    if game.line.ended_by != EndedBy::FleetSunk {
        return digest.reason.clone();
    }
    if digest.winner == Some(side) {
        return format!("beat {opponent} only with turn {}", digest.turns[side]);
    }
    let reached = &game.line.stats.reached[side];
    if game.game.rules.hits_once() {
        format!("lost to {opponent}, who needed {turns} attacks, with {reached}")
    } else {
        format!("lost to {opponent}, who needed {turns} turns")
    }
}

impl FigureOfGames {
    fn add(&mut self, game: u64, mean: f64) {
        match self.points.last_mut() {
            Some((_, point)) if point.count() < self.every => point.add(mean),
            Some(_) | None => self.points.push((game, Mean::from_iter([mean]))),
        }
        if self.points.len() > 2 * POINTS {
            self.every *= 2;
            self.points = self
                .points
                .chunks(2)
                .map(|pair| {
                    let (game, mut mean) = pair[0];
                    pair[1..].iter().for_each(|(_, other)| mean.merge(other));
                    (game, mean)
                })
                .collect();
        }
    }

    fn finished(&self) -> FigureData {
        FigureData {
            name: self.name,
            points: self
                .points
                .iter()
                .filter_map(|(game, mean)| Some((*game, mean.value()?)))
                .collect(),
        }
    }
}
