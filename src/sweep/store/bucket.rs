//! A prefix of a bucket of S3-compatible storage. All that is asynchronous is in this file.
//!
//! Requests are retried for a quarter of a minute or so, and a put whose answer was lost is put again:
//! since it is made on the condition that there is no such object, it cannot do harm.

use std::error::Error as _;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path as Key;
use object_store::signer::Signer;
use object_store::{
    BackoffConfig, Error, GetOptions, ObjectStore, PutMode, PutOptions, RetryConfig,
};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use ureq::http::Method;

use super::{Put, StoreError, settings};

/// Objects that are fetched at once.
const AT_ONCE: usize = 16;
/// Times that a put is begun whose answer was lost or that met another put of the same object.
const PUTS: usize = 4;
/// Pause before a put is begun again.
const PAUSE: Duration = Duration::from_millis(250);

/// A prefix of a bucket, with credentials.
pub struct Bucket {
    place: PathBuf,
    prefix: String,
    store: Arc<AmazonS3>,
    runtime: Runtime,
}

impl fmt::Debug for Bucket {
    // Its insides hold credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bucket").field(&self.place).finish()
    }
}

impl Bucket {
    /// Takes endpoint, region and credentials from the environment's AWS_… variables, as `object_store`
    /// does, and makes sure that there are credentials.
    ///
    /// # Errors
    /// When the settings do not fit together, or there are no credentials.
    pub fn connect(place: &Path, bucket: &str, prefix: &str) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Settings { place: place.to_owned(), why };
        let builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            .with_retry(retries());
        settings::check(&builder).map_err(wrong)?;
        let unsigned = builder.get_config_value(&AmazonS3ConfigKey::SkipSignature);
        let store = builder.build().map_err(|error| wrong(root(&error)))?;
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().map_err(|why| wrong(why.to_string()))?;
        if unsigned.is_none_or(|word| word == "false") {
            let credentials = runtime.block_on(store.credentials().get_credential());
            let credentials = credentials.map_err(|error| StoreError::NoCredentials {
                place: place.to_owned(),
                why: root(&error),
            })?;
            settings::check_credentials(&credentials).map_err(wrong)?;
            // Nothing is sent: the address of an object is put together and read.
            let any = Key::from(bucket);
            let address = store.signed_url(Method::GET, &any, Duration::from_secs(1));
            runtime.block_on(address).map_err(|error| wrong(root(&error)))?;
        }
        let (place, prefix) = (place.to_owned(), prefix.to_owned());
        Ok(Bucket { place, prefix, store: Arc::new(store), runtime })
    }

    /// Where it is, as the user wrote it.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// The objects of these names, in their order.
    pub(super) fn read_all(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let mut found = Vec::with_capacity(names.len());
        for some in names.chunks(AT_ONCE) {
            found.extend(self.runtime.block_on(self.fetch(some))?);
        }
        Ok(found)
    }

    async fn fetch(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let mut requests = JoinSet::new();
        for (index, name) in names.iter().enumerate() {
            let (store, key) = (Arc::clone(&self.store), self.key(name)?);
            requests.spawn(async move { (index, get(&store, &key).await) });
        }
        let mut found = vec![None; names.len()];
        while let Some(ended) = requests.join_next().await {
            let (index, object) =
                ended.map_err(|why| self.unreachable(&names[0], why.to_string()))?;
            found[index] = object.map_err(|error| self.failed(&names[index], &error))?;
        }
        Ok(found)
    }

    /// Puts an object on the condition that there is none of that name.
    ///
    /// # Errors
    /// When the storage refuses it or cannot be reached.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<Put, StoreError> {
        self.runtime.block_on(self.put_anew(name, bytes))
    }

    async fn put_anew(&self, name: &str, bytes: &[u8]) -> Result<Put, StoreError> {
        let key = self.key(name)?;
        let mut last = String::new();
        for _ in 0..PUTS {
            let options = PutOptions::from(PutMode::Create);
            match self.store.put_opts(&key, bytes.to_vec().into(), options).await {
                Ok(_) => return Ok(Put::Kept),
                Err(Error::AlreadyExists { .. }) => match get(&self.store, &key).await {
                    Ok(Some(other)) if other == bytes => return Ok(Put::Kept),
                    Ok(Some(other)) => return Ok(Put::Other(other)),
                    // Another put of it has begun and is not done.
                    Ok(None) => "another put of it does not end".clone_into(&mut last),
                    Err(error) => return Err(self.failed(name, &error)),
                },
                Err(error) if is_lost(&error) => last = root(&error),
                Err(error) => return Err(self.failed(name, &error)),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(self.unreachable(name, last))
    }

    fn key(&self, name: &str) -> Result<Key, StoreError> {
        let whole = if self.prefix.is_empty() { name } else { &format!("{}/{name}", self.prefix) };
        let place = || self.place.clone();
        Key::parse(whole).map_err(|why| StoreError::Place { place: place(), why: why.to_string() })
    }

    fn unreachable(&self, name: &str, why: String) -> StoreError {
        StoreError::Unreachable { object: self.place.join(name), why }
    }

    fn failed(&self, name: &str, error: &Error) -> StoreError {
        let object = self.place.join(name);
        match error {
            Error::NotFound { .. } => StoreError::NoBucket { object },
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                StoreError::Denied { object, why: root(error) }
            }
            _ => self.unreachable(name, root(error)),
        }
    }
}

/// Pauses of 0.25 s to 8 s that grow about twofold.
fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(250),
            max_backoff: Duration::from_secs(8),
            base: 4.0,
        },
        max_retries: 6,
        retry_timeout: Duration::from_secs(60),
    }
}

/// An object's bytes; `None` where it is not there although its bucket is.
async fn get(store: &AmazonS3, key: &Key) -> Result<Option<Vec<u8>>, Error> {
    match store.get_opts(key, GetOptions::default()).await {
        Ok(found) => found.bytes().await.map(|bytes| Some(bytes.to_vec())),
        Err(error @ Error::NotFound { .. }) if error.to_string().contains("NoSuchBucket") => {
            Err(error)
        }
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The errors behind an error, outermost first.
fn causes(error: &Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |cause| {
        let cause: &(dyn std::error::Error + 'static) = *cause;
        cause.source()
    })
}

/// True iff nobody knows whether the request was carried out.
fn is_lost(error: &Error) -> bool {
    let lost = |kind| matches!(kind, HttpErrorKind::Timeout | HttpErrorKind::Interrupted);
    causes(error).filter_map(|cause| cause.downcast_ref::<HttpError>()).any(|e| lost(e.kind()))
}

/// What it came of, in a line: the storage's own code and message where it gave one.
fn root(error: &Error) -> String {
    let said = causes(error).last().map_or_else(|| error.to_string(), ToString::to_string);
    let within = |tag: &str| {
        let (_, rest) = said.split_once(&format!("<{tag}>"))?;
        rest.split_once(&format!("</{tag}>")).map(|(text, _)| text.trim().to_owned())
    };
    match (within("Code"), within("Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code,
        _ => said.split_whitespace().take(40).collect::<Vec<_>>().join(" "),
    }
}
