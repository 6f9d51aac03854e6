//! Mechanisms whose output looks like their input: graphs, lists, features, labels.
use crate::release::{drawn_set, draws};
use crate::{
    check, choice, filled, getters, handle, matrix, need, number, pointer, sized, sys, Features,
    Graph, GraphSet, Guarantee, Labels, Lent, Notion, Payments, Release, Result, Rng, Run, Target,
    Tradeoff,
};

handle! {
    /// A mechanism whose output looks like its input.
    shared Perturber, pvg_perturber, pvg_perturber_free
}

choice! {
    /// What a perturber takes.
    Perturbs {
        Graph = PVG_PERTURBS_GRAPH,
        Features = PVG_PERTURBS_FEATURES,
        Labels = PVG_PERTURBS_LABELS,
    }
}

getters! { Perturber:
    /// Columns that each user reports; 0 for perturbers of something else.
    sampled = pvg_perturber_sampled as usize;
    /// Classes of a perturber of labels; else 0.
    classes = pvg_perturber_classes as usize;
}

draws! { Perturber:
    /// Perturbs a graph.
    draw_graph(graph: Graph) = pvg_release_draw_graph;
    /// Perturbs features.
    draw_features(features: Features) = pvg_release_draw_features;
    /// Perturbs labels.
    draw_labels(labels: Labels) = pvg_release_draw_labels;
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
    /// Lists, entry by entry: `blocks` for `PVG_SLOTS_KERNEL_BLOCKS`, `similarities` (order x order) for
    /// `PVG_SLOTS_KERNEL_SIMILARITY`; both public.
    pub fn slots(
        config: &sys::pvg_slots_config,
        target: &Target,
        blocks: Option<&[i32]>,
        similarities: Option<&[f64]>,
    ) -> Result<Self> {
        let order = usize::try_from(config.order).unwrap_or(0);
        need(
            blocks.map_or(true, |all| all.len() == order)
                && similarities.map_or(true, |all| Some(all.len()) == order.checked_mul(order)),
            "slots: blocks or similarities are not as many as nodes ask for",
        )?;
        let config = sized!(pvg_slots_config, config);
        Perturber::make(|out| unsafe {
            let (blocks, similarities) = (pointer(blocks), pointer(similarities));
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
        need(
            low.len() as i64 == config.ranges && high.len() as i64 == config.ranges,
            "features: low and high do not have `ranges` entries",
        )?;
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
    pub fn guarantee(&self) -> Lent<'_, Guarantee> {
        Guarantee::borrow_raw(unsafe { sys::pvg_perturber_guarantee(self.as_ptr()) })
    }

    pub fn notion(&self) -> Option<Notion> {
        self.guarantee().notion()
    }

    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        self.guarantee().epsilon(delta)
    }

    pub fn input(&self) -> Option<Perturbs> {
        Perturbs::from_raw(unsafe { sys::pvg_perturber_input(self.as_ptr()) })
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

    /// Edges that noise adds to so many nodes: on average, and a number hardly ever exceeded.
    pub fn preview_edges(&self, order: i64) -> Result<(f64, f64)> {
        let mut most = 0.0;
        let expected = number(|out| unsafe {
            sys::pvg_perturber_preview_edges(out, &mut most, self.as_ptr(), order)
        })?;
        Ok((expected, most))
    }

    /// Range against noise of what can be estimated about `order` nodes or users.
    pub fn tradeoff(&self, order: i64) -> Result<Tradeoff> {
        Tradeoff::make(|out| unsafe { sys::pvg_perturber_tradeoff(out, self.as_ptr(), order) })
    }

    /// Variance of the released number of a column whose true value is `value`.
    pub fn feature_variance(&self, column: usize, value: f64) -> Result<f64> {
        number(|out| unsafe {
            sys::pvg_perturber_feature_variance(out, self.as_ptr(), column as i64, value)
        })
    }

    /// Chance of each answer (column) given the class (row).
    pub fn transition(&self) -> Result<Vec<f64>> {
        // one entry where there are no classes, so that the library says what is wrong
        let classes = self.classes().max(1);
        matrix(classes, classes, |out| unsafe {
            sys::pvg_perturber_copy_transition(out, self.as_ptr())
        })
    }

    /// Users of each class and the variances of this, estimated from released labels.
    pub fn label_histogram(&self, released: &[i32]) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut variances = vec![0.0; self.classes().max(1)];
        let (first, count) = (released.as_ptr(), released.len() as i64);
        let estimates = filled(variances.len(), |out| unsafe {
            let (own, spread) = (self.as_ptr(), variances.as_mut_ptr());
            sys::pvg_perturber_label_histogram(out, spread, own, first, count)
        })?;
        Ok((estimates, variances))
    }
}

/// Smooths released numbers along a released graph: `rounds` times D^-1/2 A D^-1/2.
pub fn kprop_graph(
    graph: &Graph,
    values: &[f64],
    columns: usize,
    rounds: i64,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let order = graph.order() as usize;
    need(order.checked_mul(columns) == Some(values.len()), "values are not order x columns")?;
    run.call(|run| {
        filled(values.len(), |out| unsafe {
            let (graph, columns) = (graph.as_ptr(), columns as i64);
            sys::pvg_kprop_graph(out, graph, values.as_ptr(), columns, rounds, run)
        })
    })
}

/// The same along released lists: offsets (one more than users) and entries.
pub fn kprop_lists(
    offsets: &[i64],
    targets: &[i32],
    values: &[f64],
    columns: usize,
    rounds: i64,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let users = offsets.len().saturating_sub(1);
    need(
        offsets.last().copied() == i64::try_from(targets.len()).ok()
            && users.checked_mul(columns) == Some(values.len()),
        "offsets, targets and values do not fit",
    )?;
    run.call(|run| {
        filled(values.len(), |out| unsafe {
            sys::pvg_kprop_lists(
                out,
                offsets.as_ptr(),
                targets.as_ptr(),
                users as i64,
                values.as_ptr(),
                columns as i64,
                rounds,
                run,
            )
        })
    })
}
