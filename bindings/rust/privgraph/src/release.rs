//! What may be published, and private embeddings of graphs.
use crate::graph::Edges;
use crate::{
    c_text, check, choice, constant, filled, getters, handle, lent, need, pointer, sized, sys,
    Curve, Degrees, Error, Features, Graph, GraphSet, Guarantee, Ledger, Lent, Notion, Patterns,
    Payment, Payments, Result, Rng, Run, Target, Tradeoff,
};

/// What draws of sets share.
pub(crate) fn drawn_set(
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
pub(crate) fn drawn(
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

/// Methods that draw a release from private inputs: generator, who pays, how it runs.
macro_rules! draws {
    ($type:ident: $($(#[$note:meta])* $name:ident($($input:ident: $kind:ty),+) = $call:ident;)*) => {
        impl $type {
            $($(#[$note])*
            pub fn $name(
                &self,
                $($input: &$kind,)+
                rng: &mut crate::Rng,
                payment: crate::Payment<'_>,
                run: crate::Run<'_>,
            ) -> crate::Result<crate::Release> {
                crate::release::drawn(payment, run, |out, object, ledger, run| unsafe {
                    let (own, rng) = (self.as_ptr(), rng.as_ptr());
                    crate::sys::$call(out, own, $($input.as_ptr(),)+ object, rng, ledger, run)
                })
            })*
        }
    };
}
pub(crate) use draws;

choice! {
    /// The unit of embeddings.
    Scaling {
        Range = PVG_SCALING_RANGE,
        Density = PVG_SCALING_DENSITY,
        PerNode = PVG_SCALING_PER_NODE,
    }
}

impl Scaling {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_scaling_name(self as i32) }).unwrap_or("")
    }
}

choice! {
    /// Whether columns of an embedding share part of their noise: an edge moves all of them one way.
    Joint {
        Auto = PVG_JOINT_AUTO,
        Never = PVG_JOINT_NEVER,
        OneWay = PVG_JOINT_ONE_WAY,
        Ellipsoid = PVG_JOINT_ELLIPSOID,
    }
}

impl Joint {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_joint_name(self as i32) }).unwrap_or("")
    }
}

handle! {
    /// Everything public about a private embedding, compiled once.
    shared Embedder, pvg_embedder, pvg_embedder_free
}

getters! { Embedder:
    /// Columns of a release: one for each pattern, one more with an appended order.
    columns = pvg_embedder_columns as usize;
}

draws! { Embedder:
    /// Embeds one graph.
    draw(graph: Graph) = pvg_release_draw_embedding;
}

impl Embedder {
    pub fn new(patterns: &Patterns, degrees: Degrees, target: &Target) -> Result<Self> {
        let (source, bound) = degrees.raw();
        let config =
            sys::pvg_embedder_config { degrees: source, degree_bound: bound, ..Default::default() };
        let none = std::ptr::null();
        Embedder::make(|out| unsafe {
            let run = std::ptr::null();
            sys::pvg_embedder_new(out, patterns.as_ptr(), &config, target.raw(), none, run)
        })
    }

    /// With all settings, and how much the squared error of each pattern matters.
    pub fn with_config(
        patterns: &Patterns,
        config: &sys::pvg_embedder_config,
        target: &Target,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        Embedder::with_config_run(patterns, config, target, weights, Run::default())
    }

    /// The same; shaping noise for many trees takes a while, which `run` watches.
    pub fn with_config_run(
        patterns: &Patterns,
        config: &sys::pvg_embedder_config,
        target: &Target,
        weights: Option<&[f64]>,
        run: Run<'_>,
    ) -> Result<Self> {
        need(
            weights.map_or(true, |all| all.len() == patterns.len()),
            "weights: not one for each pattern",
        )?;
        let config = sized!(pvg_embedder_config, config);
        run.call(|run| {
            Embedder::make(|out| unsafe {
                let (list, weights) = (patterns.as_ptr(), pointer(weights));
                sys::pvg_embedder_new(out, list, &config, target.raw(), weights, run)
            })
        })
    }

    /// (sensitivity, largest value) of each pattern in graphs of `order` nodes.
    pub fn ranges(&self, order: i64) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut ranges = vec![0.0; self.columns()];
        let sensitivities = filled(ranges.len(), |out| unsafe {
            let (top, none) = (ranges.as_mut_ptr(), std::ptr::null_mut());
            sys::pvg_embedder_preview(out, top, none, self.as_ptr(), order)
        })?;
        Ok((sensitivities, ranges))
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

    /// The covariance of that noise, row by row: patterns times patterns numbers, then zeros if an
    /// order is appended.
    pub fn covariance(&self, order: i64) -> Result<Vec<f64>> {
        filled(self.columns() * self.columns(), |out| unsafe {
            sys::pvg_embedder_covariance(out, self.as_ptr(), order)
        })
    }

    /// For audits on public graphs: of each row of `values`, how much likelier it is with the exact
    /// densities `second` than with `first`, as a logarithm.
    pub fn compare_exact(
        &self,
        values: &[f64],
        first: &[f64],
        second: &[f64],
        order: i64,
    ) -> Result<Vec<f64>> {
        let width = self.columns();
        need(
            width > 0
                && values.len() % width == 0
                && first.len() == second.len()
                && (first.len() == width || first.len() + 1 == width),
            "values, first or second: another shape",
        )?;
        let rows = values.len() / width;
        filled(rows, |out| unsafe {
            let (own, count) = (self.as_ptr(), rows as i64);
            let (values, first, second) = (values.as_ptr(), first.as_ptr(), second.as_ptr());
            sys::pvg_embedder_compare_exact(out, values, count, first, second, own, order)
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
    pub fn guarantee(&self, orders: &[i64]) -> Result<Guarantee> {
        let (first, count) = (orders.as_ptr(), orders.len() as i64);
        Guarantee::make(|out| unsafe {
            sys::pvg_embedder_guarantee(out, self.as_ptr(), first, count)
        })
    }

    /// Whether a ledger would pay for such graphs, before any budget is spent.
    pub fn fits(&self, orders: &[i64], payments: (&Ledger, &[u64])) -> Result<bool> {
        payments.0.fits(payments.1, &self.guarantee(orders)?)
    }

    /// Which patterns can be learned about at this budget in graphs of `order` nodes.
    pub fn tradeoff(&self, order: i64, run: Run<'_>) -> Result<Tradeoff> {
        run.call(|run| {
            Tradeoff::make(|out| unsafe {
                sys::pvg_embedder_tradeoff(out, self.as_ptr(), order, run)
            })
        })
    }
}

handle! {
    /// Something that may be published, with its guarantee.
    shared Release, pvg_release, pvg_release_free
}

getters! { Release:
    rows = pvg_release_rows as usize;
    columns = pvg_release_columns as usize;
}

impl Release {
    /// The common case in one call: patterns by name and a budget, with all defaults and a secure
    /// generator. degree_bound: public, degrees are truncated to it; 0: any degrees.
    pub fn draw_patterns(
        graph: &Graph,
        names: &str,
        epsilon: f64,
        degree_bound: i64,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Self> {
        let names = c_text(names)?;
        drawn(payment, run, |out, object, ledger, run| unsafe {
            let (graph, names) = (graph.as_ptr(), names.as_ptr());
            sys::pvg_release_draw_patterns(
                out,
                graph,
                names,
                epsilon,
                degree_bound,
                object,
                ledger,
                run,
            )
        })
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

    /// The released graph, to be used as any graph.
    pub fn graph(&self) -> Result<Lent<'_, Graph>> {
        let mut graph = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        Ok(Graph::borrow_raw(graph))
    }

    /// The released graphs of a set, in its order.
    pub fn graphs(&self) -> Result<Lent<'_, GraphSet>> {
        let mut set = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graphs(&mut set, self.as_ptr()) })?;
        Ok(GraphSet::borrow_raw(set))
    }

    /// Released sparse features: differences to the middle of the range.
    pub fn sparse_features(&self) -> Result<Lent<'_, Features>> {
        let mut features = std::ptr::null();
        check(unsafe { sys::pvg_release_view_features(&mut features, self.as_ptr()) })?;
        Ok(Features::borrow_raw(features))
    }

    /// The edges of a released graph.
    pub fn edges(&self) -> Result<Edges<'_>> {
        let mut graph = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        let order = unsafe { sys::pvg_graph_order(graph) };
        Ok(Edges { graph, order, node: -1, rest: [].iter() })
    }

    /// The released lists: where each begins, and their entries.
    pub fn list_arrays(&self) -> Result<(&[i64], &[i32])> {
        let (mut offsets, mut targets, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        check(unsafe {
            sys::pvg_release_view_lists(&mut offsets, &mut targets, &mut count, self.as_ptr())
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, count + 1) };
        let targets: &[i32] = unsafe { lent(targets, offsets.last().copied().unwrap_or(0)) };
        Ok((offsets, targets))
    }

    /// The released list of each user, ascending.
    pub fn lists(&self) -> Result<impl Iterator<Item = &[i32]> + '_> {
        let (offsets, targets) = self.list_arrays()?;
        Ok(offsets.windows(2).map(move |ends| &targets[ends[0] as usize..ends[1] as usize]))
    }

    /// Released labels.
    pub fn labels(&self) -> Result<&[i32]> {
        let (mut data, mut count) = (std::ptr::null(), 0);
        check(unsafe { sys::pvg_release_view_labels(&mut data, &mut count, self.as_ptr()) })?;
        Ok(unsafe { lent(data, count) })
    }

    /// What is promised.
    pub fn guarantee(&self) -> Lent<'_, Guarantee> {
        Guarantee::borrow_raw(unsafe { sys::pvg_release_guarantee(self.as_ptr()) })
    }

    /// Writes values and record as one file, which appears complete or not at all.
    pub fn save(&self, path: &str) -> Result<()> {
        let path = c_text(path)?;
        check(unsafe { sys::pvg_release_save(path.as_ptr(), self.as_ptr()) })
    }

    /// Reads such a file, whose record is taken at its word.
    pub fn load(path: &str) -> Result<Self> {
        let path = c_text(path)?;
        Release::make(|out| unsafe { sys::pvg_release_load(out, path.as_ptr()) })
    }

    /// Whether it was loaded and not drawn here.
    pub fn is_loaded(&self) -> bool {
        unsafe { sys::pvg_release_loaded(self.as_ptr()) == 1 }
    }

    /// False for a seeded generator or a published method whose proof does not hold.
    pub fn publishable(&self) -> bool {
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
