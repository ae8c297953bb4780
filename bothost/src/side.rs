use battleship::twist;

/// One of the two players of a lane, in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one named first.
    One,
    /// The one named second.
    Two,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::One, Side::Two];

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Side::One => 0,
            Side::Two => 1,
        }
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::One => Side::Two,
            Side::Two => Side::One,
        }
    }
}

/// The first player of a lane is the first of the twist game.
impl From<Side> for twist::Side {
    fn from(side: Side) -> twist::Side {
        twist::Side::BOTH[side.index()]
    }
}
