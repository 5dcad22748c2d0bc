//! Draws of the time after detection, stage by stage.
//!
//! Each stage draws from a stream of its own, `stage/<target>/<stage>`, so that a further stage or
//! target changes no other stage's draws. A constant stage draws nothing.

use super::{Plan, Stage};
use crate::engine::{Rng, Streams};
use crate::law::Law;
use crate::time::Span;

/// Draws one recovery after another for one target.
#[derive(Clone, Debug)]
pub struct Sampler {
    groups: Vec<Vec<Source>>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    length: Length,
}

#[derive(Clone, Debug)]
enum Length {
    Fixed(Span),
    Drawn { law: Law, rng: Rng },
}

/// One stage of one recovery; instants are counted from detection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRun {
    /// The stage's name.
    pub name: String,
    /// When it begins.
    pub begin: Span,
    /// When it ends.
    pub end: Span,
}

impl Plan {
    /// Draws from the streams of one replication.
    pub fn sampler(&self, streams: Streams) -> Sampler {
        let source = |stage| source(&self.target, stage, streams);
        Sampler {
            groups: self.groups.iter().map(|group| group.iter().map(source).collect()).collect(),
        }
    }
}

fn source(target: &str, stage: &Stage, streams: Streams) -> Source {
    let length = match stage.constant {
        Some(length) => Length::Fixed(length),
        None => {
            let rng = streams.named(&format!("stage/{target}/{}", stage.name));
            Length::Drawn { law: stage.length.clone(), rng }
        }
    };
    Source { name: stage.name.clone(), length }
}

impl Length {
    fn draw(&mut self) -> Span {
        match self {
            Length::Fixed(length) => *length,
            Length::Drawn { law, rng } => law.sample(rng),
        }
    }
}

impl Sampler {
    /// The time after detection of the next recovery.
    #[allow(clippy::should_implement_trait)] // It never ends, so `Option` would be in the way.
    pub fn next(&mut self) -> Span {
        let group = |group: &mut Vec<Source>| {
            group.iter_mut().map(|source| source.length.draw()).max().unwrap_or_default()
        };
        self.groups.iter_mut().map(group).sum()
    }

    /// The lengths of the next recovery's stages by name, group by group; the same draws as
    /// [`Sampler::next`], if all of them are taken.
    pub(super) fn next_lengths(
        &mut self,
    ) -> impl Iterator<Item = impl Iterator<Item = (&str, Span)>> {
        let draw = |source| {
            let Source { name, length }: &mut Source = source;
            (name.as_str(), length.draw())
        };
        self.groups.iter_mut().map(move |group| group.iter_mut().map(draw))
    }

    /// The next recovery stage by stage; the same draws as [`Sampler::next`].
    pub fn next_stages(&mut self) -> Vec<StageRun> {
        let mut runs = Vec::new();
        let mut begin = Span::ZERO;
        for group in &mut self.groups {
            let mut last = begin;
            for source in group {
                let end = begin + source.length.draw();
                last = last.max(end);
                runs.push(StageRun { name: source.name.clone(), begin, end });
            }
            begin = last;
        }
        runs
    }
}
