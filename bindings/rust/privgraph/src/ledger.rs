//! Budgets that cannot be overspent, and who pays for a release.
use crate::{
    c_path, c_text, check, handle, number, sized, sys, text, Curve, Guarantee, Notion, Result,
};
use std::path::Path;

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
    shared Ledger, pvg_ledger, pvg_ledger_free
}

impl Ledger {
    fn config(notion: Notion, epsilon: f64, delta: f64) -> sys::pvg_ledger_config {
        sys::pvg_ledger_config { notion: notion as i32, epsilon, delta, ..Default::default() }
    }

    /// In memory: it ends with the program.
    pub fn new(notion: Notion, epsilon: f64, delta: f64) -> Result<Self> {
        let config = Ledger::config(notion, epsilon, delta);
        Ledger::make(|out| unsafe { sys::pvg_ledger_new(out, &config) })
    }

    /// In memory, with settings: method and order. Names of objects: `with_objects`.
    pub fn with_config(config: &sys::pvg_ledger_config) -> Result<Self> {
        let mut config = sized!(pvg_ledger_config, config);
        config.objects = std::ptr::null(); // whose text a safe function cannot know
        Ledger::make(|out| unsafe { sys::pvg_ledger_new(out, &config) })
    }

    /// In a new file, with settings.
    pub fn create_with(path: impl AsRef<Path>, config: &sys::pvg_ledger_config) -> Result<Self> {
        let (path, mut config) = (c_path(path)?, sized!(pvg_ledger_config, config));
        config.objects = std::ptr::null();
        Ledger::make(|out| unsafe { sys::pvg_ledger_create(out, path.as_ptr(), &config) })
    }

    /// For these objects and no other, in memory or in a new file: NAME, or NAME*COUNT of a set of
    /// graphs. A name that is spelt otherwise is refused, and is no fresh budget.
    pub fn with_objects(
        path: Option<&Path>,
        config: &sys::pvg_ledger_config,
        objects: &[&str],
    ) -> Result<Self> {
        let (names, mut config) = (c_text(&objects.join("\n"))?, sized!(pvg_ledger_config, config));
        config.objects = names.as_ptr();
        match path {
            None => Ledger::make(|out| unsafe { sys::pvg_ledger_new(out, &config) }),
            Some(path) => {
                let path = c_path(path)?;
                Ledger::make(|out| unsafe { sys::pvg_ledger_create(out, path.as_ptr(), &config) })
            }
        }
    }

    /// The random number that the ledger and its file have; a payment is known by it.
    pub fn identity(&self) -> Result<u128> {
        let (mut high, mut low) = (0u64, 0u64);
        check(unsafe { sys::pvg_ledger_copy_identity(&mut high, &mut low, self.as_ptr()) })?;
        Ok(u128::from(high) << 64 | u128::from(low))
    }

    /// The settings it was made with.
    pub fn settings(&self) -> Result<sys::pvg_ledger_config> {
        let mut out = sys::pvg_ledger_config::default();
        check(unsafe { sys::pvg_ledger_copy_config(&mut out, self.as_ptr()) })?;
        out.objects = std::ptr::null(); // it is the ledger's text
        Ok(out)
    }

    /// In a new file.
    pub fn create(path: impl AsRef<Path>, notion: Notion, epsilon: f64, delta: f64) -> Result<Self> {
        let (path, config) = (c_path(path)?, Ledger::config(notion, epsilon, delta));
        Ledger::make(|out| unsafe { sys::pvg_ledger_create(out, path.as_ptr(), &config) })
    }

    /// From its file, which must have this budget, or in a new one.
    pub fn open_or_create(
        path: impl AsRef<Path>,
        notion: Notion,
        epsilon: f64,
        delta: f64,
    ) -> Result<Self> {
        let (path, config) = (c_path(path)?, Ledger::config(notion, epsilon, delta));
        Ledger::make(|out| unsafe { sys::pvg_ledger_open_or_create(out, path.as_ptr(), &config) })
    }

    /// From its file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        Ledger::make(|out| unsafe { sys::pvg_ledger_open(out, path.as_ptr()) })
    }

    /// From its file, to read it: nothing is written, and a copy will do.
    pub fn open_readonly(path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        Ledger::make(|out| unsafe { sys::pvg_ledger_open_readonly(out, path.as_ptr()) })
    }

    /// Makes a copy the ledger itself: who calls it says that no charge is missing in this file and
    /// that no other one will be charged any more. `witness`: a new one, where the old one is gone.
    pub fn claim(path: impl AsRef<Path>, witness: Option<&Path>) -> Result<()> {
        let path = c_path(path)?;
        let witness = witness.map(c_path).transpose()?;
        let named = witness.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        check(unsafe { sys::pvg_ledger_claim(path.as_ptr(), named) })
    }

    /// A second file, on other storage, that every charge needs from now on.
    pub fn add_witness(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        check(unsafe { sys::pvg_ledger_add_witness(self.as_ptr(), path.as_ptr()) })
    }

    /// The number of an object from its name.
    pub fn object(name: &str) -> Result<u64> {
        let name = c_text(name)?;
        Ok(unsafe { sys::pvg_ledger_object(name.as_ptr()) })
    }

    /// Whether a name looks like one of several snapshots of a network ("june", "2024-05"). What
    /// stays through several of them pays each time, and no ledger notices: warn who chose it.
    pub fn object_is_snapshot(name: &str) -> Result<bool> {
        let name = c_text(name)?;
        Ok(unsafe { sys::pvg_ledger_object_is_snapshot(name.as_ptr()) } == 1)
    }

    /// Charges a guarantee to each object, all or none, for something drawn by other means.
    pub fn charge(&self, objects: &[u64], guarantee: &Guarantee) -> Result<()> {
        let (numbers, count) = (objects.as_ptr(), objects.len() as i64);
        let raw = guarantee.as_ptr();
        check(unsafe { sys::pvg_ledger_charge(self.as_ptr(), numbers, count, raw) })
    }

    /// What `charge` would say, without charging.
    pub fn fits(&self, objects: &[u64], guarantee: &Guarantee) -> Result<bool> {
        let (numbers, count) = (objects.as_ptr(), objects.len() as i64);
        let (mut out, raw) = (0, guarantee.as_ptr());
        check(unsafe { sys::pvg_ledger_fits(&mut out, self.as_ptr(), numbers, count, raw) })
            .map(|_| out == 1)
    }

    /// An epsilon at delta for all that was charged to an object.
    pub fn spent(&self, object: u64, delta: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_ledger_spent(out, self.as_ptr(), object, delta) })
    }

    /// The largest parameter that one more release could have and still be paid: mu for
    /// `PVG_CURVE_GDP`, epsilon for `PVG_CURVE_PURE`, else rho. 0 if nothing fits.
    pub fn remaining(&self, object: u64, term: &sys::pvg_curve_term) -> Result<f64> {
        let term = sized!(pvg_curve_term, term);
        number(|out| unsafe { sys::pvg_ledger_remaining(out, self.as_ptr(), object, &term) })
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
                number(|out| unsafe { sys::pvg_ledger_object_at(out, self.as_ptr(), index) })
            })
            .collect()
    }

    /// Charges made; a batch is one.
    pub fn charge_count(&self) -> i64 {
        unsafe { sys::pvg_ledger_charge_count(self.as_ptr()) }
    }

    /// Keeps a name, of one object or of a set of `count`, for those who read the file.
    pub fn name(&self, name: &str, count: i64) -> Result<()> {
        let name = c_text(name)?;
        check(unsafe { sys::pvg_ledger_name(self.as_ptr(), name.as_ptr(), count) })
    }

    /// The name that was kept of an object that was charged; empty if none was.
    pub fn name_of(&self, object: u64) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_ledger_copy_name(out, capacity, length, self.as_ptr(), object)
        })
    }

    /// Bytes of an unfinished charge that opening cut off; nothing was released for it.
    pub fn torn_bytes(&self) -> i64 {
        unsafe { sys::pvg_ledger_torn_bytes(self.as_ptr()) }
    }

    /// Writes the file anew with one record for each object; every later answer is the same.
    pub fn compact(&self) -> Result<()> {
        check(unsafe { sys::pvg_ledger_compact(self.as_ptr()) })
    }

    /// What state a file is in (`PVG_LEDGER_*`), and what was found, in lines.
    pub fn verify(path: impl AsRef<Path>) -> Result<(i32, String)> {
        let path = c_path(path)?;
        let condition = std::cell::Cell::new(0);
        let found = text(|out, capacity, length| unsafe {
            sys::pvg_ledger_verify(out, capacity, length, condition.as_ptr(), path.as_ptr())
        })?;
        Ok((condition.get(), found))
    }

    /// Repairs a file if no charge is forgotten by it; as it was it is kept as `copy`.
    pub fn repair(path: impl AsRef<Path>, copy: impl AsRef<Path>) -> Result<()> {
        let (path, copy) = (c_path(path)?, c_path(copy)?);
        check(unsafe { sys::pvg_ledger_repair(path.as_ptr(), copy.as_ptr()) })
    }

    /// Budgets and charges, as JSON.
    pub fn json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_ledger_copy_json(out, capacity, length, self.as_ptr())
        })
    }
}
