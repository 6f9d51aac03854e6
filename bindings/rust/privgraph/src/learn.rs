//! Read-outs and classifiers: from public and released numbers, or through a release.
use crate::{
    filled, getters, handle, matrix, need, pointer, sized, sys, Features, Graph, Input, Ledger, Model, NamedInput,
    Preview, Query, Release, Result, Rng, Run, Target,
};

/// The features in that many directions which hold most of their squares, rows of length 1.
pub fn project(features: &Features, columns: usize, run: Run<'_>) -> Result<Vec<f64>> {
    run.call(|run| {
        matrix(features.rows(), columns, |out| unsafe {
            sys::pvg_directions_project(out, features.as_ptr(), columns as i64, run)
        })
    })
}

handle! {
    /// Multinomial logistic regression.
    shared Logistic, pvg_logistic, pvg_logistic_free
}

getters! { Logistic:
    columns = pvg_logistic_columns as usize;
    classes = pvg_logistic_classes as usize;
}

impl Logistic {
    /// Fits rows of `columns` numbers to their labels; -1: not used.
    pub fn fit(
        x: &[f64],
        columns: usize,
        labels: &[i32],
        config: &sys::pvg_logistic_config,
        run: Run<'_>,
    ) -> Result<Self> {
        let fits = labels.len().checked_mul(columns) == Some(x.len());
        need(fits, "x is not a row of columns for each label")?;
        let config = sized!(pvg_logistic_config, config);
        let (rows, columns) = (labels.len() as i64, columns as i64);
        run.call(|run| {
            Logistic::make(|out| unsafe {
                let (x, labels) = (x.as_ptr(), labels.as_ptr());
                sys::pvg_logistic_fit(out, &config, x, labels, rows, columns, run)
            })
        })
    }

    /// (columns + 1) x classes: weights, then the constant.
    pub fn weights(&self) -> Result<Vec<f64>> {
        matrix(self.columns() + 1, self.classes(), |out| unsafe {
            sys::pvg_logistic_copy_weights(out, self.as_ptr())
        })
    }

    /// Class probabilities of each row.
    pub fn predict(&self, x: &[f64], run: Run<'_>) -> Result<Vec<f64>> {
        let columns = self.columns().max(1);
        need(x.len() % columns == 0, "x is not rows of so many columns")?;
        let rows = x.len() / columns;
        run.call(|run| {
            matrix(rows, self.classes(), |out| unsafe {
                sys::pvg_logistic_predict(out, self.as_ptr(), x.as_ptr(), rows as i64, run)
            })
        })
    }
}

/// Priorities and kinds of nodes for edge histograms, from class probabilities made without the edges and
/// public labels (-1: unknown).
pub fn histogram_cells(prior: &[f64], labels: &[i32]) -> Result<(Vec<f64>, Vec<i32>)> {
    let order = labels.len();
    need(order > 0 && prior.len() % order == 0, "prior is not a row for each node")?;
    let classes = (prior.len() / order) as i64;
    let mut kinds = vec![0; order];
    let priorities = filled(order, |out| unsafe {
        let (prior, labels) = (prior.as_ptr(), labels.as_ptr());
        sys::pvg_histogram_cells(out, kinds.as_mut_ptr(), prior, labels, order as i64, classes)
    })?;
    Ok((priorities, kinds))
}

/// Settings of the read-out. The default: nothing is chosen by known classes, labels are true.
#[derive(Clone, Copy, Debug, Default)]
pub struct Posterior<'a> {
    /// Of EM; 0: 3; -1: cells of unlabelled senders are not used.
    pub rounds: i32,
    /// Power of the likelihood; 0: 1.
    pub strength: f64,
    /// Class of each node, -1 where not known: settings are chosen by it.
    pub checks: Option<&'a [i32]>,
    /// Chance of each released label (column) given the true one (row).
    pub transition: Option<&'a [f64]>,
}

impl Posterior<'_> {
    /// Of a release with a row for each node.
    fn of(
        &self,
        release: &Release,
        prior: &[f64],
        labels: &[i32],
    ) -> Result<sys::pvg_posterior_config> {
        let order = release.rows();
        need(
            order > 0 && labels.len() == order && prior.len() % order == 0,
            "prior or labels are not those of the release",
        )?;
        self.raw(order, prior.len() / order)
    }

    fn raw(&self, order: usize, classes: usize) -> Result<sys::pvg_posterior_config> {
        need(
            self.checks.map_or(true, |all| all.len() == order)
                && self
                    .transition
                    .map_or(true, |all| Some(all.len()) == classes.checked_mul(classes)),
            "checks or transition: not one for each node or pair of classes",
        )?;
        Ok(sys::pvg_posterior_config {
            rounds: self.rounds,
            strength: self.strength,
            classes: classes as i64,
            checks: pointer(self.checks),
            transition: pointer(self.transition),
            ..Default::default()
        })
    }
}

/// Class probabilities of every node from a release that answers a query of edge-histogram.
pub fn read_out(
    query: &Query,
    release: &Release,
    prior: &[f64],
    labels: &[i32],
    settings: &Posterior<'_>,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let config = settings.of(release, prior, labels)?;
    run.call(|run| {
        filled(prior.len(), |out| unsafe {
            let (asked, from) = (query.as_ptr(), release.as_ptr());
            let (prior, labels) = (prior.as_ptr(), labels.as_ptr());
            sys::pvg_estimate_classes(out, asked, from, prior, labels, &config, run)
        })
    })
}

/// The same averaged with what a network says that is trained on the checked nodes;
/// `settings.checks` is needed.
#[allow(clippy::too_many_arguments)]
pub fn read_out_mixed(
    query: &Query,
    release: &Release,
    prior: &[f64],
    labels: &[i32],
    settings: &Posterior<'_>,
    averages: i64,
    rng: &mut Rng,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let config = settings.of(release, prior, labels)?;
    run.call(|run| {
        filled(prior.len(), |out| unsafe {
            let (asked, from, rng) = (query.as_ptr(), release.as_ptr(), rng.as_ptr());
            let (prior, labels, config) = (prior.as_ptr(), labels.as_ptr(), &config);
            sys::pvg_estimate_classes_mixed(
                out, asked, from, prior, labels, config, averages, rng, run,
            )
        })
    })
}

/// What is public about a pipeline; which of them a kind takes its table says.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipelineArguments<'a> {
    /// Nodes or rows; 0: as many as labels or parts.
    pub order: usize,
    /// Class of each node, -1 where not known.
    pub labels: Option<&'a [i32]>,
    /// Of further nodes, which choose and send nothing.
    pub checks: Option<&'a [i32]>,
    /// `sys::PVG_PART_*` of each node.
    pub parts: Option<&'a [i32]>,
    /// Class probabilities made without the edges, instead of features.
    pub prior: Option<&'a [f64]>,
    /// Chance of each given label given the true one.
    pub transition: Option<&'a [f64]>,
    /// Public features.
    pub features: Option<&'a Features>,
    /// A public graph.
    pub graph: Option<&'a Graph>,
    /// Draws behind all of it.
    pub sources: &'a [&'a Release],
    /// Text of the network that reads, instead of the usual one.
    pub network: Option<&'a str>,
}

/// What a pipeline reads: rows of class probabilities.
#[derive(Debug)]
pub struct Reading {
    /// A row for each node.
    pub probabilities: Vec<f64>,
    /// Of the encoder, or of labels, alone.
    pub without: Vec<f64>,
    /// With all draws in its record; None where the kind leaves none.
    pub model: Option<Model>,
}

/// What is drawn, at three places.
pub type Drawn = [Option<Release>; 3];

handle! {
    /// Classes from what is hidden: a kind ("edges", "users", "nodes", "rows"), its options, public
    /// arrays and a budget. It draws once, and reads as often as one likes.
    shared Pipeline, pvg_pipeline, pvg_pipeline_free
}

getters! { Pipeline:
    order = pvg_pipeline_order as usize;
    classes = pvg_pipeline_classes as usize;
}

fn raw_or_null<T>(one: Option<*mut T>) -> *const T {
    one.map_or(std::ptr::null(), |found| found as *const T)
}

impl Pipeline {
    /// From text such as "edges method=sums epsilon=1 delta=1e-6"; the budget is there or in target.
    /// rng: weights and dropout, which nothing private rests on.
    pub fn new(
        text: &str,
        arguments: &PipelineArguments<'_>,
        target: Option<&Target>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let one = |all: Option<&[i32]>| all.map_or(0, <[i32]>::len);
        let order = match (arguments.order, one(arguments.labels)) {
            (0, 0) => one(arguments.parts),
            (0, labels) => labels,
            (order, _) => order,
        };
        for all in [arguments.labels, arguments.checks, arguments.parts] {
            need(
                all.map_or(true, |all| all.len() == order),
                "pipeline: labels, checks or parts are not one for each node",
            )?;
        }
        // the library reads as many numbers as there are classes
        let mut classes = None;
        if let Some(prior) = arguments.prior {
            need(order > 0 && prior.len() % order == 0, "pipeline: prior is not a row for each node")?;
            classes = Some(prior.len() / order);
        }
        if let Some(transition) = arguments.transition {
            let side = (0..=transition.len()).find(|side| side * side >= transition.len()).unwrap_or(0);
            need(
                side * side == transition.len() && classes.map_or(true, |all| all == side),
                "pipeline: transition is not classes x classes",
            )?;
            classes = Some(side);
        }
        let text = match classes {
            Some(classes) => format!("{text} classes={classes}"),
            None => text.to_string(),
        };
        let (text, network) = (crate::c_text(&text)?, arguments.network.map(crate::c_text).transpose()?);
        let mut sources: Vec<*const sys::pvg_release> =
            arguments.sources.iter().map(|one| one.as_ptr() as *const _).collect();
        let raw = sized!(
            pvg_pipeline_arguments,
            &sys::pvg_pipeline_arguments {
                order: order as i64,
                labels: pointer(arguments.labels),
                checks: pointer(arguments.checks),
                parts: pointer(arguments.parts),
                prior: pointer(arguments.prior),
                transition: pointer(arguments.transition),
                features: raw_or_null(arguments.features.map(|one| one.as_ptr())),
                graph: raw_or_null(arguments.graph.map(|one| one.as_ptr())),
                sources: sources.as_mut_ptr(),
                source_count: sources.len() as i64,
                network: network.as_ref().map_or(std::ptr::null(), |text| text.as_ptr()),
                ..Default::default()
            }
        );
        let target = target.map_or(std::ptr::null(), |one| one.raw() as *const _);
        run.call(|run| {
            Pipeline::make(|out| unsafe {
                sys::pvg_pipeline_new(out, text.as_ptr(), &raw, target, rng.as_ptr(), run)
            })
        })
    }

    /// All kinds with their options, as JSON.
    pub fn kinds() -> Result<String> {
        crate::text(|out, capacity, length| unsafe {
            sys::pvg_pipeline_copy_kinds(out, capacity, length)
        })
    }

    /// With everything filled in.
    pub fn text(&self) -> Result<String> {
        crate::text(|out, capacity, length| unsafe {
            sys::pvg_pipeline_copy_text(out, capacity, length, self.as_ptr())
        })
    }

    /// Labels that are sent or train, and those that choose, -1 elsewhere.
    pub fn labels(&self) -> Result<(&[i32], Option<&[i32]>)> {
        let (mut sent, mut checks) = (std::ptr::null(), std::ptr::null());
        crate::check(unsafe {
            sys::pvg_pipeline_view_labels(&mut sent, &mut checks, self.as_ptr())
        })?;
        let order = self.order();
        unsafe {
            let lent = |from| std::slice::from_raw_parts(from, order);
            Ok((lent(sent), (!checks.is_null()).then(|| lent(checks))))
        }
    }

    /// What public features say about each node: the row "no edges".
    pub fn prior(&self) -> Result<&[f64]> {
        let mut found = std::ptr::null();
        crate::check(unsafe { sys::pvg_pipeline_view_prior(&mut found, self.as_ptr()) })?;
        Ok(unsafe { std::slice::from_raw_parts(found, self.order() * self.classes()) })
    }

    /// Range against noise at a place, before anything is paid; None: nothing is drawn there, or it
    /// is a network.
    pub fn preview(&self, place: usize, run: Run<'_>) -> Result<Option<Preview>> {
        let mut found = std::ptr::null_mut();
        run.call(|run| {
            crate::check(unsafe {
                sys::pvg_pipeline_preview(&mut found, self.as_ptr(), place as i64, run)
            })
        })?;
        Ok(Preview::adopt(found))
    }

    /// Draws; nobody pays.
    pub fn draw(&self, input: &Input<'_>, rng: &mut Rng, run: Run<'_>) -> Result<Drawn> {
        self.draw_by(input, rng, [None; 3], run)
    }

    /// Draws; everything is paid before. ledgers: the first alone, but one for each place of users.
    pub fn draw_charged(
        &self,
        input: &NamedInput<'_>,
        rng: &mut Rng,
        ledgers: [Option<&Ledger>; 3],
        run: Run<'_>,
    ) -> Result<Drawn> {
        self.draw_by(input, rng, ledgers, run)
    }

    fn draw_by(
        &self,
        input: &Input<'_>,
        rng: &mut Rng,
        ledgers: [Option<&Ledger>; 3],
        run: Run<'_>,
    ) -> Result<Drawn> {
        let [first, second, third] = ledgers.map(|one| one.map_or(std::ptr::null_mut(), |one| one.as_ptr()));
        let mut out = [std::ptr::null_mut(); 3];
        let [a, b, c] = &mut out;
        let status = input.lend(|raw| {
            run.call(|run| {
                crate::check(unsafe {
                    sys::pvg_pipeline_draw(
                        a, b, c, self.as_ptr(), raw, rng.as_ptr(), first, second, third, run,
                    )
                })
            })
        });
        let drawn = out.map(Release::adopt); // handed back even on failure, and dropped here
        status?;
        Ok(drawn)
    }

    fn read_by(
        &self,
        run: Run<'_>,
        read: impl FnOnce(*mut f64, *mut f64, *mut *mut sys::pvg_model, *const sys::pvg_run) -> i32,
    ) -> Result<Reading> {
        let mut without = vec![0.0; self.order() * self.classes()];
        let mut model = std::ptr::null_mut();
        let probabilities = run.call(|run| {
            filled(without.len(), |out| read(out, without.as_mut_ptr(), &mut model, run))
        });
        let model = Model::adopt(model);
        Ok(Reading { probabilities: probabilities?, without, model })
    }

    /// Reads what was drawn, now or before, by this pipeline or one that asks the same; of rows any
    /// release of numbers. Nothing is paid.
    pub fn read(&self, drawn: [Option<&Release>; 3], rng: &mut Rng, run: Run<'_>) -> Result<Reading> {
        let [a, b, c] = drawn.map(|one| raw_or_null(one.map(|one| one.as_ptr())));
        self.read_by(run, |out, without, model, run| unsafe {
            sys::pvg_pipeline_read(out, without, model, self.as_ptr(), a, b, c, rng.as_ptr(), run)
        })
    }

    /// Of hidden nodes: row v is made from v's own features, for v alone. Not to be published.
    pub fn read_exact(
        &self,
        encoder: &Model,
        states: Option<&Release>,
        head: Option<&Model>,
        features: &Features,
        run: Run<'_>,
    ) -> Result<Reading> {
        let (states, head) = (
            raw_or_null(states.map(|one| one.as_ptr())),
            raw_or_null(head.map(|one| one.as_ptr())),
        );
        Input::features(features).lend(|raw| {
            self.read_by(run, |out, without, _, run| unsafe {
                let own = self.as_ptr();
                sys::pvg_pipeline_read_exact(
                    out, without, own, encoder.as_ptr(), states, head, raw, run,
                )
            })
        })
    }

    /// Without noise: what it could do at most. Not to be published.
    pub fn exact(&self, input: &Input<'_>, rng: &mut Rng, run: Run<'_>) -> Result<Reading> {
        input.lend(|raw| {
            self.read_by(run, |out, without, _, run| unsafe {
                sys::pvg_pipeline_exact(out, without, self.as_ptr(), raw, rng.as_ptr(), run)
            })
        })
    }
}
