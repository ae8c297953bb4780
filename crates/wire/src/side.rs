//! The two players of a game, and a value for each of them.

use std::ops::{Index, IndexMut};

use thiserror::Error;

/// One of the two players of a game, in the order in which they were named. The order does not say
/// who moves first.
///
/// ```
/// use wire::Side;
///
/// assert_eq!(Side::One.other(), Side::Two);
/// assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
/// assert_eq!(Side::try_from(1), Ok(Side::Two));
/// assert!(Side::try_from(2).is_err());
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "usize", try_from = "usize")]
pub enum Side {
    /// The player named first.
    One,
    /// The player named second.
    Two,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::One, Side::Two];

    /// Returns the opponent's side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::One => Side::Two,
            Side::Two => Side::One,
        }
    }

    /// Returns 0 for [`Side::One`] and 1 for [`Side::Two`].
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Side::One => 0,
            Side::Two => 1,
        }
    }
}

impl From<Side> for usize {
    fn from(side: Side) -> usize {
        side.index()
    }
}

/// A number that should be the index of a player is neither 0 nor 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no player {0}: players are 0 and 1")]
pub struct SideError(pub usize);

/// The side with that index.
impl TryFrom<usize> for Side {
    type Error = SideError;

    fn try_from(index: usize) -> Result<Side, SideError> {
        Side::BOTH.get(index).copied().ok_or(SideError(index))
    }
}

/// A value for each of the two players, indexed by [`Side`].
///
/// ```
/// use wire::{BySide, Side};
///
/// let mut wins = BySide::new(3, 5);
/// wins[Side::One] += 1;
/// assert_eq!(wins.map(|won| won * 10), BySide::from([40, 50]));
/// ```
///
/// It is serialized as an array of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
#[serde(from = "[T; 2]")]
pub struct BySide<T> {
    /// The value of [`Side::One`].
    pub one: T,
    /// The value of [`Side::Two`].
    pub two: T,
}

impl<T> BySide<T> {
    /// The two values, in order.
    #[must_use]
    pub const fn new(one: T, two: T) -> BySide<T> {
        BySide { one, two }
    }

    /// Calls `value` for each side, [`Side::One`] first.
    ///
    /// ```
    /// # use wire::{BySide, Side};
    /// let seeds = BySide::from_fn(|side| 100 + side.index());
    /// assert_eq!(seeds[Side::Two], 101);
    /// ```
    #[must_use]
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> BySide<T> {
        BySide {
            one: value(Side::One),
            two: value(Side::Two),
        }
    }

    /// Replaces each value by the result of `change`.
    ///
    /// ```
    /// # use wire::BySide;
    /// assert_eq!(BySide::new("a", "bcd").map(str::len), BySide::new(1, 3));
    /// ```
    #[must_use]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            one: change(self.one),
            two: change(self.two),
        }
    }

    /// References to both values.
    ///
    /// ```
    /// # use wire::BySide;
    /// let names = BySide::new("Popeye".to_owned(), "Bluto".to_owned());
    /// assert_eq!(names.as_ref().map(|name| name.len()), BySide::new(6, 5));
    /// ```
    #[must_use]
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide {
            one: &self.one,
            two: &self.two,
        }
    }

    /// Mutable references to both values.
    ///
    /// ```
    /// # use wire::BySide;
    /// let mut shots = BySide::new(1, 2);
    /// shots.as_mut().map(|shots| *shots += 1);
    /// assert_eq!(shots, BySide::new(2, 3));
    /// ```
    #[must_use = "`map` it, or take its fields"]
    pub const fn as_mut(&mut self) -> BySide<&mut T> {
        BySide {
            one: &mut self.one,
            two: &mut self.two,
        }
    }

    /// Mutable references to the value of `side` and to that of its opponent.
    ///
    /// ```
    /// # use wire::{BySide, Side};
    /// let mut coins = BySide::new(10, 10);
    /// let (winner, loser) = coins.own_and_other(Side::Two);
    /// *winner += *loser;
    /// *loser = 0;
    /// assert_eq!(coins, BySide::new(0, 20));
    /// ```
    #[must_use]
    pub const fn own_and_other(&mut self, side: Side) -> (&mut T, &mut T) {
        match side {
            Side::One => (&mut self.one, &mut self.two),
            Side::Two => (&mut self.two, &mut self.one),
        }
    }

    /// Each side with its value, in order.
    ///
    /// ```
    /// # use wire::{BySide, Side};
    /// let ready = BySide::new(true, false);
    /// let late = ready.iter().find(|(_, ready)| !**ready);
    /// assert_eq!(late, Some((Side::Two, &false)));
    /// ```
    pub fn iter(&self) -> std::array::IntoIter<(Side, &T), 2> {
        self.into_iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::One => &self.one,
            Side::Two => &self.two,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::One => &mut self.one,
            Side::Two => &mut self.two,
        }
    }
}

impl<T> From<[T; 2]> for BySide<T> {
    fn from([one, two]: [T; 2]) -> BySide<T> {
        BySide { one, two }
    }
}

impl<T> From<BySide<T>> for [T; 2] {
    fn from(BySide { one, two }: BySide<T>) -> [T; 2] {
        [one, two]
    }
}

/// Each side with its value, in order.
impl<T> IntoIterator for BySide<T> {
    type Item = (Side, T);
    type IntoIter = std::array::IntoIter<(Side, T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        [(Side::One, self.one), (Side::Two, self.two)].into_iter()
    }
}

/// Each side with a reference to its value, in order.
impl<'t, T> IntoIterator for &'t BySide<T> {
    type Item = (Side, &'t T);
    type IntoIter = std::array::IntoIter<(Side, &'t T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_ref().into_iter()
    }
}

impl<T: serde::Serialize> serde::Serialize for BySide<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [&self.one, &self.two].serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_serialized_as_an_array() {
        let limits = BySide::new(Some(5), None);
        let json = serde_json::to_string(&limits).unwrap();
        assert_eq!(json, "[5,null]");
        assert_eq!(
            serde_json::from_str::<BySide<Option<u32>>>(&json).unwrap(),
            limits
        );
        assert!(serde_json::from_str::<BySide<u32>>("[1,2,3]").is_err());
    }
}
