//! Do the intervals cover the truth as often as they say, and is the true law found?
