//! What triggers would have done over recorded checks.
