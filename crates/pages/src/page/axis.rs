//! Scales of charts: from numbers to places on a line, with round ticks.

/// A scale from values to units of a drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_log: bool,
}

/// A round value on an axis.
#[derive(Clone, Debug)]
pub(super) struct Tick {
    /// Its place, in units of the drawing.
    pub(super) at: String,
    /// Its label.
    pub(super) label: String,
}

impl Axis {
    /// Returns an axis on which `values`, low and high, lie at `places`, from and to.
    pub(super) fn linear([low, high]: [f64; 2], [from, to]: [f64; 2]) -> Axis {
        // A single value lies in the middle.
        let [low, high] = if high > low {
            [low, high]
        } else {
            [low - 1.0, low + 1.0]
        };
        Axis {
            low,
            high,
            from,
            to,
            is_log: false,
        }
    }

    /// Returns an axis on which each factor of ten has the same length. Both values are positive.
    pub(super) fn log([low, high]: [f64; 2], places: [f64; 2]) -> Axis {
        let ends = [low.log10().floor(), high.log10().ceil()];
        Axis {
            is_log: true,
            ..Axis::linear(ends, places)
        }
    }

    /// Returns where `value` is.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if self.is_log {
            value.max(f64::MIN_POSITIVE).log10()
        } else {
            value
        };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Returns the same as text.
    pub(super) fn place(&self, value: f64) -> String {
        short(self.at(value))
    }

    /// Returns the same as [`Axis::ticks`] for a drawing that is stretched, of 1000 units: their
    /// places in percent.
    pub(super) fn shares(&self, most: u32, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let mut ticks = self.ticks(most, label);
        for tick in &mut ticks {
            tick.at = format!("{}%", tick.at.parse::<f64>().unwrap_or(0.0) / 10.0);
        }
        ticks
    }

    /// Returns at most about `most` round values, with what `label` says of them.
    pub(super) fn ticks(&self, most: u32, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let tick = |value: f64| Tick {
            at: self.place(value),
            label: label(value),
        };
        if self.is_log {
            let powers = (0..40).map(|power| self.low + f64::from(power));
            return powers
                .take_while(|power| *power <= self.high)
                .map(|power| tick(10_f64.powf(power)))
                .collect();
        }
        let step = round_step((self.high - self.low) / f64::from(most.max(1)));
        let first = (self.low / step).ceil();
        let values = (0..1000).map(|number| (first + f64::from(number)) * step);
        // Adding zero turns -0 into 0.
        values
            .take_while(|value| *value <= self.high + step / 1e6)
            .map(|value| tick(value + 0.0))
            .collect()
    }
}

/// Returns the least of 1, 2, 5, 10, 20 and so on that is not less than `step`, also below 1.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Returns a place in a drawing with one decimal, and without one that says nothing: pages have
/// many of these.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        let labels = |axis: Axis| -> Vec<String> {
            axis.ticks(5, short)
                .into_iter()
                .map(|tick| tick.label)
                .collect()
        };
        assert_eq!(
            labels(Axis::linear([-320.0, 480.0], [0.0, 100.0])),
            ["-200", "0", "200", "400"]
        );
        assert_eq!(
            labels(Axis::linear([17.0, 100.0], [0.0, 1.0])),
            ["20", "40", "60", "80", "100"]
        );
        assert_eq!(
            labels(Axis::log([3.0, 2000.0], [0.0, 1.0])),
            ["1", "10", "100", "1000", "10000"]
        );
        assert_eq!(
            labels(Axis::linear([5.0, 5.0], [0.0, 1.0])),
            ["4", "4.5", "5", "5.5", "6"]
        );
    }

    #[test]
    fn values_beyond_an_axis_lie_at_its_ends() {
        let axis = Axis::linear([0.0, 10.0], [100.0, 200.0]);
        let places = [-5.0, 0.0, 2.5, 99.0].map(|value| axis.place(value));
        assert_eq!(places, ["100", "100", "125", "200"]);
        assert_eq!(Axis::log([1.0, 100.0], [0.0, 2.0]).place(10.0), "1");
    }
}
