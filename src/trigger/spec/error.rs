//! Why a written trigger is refused, and the way out.

use crate::time::SpanError;
use crate::trigger::words::did_you_mean;

/// Why a written trigger was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// No colon, or nothing before it.
    #[error(
        "`{0}` is no trigger: write family and parameters, like `consecutive:12`, `window:300s`, `m-of-n:3/5` or `success-rate:0.9/60s/180s`"
    )]
    NoFamily(String),
    /// A family there is not.
    #[error(
        "`{spec}`: there is no trigger family `{found}`; there are `consecutive`, `window`, `m-of-n` and `success-rate`{}",
        did_you_mean(.nearest)
    )]
    UnknownFamily {
        /// The trigger as written.
        spec: String,
        /// The family as written.
        found: String,
        /// The family nearest to it.
        nearest: Option<&'static str>,
    },
    /// Too few or too many parameters.
    #[error("`{spec}` has {found} parameters after the colon; write it like `{like}`")]
    Parameters {
        /// The trigger as written.
        spec: String,
        /// How many there are.
        found: usize,
        /// An example of the family.
        like: &'static str,
    },
    /// A parameter that should be a number and is not.
    #[error("`{spec}`: the {part} `{found}` is no number; it must be {allowed}")]
    NotANumber {
        /// The trigger as written.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// What was written.
        found: String,
        /// What may be written.
        allowed: &'static str,
    },
    /// A parameter that should be a length of time and is not.
    #[error("`{spec}`: the {part} cannot be read: {why}")]
    NotASpan {
        /// The trigger as written.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// Why not, and the way out.
        why: SpanError,
    },
    /// A parameter outside its range.
    #[error("`{spec}`: the {part} is {found}; it must be {allowed}")]
    OutOfRange {
        /// The trigger.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// Its value.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A range where one trigger is wanted, or where none can be.
    #[error("`{spec}`: {why}")]
    Range {
        /// The trigger as written.
        spec: String,
        /// What is wrong, and the way out.
        why: String,
    },
}
