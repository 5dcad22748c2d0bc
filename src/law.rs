//! Duration laws.
