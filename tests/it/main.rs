//! The one integration-test binary; a file per concern.
