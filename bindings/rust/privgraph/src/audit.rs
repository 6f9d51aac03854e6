//! What a release leaks, measured on public test graphs. An audit can refute a guarantee, never
//! prove one.
use crate::{
    check, choice, getters, handle, lent, need, number, pointer, sized, sys, Dataset, Features,
    Graph, Guarantee, Model, Network, Query, Release, Result, Rng, Run, Training,
};
use std::os::raw::c_void;

/// Judges scores of two worlds that differ in one edge, the larger the more the second is
/// suspected.
pub fn scores(
    first: &[f64],
    second: &[f64],
    delta: f64,
    confidence: f64,
) -> Result<sys::pvg_audit_verdict> {
    need(first.len() == second.len(), "the worlds were not played equally often")?;
    let mut out = sys::pvg_audit_verdict::default();
    let (first, second, runs) = (first.as_ptr(), second.as_ptr(), first.len() as i64);
    check(unsafe { sys::pvg_audit_scores(&mut out, first, second, runs, delta, confidence) })
        .map(|_| out)
}

struct Game<'a> {
    play: &'a mut dyn FnMut(i32, i64) -> Option<f64>,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

unsafe extern "C" fn play_one(context: *mut c_void, world: i32, run: i64, score: *mut f64) -> i32 {
    let game = &mut *context.cast::<Game<'_>>();
    let call = std::panic::AssertUnwindSafe(|| (game.play)(world, run));
    match std::panic::catch_unwind(call) {
        Ok(Some(found)) => {
            *score = found;
            0
        }
        Ok(None) => 1,
        Err(panic) => {
            game.panic = Some(panic);
            1
        }
    }
}

/// Plays the game: `play(world, run)` for world 0 (the edge is absent) and 1; `None` gives up.
pub fn game(
    play: &mut dyn FnMut(i32, i64) -> Option<f64>,
    runs: i64,
    delta: f64,
    confidence: f64,
    run: Run<'_>,
) -> Result<sys::pvg_audit_verdict> {
    let mut out = sys::pvg_audit_verdict::default();
    let mut game = Game { play, panic: None };
    let context: *mut c_void = std::ptr::addr_of_mut!(game).cast();
    let status = run.call(|run| unsafe {
        sys::pvg_audit_game(&mut out, Some(play_one), context, runs, delta, confidence, run)
    });
    match game.panic {
        Some(panic) => std::panic::resume_unwind(panic),
        None => check(status).map(|_| out),
    }
}

/// The largest AUC and separation that Gaussian DP with this mu permits.
pub fn ceiling(mu: f64) -> Result<(f64, f64)> {
    let mut separation = 0.0;
    let auc = number(|out| unsafe { sys::pvg_audit_ceiling(out, &mut separation, mu) })?;
    Ok((auc, separation))
}

/// How often the vector of the same row is among the nearest `top` known ones.
pub fn reidentify(
    released: &[f64],
    known: &[f64],
    columns: usize,
    top: usize,
    run: Run<'_>,
) -> Result<f64> {
    let fits = columns > 0 && released.len() % columns == 0 && known.len() == released.len();
    need(fits, "released and known are not matrices of the same shape")?;
    let (rows, columns) = ((released.len() / columns) as i64, columns as i64);
    run.call(|run| {
        number(|out| unsafe {
            let (released, known, top) = (released.as_ptr(), known.as_ptr(), top as i64);
            sys::pvg_audit_reidentify(out, released, known, rows, columns, top, run)
        })
    })
}

/// One-sided Clopper-Pearson bounds of a probability after so many hits.
pub fn interval(hits: i64, trials: i64, confidence: f64) -> Result<(f64, f64)> {
    let mut upper = 0.0;
    let lower = number(|out| unsafe {
        sys::pvg_audit_interval(out, &mut upper, hits, trials, confidence)
    })?;
    Ok((lower, upper))
}

/// The largest AUC, and share of true positives at a rate of false ones, that epsilon and delta
/// permit in the game about one edge or node.
pub fn ceiling_pure(epsilon: f64, delta: f64, false_positive: f64) -> Result<(f64, f64)> {
    let mut rate = 0.0;
    let auc = number(|out| unsafe {
        sys::pvg_audit_ceiling_pure(out, &mut rate, epsilon, delta, false_positive)
    })?;
    Ok((auc, rate))
}

/// The same for Gaussian DP.
pub fn ceiling_gdp(mu: f64, false_positive: f64) -> Result<(f64, f64)> {
    let mut rate = 0.0;
    let auc =
        number(|out| unsafe { sys::pvg_audit_ceiling_gdp(out, &mut rate, mu, false_positive) })?;
    Ok((auc, rate))
}

/// The same for what is promised, from its whole curve.
pub fn ceiling_guarantee(promise: &Guarantee, false_positive: f64) -> Result<(f64, f64)> {
    let mut rate = 0.0;
    let auc = number(|out| unsafe {
        sys::pvg_audit_ceiling_guarantee(out, &mut rate, promise.as_ptr(), false_positive)
    })?;
    Ok((auc, rate))
}

/// The largest expected accuracy of any prediction of a class that is read off something epsilon-DP
/// for the person's data. posterior: rows of chances of her classes given all public data *and
/// everybody else's private data*.
pub fn prediction_ceiling(posterior: &[f64], classes: usize, epsilon: f64) -> Result<f64> {
    need(
        classes > 0 && posterior.len() % classes == 0,
        "posterior is not rows of so many classes",
    )?;
    let (rows, classes) = ((posterior.len() / classes) as i64, classes as i64);
    number(|out| unsafe {
        sys::pvg_audit_prediction_ceiling(out, posterior.as_ptr(), rows, classes, epsilon)
    })
}

/// An AUC with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Area under the ROC curve.
    pub auc: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

fn area(call: impl FnOnce(*mut f64, *mut f64, *mut f64) -> i32) -> Result<Area> {
    let (mut auc, mut low, mut high) = (0.0, 0.0, 0.0);
    check(call(&mut auc, &mut low, &mut high)).map(|_| Area { auc, low, high })
}

/// Ties count half; the interval is DeLong's, for independent questions.
pub fn auc(positives: &[f64], negatives: &[f64], confidence: f64) -> Result<Area> {
    area(|auc, low, high| unsafe {
        let (up, np) = (positives.as_ptr(), positives.len() as i64);
        let (down, nn) = (negatives.as_ptr(), negatives.len() as i64);
        sys::pvg_audit_auc(auc, low, high, up, np, down, nn, confidence)
    })
}

/// LiRA's score: log of how much likelier an observation is with the record than without.
pub fn likelihood(observed: f64, with_it: &[f64], without_it: &[f64]) -> Result<f64> {
    number(|out| unsafe {
        let (inside, ni) = (with_it.as_ptr(), with_it.len() as i64);
        let (outside, no) = (without_it.as_ptr(), without_it.len() as i64);
        sys::pvg_audit_likelihood(out, observed, inside, ni, outside, no)
    })
}

choice! {
    /// Which questions have the answer no.
    Negatives {
        Uniform = PVG_NEGATIVES_UNIFORM,
        TwoHop = PVG_NEGATIVES_TWO_HOP,
        Degree = PVG_NEGATIVES_DEGREE,
    }
}

choice! {
    /// Scores that know less than the attack.
    Control {
        /// The attack itself.
        None = PVG_CONTROL_NONE,
        Features = PVG_CONTROL_FEATURES,
        Posteriors = PVG_CONTROL_POSTERIORS,
        Degrees = PVG_CONTROL_DEGREES,
        Position = PVG_CONTROL_POSITION,
        Memoriser = PVG_CONTROL_MEMORISER,
        Rows = PVG_CONTROL_ROWS,
        Threshold = PVG_CONTROL_THRESHOLD,
        Shares = PVG_CONTROL_SHARES,
        Chance = PVG_CONTROL_CHANCE,
    }
}

/// What is asked, and what controls may know; pointers of raw are set from the rest.
#[derive(Clone, Copy, Default)]
pub struct Asking<'a> {
    /// The C struct; its pointers are filled in from the other fields.
    pub raw: sys::pvg_attack_config,
    /// Of each node, 1 if it may be asked about.
    pub asked: Option<&'a [i32]>,
    /// Public features, for a control.
    pub features: Option<&'a Features>,
    /// As many numbers for each node.
    pub posteriors: Option<&'a [f64]>,
    /// Public positions, for a control.
    pub positions: Option<&'a [f64]>,
    /// A graph the attacker knows, for a control.
    pub known: Option<&'a Graph>,
    /// Rows of numbers, for a control.
    pub rows: Option<&'a [f64]>,
    /// What a release that is read answers.
    pub query: Option<&'a Query>,
}

fn columns_of(rows: &[f64], order: usize) -> Result<i64> {
    let fits = order > 0 && !rows.is_empty() && rows.len() % order == 0;
    need(fits, "as many numbers for each node of the truth")?;
    Ok((rows.len() / order) as i64)
}

impl Asking<'_> {
    fn settled(&self, order: usize) -> Result<sys::pvg_attack_config> {
        let fits = |count: Option<usize>| count.map_or(true, |count| count == order);
        need(fits(self.asked.map(<[i32]>::len)), "asked has another number of nodes")?;
        need(fits(self.positions.map(<[f64]>::len)), "positions has another number of nodes")?;
        let mut raw = sized!(pvg_attack_config, &self.raw);
        raw.asked = pointer(self.asked);
        raw.positions = pointer(self.positions);
        raw.posteriors = pointer(self.posteriors);
        raw.posterior_columns = self.posteriors.map_or(Ok(0), |rows| columns_of(rows, order))?;
        raw.rows = pointer(self.rows);
        raw.row_columns = self.rows.map_or(Ok(0), |rows| columns_of(rows, order))?;
        raw.features = self.features.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        raw.known = self.known.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        raw.query = self.query.map_or(std::ptr::null(), |x| x.as_ptr() as *const _);
        Ok(raw)
    }
}

handle! {
    /// Questions with answers, scores, and scores of controls. The truth is a public test graph.
    shared Attack, pvg_attack, pvg_attack_free
}

getters! { Attack:
    /// Questions.
    count = pvg_attack_count as usize;
}

struct Judge<'a> {
    score: &'a mut dyn FnMut(&[i64], &[i64]) -> Option<Vec<f64>>,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

unsafe extern "C" fn judge_all(
    context: *mut c_void,
    scores: *mut f64,
    first: *const i64,
    second: *const i64,
    count: i64,
) -> i32 {
    let judge = &mut *context.cast::<Judge<'_>>();
    let (first, second) = (lent(first, count), lent(second, count));
    let call = std::panic::AssertUnwindSafe(|| (judge.score)(first, second));
    match std::panic::catch_unwind(call) {
        Ok(Some(found)) if found.len() == first.len() => {
            std::ptr::copy_nonoverlapping(found.as_ptr(), scores, found.len());
            0
        }
        Ok(_) => 1,
        Err(panic) => {
            judge.panic = Some(panic);
            1
        }
    }
}

/// An attack on links: its own arguments, what is checked of them, the function that makes it and
/// what that takes before the truth.
macro_rules! links {
    ($(#[$doc:meta])* $name:ident($($own:ident: $kind:ty),*), $truth:ident, {$($before:tt)*},
     $call:path, [$($given:expr),*]) => {
        $(#[$doc])*
        pub fn $name(
            $($own: $kind,)*
            $truth: &Graph,
            asking: &Asking<'_>,
            rng: &mut Rng,
            run: Run<'_>,
        ) -> Result<Self> {
            $($before)*
            Attack::links_by($truth, asking, run, |out, config, run| unsafe {
                $call(out, $($given,)* $truth.as_ptr(), config, rng.as_ptr(), run)
            })
        }
    };
}

impl Attack {
    fn links_by(
        truth: &Graph,
        asking: &Asking<'_>,
        run: Run<'_>,
        call: impl FnOnce(
            *mut *mut sys::pvg_attack,
            *const sys::pvg_attack_config,
            *const sys::pvg_run,
        ) -> i32,
    ) -> Result<Self> {
        let config = asking.settled(truth.order() as usize)?;
        run.call(|run| Attack::make(|out| call(out, &config, run)))
    }

    /// Any attack on links: a number for each pair of nodes; `None`, or as many as there are not,
    /// gives up.
    pub fn links(
        score: &mut dyn FnMut(&[i64], &[i64]) -> Option<Vec<f64>>,
        truth: &Graph,
        asking: &Asking<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let mut judge = Judge { score, panic: None };
        let context: *mut c_void = std::ptr::addr_of_mut!(judge).cast();
        let made = Attack::links_by(truth, asking, run, |out, config, run| unsafe {
            let (truth, rng) = (truth.as_ptr(), rng.as_ptr());
            sys::pvg_attack_links_custom(out, Some(judge_all), context, truth, config, rng, run)
        });
        match judge.panic {
            Some(panic) => std::panic::resume_unwind(panic),
            None => made,
        }
    }

    links! {
        /// Similarity of rows: of explanations, of features.
        links_rows(rows: &[f64]), truth,
        { let columns = columns_of(rows, truth.order() as usize)?; },
        sys::pvg_attack_links_rows, [rows.as_ptr(), columns]
    }

    links! {
        /// Similarity of posteriors: the centred cosine, unless another metric is asked for.
        links_posteriors(rows: &[f64]), truth,
        { let columns = columns_of(rows, truth.order() as usize)?; },
        sys::pvg_attack_links_posteriors, [rows.as_ptr(), columns]
    }

    links! {
        /// LinkTeller; refused for private parts.
        links_influence(model: &Model, dataset: &Dataset), truth, {},
        sys::pvg_attack_links_influence, [model.as_ptr(), dataset.as_ptr()]
    }

    links! {
        /// As private as model and dataset are.
        links_influence_exact(model: &Model, dataset: &Dataset), truth, {},
        sys::pvg_attack_links_influence_exact, [model.as_ptr(), dataset.as_ptr()]
    }

    links! {
        /// Matched filter on released sums of public messages.
        links_states(release: &Release, messages: &[f64]), truth,
        { let columns = columns_of(messages, truth.order() as usize)?; },
        sys::pvg_attack_links_states, [release.as_ptr(), messages.as_ptr(), columns]
    }

    links! {
        /// Reading a released graph or lists.
        links_release(release: &Release), truth, {},
        sys::pvg_attack_links_release, [release.as_ptr()]
    }

    links! {
        /// A network that judges pairs, trained on those of the nodes that are 1 in `known`.
        links_learned(rows: &[f64], known: &[i32]), truth,
        {
            let columns = columns_of(rows, truth.order() as usize)?;
            need(known.len() as i64 == truth.order() as i64, "known has another number of nodes")?;
        },
        sys::pvg_attack_links_learned, [rows.as_ptr(), columns, known.as_ptr()]
    }

    /// Was a node among those of the training? Refused for private parts.
    pub fn membership(
        network: &Network,
        dataset: &Dataset,
        training: Option<&Training<'_>>,
        asking: &Asking<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        Attack::members(false, network, dataset, training, asking, rng, run)
    }

    /// As private as the dataset is.
    pub fn membership_exact(
        network: &Network,
        dataset: &Dataset,
        training: Option<&Training<'_>>,
        asking: &Asking<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        Attack::members(true, network, dataset, training, asking, rng, run)
    }

    fn members(
        exact: bool,
        network: &Network,
        dataset: &Dataset,
        training: Option<&Training<'_>>,
        asking: &Asking<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let config = asking.settled(dataset.order())?;
        let training = training.map(|one| one.raw(network.classes())).transpose()?;
        let training = training.as_ref().map_or(std::ptr::null(), |raw| raw as *const _);
        let call =
            if exact { sys::pvg_attack_membership_exact } else { sys::pvg_attack_membership };
        run.call(|run| {
            Attack::make(|out| unsafe {
                let (network, dataset) = (network.as_ptr(), dataset.as_ptr());
                call(out, network, dataset, training, &config, rng.as_ptr(), run)
            })
        })
    }

    /// Single values: is an entry of truth there? A number for each.
    pub fn values(
        scores: &[f64],
        truth: &Features,
        asking: &Asking<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let (rows, columns) = (truth.rows() as usize, truth.columns() as usize);
        need(scores.len() == rows * columns, "scores and truth have other shapes")?;
        let config = asking.settled(rows)?;
        run.call(|run| {
            Attack::make(|out| unsafe {
                let (scores, truth) = (scores.as_ptr(), truth.as_ptr());
                sys::pvg_attack_values(out, scores, truth, &config, rng.as_ptr(), run)
            })
        })
    }

    /// What came out against a kind of negatives.
    pub fn report(&self, negatives: Negatives) -> Result<sys::pvg_attack_report> {
        let mut out = sized!(pvg_attack_report, &sys::pvg_attack_report::default());
        check(unsafe { sys::pvg_attack_copy_report(&mut out, self.as_ptr(), negatives as i32) })
            .map(|_| out)
    }

    /// AUC of a control, or of the attack; NaN if there is no such control.
    pub fn auc(&self, control: Control, negatives: Negatives) -> Result<Area> {
        area(|auc, low, high| unsafe {
            let (control, negatives) = (control as i32, negatives as i32);
            sys::pvg_attack_copy_auc(auc, low, high, self.as_ptr(), control, negatives)
        })
    }

    /// The nodes of the questions, and of each its kind: -1 where the answer is yes.
    pub fn questions(&self) -> Result<(&[i64], &[i64], &[i32])> {
        let (mut first, mut second) = (std::ptr::null(), std::ptr::null());
        let mut kinds = std::ptr::null();
        check(unsafe {
            sys::pvg_attack_view_questions(&mut first, &mut second, &mut kinds, self.as_ptr())
        })?;
        let count = self.count() as i64;
        Ok(unsafe { (lent(first, count), lent(second, count), lent(kinds, count)) })
    }

    /// Scores of the attack, or of a control it has.
    pub fn scores(&self, control: Control) -> Result<&[f64]> {
        let mut out = std::ptr::null();
        check(unsafe { sys::pvg_attack_view_scores(&mut out, self.as_ptr(), control as i32) })?;
        Ok(unsafe { lent(out, self.count() as i64) })
    }
}

choice! {
    /// Who scores the pairs of a reconstruction; those from `Position` on never see the rows.
    Reconstruct {
        /// What did best on nodes the attacker held out.
        Attack = PVG_RECONSTRUCT_ATTACK,
        Cosine = PVG_RECONSTRUCT_COSINE,
        Twin = PVG_RECONSTRUCT_TWIN,
        Diffusion = PVG_RECONSTRUCT_DIFFUSION,
        Position = PVG_RECONSTRUCT_POSITION,
        Density = PVG_RECONSTRUCT_DENSITY,
        Features = PVG_RECONSTRUCT_FEATURES,
        FeaturesTwin = PVG_RECONSTRUCT_FEATURES_TWIN,
        Memoriser = PVG_RECONSTRUCT_MEMORISER,
        Chance = PVG_RECONSTRUCT_CHANCE,
    }
}

handle! {
    /// A graph reconstructed from a row of numbers per node (PrivX), with its controls.
    shared Reconstruction, pvg_reconstruction, pvg_reconstruction_free
}

impl Reconstruction {
    /// `rows`, and `features` for controls: as many numbers for each node of a public test graph.
    pub fn new(
        rows: &[f64],
        features: Option<&[f64]>,
        truth: &Graph,
        config: &sys::pvg_reconstruct_config,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let order = (truth.order() as usize).max(1);
        let known = features.unwrap_or(&[]);
        let fits = rows.len() % order == 0 && known.len() % order == 0;
        need(fits, "not as many numbers for each node")?;
        let config = sized!(pvg_reconstruct_config, config);
        let (columns, more) = ((rows.len() / order) as i64, (known.len() / order) as i64);
        let known = features.map_or(std::ptr::null(), <[f64]>::as_ptr);
        run.call(|run| {
            Reconstruction::make(|out| unsafe {
                let (rows, truth, rng) = (rows.as_ptr(), truth.as_ptr(), rng.as_ptr());
                sys::pvg_attack_reconstruct(
                    out, rows, columns, known, more, truth, &config, rng, run,
                )
            })
        })
    }

    /// What one of them found.
    pub fn report(&self, score: Reconstruct) -> Result<sys::pvg_reconstruct_report> {
        let none = sys::pvg_reconstruct_report::default();
        let mut out = sized!(pvg_reconstruct_report, &none);
        check(unsafe { sys::pvg_reconstruction_copy_report(&mut out, self.as_ptr(), score as i32) })
            .map(|_| out)
    }

    /// Nodes of every pair that was attacked, and 1 where there is an edge.
    pub fn pairs(&self) -> Result<(&[i64], &[i64], &[i32])> {
        let count = unsafe { sys::pvg_reconstruction_count(self.as_ptr()) } as usize;
        let (mut first, mut second) = (std::ptr::null(), std::ptr::null());
        let mut truth = std::ptr::null();
        check(unsafe {
            let own = self.as_ptr();
            sys::pvg_reconstruction_view_pairs(&mut first, &mut second, &mut truth, own)
        })?;
        unsafe {
            let first = std::slice::from_raw_parts(first, count);
            let second = std::slice::from_raw_parts(second, count);
            Ok((first, second, std::slice::from_raw_parts(truth, count)))
        }
    }

    /// A number for each pair.
    pub fn scores(&self, score: Reconstruct) -> Result<&[f64]> {
        let count = unsafe { sys::pvg_reconstruction_count(self.as_ptr()) } as usize;
        let mut out = std::ptr::null();
        check(unsafe {
            sys::pvg_reconstruction_view_scores(&mut out, self.as_ptr(), score as i32)
        })?;
        Ok(unsafe { std::slice::from_raw_parts(out, count) })
    }
}
