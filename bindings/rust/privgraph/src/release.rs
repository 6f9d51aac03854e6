//! What may be published: embeddings, perturbed graphs and labels, each with its guarantee.
use crate::graph::Edges;
use crate::{
    check, handle, lent, sys, text, Curve, Error, Features, Graph, GraphSet, Labels, Ledger,
    Notion, Patterns, Result, Rng, Run, Target,
};

/// Where the degree bound of an embedding comes from.
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
    fn raw(self) -> (i32, i64) {
        match self {
            Degrees::Any => (sys::PVG_DEGREES_ANY, 0),
            Degrees::Promised(bound) => (sys::PVG_DEGREES_PROMISED, bound),
            Degrees::Truncated(bound) => (sys::PVG_DEGREES_TRUNCATED, bound),
        }
    }
}

handle! {
    /// Everything public about a private embedding, compiled once.
    Embedder, pvg_embedder, pvg_embedder_free
}
unsafe impl Sync for Embedder {}

/// Who pays for a release: a ledger and the number of the private object in it.
pub type Payment<'a> = Option<(&'a Ledger, u64)>;

/// The same for every graph of a set: one number each.
pub type Payments<'a> = Option<(&'a Ledger, &'a [u64])>;

/// What draws of sets share.
fn drawn_set(
    set: &GraphSet,
    payments: Payments<'_>,
    run: Run<'_>,
    draw: impl FnOnce(
        *mut *mut sys::pvg_release,
        *const u64,
        *mut sys::pvg_ledger,
        *const sys::pvg_run,
    ) -> i32,
) -> Result<Release> {
    let (ledger, objects) = match payments {
        Some((ledger, objects)) if objects.len() == set.len() => {
            (ledger.as_ptr(), objects.as_ptr())
        }
        Some(_) => return Err(Error::argument("payments: not one object for each graph")),
        None => (std::ptr::null_mut(), std::ptr::null()),
    };
    run.call(|run| Release::make(|out| draw(out, objects, ledger, run)))
}

/// What all draws share: who pays, how it runs.
fn drawn(
    payment: Payment<'_>,
    run: Run<'_>,
    draw: impl FnOnce(*mut *mut sys::pvg_release, u64, *mut sys::pvg_ledger, *const sys::pvg_run) -> i32,
) -> Result<Release> {
    let (ledger, object) = match payment {
        Some((ledger, object)) => (ledger.as_ptr(), object),
        None => (std::ptr::null_mut(), 0),
    };
    run.call(|run| Release::make(|out| draw(out, object, ledger, run)))
}

impl Embedder {
    pub fn new(patterns: &Patterns, degrees: Degrees, target: &Target) -> Result<Self> {
        let (source, bound) = degrees.raw();
        let config =
            sys::pvg_embedder_config { degrees: source, degree_bound: bound, ..Default::default() };
        let none = std::ptr::null();
        Embedder::make(|out| unsafe {
            sys::pvg_embedder_new(out, patterns.as_ptr(), &config, target.raw(), none)
        })
    }

    pub fn columns(&self) -> usize {
        unsafe { sys::pvg_embedder_columns(self.as_ptr()) as usize }
    }

    /// The noise scale of each column for graphs of `order` nodes, before any budget is spent; 0 for
    /// what gets none, such as an appended order.
    pub fn scales(&self, order: i64) -> Result<Vec<f64>> {
        let mut scales = vec![0.0; self.columns()];
        let none = std::ptr::null_mut;
        check(unsafe {
            let out = scales.as_mut_ptr();
            sys::pvg_embedder_preview(none(), none(), out, self.as_ptr(), order)
        })?;
        Ok(scales)
    }

    /// Embeds one graph.
    pub fn draw(
        &self,
        graph: &Graph,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, graph, rng) = (self.as_ptr(), graph.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_embedding(out, own, graph, object, rng, ledger, run)
        })
    }

    /// Embeds every graph of a set: one row each, each with the whole guarantee.
    pub fn draw_set(
        &self,
        set: &GraphSet,
        rng: &mut Rng,
        payments: Payments<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn_set(set, payments, run, |out, objects, ledger, run| unsafe {
            let (own, set, rng) = (self.as_ptr(), set.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_embeddings(out, own, set, objects, rng, ledger, run)
        })
    }

    /// What is promised for graphs of these orders together, before any budget is spent.
    pub fn fits(&self, orders: &[i64], payments: (&Ledger, &[u64])) -> Result<bool> {
        let mut raw = std::ptr::null_mut();
        let count = orders.len() as i64;
        check(unsafe {
            sys::pvg_embedder_guarantee(&mut raw, self.as_ptr(), orders.as_ptr(), count)
        })?;
        let fits = payments.0.fits(payments.1, &Guarantee::lent(raw));
        unsafe { sys::pvg_guarantee_free(raw) };
        fits
    }
}

handle! {
    /// A mechanism whose output looks like its input.
    Perturber, pvg_perturber, pvg_perturber_free
}
unsafe impl Sync for Perturber {}

/// A copy of a C struct whose size is set here: the library reads as many bytes as it says.
macro_rules! sized {
    ($kind:ident, $config:expr) => {
        sys::$kind { size: std::mem::size_of::<sys::$kind>() as u32, ..*$config }
    };
}

/// Perturbers with a C struct of settings, of which a missing one means the defaults.
macro_rules! perturbers {
    ($($(#[$about:meta])* $name:ident, $new:ident, $config:ident;)*) => {
        impl Perturber {
            $($(#[$about])*
            pub fn $name(config: &sys::$config, target: &Target) -> Result<Self> {
                let config = sized!($config, config);
                Perturber::make(|out| unsafe { sys::$new(out, &config, target.raw()) })
            })*
        }
    };
}

perturbers! {
    /// Randomised response on every pair, with settings.
    response_with, pvg_perturber_new_response, pvg_response_config;
    /// LapGraph: about as many edges as there are, by a curator. Edge-DP, pure epsilon.
    lapgraph, pvg_perturber_new_lapgraph, pvg_lapgraph_config;
    /// DPRR with settings: which reports, how epsilon is split.
    dprr_with, pvg_perturber_new_dprr, pvg_dprr_config;
    /// Subsets of the same size, of owned or of whole lists.
    subset_with, pvg_perturber_new_subset, pvg_lists_config;
    /// Blink (hard): the likeliest graph given noisy degrees and answers. Relationship DP.
    blink, pvg_perturber_new_blink, pvg_blink_config;
    /// k-ary randomised response on labels, with settings.
    labels_with, pvg_perturber_new_labels, pvg_labels_config;
}

impl Perturber {
    /// Lists, entry by entry: `blocks` for `PVG_SLOTS_BLOCKS`, `similarities` (order x order) for
    /// `PVG_SLOTS_SIMILARITY`; both public.
    pub fn slots(
        config: &sys::pvg_slots_config,
        target: &Target,
        blocks: Option<&[i32]>,
        similarities: Option<&[f64]>,
    ) -> Result<Self> {
        let order = usize::try_from(config.order).unwrap_or(0);
        if blocks.map_or(false, |all| all.len() != order)
            || similarities.map_or(false, |all| Some(all.len()) != order.checked_mul(order))
        {
            return Err(Error::argument(
                "slots: blocks or similarities are not as many as nodes ask for",
            ));
        }
        let config = sized!(pvg_slots_config, config);
        let blocks = blocks.map_or(std::ptr::null(), <[i32]>::as_ptr);
        let similarities = similarities.map_or(std::ptr::null(), <[f64]>::as_ptr);
        Perturber::make(|out| unsafe {
            sys::pvg_perturber_new_slots(out, &config, target.raw(), blocks, similarities)
        })
    }

    /// GraphPrivatizer as published, for comparison: its epsilon is infinite.
    pub fn graphprivatizer(
        config: &sys::pvg_graphprivatizer_config,
        target: &Target,
        features: &Features,
    ) -> Result<Self> {
        let config = sized!(pvg_graphprivatizer_config, config);
        Perturber::make(|out| unsafe {
            let features = features.as_ptr();
            sys::pvg_perturber_new_graphprivatizer(out, &config, target.raw(), features)
        })
    }

    /// Features with settings; low and high have `config.ranges` entries.
    pub fn features_with(
        config: &sys::pvg_features_config,
        target: &Target,
        low: &[f64],
        high: &[f64],
    ) -> Result<Self> {
        if low.len() as i64 != config.ranges || high.len() as i64 != config.ranges {
            return Err(Error::argument("features: low and high do not have `ranges` entries"));
        }
        let config = sized!(pvg_features_config, config);
        Perturber::make(|out| unsafe {
            let (low, high) = (low.as_ptr(), high.as_ptr());
            sys::pvg_perturber_new_features(out, &config, target.raw(), low, high)
        })
    }

    /// Edges of the private graph and the variance of this, estimated from a released one. Costs
    /// nothing.
    pub fn estimate_edges(&self, released: &Graph) -> Result<(f64, f64)> {
        let (mut out, mut variance) = (0.0, 0.0);
        check(unsafe {
            let (own, graph) = (self.as_ptr(), released.as_ptr());
            sys::pvg_perturber_estimate_edges(&mut out, &mut variance, own, graph)
        })
        .map(|_| (out, variance))
    }

    /// Degrees of the private graph and their variances.
    pub fn estimate_degrees(&self, released: &Graph) -> Result<(Vec<f64>, Vec<f64>)> {
        let order = released.order() as usize;
        let (mut out, mut variances) = (vec![0.0; order], vec![0.0; order]);
        check(unsafe {
            let (own, graph) = (self.as_ptr(), released.as_ptr());
            let (to, spread) = (out.as_mut_ptr(), variances.as_mut_ptr());
            sys::pvg_perturber_estimate_degrees(to, spread, own, graph)
        })
        .map(|_| (out, variances))
    }

    /// Triangles of the private graph and the variance of this.
    pub fn estimate_triangles(&self, released: &Graph, run: Run<'_>) -> Result<(f64, f64)> {
        let (mut out, mut variance) = (0.0, 0.0);
        run.call(|run| {
            check(unsafe {
                let (own, graph) = (self.as_ptr(), released.as_ptr());
                sys::pvg_perturber_estimate_triangles(&mut out, &mut variance, own, graph, run)
            })
        })
        .map(|_| (out, variance))
    }

    /// Owns a perturber that a function of `sys` made: for methods without a wrapper here.
    ///
    /// # Safety
    /// If build returns `PVG_OK` it wrote NULL or a perturber of the library that nobody else owns.
    pub unsafe fn from_raw(
        build: impl FnOnce(*mut *mut sys::pvg_perturber) -> i32,
    ) -> Result<Self> {
        Perturber::make(build)
    }

    /// k-ary randomised response on labels; one beyond the classes counts as the last class.
    pub fn labels(classes: i64, target: &Target) -> Result<Self> {
        let config = sys::pvg_labels_config { classes, ..Default::default() };
        Perturber::make(|out| unsafe { sys::pvg_perturber_new_labels(out, &config, target.raw()) })
    }

    /// Randomised response on every pair of nodes: edge-DP, pure epsilon.
    pub fn response(target: &Target) -> Result<Self> {
        let none = std::ptr::null();
        Perturber::make(|out| unsafe { sys::pvg_perturber_new_response(out, none, target.raw()) })
    }

    /// DPRR on owned lists: about 5 / epsilon edges for each node come on top. Edge-DP, pure epsilon.
    pub fn dprr(target: &Target) -> Result<Self> {
        let none = std::ptr::null();
        Perturber::make(|out| unsafe { sys::pvg_perturber_new_dprr(out, none, target.raw()) })
    }

    /// Subsets of the same size on owned lists: edge-set LDP, pure epsilon.
    pub fn subset(target: &Target) -> Result<Self> {
        let none = std::ptr::null();
        Perturber::make(|out| unsafe { sys::pvg_perturber_new_subset(out, none, target.raw()) })
    }

    /// Multi-bit response on features in a public range, the same for all columns.
    pub fn features(columns: usize, low: f64, high: f64, target: &Target) -> Result<Self> {
        let config =
            sys::pvg_features_config { columns: columns as i64, ranges: 1, ..Default::default() };
        Perturber::make(|out| unsafe {
            sys::pvg_perturber_new_features(out, &config, target.raw(), &low, &high)
        })
    }

    /// What is promised for one draw with a secure generator.
    pub fn guarantee(&self) -> Guarantee<'_> {
        Guarantee::lent(unsafe { sys::pvg_perturber_guarantee(self.as_ptr()) })
    }

    pub fn notion(&self) -> Option<Notion> {
        self.guarantee().notion()
    }

    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        self.guarantee().epsilon(delta)
    }

    /// Perturbs a graph.
    pub fn draw_graph(
        &self,
        graph: &Graph,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, graph, rng) = (self.as_ptr(), graph.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_graph(out, own, graph, object, rng, ledger, run)
        })
    }

    /// Perturbs every graph of a set, each with the whole guarantee.
    pub fn draw_graphs(
        &self,
        set: &GraphSet,
        rng: &mut Rng,
        payments: Payments<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn_set(set, payments, run, |out, objects, ledger, run| unsafe {
            let (own, set, rng) = (self.as_ptr(), set.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_graphs(out, own, set, objects, rng, ledger, run)
        })
    }

    /// Perturbs features.
    pub fn draw_features(
        &self,
        features: &Features,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, features, rng) = (self.as_ptr(), features.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_features(out, own, features, object, rng, ledger, run)
        })
    }

    /// Perturbs labels.
    pub fn draw_labels(
        &self,
        labels: &Labels,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, labels, rng) = (self.as_ptr(), labels.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_labels(out, own, labels, object, rng, ledger, run)
        })
    }
}

handle! {
    /// Message-passing layers, all public.
    Layers, pvg_layers, pvg_layers_free
}
unsafe impl Sync for Layers {}

impl Layers {
    /// Without weights; see `sys::pvg_layers_config` for what zero fields mean. `config.size` is
    /// not used: the library would read as many bytes as it says.
    pub fn new(config: &sys::pvg_layers_config) -> Result<Self> {
        let size = std::mem::size_of::<sys::pvg_layers_config>() as u32;
        let config = sys::pvg_layers_config { size, ..*config };
        let none = std::ptr::null();
        Layers::make(|out| unsafe { sys::pvg_layers_new(out, &config, none, 0) })
    }
}

handle! {
    /// Private message passing: layers, premise and budget.
    Propagator, pvg_propagator, pvg_propagator_free
}
unsafe impl Sync for Propagator {}

impl Propagator {
    /// At edge level, for graphs of `order` nodes with `columns` features; whichever method needs
    /// less noise.
    pub fn new(
        layers: &Layers,
        order: i64,
        degrees: Degrees,
        columns: usize,
        target: &Target,
    ) -> Result<Self> {
        let (source, bound) = degrees.raw();
        let premise =
            sys::pvg_premise { degrees: source, order, degree_bound: bound, ..Default::default() };
        let none = std::ptr::null();
        Propagator::make(|out| unsafe {
            let layers = layers.as_ptr();
            sys::pvg_propagator_new(out, layers, &premise, columns as i64, none, target.raw())
        })
    }

    /// What a release will be, before any budget is spent.
    pub fn preview(&self) -> Result<sys::pvg_propagation_preview> {
        let mut out = sys::pvg_propagation_preview::default();
        check(unsafe { sys::pvg_propagator_preview(&mut out, self.as_ptr()) }).map(|_| out)
    }

    /// One row per node.
    pub fn draw(
        &self,
        graph: &Graph,
        features: &Features,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, graph, rng) = (self.as_ptr(), graph.as_ptr(), rng.as_ptr());
            let features = features.as_ptr();
            sys::pvg_release_draw_propagation(out, own, graph, features, object, rng, ledger, run)
        })
    }
}

handle! {
    /// Numbers about a graph that one edge moves little.
    Statistic, pvg_statistic, pvg_statistic_free
}
unsafe impl Sync for Statistic {}

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
        if priorities.map_or(false, |given| given.len() != kinds.len()) {
            return Err(Error::argument("priorities: not one for each node"));
        }
        let config = sys::pvg_tallies_config {
            order: kinds.len() as i64,
            kinds: kind_count as i64,
            ..Default::default()
        };
        let nodes = sys::pvg_tallies_nodes {
            kinds: kinds.as_ptr(),
            priorities: priorities.map_or(std::ptr::null(), |given| given.as_ptr()),
            ..Default::default()
        };
        Statistic::make(|out| unsafe {
            sys::pvg_statistic_new_tallies(out, &config, target.raw(), &nodes)
        })
    }

    /// (rows, columns) of a release.
    pub fn shape(&self) -> (usize, usize) {
        unsafe {
            let (rows, columns) = (
                sys::pvg_statistic_rows(self.as_ptr()),
                sys::pvg_statistic_columns(self.as_ptr()),
            );
            (rows as usize, columns as usize)
        }
    }

    /// Standard deviation of the noise of each column, before anything is spent.
    pub fn deviations(&self) -> Result<Vec<f64>> {
        let mut out = vec![0.0; self.shape().1];
        check(unsafe { sys::pvg_statistic_copy_deviation(out.as_mut_ptr(), self.as_ptr()) })
            .map(|_| out)
    }

    pub fn draw(
        &self,
        graph: &Graph,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Release> {
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (own, graph, rng) = (self.as_ptr(), graph.as_ptr(), rng.as_ptr());
            sys::pvg_release_draw_statistic(out, own, graph, object, rng, ledger, run)
        })
    }
}

/// Class probabilities of every node, row by row, from public priors and labels (-1: unknown) and
/// private edges, by tallies; and the release they were read from. prior: a row of class
/// probabilities for each node, made without the edges.
pub fn classify(
    graph: &Graph,
    prior: &[f64],
    labels: &[i32],
    target: &Target,
    rng: &mut Rng,
    payment: Payment<'_>,
    run: Run<'_>,
) -> Result<(Vec<f64>, Release)> {
    let order = graph.order() as usize;
    if order == 0 || labels.len() != order || prior.len() % order != 0 {
        return Err(Error::argument("classify: prior and labels are not of this graph"));
    }
    let config =
        sys::pvg_posterior_config { classes: (prior.len() / order) as i64, ..Default::default() };
    let mut found = vec![0.0; prior.len()];
    let values = found.as_mut_ptr();
    let release = drawn(payment, run, |out, object, ledger, run| unsafe {
        let (prior, labels, none) = (prior.as_ptr(), labels.as_ptr(), std::ptr::null_mut());
        let (graph, rng) = (graph.as_ptr(), rng.as_ptr());
        sys::pvg_classify_nodes(
            values, out, none, graph, prior, labels, &config, 0.0, target.raw(), object, rng,
            ledger, run,
        )
    })?;
    Ok((found, release))
}

handle! {
    /// Something that may be published, with its guarantee.
    Release, pvg_release, pvg_release_free
}
unsafe impl Sync for Release {}

impl Release {
    pub fn rows(&self) -> usize {
        unsafe { sys::pvg_release_rows(self.as_ptr()) as usize }
    }

    pub fn columns(&self) -> usize {
        unsafe { sys::pvg_release_columns(self.as_ptr()) as usize }
    }

    /// The numbers, row by row.
    pub fn values(&self) -> Result<&[f64]> {
        let mut data = std::ptr::null();
        check(unsafe { sys::pvg_release_view(&mut data, self.as_ptr()) })?;
        Ok(unsafe { lent(data, (self.rows() * self.columns()) as i64) })
    }

    /// The rows, one slice each.
    pub fn iter_rows(&self) -> Result<std::slice::ChunksExact<'_, f64>> {
        Ok(self.values()?.chunks_exact(self.columns().max(1)))
    }

    /// A copy of a released graph, to be used as any graph.
    pub fn graph(&self) -> Result<Graph> {
        let (mut graph, mut rows, mut columns) =
            (std::ptr::null(), std::ptr::null(), std::ptr::null());
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        Graph::make(|out| unsafe {
            let status = sys::pvg_graph_view_csr(&mut rows, &mut columns, graph);
            let order = sys::pvg_graph_order(graph);
            let policy = sys::PVG_EDGES_STRICT as u32;
            if status != sys::PVG_OK {
                return status;
            }
            sys::pvg_graph_from_csr(out, order, rows, columns, policy, std::ptr::null())
        })
    }

    /// Copies of the released graphs of a set, in its order.
    pub fn graphs(&self) -> Result<Vec<Graph>> {
        let mut set = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graphs(&mut set, self.as_ptr()) })?;
        (0..unsafe { sys::pvg_graphset_count(set) })
            .map(|index| Graph::make(|out| unsafe { sys::pvg_graphset_get(out, set, index) }))
            .collect()
    }

    /// Released sparse features: (row, column, difference to the middle of the range).
    pub fn sparse_features(&self) -> Result<Vec<(usize, i32, f64)>> {
        let mut features = std::ptr::null();
        let (mut offsets, mut indices) = (std::ptr::null(), std::ptr::null());
        let mut values = std::ptr::null();
        check(unsafe { sys::pvg_release_view_features(&mut features, self.as_ptr()) })?;
        check(unsafe {
            sys::pvg_features_view_csr(&mut offsets, &mut indices, &mut values, features)
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, sys::pvg_features_rows(features) + 1) };
        let count = offsets.last().copied().unwrap_or(0);
        let indices: &[i32] = unsafe { lent(indices, count) };
        let values: &[f64] = unsafe { lent(values, count) };
        Ok(offsets
            .windows(2)
            .enumerate()
            .flat_map(|(row, ends)| {
                (ends[0] as usize..ends[1] as usize).map(move |at| (row, indices[at], values[at]))
            })
            .collect())
    }

    /// The edges of a released graph.
    pub fn edges(&self) -> Result<Edges<'_>> {
        let mut graph = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        let order = unsafe { sys::pvg_graph_order(graph) };
        Ok(Edges { graph, order, node: -1, rest: [].iter() })
    }

    /// The released list of each user, ascending.
    pub fn lists(&self) -> Result<impl Iterator<Item = &[i32]> + '_> {
        let (mut offsets, mut targets, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        check(unsafe {
            sys::pvg_release_view_lists(&mut offsets, &mut targets, &mut count, self.as_ptr())
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, count + 1) };
        let targets: &[i32] = unsafe { lent(targets, offsets.last().copied().unwrap_or(0)) };
        Ok(offsets.windows(2).map(move |ends| &targets[ends[0] as usize..ends[1] as usize]))
    }

    /// Released labels.
    pub fn labels(&self) -> Result<&[i32]> {
        let (mut data, mut count) = (std::ptr::null(), 0);
        check(unsafe { sys::pvg_release_view_labels(&mut data, &mut count, self.as_ptr()) })?;
        Ok(unsafe { lent(data, count) })
    }

    /// What is promised.
    pub fn guarantee(&self) -> Guarantee<'_> {
        Guarantee::lent(unsafe { sys::pvg_release_guarantee(self.as_ptr()) })
    }

    /// False for a seeded generator or a published method whose proof does not hold.
    pub fn is_private(&self) -> bool {
        self.guarantee().holds()
    }

    pub fn notion(&self) -> Option<Notion> {
        self.guarantee().notion()
    }

    /// epsilon of the guarantee at delta.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        self.guarantee().epsilon(delta)
    }

    pub fn curve(&self) -> Result<Curve> {
        self.guarantee().curve()
    }

    /// The guarantee record.
    pub fn json(&self) -> Result<String> {
        self.guarantee().json()
    }

    /// The guarantee in plain words.
    pub fn words(&self) -> Result<String> {
        self.guarantee().words()
    }
}

/// What is promised about something released, lent by what releases it or was released.
#[derive(Clone, Copy)]
pub struct Guarantee<'a> {
    lent: *const sys::pvg_guarantee,
    lender: std::marker::PhantomData<&'a ()>,
}
// Immutable, and no longer lived than its lender.
unsafe impl Send for Guarantee<'_> {}
unsafe impl Sync for Guarantee<'_> {}

impl Guarantee<'_> {
    fn lent(lent: *const sys::pvg_guarantee) -> Self {
        Guarantee { lent, lender: std::marker::PhantomData }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::pvg_guarantee {
        self.lent
    }

    /// False for a seeded generator or a published method whose proof does not hold.
    pub fn holds(&self) -> bool {
        unsafe { sys::pvg_guarantee_holds(self.lent) == 1 }
    }

    pub fn notion(&self) -> Option<Notion> {
        Notion::from_raw(unsafe { sys::pvg_guarantee_notion(self.lent) })
    }

    /// The delta that was asked for.
    pub fn delta(&self) -> f64 {
        unsafe { sys::pvg_guarantee_delta(self.lent) }
    }

    /// epsilon at delta; infinite where nothing holds.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        let mut out = 0.0;
        check(unsafe { sys::pvg_guarantee_epsilon(&mut out, self.lent, delta) }).map(|_| out)
    }

    pub fn curve(&self) -> Result<Curve> {
        Curve::make(|out| unsafe { sys::pvg_guarantee_curve(out, self.lent) })
    }

    /// The record as JSON.
    pub fn json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_json(out, capacity, length, self.lent)
        })
    }

    /// In plain words.
    pub fn words(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_text(out, capacity, length, self.lent)
        })
    }
}
