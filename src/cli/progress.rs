//! Progress on stderr: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Global, Progress};

/// How long a plain line waits for the next.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// Work shorter than this shows nothing on a terminal either.
const PATIENCE: Duration = Duration::from_millis(300);

/// Counts work that is done and shows it.
pub struct Meter {
    bar: Option<ProgressBar>,
    plain: bool,
    what: &'static str,
    total: u64,
    done: AtomicU64,
    /// Milliseconds from the start to the last plain line.
    said_ms: AtomicU64,
    started: Instant,
}

impl Meter {
    /// Starts counting to `total` of `what`.
    pub fn start(global: &Global, what: &'static str, total: u64) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let shown = !global.quiet;
        let (wants_bar, wants_plain) = match global.progress {
            Progress::Auto => (terminal, !terminal),
            Progress::Bar => (true, false),
            Progress::Plain => (false, true),
            Progress::None => (false, false),
        };
        let bar = (wants_bar && shown).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let template = "{bar:30} {human_pos}/{human_len} {msg}, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.with_message(what)
        });
        Meter {
            bar,
            plain: wants_plain && shown,
            what,
            total,
            done: AtomicU64::new(0),
            said_ms: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    /// Counts `more` as done.
    pub fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if let Some(bar) = &self.bar {
            if self.started.elapsed() > PATIENCE {
                bar.set_position(done);
            }
        } else if self.plain {
            self.say_now_and_then(done);
        }
    }

    fn say_now_and_then(&self, done: u64) {
        let elapsed = self.started.elapsed();
        let now_ms = elapsed.as_millis() as u64;
        let said_ms = self.said_ms.load(Ordering::Relaxed);
        let due = now_ms >= said_ms + PLAIN_EVERY.as_millis() as u64;
        let mine = due
            && self
                .said_ms
                .compare_exchange(said_ms, now_ms, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if mine {
            let rate = done as f64 / elapsed.as_secs_f64();
            let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
            let (what, total) = (self.what, self.total);
            super::say(&format!(
                "{done} of {total} {what} done, {rate:.0} a second, {left:.0} s left"
            ));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
