//! Small dense matrices: a product with a vector, and the solution of equations.

/// A matrix by rows.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        Matrix { columns, entries: vec![0.0; rows * columns] }
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.columns..(row + 1) * self.columns]
    }

    /// Adds the product with `vector` to `sums`, one a row.
    pub(super) fn add_product(&self, vector: &[f64], sums: &mut [f64]) {
        for (row, sum) in self.entries.chunks_exact(self.columns).zip(sums) {
            *sum += dot(row, vector);
        }
    }
}

/// Sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A square matrix factored for the solution of equations, by Crout's method with pivots.
#[derive(Clone, Debug)]
pub(super) struct Factored {
    lower_upper: Matrix,
    order: Vec<usize>,
}

impl Factored {
    pub(super) fn new(mut matrix: Matrix) -> Self {
        let n = matrix.columns;
        let mut order: Vec<usize> = (0..n).collect();
        for column in 0..n {
            let size = |row: &usize| matrix.row(*row)[column].abs();
            let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
            if pivot != column {
                order.swap(pivot, column);
                for j in 0..n {
                    matrix.entries.swap(pivot * n + j, column * n + j);
                }
            }
            for row in column + 1..n {
                let factor = matrix.entries[row * n + column] / matrix.entries[column * n + column];
                matrix.entries[row * n + column] = factor;
                for j in column + 1..n {
                    matrix.entries[row * n + j] -= factor * matrix.entries[column * n + j];
                }
            }
        }
        Factored { lower_upper: matrix, order }
    }

    /// The `x` whose product with the matrix is `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.order.len();
        let mut x: Vec<f64> = self.order.iter().map(|row| right[*row]).collect();
        for row in 0..n {
            x[row] -= dot(&self.lower_upper.row(row)[..row], &x[..row]);
        }
        for row in (0..n).rev() {
            let entries = self.lower_upper.row(row);
            x[row] = (x[row] - dot(&entries[row + 1..], &x[row + 1..])) / entries[row];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_also_where_pivots_are_needed() {
        let mut matrix = Matrix::new(3, 3);
        for (row, entries) in
            [[0.0, 2.0, 1.0], [3.0, 0.0, -1.0], [1.0, 1.0, 4.0]].iter().enumerate()
        {
            matrix.row_mut(row).copy_from_slice(entries);
        }
        let x = [1.5, -2.0, 0.25];
        let mut right = [0.0; 3];
        matrix.add_product(&x, &mut right);
        for (found, truth) in Factored::new(matrix).solve(&right).iter().zip(x) {
            assert!((found - truth).abs() < 1e-14, "{found} {truth}");
        }
    }
}
