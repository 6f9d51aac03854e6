//! Patterns: small public graphs to count.
use crate::{
    c_text, check, choice, constant, getters, handle, lent, need, number, sized, sys, text, Result,
    Rng, Run,
};

handle! {
    /// An ordered list of patterns.
    shared Patterns, pvg_patterns, pvg_patterns_free
}

getters! { Patterns:
    len = pvg_patterns_count as usize;
}

/// One pattern of a list.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    list: &'a Patterns,
    index: i64,
}

choice! {
    /// A class of patterns; `parameter` bounds it where it has one.
    PatternClass {
        Trees = PVG_CLASS_TREES,
        FanCactus = PVG_CLASS_FAN_CACTUS,
        ParallelTrees = PVG_CLASS_PARALLEL_TREES,
        ApexForests = PVG_CLASS_APEX_FORESTS,
        Treewidth = PVG_CLASS_TREEWIDTH,
        Cycles = PVG_CLASS_CYCLES,
        All = PVG_CLASS_ALL,
    }
}

impl PatternClass {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_class_name(self as i32) }).unwrap_or("")
    }

    /// The graph networks that tell apart what densities of the class tell apart.
    pub fn network(self) -> &'static str {
        constant(unsafe { sys::pvg_class_network(self as i32) }).unwrap_or("")
    }

    /// The largest number of edges of a pattern with m vertices, as a formula.
    pub fn formula(self) -> &'static str {
        constant(unsafe { sys::pvg_class_formula(self as i32) }).unwrap_or("")
    }

    /// The largest number of edges of a pattern with `order` vertices.
    pub fn max_edges(self, parameter: i32, order: i64) -> Result<i64> {
        number(|out| unsafe { sys::pvg_class_max_edges(out, self as i32, parameter, order) })
    }

    /// Patterns with that many edges.
    pub fn largest(self, parameter: i32, order: i64) -> Result<Patterns> {
        Patterns::make(|out| unsafe {
            sys::pvg_class_patterns(out, self as i32, parameter, order)
        })
    }
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

    /// From edges: for each pattern its number of vertices and its edges.
    pub fn from_edges(patterns: &[(i64, &[(i64, i64)])]) -> Result<Self> {
        let orders: Vec<i64> = patterns.iter().map(|one| one.0).collect();
        let sizes: Vec<i64> = patterns.iter().map(|one| one.1.len() as i64).collect();
        let (sources, targets): (Vec<i64>, Vec<i64>) =
            patterns.iter().flat_map(|one| one.1.iter().copied()).unzip();
        Patterns::make(|out| unsafe {
            let (orders, sizes, count) = (orders.as_ptr(), sizes.as_ptr(), patterns.len() as i64);
            let (from, to) = (sources.as_ptr(), targets.as_ptr());
            sys::pvg_patterns_from_edges(out, orders, sizes, count, from, to)
        })
    }

    /// These patterns, then those.
    pub fn concat(&self, other: &Patterns) -> Result<Self> {
        Patterns::make(|out| unsafe {
            sys::pvg_patterns_concat(out, self.as_ptr(), other.as_ptr())
        })
    }

    /// The patterns with these numbers, in this order.
    pub fn select(&self, indices: &[i64]) -> Result<Self> {
        let (first, count) = (indices.as_ptr(), indices.len() as i64);
        Patterns::make(|out| unsafe { sys::pvg_patterns_select(out, self.as_ptr(), first, count) })
    }

    /// One of each set of isomorphic patterns, and where each pattern went.
    pub fn merge(&self) -> Result<(Self, Vec<i64>)> {
        let mut group = vec![0; self.len()];
        let merged = Patterns::make(|out| unsafe {
            sys::pvg_patterns_merge(out, group.as_mut_ptr(), self.as_ptr())
        })?;
        Ok((merged, group))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    pub fn get(&self, index: usize) -> Option<Pattern<'_>> {
        if index < self.len() {
            Some(Pattern { list: self, index: index as i64 })
        } else {
            None
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Pattern<'_>> + '_ {
        (0..self.len() as i64).map(move |index| Pattern { list: self, index })
    }
}

/// Numbers of a pattern.
macro_rules! numbers {
    ($($(#[$note:meta])* $name:ident = $call:ident -> $out:ty;)*) => {
        impl Pattern<'_> {
            $($(#[$note])*
            #[doc = concat!("`", stringify!($call), "` of the C headers.")]
            pub fn $name(&self) -> $out {
                unsafe { sys::$call(self.list.as_ptr(), self.index) }
            })*
        }
    };
}

numbers! {
    /// Vertices.
    order = pvg_patterns_order -> i64;
    /// Edges.
    size = pvg_patterns_size -> i64;
    /// Connected pieces.
    components = pvg_patterns_components -> i64;
    /// Vertices without edges.
    isolated = pvg_patterns_isolated -> i64;
    treewidth = pvg_patterns_width -> i64;
    /// How many patterns were merged into it.
    multiplicity = pvg_patterns_multiplicity -> i64;
    /// What it is: `sys::PVG_KIND_*` combined with `|`.
    kinds = pvg_patterns_kinds -> u32;
    /// Equal for isomorphic patterns, and hardly ever for others.
    hash = pvg_patterns_hash -> u64;
}

/// Texts of a pattern.
macro_rules! texts {
    ($($(#[$note:meta])* $name:ident = $call:ident;)*) => {
        impl Pattern<'_> {
            $($(#[$note])*
            #[doc = concat!("`", stringify!($call), "` of the C headers.")]
            pub fn $name(&self) -> Result<String> {
                let (list, index) = (self.list.as_ptr(), self.index);
                text(|out, capacity, length| unsafe {
                    sys::$call(out, capacity, length, list, index)
                })
            })*
        }
    };
}

texts! {
    /// A name that [`Patterns::from_names`] knows, else canonical graph6.
    name = pvg_patterns_copy_name;
    /// graph6 with the vertices as given.
    graph6 = pvg_patterns_copy_graph6;
    /// graph6 that isomorphic patterns share.
    canonical = pvg_patterns_copy_canonical;
}

impl Pattern<'_> {
    /// Edges, as (smaller, larger).
    pub fn edges(&self) -> Result<Vec<(i32, i32)>> {
        let (mut from, mut to) = (std::ptr::null(), std::ptr::null());
        let list = self.list.as_ptr();
        check(unsafe { sys::pvg_patterns_view_edges(&mut from, &mut to, list, self.index) })?;
        let (from, to): (&[i32], &[i32]) =
            unsafe { (lent(from, self.size()), lent(to, self.size())) };
        Ok(from.iter().copied().zip(to.iter().copied()).collect())
    }

    /// The piece of each vertex.
    pub fn component_of(&self) -> Result<&[i32]> {
        let mut data = std::ptr::null();
        let list = self.list.as_ptr();
        check(unsafe { sys::pvg_patterns_view_components(&mut data, list, self.index) })?;
        Ok(unsafe { lent(data, self.order()) })
    }

    /// An elimination order that attains the treewidth.
    pub fn elimination(&self) -> Result<&[i32]> {
        let mut data = std::ptr::null();
        let list = self.list.as_ptr();
        check(unsafe { sys::pvg_patterns_view_elimination(&mut data, list, self.index) })?;
        Ok(unsafe { lent(data, self.order()) })
    }

    /// The width of any elimination order; none if it is not one.
    pub fn elimination_width(&self, elimination: &[i32]) -> Option<i64> {
        if elimination.len() as i64 != self.order() {
            return None;
        }
        let (list, first) = (self.list.as_ptr(), elimination.as_ptr());
        let width = unsafe { sys::pvg_patterns_elimination_width(list, self.index, first) };
        if width < 0 {
            None
        } else {
            Some(width)
        }
    }

    /// Whether they are the same pattern.
    pub fn is_isomorphic(&self, other: &Pattern<'_>) -> bool {
        let (own, list) = (self.list.as_ptr(), other.list.as_ptr());
        unsafe { sys::pvg_patterns_isomorphic(own, self.index, list, other.index) == 1 }
    }

    /// Whether it is in the class.
    pub fn is_in_class(&self, class: PatternClass, parameter: i32) -> Result<bool> {
        let list = self.list.as_ptr();
        number(|out| unsafe {
            sys::pvg_patterns_in_class(out, list, self.index, class as i32, parameter)
        })
        .map(|inside: i32| inside == 1)
    }
}

handle! {
    /// A distribution on the patterns of a class.
    shared Sampler, pvg_sampler, pvg_sampler_free
}

impl Sampler {
    /// See `sys::pvg_sampler_config` for what zero fields mean.
    pub fn new(config: &sys::pvg_sampler_config) -> Result<Self> {
        let config = sized!(pvg_sampler_config, config);
        Sampler::make(|out| unsafe { sys::pvg_sampler_new(out, &config) })
    }

    /// Such as "trees", "treewidth3", "reference2".
    pub fn from_name(name: &str) -> Result<Self> {
        let name = c_text(name)?;
        let none = std::ptr::null();
        Sampler::make(|out| unsafe { sys::pvg_sampler_from_name(out, name.as_ptr(), none) })
    }

    /// The settings, defaults filled in.
    pub fn settings(&self) -> Result<sys::pvg_sampler_config> {
        let mut out = sys::pvg_sampler_config::default();
        check(unsafe { sys::pvg_sampler_copy_config(&mut out, self.as_ptr()) }).map(|_| out)
    }

    /// Patterns are public: a seeded generator is fine.
    pub fn draw(&self, count: usize, rng: &mut Rng) -> Result<Patterns> {
        self.draw_with(count, rng, Run::default())
    }

    /// So many patterns, with progress and cancelling.
    pub fn draw_with(&self, count: usize, rng: &mut Rng, run: Run<'_>) -> Result<Patterns> {
        let count = count as i64;
        run.call(|run| {
            Patterns::make(|out| unsafe {
                sys::pvg_patterns_draw(out, self.as_ptr(), count, rng.as_ptr(), run)
            })
        })
    }
}

choice! {
    /// What a budget tells about a pattern.
    Verdict {
        /// The same for every graph.
        Constant = PVG_VERDICT_CONSTANT,
        /// The noise is not below the whole public range.
        Hidden = PVG_VERDICT_HIDDEN,
        Informative = PVG_VERDICT_INFORMATIVE,
    }
}

handle! {
    /// Noise, range and verdict for each number of a release, before anything is spent
    /// ([`crate::Query::preview`]).
    shared Preview, pvg_preview, pvg_preview_free
}

getters! { Preview:
    len = pvg_preview_count as usize;
    /// Lines that can be learned about; 0: nothing can at this budget.
    informative = pvg_preview_informative as usize;
}

impl Preview {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Noise, range and verdict of a number.
    pub fn line(&self, index: usize) -> Result<sys::pvg_preview_line> {
        let mut out = sys::pvg_preview_line::default();
        check(unsafe { sys::pvg_preview_copy_line(&mut out, self.as_ptr(), index as i64) })
            .map(|_| out)
    }

    /// What a line is about: the pattern, or the name of the number.
    pub fn name(&self, index: usize) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_preview_copy_name(out, capacity, length, self.as_ptr(), index as i64)
        })
    }

    /// Its verdict.
    pub fn verdict(&self, index: usize) -> Result<Verdict> {
        let found = Verdict::from_raw(self.line(index)?.verdict);
        need(found.is_some(), "a verdict of a newer library")?;
        Ok(found.unwrap_or(Verdict::Hidden))
    }

    /// Everything, as JSON.
    pub fn json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_preview_copy_json(out, capacity, length, self.as_ptr())
        })
    }
}
