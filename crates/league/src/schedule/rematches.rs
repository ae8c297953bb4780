//! Pairs the players of a Swiss round with as few rematches as possible.

use super::matching::Matching;

/// Pairs an even number of players, the best first, with as few rematches as possible. As far as
/// that allows it, each player, from the best on, meets the best of those below.
///
/// The work is bounded: for each possible partner of a player, at most two searches for another
/// path in a matching that exists already. Backtracking over pairs, as a person does it, takes
/// exponential time in late rounds.
pub(super) fn pair_up(order: &[usize], meetings: &dyn Fn(usize, usize) -> u32) -> Vec<[usize; 2]> {
    let meetings = |a: usize, b: usize| meetings(order[a], order[b]);
    let fresh = |a: usize, b: usize| meetings(a, b) == 0;
    // The largest set of pairs that have not met yet. What it leaves single has to meet again, so
    // its size fixes the number of rematches, and every later choice may only keep that number.
    let mut matching = Matching::largest(order.len(), &fresh);
    let mut waiting: Vec<usize> = (0..order.len()).collect();
    let mut pairs = Vec::with_capacity(order.len() / 2);
    while !waiting.is_empty() {
        let first = waiting.remove(0);
        let mut partners = waiting.clone();
        // The sort is stable: partners that the first has met equally often stay in the order of
        // the standings.
        partners.sort_by_key(|&partner| meetings(first, partner));
        // The first partner that costs no rematch more. One always exists: the first's mate in the
        // matching, or, if it is a single there, another single.
        let (partner, rest) = partners
            .into_iter()
            .find_map(|partner| {
                Some((
                    partner,
                    without(&matching, first, partner, fresh(first, partner))?,
                ))
            })
            .expect("one of the partners is that of the best pairing there is");
        waiting.retain(|&other| other != partner);
        pairs.push([order[first], order[partner]]);
        matching = rest;
    }
    pairs
}

/// Returns the fewest rematches with which these players can be paired.
pub(super) fn fewest_rematches(order: &[usize], meetings: &dyn Fn(usize, usize) -> u32) -> usize {
    order.len() / 2
        - Matching::largest(order.len(), &|a, b| meetings(order[a], order[b]) == 0).pairs()
}

/// Returns the matching of the others if `a` and `b` meet, or `None` if the others then need
/// another rematch.
fn without<'a>(matching: &Matching<'a>, a: usize, b: usize, fresh: bool) -> Option<Matching<'a>> {
    let mut rest = matching.clone();
    rest.take_out(a);
    rest.take_out(b);
    // Taking out a pair of the matching leaves the rest as large as it can be. Else one or two
    // mates are single now.
    if matching.mate(a) != Some(b) {
        rest.grow();
    }
    // The invariant of the loop above: this pair and the rest together have as many fresh pairs as
    // before.
    (rest.pairs() + usize::from(fresh) >= matching.pairs()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(order: &[usize], met: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let meetings = |a, b| {
            met.iter()
                .filter(|&&pair| pair == [a, b] || pair == [b, a])
                .count()
        };
        pair_up(order, &|a, b| u32::try_from(meetings(a, b)).unwrap())
    }

    #[test]
    fn players_meet_in_order_but_for_rematches() {
        for (order, met, expected) in [
            // Neighbours meet.
            (&[3, 1, 0, 2][..], &[][..], &[[3, 1], [0, 2]][..]),
            // Who has met meets the next below.
            (&[0, 1, 2, 3], &[[0, 1]], &[[0, 2], [1, 3]]),
            // The best give way where those below would have to meet again.
            (&[0, 1, 2, 3], &[[2, 3]], &[[0, 2], [1, 3]]),
            (
                &[0, 1, 2, 3, 4, 5],
                &[[2, 3], [2, 4], [2, 5]],
                &[[0, 2], [1, 3], [4, 5]],
            ),
            // A rematch that has to be is one only, and of those who met least.
            (
                &[0, 1, 2, 3],
                &[[0, 1], [0, 2], [0, 3], [0, 1], [0, 2]],
                &[[0, 3], [1, 2]],
            ),
        ] {
            assert_eq!(paired(order, met), expected);
        }
    }
}
