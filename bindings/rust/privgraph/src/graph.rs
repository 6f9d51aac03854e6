//! Graphs, sets of graphs, features and labels: private data.
use crate::{c_text, check, handle, lent, sys, Error, Result, Run};

handle! {
    /// An undirected simple graph.
    Graph, pvg_graph, pvg_graph_free
}
unsafe impl Sync for Graph {}

impl Graph {
    /// From edges, each listed once.
    pub fn from_edges(order: i64, edges: &[(i64, i64)]) -> Result<Self> {
        Graph::from_edges_with(order, edges, sys::PVG_EDGES_STRICT, Run::default())
    }

    /// From edges; policy: `sys::PVG_EDGES_*` combined with `|`.
    pub fn from_edges_with(
        order: i64,
        edges: &[(i64, i64)],
        policy: i32,
        run: Run<'_>,
    ) -> Result<Self> {
        let (sources, targets): (Vec<i64>, Vec<i64>) = edges.iter().copied().unzip();
        let count = edges.len() as i64;
        run.call(|run| {
            Graph::make(|out| unsafe {
                let (from, to) = (sources.as_ptr(), targets.as_ptr());
                sys::pvg_graph_from_edges(out, order, from, to, count, policy as u32, run)
            })
        })
    }

    /// Reads one graph in any format of the library, chosen by content and name. An edge
    /// list that does not begin with `# order N` needs [`Graph::read_with_order`].
    pub fn read(path: &str) -> Result<Self> {
        Graph::read_with_order(path, 0)
    }

    /// Reads an edge list of `order` nodes. Without an order it would be read off the edges,
    /// and a release of the graph is refused ([`Graph::order_told`]).
    pub fn read_with_order(path: &str, order: i64) -> Result<Self> {
        let path = c_text(path)?;
        let options = sys::pvg_io_options { order, ..Default::default() };
        Graph::make(|out| unsafe {
            sys::pvg_graph_read(out, path.as_ptr(), &options, std::ptr::null())
        })
    }

    /// Writes the graph; the name chooses the format.
    pub fn write(&self, path: &str) -> Result<()> {
        let path = c_text(path)?;
        check(unsafe {
            sys::pvg_graph_write(path.as_ptr(), self.as_ptr(), std::ptr::null(), std::ptr::null())
        })
    }

    pub fn cycle(order: i64) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_new_cycle(out, order) })
    }

    pub fn order(&self) -> i64 {
        unsafe { sys::pvg_graph_order(self.as_ptr()) }
    }

    /// Whether the order was told; if not, it is as private as the edges.
    pub fn order_told(&self) -> bool {
        unsafe { sys::pvg_graph_order_told(self.as_ptr()) == 1 }
    }

    /// Edges, each counted once.
    pub fn size(&self) -> i64 {
        unsafe { sys::pvg_graph_size(self.as_ptr()) }
    }

    pub fn has_edge(&self, u: i64, v: i64) -> bool {
        unsafe { sys::pvg_graph_has_edge(self.as_ptr(), u, v) == 1 }
    }

    /// The neighbours of a node, ascending.
    pub fn neighbours(&self, node: i64) -> Result<&[i32]> {
        unsafe { neighbours_of(self.as_ptr(), node) }
    }

    /// Every edge once, as (smaller, larger), ascending.
    pub fn edges(&self) -> Edges<'_> {
        Edges { graph: self.as_ptr(), order: self.order(), node: -1, rest: [].iter() }
    }
}

/// # Safety
/// graph is a live handle for 'a.
pub(crate) unsafe fn neighbours_of<'a>(
    graph: *const sys::pvg_graph,
    node: i64,
) -> Result<&'a [i32]> {
    let (mut data, mut count) = (std::ptr::null(), 0);
    check(sys::pvg_graph_view_neighbours(&mut data, &mut count, graph, node))?;
    Ok(lent(data, count))
}

/// Iterator over the edges of a graph.
pub struct Edges<'a> {
    pub(crate) graph: *const sys::pvg_graph,
    pub(crate) order: i64,
    pub(crate) node: i64,
    pub(crate) rest: std::slice::Iter<'a, i32>,
}

impl Iterator for Edges<'_> {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        loop {
            for &other in self.rest.by_ref() {
                if i64::from(other) > self.node {
                    return Some((self.node, i64::from(other)));
                }
            }
            if self.node + 1 >= self.order {
                return None;
            }
            self.node += 1;
            self.rest = unsafe { neighbours_of(self.graph, self.node) }.ok()?.iter();
        }
    }
}

handle! {
    /// Many graphs with labels.
    GraphSet, pvg_graphset, pvg_graphset_free
}
unsafe impl Sync for GraphSet {}

impl GraphSet {
    /// Reads a TUDataset folder.
    pub fn read_tudataset(folder: &str) -> Result<Self> {
        let folder = c_text(folder)?;
        GraphSet::make(|out| unsafe {
            let (folder, name) = (folder.as_ptr(), std::ptr::null());
            sys::pvg_graphset_read_tudataset(out, folder, name, std::ptr::null(), std::ptr::null())
        })
    }

    pub fn len(&self) -> usize {
        unsafe { sys::pvg_graphset_count(self.as_ptr()) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of one graph.
    pub fn get(&self, index: usize) -> Result<Graph> {
        Graph::make(|out| unsafe { sys::pvg_graphset_get(out, self.as_ptr(), index as i64) })
    }

    /// Copies of all graphs, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Result<Graph>> + '_ {
        (0..self.len()).map(move |index| self.get(index))
    }

    /// Class of each graph, -1 for none.
    pub fn labels(&self) -> Result<&[i32]> {
        let mut labels = std::ptr::null();
        let none = std::ptr::null_mut;
        check(unsafe {
            sys::pvg_graphset_view_labels(&mut labels, none(), std::ptr::null_mut(), self.as_ptr())
        })?;
        Ok(unsafe { lent(labels, self.len() as i64) })
    }
}

handle! {
    /// A set under construction.
    GraphSetBuilder, pvg_graphset_builder, pvg_graphset_builder_free
}

impl GraphSetBuilder {
    pub fn new() -> Result<Self> {
        GraphSetBuilder::make(|out| unsafe { sys::pvg_graphset_builder_new(out, 0) })
    }

    /// Appends a copy; label -1 for none.
    pub fn add(&mut self, graph: &Graph, label: i32) -> Result<()> {
        let none = std::ptr::null();
        check(unsafe {
            let own = self.as_ptr();
            sys::pvg_graphset_builder_add(own, graph.as_ptr(), label, none, std::ptr::null())
        })
    }

    pub fn finish(self) -> Result<GraphSet> {
        GraphSet::make(|out| unsafe { sys::pvg_graphset_builder_finish(out, self.as_ptr()) })
    }
}

handle! {
    /// A matrix of node features.
    Features, pvg_features, pvg_features_free
}
unsafe impl Sync for Features {}

impl Features {
    /// From a dense matrix, row by row.
    pub fn from_dense(rows: usize, columns: usize, values: &[f64]) -> Result<Self> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(Error::argument("values are not rows x columns"));
        }
        Features::make(|out| unsafe {
            sys::pvg_features_from_dense(out, rows as i64, columns as i64, values.as_ptr())
        })
    }

    pub fn rows(&self) -> usize {
        unsafe { sys::pvg_features_rows(self.as_ptr()) as usize }
    }

    pub fn columns(&self) -> usize {
        unsafe { sys::pvg_features_columns(self.as_ptr()) as usize }
    }
}

handle! {
    /// Class of each node, -1 where unknown.
    Labels, pvg_labels, pvg_labels_free
}
unsafe impl Sync for Labels {}

impl Labels {
    pub fn new(values: &[i32]) -> Result<Self> {
        Labels::make(|out| unsafe {
            sys::pvg_labels_from_array(out, values.as_ptr(), values.len() as i64)
        })
    }

    pub fn values(&self) -> Result<&[i32]> {
        let mut data = std::ptr::null();
        check(unsafe { sys::pvg_labels_view(&mut data, self.as_ptr()) })?;
        Ok(unsafe { lent(data, sys::pvg_labels_count(self.as_ptr())) })
    }
}
