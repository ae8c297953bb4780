//! Linear equations with a positive definite matrix, by the Cholesky decomposition.

/// The lower triangle L of a symmetric positive definite matrix A = L Lᵀ, with which equations are
/// solved in time n^2.
#[derive(Debug)]
pub(super) struct Cholesky {
    size: usize,
    /// The lower triangle, row by row; each row is padded to the width of the matrix.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Decomposes a matrix, given row by row. Only the lower triangle is read.
    ///
    /// If rounding leaves no positive pivot, it is raised a little: the result then belongs to a
    /// matrix nearby that is positive definite. A failed decomposition would leave a contest
    /// without ratings for a digit that is not shown.
    pub(super) fn of(mut matrix: Vec<f64>, size: usize) -> Cholesky {
        let largest = (0..size)
            .map(|row| matrix[row * size + row])
            .fold(f64::MIN_POSITIVE, f64::max);
        for row in 0..size {
            for column in 0..=row {
                // Row by row and in place (Cholesky-Banachiewicz): an entry needs only the rows
                // above and its own row to the left, which are entries of L already. Both are
                // contiguous, so the inner product is fast.
                let (above, current) = matrix.split_at_mut(row * size);
                let product = if column == row {
                    dot(&current[..column], &current[..column])
                } else {
                    dot(
                        &current[..column],
                        &above[column * size..column * size + column],
                    )
                };
                let rest = current[column] - product;
                current[column] = if column == row {
                    // The bound is relative to the largest entry, as is the rounding error of
                    // `rest`.
                    rest.max(largest * f64::EPSILON).sqrt()
                } else {
                    rest / above[column * size + column]
                };
            }
        }
        Cholesky {
            size,
            lower: matrix,
        }
    }

    /// Returns the vector that the matrix takes to `right`.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        // L y = right from the top down, then Lᵀ x = y from the bottom up. The second walks along
        // rows of L, which are the columns of its transpose.
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
            assert!(
                (actual - expected).abs() < 1e-12,
                "{actual}, not {expected}"
            );
        }
    }

    #[test]
    fn a_singular_matrix_gives_finite_numbers() {
        let solution = Cholesky::of(vec![1.0, 0.0, -1.0, 1.0], 2).solve(vec![1.0, -1.0]);
        assert!(
            solution.iter().all(|value| value.is_finite()),
            "{solution:?}"
        );
    }
}
