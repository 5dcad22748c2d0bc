//! The order of the stages after detection: where the further named stages stand.
//!
//! It holds names and places only. How long a stage takes is read by the budget.

use super::document::nearest;
use super::stages::{ExtraStage, StageDefaults, Target, Tier};
use super::validate::Broken;

/// The most further stages that one target may have.
pub const MOST_EXTRA_STAGES: usize = 100;

/// A stage that every scenario has, in the order of [`BuiltIn::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// Making the standby the one that serves.
    Promotion,
    /// Moving the traffic.
    TrafficShift,
    /// Finding GPU capacity.
    Capacity,
    /// Loading the model's weights.
    WeightLoad,
}

impl BuiltIn {
    /// The stages in the order in which they pass.
    pub const ALL: [BuiltIn; 4] =
        [BuiltIn::Promotion, BuiltIn::TrafficShift, BuiltIn::Capacity, BuiltIn::WeightLoad];

    /// The stage's name, as further stages refer to it.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Promotion => "promotion",
            BuiltIn::TrafficShift => "traffic_shift",
            BuiltIn::Capacity => "capacity",
            BuiltIn::WeightLoad => "weight_load",
        }
    }

    /// True iff a standby of this tier spends it.
    pub fn is_spent_by(self, tier: Tier) -> bool {
        match self {
            BuiltIn::Promotion | BuiltIn::TrafficShift => true,
            BuiltIn::Capacity => tier == Tier::Cold,
            BuiltIn::WeightLoad => tier != Tier::Hot,
        }
    }
}

/// One stage in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// One that every scenario has.
    BuiltIn(BuiltIn),
    /// A further one.
    Extra(&'a ExtraStage),
}

impl Step<'_> {
    /// The stage's name.
    pub fn name(&self) -> &str {
        match self {
            Step::BuiltIn(stage) => stage.name(),
            Step::Extra(extra) => &extra.name,
        }
    }
}

/// A further stage and the dotted path of its key.
struct Keyed<'a> {
    key: String,
    extra: &'a ExtraStage,
}

/// The stages that `target` goes through after detection: groups in sequence, the stages of one
/// group side by side.
///
/// A further stage that stands by a stage which the tier does not spend (`before = "capacity"` on a
/// hot standby) keeps its place in the order. `target_key` is the target's dotted path, for errors.
///
/// # Errors
/// A name that is empty or taken, a place beside or before a stage that there is not, or stages
/// that wait for each other in a circle.
pub fn sequence<'a>(
    defaults: &'a StageDefaults,
    target: &'a Target,
    target_key: &str,
) -> Result<Vec<Vec<Step<'a>>>, Broken> {
    let keyed = |path: &str, extras: &'a [ExtraStage]| -> Vec<Keyed<'a>> {
        let key = |index| format!("{path}.extra.{index}");
        extras.iter().enumerate().map(|(i, extra)| Keyed { key: key(i), extra }).collect()
    };
    let mut waiting = keyed("stages", &defaults.extra);
    waiting.extend(keyed(target_key, &target.extra));
    check_names(&waiting)?;
    let mut groups = BuiltIn::ALL.map(|stage| vec![Step::BuiltIn(stage)]).to_vec();
    // A stage may stand by one that comes later in the file, so those that find no place yet wait.
    while !waiting.is_empty() {
        let count = waiting.len();
        waiting.retain(|keyed| !place(&mut groups, keyed.extra));
        if waiting.len() == count {
            return Err(stuck(&groups, &waiting));
        }
    }
    for group in &mut groups {
        group.retain(|step| match step {
            Step::BuiltIn(stage) => stage.is_spent_by(target.tier),
            Step::Extra(_) => true,
        });
    }
    groups.retain(|group| !group.is_empty());
    Ok(groups)
}

/// Puts `extra` into its place; false when the stage that it stands by has none yet.
fn place<'a>(groups: &mut Vec<Vec<Step<'a>>>, extra: &'a ExtraStage) -> bool {
    let Some(anchor) = anchor(extra) else {
        groups.push(vec![Step::Extra(extra)]);
        return true;
    };
    let holds = |group: &Vec<Step<'_>>| group.iter().any(|step| same(step.name(), anchor));
    let Some(at) = groups.iter().position(holds) else { return false };
    if extra.beside.is_some() {
        groups[at].push(Step::Extra(extra));
    } else {
        groups.insert(at, vec![Step::Extra(extra)]);
    }
    true
}

/// The stage that `extra` stands by.
fn anchor(extra: &ExtraStage) -> Option<&str> {
    extra.before.as_deref().or(extra.beside.as_deref())
}

/// Names are the same with `-` or a blank in place of `_`, and in capitals.
fn same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

fn check_names(extras: &[Keyed<'_>]) -> Result<(), Broken> {
    if let Some(keyed) = extras.get(MOST_EXTRA_STAGES) {
        let message =
            format!("{} further stages found; allowed: {MOST_EXTRA_STAGES}", extras.len());
        return Err(Broken { key: keyed.key.clone(), message });
    }
    let mut taken: Vec<String> = BuiltIn::ALL.iter().map(|stage| plain(stage.name())).collect();
    for Keyed { key, extra } in extras {
        let broken = |part: &str, message: String| Broken { key: format!("{key}.{part}"), message };
        let name = plain(&extra.name);
        // The slash parts the names of random streams.
        if name.is_empty() || name.contains('/') || name.chars().any(char::is_control) {
            let message = format!("`{name}` is no name; allowed: any words without `/`");
            return Err(broken("name", message));
        }
        if taken.contains(&name) {
            let message =
                format!("a stage is called `{}` already; choose another name", extra.name);
            return Err(broken("name", message));
        }
        if extra.before.is_some() && extra.beside.is_some() {
            let message = "`before` and `beside` are both given; choose one of them";
            return Err(broken("beside", message.to_owned()));
        }
        taken.push(name);
    }
    Ok(())
}

/// Why none of `waiting` finds a place.
fn stuck(groups: &[Vec<Step<'_>>], waiting: &[Keyed<'_>]) -> Broken {
    let placed = groups.iter().flatten().map(Step::name);
    let names: Vec<&str> = placed.chain(waiting.iter().map(|w| w.extra.name.as_str())).collect();
    let is_known = |name: &str| names.iter().any(|known| same(known, name));
    let unknown = waiting.iter().find(|w| anchor(w.extra).is_some_and(|name| !is_known(name)));
    let Some(Keyed { key, extra }) = unknown.or(waiting.first()) else {
        return Broken { key: "stages.extra".to_owned(), message: "no stage waits".to_owned() };
    };
    let part = if extra.before.is_some() { "before" } else { "beside" };
    let found = anchor(extra).unwrap_or_default();
    let message = if unknown.is_some() {
        let others = names.iter().copied().filter(|name| !same(name, &extra.name));
        let hint = nearest(found, others.clone())
            .map(|word| format!("did you mean `{word}`? "))
            .unwrap_or_default();
        let allowed = others.collect::<Vec<_>>().join(", ");
        format!("there is no stage `{found}`; {hint}allowed: {allowed}")
    } else {
        format!(
            "`{}` and `{found}` wait for each other in a circle; leave out `{part}` of one of them",
            extra.name
        )
    };
    Broken { key: format!("{key}.{part}"), message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::time::Span;

    fn extra(name: &str, before: Option<&str>, beside: Option<&str>) -> ExtraStage {
        ExtraStage {
            name: name.to_owned(),
            length: Law::constant_span(Span::from_secs(1)),
            before: before.map(str::to_owned),
            beside: beside.map(str::to_owned),
        }
    }

    /// The order as text: `/` between groups, `+` within one; or the error.
    fn order(tier: Tier, extra: Vec<ExtraStage>) -> String {
        let defaults = StageDefaults { extra, ..StageDefaults::default() };
        match sequence(&defaults, &Target::of_tier(tier), "targets.0") {
            Ok(groups) => {
                let names = |group: &Vec<Step<'_>>| -> String {
                    group.iter().map(Step::name).collect::<Vec<_>>().join("+")
                };
                groups.iter().map(names).collect::<Vec<_>>().join("/")
            }
            Err(broken) => format!("{}: {}", broken.key, broken.message),
        }
    }

    #[test]
    fn each_tier_has_its_stages_in_order() {
        assert_eq!(order(Tier::Hot, vec![]), "promotion/traffic_shift");
        assert_eq!(order(Tier::Warm, vec![]), "promotion/traffic_shift/weight_load");
        assert_eq!(order(Tier::Cold, vec![]), "promotion/traffic_shift/capacity/weight_load");
    }

    #[test]
    fn further_stages_stand_last_before_or_beside() {
        let extras = vec![
            extra("validation", None, None),
            extra("approval", Some("promotion"), None),
            extra("fencing", Some("Promotion"), None),
            extra("clients", None, Some("traffic-shift")),
        ];
        assert_eq!(
            order(Tier::Warm, extras),
            "approval/fencing/promotion/traffic_shift+clients/weight_load/validation"
        );
    }

    #[test]
    fn a_stage_may_stand_by_a_later_one_and_by_one_that_the_tier_does_not_spend() {
        let extras = || vec![extra("a", Some("b"), None), extra("b", None, Some("capacity"))];
        assert_eq!(order(Tier::Hot, extras()), "promotion/traffic_shift/a/b");
        assert_eq!(order(Tier::Cold, extras()), "promotion/traffic_shift/a/capacity+b/weight_load");
    }

    #[test]
    fn what_has_no_place_is_refused_with_key_and_nearest_name() {
        let said = |extras| order(Tier::Hot, extras);
        let unknown = said(vec![extra("a", Some("b"), None), extra("b", None, Some("capcity"))]);
        assert!(unknown.starts_with("stages.extra.1.beside: there is no stage `capcity`"));
        assert!(unknown.contains("did you mean `capacity`?"), "{unknown}");
        let circle = said(vec![extra("a", Some("b"), None), extra("b", Some("a"), None)]);
        assert!(circle.starts_with("stages.extra.0.before: `a` and `b` wait"), "{circle}");
        assert!(said(vec![extra("a", Some("a"), None)]).contains("in a circle"));
        assert!(said(vec![extra("a", None, None), extra("A", None, None)]).contains("already"));
        assert!(said(vec![extra("capacity", None, None)]).contains("already"));
        assert!(said(vec![extra(" ", None, None)]).contains("is no name"));
        assert!(said(vec![extra("a/b", None, None)]).contains("is no name"));
        let both = extra("a", Some("promotion"), Some("promotion"));
        assert!(said(vec![both]).starts_with("stages.extra.0.beside: `before` and `beside`"));
        let many = (0..=MOST_EXTRA_STAGES).map(|i| extra(&i.to_string(), None, None)).collect();
        assert!(said(many).contains("101 further stages found"));
    }
}
