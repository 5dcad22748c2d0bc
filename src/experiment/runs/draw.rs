//! Draws the blips of a source, block by block.

use pulp::{Arch, Simd, WithSimd};

use super::block::{Block, DEPTH, PIECES, Rows};
use super::grid::DIVIDED_AS_FLOATS;
use super::{FailedRun, Grid, Runs};
use crate::engine::lanes::LANES;
use crate::engine::{Lanes, Streams};
use crate::law::{
    Ahead, Exponential, LONGEST_STANDARD, Law, TWO_TO_52, nearest, standard_exponential,
};
use crate::scenario::{Arrivals, BlipSource};
use crate::time::Span;
use crate::world::at_least_a_tick;
use crate::world::blips::stream_name;

/// Draws the runs of `source` until the end of a run of this length.
pub(super) fn source(source: &BlipSource, run_length: Span, streams: Streams, runs: &mut Runs) {
    let run_length = run_length.as_nanos();
    match (&source.gap, &source.length) {
        (Law::Exponential(gap), Law::Exponential(length))
            if stay_whole(gap, length) && runs.grid.divides_floats() =>
        {
            let lanes = streams.lanes(&stream_name(source));
            let (gap, length, arrivals) = (*gap, *length, source.arrivals);
            let exponentials = Exponentials { gap, length, arrivals, run_length, lanes, runs };
            Arch::new().dispatch(exponentials);
        }
        _ => any(source, run_length, streams, runs),
    }
}

/// Whether a lane's draws add up to whole nanoseconds below 2^52, whatever they are.
fn stay_whole(gap: &Exponential, length: &Exponential) -> bool {
    (gap.nanos(LONGEST_STANDARD) + length.nanos(LONGEST_STANDARD)) * (DEPTH as f64) < TWO_TO_52
}

/// Exponential gaps, and lengths that are exponential too. Each step over a block is a loop of its own
/// over lanes, compiled for the vector unit at hand. None but plain operations are made, which are
/// rounded in one way on every machine.
struct Exponentials<'a> {
    gap: Exponential,
    length: Exponential,
    arrivals: Arrivals,
    run_length: i64,
    lanes: Lanes,
    runs: &'a mut Runs,
}

impl WithSimd for Exponentials<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Exponentials { gap, length, arrivals, run_length, mut lanes, runs } = self;
        let grid = runs.grid;
        let is_renewal = arrivals == Arrivals::GapRenewal;
        // How far a blip may last beyond the start of the next block's first gap.
        let beyond = if is_renewal { 0.0 } else { length.nanos(LONGEST_STANDARD) };
        let (mut starts, mut stops) = (Rows([0.0; PIECES]), Rows([0.0; PIECES]));
        let (mut now, mut failed) = (0, 0);
        // Laws are held to a hundred years, and so is a run: these sums stay below 2^63.
        while now < run_length {
            draw_standard(&mut lanes, &mut starts, &mut stops);
            let took = run_clocks(gap, length, is_renewal, &mut starts, &mut stops);
            let instants =
                Instants { starts: &starts, stops: &stops, took, beyond, now, run_length };
            let block = runs.next_block();
            now = instants.place(&grid, block);
            if !is_renewal {
                failed = block.take_overlaps_off(failed);
            }
            runs.count_block();
        }
    }
}

/// Draws a block of gaps and lengths of mean 1.
#[inline(always)]
fn draw_standard(lanes: &mut Lanes, gaps: &mut Rows<f64>, lengths: &mut Rows<f64>) {
    let (mut for_gaps, mut for_lengths) = (Rows([0; PIECES]), Rows([0; PIECES]));
    let rows = for_gaps.0.as_chunks_mut().0.iter_mut().zip(for_lengths.0.as_chunks_mut().0);
    for (gaps, lengths) in rows {
        (*gaps, *lengths) = (lanes.draw(), lanes.draw());
    }
    lanes.end_block();
    for (gap, number) in gaps.0.iter_mut().zip(&for_gaps.0) {
        *gap = standard_exponential(*number);
    }
    for (length, number) in lengths.0.iter_mut().zip(&for_lengths.0) {
        *length = standard_exponential(*number);
    }
}

/// Turns gaps and lengths of mean 1 into starts and stops in whole nanoseconds. Each lane counts from
/// the start of its own first gap; returns how long each took.
#[inline(always)]
fn run_clocks(
    gap: Exponential,
    length: Exponential,
    is_renewal: bool,
    starts: &mut Rows<f64>,
    stops: &mut Rows<f64>,
) -> [f64; LANES] {
    let mut now = [0.0; LANES];
    let rows = starts.0.as_chunks_mut::<LANES>().0.iter_mut();
    for (starts, stops) in rows.zip(stops.0.as_chunks_mut::<LANES>().0) {
        for lane in 0..LANES {
            let gap = nearest(gap.nanos(starts[lane]));
            starts[lane] = now[lane] + if gap > 1.0 { gap } else { 1.0 };
        }
        for lane in 0..LANES {
            stops[lane] = starts[lane] + nearest(length.nanos(stops[lane]));
        }
        now = if is_renewal { *stops } else { *starts };
    }
    now
}

/// A block's blips on the clock.
struct Instants<'a> {
    starts: &'a Rows<f64>,
    stops: &'a Rows<f64>,
    took: [f64; LANES],
    /// Its blips stop at most so long after its end.
    beyond: f64,
    /// Where the block begins.
    now: i64,
    run_length: i64,
}

impl Instants<'_> {
    /// Finds the block's probes; returns where it ends.
    #[inline(always)]
    fn place(&self, grid: &Grid, block: &mut Block) -> i64 {
        let mut total = 0.0;
        let begins = self.took.map(|took| {
            let begins = total;
            total += took;
            begins
        });
        // So short a block's sums are whole numbers without any rounding.
        if total + self.beyond < DIVIDED_AS_FLOATS {
            let near = grid.seen_from(self.now, self.run_length);
            let mut all = Rows([0.0; PIECES]);
            all.0.as_chunks_mut().0.fill(begins);
            near.find(&self.starts.0, &all.0, &mut block.firsts.0);
            near.find(&self.stops.0, &all.0, &mut block.ends.0);
            self.now + total as i64
        } else {
            self.place_afar(grid, block)
        }
    }

    /// The same for a block that is long.
    #[inline(never)]
    fn place_afar(&self, grid: &Grid, block: &mut Block) -> i64 {
        let mut end = self.now;
        let begins = self.took.map(|took| {
            let begins = end;
            end += took as i64;
            begins
        });
        let probe = |place: usize, instant: f64| {
            let instant = begins[place % LANES] + instant as i64;
            grid.first_at_or_after(instant.min(self.run_length))
        };
        for place in 0..PIECES {
            block.firsts.0[place] = probe(place, self.starts.0[place]);
            block.ends.0[place] = probe(place, self.stops.0[place]);
        }
        end
    }
}

/// Gaps and lengths of any law: whole runs are written as pieces.
pub(super) fn any(source: &BlipSource, run_length: i64, streams: Streams, runs: &mut Runs) {
    let grid = runs.grid;
    let rng = streams.named(&stream_name(source));
    let mut draws = Ahead::new([&source.gap, &source.length], rng);
    let (mut from, mut open) = (0, FailedRun { first: 0, end: 0 });
    let mut written = 0;
    loop {
        // Laws are held to a hundred years, and so is a run: held to its end, these sums stay below 2^63.
        let start = from + at_least_a_tick(draws.sample(&source.gap)).as_nanos();
        if start >= run_length {
            break;
        }
        let stop = (start + draws.sample(&source.length).as_nanos()).min(run_length);
        from = match source.arrivals {
            Arrivals::GapRenewal => stop,
            Arrivals::Poisson => start,
        };
        let (first, end) = (grid.first_at_or_after(start), grid.first_at_or_after(stop));
        if first <= open.end && open.length() > 0 {
            open.end = open.end.max(end);
        } else if first < end {
            write(runs, &mut written, open);
            open = FailedRun { first, end };
        }
    }
    write(runs, &mut written, open);
    // What is left of the last block.
    while written % PIECES != 0 {
        write(runs, &mut written, FailedRun { first: open.end, end: open.end });
    }
}

/// Writes the next piece, and counts the block that it fills.
fn write(runs: &mut Runs, written: &mut usize, piece: FailedRun) {
    let number = *written % PIECES;
    let block = if number == 0 { runs.next_block() } else { runs.last_block() };
    block.put(number, piece);
    *written += 1;
    if number == PIECES - 1 {
        runs.count_block();
    }
}
