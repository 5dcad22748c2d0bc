//! The probe history: spells of equal checks, the hub that worlds and importers write and
//! triggers read.
//!
//! A history knows when probes were due and what the controller learnt of each. It holds the truth
//! (the faults behind the checks) beside the checks, for judging firings, but no trigger sees it.
//! It never decides anything and never touches a file.

pub mod builder;
pub mod due;
mod grid;

pub use builder::Builder;
pub use due::{Due, Jitter};
pub(crate) use grid::Grid;

use crate::time::{Span, Time};

/// What the controller learns of one due probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The probe arrived and passed.
    Healthy,
    /// The probe arrived and failed.
    Unhealthy,
    /// The probe was due and never arrived.
    Absent,
}

/// A maximal run of equal checks of consecutive due probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spell {
    /// Index of the first probe of the spell.
    pub first: u64,
    /// How many probes, at least one.
    pub count: u64,
    /// What each of them told.
    pub check: Check,
}

impl Spell {
    /// Index just past the last probe.
    pub fn end(&self) -> u64 {
        self.first + self.count
    }
}

/// What kind of fault an interval of the truth was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A transient fault that recovered by itself.
    Blip,
    /// A region failure in which probes arrive and fail.
    ReportedOutage,
    /// A region failure that takes the prober along: nothing arrives.
    DarkOutage,
    /// A region failure in which each probe fails with some probability.
    GrayOutage,
    /// The prober stopped although the region was well.
    ProberDeath,
    /// A deploy was under way, which raises the rate of blips.
    Deploy,
    /// The controller was down or paused: due probes went unseen.
    ControllerDown,
}

impl FaultKind {
    /// True for the kinds in which failing over is right.
    pub fn is_outage(self) -> bool {
        matches!(self, FaultKind::ReportedOutage | FaultKind::DarkOutage | FaultKind::GrayOutage)
    }
}

/// One fault of the truth, `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it was.
    pub kind: FaultKind,
    /// Which blip source or recorded series it came from; 0 where there is one only.
    pub source: u16,
    /// First instant of the fault.
    pub start: Time,
    /// First instant after it.
    pub end: Time,
}

/// What the controller learnt over one run or recording, and the truth behind it.
///
/// Spells are in order and do not overlap. A due probe that no spell covers is one that nobody
/// knows anything of: the controller was down or paused, or the recording has a hole.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// When each probe was due.
    pub due: Due,
    /// The checks, as spells in order.
    pub spells: Vec<Spell>,
    /// Instants at which the controller lost its history, in order.
    pub restarts: Vec<Time>,
    /// The faults behind the checks, by start. Empty where only the checks are known.
    pub faults: Vec<Fault>,
    /// End of the run or recording.
    pub end: Time,
}

impl History {
    /// How many checks there are, by kind: healthy, unhealthy, absent.
    pub fn counts(&self) -> (u64, u64, u64) {
        let count = |check| self.spells.iter().filter(|s| s.check == check).map(|s| s.count).sum();
        (count(Check::Healthy), count(Check::Unhealthy), count(Check::Absent))
    }

    /// Every check in order as `(probe, instant, check)`.
    pub fn checks(&self) -> impl Iterator<Item = (u64, Time, Check)> + '_ {
        self.spells.iter().flat_map(move |spell| {
            (spell.first..spell.end()).map(move |probe| (probe, self.due.at(probe), spell.check))
        })
    }

    /// The outage in progress at `at`, if any.
    pub fn outage_at(&self, at: Time) -> Option<&Fault> {
        self.faults.iter().find(|f| f.kind.is_outage() && f.start <= at && at < f.end)
    }

    /// Length of the run or recording.
    pub fn length(&self) -> Span {
        self.end.since_start()
    }
}
