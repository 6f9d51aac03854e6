//! Numbers about a graph that one edge moves little, and what follows from them.
use crate::release::{drawn_set, draws};
use crate::{
    check, choice, filled, getters, handle, matrix, need, pointer, sized, sys, Graph, GraphSet,
    Guarantee, Lent, Patterns, Payments, Release, Result, Rng, Run, Target, Tradeoff,
};

handle! {
    /// Numbers about a graph that one edge moves little.
    shared Statistic, pvg_statistic, pvg_statistic_free
}

draws! { Statistic:
    draw(graph: Graph) = pvg_release_draw_statistic;
}

/// What is public about the nodes of tallies: known without the edges, or released before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nodes<'a> {
    /// Whoever has the higher one sends; none: all the same.
    pub priorities: Option<&'a [f64]>,
    /// -1: counts nowhere as a sender; none: all 0.
    pub kinds: Option<&'a [i32]>,
    /// With `config.groups`; -1: counts nowhere as a receiver.
    pub groups: Option<&'a [i32]>,
    /// In place of kinds: order x kinds.
    pub weights: Option<&'a [f64]>,
}

choice! {
    /// Numbers that one edge moves by one or two.
    Scalar {
        Edges = PVG_SCALAR_EDGES,
        Components = PVG_SCALAR_COMPONENTS,
        Cycles = PVG_SCALAR_CYCLES,
        LargestDegree = PVG_SCALAR_LARGEST_DEGREE,
        Degeneracy = PVG_SCALAR_DEGENERACY,
        Radius = PVG_SCALAR_RADIUS,
        Isolated = PVG_SCALAR_ISOLATED,
        Leaves = PVG_SCALAR_LEAVES,
    }
}

/// Where the numbers of a part stand in a joined statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatisticPart {
    pub first: usize,
    pub rows: usize,
    pub columns: usize,
}

/// Whether an array has one entry for each of config.order nodes.
fn of_nodes<T>(values: Option<&[T]>, order: i64) -> bool {
    values.map_or(true, |all| i64::try_from(all.len()).ok() == Some(order))
}

impl Statistic {
    /// Edges counted in public cells: (receiver, kind of the sender). Whoever has the higher
    /// priority sends, and among equals the lower number; -1: a node of no kind. Kinds and
    /// priorities must be public, or released before.
    pub fn tallies(
        kinds: &[i32],
        kind_count: usize,
        priorities: Option<&[f64]>,
        target: &Target,
    ) -> Result<Self> {
        let config = sys::pvg_tallies_config {
            order: kinds.len() as i64,
            kinds: kind_count as i64,
            ..Default::default()
        };
        let nodes = Nodes { kinds: Some(kinds), priorities, ..Default::default() };
        Statistic::tallies_with(&config, &nodes, target)
    }

    /// With settings: cells (`sys::PVG_TALLIES_*`), groups, weights.
    pub fn tallies_with(
        config: &sys::pvg_tallies_config,
        nodes: &Nodes<'_>,
        target: &Target,
    ) -> Result<Self> {
        let order = config.order;
        let cells = order.checked_mul(config.kinds);
        need(of_nodes(nodes.priorities, order), "priorities: not one for each node")?;
        need(
            of_nodes(nodes.kinds, order)
                && of_nodes(nodes.groups, order)
                && nodes.weights.map_or(true, |all| i64::try_from(all.len()).ok() == cells),
            "kinds, groups or weights: not one for each node",
        )?;
        let config = sized!(pvg_tallies_config, config);
        let nodes = sys::pvg_tallies_nodes {
            priorities: pointer(nodes.priorities),
            kinds: pointer(nodes.kinds),
            groups: pointer(nodes.groups),
            weights: pointer(nodes.weights),
            ..Default::default()
        };
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_tallies(out, &config, target.raw(), &nodes)
        })
    }

    /// The degree distribution: levels and ranks, one row for each group of nodes.
    pub fn degrees(
        config: &sys::pvg_degrees_config,
        groups: Option<&[i32]>,
        target: &Target,
    ) -> Result<Self> {
        need(of_nodes(groups, config.order), "groups: not one for each node")?;
        let config = sized!(pvg_degrees_config, config);
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_degrees(out, &config, target.raw(), pointer(groups))
        })
    }

    /// The number of triangles, by a ladder.
    pub fn triangles(config: &sys::pvg_triangles_config, target: &Target) -> Result<Self> {
        let config = sized!(pvg_triangles_config, config);
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_triangles(out, &config, target.raw())
        })
    }

    /// The number of stars with 2 or 3 leaves, by a ladder.
    pub fn stars(config: &sys::pvg_stars_config, target: &Target) -> Result<Self> {
        let config = sized!(pvg_stars_config, config);
        Statistic::make(|out| unsafe { sys::pvg_statistic_new_stars(out, &config, target.raw()) })
    }

    /// Single numbers under one budget; weights: shares of epsilon.
    pub fn scalars(
        order: i64,
        scalars: &[Scalar],
        weights: Option<&[f64]>,
        target: &Target,
    ) -> Result<Self> {
        let count = scalars.len();
        need(weights.map_or(true, |all| all.len() == count), "weights: not one for each")?;
        let which: Vec<i32> = scalars.iter().map(|one| *one as i32).collect();
        let config = sys::pvg_scalars_config { order, count: count as i64, ..Default::default() };
        Statistic::make(|out| unsafe {
            let (which, weights) = (which.as_ptr(), pointer(weights));
            sys::pvg_statistic_new_scalars(out, &config, target.raw(), which, weights)
        })
    }

    /// All adjacency eigenvalues, from the largest.
    pub fn spectrum(order: i64, target: &Target) -> Result<Self> {
        Statistic::make(|out| unsafe { sys::pvg_statistic_new_spectrum(out, order, target.raw()) })
    }

    /// All parts as one release; their epsilons add up.
    pub fn joined(parts: &[&Statistic]) -> Result<Self> {
        let mut raw: Vec<*mut sys::pvg_statistic> = parts.iter().map(|one| one.as_ptr()).collect();
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_joined(out, raw.as_mut_ptr(), raw.len() as i64)
        })
    }

    /// What [`Statistic::synthesize`] makes a graph from. blocks: public, of each node.
    pub fn synthesis(
        config: &sys::pvg_synthesis_config,
        blocks: Option<&[i32]>,
        target: &Target,
    ) -> Result<Self> {
        need(of_nodes(blocks, config.order), "blocks: not one for each node")?;
        let config = sized!(pvg_synthesis_config, config);
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_synthesis(out, &config, target.raw(), pointer(blocks))
        })
    }

    /// The parts of a joined statistic.
    pub fn parts(&self) -> Result<Vec<StatisticPart>> {
        (0..unsafe { sys::pvg_statistic_parts(self.as_ptr()) })
            .map(|part| {
                let (mut first, mut rows, mut columns) = (0, 0, 0);
                check(unsafe {
                    let own = self.as_ptr();
                    sys::pvg_statistic_part(&mut first, &mut rows, &mut columns, own, part)
                })?;
                let (first, rows, columns) = (first as usize, rows as usize, columns as usize);
                Ok(StatisticPart { first, rows, columns })
            })
            .collect()
    }

    /// (rows, columns) of a release.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows(), self.columns())
    }

    /// Standard deviation of the noise of each column, before anything is spent.
    pub fn deviations(&self) -> Result<Vec<f64>> {
        filled(self.columns(), |out| unsafe {
            sys::pvg_statistic_copy_deviation(out, self.as_ptr())
        })
    }

    /// What is promised for one draw with a secure generator.
    pub fn guarantee(&self) -> Lent<'_, Guarantee> {
        Guarantee::borrow_raw(unsafe { sys::pvg_statistic_guarantee(self.as_ptr()) })
    }

    /// Noise against range of each number in graphs of `order` nodes (0: the statistic's), before
    /// anything is spent. common: a public guess of the most neighbours two nodes share; 0: the worst.
    pub fn tradeoff(&self, order: i64, common: i64) -> Result<Tradeoff> {
        Tradeoff::make(|out| unsafe {
            sys::pvg_statistic_tradeoff(out, self.as_ptr(), order, common)
        })
    }

    /// The numbers without noise: must not be published.
    pub fn values_exact(&self, graph: &Graph, run: Run<'_>) -> Result<Vec<f64>> {
        run.call(|run| {
            matrix(self.rows(), self.columns(), |out| unsafe {
                sys::pvg_statistic_values_exact(out, self.as_ptr(), graph.as_ptr(), run)
            })
        })
    }

    /// Draws it for every graph of a set, each with the whole guarantee: all pay or none.
    pub fn draw_set(
        &self,
        set: &GraphSet,
        rng: &mut Rng,
        payments: Payments<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn_set(set, payments, run, |out, objects, ledger, run| unsafe {
            let (own, set, rng) = (self.as_ptr(), set.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_statistics(out, own, set, objects, rng, ledger, run)
        })
    }

    fn own(&self, values: &[f64]) -> Result<()> {
        let fits = self.rows().checked_mul(self.columns()) == Some(values.len());
        need(fits, "values are not those of a release of this statistic")
    }

    /// A graphical degree sequence for `order` nodes, from the released numbers of a degree
    /// diagram. Costs nothing, as all below.
    pub fn degree_sequence(&self, values: &[f64], order: i64) -> Result<Vec<i64>> {
        self.own(values)?;
        need(order > 0, "degree sequence: order is less than 1")?;
        filled(order as usize, |out| unsafe {
            sys::pvg_degrees_sequence(out, self.as_ptr(), values.as_ptr(), order)
        })
    }

    /// Estimated sums of powers 0, 1, ... of the degrees.
    pub fn degree_moments(&self, values: &[f64], order: i64, count: usize) -> Result<Vec<f64>> {
        self.own(values)?;
        filled(count, |out| unsafe {
            let (own, values) = (self.as_ptr(), values.as_ptr());
            sys::pvg_degrees_moments(out, count as i64, own, values, order)
        })
    }

    /// Estimated densities of forests.
    pub fn degree_densities(
        &self,
        patterns: &Patterns,
        values: &[f64],
        order: i64,
    ) -> Result<Vec<f64>> {
        self.own(values)?;
        filled(patterns.len(), |out| unsafe {
            let (own, values) = (self.as_ptr(), values.as_ptr());
            sys::pvg_degrees_densities(out, patterns.as_ptr(), own, values, order)
        })
    }

    /// A random graph with the released degrees, edges between blocks and triangles: no edge of it
    /// is evidence of an edge. mixing: 0 for the default.
    pub fn synthesize(
        &self,
        values: &[f64],
        mixing: f64,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Graph> {
        self.own(values)?;
        let config = sys::pvg_wiring_config { mixing, ..Default::default() };
        run.call(|run| {
            Graph::make(|out| unsafe {
                let (own, values, rng) = (self.as_ptr(), values.as_ptr(), rng.as_ptr());
                sys::pvg_synthesis_draw(out, own, values, &config, rng, run)
            })
        })
    }
}

getters! { Statistic:
    rows = pvg_statistic_rows as usize;
    columns = pvg_statistic_columns as usize;
}
