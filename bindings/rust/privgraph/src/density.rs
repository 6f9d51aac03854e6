//! Homomorphism densities and counts: exact, for the program that holds the graph.
use crate::{
    constant, filled, getters, handle, matrix, need, number, pointer, sys, Graph, GraphSet,
    Patterns, Result, Run,
};

handle! {
    /// A list of patterns compiled for counting: public.
    shared Density, pvg_density, pvg_density_free
}

getters! { Density:
    /// Patterns, and so columns of what comes out.
    pattern_count = pvg_density_pattern_count as usize;
    /// Sparse products that the trees need together.
    products = pvg_density_products as i64;
    /// Those they would need one by one.
    products_unshared = pvg_density_products_unshared as i64;
}

fn wide(low: &[u64], high: &[u64]) -> Vec<u128> {
    low.iter().zip(high).map(|(low, high)| u128::from(*high) << 64 | u128::from(*low)).collect()
}

impl Density {
    /// Counts these patterns.
    pub fn new(patterns: &Patterns) -> Result<Self> {
        let none = std::ptr::null();
        Density::make(|out| unsafe { sys::pvg_density_new(out, patterns.as_ptr(), none) })
    }

    /// Long cycles in dense graphs by eigenvalues, where a proven bound allows it.
    pub fn with_eigenvalues(patterns: &Patterns) -> Result<Self> {
        let config = sys::pvg_density_config { cycle_eigenvalues: 1, ..Default::default() };
        Density::make(|out| unsafe { sys::pvg_density_new(out, patterns.as_ptr(), &config) })
    }

    /// What counts a pattern: "trees", "cycles", "cliques", "elimination", "mixed", "constant".
    pub fn engine(&self, pattern: usize) -> Option<&'static str> {
        constant(unsafe { sys::pvg_density_engine(self.as_ptr(), pattern as i64) })
    }

    /// A public bound of the relative rounding error for graphs of that order and largest degree.
    pub fn relative_error(&self, pattern: usize, order: i64, degree_bound: i64) -> Result<f64> {
        number(|out| unsafe {
            let pattern = pattern as i64;
            sys::pvg_density_relative_error(out, self.as_ptr(), pattern, order, degree_bound)
        })
    }

    /// What the densities of one graph cost at most, from public numbers: operations, and
    /// seconds on one thread of this machine.
    pub fn cost(&self, order: i64, degree_bound: i64) -> Result<(f64, f64)> {
        let mut seconds = 0.0;
        let operations = number(|out| unsafe {
            sys::pvg_density_cost(out, &mut seconds, self.as_ptr(), order, degree_bound)
        })?;
        Ok((operations, seconds))
    }

    /// Densities of all patterns in all graphs, a row for each graph.
    pub fn evaluate_exact(&self, set: &GraphSet, run: Run<'_>) -> Result<Vec<f64>> {
        run.call(|run| {
            matrix(set.len(), self.pattern_count(), |out| unsafe {
                sys::pvg_density_evaluate_exact(out, self.as_ptr(), set.as_ptr(), run)
            })
        })
    }

    /// Densities of all patterns in one graph.
    pub fn evaluate_graph_exact(&self, graph: &Graph, run: Run<'_>) -> Result<Vec<f64>> {
        run.call(|run| {
            filled(self.pattern_count(), |out| unsafe {
                sys::pvg_density_evaluate_graph_exact(out, self.as_ptr(), graph.as_ptr(), run)
            })
        })
    }

    /// Numbers of homomorphisms, a row for each graph.
    pub fn count_exact(&self, set: &GraphSet, run: Run<'_>) -> Result<Vec<u128>> {
        let mut high = vec![0; set.len().saturating_mul(self.pattern_count())];
        run.call(|run| {
            filled(high.len(), |low| unsafe {
                let own = self.as_ptr();
                sys::pvg_density_count_exact(low, high.as_mut_ptr(), own, set.as_ptr(), run)
            })
        })
        .map(|low| wide(&low, &high))
    }

    /// Numbers of homomorphisms into one graph.
    pub fn count_graph_exact(&self, graph: &Graph, run: Run<'_>) -> Result<Vec<u128>> {
        let mut high = vec![0; self.pattern_count()];
        run.call(|run| {
            filled(high.len(), |low| unsafe {
                let (own, graph) = (self.as_ptr(), graph.as_ptr());
                sys::pvg_density_count_graph_exact(low, high.as_mut_ptr(), own, graph, run)
            })
        })
        .map(|low| wide(&low, &high))
    }

    /// Densities by the node that the root of each pattern is sent to: a row for each node.
    /// Without roots: vertex 0 of each.
    pub fn rooted_exact(
        &self,
        graph: &Graph,
        roots: Option<&[i32]>,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        let count = self.pattern_count();
        need(roots.map_or(true, |all| all.len() == count), "roots: not one for each pattern")?;
        run.call(|run| {
            matrix(graph.order() as usize, count, |out| unsafe {
                let (own, graph) = (self.as_ptr(), graph.as_ptr());
                sys::pvg_density_rooted_exact(out, own, pointer(roots), graph, run)
            })
        })
    }

    /// What toggling each of these pairs changes, a row for each pair.
    pub fn edge_exact(
        &self,
        graph: &Graph,
        pairs: &[(i64, i64)],
        run: Run<'_>,
    ) -> Result<Vec<u128>> {
        let (sources, targets): (Vec<i64>, Vec<i64>) = pairs.iter().copied().unzip();
        let mut high = vec![0; pairs.len().saturating_mul(self.pattern_count())];
        run.call(|run| {
            filled(high.len(), |low| unsafe {
                let (own, graph, count) = (self.as_ptr(), graph.as_ptr(), pairs.len() as i64);
                let (from, to) = (sources.as_ptr(), targets.as_ptr());
                sys::pvg_density_edge_exact(
                    low,
                    high.as_mut_ptr(),
                    own,
                    graph,
                    from,
                    to,
                    count,
                    run,
                )
            })
        })
        .map(|low| wide(&low, &high))
    }
}
