//! Patterns: small public graphs to count.
use crate::{c_text, handle, sys, text, Result, Rng};

handle! {
    /// An ordered list of patterns.
    Patterns, pvg_patterns, pvg_patterns_free
}
unsafe impl Sync for Patterns {}

/// One pattern of a list.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    list: &'a Patterns,
    index: i64,
}

impl Patterns {
    /// Such as "edge,path3,cycle4".
    pub fn from_names(names: &str) -> Result<Self> {
        let names = c_text(names)?;
        Patterns::make(|out| unsafe { sys::pvg_patterns_from_names(out, names.as_ptr()) })
    }

    /// From graph6 lines.
    pub fn from_graph6(lines: &str) -> Result<Self> {
        Patterns::make(|out| unsafe {
            sys::pvg_patterns_from_graph6(out, lines.as_ptr().cast(), lines.len())
        })
    }

    pub fn len(&self) -> usize {
        unsafe { sys::pvg_patterns_count(self.as_ptr()) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = Pattern<'_>> + '_ {
        (0..self.len() as i64).map(move |index| Pattern { list: self, index })
    }
}

impl Pattern<'_> {
    pub fn order(&self) -> i64 {
        unsafe { sys::pvg_patterns_order(self.list.as_ptr(), self.index) }
    }

    pub fn size(&self) -> i64 {
        unsafe { sys::pvg_patterns_size(self.list.as_ptr(), self.index) }
    }

    pub fn treewidth(&self) -> i64 {
        unsafe { sys::pvg_patterns_width(self.list.as_ptr(), self.index) }
    }

    pub fn name(&self) -> Result<String> {
        let (list, index) = (self.list.as_ptr(), self.index);
        text(|out, capacity, length| unsafe {
            sys::pvg_patterns_copy_name(out, capacity, length, list, index)
        })
    }
}

handle! {
    /// A distribution on the patterns of a class.
    Sampler, pvg_sampler, pvg_sampler_free
}
unsafe impl Sync for Sampler {}

impl Sampler {
    /// Such as "trees", "treewidth3", "reference2".
    pub fn from_name(name: &str) -> Result<Self> {
        let name = c_text(name)?;
        let none = std::ptr::null();
        Sampler::make(|out| unsafe { sys::pvg_sampler_from_name(out, name.as_ptr(), none) })
    }

    /// Patterns are public: a seeded generator is fine.
    pub fn draw(&self, count: usize, rng: &mut Rng) -> Result<Patterns> {
        let (count, none) = (count as i64, std::ptr::null());
        Patterns::make(|out| unsafe {
            sys::pvg_patterns_draw(out, self.as_ptr(), count, rng.as_ptr(), none)
        })
    }
}
