//! The budget in words: seconds as people read them, and why no trigger can meet an RTO.

use super::outlook::CONFIDENCE;
use super::{Outlook, Plan, Stage, WouldFit};
use crate::time::Span;

/// Seconds with at most three decimals and no trailing zeros: `720`, `0.25`, `-20`.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Digits with thousands set apart: `1,203`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As [`number`], but never less than the value: for what must be at least so much.
pub fn at_least(value: f64) -> String {
    number((value * 1e3 - 1e-6).ceil() / 1e3)
}

/// As [`number`], but never more than the value: for what may be at most so much.
pub fn at_most(value: f64) -> String {
    number((value * 1e3 + 1e-6).floor() / 1e3)
}

/// A span in seconds, see [`number`].
pub fn seconds(span: Span) -> String {
    number(span.as_secs_f64())
}

/// A stage's name as it is said: `traffic shift`; the weight load is said as `weights`.
pub fn said(name: &str) -> String {
    if name == "weight_load" { "weights".to_owned() } else { name.replace('_', " ") }
}

/// The stages in order: `promotion 60 s, traffic shift 120 s, capacity 600 s beside approval 300 s`.
pub fn stages(plan: &Plan) -> String {
    let stage = |stage: &Stage| match stage.constant {
        Some(length) => format!("{} {} s", said(&stage.name), seconds(length)),
        None => format!(
            "{} {}, mean {} s",
            said(&stage.name),
            stage.length.family(),
            number(stage.mean_s())
        ),
    };
    let group = |group: &Vec<Stage>| group.iter().map(stage).collect::<Vec<_>>().join(" beside ");
    plan.groups.iter().map(group).collect::<Vec<_>>().join("; ")
}

impl Outlook {
    /// Why no trigger always meets the RTO on this target, or nothing where one does.
    ///
    /// With constant stages it names the sum, as in `capacity 600 s + weights 140 s + 180 s exceeds
    /// 900 s: no trigger can`.
    pub fn why_not(&self) -> Option<String> {
        if self.largest_consecutive().is_some() {
            return None;
        }
        let plan = &self.plan;
        let (rto, limit) = (seconds(plan.rto), plan.limit());
        let Some(after) = self.after.constant() else {
            return Some(self.why_seldom());
        };
        let sum = sum_in_words(plan);
        if after > limit {
            return Some(format!("{sum} exceeds {rto} s: no trigger can"));
        }
        let first = seconds(plan.worst_detection(Span::ZERO));
        let room = seconds(limit - after);
        Some(format!(
            "{sum} leaves {room} s of {rto} s, and a failed probe may be {first} s away: no trigger always can"
        ))
    }

    /// [`Outlook::why_not`] where stages have laws.
    fn why_seldom(&self) -> String {
        let plan = &self.plan;
        let limit = match plan.reserve().is_positive() {
            true => format!("{} s (the RTO less the reserve)", seconds(plan.limit())),
            false => format!("{} s", seconds(plan.limit())),
        };
        if self.after.least() > plan.limit() {
            let least = seconds(self.after.least());
            return format!(
                "the stages take at least {least} s, which exceeds {limit}: no trigger can"
            );
        }
        let share = number(CONFIDENCE * 100.0);
        let long = number(self.after.quantile(CONFIDENCE).hi);
        let first = seconds(plan.worst_detection(Span::ZERO));
        format!(
            "the stages take up to {long} s in {share}% of recoveries; with {first} s or more for \
             detection that exceeds {limit}: no trigger can in {share}%"
        )
    }
}

/// `capacity 600 s + weights 140 s + 180 s`: what the tier adds by name, the rest as one number.
fn sum_in_words(plan: &Plan) -> String {
    let mut named = Vec::new();
    let mut rest = Vec::new();
    for group in &plan.groups {
        let longest = group.iter().max_by_key(|stage| stage.constant);
        let Some((stage, length)) = longest.and_then(|s| Some((s, s.constant?))) else { continue };
        let is_rest = matches!(stage.name.as_str(), "promotion" | "traffic_shift");
        if is_rest { &mut rest } else { &mut named }.push((stage, length));
    }
    if named.is_empty() {
        named.append(&mut rest);
    }
    let term =
        |(stage, length): (&Stage, Span)| format!("{} {} s", said(&stage.name), seconds(length));
    let mut terms: Vec<String> = named.into_iter().map(term).collect();
    if !rest.is_empty() {
        let total: Span = rest.into_iter().map(|(_, length)| length).sum();
        terms.push(format!("{} s", seconds(total)));
    }
    let reserve = plan.reserve();
    if reserve.is_positive() {
        terms.push(format!("reserve {} s", seconds(reserve)));
    }
    terms.join(" + ")
}

impl WouldFit {
    /// In words: `an RTO of 930 s`, `capacity within 570 s`, …
    pub fn in_words(&self) -> Vec<String> {
        let mut ways = Vec::new();
        ways.extend(self.rto.map(|rto| format!("an RTO of {} s", at_least(rto.as_secs_f64()))));
        for (name, length) in &self.stages {
            ways.push(format!("{} within {} s", said(name), at_most(length.as_secs_f64())));
        }
        ways.extend(self.weights_gb.map(|size| format!("weights of {} GB", at_most(size))));
        let rate = |rate: f64| format!("{} GB/s", at_least(rate));
        ways.extend(self.load_rate_gb_per_s.map(|r| format!("loading {} a replica", rate(r))));
        ways.extend(self.storage_gb_per_s.map(|r| format!("storage that gives {}", rate(r))));
        ways.extend(self.replicas.map(|count| match count {
            1 => "1 replica".to_owned(),
            _ => format!("{count} replicas"),
        }));
        ways.extend(self.tier.map(|tier| format!("a {tier} standby")));
        ways
    }
}
