//! How far one private change moves a density or a layer, from public numbers.
use crate::{filled, need, pointer, sys, Layers, Notion, Patterns, Result};

/// Where a degree bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degrees {
    /// No bound.
    Any,
    /// Every possible input has it. The guarantee is void for a graph that breaks the promise.
    Promised(i64),
    /// The library enforces it, at twice the sensitivity; holds for every graph.
    Truncated(i64),
}

impl Degrees {
    pub(crate) fn raw(self) -> (i32, i64) {
        match self {
            Degrees::Any => (sys::PVG_DEGREES_ANY, 0),
            Degrees::Promised(bound) => (sys::PVG_DEGREES_PROMISED, bound),
            Degrees::Truncated(bound) => (sys::PVG_DEGREES_TRUNCATED, bound),
        }
    }
}

/// What is publicly known of a private graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Nodes.
    pub order: i64,
    /// What is known of degrees.
    pub degrees: Degrees,
    /// Promised as well; 0: nothing.
    pub least_degree: i64,
}

impl Assumption {
    /// So many nodes with such degrees.
    pub fn new(order: i64, degrees: Degrees) -> Self {
        Assumption { order, degrees, least_degree: 0 }
    }

    pub(crate) fn raw(&self) -> sys::pvg_assumption {
        let (degrees, degree_bound) = self.degrees.raw();
        let (order, least_degree) = (self.order, self.least_degree);
        sys::pvg_assumption { degrees, order, degree_bound, least_degree, ..Default::default() }
    }
}

fn errors_fit(patterns: &Patterns, errors: Option<&[f64]>) -> Result<()> {
    need(
        errors.map_or(true, |all| all.len() == patterns.len()),
        "relative errors: not one for each pattern",
    )
}

/// How far one edge moves each density. relative_error: of computed densities
/// ([`crate::Density::relative_error`]).
pub fn edge(
    patterns: &Patterns,
    assumption: &Assumption,
    relative_error: Option<&[f64]>,
) -> Result<Vec<f64>> {
    errors_fit(patterns, relative_error)?;
    filled(patterns.len(), |out| unsafe {
        let errors = pointer(relative_error);
        sys::pvg_sensitivity_edge(out, patterns.as_ptr(), &assumption.raw(), errors)
    })
}

/// Largest density of each pattern.
pub fn range(patterns: &Patterns, assumption: &Assumption) -> Result<Vec<f64>> {
    filled(patterns.len(), |out| unsafe {
        sys::pvg_sensitivity_range(out, patterns.as_ptr(), &assumption.raw())
    })
}

/// The published bound, which does not always hold: for comparison.
pub fn edge_published(patterns: &Patterns, assumption: &Assumption) -> Result<Vec<f64>> {
    filled(patterns.len(), |out| unsafe {
        sys::pvg_sensitivity_edge_published(out, patterns.as_ptr(), &assumption.raw())
    })
}

/// A beta-smooth bound at a graph of that largest degree: private as the graph is.
pub fn smooth_exact(
    patterns: &Patterns,
    assumption: &Assumption,
    relative_error: Option<&[f64]>,
    beta: f64,
    max_degree: i64,
) -> Result<Vec<f64>> {
    errors_fit(patterns, relative_error)?;
    filled(patterns.len(), |out| unsafe {
        let (list, errors) = (patterns.as_ptr(), pointer(relative_error));
        sys::pvg_sensitivity_smooth_exact(out, list, &assumption.raw(), errors, beta, max_degree)
    })
}

/// The published form of it, which is no smooth bound: for comparison.
pub fn smooth_published(
    patterns: &Patterns,
    assumption: &Assumption,
    beta: f64,
    max_degree: i64,
) -> Result<Vec<f64>> {
    filled(patterns.len(), |out| unsafe {
        let list = patterns.as_ptr();
        sys::pvg_sensitivity_smooth_published(out, list, &assumption.raw(), beta, max_degree)
    })
}

/// Lipschitz constant of each layer over all graphs of the assumption.
pub fn lipschitz(layers: &Layers, assumption: &Assumption) -> Result<Vec<f64>> {
    filled(layers.depth(), |out| unsafe {
        sys::pvg_sensitivity_lipschitz(out, layers.as_ptr(), &assumption.raw())
    })
}

/// How far neighbours of that notion move the output of each layer.
pub fn layers(layers: &Layers, assumption: &Assumption, notion: Notion) -> Result<Vec<f64>> {
    filled(layers.depth(), |out| unsafe {
        sys::pvg_sensitivity_layers(out, layers.as_ptr(), &assumption.raw(), notion as i32)
    })
}

/// The published bounds, of which one fails: for comparison.
pub fn layers_published(layers: &Layers, assumption: &Assumption, notion: Notion) -> Result<Vec<f64>> {
    filled(layers.depth(), |out| unsafe {
        sys::pvg_sensitivity_layers_published(out, layers.as_ptr(), &assumption.raw(), notion as i32)
    })
}
