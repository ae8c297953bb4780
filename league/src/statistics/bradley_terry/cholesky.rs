//! Linear equations with a positive definite matrix, by the Cholesky decomposition.

/// A symmetric positive definite matrix, taken apart so that equations with it are quickly solved.
#[derive(Debug)]
pub(super) struct Cholesky {
    size: usize,
    /// The lower triangle, row by row; each row is padded to the width of the matrix.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Takes apart a matrix, of which the lower triangle is read, row by row.
    ///
    /// Where rounding left no positive pivot it is lifted a little: the result then belongs to a matrix nearby
    /// that is positive definite for sure.
    pub(super) fn of(mut matrix: Vec<f64>, size: usize) -> Cholesky {
        let largest =
            (0..size).map(|row| matrix[row * size + row]).fold(f64::MIN_POSITIVE, f64::max);
        for row in 0..size {
            for column in 0..=row {
                let (above, current) = matrix.split_at_mut(row * size);
                let product = if column == row {
                    dot(&current[..column], &current[..column])
                } else {
                    dot(&current[..column], &above[column * size..column * size + column])
                };
                let rest = current[column] - product;
                current[column] = if column == row {
                    rest.max(largest * f64::EPSILON).sqrt()
                } else {
                    rest / above[column * size + column]
                };
            }
        }
        Cholesky { size, lower: matrix }
    }

    /// The vector that the matrix takes to `right`.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        for row in 0..self.size {
            let known = dot(&self.row(row)[..row], &right[..row]);
            right[row] = (right[row] - known) / self.row(row)[row];
        }
        for row in (0..self.size).rev() {
            right[row] /= self.row(row)[row];
            let found = right[row];
            for (rest, factor) in right.iter_mut().zip(&self.row(row)[..row]) {
                *rest -= factor * found;
            }
        }
        right
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.lower[row * self.size..(row + 1) * self.size]
    }
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| one * two).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equation_is_solved() {
        let matrix = vec![4.0, 0.0, 0.0, 2.0, 5.0, 0.0, -2.0, 1.0, 6.0];
        let solution = Cholesky::of(matrix, 3).solve(vec![2.0, 15.0, 18.0]);
        for (actual, expected) in solution.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((actual - expected).abs() < 1e-12, "{actual}, not {expected}");
        }
    }

    #[test]
    fn a_matrix_that_is_singular_gives_numbers_all_the_same() {
        let solution = Cholesky::of(vec![1.0, 0.0, -1.0, 1.0], 2).solve(vec![1.0, -1.0]);
        assert!(solution.iter().all(|value| value.is_finite()), "{solution:?}");
    }
}
