//! The result of a contest, and who is disqualified in it.

use league::schedule::Place;
use league::statistics::sprt::Decision;
use league::statistics::to_f64;

use super::Tally;

/// A player is not judged by fewer games than this: one crash in the first game must not end its
/// contest.
const GAMES_BEFORE_DISQUALIFICATION: u64 = 10;

/// The reason why a contest is over for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Everything has been played.
    Complete,
    /// The sequential test has decided.
    Decided(Decision),
    /// The user stopped it.
    Interrupted,
}

/// The result of a contest.
#[derive(Debug)]
pub struct ContestResult {
    /// The reason why it is over.
    pub finish: Finish,
    /// All its games, with those that the record had.
    pub tally: Tally,
    /// The same without the games of players who are out: what places and ratings come from.
    pub counted: Tally,
    /// The order of the players.
    pub places: Vec<Place>,
    /// The players that have been disqualified, or could not play at all.
    pub out: Vec<bool>,
    /// The reasons why some of them could not play.
    pub unfit: Vec<Option<String>>,
    /// The number of games that the whole contest has, at least.
    pub games: u64,
}

/// Returns whether a player is disqualified: by more faults than `bound` allows, as a share of its
/// games, or because the judge of the game keeps failing after its replies while other players can
/// play on.
pub(crate) fn is_disqualified(tally: &Tally, player: usize, bound: Option<f64>) -> bool {
    let others_play = tally.players.len() > 2;
    let player = &tally.players[player];
    // Strictly more: with a bound of 0 one fault is enough, with a bound of 1 none ever is.
    let has_too_many_faults = bound.is_some_and(|bound| {
        player.games >= GAMES_BEFORE_DISQUALIFICATION
            && to_f64(player.n_faults()) > bound * to_f64(player.games)
    });
    has_too_many_faults || (others_play && player.stumps_judge)
}
