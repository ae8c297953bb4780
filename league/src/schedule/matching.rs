//! A largest matching in a graph that need not be bipartite (J. Edmonds, "Paths, Trees, and Flowers", 1965): Swiss
//! pairings without rematches need one.

use std::collections::VecDeque;

/// As many pairs as possible of players who may meet, by the method of J. Edmonds ("Paths, Trees, and Flowers", 1965):
/// a matching grows along paths that begin and end at a single player, and an odd circle on the way (a blossom) is
/// treated as one player.
#[derive(Clone)]
pub(super) struct Matching<'a> {
    may_meet: &'a dyn Fn(usize, usize) -> bool,
    /// Who was not taken out.
    left: Vec<bool>,
    mate: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    /// The most pairs among the players below `players`. Neighbours are preferred.
    pub(super) fn largest(
        players: usize,
        may_meet: &'a dyn Fn(usize, usize) -> bool,
    ) -> Matching<'a> {
        let mut matching =
            Matching { may_meet, left: vec![true; players], mate: vec![None; players] };
        for a in 0..players {
            if matching.mate[a].is_none() {
                let single = |&b: &usize| matching.mate[b].is_none() && may_meet(a, b);
                if let Some(b) = (a + 1..players).find(single) {
                    matching.mate[a] = Some(b);
                    matching.mate[b] = Some(a);
                }
            }
        }
        matching.grow();
        matching
    }

    /// How many pairs there are.
    pub(super) fn pairs(&self) -> usize {
        self.mate.iter().flatten().count() / 2
    }

    /// Who is paired with `a`.
    pub(super) fn mate(&self, a: usize) -> Option<usize> {
        self.mate[a]
    }

    /// Takes `a` out. Its mate stays, as a single.
    pub(super) fn take_out(&mut self, a: usize) {
        self.left[a] = false;
        if let Some(mate) = self.mate[a].take() {
            self.mate[mate] = None;
        }
    }

    /// Adds as many pairs as there can be. A single from whom no path leads on now will have none later either, so each
    /// is tried once.
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

    /// Pairs the players of a path anew, from its end on, so that both its ends get a mate.
    fn swap_along(&mut self, end: usize, before: &[Option<usize>]) {
        let mut next = Some(end);
        while let Some(a) = next {
            let b = before[a].expect("every second player of a path was reached from another");
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
    /// From whom a player was reached who then leads on to its mate.
    before: Vec<Option<usize>>,
    /// The foremost player of the blossom that a player is in; itself if it is in none.
    base: Vec<usize>,
    seen: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'m, 'a> Search<'m, 'a> {
    fn new(matching: &'m Matching<'a>, root: usize) -> Search<'m, 'a> {
        let players = matching.mate.len();
        let mut seen = vec![false; players];
        seen[root] = true;
        let (before, base) = (vec![None; players], (0..players).collect());
        Search { matching, root, before, base, seen, queue: VecDeque::from([root]) }
    }

    /// The end of the path, and from whom every second player was reached.
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
                let mate = self.matching.mate[b];
                if b == self.root || mate.is_some_and(|mate| self.before[mate].is_some()) {
                    self.close_blossom(a, b);
                } else if self.before[b].is_none() {
                    self.before[b] = Some(a);
                    let Some(mate) = mate else { return Some((b, self.before)) };
                    self.seen[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        None
    }

    /// The odd circle that `a` and `b` close becomes one player, from which the search continues.
    fn close_blossom(&mut self, a: usize, b: usize) {
        let base = self.where_they_part(a, b);
        let mut inside = vec![false; self.base.len()];
        self.mark(a, base, b, &mut inside);
        self.mark(b, base, a, &mut inside);
        for player in 0..self.base.len() {
            if inside[self.base[player]] {
                self.base[player] = base;
                if !self.seen[player] {
                    self.seen[player] = true;
                    self.queue.push_back(player);
                }
            }
        }
    }

    /// The last player whom the ways from the root to `a` and to `b` have in common.
    fn where_they_part(&self, mut a: usize, mut b: usize) -> usize {
        let mut on_the_way = vec![false; self.base.len()];
        loop {
            a = self.base[a];
            on_the_way[a] = true;
            match self.two_before(a) {
                Some(further) => a = further,
                None => break,
            }
        }
        loop {
            b = self.base[b];
            if on_the_way[b] {
                return b;
            }
            b = self.two_before(b).expect("both ways begin at the root");
        }
    }

    /// Marks the way from `a` back to `base` as inside a blossom, and lets it be walked from `from` as well.
    fn mark(&mut self, mut a: usize, base: usize, mut from: usize, inside: &mut [bool]) {
        while self.base[a] != base {
            let mate = self.matching.mate[a].expect("only the root is single on the way");
            inside[self.base[a]] = true;
            inside[self.base[mate]] = true;
            self.before[a] = Some(from);
            from = mate;
            a = self.two_before(a).expect("the way leads back to the base");
        }
    }

    fn two_before(&self, a: usize) -> Option<usize> {
        self.before[self.matching.mate[a]?]
    }
}

#[cfg(test)]
mod tests {
    use battleship::seeded::SeededRng;

    use super::super::testing::most_pairs;
    use super::*;

    #[test]
    fn there_are_as_many_pairs_as_there_can_be() {
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
                matching.mate(a).is_none_or(|b| may_meet(a, b) && matching.mate(b) == Some(a))
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
