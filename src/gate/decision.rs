//! The decisions of the gate, in the order in which they outweigh each other.

use std::fmt;

use serde::{Serialize, Serializer};

/// What the gate answers. An earlier one outweighs a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// The regions answer to different API contracts.
    HoldApiContract,
    /// The approved model is another one, or cannot be told because an alias does not resolve.
    HoldModelDigest,
    /// The standby does not hold the bytes of its approved model.
    HoldArtifactAbsent,
    /// The regions decide under different policy revisions.
    HoldPolicyRevision,
    /// The standby is not ready, or its canary did not pass or was answered by another model.
    HoldNotReady,
    /// Credentials, network policy, log sink or another named revision differ.
    HoldConfigDrift,
    /// A feature is staler than its budget, ahead of the primary, or cannot be compared.
    ReviewFeatureLag,
    /// The standby serves the previous approved model, and the policy allows that.
    ServeRollback,
    /// The standby may serve.
    Serve,
}

impl Decision {
    /// Every decision, the weightiest first.
    pub const ALL: [Decision; 9] = [
        Decision::HoldApiContract,
        Decision::HoldModelDigest,
        Decision::HoldArtifactAbsent,
        Decision::HoldPolicyRevision,
        Decision::HoldNotReady,
        Decision::HoldConfigDrift,
        Decision::ReviewFeatureLag,
        Decision::ServeRollback,
        Decision::Serve,
    ];

    /// As it is written in output.
    pub fn name(self) -> &'static str {
        match self {
            Decision::HoldApiContract => "hold:api-contract",
            Decision::HoldModelDigest => "hold:model-digest",
            Decision::HoldArtifactAbsent => "hold:artifact-absent",
            Decision::HoldPolicyRevision => "hold:policy-revision",
            Decision::HoldNotReady => "hold:not-ready",
            Decision::HoldConfigDrift => "hold:config-drift",
            Decision::ReviewFeatureLag => "manual-review:feature-lag",
            Decision::ServeRollback => "serve:authorized-rollback",
            Decision::Serve => "serve",
        }
    }

    /// True iff traffic may move: `serve` and `serve:authorized-rollback`.
    pub fn serves(self) -> bool {
        matches!(self, Decision::Serve | Decision::ServeRollback)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
