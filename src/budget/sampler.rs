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
pub struct Sampler<'a> {
    groups: Vec<Vec<Source<'a>>>,
}

#[derive(Clone, Debug)]
struct Source<'a> {
    name: &'a str,
    length: Length<'a>,
}

#[derive(Clone, Debug)]
enum Length<'a> {
    Fixed(Span),
    Drawn { law: &'a Law, rng: Rng },
}

/// One stage of one recovery; instants are counted from detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageRun<'a> {
    /// The stage's name.
    pub name: &'a str,
    /// When it begins.
    pub begin: Span,
    /// When it ends.
    pub end: Span,
}

impl Plan {
    /// Draws from the streams of one replication.
    pub fn sampler(&self, streams: &Streams) -> Sampler<'_> {
        let source = |stage| source(&self.target, stage, streams);
        Sampler {
            groups: self.groups.iter().map(|group| group.iter().map(source).collect()).collect(),
        }
    }
}

fn source<'a>(target: &str, stage: &'a Stage, streams: &Streams) -> Source<'a> {
    let length = match stage.constant {
        Some(length) => Length::Fixed(length),
        None => {
            let rng = streams.named(&format!("stage/{target}/{}", stage.name));
            Length::Drawn { law: &stage.length, rng }
        }
    };
    Source { name: &stage.name, length }
}

impl Source<'_> {
    fn draw(&mut self) -> Span {
        match &mut self.length {
            Length::Fixed(length) => *length,
            Length::Drawn { law, rng } => law.sample(rng),
        }
    }
}

impl<'a> Sampler<'a> {
    /// The time after detection of the next recovery.
    #[allow(clippy::should_implement_trait)] // It never ends, so `Option` would be in the way.
    pub fn next(&mut self) -> Span {
        let group = |group: &mut Vec<Source<'_>>| {
            group.iter_mut().map(Source::draw).max().unwrap_or_default()
        };
        self.groups.iter_mut().map(group).sum()
    }

    /// The lengths of the next recovery's stages by name, group by group; the same draws as
    /// [`Sampler::next`], if all of them are taken.
    pub(super) fn next_lengths(
        &mut self,
    ) -> impl Iterator<Item = impl Iterator<Item = (&'a str, Span)>> {
        let lengths = |group| {
            let group: &mut Vec<Source<'a>> = group;
            group.iter_mut().map(|source| (source.name, source.draw()))
        };
        self.groups.iter_mut().map(lengths)
    }

    /// The next recovery stage by stage; the same draws as [`Sampler::next`].
    pub fn next_stages(&mut self) -> Vec<StageRun<'a>> {
        let mut runs = Vec::new();
        let mut begin = Span::ZERO;
        for group in &mut self.groups {
            let mut last = begin;
            for source in group {
                let end = begin + source.draw();
                last = last.max(end);
                runs.push(StageRun { name: source.name, begin, end });
            }
            begin = last;
        }
        runs
    }
}
