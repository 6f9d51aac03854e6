//! Lists of persons and things: purchases, visits, memberships. Queries about them hide a whole
//! person.
use crate::{
    c_path, c_text, check, filled, getters, handle, lent, need, pointer, sized, sys, Io, Query,
    Release, Result, Run,
};
use std::os::raw::c_void;
use std::path::Path;

handle! {
    /// Which things each person has. How many persons there are is public, and which thing has
    /// which number: what is inferred (`sys::PVG_LISTS_*`) no release takes.
    shared Lists, pvg_lists, pvg_lists_free
}

getters! { Lists:
    /// How many persons there are.
    persons = pvg_lists_persons as i64;
    /// How many things there are.
    things = pvg_lists_things as i64;
    /// Entries: private.
    size = pvg_lists_size as i64;
    /// `sys::PVG_LISTS_*`: what was read off the entries.
    inferred = pvg_lists_inferred as u32;
}

impl Lists {
    /// Person `owners[i]` has thing `entries[i]`.
    pub fn from_pairs(
        persons: i64,
        things: i64,
        owners: &[i64],
        entries: &[i64],
        inferred: i32,
    ) -> Result<Self> {
        need(owners.len() == entries.len(), "lists: not one owner for each entry")?;
        Lists::make(|out| unsafe {
            let (own, had) = (owners.as_ptr(), entries.as_ptr());
            let count = owners.len() as i64;
            sys::pvg_lists_from_pairs(out, persons, things, own, had, count, inferred as u32)
        })
    }

    /// From compressed rows: one number more than persons, the last is that of columns.
    pub fn from_csr(things: i64, offsets: &[i64], columns: &[i32], inferred: i32) -> Result<Self> {
        need(
            offsets.last().copied() == i64::try_from(columns.len()).ok(),
            "lists: offsets are not those of so many columns",
        )?;
        Lists::make(|out| unsafe {
            let (rows, had) = (offsets.as_ptr(), columns.as_ptr());
            let persons = offsets.len() as i64 - 1;
            sys::pvg_lists_from_csr(out, persons, things, rows, had, inferred as u32)
        })
    }

    /// From a file with a line for each entry. catalogue: public names of all things, one in a
    /// line; `options.catalogue` is not used.
    pub fn read(
        path: impl AsRef<Path>,
        options: &sys::pvg_lists_options,
        catalogue: Option<&str>,
        io: &Io,
        run: Run<'_>,
    ) -> Result<Self> {
        let (path, names) = (c_path(path)?, catalogue.map(c_text).transpose()?);
        let options = told(options, &names);
        run.call(|run| {
            Lists::make(|out| unsafe {
                sys::pvg_lists_read(out, path.as_ptr(), &options, io.raw(), run)
            })
        })
    }

    /// The same from text in memory.
    pub fn parse(
        data: &[u8],
        options: &sys::pvg_lists_options,
        catalogue: Option<&str>,
        run: Run<'_>,
    ) -> Result<Self> {
        let names = catalogue.map(c_text).transpose()?;
        let options = told(options, &names);
        run.call(|run| {
            Lists::make(|out| unsafe {
                sys::pvg_lists_parse(out, data.as_ptr().cast(), data.len(), &options, run)
            })
        })
    }

    /// Offsets and columns of the rows: private. An error where they come from a source.
    pub fn rows(&self) -> Result<(&[i64], &[i32])> {
        let (mut offsets, mut columns) = (std::ptr::null(), std::ptr::null());
        check(unsafe { sys::pvg_lists_view_csr(&mut offsets, &mut columns, self.as_ptr()) })?;
        Ok(unsafe { (lent(offsets, self.persons() + 1), lent(columns, self.size())) })
    }
}

fn told(
    options: &sys::pvg_lists_options,
    names: &Option<std::ffi::CString>,
) -> sys::pvg_lists_options {
    let catalogue = names.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
    sys::pvg_lists_options { catalogue, ..sized!(pvg_lists_options, options) }
}

/// Lists that stay where they are, and are read once for each draw; used as [`Lists`].
pub struct ListsSource<F> {
    lists: Lists, // goes first
    read: Box<F>,
}

impl<F: Fn(i64, &mut Vec<i32>) -> bool + Send + Sync> ListsSource<F> {
    /// read: pushes the things of a person, in any order; false: it cannot, which ends the draw
    /// after it was paid for, as a panic does.
    pub fn new(persons: i64, things: i64, read: F, inferred: i32) -> Result<Self> {
        let read = Box::new(read);
        let source = sys::pvg_lists_source {
            read: Some(read_one::<F>),
            context: &*read as *const F as *mut c_void,
            ..Default::default()
        };
        let lists = Lists::make(|out| unsafe {
            sys::pvg_lists_from_source(out, persons, things, &source, inferred as u32)
        })?;
        Ok(ListsSource { lists, read })
    }
}

impl<F> std::ops::Deref for ListsSource<F> {
    type Target = Lists;
    fn deref(&self) -> &Lists {
        let _ = &self.read;
        &self.lists
    }
}

unsafe extern "C" fn read_one<F: Fn(i64, &mut Vec<i32>) -> bool>(
    context: *mut c_void,
    person: i64,
    out: *mut i32,
    capacity: i64,
) -> i64 {
    let read = &*(context as *const F);
    let call = std::panic::AssertUnwindSafe(|| {
        let mut things = Vec::new();
        read(person, &mut things).then_some(things)
    });
    match std::panic::catch_unwind(call) {
        Ok(Some(things)) if things.len() as i64 <= capacity => {
            std::ptr::copy_nonoverlapping(things.as_ptr(), out, things.len());
            things.len() as i64
        }
        _ => -1, // a panic must not cross C
    }
}

/// Directions in which things are had together: `weights.len()` rows of `things` numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListDirections {
    /// How many things the query was about.
    pub things: usize,
    /// Row by row.
    pub vectors: Vec<f64>,
    /// How far each is to be trusted, in [0, 1].
    pub weights: Vec<f64>,
}

impl ListDirections {
    /// For the owner of a list, on her own device: up to `count` things (places of the query) that
    /// go best with her own ones, best first. For her alone: it says what is on her list, and may
    /// not be stored centrally, ranked on or scored.
    pub fn recommend_own(&self, own: &[i32], count: usize) -> Result<Vec<i32>> {
        need(
            self.weights.len().checked_mul(self.things) == Some(self.vectors.len()),
            "vectors are not one row for each weight",
        )?;
        let mut out: Vec<i32> = filled(count, |out| unsafe {
            sys::pvg_recommend_own(
                out,
                std::ptr::null_mut(),
                count as i64,
                self.vectors.as_ptr(),
                self.weights.as_ptr(),
                self.weights.len() as i64,
                self.things as i64,
                own.as_ptr(),
                own.len() as i64,
            )
        })?;
        out.retain(|place| *place >= 0);
        Ok(out)
    }
}

impl Query {
    /// Of a release about lists: where each number lay before noise, low and high ends, of sums of
    /// rows too.
    pub fn estimate_list_intervals(
        &self,
        release: &Release,
        confidence: f64,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let cells = release.rows() * release.columns();
        let mut high = vec![0.0; cells];
        let low = filled(cells, |low| unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_list_intervals(low, high.as_mut_ptr(), confidence, own, from)
        })?;
        Ok((low, high))
    }

    /// Of `list-top` with counts: nearer to the truth, as counts are known to fall.
    pub fn estimate_list_counts(&self, release: &Release) -> Result<Vec<f64>> {
        filled(release.rows(), |out| unsafe {
            sys::pvg_estimate_list_counts(out, self.as_ptr(), release.as_ptr())
        })
    }

    /// Of `list-pairs` about so many things: at most `most` directions above what noise alone
    /// would give.
    pub fn estimate_list_directions(
        &self,
        release: &Release,
        things: usize,
        most: usize,
        run: Run<'_>,
    ) -> Result<ListDirections> {
        let pairs = things.checked_mul(things.saturating_sub(1)).map(|twice| twice / 2);
        let cells = release.rows() * release.columns();
        need(pairs == Some(cells), "the release has not the pairs of so many things")?;
        let mut weights = vec![0.0; most];
        let mut found = 0i64;
        let size = most.checked_mul(things);
        need(most > 0 && size.is_some(), "most is not at least 1, or too large")?;
        let mut vectors = run.call(|run| {
            filled(size.unwrap_or(0), |out| unsafe {
                sys::pvg_estimate_list_directions(
                    out,
                    weights.as_mut_ptr(),
                    &mut found,
                    most as i64,
                    self.as_ptr(),
                    release.as_ptr(),
                    run,
                )
            })
        })?;
        vectors.truncate(found as usize * things);
        weights.truncate(found as usize);
        Ok(ListDirections { things, vectors, weights })
    }
}

/// NULL for none.
pub(crate) fn looked_at(things: Option<&[i32]>) -> (*const i32, i64) {
    let things = things.filter(|all| !all.is_empty());
    (pointer(things), things.map_or(0, <[i32]>::len) as i64)
}
