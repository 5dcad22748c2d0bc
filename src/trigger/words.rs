//! Words a user may write, and the one they probably meant.

/// A word that is none of those allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no {what}: write {allowed}{}", did_you_mean(.nearest))]
pub struct UnknownWord {
    /// What the word should have named.
    pub what: &'static str,
    /// What was written.
    pub found: String,
    /// What may be written.
    pub allowed: &'static str,
    /// The allowed word nearest to it, if one is near.
    pub nearest: Option<&'static str>,
}

/// The end of a message that offers a word, or nothing.
pub(super) fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

/// The word of `allowed` that is nearest to `found`, if it is near enough to be a slip.
pub(super) fn nearest(found: &str, allowed: &[&'static str]) -> Option<&'static str> {
    let found = found.to_lowercase();
    let likeness = |word: &str| strsim::jaro_winkler(&found, word);
    let best = allowed.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
}
