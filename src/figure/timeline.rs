//! stub
use crate::experiment::trace::Trace;
/// Draws.
pub fn draw(_trace: &Trace) -> String { String::new() }
