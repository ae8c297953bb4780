//! Histograms as text.

/// Returns how many numbers share a line so that those from `min` to `max` take no more than `max_lines`: 1, 2, 5,
/// 10, 20 and so on. Empty if there are to be no lines.
pub(super) fn step(min: u32, max: u32, max_lines: usize) -> Option<u64> {
    let max_lines = u64::try_from(max_lines).unwrap_or(u64::MAX);
    if max_lines == 0 {
        return None;
    }
    let (min, max) = (u64::from(min), u64::from(max));
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| power.saturating_mul(digit)));
    steps.find(|step| max / step - min / step < max_lines)
}

/// Returns a line for each labelled count: the label, a bar in proportion to the count, and the count.
pub(super) fn lines(rows: &[(String, u64)], width: usize) -> Vec<String> {
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let label = widest(&mut rows.iter().map(|(label, _)| label.len()));
    let digits = widest(&mut rows.iter().map(|(_, count)| count.to_string().len()));
    let room = width.saturating_sub(label + digits + 2).max(1);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    rows.iter()
        .map(|(name, count)| {
            let bar = "#".repeat(length(*count, most, room));
            format!("{name:>label$} {bar:<room$} {count:>digits$}")
        })
        .collect()
}

/// Returns the length of the bar of `count` where the bar of `most` has `room`; what there is shows, however little.
fn length(count: u64, most: u64, room: usize) -> usize {
    let (count, most, room) = (u128::from(count), u128::from(most.max(1)), room as u128);
    let nearest = (2 * count * room + most) / (2 * most);
    let shown = nearest.max(u128::from(count > 0));
    usize::try_from(shown).expect("no more than the room, which was a usize")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_round_step_that_fits_is_taken() {
        assert_eq!(step(1, 10, 10), Some(1));
        assert_eq!(step(1, 10, 9), Some(2));
        assert_eq!(step(17, 100, 20), Some(5));
        assert_eq!(step(0, u32::MAX, 1), Some(5_000_000_000));
        assert_eq!(step(1, 10, 0), None);
    }

    #[test]
    fn even_the_rarest_number_has_a_bar() {
        assert_eq!(
            [0, 1, 500, 1000].map(|count| length(count, 1000, 10)),
            [0, 1, 5, 10]
        );
    }
}
