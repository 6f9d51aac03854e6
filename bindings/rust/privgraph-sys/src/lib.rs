//! The C ABI of libprivgraph as it is. Programs use the crate `privgraph`, which is safe.
#![allow(non_camel_case_types)]

include!("bindings.rs");
