//! (placeholder)
pub mod document;
pub use document::{Document, InputError};
