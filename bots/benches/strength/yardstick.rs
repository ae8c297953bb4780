//! The exact count of the bots' unit tests, and what it needs of `good`.

#[path = "../../src/good/cells.rs"]
mod cells;
#[path = "../../tests/exact/mod.rs"]
#[allow(dead_code, reason = "its tests run with the unit tests")]
mod exact;
#[path = "../../src/good/sight.rs"]
#[allow(dead_code, reason = "the sample needs more of it than the count")]
mod sight;

pub(crate) use exact::Greedy;
