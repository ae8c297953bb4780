//! The lengths of texts that come from builds, which can be of any length.

/// The most bytes of a build's log, or of a check's report, that are kept.
pub(crate) const LONGEST_LOG: usize = 64 << 10;

/// Returns `log` with its beginning and its end only, if it is longer than [`LONGEST_LOG`]: a
/// compiler's first error is at the beginning, and why the build ended is at the end.
pub(crate) fn kept(log: &str) -> String {
    if log.len() <= LONGEST_LOG {
        return log.to_owned();
    }
    let is_boundary = |at: &usize| log.is_char_boundary(*at);
    let head = (0..=LONGEST_LOG / 2).rev().find(is_boundary).unwrap_or(0);
    let tail = (log.len() - LONGEST_LOG / 2..=log.len())
        .find(is_boundary)
        .unwrap_or(log.len());
    format!(
        "{}\n[{} bytes left out]\n{}",
        &log[..head],
        tail - head,
        &log[tail..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_loses_its_middle() {
        assert_eq!(kept("a\nb"), "a\nb");
        let whole = "é".repeat(LONGEST_LOG / 2);
        assert_eq!(kept(&whole), whole);
        let long = kept(&format!("begin{}end", "é".repeat(100_000)));
        assert!(long.starts_with("beginé") && long.ends_with("éend"));
        assert!(long.contains(" bytes left out]\n") && long.len() < LONGEST_LOG + 50);
    }
}
