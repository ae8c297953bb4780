//! A largest matching in a graph that need not be bipartite (J. Edmonds, "Paths, Trees, and
//! Flowers", 1965): Swiss pairings without rematches need one.

use std::collections::VecDeque;

/// As many pairs as possible of players who may meet.
///
/// A matching is largest if and only if no augmenting path exists: one that begins and ends at a
/// single and whose edges are by turns outside and inside the matching (C. Berge, 1957). Swapping
/// its edges makes one more pair. A plain search misses paths around an odd circle, which may reach
/// a player at the wrong turn; Edmonds treats such a circle, a blossom, as one player. This is the
/// version with bases and no contracted graph, in time n^3 for n players, of which a contest has at
/// most a thousand.
#[derive(Clone)]
pub(super) struct Matching<'a> {
    may_meet: &'a dyn Fn(usize, usize) -> bool,
    /// Whether each player was not taken out.
    left: Vec<bool>,
    mate: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    /// Returns the most pairs among the players below `players`, at first those of neighbours.
    pub(super) fn largest(
        players: usize,
        may_meet: &'a dyn Fn(usize, usize) -> bool,
    ) -> Matching<'a> {
        let mut matching = Matching {
            may_meet,
            left: vec![true; players],
            mate: vec![None; players],
        };
        for a in 0..players {
            if matching.mate[a].is_none() {
                // Greedy pairs come first. They are most of the result, so few searches are left,
                // and they make neighbours meet where `grow` has no reason to change it.
                if let Some(b) =
                    (a + 1..players).find(|&b| matching.mate[b].is_none() && may_meet(a, b))
                {
                    matching.mate[a] = Some(b);
                    matching.mate[b] = Some(a);
                }
            }
        }
        matching.grow();
        matching
    }

    /// Returns the number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.mate.iter().flatten().count() / 2
    }

    /// Returns the player that `a` is paired with; `None` for a single.
    pub(super) fn mate(&self, a: usize) -> Option<usize> {
        self.mate[a]
    }

    /// Takes `a` out. Its mate stays, as a single.
    pub(super) fn take_out(&mut self, a: usize) {
        self.left[a] = false;
        if let Some(mate) = self.mate[a].take() {
            // The mate is a single now, from which `grow` may find another path.
            self.mate[mate] = None;
        }
    }

    /// Adds as many pairs as possible. A single from which no augmenting path starts now has none
    /// later either (Edmonds), so each is tried once.
    pub(super) fn grow(&mut self) {
        for single in 0..self.mate.len() {
            if self.left[single]
                && self.mate[single].is_none()
                && let Some((end, before)) = Search::new(self, single).path()
            {
                self.swap_along(end, &before);
            }
        }
    }

    /// Swaps the edges of an augmenting path, from its end on, so that both its ends get a mate.
    fn swap_along(&mut self, end: usize, before: &[Option<usize>]) {
        let mut next = Some(end);
        while let Some(a) = next {
            let b = before[a].expect("every second player of a path was reached from another");
            // The old mate of `b`, which is overwritten below, is the next to get a new one.
            next = self.mate[b];
            self.mate[a] = Some(b);
            self.mate[b] = Some(a);
        }
    }
}

/// The search for a path from one single to another, breadth first.
struct Search<'m, 'a> {
    matching: &'m Matching<'a>,
    root: usize,
    /// The player from which each one was reached by an edge outside the matching; the next edge
    /// leads on to its mate. The mates are not in here: from a mate the way back is the edge of the
    /// pair.
    before: Vec<Option<usize>>,
    /// The base of the blossom that each player is in, the one nearest to the root; the player
    /// itself if it is in none.
    base: Vec<usize>,
    seen: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'m, 'a> Search<'m, 'a> {
    fn new(matching: &'m Matching<'a>, root: usize) -> Search<'m, 'a> {
        let players = matching.mate.len();
        let mut seen = vec![false; players];
        seen[root] = true;
        let before = vec![None; players];
        let base = (0..players).collect();
        Search {
            matching,
            root,
            before,
            base,
            seen,
            queue: VecDeque::from([root]),
        }
    }

    /// Returns the end of an augmenting path, and from where every second player on it was reached;
    /// `None` if there is none.
    fn path(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(a) = self.queue.pop_front() {
            for b in 0..self.base.len() {
                let leads_on = self.matching.left[b]
                    && self.base[a] != self.base[b]
                    && self.matching.mate[a] != Some(b)
                    && (self.matching.may_meet)(a, b);
                if !leads_on {
                    continue;
                }
                // `b` is in another blossom than `a`, or in none, and can be reached from `a`
                // outside the matching. Three cases: it has been reached at an even distance before
                // (then the circle is odd), it has not been reached (the tree grows by it and its
                // mate), or it has at an odd distance (an even circle, which adds nothing).
                let mate = self.matching.mate[b];
                if b == self.root || mate.is_some_and(|mate| self.before[mate].is_some()) {
                    self.close_blossom(a, b);
                } else if self.before[b].is_none() {
                    self.before[b] = Some(a);
                    // A single that is not the root is the end of an augmenting path.
                    let Some(mate) = mate else {
                        return Some((b, self.before));
                    };
                    self.seen[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        None
    }

    /// Makes one player of the odd circle that `a` and `b` close, and continues the search from all
    /// of it: around a circle of odd length each member can be reached at either turn.
    fn close_blossom(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut inside = vec![false; self.base.len()];
        self.mark(a, base, b, &mut inside);
        self.mark(b, base, a, &mut inside);
        for player in 0..self.base.len() {
            // The base decides, so that blossoms within the new one are taken along.
            if inside[self.base[player]] {
                self.base[player] = base;
                if !self.seen[player] {
                    self.seen[player] = true;
                    self.queue.push_back(player);
                }
            }
        }
    }

    /// Returns the last base that the ways from the root to `a` and to `b` have in common: the base
    /// of their blossom.
    fn common_base(&self, mut a: usize, mut b: usize) -> usize {
        // One way is marked up to the root, then the other is followed until it meets a mark.
        let mut on_the_way = vec![false; self.base.len()];
        loop {
            a = self.base[a];
            on_the_way[a] = true;
            match self.grandparent(a) {
                Some(further) => a = further,
                None => break,
            }
        }
        loop {
            b = self.base[b];
            if on_the_way[b] {
                return b;
            }
            b = self.grandparent(b).expect("both ways begin at the root");
        }
    }

    /// Marks the way from `a` back to `base` as inside a blossom, and lets it be walked from `from`
    /// as well, the other way around the circle.
    fn mark(&mut self, mut a: usize, base: usize, mut from: usize, inside: &mut [bool]) {
        while self.base[a] != base {
            let mate = self.matching.mate[a].expect("only the root is single on the way");
            inside[self.base[a]] = true;
            inside[self.base[mate]] = true;
            // Members that were reached at an even distance get a predecessor too, so that a path
            // may pass through the circle in the direction in which they come at an odd one.
            self.before[a] = Some(from);
            from = mate;
            a = self.grandparent(a).expect("the way leads back to the base");
        }
    }

    fn grandparent(&self, a: usize) -> Option<usize> {
        self.before[self.matching.mate[a]?]
    }
}

#[cfg(test)]
mod tests {
    use wire::seeds::SeededRng;

    use super::super::tests::most_pairs;
    use super::*;

    #[test]
    fn a_matching_is_as_large_as_possible() {
        let mut rng = SeededRng::new(1);
        for round in 0..4_000 {
            let players = 2 + round % 11;
            let one_in = 1 + rng.below(6);
            let mut friends = vec![false; players * players];
            for a in 0..players {
                for b in 0..a {
                    let may_meet = rng.below(one_in) == 0;
                    friends[a * players + b] = may_meet;
                    friends[b * players + a] = may_meet;
                }
            }
            let may_meet = |a: usize, b: usize| friends[a * players + b];
            let mut matching = Matching::largest(players, &may_meet);
            assert_eq!(matching.pairs(), most_pairs(players, &may_meet));
            assert!((0..players).all(|a| {
                matching
                    .mate(a)
                    .is_none_or(|b| may_meet(a, b) && matching.mate(b) == Some(a))
            }));

            let gone = rng.below(players);
            matching.take_out(gone);
            matching.grow();
            assert_eq!(
                matching.pairs(),
                most_pairs(players, &|a, b| a != gone && b != gone && may_meet(a, b))
            );
        }
    }

    /// Two triangles joined by a bridge: pairing from either side has to go around an odd circle.
    #[test]
    fn a_path_leads_around_an_odd_circle() {
        let edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)];
        let may_meet = |a: usize, b: usize| edges.contains(&(a.min(b), a.max(b)));
        let mut matching = Matching::largest(6, &may_meet);
        assert_eq!(matching.pairs(), 3);
        matching.take_out(0);
        matching.take_out(5);
        matching.grow();
        assert_eq!(matching.pairs(), 2);
    }
}
