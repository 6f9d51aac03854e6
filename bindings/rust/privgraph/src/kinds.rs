//! A builder for every kind of query, made from the table of the library that is installed.
//!
//! ```
//! # fn main() -> privgraph::Result<()> {
//! use privgraph::{kinds, Query};
//! let stars = kinds::Stars::new().leaves(3).epsilon(1.0).build()?;
//! assert_eq!(stars.id()?, Query::new("stars leaves=3 epsilon=1")?.id()?);
//! # Ok(())
//! # }
//! ```
use crate::{Arguments, Query, QueryBuilder, Result, Run, Target};

macro_rules! builder {
    ($name:ident, $kind:literal) => {
        impl $name {
            /// All options with their defaults.
            #[allow(clippy::new_without_default)]
            pub fn new() -> Self {
                $name { inner: Query::of($kind) }
            }

            /// The text so far, or the first thing that went wrong.
            pub fn text(self) -> Result<String> {
                self.inner.text()
            }

            /// The query; the budget is in the options.
            pub fn build(self) -> Result<Query> {
                self.inner.build()
            }

            /// With arrays; the budget is in the options or in `target`.
            pub fn build_with(
                self,
                arguments: &Arguments<'_>,
                target: Option<&Target>,
                run: Run<'_>,
            ) -> Result<Query> {
                self.inner.build_with(arguments, target, run)
            }
        }

        impl From<$name> for QueryBuilder {
            fn from(made: $name) -> QueryBuilder {
                made.inner
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/kinds.rs"));
