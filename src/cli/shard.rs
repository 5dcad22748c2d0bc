//! `--shard`: which share of a sweep this process runs, as told or as the cluster says.
//!
//! It reads the variables that array jobs set, and nothing else of the environment.

use std::str::FromStr;

use crate::sweep::Shard;

/// What stood after `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `i/n`.
    Given(Shard),
    /// `auto`: what the cluster's variables say.
    Auto,
}

impl FromStr for Choice {
    type Err = String;

    /// Reads `auto` or `i/n`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "auto" => Ok(Choice::Auto),
            other => other.parse().map(Choice::Given).map_err(|why| why + "; or write `auto`"),
        }
    }
}

/// A variable of an array job: its name, and what it holds.
type Variable<'a> = (&'a str, String);

/// The shard that the cluster's variables name, and the words that say where it was found.
///
/// `variable` looks a variable up; an empty one is as good as none.
///
/// # Errors
/// When there is no array job, or its variables do not agree; says the way out.
pub fn from_cluster(variable: impl Fn(&str) -> Option<String>) -> Result<(Shard, String), String> {
    let set = |name: &'static str| -> Option<Variable<'static>> {
        variable(name).filter(|text| !text.trim().is_empty()).map(|text| (name, text))
    };
    let schedulers =
        [set("SLURM_ARRAY_TASK_ID"), set("JOB_COMPLETION_INDEX"), set("AWS_BATCH_JOB_ARRAY_INDEX")];
    let mut found = schedulers.into_iter().flatten();
    let (Some(index), None) = (found.next(), found.next()) else {
        let both = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];
        let both: Vec<&str> = both.into_iter().filter(|name| set(name).is_some()).collect();
        return Err(match both.as_slice() {
            [] => "no array job was found: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and \
                   AWS_BATCH_JOB_ARRAY_INDEX is set; write --shard i/n"
                .to_owned(),
            both => format!("{} are both set; write --shard i/n", both.join(" and ")),
        });
    };
    let shard = match index.0 {
        "SLURM_ARRAY_TASK_ID" => slurm(&index, &set)?,
        "JOB_COMPLETION_INDEX" => counted(
            &index,
            set("JOB_COMPLETIONS"),
            "JOB_COMPLETIONS, which the job's manifest must set to its `completions`",
        )?,
        _ => counted(&index, set("AWS_BATCH_JOB_ARRAY_SIZE"), "AWS_BATCH_JOB_ARRAY_SIZE")?,
    };
    let words = format!("shard {} of {} by {}", shard.index, shard.count, index.0);
    Ok((shard, words))
}

/// Index and count as they stand.
fn counted(index: &Variable, count: Option<Variable>, needed: &str) -> Result<Shard, String> {
    let Some(count) = count else {
        return Err(format!("{} is set, and {needed}, is not; write --shard i/n", index.0));
    };
    shard(number(index)?, number(&count)?)
}

/// A Slurm array may begin anywhere and go in steps, and its tasks may be a list.
fn slurm(
    id: &Variable,
    set: &dyn Fn(&'static str) -> Option<Variable<'static>>,
) -> Result<Shard, String> {
    let Some(count) = set("SLURM_ARRAY_TASK_COUNT") else {
        return Err(
            "SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_COUNT is not; write --shard i/n"
                .to_owned(),
        );
    };
    let or = |name, default| set(name).map_or(Ok(default), |found| number(&found));
    let (id, count) = (number(id)?, number(&count)?);
    let least = or("SLURM_ARRAY_TASK_MIN", 0)?;
    let step = or("SLURM_ARRAY_TASK_STEP", 1)?.max(1);
    let most = or(
        "SLURM_ARRAY_TASK_MAX",
        least.saturating_add(step.saturating_mul(count.saturating_sub(1))),
    )?;
    // Some tasks of an array that are submitted again are a smaller array, or one with holes. Numbered
    // anew they would be other shards, and the sweep would lack those that failed.
    let regular =
        most.checked_sub(least) == count.checked_sub(1).and_then(|last| last.checked_mul(step));
    if !regular || (count == 1 && id > 0) {
        return Err(format!(
            "the Slurm array has {count} tasks from {least} to {most}, task {id} is this one: that is \
             no whole array of shards; submit the array as 0-{{n-1}}, or, to run some tasks of it again, \
             write --shard {id}/n with the n of the first array"
        ));
    }
    match id.checked_sub(least) {
        Some(past) if past % step == 0 => shard(past / step, count),
        _ => Err(format!(
            "SLURM_ARRAY_TASK_ID is {id}, and the array goes from {least} in steps of {step}"
        )),
    }
}

fn shard(index: u64, count: u64) -> Result<Shard, String> {
    format!("{index}/{count}").parse()
}

fn number((name, text): &Variable) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("{name} is `{text}`, which is no whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `A=1 B=2` as an environment.
    fn found(variables: &str) -> Result<Shard, String> {
        let look_up = |name: &str| {
            let mut pairs = variables.split_whitespace().filter_map(|pair| pair.split_once('='));
            pairs.find(|(other, _)| *other == name).map(|(_, text)| text.to_owned())
        };
        from_cluster(look_up).map(|(shard, words)| {
            assert!(words.contains(" by "), "{words}");
            shard
        })
    }

    fn is(variables: &str, index: u64, count: u64) {
        assert_eq!(found(variables), Ok(Shard { index, count }), "{variables}");
    }

    fn refused(variables: &str, says: &str) {
        let why = found(variables).unwrap_err();
        assert!(why.contains(says), "{variables}: {why}");
    }

    #[test]
    fn each_scheduler_is_known() {
        is("SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8", 3, 8);
        is("JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=5", 0, 5);
        is("AWS_BATCH_JOB_ARRAY_INDEX=4 AWS_BATCH_JOB_ARRAY_SIZE=5", 4, 5);
    }

    #[test]
    fn a_slurm_array_may_begin_anywhere_and_go_in_steps() {
        let array = |id: u64, count: u64, min: u64, max: u64, step: u64| {
            format!(
                "SLURM_ARRAY_TASK_ID={id} SLURM_ARRAY_TASK_COUNT={count} SLURM_ARRAY_TASK_MIN={min} \
                 SLURM_ARRAY_TASK_MAX={max} SLURM_ARRAY_TASK_STEP={step}"
            )
        };
        is(&array(0, 10, 0, 9, 1), 0, 10);
        is(&array(10, 10, 1, 10, 1), 9, 10);
        is(&array(14, 3, 10, 18, 4), 1, 3);
        is(&array(0, 1, 0, 0, 1), 0, 1);
        // Tasks 3 and 7 of ten, submitted again; and task 4 alone.
        refused(&array(7, 2, 3, 7, 1), "--shard 7/n");
        refused(&array(4, 1, 4, 4, 1), "--shard 4/n");
        refused(&array(15, 3, 10, 18, 4), "steps of 4");
        refused(&array(22, 3, 10, 18, 4), "does not exist");
        refused(&array(1, 0, 0, 0, 1), "no whole array");
    }

    #[test]
    fn what_does_not_name_a_shard_is_refused() {
        refused("", "no array job was found");
        refused("SLURM_ARRAY_TASK_ID=", "no array job was found");
        refused("SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_TASK_COUNT is not");
        refused("JOB_COMPLETION_INDEX=1", "JOB_COMPLETIONS");
        refused("AWS_BATCH_JOB_ARRAY_INDEX=1", "AWS_BATCH_JOB_ARRAY_SIZE");
        refused("JOB_COMPLETION_INDEX=5 JOB_COMPLETIONS=5", "does not exist");
        refused("JOB_COMPLETION_INDEX=x JOB_COMPLETIONS=5", "no whole number");
        refused(
            "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=5 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=5",
            "both set",
        );
    }

    #[test]
    fn the_option_is_read() {
        assert_eq!("auto".parse(), Ok(Choice::Auto));
        assert_eq!("1/4".parse(), Ok(Choice::Given(Shard { index: 1, count: 4 })));
        assert!("4/4".parse::<Choice>().unwrap_err().contains("does not exist"));
        assert!("automatic".parse::<Choice>().unwrap_err().contains("auto"));
    }
}
