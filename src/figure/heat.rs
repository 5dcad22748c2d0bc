//! stub
use super::{Chart, book::Book, grid::Grid};
/// stub
pub fn charts(_book: &Book, _grid: &Grid) -> Result<Vec<Chart>, crate::sweep::SweepError> { Ok(vec![]) }
