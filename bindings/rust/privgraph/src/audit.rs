//! What a release leaks, measured on public test graphs. An audit can refute a guarantee, never
//! prove one.
use crate::{check, need, number, sys, Result, Run};
use std::os::raw::c_void;

/// Judges scores of two worlds that differ in one edge, the larger the more the second is
/// suspected.
pub fn scores(
    first: &[f64],
    second: &[f64],
    delta: f64,
    confidence: f64,
) -> Result<sys::pvg_audit_verdict> {
    need(first.len() == second.len(), "the worlds were not played equally often")?;
    let mut out = sys::pvg_audit_verdict::default();
    let (first, second, runs) = (first.as_ptr(), second.as_ptr(), first.len() as i64);
    check(unsafe { sys::pvg_audit_scores(&mut out, first, second, runs, delta, confidence) })
        .map(|_| out)
}

struct Game<'a> {
    play: &'a mut dyn FnMut(i32, i64) -> Option<f64>,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

unsafe extern "C" fn play_one(context: *mut c_void, world: i32, run: i64, score: *mut f64) -> i32 {
    let game = &mut *context.cast::<Game<'_>>();
    let call = std::panic::AssertUnwindSafe(|| (game.play)(world, run));
    match std::panic::catch_unwind(call) {
        Ok(Some(found)) => {
            *score = found;
            0
        }
        Ok(None) => 1,
        Err(panic) => {
            game.panic = Some(panic);
            1
        }
    }
}

/// Plays the game: `play(world, run)` for world 0 (the edge is absent) and 1; `None` gives up.
pub fn game(
    play: &mut dyn FnMut(i32, i64) -> Option<f64>,
    runs: i64,
    delta: f64,
    confidence: f64,
    run: Run<'_>,
) -> Result<sys::pvg_audit_verdict> {
    let mut out = sys::pvg_audit_verdict::default();
    let mut game = Game { play, panic: None };
    let context: *mut c_void = std::ptr::addr_of_mut!(game).cast();
    let status = run.call(|run| unsafe {
        sys::pvg_audit_game(&mut out, Some(play_one), context, runs, delta, confidence, run)
    });
    match game.panic {
        Some(panic) => std::panic::resume_unwind(panic),
        None => check(status).map(|_| out),
    }
}

/// The largest AUC and separation that Gaussian DP with this mu permits.
pub fn ceiling(mu: f64) -> Result<(f64, f64)> {
    let mut separation = 0.0;
    let auc = number(|out| unsafe { sys::pvg_audit_ceiling(out, &mut separation, mu) })?;
    Ok((auc, separation))
}

/// How often the vector of the same row is among the nearest `top` known ones.
pub fn reidentify(
    released: &[f64],
    known: &[f64],
    columns: usize,
    top: usize,
    run: Run<'_>,
) -> Result<f64> {
    let fits = columns > 0 && released.len() % columns == 0 && known.len() == released.len();
    need(fits, "released and known are not matrices of the same shape")?;
    let (rows, columns) = ((released.len() / columns) as i64, columns as i64);
    run.call(|run| {
        number(|out| unsafe {
            let (released, known, top) = (released.as_ptr(), known.as_ptr(), top as i64);
            sys::pvg_audit_reidentify(out, released, known, rows, columns, top, run)
        })
    })
}

/// One-sided Clopper-Pearson bounds of a probability after so many hits.
pub fn interval(hits: i64, trials: i64, confidence: f64) -> Result<(f64, f64)> {
    let mut upper = 0.0;
    let lower = number(|out| unsafe {
        sys::pvg_audit_interval(out, &mut upper, hits, trials, confidence)
    })?;
    Ok((lower, upper))
}
