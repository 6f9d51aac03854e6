//! Read-outs and classifiers: from public and released numbers, or through a release.
use crate::{
    filled, getters, handle, matrix, need, pointer, sized, sys, Error, Features, Graph, Labels,
    Ledger, Model, Query, Release, Result, Rng, Run, Target,
    Preview,
};

/// Who pays for a release: a ledger and the number of the private object in it.
pub type Payment<'a> = Option<(&'a Ledger, u64)>;

/// Who pays, how it runs.
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

/// Classes of nodes, and the releases they were read from.
#[derive(Debug)]
pub struct Classified {
    /// A row for each node.
    pub probabilities: Vec<f64>,
    pub first: Release,
    /// Of a second round.
    pub second: Option<Release>,
}

/// Class probabilities of every node, row by row, from public priors and labels (-1: unknown) and
/// private edges, by edge histograms; and the release they were read from. prior: a row of class
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
    let settings = Posterior::default();
    classify_with(graph, prior, labels, &settings, 0.0, target, rng, payment, run)
        .map(|found| (found.probabilities, found.first))
}

/// The same with settings; first_share of epsilon goes to a first round, 0: one round.
#[allow(clippy::too_many_arguments)]
pub fn classify_with(
    graph: &Graph,
    prior: &[f64],
    labels: &[i32],
    settings: &Posterior<'_>,
    first_share: f64,
    target: &Target,
    rng: &mut Rng,
    payment: Payment<'_>,
    run: Run<'_>,
) -> Result<Classified> {
    let order = graph.order() as usize;
    if order == 0 || labels.len() != order || prior.len() % order != 0 {
        return Err(Error::argument("classify: prior and labels are not of this graph"));
    }
    let config = settings.raw(order, prior.len() / order)?;
    let (mut probabilities, mut second) = (vec![0.0; prior.len()], std::ptr::null_mut());
    let values = probabilities.as_mut_ptr();
    let first = drawn(payment, run, |out, object, ledger, run| unsafe {
        let status = sys::pvg_classify_nodes(
            values,
            out,
            &mut second,
            graph.as_ptr(),
            prior.as_ptr(),
            labels.as_ptr(),
            &config,
            first_share,
            target.raw(),
            object,
            rng.as_ptr(),
            ledger,
            run,
        );
        if status != sys::PVG_OK {
            // what was drawn is handed back; nobody asks
            sys::pvg_release_free(*out);
            sys::pvg_release_free(second);
            *out = std::ptr::null_mut();
        }
        status
    })?;
    Ok(Classified { probabilities, first, second: Release::adopt(second) })
}

/// A whole pipeline for classes of nodes: the C struct, whose pointers are set from the slices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recipe<'a> {
    /// `recipe` (`sys::PVG_RECIPE_*`), `classes`, and what else differs from the defaults.
    pub raw: sys::pvg_recipe_config,
    /// Class of each node, -1 where not known: they choose, stop and calibrate.
    pub checks: Option<&'a [i32]>,
    /// Class probabilities made without the edges, instead of the encoder.
    pub prior: Option<&'a [f64]>,
}

/// What a recipe found.
#[derive(Debug)]
pub struct Learnt {
    /// A row of class probabilities for each node.
    pub probabilities: Vec<f64>,
    /// Those of the encoder alone.
    pub prior: Vec<f64>,
    /// What was drawn; none if no edge was looked at.
    pub release: Option<Release>,
}

impl Recipe<'_> {
    /// The C struct, and how many numbers come out for so many nodes.
    fn raw(&self, order: usize) -> Result<(sys::pvg_recipe_config, usize)> {
        let count = usize::try_from(self.raw.classes).ok().and_then(|all| all.checked_mul(order));
        let count = count.ok_or_else(|| Error::argument("recipe: classes is out of range"))?;
        need(
            self.checks.map_or(true, |all| all.len() == order)
                && self.prior.map_or(true, |all| all.len() == count),
            "recipe: checks or prior are not one for each node",
        )?;
        let mut raw = sized!(pvg_recipe_config, &self.raw);
        raw.checks = pointer(self.checks);
        raw.prior = pointer(self.prior);
        Ok((raw, count))
    }

    /// What public features say about each node.
    pub fn encode(
        &self,
        features: Option<&Features>,
        labels: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        let (config, count) = self.raw(labels.len())?;
        let features = features.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        run.call(|run| {
            filled(count, |out| unsafe {
                let (known, order) = (labels.as_ptr(), labels.len() as i64);
                sys::pvg_recipe_encode(out, features, known, order, &config, rng.as_ptr(), run)
            })
        })
    }

    /// What would be released about the edges of a graph of `order` nodes: range against noise,
    /// before anything is paid.
    pub fn preview(&self, target: &Target, order: usize) -> Result<Preview> {
        let (config, _) = self.raw(order)?;
        Preview::make(|out| unsafe {
            sys::pvg_recipe_preview(out, &config, target.raw(), order as i64)
        })
    }

    /// Encoder, release, read-out. Edges are private; features, labels and checks are public.
    #[allow(clippy::too_many_arguments)]
    pub fn learn(
        &self,
        graph: &Graph,
        features: Option<&Features>,
        labels: &[i32],
        target: &Target,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Learnt> {
        need(labels.len() as i64 == graph.order(), "recipe: not one label for each node")?;
        let (config, count) = self.raw(labels.len())?;
        let features = features.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        let (ledger, object) =
            payment.map_or((std::ptr::null_mut(), 0), |(ledger, object)| (ledger.as_ptr(), object));
        let (mut prior, mut release) = (vec![0.0; count], std::ptr::null_mut());
        let probabilities = run.call(|run| {
            filled(count, |out| unsafe {
                sys::pvg_recipe_learn(
                    out,
                    prior.as_mut_ptr(),
                    &mut release,
                    graph.as_ptr(),
                    features,
                    labels.as_ptr(),
                    &config,
                    target.raw(),
                    object,
                    rng.as_ptr(),
                    ledger,
                    run,
                )
            })
        });
        let release = Release::adopt(release); // handed back even on failure, and dropped here
        Ok(Learnt { probabilities: probabilities?, prior, release })
    }

    /// The same without noise: what it could do at most. Not to be published.
    pub fn learn_exact(
        &self,
        graph: &Graph,
        features: Option<&Features>,
        labels: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        need(labels.len() as i64 == graph.order(), "recipe: not one label for each node")?;
        let (config, count) = self.raw(labels.len())?;
        let features = features.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        run.call(|run| {
            filled(count, |out| unsafe {
                let (graph, known) = (graph.as_ptr(), labels.as_ptr());
                sys::pvg_recipe_learn_exact(out, graph, features, known, &config, rng.as_ptr(), run)
            })
        })
    }

    /// Classes of graphs, or of anything with a row of released numbers.
    pub fn rows(
        &self,
        release: &Release,
        labels: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        need(labels.len() == release.rows(), "recipe: not one label for each row")?;
        let (config, count) = self.raw(labels.len())?;
        run.call(|run| {
            filled(count, |out| unsafe {
                let (own, known) = (release.as_ptr(), labels.as_ptr());
                let none = std::ptr::null_mut();
                sys::pvg_recipe_rows(out, none, own, known, &config, rng.as_ptr(), run)
            })
        })
    }

    /// The network of `rows`, which takes rows as they are released.
    pub fn rows_model(
        &self,
        release: &Release,
        labels: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Model> {
        need(labels.len() == release.rows(), "recipe: not one label for each row")?;
        let (config, count) = self.raw(labels.len())?;
        let mut model = std::ptr::null_mut();
        run.call(|run| {
            filled(count, |out| unsafe {
                let (own, known, rng) = (release.as_ptr(), labels.as_ptr(), rng.as_ptr());
                sys::pvg_recipe_rows(out, &mut model, own, known, &config, rng, run)
            })
        })?;
        Model::adopt(model).ok_or_else(|| Error::argument("recipe: no model"))
    }

    /// The same for numbers without noise: what it could do at most. Not to be published.
    pub fn rows_exact(
        &self,
        values: &[f64],
        labels: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        let rows = labels.len();
        need(rows > 0 && values.len() % rows == 0, "recipe: not the same numbers in each row")?;
        let (config, count) = self.raw(rows)?;
        let columns = (values.len() / rows) as i64;
        run.call(|run| {
            filled(count, |out| unsafe {
                let (own, known, rng) = (values.as_ptr(), labels.as_ptr(), rng.as_ptr());
                sys::pvg_recipe_rows_exact(
                    out, own, rows as i64, columns, known, &config, rng, run,
                )
            })
        })
    }
}

/// What users reported, and what it says about their classes.
#[derive(Debug)]
pub struct Reported {
    pub probabilities: Vec<f64>,
    /// Without any feature: where it is as good, features gave nothing.
    pub without: Vec<f64>,
    /// With all draws in its record; None if features were not asked for.
    pub model: Option<Model>,
    pub lists: Option<Release>,
    pub features: Option<Release>,
    pub labels: Option<Release>,
}

/// Who pays for the reports of users: a ledger keeps one notion, so each part has its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserLedgers<'a> {
    pub lists: Option<&'a Ledger>,
    pub features: Option<&'a Ledger>,
    pub labels: Option<&'a Ledger>,
    pub object: u64,
}

/// The config with its pointer set, the features, and room for as many probabilities as there will
/// be.
fn users_config(
    graph: &Graph,
    features: Option<&Features>,
    labels: &Labels,
    config: &sys::pvg_users_config,
    parts: &[i32],
) -> Result<(sys::pvg_users_config, *const sys::pvg_features, Vec<f64>)> {
    let order = graph.order() as usize;
    need(parts.len() == order && labels.len() == order, "users: not one part or label for each")?;
    let count = usize::try_from(config.classes).ok().and_then(|all| all.checked_mul(order));
    let count = count.ok_or_else(|| Error::argument("users: classes is out of range"))?;
    let mut config = sized!(pvg_users_config, config);
    config.parts = parts.as_ptr();
    let features = features.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
    Ok((config, features, vec![0.0; count]))
}

/// What users would report, range against noise: lists, features, labels; none where it is not
/// asked for. columns: number of features.
pub fn previews_of_users(
    config: &sys::pvg_users_config,
    order: usize,
    columns: usize,
) -> Result<[Option<Preview>; 3]> {
    let mut config = sized!(pvg_users_config, config);
    config.parts = std::ptr::null();
    let mut out = [std::ptr::null_mut(); 3];
    let [lists, features, labels] = &mut out;
    crate::check(unsafe {
        let (order, columns) = (order as i64, columns as i64);
        sys::pvg_recipe_users_preview(lists, features, labels, &config, order, columns)
    })?;
    Ok(out.map(Preview::adopt))
}

/// Classes of users who perturb what they hold before it leaves them. parts: `sys::PVG_PART_*` of
/// each user. Pointers of config are set from it. Nothing is paid unless all ledgers have enough.
#[allow(clippy::too_many_arguments)]
pub fn learn_from_users(
    graph: &Graph,
    features: Option<&Features>,
    labels: &Labels,
    config: &sys::pvg_users_config,
    parts: &[i32],
    rng: &mut Rng,
    ledgers: UserLedgers<'_>,
    run: Run<'_>,
) -> Result<Reported> {
    let (config, features, mut without) = users_config(graph, features, labels, config, parts)?;
    let book = |ledger: Option<&Ledger>| ledger.map_or(std::ptr::null_mut(), |one| one.as_ptr());
    let none = std::ptr::null_mut;
    let (mut lists, mut reports, mut answers) = (none(), none(), none());
    let mut model = std::ptr::null_mut();
    let probabilities = run.call(|run| {
        filled(without.len(), |out| unsafe {
            sys::pvg_recipe_users(
                out,
                without.as_mut_ptr(),
                &mut model,
                &mut lists,
                &mut reports,
                &mut answers,
                graph.as_ptr(),
                features,
                labels.as_ptr(),
                &config,
                ledgers.object,
                rng.as_ptr(),
                book(ledgers.lists),
                book(ledgers.features),
                book(ledgers.labels),
                run,
            )
        })
    });
    // what was drawn is handed back even on failure, and dropped here
    let (lists, features, labels) =
        (Release::adopt(lists), Release::adopt(reports), Release::adopt(answers));
    let model = Model::adopt(model);
    Ok(Reported { probabilities: probabilities?, without, model, lists, features, labels })
}

/// What users reported before, to be learnt from again: lists or a public graph, answers or public
/// labels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reports<'a> {
    pub lists: Option<&'a Release>,
    pub features: Option<&'a Release>,
    pub answers: Option<&'a Release>,
    pub graph: Option<&'a Graph>,
    pub labels: Option<&'a Labels>,
}

/// As `learn_from_users`, but nothing is drawn and nothing paid. config: label_epsilon as at the draw
/// of the answers. There are no draws in the result.
pub fn learn_from_reports(
    from: Reports<'_>,
    config: &sys::pvg_users_config,
    parts: &[i32],
    rng: &mut Rng,
    run: Run<'_>,
) -> Result<Reported> {
    let order = match (from.graph, from.lists) {
        (Some(graph), _) => graph.order() as usize,
        (None, Some(lists)) => lists.list_arrays()?.0.len().saturating_sub(1),
        (None, None) => usize::MAX,
    };
    need(parts.len() == order, "reports: not one part for each user")?;
    let count = usize::try_from(config.classes).ok().and_then(|all| all.checked_mul(order));
    let count = count.ok_or_else(|| Error::argument("reports: classes is out of range"))?;
    let mut config = sized!(pvg_users_config, config);
    config.parts = parts.as_ptr();
    let mut without = vec![0.0; count];
    let mut model = std::ptr::null_mut();
    let drawn = |one: Option<&Release>| one.map_or(std::ptr::null(), |r| r.as_ptr() as *const _);
    let probabilities = run.call(|run| {
        filled(count, |out| unsafe {
            sys::pvg_recipe_users_learn(
                out,
                without.as_mut_ptr(),
                &mut model,
                drawn(from.lists),
                drawn(from.features),
                drawn(from.answers),
                from.graph.map_or(std::ptr::null(), |g| g.as_ptr() as *const _),
                from.labels.map_or(std::ptr::null(), |l| l.as_ptr() as *const _),
                &config,
                rng.as_ptr(),
                run,
            )
        })
    });
    let model = Model::adopt(model);
    let (lists, features, labels) = (None, None, None);
    Ok(Reported { probabilities: probabilities?, without, model, lists, features, labels })
}

/// The same with what users hold instead of reports: what it could do at most, and without any
/// feature. Not to be published.
pub fn learn_from_users_exact(
    graph: &Graph,
    features: Option<&Features>,
    labels: &Labels,
    config: &sys::pvg_users_config,
    parts: &[i32],
    rng: &mut Rng,
    run: Run<'_>,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let (config, features, mut without) = users_config(graph, features, labels, config, parts)?;
    let (graph, labels) = (graph.as_ptr(), labels.as_ptr());
    let probabilities = run.call(|run| {
        filled(without.len(), |out| unsafe {
            let alone = without.as_mut_ptr();
            sys::pvg_recipe_users_exact(
                out, alone, graph, features, labels, &config, rng.as_ptr(), run,
            )
        })
    })?;
    Ok((probabilities, without))
}

/// Networks drawn while nodes were hidden, with their edges, features and labels.
#[derive(Debug)]
pub struct HiddenNodes {
    pub encoder: Model,
    /// Its record composes everything that was drawn; None for the encoder alone.
    pub head: Option<Model>,
    pub states: Option<Release>,
    directions: i64,
}

impl HiddenNodes {
    /// Of the sums over neighbours, before anything is paid.
    pub fn preview(
        config: &sys::pvg_nodes_config,
        parts: &[i32],
        target: &Target,
        columns: usize,
    ) -> Result<Preview> {
        let mut config = sized!(pvg_nodes_config, config);
        config.parts = parts.as_ptr();
        Preview::make(|out| unsafe {
            let (order, columns) = (parts.len() as i64, columns as i64);
            sys::pvg_recipe_nodes_preview(out, &config, target.raw(), order, columns)
        })
    }

    /// Encoder, sums, head within the target. parts: `sys::PVG_PART_*` of each node; the pointer in
    /// config is set from it.
    #[allow(clippy::too_many_arguments)]
    pub fn learn(
        graph: &Graph,
        features: &Features,
        labels: &Labels,
        config: &sys::pvg_nodes_config,
        parts: &[i32],
        target: &Target,
        rng: &mut Rng,
        payment: Payment<'_>,
        run: Run<'_>,
    ) -> Result<Self> {
        need(parts.len() as i64 == graph.order(), "nodes: not one part for each node")?;
        let mut config = sized!(pvg_nodes_config, config);
        config.parts = parts.as_ptr();
        let (ledger, object) =
            payment.map_or((std::ptr::null_mut(), 0), |(ledger, object)| (ledger.as_ptr(), object));
        let (mut encoder, mut head, mut states) =
            (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        let status = run.call(|run| {
            crate::check(unsafe {
                sys::pvg_recipe_nodes(
                    &mut encoder,
                    &mut head,
                    &mut states,
                    graph.as_ptr(),
                    features.as_ptr(),
                    labels.as_ptr(),
                    &config,
                    target.raw(),
                    object,
                    rng.as_ptr(),
                    ledger,
                    run,
                )
            })
        });
        // what was drawn is handed back even on failure, and dropped here
        let (encoder, head, states) =
            (Model::adopt(encoder), Model::adopt(head), Release::adopt(states));
        status?;
        let encoder = encoder.ok_or_else(|| Error::argument("nodes: no encoder"))?;
        Ok(HiddenNodes { encoder, head, states, directions: config.directions })
    }

    /// Class probabilities, row v from v's own features: for v alone, not to be published.
    pub fn predict_exact(&self, features: &Features, run: Run<'_>) -> Result<Vec<f64>> {
        let classes = self.encoder.columns(crate::Predict::Probabilities);
        let head = self.head.as_ref().map_or(std::ptr::null(), |one| one.as_ptr() as *const _);
        let states = self.states.as_ref().map_or(std::ptr::null(), |one| one.as_ptr() as *const _);
        let (own, rows) = (self.encoder.as_ptr(), features.as_ptr());
        run.call(|run| {
            filled(features.rows() as usize * classes, |out| unsafe {
                sys::pvg_recipe_nodes_predict_exact(
                    out, own, head, states, rows, self.directions, run,
                )
            })
        })
    }

    /// Without noise: what it could do at most. Not to be published.
    #[allow(clippy::too_many_arguments)]
    pub fn learn_exact(
        graph: &Graph,
        features: &Features,
        labels: &Labels,
        config: &sys::pvg_nodes_config,
        parts: &[i32],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        need(parts.len() as i64 == graph.order(), "nodes: not one part for each node")?;
        let mut config = sized!(pvg_nodes_config, config);
        config.parts = parts.as_ptr();
        let classes = usize::try_from(config.classes).ok();
        let count = classes.and_then(|all| all.checked_mul(parts.len()));
        let count = count.ok_or_else(|| Error::argument("nodes: classes is out of range"))?;
        let (graph, features, labels) = (graph.as_ptr(), features.as_ptr(), labels.as_ptr());
        run.call(|run| {
            filled(count, |out| unsafe {
                sys::pvg_recipe_nodes_exact(
                    out, graph, features, labels, &config, rng.as_ptr(), run,
                )
            })
        })
    }
}
