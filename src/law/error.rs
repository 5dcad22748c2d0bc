//! Why a law was refused, and the checks of single parameters that all families share.

/// Why a law was refused: what was found, what is allowed, the way out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LawError {
    /// A parameter out of its range.
    #[error("the {family} law's `{parameter}` is {found}; allowed: {allowed}")]
    OutOfRange {
        /// The law's family.
        family: &'static str,
        /// The parameter, as written in TOML.
        parameter: &'static str,
        /// What was found; lengths in seconds.
        found: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A mean was asked of a law whose mean is infinite.
    #[error(
        "this {family} law has an infinite mean, so no mean can be asked of it; a Pareto law needs alpha > 1, a log-logistic law shape > 1"
    )]
    InfiniteMean {
        /// The law's family.
        family: &'static str,
    },
    /// A mean was asked of a law that is always zero.
    #[error(
        "this {family} law is always 0s, so it cannot be stretched to a mean; give a length longer than 0s"
    )]
    ZeroMean {
        /// The law's family.
        family: &'static str,
    },
    /// `from` is not below `to`.
    #[error(
        "the uniform law runs from {from_s} s to {to_s} s; allowed: `to` longer than `from` (for a constant write \"{from_s}s\")"
    )]
    Reversed {
        /// Lower end in seconds.
        from_s: f64,
        /// Upper end in seconds.
        to_s: f64,
    },
    /// A mixture or an empirical law of nothing.
    #[error("the {family} law's `{parameter}` is empty; allowed: one or more")]
    Empty {
        /// The law's family.
        family: &'static str,
        /// The list, as written in TOML.
        parameter: &'static str,
    },
    /// As many weights as values are needed.
    #[error(
        "the empirical law has {values} values and {weights} weights; allowed: as many weights as values, or none"
    )]
    Weights {
        /// Number of values.
        values: usize,
        /// Number of weights.
        weights: usize,
    },
    /// The table names no family.
    #[error(
        "the table does not say which law: add `law = …`, one of {allowed}, or write a bare length like \"20s\" for a constant"
    )]
    NoFamily {
        /// The families there are.
        allowed: String,
    },
    /// A key that this family does not have.
    #[error("`{key}` is no parameter of the {family} law; allowed: {forms}")]
    NotAParameter {
        /// The law's family.
        family: &'static str,
        /// The key that was found.
        key: &'static str,
        /// The sets of keys that describe such a law.
        forms: String,
    },
    /// Keys that do not make up one description: too few, or two descriptions at once.
    #[error("the {family} law is given {found}; allowed: {forms}, and nothing beside")]
    Form {
        /// The law's family.
        family: &'static str,
        /// The keys that were found.
        found: String,
        /// The sets of keys that describe such a law.
        forms: String,
    },
}

/// Parameters of shape are held to this range: outside it, no duration that this tool can tell apart.
pub(super) const SHAPES: (f64, f64) = (0.01, 1e6);

/// A length in seconds that must be positive and finite.
pub(super) fn length(
    family: &'static str,
    parameter: &'static str,
    found: f64,
) -> Result<f64, LawError> {
    if found > 0.0 && found.is_finite() {
        return Ok(found);
    }
    Err(LawError::OutOfRange { family, parameter, found, allowed: "longer than 0s, and finite" })
}

/// A length in seconds that may be zero.
pub(super) fn length_or_zero(
    family: &'static str,
    parameter: &'static str,
    found: f64,
) -> Result<f64, LawError> {
    if found >= 0.0 && found.is_finite() {
        return Ok(found);
    }
    Err(LawError::OutOfRange { family, parameter, found, allowed: "0s or longer, and finite" })
}

/// A parameter of shape.
pub(super) fn shape(
    family: &'static str,
    parameter: &'static str,
    found: f64,
) -> Result<f64, LawError> {
    if found >= SHAPES.0 && found <= SHAPES.1 {
        return Ok(found);
    }
    Err(LawError::OutOfRange { family, parameter, found, allowed: "0.01 to 1000000" })
}

/// A weight: positive and finite.
pub(super) fn weight(family: &'static str, found: f64) -> Result<f64, LawError> {
    if found > 0.0 && found.is_finite() {
        return Ok(found);
    }
    let allowed = "more than 0, and finite";
    Err(LawError::OutOfRange { family, parameter: "weight", found, allowed })
}
