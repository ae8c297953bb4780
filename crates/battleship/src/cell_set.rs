//! What both sets of cells have in common: that of the course's boards, whose bits are one number,
//! and that of the twist's grid.

/// Gives a set the operators and methods that follow from its iterator. The three expressions are
/// the union of `a` and `b`, their intersection, and `a` without `b`.
macro_rules! cell_set {
    ($set:ident of $cell:ident by $cells:ident, |$a:ident, $b:ident| $or:expr, $and:expr, $minus:expr) => {
        impl $set {
            /// Returns whether the set has no cells.
            #[inline]
            pub fn is_empty(self) -> bool {
                self == $set::EMPTY
            }

            /// Returns whether every cell of this set is in `other`.
            #[inline]
            pub fn is_subset(self, other: $set) -> bool {
                (self - other).is_empty()
            }

            /// Returns the first cell, row by row, or `None` from an empty set.
            #[inline]
            pub fn first(self) -> Option<$cell> {
                self.iter().next()
            }

            /// Returns a uniformly random cell, or `None` from an empty set.
            pub fn choose(self, rng: &mut $crate::seeded::SeededRng) -> Option<$cell> {
                // By the place in row order and not by bits, so that a seed gives the same
                // play with any representation.
                self.iter().nth(rng.below(self.len()))
            }
        }

        /// The cells that are in one of the sets or in both.
        impl std::ops::BitOr for $set {
            type Output = $set;
            #[inline]
            fn bitor(self, other: $set) -> $set {
                let $a = self;
                let $b = other;
                $or
            }
        }

        /// The cells that are in both sets.
        impl std::ops::BitAnd for $set {
            type Output = $set;
            #[inline]
            fn bitand(self, other: $set) -> $set {
                let $a = self;
                let $b = other;
                $and
            }
        }

        /// The cells of the first set that are not in the second.
        impl std::ops::Sub for $set {
            type Output = $set;
            #[inline]
            fn sub(self, other: $set) -> $set {
                let $a = self;
                let $b = other;
                $minus
            }
        }

        impl std::ops::BitOrAssign for $set {
            #[inline]
            fn bitor_assign(&mut self, other: $set) {
                *self = *self | other;
            }
        }

        impl std::ops::BitAndAssign for $set {
            #[inline]
            fn bitand_assign(&mut self, other: $set) {
                *self = *self & other;
            }
        }

        impl std::ops::SubAssign for $set {
            #[inline]
            fn sub_assign(&mut self, other: $set) {
                *self = *self - other;
            }
        }

        impl FromIterator<$cell> for $set {
            fn from_iter<I: IntoIterator<Item = $cell>>(cells: I) -> $set {
                cells.into_iter().map($set::from).collect()
            }
        }

        /// All cells of all the sets.
        impl FromIterator<$set> for $set {
            fn from_iter<I: IntoIterator<Item = $set>>(sets: I) -> $set {
                sets.into_iter().fold($set::EMPTY, |all, set| all | set)
            }
        }

        impl IntoIterator for $set {
            type Item = $cell;
            type IntoIter = $cells;

            #[inline]
            fn into_iter(self) -> $cells {
                self.iter()
            }
        }

        impl std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let cells = self.iter().map(|cell| cell.to_string());
                write!(f, "{{{}}}", cells.collect::<Vec<_>>().join(", "))
            }
        }
    };
}

pub(crate) use cell_set;
