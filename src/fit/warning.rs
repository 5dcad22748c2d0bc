//! What a reader of a fit must know, in three kinds: did the search arrive, do the data support it,
//! and where does the method approximate.

use std::fmt;

use serde::Serialize;

/// Which of the three kinds a warning is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The search for the maximum did not arrive, or there is none.
    Convergence,
    /// The data do not support what the fit supposes.
    Statistical,
    /// The method is not exact here.
    Approximation,
}

/// A warning and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Its kind.
    pub kind: Kind,
    /// The words.
    pub message: String,
}

impl Warning {
    /// The search did not arrive.
    pub fn convergence(message: impl Into<String>) -> Self {
        Warning { kind: Kind::Convergence, message: message.into() }
    }

    /// The data do not support what the fit supposes.
    pub fn statistical(message: impl Into<String>) -> Self {
        Warning { kind: Kind::Statistical, message: message.into() }
    }

    /// The method is not exact here.
    pub fn approximation(message: impl Into<String>) -> Self {
        Warning { kind: Kind::Approximation, message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Convergence => "convergence",
            Kind::Statistical => "statistical",
            Kind::Approximation => "approximation",
        };
        write!(f, "{kind}: {}", self.message)
    }
}
