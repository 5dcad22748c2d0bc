use super::*;
use crate::history::Check;
use crate::law::Law;
use crate::scenario::{Deploy, Restarts};
use crate::trigger::{Arming, Silence, Spec, firings};
use proptest::prelude::*;
