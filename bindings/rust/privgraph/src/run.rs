//! Random generators, and how a call runs: threads, progress, memory.
use crate::{check, handle, sys, Result};
use std::os::raw::c_void;

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

    pub fn is_secure(&self) -> bool {
        unsafe { sys::pvg_rng_is_secure(self.as_ptr()) == 1 }
    }

    /// Uniform numbers below `bound`.
    pub fn draw_below(&mut self, count: usize, bound: u64) -> Result<Vec<u64>> {
        let mut out = vec![0u64; count];
        let call = unsafe {
            sys::pvg_rng_draw_below(out.as_mut_ptr(), count as i64, bound, self.as_ptr())
        };
        check(call).map(|_| out)
    }
}

/// How a long call runs. The default: one thread, no limit, no progress.
#[derive(Default)]
pub struct Run<'a> {
    threads: u32,
    scratch_limit: u64,
    progress: Option<&'a mut dyn FnMut(f64) -> bool>,
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

    /// Called at most ten times a second with the share done; `false` cancels the call.
    pub fn progress(mut self, progress: &'a mut dyn FnMut(f64) -> bool) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Lends the C struct to a call.
    pub(crate) fn call<T>(self, call: impl FnOnce(*const sys::pvg_run) -> T) -> T {
        let mut raw = sys::pvg_run {
            threads: self.threads,
            scratch_limit: self.scratch_limit,
            ..Default::default()
        };
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
