//! Budgets: targets, curves, ledgers.
use crate::{c_text, check, handle, sys, text, Guarantee, Result};

/// What is hidden: in which way two inputs may differ and still look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Notion {
    Edge = sys::PVG_NOTION_EDGE,
    EdgeDirected = sys::PVG_NOTION_EDGE_DIRECTED,
    EdgeLdp = sys::PVG_NOTION_EDGE_LDP,
    EdgeSetLdp = sys::PVG_NOTION_EDGE_SET_LDP,
    Relationship = sys::PVG_NOTION_RELATIONSHIP,
    Node = sys::PVG_NOTION_NODE,
    FeatureLdp = sys::PVG_NOTION_FEATURE_LDP,
    LabelLdp = sys::PVG_NOTION_LABEL_LDP,
    Switch = sys::PVG_NOTION_SWITCH,
    NodeRemoved = sys::PVG_NOTION_NODE_REMOVED,
}

impl Notion {
    pub(crate) fn from_raw(raw: i32) -> Option<Notion> {
        use Notion::*;
        [
            Edge,
            EdgeDirected,
            EdgeLdp,
            EdgeSetLdp,
            Relationship,
            Node,
            FeatureLdp,
            LabelLdp,
            Switch,
            NodeRemoved,
        ]
        .into_iter()
        .find(|notion| *notion as i32 == raw)
    }
}

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
    /// What is known about the privacy of something released.
    Curve, pvg_curve, pvg_curve_free
}
unsafe impl Sync for Curve {}

impl Curve {
    pub fn pure(epsilon: f64) -> Result<Self> {
        let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_PURE, epsilon, ..Default::default() };
        Curve::make(|out| unsafe { sys::pvg_curve_new(out, &term) })
    }

    pub fn gaussian(mu: f64) -> Result<Self> {
        let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_GDP, mu, ..Default::default() };
        Curve::make(|out| unsafe { sys::pvg_curve_new(out, &term) })
    }

    /// What holds for two things released about the same object.
    pub fn compose(&self, other: &Curve) -> Result<Self> {
        Curve::make(|out| unsafe { sys::pvg_curve_compose(out, self.as_ptr(), other.as_ptr()) })
    }

    /// An epsilon that holds at delta; infinite where nothing does.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        let mut out = 0.0;
        check(unsafe { sys::pvg_curve_epsilon(&mut out, self.as_ptr(), delta) }).map(|_| out)
    }
}

handle! {
    /// A budget that cannot be overspent. Threads may share it; it is closed when its owner drops
    /// it, which the compiler allows only after all of them have let go of it:
    ///
    /// ```compile_fail,E0505
    /// # use privgraph::{Ledger, Notion};
    /// let ledger = Ledger::new(Notion::Edge, 1.0, 0.0).unwrap();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| ledger.spent(1, 0.0));
    ///     drop(ledger);
    /// });
    /// ```
    Ledger, pvg_ledger, pvg_ledger_free
}
unsafe impl Sync for Ledger {}

impl Ledger {
    fn config(notion: Notion, epsilon: f64, delta: f64) -> sys::pvg_ledger_config {
        sys::pvg_ledger_config { notion: notion as i32, epsilon, delta, ..Default::default() }
    }

    /// In memory: it ends with the program.
    pub fn new(notion: Notion, epsilon: f64, delta: f64) -> Result<Self> {
        let config = Ledger::config(notion, epsilon, delta);
        Ledger::make(|out| unsafe { sys::pvg_ledger_new(out, &config) })
    }

    /// In memory, with settings: method and order.
    pub fn with_config(config: &sys::pvg_ledger_config) -> Result<Self> {
        let config = Ledger::sized(config);
        Ledger::make(|out| unsafe { sys::pvg_ledger_new(out, &config) })
    }

    /// In a new file, with settings.
    pub fn create_with(path: &str, config: &sys::pvg_ledger_config) -> Result<Self> {
        let (path, config) = (c_text(path)?, Ledger::sized(config));
        Ledger::make(|out| unsafe { sys::pvg_ledger_create(out, path.as_ptr(), &config) })
    }

    fn sized(config: &sys::pvg_ledger_config) -> sys::pvg_ledger_config {
        let size = std::mem::size_of::<sys::pvg_ledger_config>() as u32;
        sys::pvg_ledger_config { size, ..*config }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> Result<sys::pvg_ledger_config> {
        let mut out = sys::pvg_ledger_config::default();
        check(unsafe { sys::pvg_ledger_copy_config(&mut out, self.as_ptr()) }).map(|_| out)
    }

    /// In a new file.
    pub fn create(path: &str, notion: Notion, epsilon: f64, delta: f64) -> Result<Self> {
        let (path, config) = (c_text(path)?, Ledger::config(notion, epsilon, delta));
        Ledger::make(|out| unsafe { sys::pvg_ledger_create(out, path.as_ptr(), &config) })
    }

    /// From its file.
    pub fn open(path: &str) -> Result<Self> {
        let path = c_text(path)?;
        Ledger::make(|out| unsafe { sys::pvg_ledger_open(out, path.as_ptr()) })
    }

    /// The number of an object from its name.
    pub fn object(name: &str) -> Result<u64> {
        let name = c_text(name)?;
        Ok(unsafe { sys::pvg_ledger_object(name.as_ptr()) })
    }

    /// Charges a guarantee to each object, all or none, for something drawn by other means.
    pub fn charge(&self, objects: &[u64], guarantee: &Guarantee<'_>) -> Result<()> {
        let (numbers, count) = (objects.as_ptr(), objects.len() as i64);
        let raw = guarantee.as_ptr();
        check(unsafe { sys::pvg_ledger_charge(self.as_ptr(), numbers, count, raw) })
    }

    /// What `charge` would say, without charging.
    pub fn fits(&self, objects: &[u64], guarantee: &Guarantee<'_>) -> Result<bool> {
        let (numbers, count) = (objects.as_ptr(), objects.len() as i64);
        let (mut out, raw) = (0, guarantee.as_ptr());
        check(unsafe { sys::pvg_ledger_fits(&mut out, self.as_ptr(), numbers, count, raw) })
            .map(|_| out == 1)
    }

    /// An epsilon at delta for all that was charged to an object.
    pub fn spent(&self, object: u64, delta: f64) -> Result<f64> {
        let mut out = 0.0;
        check(unsafe { sys::pvg_ledger_spent(&mut out, self.as_ptr(), object, delta) }).map(|_| out)
    }

    /// The largest parameter that one more release could have and still be paid: mu for
    /// `PVG_CURVE_GDP`, epsilon for `PVG_CURVE_PURE`, else rho. 0 if nothing fits.
    pub fn remaining(&self, object: u64, term: &sys::pvg_curve_term) -> Result<f64> {
        let size = std::mem::size_of::<sys::pvg_curve_term>() as u32;
        let (term, mut out) = (sys::pvg_curve_term { size, ..*term }, 0.0);
        check(unsafe { sys::pvg_ledger_remaining(&mut out, self.as_ptr(), object, &term) })
            .map(|_| out)
    }

    /// How many charges an object has, and their composition if there are any.
    pub fn charges(&self, object: u64) -> Result<(i64, Option<Curve>)> {
        let mut count = 0;
        check(unsafe {
            sys::pvg_ledger_curve(std::ptr::null_mut(), &mut count, self.as_ptr(), object)
        })?;
        if count == 0 {
            return Ok((0, None));
        }
        let curve = Curve::make(|out| unsafe {
            sys::pvg_ledger_curve(out, &mut count, self.as_ptr(), object)
        })?;
        Ok((count, Some(curve)))
    }

    /// Objects that were charged, in the order of their first charge.
    pub fn objects(&self) -> Result<Vec<u64>> {
        let count = unsafe { sys::pvg_ledger_object_count(self.as_ptr()) };
        (0..count)
            .map(|index| {
                let mut out = 0;
                check(unsafe { sys::pvg_ledger_object_at(&mut out, self.as_ptr(), index) })
                    .map(|_| out)
            })
            .collect()
    }

    /// Charges made; a batch is one.
    pub fn charge_count(&self) -> i64 {
        unsafe { sys::pvg_ledger_charge_count(self.as_ptr()) }
    }

    pub fn json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_ledger_copy_json(out, capacity, length, self.as_ptr())
        })
    }
}
