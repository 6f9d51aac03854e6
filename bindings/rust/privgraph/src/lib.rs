//! Private graphs in, publishable things with a true guarantee out.
//!
//! ```no_run
//! use privgraph::{Degrees, Embedder, Graph, Patterns, Rng, Run, Target};
//!
//! # fn main() -> privgraph::Result<()> {
//! let graph = Graph::from_edges(6, &[(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5)])?;
//! let patterns = Patterns::from_names("edge,path3,cycle3")?;
//! let target = Target::new(2.0, 1e-6);
//! let embedder = Embedder::new(&patterns, Degrees::Truncated(4), &target)?;
//! let release = embedder.draw(&graph, &mut Rng::secure()?, None, Run::default())?;
//! println!("{:?}\n{}", release.values()?, release.words()?);
//! # Ok(())
//! # }
//! ```
//!
//! Every handle of the library is a type that frees itself. Handles never refer to each other, so
//! they may be dropped in any order. The documentation of the C headers holds here as well.
mod account;
mod graph;
mod pattern;
mod release;
mod run;

pub use account::{Curve, Ledger, Notion, Target};
pub use graph::{Features, Graph, GraphSet, GraphSetBuilder, Labels};
pub use pattern::{Pattern, Patterns, Sampler};
pub use privgraph_sys as sys;
pub use release::{
    classify, Degrees, Embedder, Guarantee, Layers, Payment, Payments, Perturber, Propagator,
    Release, Statistic,
};
pub use run::{Rng, Run};

use std::ffi::CStr;
use std::fmt;

/// A failed call: the status (`sys::PVG_E_*`) and the library's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub status: i32,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// True if the library refused because it could not promise what was asked.
    pub fn is_privacy(&self) -> bool {
        self.status == sys::PVG_E_PRIVACY
    }

    fn argument(message: &str) -> Self {
        Error { status: sys::PVG_E_ARGUMENT, message: message.to_string() }
    }
}

/// Turns a status into a result. The message belongs to this thread's last failure.
fn check(status: i32) -> Result<()> {
    if status == sys::PVG_OK {
        return Ok(());
    }
    let message = unsafe { CStr::from_ptr(sys::pvg_error_message()) };
    Err(Error { status, message: message.to_string_lossy().into_owned() })
}

/// Text by the (out, capacity, length) convention: asks for the length, then for the text; again
/// if another thread has made it longer in between, as a charge to a shared ledger does.
fn text(call: impl Fn(*mut std::os::raw::c_char, usize, *mut usize) -> i32) -> Result<String> {
    let mut length = 0usize;
    check(call(std::ptr::null_mut(), 0, &mut length))?;
    loop {
        let mut bytes = vec![0u8; length + 1];
        let status = call(bytes.as_mut_ptr().cast(), bytes.len(), &mut length);
        if status == sys::PVG_E_LIMIT && length >= bytes.len() {
            continue;
        }
        check(status)?;
        bytes.truncate(length);
        return String::from_utf8(bytes).map_err(|_| Error::argument("the text is not UTF-8"));
    }
}

/// A NUL-terminated copy.
fn c_text(text: &str) -> Result<std::ffi::CString> {
    std::ffi::CString::new(text).map_err(|_| Error::argument("a text has a zero byte inside"))
}

/// A slice that C lends; an empty one may come with any pointer.
///
/// # Safety
/// data points to count values that live as long as 'a, unless count is 0.
unsafe fn lent<'a, T>(data: *const T, count: i64) -> &'a [T] {
    if count <= 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, count as usize)
    }
}

/// The version of the library that is loaded, such as "0.1.0".
pub fn version() -> &'static str {
    unsafe { CStr::from_ptr(sys::pvg_version_string()) }.to_str().unwrap_or("")
}

/// A type that owns one handle. All handles but `Rng` and `Ledger` are immutable once made, so
/// threads may share them.
macro_rules! handle {
    ($(#[$note:meta])* $name:ident, $raw:ident, $free:ident) => {
        $(#[$note])*
        pub struct $name {
            raw: std::ptr::NonNull<crate::sys::$raw>,
        }

        impl $name {
            /// Runs a constructor of the C library and owns what it makes.
            #[allow(dead_code)]
            pub(crate) fn make(
                build: impl FnOnce(*mut *mut crate::sys::$raw) -> i32,
            ) -> crate::Result<Self> {
                let mut raw = std::ptr::null_mut();
                crate::check(build(&mut raw))?;
                std::ptr::NonNull::new(raw)
                    .map(|raw| $name { raw })
                    .ok_or_else(|| crate::Error::argument("the library gave no handle"))
            }

            /// The handle, for calls this crate does not wrap. It stays owned.
            pub fn as_ptr(&self) -> *mut crate::sys::$raw {
                self.raw.as_ptr()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { crate::sys::$free(self.raw.as_ptr()) }
            }
        }

        unsafe impl Send for $name {}

        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                // never what is inside: it may be private
                out.write_str(stringify!($name))
            }
        }
    };
}
pub(crate) use handle;

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A text that another thread changes after each look: its lengths, and how often it was asked.
    fn changing(lengths: &[usize]) -> (Result<String>, usize) {
        let asked = Cell::new(0);
        let got = text(|out, capacity, length| {
            let now = lengths[asked.get().min(lengths.len() - 1)];
            asked.set(asked.get() + 1);
            unsafe { *length = now };
            if out.is_null() {
                return sys::PVG_OK;
            }
            if capacity <= now {
                return sys::PVG_E_LIMIT;
            }
            for i in 0..now {
                unsafe { *out.add(i) = b'a' as std::os::raw::c_char };
            }
            sys::PVG_OK
        });
        (got, asked.get())
    }

    #[test]
    fn texts_that_change_meanwhile() {
        assert_eq!(changing(&[3]), (Ok("aaa".into()), 2));
        assert_eq!(changing(&[3, 4, 90, 91]), (Ok("a".repeat(91)), 5));
        assert_eq!(changing(&[5, 2]), (Ok("aa".into()), 2));
        assert_eq!(changing(&[0, 1]), (Ok("a".into()), 3));
    }

    #[test]
    fn a_limit_of_another_kind_is_an_error() {
        let asked = Cell::new(0);
        let got = text(|_, _, length| {
            asked.set(asked.get() + 1);
            unsafe { *length = 3 };
            if asked.get() == 1 {
                sys::PVG_OK
            } else {
                sys::PVG_E_LIMIT
            }
        });
        assert_eq!((got.unwrap_err().status, asked.get()), (sys::PVG_E_LIMIT, 2));
    }

    #[test]
    fn methods_without_a_wrapper() {
        let target = Target::new(1.0, 0.0);
        let config = sys::pvg_labels_config { classes: 4, ..Default::default() };
        let made = unsafe {
            Perturber::from_raw(|out| sys::pvg_perturber_new_labels(out, &config, target.raw()))
        };
        assert_eq!(made.unwrap().notion(), Some(Notion::LabelLdp));
        assert!(unsafe { Perturber::from_raw(|_| sys::PVG_OK) }.is_err());
    }
}
