//! Random generators, and how a call runs: threads, progress, memory.
use crate::{check, filled, handle, number, sys, Result};
use std::os::raw::{c_char, c_void};

handle! {
    /// A source of random bits. Only what a secure one made is private.
    Rng, pvg_rng, pvg_rng_free
}

impl Rng {
    /// Keys come from the operating system, anew for each call.
    pub fn secure() -> Result<Self> {
        Rng::make(|out| unsafe { sys::pvg_rng_new_secure(out) })
    }

    /// Reproducible: for tests and public objects. Noise drawn from it protects nobody.
    pub fn seeded(seed: u64) -> Result<Self> {
        Rng::make(|out| unsafe { sys::pvg_rng_new_seeded(out, seed) })
    }

    /// Whether nobody can draw the same again.
    pub fn is_secure(&self) -> bool {
        unsafe { sys::pvg_rng_is_secure(self.as_ptr()) == 1 }
    }

    /// The generator of stream number `stream`: of a seeded one a function of seed and number.
    pub fn split(&self, stream: u64) -> Result<Self> {
        Rng::make(|out| unsafe { sys::pvg_rng_split(out, self.as_ptr(), stream) })
    }

    /// Random bytes.
    pub fn draw_bytes(&mut self, count: usize) -> Result<Vec<u8>> {
        let own = self.as_ptr();
        filled(count, |out| unsafe { sys::pvg_rng_draw_bytes(out, count as i64, own) })
    }

    /// Independent bits, each set with probability threshold / 2^64, 64 to a word, lowest first.
    pub fn draw_flips(&mut self, count: usize, threshold: u64) -> Result<Vec<u64>> {
        let (own, words) = (self.as_ptr(), (count + 63) / 64);
        filled(words, |out| unsafe { sys::pvg_rng_draw_flips(out, count as i64, threshold, own) })
    }
}

/// Chance of a flip in randomised response at epsilon, as a multiple of 2^-64, rounded up.
pub fn flip_threshold(epsilon: f64) -> Result<u64> {
    number(|out| unsafe { sys::pvg_rng_flip_threshold(out, epsilon) })
}

/// Exact samplers: numbers in, an array out.
macro_rules! draws {
    ($($(#[$note:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $value:ty = $call:ident;)*) => {
        impl Rng {
            $($(#[$note])*
            pub fn $name(&mut self, count: usize, $($argument: $kind),*) -> Result<Vec<$value>> {
                let own = self.as_ptr();
                filled(count, |out| unsafe { sys::$call(out, count as i64, $($argument,)* own) })
            })*
        }
    };
}

draws! {
    /// Uniform numbers below `bound`.
    draw_below(bound: u64) -> u64 = pvg_rng_draw_below;
    /// 1 with probability numerator / denominator.
    draw_bernoulli(numerator: u64, denominator: u64) -> u8 = pvg_rng_draw_bernoulli;
    /// 1 with probability exp(-numerator / denominator).
    draw_bernoulli_exp(numerator: u64, denominator: u64) -> u8 = pvg_rng_draw_bernoulli_exp;
    /// P(X >= k) = exp(-k / scale), scale = numerator / denominator.
    draw_geometric(numerator: i64, denominator: i64) -> i64 = pvg_rng_draw_geometric;
    /// P(X = k) proportional to exp(-|k| / scale), scale = numerator / denominator.
    draw_discrete_laplace(numerator: i64, denominator: i64) -> i64 = pvg_rng_draw_discrete_laplace;
    /// P(X = k) proportional to exp(-k^2 / (2 sigma^2)).
    draw_discrete_gaussian(sigma: i64) -> i64 = pvg_rng_draw_discrete_gaussian;
    /// The integer nearest to a Gaussian of deviation sigma.
    draw_rounded_gaussian(sigma: i64) -> i64 = pvg_rng_draw_rounded_gaussian;
    /// The integer nearest to a Laplace variable.
    draw_rounded_laplace(scale: i64) -> i64 = pvg_rng_draw_rounded_laplace;
}

/// How a long call runs. The default: one thread, no limit, no progress.
#[derive(Default)]
pub struct Run<'a> {
    threads: u32,
    scratch_limit: u64,
    undated: bool,
    time_limit: u32,
    progress: Option<&'a mut dyn FnMut(f64) -> bool>,
    pool: Option<&'a dyn Fn(Job)>,
}

/// A share of a call's work, for a thread of the host's pool, at any time. Dropping it runs it.
#[derive(Debug)]
pub struct Job {
    function: unsafe extern "C" fn(*mut c_void),
    argument: *mut c_void,
}

// the library made it to be run elsewhere
unsafe impl Send for Job {}

impl Job {
    /// Runs it.
    pub fn run(self) {}
}

impl Drop for Job {
    fn drop(&mut self) {
        unsafe { (self.function)(self.argument) }
    }
}

unsafe extern "C" fn start(
    context: *mut c_void,
    job: Option<unsafe extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
) -> i32 {
    let pool = *context.cast::<&dyn Fn(Job)>();
    let function = match job {
        Some(function) => function,
        None => return 1,
    };
    let job = Job { function, argument };
    // a panic must not cross C; the job is run when it is dropped
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pool(job)));
    0
}

/// How much a message of the library matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Worth a look.
    Warning,
}

type Writer = Box<dyn Fn(Level, &str) + Send + Sync>;

unsafe extern "C" fn write_line(context: *mut c_void, level: i32, message: *const c_char) {
    let writer = &*context.cast::<Writer>();
    let level = if level >= sys::PVG_LOG_WARNING { Level::Warning } else { Level::Info };
    let line = std::ffi::CStr::from_ptr(message).to_string_lossy();
    // a panic must not cross C
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| writer(level, &line)));
}

/// Where messages of the library go, from `least` on: once for the whole process.
pub fn log_to(least: Level, write: impl Fn(Level, &str) + Send + Sync + 'static) -> Result<()> {
    let writer: *mut Writer = Box::into_raw(Box::new(Box::new(write)));
    let level = if least == Level::Info { sys::PVG_LOG_INFO } else { sys::PVG_LOG_WARNING };
    let log = sys::pvg_log {
        level,
        context: writer.cast(),
        write: Some(write_line),
        ..Default::default()
    };
    let done = check(unsafe { sys::pvg_log_set(&log) });
    if done.is_err() {
        drop(unsafe { Box::from_raw(writer) });
    }
    done
}

/// What the C side calls: the closure, and a panic it may have raised.
struct Watcher<'a> {
    progress: &'a mut dyn FnMut(f64) -> bool,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

unsafe extern "C" fn watch(context: *mut c_void, fraction: f64) -> i32 {
    let watcher = &mut *context.cast::<Watcher<'_>>();
    let progress = std::panic::AssertUnwindSafe(|| (watcher.progress)(fraction));
    match std::panic::catch_unwind(progress) {
        Ok(go_on) => i32::from(!go_on),
        Err(panic) => {
            // a panic must not cross C: cancel, and raise it again on this side
            watcher.panic = Some(panic);
            1
        }
    }
}

impl<'a> Run<'a> {
    /// All defaults.
    pub fn new() -> Self {
        Run::default()
    }

    /// Threads to use; results are the same bits for every number.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Bytes of scratch memory a call may use; beyond it fails with PVG_E_LIMIT.
    pub fn scratch_limit(mut self, bytes: u64) -> Self {
        self.scratch_limit = bytes;
        self
    }

    /// Seconds: an embedding whose cost is more is refused before anything is paid.
    pub fn time_limit(mut self, seconds: u32) -> Self {
        self.time_limit = seconds;
        self
    }

    /// The record of a release does not state the day of the draw.
    pub fn undated(mut self) -> Self {
        self.undated = true;
        self
    }

    /// Called at most ten times a second with the share done; `false` cancels the call.
    pub fn progress(mut self, progress: &'a mut dyn FnMut(f64) -> bool) -> Self {
        self.progress = Some(progress);
        self
    }

    /// A pool of the host's instead of threads that the library starts: it is given jobs, each
    /// to be run on another thread.
    pub fn pool(mut self, pool: &'a dyn Fn(Job)) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Lends the C struct to a call.
    pub(crate) fn call<T>(self, call: impl FnOnce(*const sys::pvg_run) -> T) -> T {
        let mut raw = sys::pvg_run {
            threads: self.threads,
            scratch_limit: self.scratch_limit,
            undated: u32::from(self.undated),
            time_limit: self.time_limit,
            ..Default::default()
        };
        let mut pool = self.pool;
        if let Some(pool) = &mut pool {
            raw.start = Some(start);
            raw.start_context = std::ptr::addr_of_mut!(*pool).cast();
        }
        let progress = match self.progress {
            None => return call(&raw),
            Some(progress) => progress,
        };
        let mut watcher = Watcher { progress, panic: None };
        raw.progress = Some(watch);
        raw.progress_context = std::ptr::addr_of_mut!(watcher).cast();
        let result = call(&raw);
        match watcher.panic {
            Some(panic) => std::panic::resume_unwind(panic),
            None => result,
        }
    }
}
