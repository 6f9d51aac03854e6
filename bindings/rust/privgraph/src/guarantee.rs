//! What is promised about something released.
use crate::{
    c_text, check, choice, constant, getters, handle, number, sys, text, Curve, Error, Features,
    Graph, GraphSet, Labels, Result,
};
use std::ffi::CStr;

choice! {
    /// What is hidden: in which way two inputs may differ and still look alike.
    Notion {
        /// One undirected edge, central.
        Edge = PVG_NOTION_EDGE,
        /// One directed edge, central.
        EdgeDirected = PVG_NOTION_EDGE_DIRECTED,
        /// One entry of a user's own list, local.
        EdgeLdp = PVG_NOTION_EDGE_LDP,
        /// One entry of a list replaced by another, local.
        EdgeSetLdp = PVG_NOTION_EDGE_SET_LDP,
        /// One edge, when the reports of both ends are seen.
        Relationship = PVG_NOTION_RELATIONSHIP,
        /// A node with other edges and features, central.
        Node = PVG_NOTION_NODE,
        /// The features of a user, local.
        FeatureLdp = PVG_NOTION_FEATURE_LDP,
        /// The label of a user, local.
        LabelLdp = PVG_NOTION_LABEL_LDP,
        /// Two edges exchange ends; degrees are public.
        Switch = PVG_NOTION_SWITCH,
        /// A node without edges and with features of zero, central.
        NodeRemoved = PVG_NOTION_NODE_REMOVED,
        /// Another list of a person, and another group, central.
        Person = PVG_NOTION_PERSON,
        /// No list of a person, central.
        PersonAbsent = PVG_NOTION_PERSON_ABSENT,
    }
}

impl Notion {
    /// Such as "edge-DP undirected".
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_notion_name(self as i32) }).unwrap_or("")
    }

    /// Whether a budget of this notion may pay for something of the other.
    pub fn pays(self, other: Notion) -> bool {
        unsafe { sys::pvg_notion_pays(self as i32, other as i32) != 0 }
    }
}

handle! {
    /// What is promised, and what that rests on. Releases and what makes them lend theirs
    /// ([`crate::Lent`]); others are made here.
    shared Guarantee, pvg_guarantee, pvg_guarantee_free
}

/// What a column of the numbers is. NaN: not told, because it is not one number or private.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Unique: "level1", "triangles".
    pub name: String,
    /// Empty if there is nothing to say.
    pub unit: String,
    /// Of values before noise.
    pub low: f64,
    /// The other end.
    pub high: f64,
    /// Values and noise are multiples of it.
    pub grid: f64,
    /// Of the noise, as its law has it; 0: none.
    pub scale: f64,
}

getters! { Guarantee:
    /// Rows of the numbers that were drawn; 0 before the draw and for all else.
    rows = pvg_guarantee_rows as usize;
    /// Columns that are described; 0 if it is not about numbers.
    columns = pvg_guarantee_columns as usize;
    /// The delta that was asked for.
    delta = pvg_guarantee_delta as f64;
}

impl Guarantee {
    /// In the caller's own words, for something drawn by other means, to charge a ledger with.
    pub fn state(notion: Notion, curve: &Curve, words: &str) -> Result<Self> {
        let words = c_text(words)?;
        Guarantee::make(|out| unsafe {
            sys::pvg_guarantee_state(out, notion as i32, curve.as_ptr(), words.as_ptr())
        })
    }

    /// From the JSON of a record, which is taken at its word.
    pub fn parse(json: &str) -> Result<Self> {
        Guarantee::make(|out| unsafe {
            sys::pvg_guarantee_parse(out, json.as_ptr().cast(), json.len())
        })
    }

    /// What several releases about the same object spend together; a draw that stands there more
    /// than once counts once.
    pub fn compose(all: &[&Guarantee]) -> Result<Curve> {
        let mut raw: Vec<*const sys::pvg_guarantee> =
            all.iter().map(|one| one.as_ptr() as *const _).collect();
        Curve::make(|out| unsafe {
            sys::pvg_guarantee_compose(out, raw.as_mut_ptr(), raw.len() as i64)
        })
    }

    /// False for a seeded generator or a published method whose proof does not hold.
    pub fn holds(&self) -> bool {
        unsafe { sys::pvg_guarantee_holds(self.as_ptr()) == 1 }
    }

    /// Whether the noise came from a seeded generator; false before the draw.
    pub fn is_seeded(&self) -> bool {
        unsafe { sys::pvg_guarantee_seeded(self.as_ptr()) == 1 }
    }

    /// What is hidden; `None`: a notion that a newer library has.
    pub fn notion(&self) -> Option<Notion> {
        Notion::from_raw(unsafe { sys::pvg_guarantee_notion(self.as_ptr()) })
    }

    /// epsilon at delta; infinite where nothing holds.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        number(|out| unsafe { sys::pvg_guarantee_epsilon(out, self.as_ptr(), delta) })
    }

    /// What is spent, as a curve.
    pub fn curve(&self) -> Result<Curve> {
        Curve::make(|out| unsafe { sys::pvg_guarantee_curve(out, self.as_ptr()) })
    }

    /// What so many changes at once still get.
    pub fn group(&self, size: i64) -> Result<Curve> {
        Curve::make(|out| unsafe { sys::pvg_guarantee_group(out, self.as_ptr(), size) })
    }

    /// The random number by which a draw is known again; copies of a record keep it.
    pub fn id(&self) -> Result<u128> {
        let (mut high, mut low) = (0u64, 0u64);
        check(unsafe { sys::pvg_guarantee_copy_id(&mut high, &mut low, self.as_ptr()) })?;
        Ok(u128::from(high) << 64 | u128::from(low))
    }

    /// Error bars of one row of numbers that was released under it; `Release::interval` has all.
    pub fn interval(
        &self,
        row: &[f64],
        confidence: f64,
        order: i64,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let (mut low, mut high) = (vec![0.0; row.len()], vec![0.0; row.len()]);
        check(unsafe {
            let (ends, count) = ((low.as_mut_ptr(), high.as_mut_ptr()), row.len() as i64);
            let own = self.as_ptr();
            sys::pvg_guarantee_interval(ends.0, ends.1, own, row.as_ptr(), count, order, confidence)
        })?;
        Ok((low, high))
    }

    /// A column, for objects of `order` nodes (0: where that is the same for all).
    pub fn column(&self, index: usize, order: i64) -> Result<Column> {
        let (own, index) = (self.as_ptr(), index as i64);
        let mut raw = sys::pvg_column::default();
        check(unsafe { sys::pvg_guarantee_copy_column(&mut raw, own, index, order) })?;
        let name = text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_column_name(out, capacity, length, own, index)
        })?;
        let unit = text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_column_unit(out, capacity, length, own, index)
        })?;
        let sys::pvg_column { low, high, grid, scale, .. } = raw;
        Ok(Column { name, unit, low, high, grid, scale })
    }

    /// The query that it answers, as text; empty if it answers none.
    pub fn query(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_query(out, capacity, length, self.as_ptr())
        })
    }

    /// What all draws behind it promise together about a notion, and about one object (none:
    /// whichever it is).
    pub fn about(&self, notion: Notion, object: Option<u64>) -> Result<Guarantee> {
        let object = object.as_ref().map_or(std::ptr::null(), |number| number as *const u64);
        Guarantee::make(|out| unsafe {
            sys::pvg_guarantee_about(out, self.as_ptr(), notion as i32, object)
        })
    }

    /// The claim in docs/guarantees.md.
    pub fn claim(&self) -> String {
        let raw = unsafe { sys::pvg_guarantee_claim(self.as_ptr()) };
        if raw.is_null() {
            return String::new();
        }
        unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
    }

    /// The record as JSON.
    pub fn json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_json(out, capacity, length, self.as_ptr())
        })
    }

    /// In plain words.
    pub fn words(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_guarantee_copy_text(out, capacity, length, self.as_ptr())
        })
    }

    /// Whether these are the values that were drawn under it, bit by bit.
    pub fn verify(&self, values: &Released<'_>) -> Result<bool> {
        let raw = values.raw()?;
        number(|out| unsafe { sys::pvg_release_verify(out, self.as_ptr(), &raw) })
            .map(|same: i32| same == 1)
    }
}

/// Values that are said to be those of a release.
#[derive(Clone, Copy, Debug)]
pub enum Released<'a> {
    /// Numbers, row by row, and the number of columns.
    Values(&'a [f64], usize),
    /// A graph.
    Graph(&'a Graph),
    /// A set of graphs.
    Graphs(&'a GraphSet),
    /// Features.
    Features(&'a Features),
    /// Labels.
    Labels(&'a Labels),
    /// Lists of users: offsets (one more than users) and entries.
    Lists(&'a [i64], &'a [i32]),
}

impl Released<'_> {
    fn raw(&self) -> Result<sys::pvg_released> {
        let mut raw = sys::pvg_released::default();
        match *self {
            Released::Values(values, columns) => {
                if columns == 0 || values.len() % columns != 0 {
                    return Err(Error::argument("values are not rows of so many columns"));
                }
                raw.values = values.as_ptr();
                raw.columns = columns as i64;
                raw.rows = (values.len() / columns) as i64;
            }
            Released::Graph(graph) => raw.graph = graph.as_ptr(),
            Released::Graphs(set) => raw.set = set.as_ptr(),
            Released::Features(features) => raw.features = features.as_ptr(),
            Released::Labels(labels) => raw.labels = labels.as_ptr(),
            Released::Lists(offsets, targets) => {
                let rising = offsets.windows(2).all(|ends| ends[0] <= ends[1]);
                let whole = offsets.first() == Some(&0)
                    && offsets.last().copied() == i64::try_from(targets.len()).ok();
                if !rising || !whole {
                    return Err(Error::argument("offsets are not those of the targets"));
                }
                raw.offsets = offsets.as_ptr();
                raw.targets = targets.as_ptr();
                raw.users = offsets.len() as i64 - 1;
            }
        }
        Ok(raw)
    }
}
