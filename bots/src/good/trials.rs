//! The value of a shot in the long run: games played to their end on many fleets at once.
//!
//! The cell that is most likely to hit is not always the one that ends the game soonest. So the
//! best few cells are tried: the game is played to its end on all fleets of a sample, each time
//! attacking where most of the remaining ones have a ship. Fleets of which the same is known
//! continue together, so a trial is a walk through a tree of lists of fleets.

use battleship::CellSet;

use super::cells::real;
use super::sample::Sample;
use super::sight::Sight;
use super::tally::Tally;
use super::yard::Yard;

/// Cells that were tried out, and how many salvos the rest of the game took from them, on average.
/// An attack is a salvo of one shot.
pub(super) type Trial = (CellSet, f64);

/// The first trials of all cells are on this share of the fleets, if they are many.
const HEAT: usize = 4;
const MANY: usize = 200;
/// A cell is not tried further whose mean is this number of standard errors above that of the best.
const HOPELESS: f64 = 2.0;

/// So often each of up to four different fleets is missed before they are told apart, if each
/// attack that tells them apart misses half of them.
const MISSED: [u32; 4] = [0, 1, 1, 2];

/// Tries out `sets` of at most `shots` cells on about `most` fleets of the sample: all of them on
/// few, and on more those that may still be the best. Returns these with their means, the best one
/// first. Stops early if time `is_up`.
pub(super) fn race(
    yard: &Yard,
    sight: &Sight,
    sample: &Sample,
    sets: Vec<CellSet>,
    shots: usize,
    most: usize,
    is_up: impl Fn() -> bool,
) -> Vec<Trial> {
    let most = most.min(sample.len());
    let untried = sight.untried().bits();
    let mut tried: Vec<Trial> = Vec::new();
    let mut left = sets;
    let mut many = if most < MANY { most } else { most / HEAT };
    loop {
        let fleets = Fleets::of(yard, sight, sample, many, shots);
        let mut attacks: Vec<(CellSet, Vec<u32>)> = Vec::new();
        for set in &left {
            if is_up() {
                // Of trials that broke off nothing can be said.
                return tried;
            }
            attacks.push((*set, fleets.attacks(untried, set.bits())));
        }
        let best = attacks
            .iter()
            .min_by_key(|(_, attacks)| attacks.iter().sum::<u32>());
        let Some((best, fewest)) = best.cloned() else {
            return tried;
        };
        let mean = |(set, attacks): &(CellSet, Vec<u32>)| {
            (
                *set,
                f64::from(attacks.iter().sum::<u32>()) / real(attacks.len()),
            )
        };
        tried = attacks.iter().map(mean).collect();
        let is_best = |(set, _): &Trial| *set == best;
        tried.sort_by_key(|trial| !is_best(trial));
        attacks.retain(|(_, attacks)| !is_hopeless(attacks, &fewest));
        if many == most || attacks.len() < 2 {
            return tried;
        }
        left = attacks.into_iter().map(|(set, _)| set).collect();
        many = most;
    }
}

/// Returns for about `most` fleets of the sample how many attacks it takes to sink each from here.
pub(super) fn left(yard: &Yard, sight: &Sight, sample: &Sample, most: usize) -> Vec<u32> {
    let fleets = Fleets::of(yard, sight, sample, most.min(sample.len()), 1);
    let mut attacks = vec![0; fleets.cells.len()];
    let mut list: Vec<u32> = (0..).take(attacks.len()).collect();
    fleets.play(&mut list, sight.untried().bits(), 0, &mut attacks);
    attacks
}

/// Whether `attacks` are clearly more than `fewest`, fleet by fleet.
fn is_hopeless(attacks: &[u32], fewest: &[u32]) -> bool {
    let mut sum = 0.0;
    let mut squares = 0.0;
    for (attacks, fewest) in attacks.iter().zip(fewest) {
        let more = f64::from(*attacks) - f64::from(*fewest);
        sum += more;
        squares += more * more;
    }
    let n = real(attacks.len());
    let mean = sum / n;
    mean > HOPELESS * ((squares / n - mean * mean).max(0.0) / n).sqrt()
}

/// Fleets that agree with what was seen. Only the cells that were not attacked matter.
#[derive(Clone, Debug)]
struct Fleets {
    /// By fleet: its cells.
    cells: Vec<u128>,
    /// By fleet and ship, one fleet after the other: the cells of each ship that is afloat. Ships
    /// of a kind follow each other.
    ships: Vec<u128>,
    /// The number of those in a fleet.
    n_ships: usize,
    /// By kind: the index behind its last ship in a fleet.
    kinds: Vec<usize>,
    /// The shots of a salvo.
    shots: usize,
}

impl Fleets {
    /// `many` fleets of the sample.
    fn of(yard: &Yard, sight: &Sight, sample: &Sample, many: usize, shots: usize) -> Fleets {
        let mut afloat: Vec<usize> = sight.afloat().collect();
        afloat.sort_by_key(|ship| yard.ships[*ship]);
        let mut kinds = Vec::new();
        for of_a_kind in afloat.chunk_by(|one, other| yard.ships[*one] == yard.ships[*other]) {
            kinds.push(kinds.last().copied().unwrap_or(0) + of_a_kind.len());
        }
        let untried = sight.untried().bits();
        let mut cells = Vec::with_capacity(many);
        let mut ships = Vec::new();
        // The fleets of a model follow each other, and so do the copies of a fleet: an even choice
        // has the share of each.
        for fleet in (0..many).map(|number| number * sample.len() / many) {
            cells.push(sample.cells(fleet) & untried);
            let places = sample.places(fleet);
            ships.extend(
                afloat
                    .iter()
                    .map(|ship| yard.cells(*ship, places[*ship]) & untried),
            );
        }
        Fleets {
            cells,
            ships,
            n_ships: afloat.len(),
            kinds,
            shots,
        }
    }

    /// Returns by fleet how many salvos it takes to sink it if the first goes to those cells.
    fn attacks(&self, untried: u128, set: u128) -> Vec<u32> {
        // Fleets are numbers in one list, which is split in place as they turn out differently: no
        // list is copied.
        let mut list: Vec<u32> = (0..).take(self.cells.len()).collect();
        let mut attacks = vec![0; self.cells.len()];
        self.fire(&mut list, set, untried, 1, &mut attacks);
        attacks
    }

    /// Plays on where those fleets are possible and `made` salvos were fired.
    fn play(&self, list: &mut [u32], untried: u128, made: u32, attacks: &mut [u32]) {
        match list {
            [] => return,
            few if self.shots == 1 && (2..=MISSED.len()).contains(&few.len()) => {
                self.tell_apart(few, untried, made, attacks);
                return;
            }
            _ => {}
        }
        let fleet = |index: usize| self.cells[list[index] as usize];
        let set = match list {
            // Whatever its cells are, all of them are known.
            [_] => 0,
            _ => Tally::most_of(list.len(), fleet, untried, self.shots),
        };
        if set != 0 {
            self.fire(list, set, untried, made + 1, attacks);
            return;
        }
        for fleet in list {
            let left = (self.cells[*fleet as usize] & untried).count_ones() as usize;
            attacks[*fleet as usize] = made + self.salvos(left);
        }
    }

    /// The salvos that this number of cells takes if all of them are known.
    fn salvos(&self, cells: usize) -> u32 {
        u32::try_from(cells.div_ceil(self.shots)).expect("a board has 100 cells")
    }

    /// Fires at the cells of `set` one by one, as the last of `made` salvos, and plays on.
    fn fire(
        &self,
        mut list: &mut [u32],
        mut set: u128,
        mut untried: u128,
        made: u32,
        attacks: &mut [u32],
    ) {
        while set != 0 && !list.is_empty() {
            let bit = set & set.wrapping_neg();
            (set, untried) = (set & !bit, untried & !bit);
            let hits = part(list, |fleet| self.cells[fleet] & bit != 0);
            let (hits, misses) = list.split_at_mut(hits);
            self.after_hit(hits, set, untried, bit, made, attacks);
            list = misses;
        }
        self.play(list, untried, made, attacks);
    }

    /// Ends the game on a few fleets, without playing it.
    fn tell_apart(&self, few: &[u32], untried: u128, made: u32, attacks: &mut [u32]) {
        let left = |fleet: u32| self.cells[fleet as usize] & untried;
        let mut different = 0;
        for (index, fleet) in few.iter().enumerate() {
            let cells = left(*fleet);
            let is_same = few[..index].iter().any(|other| left(*other) == cells);
            different += usize::from(!is_same && index > 0);
            attacks[*fleet as usize] = made + MISSED[different] + cells.count_ones();
        }
    }

    /// The fleets in `list` were hit at the cell `bit`: those of which a ship of the same kind was
    /// sunk, or none, continue together, with the rest of the salvo first.
    fn after_hit(
        &self,
        list: &mut [u32],
        set: u128,
        untried: u128,
        bit: u128,
        made: u32,
        attacks: &mut [u32],
    ) {
        if list.is_empty() {
            return;
        }
        let hit = |fleet: usize| {
            let mut ships = self.ships[fleet * self.n_ships..][..self.n_ships]
                .iter()
                .enumerate();
            ships.find(|(_, ship)| *ship & bit != 0)
        };
        let afloat = part(list, |fleet| {
            hit(fleet).is_none_or(|(_, ship)| ship & untried != 0)
        });
        let (afloat, mut sunk) = list.split_at_mut(afloat);
        // A player hears which ship was sunk, so fleets with different sunk ships do not share the
        // next attack.
        for end in &self.kinds {
            if sunk.is_empty() {
                break;
            }
            let of_kind = part(sunk, |fleet| {
                hit(fleet).is_some_and(|(ship, _)| ship < *end)
            });
            let (of_kind, others) = sunk.split_at_mut(of_kind);
            self.fire(of_kind, set, untried, made, attacks);
            sunk = others;
        }
        self.fire(afloat, set, untried, made, attacks);
    }
}

/// Moves the fleets for which `first` holds to the front; returns how many they are.
fn part(list: &mut [u32], first: impl Fn(usize) -> bool) -> usize {
    let mut end = 0;
    for index in 0..list.len() {
        list.swap(index, end);
        end += usize::from(first(list[end] as usize));
    }
    end
}

#[cfg(test)]
mod tests {
    use battleship::seeded::SeededRng;
    use battleship::{AttackResult, Game, Point};

    use super::super::cells::index;
    use super::super::sample::Mixture;
    use super::*;

    /// Returns, in a plain way, the number of attacks to sink a fleet of the sample: first at `at`,
    /// then each on a cell where most of those still possible have a ship; of several such cells
    /// the first.
    fn plain_game(yard: &Yard, all: &Sample, fleet: usize, at: Point) -> u32 {
        let ships = |fleet: usize| {
            let places = all.places(fleet).iter().enumerate();
            places.map(|(ship, place)| CellSet::from_bits(yard.cells(ship, *place)))
        };
        let (mut left, mut at): (Vec<usize>, _) = ((0..all.len()).collect(), at);
        let mut hits = CellSet::EMPTY;
        let mut tried = CellSet::EMPTY;
        let mut made = 0;
        loop {
            made += 1;
            let seen = |other: usize| {
                let hit = ships(other).enumerate().find(|(_, ship)| ship.contains(at));
                hit.map(|(id, ship)| {
                    (ship - hits - at.into())
                        .is_empty()
                        .then_some(yard.ships[id])
                })
            };
            let result = seen(fleet);
            left.retain(|other| seen(*other) == result);
            tried.insert(at);
            if result.is_some() {
                hits.insert(at);
            }
            if CellSet::from_bits(all.cells(fleet)).is_subset(hits) {
                return made;
            }
            let have = |point: &Point| {
                let has = |fleet: &&usize| CellSet::from_bits(all.cells(**fleet)).contains(*point);
                left.iter().filter(has).count()
            };
            let open = Game::standard()
                .points()
                .filter(|point| !tried.contains(*point));
            at = open
                .min_by_key(|at| (std::cmp::Reverse(have(at)), index(*at)))
                .unwrap();
        }
    }

    #[test]
    fn trials_take_as_many_attacks_as_whole_games() {
        let mut game = Game::new(4, 4).unwrap();
        for (length, symbol) in [(3, 'a'), (2, 'b'), (2, 'c')] {
            game.add_ship(length, symbol, "ship").unwrap();
        }
        let yard = Yard::new(&game);
        let sample = Sample::draw(
            &yard,
            &Mixture::uniform(),
            400,
            &mut SeededRng::new(1),
            || false,
        );
        let sight = Sight::new(&game);
        let points = vec![Point::new(0, 0), Point::new(1, 1), Point::new(2, 1)];
        let sets = points.into_iter().map(CellSet::from).collect();
        let trials = race(&yard, &sight, &sample, sets, 1, 400, || false);
        assert!(
            trials.windows(2).all(|pair| trials[0].1 <= pair[1].1),
            "{trials:?}"
        );
        let all: Vec<usize> = (0..400).collect();
        let of = |fleets: &[usize], at: Point| {
            let sum: u32 = fleets
                .iter()
                .map(|fleet| plain_game(&yard, &sample, *fleet, at))
                .sum();
            f64::from(sum) / real(fleets.len())
        };
        // If only few fleets are left, trials do not play them out.
        let (set, mean) = trials[0];
        let at = set.first().unwrap();
        assert!(
            (of(&all, at) - mean).abs() < 0.25,
            "{at}: {mean}, {}",
            of(&all, at)
        );
    }

    #[test]
    fn without_time_nothing_is_tried() {
        let game = Game::standard();
        let yard = Yard::new(&game);
        let sample = Sample::draw(
            &yard,
            &Mixture::uniform(),
            400,
            &mut SeededRng::new(1),
            || false,
        );
        let mut sight = Sight::new(&game);
        sight.record(Point::new(0, 0), AttackResult::Miss);
        let sets = vec![Point::new(4, 4).into(), Point::new(5, 5).into()];
        assert_eq!(race(&yard, &sight, &sample, sets, 1, 400, || true), []);
    }
}
