//! Private graphs in, publishable things with a true guarantee out.
//!
//! ```no_run
//! use privgraph::{Graph, Input, Query, Release, Rng, Run, Target};
//!
//! # fn main() -> privgraph::Result<()> {
//! let graph = Graph::from_edges(6, &[(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5)])?;
//! let target = Target::new(2.0, 1e-6);
//! let query = Query::with_target("embed patterns=edge,path3,cycle3 max-degree=4", &target)?;
//! let input = Input::graph(&graph);
//! let release = Release::draw(&query, &input, &mut Rng::secure()?, Run::default())?;
//! println!("{:?}\n{}", release.values()?, release.words()?);
//! # Ok(())
//! # }
//! ```
//!
//! [`kinds`] has a builder for every kind of query. The feature `learn`, on by default, adds networks,
//! read-outs and audits, which are a library of their own.
//!
//! Every handle of the library is a type that frees itself. Handles never refer to each other, so
//! they may be dropped in any order. What a handle lends (the guarantee of a release, a released
//! graph) is a [`Lent`] that the compiler keeps from outliving it. Slices are checked for their
//! length before the library sees them. All handles may be sent to other threads, and all but
//! [`Rng`] and the builders may be shared by them. Functions whose result must not be published
//! end in `_exact`. The documentation of the C headers holds here as well.
//!
//! Settings are C structs of [`sys`], of which `..Default::default()` is all defaults:
//!
//! ```
//! # fn main() -> privgraph::Result<()> {
//! use privgraph::{sys, Layers};
//! let config = sys::pvg_layers_config { depth: 3, ..Default::default() };
//! assert_eq!(Layers::new(&config)?.depth(), 3);
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]
mod account;
#[cfg(feature = "learn")]
pub mod audit;
mod density;
mod graph;
mod guarantee;
pub mod kinds;
mod kprop;
#[cfg(feature = "learn")]
pub mod learn;
mod ledger;
mod lists;
pub mod mechanism;
#[cfg(feature = "learn")]
mod network;
mod pattern;
mod propagate;
mod query;
mod release;
mod run;
pub mod sensitivity;

pub use account::{Curve, Pld, Target};
pub use density::Density;
pub use graph::{
    Chains, Features, Folder, Format, Graph, GraphBuilder, GraphSet, GraphSetBuilder, Io, Labels,
};
pub use guarantee::{Column, Guarantee, Notion, Released};
pub use kprop::{kprop_graph, kprop_lists};
#[cfg(feature = "learn")]
pub use learn::{Pipeline, PipelineArguments, Reading};
pub use ledger::Ledger;
pub use lists::{ListDirections, Lists, ListsSource};
pub use mechanism::{Allocation, Mechanism, Noise};
#[cfg(feature = "learn")]
pub use network::{
    Dataset, DatasetBuilder, Explainer, Model, Network, Part, Predict, Role, Score, Training,
};
pub use pattern::{Pattern, PatternClass, Patterns, Sampler, Preview, Verdict};
pub use privgraph_sys as sys;
pub use propagate::Layers;
pub use query::{
    Arguments, Composition, Input, NamedInput, OptionValue, Query, QueryBuilder, Session,
};
pub use release::Release;
pub use run::{flip_threshold, log_to, Job, Level, Rng, Run};
pub use sensitivity::{Degrees, Assumption};

use std::ffi::CStr;
use std::fmt;

/// A failed call: the status (`sys::PVG_E_*`) and the library's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// `sys::PVG_E_*`; [`Error::kind`] is the same as an enum.
    pub status: i32,
    /// The library's message.
    pub message: String,
}

/// What every call gives.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

choice! {
    /// What kind of failure it is.
    ErrorKind {
        Argument = PVG_E_ARGUMENT,
        Memory = PVG_E_NOMEM,
        Io = PVG_E_IO,
        Format = PVG_E_FORMAT,
        Limit = PVG_E_LIMIT,
        Privacy = PVG_E_PRIVACY,
        Numeric = PVG_E_NUMERIC,
        Cancelled = PVG_E_CANCELLED,
        Entropy = PVG_E_ENTROPY,
        Version = PVG_E_VERSION,
        Internal = PVG_E_INTERNAL,
        /// The budget of a ledger would be exceeded; nothing was paid.
        Budget = PVG_E_BUDGET,
        /// What must be public was read off private data, or not told.
        Undeclared = PVG_E_UNDECLARED,
        /// Noise of a seeded generator, where only true noise will do.
        Seeded = PVG_E_SEEDED,
        /// Another program has the file: try again later.
        Busy = PVG_E_BUSY,
        /// There is no such file or folder.
        Missing = PVG_E_MISSING,
    }
}

impl Error {
    /// What kind of failure it is; `None`: one that a newer library has.
    pub fn kind(&self) -> Option<ErrorKind> {
        ErrorKind::from_raw(self.status)
    }

    /// True if the library refused because it could not promise what was asked: `Privacy`,
    /// `Budget`, `Undeclared` or `Seeded`.
    pub fn is_privacy(&self) -> bool {
        use ErrorKind::*;
        matches!(self.kind(), Some(Privacy | Budget | Undeclared | Seeded))
    }

    /// Such as "PVG_E_PRIVACY".
    pub fn status_name(&self) -> &'static str {
        constant(unsafe { sys::pvg_status_name(self.status) }).unwrap_or("")
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

/// The name of a file, in whatever bytes it has.
fn c_path(path: impl AsRef<std::path::Path>) -> Result<std::ffi::CString> {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::CString::new(path.as_ref().as_os_str().as_bytes())
        .map_err(|_| Error::argument("a path has a zero byte inside"))
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

/// One number that a call writes.
fn number<T: Default>(call: impl FnOnce(*mut T) -> i32) -> Result<T> {
    let mut out = T::default();
    check(call(&mut out)).map(|_| out)
}

/// As many numbers as a call writes.
fn filled<T: Copy + Default>(count: usize, call: impl FnOnce(*mut T) -> i32) -> Result<Vec<T>> {
    let mut out = vec![T::default(); count];
    check(call(out.as_mut_ptr())).map(|_| out)
}

/// The same for a matrix.
fn matrix<T: Copy + Default>(
    rows: usize,
    columns: usize,
    call: impl FnOnce(*mut T) -> i32,
) -> Result<Vec<T>> {
    let count = rows.checked_mul(columns).ok_or_else(|| Error::argument("rows x columns"))?;
    filled(count, call)
}

/// NULL for none.
fn pointer<T>(values: Option<&[T]>) -> *const T {
    values.map_or(std::ptr::null(), <[T]>::as_ptr)
}

/// Refuses a slice of another length, in the words of the caller.
fn need(right: bool, message: &str) -> Result<()> {
    if right {
        Ok(())
    } else {
        Err(Error::argument(message))
    }
}

/// A constant text of the library; `None` for NULL.
fn constant(text: *const std::os::raw::c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// The version of the library that is loaded, such as "0.1.0".
pub fn version() -> &'static str {
    constant(unsafe { sys::pvg_version_string() }).unwrap_or("")
}

/// The same as one number: major * 1000000 + minor * 1000 + patch.
pub fn version_number() -> u32 {
    unsafe { sys::pvg_version_number() }
}

/// What the library was built with and what of this machine it uses, as JSON.
pub fn build_info() -> Result<String> {
    text(|out, capacity, length| unsafe { sys::pvg_build_info_copy(out, capacity, length) })
}

/// Something that its lender owns: it may be used as a `T` for as long as that lives.
pub struct Lent<'a, T> {
    inner: std::mem::ManuallyDrop<T>,
    lender: std::marker::PhantomData<&'a ()>,
}

impl<T> Lent<'_, T> {
    /// The lender must live as long as the lifetime of the result says.
    pub(crate) fn new(inner: T) -> Self {
        Lent { inner: std::mem::ManuallyDrop::new(inner), lender: std::marker::PhantomData }
    }
}

impl<T> std::ops::Deref for Lent<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: fmt::Debug> fmt::Debug for Lent<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(out)
    }
}

/// A copy of a C struct whose size is set here: the library reads as many bytes as it says.
macro_rules! sized {
    ($kind:ident, $config:expr) => {
        crate::sys::$kind { size: std::mem::size_of::<crate::sys::$kind>() as u32, ..*$config }
    };
}
pub(crate) use sized;

/// An enum with the values of C constants.
macro_rules! choice {
    ($(#[$note:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $value:ident,)* }) => {
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum $name {
            $($(#[$about])*
            #[doc = concat!("`sys::", stringify!($value), "`.")]
            $variant = crate::sys::$value,)*
        }

        impl $name {
            #[allow(dead_code)]
            pub(crate) fn from_raw(raw: i32) -> Option<Self> {
                match raw {
                    $(crate::sys::$value => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use choice;

/// Methods that ask the handle for one number.
macro_rules! getters {
    ($type:ident: $($(#[$note:meta])* $name:ident = $call:ident as $out:ty;)*) => {
        impl $type {
            $($(#[$note])*
            #[doc = concat!("`", stringify!($call), "` of the C headers.")]
            pub fn $name(&self) -> $out {
                unsafe { crate::sys::$call(self.as_ptr()) as $out }
            })*
        }
    };
}
pub(crate) use getters;

/// A type that owns one handle and may be sent to another thread; `shared` if threads may use it at
/// once, as all that are immutable once made.
macro_rules! handle {
    ($(#[$note:meta])* shared $name:ident, $raw:ident, $free:ident) => {
        crate::handle! { $(#[$note])* $name, $raw, $free }
        unsafe impl Sync for $name {}
    };
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
                Self::adopt(raw)
                    .ok_or_else(|| crate::Error::argument("the library gave no handle"))
            }

            /// Owns a handle that nobody else owns; none for NULL.
            #[allow(dead_code)]
            pub(crate) fn adopt(raw: *mut crate::sys::$raw) -> Option<Self> {
                std::ptr::NonNull::new(raw).map(|raw| $name { raw })
            }

            /// What another handle lends, which outlives the result.
            #[allow(dead_code)]
            pub(crate) fn borrow_raw<'a>(raw: *const crate::sys::$raw) -> crate::Lent<'a, Self> {
                crate::Lent::new(Self::adopt(raw as *mut _).expect("the library lends NULL"))
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
}
