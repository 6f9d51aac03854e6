//! What may be published, with its guarantee.
use crate::graph::Edges;
use crate::{
    c_path, check, getters, handle, lent, sized, sys, Curve, Features, Graph, GraphSet, Guarantee,
    Layers, Lent, Notion, Result,
};
use std::path::Path;

handle! {
    /// Something that may be published, with its guarantee.
    shared Release, pvg_release, pvg_release_free
}

getters! { Release:
    /// Rows of numbers.
    rows = pvg_release_rows as usize;
    /// Columns of numbers.
    columns = pvg_release_columns as usize;
}

impl Release {
    /// The numbers, row by row.
    pub fn values(&self) -> Result<&[f64]> {
        let mut data = std::ptr::null();
        check(unsafe { sys::pvg_release_view(&mut data, self.as_ptr()) })?;
        Ok(unsafe { lent(data, (self.rows() * self.columns()) as i64) })
    }

    /// Layers whose weights are its numbers: depth square matrices, one below the other. A query
    /// with them composes this draw with its own.
    pub fn layers(&self, config: &sys::pvg_layers_config) -> Result<Layers> {
        let config = sized!(pvg_layers_config, config);
        Layers::make(|out| unsafe { sys::pvg_layers_from_release(out, &config, self.as_ptr()) })
    }

    /// The rows, one slice each.
    pub fn iter_rows(&self) -> Result<std::slice::ChunksExact<'_, f64>> {
        Ok(self.values()?.chunks_exact(self.columns().max(1)))
    }

    /// The released graph, to be used as any graph.
    pub fn graph(&self) -> Result<Lent<'_, Graph>> {
        let mut graph = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        Ok(Graph::borrow_raw(graph))
    }

    /// The released graphs of a set, in its order.
    pub fn graphs(&self) -> Result<Lent<'_, GraphSet>> {
        let mut set = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graphs(&mut set, self.as_ptr()) })?;
        Ok(GraphSet::borrow_raw(set))
    }

    /// Released sparse features: differences to the middle of the range.
    pub fn sparse_features(&self) -> Result<Lent<'_, Features>> {
        let mut features = std::ptr::null();
        check(unsafe { sys::pvg_release_view_features(&mut features, self.as_ptr()) })?;
        Ok(Features::borrow_raw(features))
    }

    /// The edges of a released graph.
    pub fn edges(&self) -> Result<Edges<'_>> {
        let mut graph = std::ptr::null();
        check(unsafe { sys::pvg_release_view_graph(&mut graph, self.as_ptr()) })?;
        let order = unsafe { sys::pvg_graph_order(graph) };
        Ok(Edges { graph, order, node: -1, rest: [].iter() })
    }

    /// The released lists: where each begins, and their entries.
    pub fn list_arrays(&self) -> Result<(&[i64], &[i32])> {
        let (mut offsets, mut targets, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        check(unsafe {
            sys::pvg_release_view_lists(&mut offsets, &mut targets, &mut count, self.as_ptr())
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, count + 1) };
        let targets: &[i32] = unsafe { lent(targets, offsets.last().copied().unwrap_or(0)) };
        Ok((offsets, targets))
    }

    /// The released list of each user, ascending.
    pub fn lists(&self) -> Result<impl Iterator<Item = &[i32]> + '_> {
        let (offsets, targets) = self.list_arrays()?;
        Ok(offsets.windows(2).map(move |ends| &targets[ends[0] as usize..ends[1] as usize]))
    }

    /// Released labels.
    pub fn labels(&self) -> Result<&[i32]> {
        let (mut data, mut count) = (std::ptr::null(), 0);
        check(unsafe { sys::pvg_release_view_labels(&mut data, &mut count, self.as_ptr()) })?;
        Ok(unsafe { lent(data, count) })
    }

    /// Error bars of all numbers, row by row: low and high ends, at that confidence. `orders`:
    /// nodes of the graph of each row, of a set of graphs of different orders.
    pub fn interval(
        &self,
        confidence: f64,
        orders: Option<&[i64]>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let cells = self.values()?.len();
        let rows = unsafe { sys::pvg_release_rows(self.as_ptr()) };
        crate::need(
            orders.map_or(true, |given| given.len() as i64 == rows),
            "release: orders are not one for each row",
        )?;
        let (mut low, mut high) = (vec![0.0; cells], vec![0.0; cells]);
        let given = orders.map_or(std::ptr::null(), |given| given.as_ptr());
        check(unsafe {
            let (low, high) = (low.as_mut_ptr(), high.as_mut_ptr());
            sys::pvg_release_interval(low, high, self.as_ptr(), given, confidence)
        })?;
        Ok((low, high))
    }

    /// What is promised.
    pub fn guarantee(&self) -> Lent<'_, Guarantee> {
        Guarantee::borrow_raw(unsafe { sys::pvg_release_guarantee(self.as_ptr()) })
    }

    /// Writes values and record as one file, which appears complete or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        check(unsafe { sys::pvg_release_save(path.as_ptr(), self.as_ptr()) })
    }

    /// Reads such a file, whose record is taken at its word.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        Release::make(|out| unsafe { sys::pvg_release_load(out, path.as_ptr()) })
    }

    /// Whether it was loaded and not drawn here.
    pub fn is_loaded(&self) -> bool {
        unsafe { sys::pvg_release_loaded(self.as_ptr()) == 1 }
    }

    /// False for a seeded generator or a published method whose proof does not hold.
    pub fn publishable(&self) -> bool {
        self.guarantee().holds()
    }

    /// What is hidden.
    pub fn notion(&self) -> Option<Notion> {
        self.guarantee().notion()
    }

    /// epsilon of the guarantee at delta.
    pub fn epsilon(&self, delta: f64) -> Result<f64> {
        self.guarantee().epsilon(delta)
    }

    /// What was spent, as a curve.
    pub fn curve(&self) -> Result<Curve> {
        self.guarantee().curve()
    }

    /// The guarantee record.
    pub fn json(&self) -> Result<String> {
        self.guarantee().json()
    }

    /// The guarantee in plain words.
    pub fn words(&self) -> Result<String> {
        self.guarantee().words()
    }
}
