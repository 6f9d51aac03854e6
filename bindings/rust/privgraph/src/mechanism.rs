//! Noise for a vector of numbers, calibrated to a budget; all of it public.
use crate::{
    check, choice, constant, filled, getters, handle, need, number, pointer, sized, sys, Curve,
    Error, Pld, Result, Target,
};
use std::os::raw::c_void;

choice! {
    /// A law of noise.
    Noise {
        Gaussian = PVG_NOISE_GAUSSIAN,
        Laplace = PVG_NOISE_LAPLACE,
        DiscreteGaussian = PVG_NOISE_DISCRETE_GAUSSIAN,
        Smooth = PVG_NOISE_SMOOTH,
        SmoothPublished = PVG_NOISE_SMOOTH_PUBLISHED,
        Staircase = PVG_NOISE_STAIRCASE,
    }
}

impl Noise {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_noise_name(self as i32) }).unwrap_or("")
    }

    /// What it spends: `sys::PVG_CURVE_*`.
    pub fn curve_kind(self) -> i32 {
        unsafe { sys::pvg_noise_curve(self as i32) }
    }

    /// Standard deviation at that scale for that sensitivity.
    pub fn deviation(self, scale: f64, sensitivity: f64) -> f64 {
        unsafe { sys::pvg_noise_deviation(self as i32, scale, sensitivity) }
    }
}

choice! {
    /// How noise is shared among coordinates.
    Allocation {
        Optimal = PVG_ALLOCATION_OPTIMAL,
        Isotropic = PVG_ALLOCATION_ISOTROPIC,
        Proportional = PVG_ALLOCATION_PROPORTIONAL,
    }
}

impl Allocation {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_allocation_name(self as i32) }).unwrap_or("")
    }
}

handle! {
    /// Noise calibrated to a budget.
    shared Mechanism, pvg_mechanism, pvg_mechanism_free
}

getters! { Mechanism:
    dimension = pvg_mechanism_dimension as usize;
}

impl Mechanism {
    /// One coordinate for each sensitivity; ranges (low, high) are 0 to 1 if none are given.
    pub fn new(
        target: &Target,
        sensitivities: &[f64],
        ranges: Option<(&[f64], &[f64])>,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let count = sensitivities.len();
        need(
            ranges.map_or(true, |(low, high)| low.len() == count && high.len() == count)
                && weights.map_or(true, |all| all.len() == count),
            "ranges or weights: not one for each sensitivity",
        )?;
        let (low, high) = (ranges.map(|both| both.0), ranges.map(|both| both.1));
        Mechanism::make(|out| unsafe {
            sys::pvg_mechanism_new(
                out,
                target.raw(),
                sensitivities.as_ptr(),
                pointer(low),
                pointer(high),
                pointer(weights),
                count as i64,
            )
        })
    }

    /// For a vector whose private change is bounded as a whole.
    pub fn joint(target: &Target, config: &sys::pvg_joint_config) -> Result<Self> {
        let config = sized!(pvg_joint_config, config);
        Mechanism::make(|out| unsafe { sys::pvg_mechanism_new_joint(out, target.raw(), &config) })
    }

    /// The law of the noise.
    pub fn noise(&self) -> Option<Noise> {
        Noise::from_raw(unsafe { sys::pvg_mechanism_noise(self.as_ptr()) })
    }

    /// Whether it draws with a seeded generator.
    pub fn allows_seeded(&self) -> bool {
        unsafe { sys::pvg_mechanism_allows_seeded(self.as_ptr()) == 1 }
    }

    /// What it really spends.
    pub fn curve(&self) -> Result<Curve> {
        Curve::make(|out| unsafe { sys::pvg_mechanism_curve(out, self.as_ptr()) })
    }

    /// What it adds to a list of releases: its law, where that tells less than its curve.
    pub fn pld(&self) -> Result<Pld> {
        Pld::make(|out| unsafe { sys::pvg_mechanism_pld(out, self.as_ptr()) })
    }

    /// epsilon of what is spent at delta.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_mechanism_epsilon(out, self.as_ptr(), delta) })
    }

    /// Grid step of each coordinate.
    pub fn grid(&self) -> Result<Vec<f64>> {
        filled(self.dimension(), |out| unsafe { sys::pvg_mechanism_copy_grid(out, self.as_ptr()) })
    }

    /// Noise scale of each coordinate.
    pub fn scales(&self) -> Result<Vec<f64>> {
        filled(self.dimension(), |out| unsafe { sys::pvg_mechanism_copy_scale(out, self.as_ptr()) })
    }

    /// The claim in docs/guarantees.md.
    pub fn claim(&self) -> &'static str {
        constant(unsafe { sys::pvg_mechanism_claim(self.as_ptr()) }).unwrap_or("")
    }
}

/// The least deviation of Gaussian noise for L2 sensitivity 1 that meets (epsilon, delta).
pub fn gaussian_sigma(epsilon: f64, delta: f64) -> Result<f64> {
    number(|out| unsafe { sys::pvg_gaussian_sigma(out, epsilon, delta) })
}

/// mu of the last state of a noisy iteration whose maps have Lipschitz constant gamma.
pub fn contractive_mu(gamma: f64, shifts: &[f64], scales: &[f64]) -> Result<f64> {
    need(shifts.len() == scales.len(), "shifts and scales differ in length")?;
    let layers = shifts.len() as i64;
    number(|out| unsafe {
        sys::pvg_contractive_mu(out, gamma, shifts.as_ptr(), scales.as_ptr(), layers)
    })
}

/// The same with a constant for each layer.
pub fn contractive_mu_layers(gammas: &[f64], shifts: &[f64], scales: &[f64]) -> Result<f64> {
    let count = gammas.len();
    need(shifts.len() == count && scales.len() == count, "layers differ in number")?;
    let (gammas, shifts, scales) = (gammas.as_ptr(), shifts.as_ptr(), scales.as_ptr());
    number(|out| unsafe {
        sys::pvg_contractive_mu_layers(out, gammas, shifts, scales, count as i64)
    })
}

/// How far the change moves the last state if no noise is added on the way.
pub fn contractive_shift(gammas: &[f64], shifts: &[f64]) -> Result<f64> {
    need(shifts.len() == gammas.len(), "gammas and shifts differ in length")?;
    let layers = gammas.len() as i64;
    number(|out| unsafe {
        sys::pvg_contractive_shift(out, gammas.as_ptr(), shifts.as_ptr(), layers)
    })
}

/// A beta for smooth noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smooth {
    /// How smooth the sensitivity is.
    pub beta: f64,
    /// zCDP parameter of a draw.
    pub rho: f64,
    /// Deviation of the noise at the reference.
    pub noise: f64,
}

struct Asked<'a> {
    reference: &'a mut dyn FnMut(f64) -> f64,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

unsafe extern "C" fn ask(context: *mut c_void, beta: f64, out: *mut f64) -> i32 {
    let asked = &mut *context.cast::<Asked<'_>>();
    let call = std::panic::AssertUnwindSafe(|| (asked.reference)(beta));
    match std::panic::catch_unwind(call) {
        Ok(value) => {
            *out = value;
            sys::PVG_OK
        }
        Err(panic) => {
            asked.panic = Some(panic);
            sys::PVG_E_CANCELLED
        }
    }
}

/// Chooses beta for smooth noise by a smooth sensitivity at a public reference.
pub fn smooth_choose(
    target: &Target,
    dimension: i64,
    reference: &mut dyn FnMut(f64) -> f64,
) -> Result<Smooth> {
    let mut asked = Asked { reference, panic: None };
    let mut found = Smooth { beta: 0.0, rho: 0.0, noise: 0.0 };
    let status = unsafe {
        let context = std::ptr::addr_of_mut!(asked).cast();
        let (beta, rho, noise) = (&mut found.beta, &mut found.rho, &mut found.noise);
        sys::pvg_smooth_choose(beta, rho, noise, target.raw(), dimension, Some(ask), context)
    };
    match asked.panic {
        Some(panic) => std::panic::resume_unwind(panic),
        None if status == sys::PVG_E_CANCELLED => Err(Error::argument("smooth_choose: cancelled")),
        None => check(status).map(|_| found),
    }
}
