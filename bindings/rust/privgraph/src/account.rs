//! Budgets and what is known about the privacy of something released.
use crate::{check, getters, handle, number, sized, sys, Result};

/// A budget and a noise law. What has no method here is set through the C struct:
/// `Target::from(sys::pvg_target { epsilon: 1.0, beta: 0.1, ..Default::default() })`.
#[derive(Clone, Copy)]
pub struct Target {
    // never lent to be changed: the library reads as many bytes as raw.size says
    raw: sys::pvg_target,
}

impl From<sys::pvg_target> for Target {
    /// A copy; its size is set here, whatever it was.
    fn from(raw: sys::pvg_target) -> Self {
        let size = std::mem::size_of::<sys::pvg_target>() as u32;
        Target { raw: sys::pvg_target { size, ..raw } }
    }
}

impl Target {
    /// Gaussian noise at (epsilon, delta); delta 0 for methods that are pure.
    pub fn new(epsilon: f64, delta: f64) -> Self {
        Target { raw: sys::pvg_target { epsilon, delta, ..Default::default() } }
    }

    /// Discrete Laplace noise, pure epsilon.
    pub fn laplace(epsilon: f64) -> Self {
        let raw = sys::pvg_target { epsilon, noise: sys::PVG_NOISE_LAPLACE, ..Default::default() };
        Target { raw }
    }

    /// Accepts a seeded generator. Nothing is private then, and the guarantee says so.
    pub fn allow_seeded(mut self) -> Self {
        self.raw.allow_seeded = 1;
        self
    }

    /// The C struct, to read or to pass to functions of `sys`.
    pub fn raw(&self) -> &sys::pvg_target {
        &self.raw
    }
}

handle! {
    /// What a list of releases, fixed beforehand, loses together; composed exactly.
    shared Pld, pvg_pld, pvg_pld_free
}

getters! { Pld:
    /// Different parts of the list.
    part_count = pvg_pld_count as usize;
}

impl Pld {
    /// One part of any kind: `sys::PVG_LOSS_*`.
    pub fn new(part: &sys::pvg_pld_part) -> Result<Self> {
        let part = sized!(pvg_pld_part, part);
        Pld::make(|out| unsafe { sys::pvg_pld_new(out, &part) })
    }

    /// `times` releases that are epsilon-DP each.
    pub fn pure(epsilon: f64, times: i64) -> Result<Self> {
        Pld::new(&sys::pvg_pld_part {
            kind: sys::PVG_PLD_PURE,
            epsilon,
            times,
            ..Default::default()
        })
    }

    /// `times` releases with Gaussian noise, mu-GDP each.
    pub fn gaussian(mu: f64, times: i64) -> Result<Self> {
        Pld::new(&sys::pvg_pld_part {
            kind: sys::PVG_PLD_GDP,
            mu,
            times,
            ..Default::default()
        })
    }

    /// What a curve states, as a list that was fixed beforehand.
    pub fn of_curve(curve: &Curve) -> Result<Self> {
        Pld::make(|out| unsafe { sys::pvg_curve_pld(out, curve.as_ptr()) })
    }

    /// The list of both.
    pub fn compose(&self, other: &Pld) -> Result<Self> {
        Pld::make(|out| unsafe { sys::pvg_pld_compose(out, self.as_ptr(), other.as_ptr()) })
    }

    /// An epsilon that holds for the whole list at delta.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        number(|out| unsafe {
            sys::pvg_pld_epsilon(out, self.as_ptr(), delta, std::ptr::null())
        })
    }

    /// A delta that holds for the whole list at epsilon.
    pub fn delta(&self, epsilon: f64) -> Result<f64> {
        number(|out| unsafe {
            sys::pvg_pld_delta(out, self.as_ptr(), epsilon, std::ptr::null())
        })
    }
}

handle! {
    /// What is known about the privacy of something released.
    shared Curve, pvg_curve, pvg_curve_free
}

getters! { Curve:
    /// Terms of different kinds.
    term_count = pvg_curve_count as usize;
}

impl Curve {
    /// Of any kind: `sys::PVG_CURVE_*`.
    pub fn new(term: &sys::pvg_curve_term) -> Result<Self> {
        let term = sized!(pvg_curve_term, term);
        Curve::make(|out| unsafe { sys::pvg_curve_new(out, &term) })
    }

    /// epsilon-DP.
    pub fn pure(epsilon: f64) -> Result<Self> {
        let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_PURE, epsilon, ..Default::default() };
        Curve::make(|out| unsafe { sys::pvg_curve_new(out, &term) })
    }

    /// As hard to tell as N(0, 1) from N(mu, 1).
    pub fn gaussian(mu: f64) -> Result<Self> {
        let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_GDP, mu, ..Default::default() };
        Curve::make(|out| unsafe { sys::pvg_curve_new(out, &term) })
    }

    /// What holds for two things released about the same object.
    pub fn compose(&self, other: &Curve) -> Result<Self> {
        Curve::make(|out| unsafe { sys::pvg_curve_compose(out, self.as_ptr(), other.as_ptr()) })
    }

    /// The curve composed with itself, `times` in all.
    pub fn repeat(&self, times: i64) -> Result<Self> {
        Curve::make(|out| unsafe { sys::pvg_curve_repeat(out, self.as_ptr(), times) })
    }

    /// What holds for `size` such changes at once; infinite where nothing is proven.
    pub fn as_group(&self, size: i64) -> Result<Self> {
        Curve::make(|out| unsafe { sys::pvg_curve_group(out, self.as_ptr(), size) })
    }

    /// The terms it is made of.
    pub fn terms(&self) -> Result<Vec<sys::pvg_curve_term>> {
        (0..self.term_count() as i64)
            .map(|index| {
                let mut out = sys::pvg_curve_term::default();
                check(unsafe { sys::pvg_curve_copy_term(&mut out, self.as_ptr(), index) })
                    .map(|_| out)
            })
            .collect()
    }

    /// An epsilon that holds at delta; infinite where nothing does.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_curve_epsilon(out, self.as_ptr(), delta) })
    }

    /// A delta that holds at epsilon.
    pub fn delta(&self, epsilon: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_curve_delta(out, self.as_ptr(), epsilon) })
    }

    /// A bound of the Renyi divergence of order alpha > 1; infinite where none is known.
    pub fn renyi(&self, alpha: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_curve_renyi(out, self.as_ptr(), alpha) })
    }

    /// The largest parameter of a kind that meets (epsilon, delta); term gives the kind and the
    /// other fields.
    pub fn solve(term: &sys::pvg_curve_term, epsilon: f64, delta: f64) -> Result<f64> {
        let term = sized!(pvg_curve_term, term);
        number(|out| unsafe { sys::pvg_curve_solve(out, &term, epsilon, delta) })
    }

    /// The same with the published conversion, for comparison.
    pub fn solve_published(term: &sys::pvg_curve_term, epsilon: f64, delta: f64) -> Result<f64> {
        let term = sized!(pvg_curve_term, term);
        number(|out| unsafe { sys::pvg_curve_solve_published(out, &term, epsilon, delta) })
    }

    /// epsilon of one term by the published conversion, for comparison.
    pub fn epsilon_published(term: &sys::pvg_curve_term, delta: f64) -> Result<f64> {
        let term = sized!(pvg_curve_term, term);
        number(|out| unsafe { sys::pvg_curve_epsilon_published(out, &term, delta) })
    }
}
