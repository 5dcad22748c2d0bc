//! Why parts cannot be read from or put into a bucket.

use std::path::PathBuf;

/// Each message names the place or object, and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What was written is no place for parts.
    #[error("{place}: {why}", place = place.display())]
    Place {
        /// As it was written.
        place: PathBuf,
        /// In what.
        why: String,
    },
    /// The program was built without it.
    #[error(
        "{place}: this program was built without S3; build it with: cargo build --release --features s3",
        place = place.display()
    )]
    NotBuiltIn {
        /// The place.
        place: PathBuf,
    },
    /// What the environment says of the storage cannot be used.
    #[error(
        "{place}: the AWS_… variables of the environment cannot be used: {why}",
        place = place.display()
    )]
    Settings {
        /// The place.
        place: PathBuf,
        /// Which, and why.
        why: String,
    },
    /// There are no credentials.
    #[error(
        "{place}: no credentials were found ({why}); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
         run where a role gives them: ECS, EKS, EC2",
        place = place.display()
    )]
    NoCredentials {
        /// The place.
        place: PathBuf,
        /// What was tried last, and how it ended.
        why: String,
    },
    /// There is no such bucket.
    #[error(
        "{object}: there is no such bucket; create it, or check its name, AWS_REGION and \
         AWS_ENDPOINT_URL",
        object = object.display()
    )]
    NoBucket {
        /// The object that was asked for.
        object: PathBuf,
    },
    /// These credentials may not do it.
    #[error(
        "{object}: access denied ({why}); the credentials must be right, the clock too, and they need \
         s3:GetObject, s3:PutObject and s3:ListBucket",
        object = object.display()
    )]
    Denied {
        /// The object.
        object: PathBuf,
        /// What the storage said.
        why: String,
    },
    /// The storage cannot be reached, or failed again and again.
    #[error(
        "{object}: the storage does not answer as it should ({why}); check AWS_ENDPOINT_URL, AWS_REGION \
         and the network, and run the same command again: it goes on with the parts that are there",
        object = object.display()
    )]
    Unreachable {
        /// The object.
        object: PathBuf,
        /// The last reason.
        why: String,
    },
    /// Objects are never overwritten, and this one is not what it would be.
    #[error(
        "{object}: holds other bytes than this sweep would put there, and objects are never overwritten; \
         take it away if nobody needs it, and run the shard again, or choose another prefix with -o",
        object = object.display()
    )]
    OtherBytes {
        /// The object.
        object: PathBuf,
    },
    /// A part's checksum is not that of its content.
    #[error(
        "{object}: is damaged: its checksum is not that of its content; take it away and run its shard \
         again",
        object = object.display()
    )]
    Torn {
        /// The object.
        object: PathBuf,
    },
    /// Results of a whole sweep go into a folder.
    #[error(
        "{place}: a bucket takes the parts of shards; add --shard I/N (0/1 for all in one) and put them \
         together with: failover-budget merge {place} -o DIR",
        place = place.display()
    )]
    WantsShard {
        /// The place.
        place: PathBuf,
    },
    /// Nothing is taken away in a bucket.
    #[error(
        "{place}: --force takes nothing away in a bucket; take the objects under that prefix away \
         yourself, or choose another prefix with -o",
        place = place.display()
    )]
    NoForce {
        /// The place.
        place: PathBuf,
    },
}

impl StoreError {
    /// True where the input is at fault, and not the network or the storage.
    pub fn is_bad_input(&self) -> bool {
        !matches!(
            self,
            StoreError::NoCredentials { .. }
                | StoreError::NoBucket { .. }
                | StoreError::Denied { .. }
                | StoreError::Unreachable { .. }
        )
    }
}
