//! Histograms as text.

use league::statistics::distribution::Distribution;

/// Returns a line with a bar of `#` for each number between the least and the largest, or for each
/// few of them so that there are at most `max_lines`. A line is no wider than `width` columns, but
/// its longest bar has at least one `#`.
///
/// A line stands for 1, 2 or 5 numbers, or for one of these with zeros behind it, and begins at a
/// multiple of that.
pub(crate) fn histogram(numbers: &Distribution, width: usize, max_lines: u64) -> Vec<String> {
    let (Some(min), Some(max)) = (numbers.min(), numbers.max()) else {
        return Vec::new();
    };
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if max / step - min / step < max_lines {
            break;
        }
        step = 10_u64.pow(step.ilog10()) * factor;
    }
    let mut rows: Vec<(String, u64)> = Vec::new();
    for line in min / step..=max / step {
        let first = line * step;
        let label = if step == 1 {
            first.to_string()
        } else {
            format!("{first}-{}", first + step - 1)
        };
        let inside = numbers.iter().filter(|(value, _)| value / step == line);
        rows.push((label, inside.map(|(_, count)| count).sum()));
    }
    let most = rows
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0)
        .max(1);
    let widest = rows.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    let digits = most.to_string().len();
    let room = width.saturating_sub(widest + digits + 2).max(1);
    let mut lines = Vec::new();
    for (label, count) in rows {
        // Rounded, but never down to nothing where there is something.
        let length = (2 * count * room as u64 + most) / (2 * most);
        let bar = "#".repeat(usize::try_from(length.max(count.min(1))).unwrap_or(room));
        lines.push(format!("{label:>widest$} {bar:<room$} {count:>digits$}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: impl IntoIterator<Item = u64>) -> Distribution {
        numbers.into_iter().collect()
    }

    #[test]
    fn a_number_has_a_line() {
        assert_eq!(
            histogram(&of([9, 10, 10, 10, 10, 12]), 13, 4),
            [
                " 9 ##       1",
                "10 ######## 4",
                "11          0",
                "12 ##       1",
            ]
        );
    }

    #[test]
    fn numbers_share_lines_where_they_do_not_fit() {
        assert_eq!(
            histogram(&of(17..=100), 24, 5),
            [
                "   0-49 #########     33",
                "  50-99 ############# 50",
                "100-149 #              1"
            ]
        );
        for (max_lines, first) in [
            (20, " 15-19 "),
            (10, " 10-19 "),
            (5, "   0-49 "),
            (1, "0-199 "),
        ] {
            let lines = histogram(&of(17..=100), 24, max_lines);
            assert!(lines[0].contains(first), "{max_lines}: {lines:?}");
        }
        for max_lines in 1..30 {
            let lines = histogram(&of([1, 1000]), 40, max_lines);
            assert!(lines.len() as u64 <= max_lines && !lines.is_empty());
            assert!(lines.iter().all(|line| line.len() <= 40), "{lines:?}");
        }
    }

    #[test]
    fn the_rarest_number_has_a_bar() {
        let numbers = of([1].into_iter().chain([2; 1000]));
        assert_eq!(histogram(&numbers, 17, 2)[0], "1 #             1");
    }

    #[test]
    fn without_numbers_there_are_no_lines() {
        assert!(histogram(&Distribution::default(), 40, 10).is_empty());
        assert_eq!(histogram(&of([0, 7]), 0, 1), ["0-9 # 2"]);
    }
}
