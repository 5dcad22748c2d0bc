//! Which trigger of a band is chosen, and why.

use super::advisor::{Advisor, Tried};
use super::band::Band;
use super::cost::Costs;
use crate::budget::Outlook;
use crate::budget::words::seconds;
use crate::estimate::Estimate;

/// Which trigger of a band is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preference {
    /// The shortest that keeps to the limit also if blips last twice as long, and under every law that
    /// a refit leaves plausible; the longest where none does.
    Robust,
    /// The shortest.
    Fast,
    /// The longest.
    Quiet,
    /// The cheapest.
    Cheap,
}

/// A rate as it is said: `0.02569 a day, exact`.
pub(super) fn said(rate: &Estimate) -> String {
    let exact = if rate.exact.is_some() { ", exact" } else { "" };
    format!("{} a day{exact}", rate.show(2))
}

/// The chosen count of failed probes.
pub(super) fn choose(advisor: &Advisor, band: &Band, target: &str, costs: Option<&Costs>) -> u64 {
    let (shortest, longest) = (band.shortest.k, band.longest.k);
    match advisor.preference {
        Preference::Fast => shortest,
        Preference::Quiet => longest,
        Preference::Cheap => {
            costs.and_then(|costs| costs.cheapest(target)).unwrap_or(robust(advisor, band))
        }
        Preference::Robust => robust(advisor, band),
    }
}

fn robust(advisor: &Advisor, band: &Band) -> u64 {
    let (shortest, longest) = (band.shortest.k, band.longest.k);
    let needed = |tried: &Tried| tried.shortest.k.unwrap_or(u64::MAX);
    let all = advisor.required().map(needed).max();
    all.unwrap_or(shortest).clamp(shortest, longest)
}

/// Why `k` is chosen.
pub(super) fn because(advisor: &mut Advisor, outlook: &Outlook, band: &Band, k: u64) -> String {
    let rate = said(&advisor.base().rate(band.shortest.k));
    let room = seconds(outlook.room());
    let mut text = format!(
        "the limit of {} needs {} at least ({rate}{}), and the room of {room} s allows {} at most when \
         the outage starts at the worst instant",
        advisor.limit,
        band.shortest.trigger,
        advisor.decided(),
        band.longest.trigger,
    );
    text += "; chosen is ";
    text += &match advisor.preference {
        Preference::Fast => "the shortest, which recovers the soonest".to_owned(),
        Preference::Quiet => "the longest, which is false the least often".to_owned(),
        Preference::Cheap => "the cheapest".to_owned(),
        Preference::Robust => robust_because(advisor, band, k),
    };
    let spare = outlook.room() - outlook.plan.worst_detection(band.at(k, outlook));
    text + &format!(". It leaves {} s of the room", seconds(spare))
}

fn robust_because(advisor: &mut Advisor, band: &Band, k: u64) -> String {
    let names = |tried: &mut dyn Iterator<Item = &Tried>| -> String {
        tried.map(|tried| tried.case.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let reached = |tried: &&Tried| tried.shortest.k.is_some_and(|needed| needed <= k);
    let missed = names(&mut advisor.required().filter(|tried| !reached(tried)));
    if !missed.is_empty() {
        return format!(
            "the longest, and even that does not keep to the limit everywhere it should ({missed})"
        );
    }
    let others = names(&mut advisor.required().skip(1));
    if others.is_empty() {
        return "the shortest".to_owned();
    }
    if k == band.shortest.k {
        return format!("the shortest, which keeps to it in the other cases too ({others})");
    }
    format!("the shortest that keeps to it in the other cases too ({others})")
}

impl Band {
    /// The patience of `k` on this target.
    fn at(&self, k: u64, outlook: &Outlook) -> crate::time::Span {
        super::band::Patience::new(k, outlook.plan.interval).span(outlook.plan.interval)
    }
}
