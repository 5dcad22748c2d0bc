//! What the drills of `sweeps/drills` do not show.
