//! Lists of series in words, for messages.

/// A message names at most this many ranges: longer lists are not read.
const MOST_RANGES: usize = 8;

/// Returns these series, which count from 0 and rise, as a subject from 1: `series 4, 7 to 9 and 12`.
pub(super) fn series(numbers: &[usize]) -> String {
    let ranges: Vec<&[usize]> = numbers.chunk_by(|one, next| one + 1 == *next).collect();
    let mut words: Vec<String> = ranges
        .iter()
        .take(MOST_RANGES)
        .flat_map(|range| in_words(range))
        .collect();
    let more: usize = ranges
        .iter()
        .skip(MOST_RANGES)
        .map(|range| range.len())
        .sum();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() {
        return format!("series {last}");
    }
    format!("series {} and {last}", words.join(", "))
}

/// Returns `is` or `are`, for this many series.
pub(super) fn be(numbers: &[usize]) -> &'static str {
    if numbers.len() == 1 { "is" } else { "are" }
}

/// Returns that these series are missing, and, if the schedule `is_open`, the rounds that depend on them; `None` if
/// none are.
pub(super) fn missing(numbers: &[usize], is_open: bool) -> Option<String> {
    let later = if is_open {
        ", and so are all later rounds"
    } else {
        ""
    };
    (!numbers.is_empty()).then(|| format!("{} {} missing{later}", series(numbers), be(numbers)))
}

/// Returns a range in words. Two in a row are named one by one.
fn in_words(range: &[usize]) -> Vec<String> {
    match range {
        [first, _, .., last] if range.len() > 2 => vec![format!("{} to {}", first + 1, last + 1)],
        few => few.iter().map(|number| (number + 1).to_string()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_told_in_ranges() {
        for (numbers, text) in [
            (&[3][..], "series 4 is missing"),
            (&[3, 6, 7, 8, 11], "series 4, 7 to 9 and 12 are missing"),
            (&[0, 1], "series 1 and 2 are missing"),
            (&[0, 1, 4], "series 1, 2 and 5 are missing"),
        ] {
            assert_eq!(missing(numbers, false).unwrap(), text);
        }
        assert_eq!(missing(&[], false), None);
        assert_eq!(
            missing(&[1], true).unwrap(),
            "series 2 is missing, and so are all later rounds"
        );
    }

    #[test]
    fn a_long_list_is_cut_short() {
        let every_third: Vec<usize> = (0..100).map(|n| 3 * n).collect();
        assert_eq!(
            series(&every_third),
            "series 1, 4, 7, 10, 13, 16, 19, 22 and 92 more"
        );
    }
}
