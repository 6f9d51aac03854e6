//! Graphs, sets of graphs, features and labels: private data.
use crate::{
    c_path, c_text, check, choice, constant, filled, getters, handle, lent, need, number, pointer,
    sys, text, Result, Rng, Run,
};
use std::path::Path;

choice! {
    /// A file format.
    Format {
        /// By first bytes and name.
        Auto = PVG_FORMAT_AUTO,
        EdgeList = PVG_FORMAT_EDGE_LIST,
        MatrixMarket = PVG_FORMAT_MATRIX_MARKET,
        Graph6 = PVG_FORMAT_GRAPH6,
        Sparse6 = PVG_FORMAT_SPARSE6,
        /// Read only.
        Metis = PVG_FORMAT_METIS,
        /// Binary, for `Graph::map`.
        CsrFile = PVG_FORMAT_CSR_FILE,
    }
}

impl Format {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        constant(unsafe { sys::pvg_format_name(self as i32) }).unwrap_or("")
    }

    /// `sys::PVG_CAN_*` combined with `|`.
    pub fn can(self) -> u32 {
        unsafe { sys::pvg_format_can(self as i32) }
    }

    /// What a file is, by its first bytes and its name; `Auto` if neither tells.
    pub fn find(path: impl AsRef<Path>, data: &[u8]) -> Result<Format> {
        let path = c_path(path)?;
        let found = number(|out| unsafe {
            sys::pvg_format_find(out, path.as_ptr(), data.as_ptr().cast(), data.len())
        })?;
        Ok(Format::from_raw(found).unwrap_or(Format::Auto))
    }
}

/// How text becomes a graph. The default: order as the file tells it, no repeated edges, no loops.
#[derive(Clone, Copy)]
pub struct Io {
    raw: sys::pvg_io_options,
}

impl Default for Io {
    fn default() -> Self {
        Io::new()
    }
}

impl Io {
    /// All defaults.
    pub fn new() -> Self {
        Io { raw: sys::pvg_io_options::default() }
    }

    pub(crate) fn raw(&self) -> &sys::pvg_io_options {
        &self.raw
    }

    /// Nodes, where the file does not tell: else the graph is not for releases.
    pub fn order(mut self, order: i64) -> Self {
        self.raw.order = order;
        self
    }

    /// The format, where first bytes and name do not tell.
    pub fn format(mut self, format: Format) -> Self {
        self.raw.format = format as i32;
        self
    }

    /// `sys::PVG_EDGES_*` combined with `|`.
    pub fn policy(mut self, policy: i32) -> Self {
        self.raw.policy = policy as u32;
        self
    }

    /// Number of the first node in an edge list: 0 or 1.
    pub fn index_base(mut self, base: i32) -> Self {
        self.raw.index_base = base;
        self
    }

    /// Ignores what follows the two numbers of a line.
    pub fn extra_columns(mut self) -> Self {
        self.raw.extra_columns = 1;
        self
    }

    /// Refuses larger graphs.
    pub fn order_limit(mut self, limit: i64) -> Self {
        self.raw.order_limit = limit;
        self
    }
}

handle! {
    /// An undirected simple graph.
    shared Graph, pvg_graph, pvg_graph_free
}

getters! { Graph:
    /// Nodes.
    order = pvg_graph_order as i64;
    /// Edges, each counted once.
    size = pvg_graph_size as i64;
    /// Must not become a public bound.
    max_degree_exact = pvg_graph_max_degree_exact as i64;
}

choice! {
    /// The chain data sets of the CARIBOU paper.
    Chains {
        S = PVG_CHAINS_S,
        M = PVG_CHAINS_M,
        L = PVG_CHAINS_L,
        X = PVG_CHAINS_X,
    }
}

/// A graph with what belongs to its nodes.
#[derive(Debug)]
pub struct Folder {
    /// The graph.
    pub graph: Graph,
    /// Of its nodes.
    pub features: Option<Features>,
    /// Of its nodes.
    pub labels: Option<Labels>,
}

/// offsets: `order + 1` entries, the last of which is the number of columns.
fn rows_fit(order: i64, offsets: &[i64], columns: usize) -> Result<()> {
    let fits = i64::try_from(offsets.len()).ok() == order.checked_add(1)
        && offsets.last().copied() == i64::try_from(columns).ok();
    need(fits, "offsets are not those of so many rows and columns")
}

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
        Graph::from_arrays(order, &sources, &targets, policy, run)
    }

    /// From two arrays of end points, as PyG's edge_index.
    pub fn from_arrays(
        order: i64,
        sources: &[i64],
        targets: &[i64],
        policy: i32,
        run: Run<'_>,
    ) -> Result<Self> {
        need(sources.len() == targets.len(), "sources and targets differ in length")?;
        let (from, to, count) = (sources.as_ptr(), targets.as_ptr(), sources.len() as i64);
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_from_edges(out, order, from, to, count, policy as u32, run)
            })
        })
    }

    /// From compressed rows.
    pub fn from_csr(
        order: i64,
        offsets: &[i64],
        columns: &[i32],
        policy: i32,
        run: Run<'_>,
    ) -> Result<Self> {
        rows_fit(order, offsets, columns.len())?;
        let (offsets, columns) = (offsets.as_ptr(), columns.as_ptr());
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_from_csr(out, order, offsets, columns, policy as u32, run)
            })
        })
    }

    /// Two columns of a table of another library, which the call releases. nodes: the public table
    /// of names of nodes, with order 0; null: ends are numbers below order.
    ///
    /// # Safety
    /// edges, and nodes unless null, are `struct ArrowArrayStream` of Arrow's C interface whose
    /// arrays are as large as it says.
    pub unsafe fn from_arrow(
        edges: *mut std::os::raw::c_void,
        source: &str,
        target: &str,
        nodes: *mut std::os::raw::c_void,
        order: i64,
        policy: i32,
        run: Run<'_>,
    ) -> Result<Self> {
        let (source, target) = (c_text(source)?, c_text(target)?);
        let (from, to) = (source.as_ptr(), target.as_ptr());
        run.call(|run| {
            Graph::make(|out| {
                sys::pvg_graph_from_arrow(out, edges, from, to, nodes, order, policy as u32, run)
            })
        })
    }

    /// Reads one graph in any format of the library, chosen by content and name. An edge
    /// list that does not begin with `# order N` needs [`Graph::read_with_order`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Graph::read_with(path, &Io::new(), Run::default())
    }

    /// Reads an edge list of `order` nodes. Without an order it would be read off the edges,
    /// and a release of the graph is refused ([`Graph::order_declared`]).
    pub fn read_with_order(path: impl AsRef<Path>, order: i64) -> Result<Self> {
        Graph::read_with(path, &Io::new().order(order), Run::default())
    }

    /// As [`Graph::read`], as told, with progress and cancelling.
    pub fn read_with(path: impl AsRef<Path>, io: &Io, run: Run<'_>) -> Result<Self> {
        let path = c_path(path)?;
        run.call(|run| {
            Graph::make(|out| unsafe { sys::pvg_graph_read(out, path.as_ptr(), &io.raw, run) })
        })
    }

    /// Whose edges stay in a csr file, which must not change meanwhile.
    pub fn map(path: impl AsRef<Path>, io: &Io, run: Run<'_>) -> Result<Self> {
        let path = c_path(path)?;
        run.call(|run| {
            Graph::make(|out| unsafe { sys::pvg_graph_map(out, path.as_ptr(), &io.raw, run) })
        })
    }

    /// From the bytes of a file.
    pub fn parse(data: &[u8], io: &Io) -> Result<Self> {
        let none = std::ptr::null();
        Graph::make(|out| unsafe {
            sys::pvg_graph_parse(out, data.as_ptr().cast(), data.len(), &io.raw, none)
        })
    }

    /// Reads a node-level folder: edges.txt, features.txt of so many columns if asked for (0: as
    /// many as its largest index says, then no release that hides features takes them), labels.txt
    /// if asked for.
    pub fn read_folder(
        folder: impl AsRef<Path>,
        feature_columns: Option<i64>,
        labels: bool,
        io: &Io,
    ) -> Result<Folder> {
        let folder = c_path(folder)?;
        let none = std::ptr::null_mut;
        let (mut x, mut y) = (std::ptr::null_mut(), std::ptr::null_mut());
        let graph = Graph::make(|out| unsafe {
            let want_x = if feature_columns.is_some() { &mut x } else { none() };
            let want_y = if labels { &mut y } else { std::ptr::null_mut() };
            let (columns, path) = (feature_columns.unwrap_or(0), folder.as_ptr());
            sys::pvg_graph_read_folder(
                out,
                want_x,
                want_y,
                path,
                columns,
                &io.raw,
                std::ptr::null(),
            )
        })?;
        Ok(Folder { graph, features: Features::adopt(x), labels: Labels::adopt(y) })
    }

    /// Writes the graph; the name chooses the format.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_with(path, &Io::new())
    }

    /// As [`Graph::write`], as told.
    pub fn write_with(&self, path: impl AsRef<Path>, io: &Io) -> Result<()> {
        let (path, none) = (c_path(path)?, std::ptr::null());
        check(unsafe { sys::pvg_graph_write(path.as_ptr(), self.as_ptr(), &io.raw, none) })
    }

    /// Makes a csr file for `map`, by a sort that needs so many bytes of memory (0: 1 GiB).
    pub fn pack(
        path: impl AsRef<Path>,
        source: impl AsRef<Path>,
        io: &Io,
        memory: i64,
    ) -> Result<()> {
        let (path, source, none) = (c_path(path)?, c_path(source)?, std::ptr::null());
        check(unsafe {
            sys::pvg_graph_pack(path.as_ptr(), source.as_ptr(), &io.raw, memory, none)
        })
    }

    /// The text of a file.
    pub fn format(&self, io: &Io) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_graph_format(out, capacity, length, self.as_ptr(), &io.raw)
        })
    }

    /// The subgraph on a public list of nodes.
    pub fn induce(&self, nodes: &[i64], run: Run<'_>) -> Result<Self> {
        let (first, count) = (nodes.as_ptr(), nodes.len() as i64);
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_induce(out, self.as_ptr(), first, count, run)
            })
        })
    }

    /// The same graph with node v called `new_name[v]`: a public permutation.
    pub fn relabel(&self, new_name: &[i64], run: Run<'_>) -> Result<Self> {
        need(new_name.len() as i64 == self.order(), "new names: not one for each node")?;
        let names = new_name.as_ptr();
        run.call(|run| {
            Graph::make(|out| unsafe { sys::pvg_graph_relabel(out, self.as_ptr(), names, run) })
        })
    }

    /// Keeps an edge if it is among the first `bound` of both ends, by a public order.
    pub fn truncate_degree(&self, bound: i64, run: Run<'_>) -> Result<Self> {
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_truncate_degree(out, self.as_ptr(), bound, run)
            })
        })
    }

    /// The path.
    pub fn path(order: i64) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_new_path(out, order) })
    }

    /// The cycle.
    pub fn cycle(order: i64) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_new_cycle(out, order) })
    }

    /// The complete graph.
    pub fn clique(order: i64) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_new_clique(out, order) })
    }

    /// Node 0 in the middle.
    pub fn star(order: i64) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_new_star(out, order) })
    }

    /// Every pair an edge with that probability.
    pub fn erdos_renyi(order: i64, probability: f64, rng: &mut Rng, run: Run<'_>) -> Result<Self> {
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_draw_erdos_renyi(out, order, probability, rng.as_ptr(), run)
            })
        })
    }

    /// Blocks of consecutive nodes; probabilities: blocks x blocks, symmetric.
    pub fn blocks(
        orders: &[i64],
        probabilities: &[f64],
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let count = orders.len();
        need(count.checked_mul(count) == Some(probabilities.len()), "blocks x blocks chances")?;
        run.call(|run| {
            Graph::make(|out| unsafe {
                let (orders, chances) = (orders.as_ptr(), probabilities.as_ptr());
                sys::pvg_graph_draw_blocks(out, orders, chances, count as i64, rng.as_ptr(), run)
            })
        })
    }

    /// Every further node joins `attach` earlier ones, by degree.
    pub fn preferential(order: i64, attach: i64, rng: &mut Rng, run: Run<'_>) -> Result<Self> {
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_draw_preferential(out, order, attach, rng.as_ptr(), run)
            })
        })
    }

    /// A pair is an edge with probability min(1, w_u w_v / sum).
    pub fn chung_lu(weights: &[f64], rng: &mut Rng, run: Run<'_>) -> Result<Self> {
        let (first, order) = (weights.as_ptr(), weights.len() as i64);
        run.call(|run| {
            Graph::make(|out| unsafe {
                sys::pvg_graph_draw_chung_lu(out, first, order, rng.as_ptr(), run)
            })
        })
    }

    /// A uniformly random labelled tree.
    pub fn tree(order: i64, rng: &mut Rng) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_draw_tree(out, order, rng.as_ptr()) })
    }

    /// A random k-tree of that width.
    pub fn ktree(order: i64, width: i64, rng: &mut Rng) -> Result<Self> {
        Graph::make(|out| unsafe { sys::pvg_graph_draw_ktree(out, order, width, rng.as_ptr()) })
    }

    /// Chains with features and labels; numbered path by path without a generator.
    pub fn chains(dataset: Chains, rng: Option<&mut Rng>) -> Result<Folder> {
        let (mut x, mut y) = (std::ptr::null_mut(), std::ptr::null_mut());
        let rng = rng.map_or(std::ptr::null_mut(), |rng| rng.as_ptr());
        let graph = Graph::make(|out| unsafe {
            sys::pvg_graph_draw_chains(out, &mut x, &mut y, dataset as i32, rng)
        })?;
        Ok(Folder { graph, features: Features::adopt(x), labels: Labels::adopt(y) })
    }

    /// Whether the order was declared; if not, it is as private as the edges.
    pub fn order_declared(&self) -> bool {
        unsafe { sys::pvg_graph_order_declared(self.as_ptr()) == 1 }
    }

    /// Neighbours of a node; none if there is no such node.
    pub fn degree(&self, node: i64) -> Option<i64> {
        let degree = unsafe { sys::pvg_graph_degree(self.as_ptr(), node) };
        if degree < 0 {
            None
        } else {
            Some(degree)
        }
    }

    /// Whether an edge is there.
    pub fn has_edge(&self, u: i64, v: i64) -> bool {
        unsafe { sys::pvg_graph_has_edge(self.as_ptr(), u, v) == 1 }
    }

    /// The neighbours of a node, ascending.
    pub fn neighbours(&self, node: i64) -> Result<&[i32]> {
        unsafe { neighbours_of(self.as_ptr(), node) }
    }

    /// The compressed rows: where each begins, and their entries.
    pub fn csr(&self) -> Result<(&[i64], &[i32])> {
        let (mut offsets, mut columns) = (std::ptr::null(), std::ptr::null());
        check(unsafe { sys::pvg_graph_view_csr(&mut offsets, &mut columns, self.as_ptr()) })?;
        Ok(unsafe { (lent(offsets, self.order() + 1), lent(columns, 2 * self.size())) })
    }

    /// Every edge once, as (smaller, larger), ascending.
    pub fn edges(&self) -> Edges<'_> {
        Edges { graph: self.as_ptr(), order: self.order(), node: -1, rest: [].iter() }
    }

    /// The edges as two arrays.
    pub fn edge_arrays(&self) -> Result<(Vec<i64>, Vec<i64>)> {
        let mut targets = vec![0; self.size() as usize];
        let sources = filled(targets.len(), |out| unsafe {
            sys::pvg_graph_copy_edges(out, targets.as_mut_ptr(), self.as_ptr())
        })?;
        Ok((sources, targets))
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
    shared GraphSet, pvg_graphset, pvg_graphset_free
}

getters! { GraphSet:
    /// How many graphs.
    len = pvg_graphset_count as usize;
    /// Nodes of all graphs.
    order = pvg_graphset_order as i64;
    /// Real targets of each graph.
    target_count = pvg_graphset_target_count as usize;
}

fn labels_fit(starts: &[i64], labels: Option<&[i32]>, nodes: Option<&[i32]>) -> Result<()> {
    let (graphs, order) = (starts.len().saturating_sub(1), starts.last().copied());
    need(
        !starts.is_empty()
            && labels.map_or(true, |all| all.len() == graphs)
            && nodes.map_or(true, |all| i64::try_from(all.len()).ok() == order),
        "starts, labels or node labels: not one for each graph or node",
    )
}

impl GraphSet {
    /// All graphs at once, as in a batch: graph i has nodes `starts[i] .. starts[i + 1] - 1`, and
    /// edges join numbers in the whole set. policy: `sys::PVG_EDGES_*`.
    pub fn from_arrays(
        starts: &[i64],
        sources: &[i64],
        targets: &[i64],
        policy: i32,
        labels: Option<&[i32]>,
        node_labels: Option<&[i32]>,
        run: Run<'_>,
    ) -> Result<Self> {
        labels_fit(starts, labels, node_labels)?;
        need(sources.len() == targets.len(), "sources and targets differ in length")?;
        let (count, edges) = (starts.len() as i64 - 1, sources.len() as i64);
        run.call(|run| {
            GraphSet::make(|out| unsafe {
                sys::pvg_graphset_from_edges(
                    out,
                    starts.as_ptr(),
                    count,
                    sources.as_ptr(),
                    targets.as_ptr(),
                    edges,
                    policy as u32,
                    pointer(labels),
                    pointer(node_labels),
                    run,
                )
            })
        })
    }

    /// The same from block-diagonal compressed rows.
    pub fn from_csr(
        starts: &[i64],
        offsets: &[i64],
        columns: &[i32],
        policy: i32,
        labels: Option<&[i32]>,
        node_labels: Option<&[i32]>,
        run: Run<'_>,
    ) -> Result<Self> {
        labels_fit(starts, labels, node_labels)?;
        rows_fit(starts.last().copied().unwrap_or(0), offsets, columns.len())?;
        let count = starts.len() as i64 - 1;
        run.call(|run| {
            GraphSet::make(|out| unsafe {
                sys::pvg_graphset_from_csr(
                    out,
                    starts.as_ptr(),
                    count,
                    offsets.as_ptr(),
                    columns.as_ptr(),
                    policy as u32,
                    pointer(labels),
                    pointer(node_labels),
                    run,
                )
            })
        })
    }

    /// Reads graph6 or sparse6 lines.
    pub fn read(path: impl AsRef<Path>, io: &Io, run: Run<'_>) -> Result<Self> {
        let path = c_path(path)?;
        run.call(|run| {
            GraphSet::make(|out| unsafe {
                sys::pvg_graphset_read(out, path.as_ptr(), &io.raw, run)
            })
        })
    }

    /// From the bytes of such a file.
    pub fn parse(data: &[u8], io: &Io) -> Result<Self> {
        let none = std::ptr::null();
        GraphSet::make(|out| unsafe {
            sys::pvg_graphset_parse(out, data.as_ptr().cast(), data.len(), &io.raw, none)
        })
    }

    /// Writes a line for each graph; the name chooses the format.
    pub fn write(&self, path: impl AsRef<Path>, io: &Io) -> Result<()> {
        let (path, none) = (c_path(path)?, std::ptr::null());
        check(unsafe { sys::pvg_graphset_write(path.as_ptr(), self.as_ptr(), &io.raw, none) })
    }

    /// Reads a TUDataset folder, whose files begin with its name.
    pub fn read_tudataset(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = c_path(folder)?;
        GraphSet::make(|out| unsafe {
            let (folder, name) = (folder.as_ptr(), std::ptr::null());
            sys::pvg_graphset_read_tudataset(out, folder, name, std::ptr::null(), std::ptr::null())
        })
    }

    /// The same for files that begin with another name.
    pub fn read_tudataset_with(folder: impl AsRef<Path>, name: &str, io: &Io, run: Run<'_>) -> Result<Self> {
        let (folder, name) = (c_path(folder)?, c_text(name)?);
        run.call(|run| {
            GraphSet::make(|out| unsafe {
                let (folder, name) = (folder.as_ptr(), name.as_ptr());
                sys::pvg_graphset_read_tudataset(out, folder, name, &io.raw, run)
            })
        })
    }

    /// Writes such a folder, which exists.
    pub fn write_tudataset(&self, folder: impl AsRef<Path>, name: &str) -> Result<()> {
        let (folder, name) = (c_path(folder)?, c_text(name)?);
        check(unsafe {
            let (folder, name) = (folder.as_ptr(), name.as_ptr());
            sys::pvg_graphset_write_tudataset(folder, name, self.as_ptr(), std::ptr::null())
        })
    }

    /// Classes of random graphs with two blocks, as in the homomorphism-density paper.
    pub fn sbm(
        order: i64,
        zeta: &[f64],
        per_class: i64,
        q: f64,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let (first, classes) = (zeta.as_ptr(), zeta.len() as i64);
        run.call(|run| {
            GraphSet::make(|out| unsafe {
                let rng = rng.as_ptr();
                sys::pvg_graphset_draw_sbm(out, order, first, classes, per_class, q, rng, run)
            })
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of one graph.
    pub fn get(&self, index: usize) -> Result<Graph> {
        Graph::make(|out| unsafe { sys::pvg_graphset_get(out, self.as_ptr(), index as i64) })
    }

    /// Graphs of a range as a set of their own; nothing is copied, the sets share their rows.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Result<GraphSet> {
        let (first, count) = (range.start as i64, range.len() as i64);
        GraphSet::make(|out| unsafe { sys::pvg_graphset_slice(out, self.as_ptr(), first, count) })
    }

    /// Copies of all graphs, one after the other.
    pub fn iter(&self) -> impl Iterator<Item = Result<Graph>> + '_ {
        (0..self.len()).map(move |index| self.get(index))
    }

    /// Block-diagonal rows: where graphs begin, where rows begin, and their entries.
    pub fn csr(&self) -> Result<(&[i64], &[i64], &[i32])> {
        let (mut starts, mut offsets) = (std::ptr::null(), std::ptr::null());
        let mut columns = std::ptr::null();
        check(unsafe {
            sys::pvg_graphset_view_csr(&mut starts, &mut offsets, &mut columns, self.as_ptr())
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, self.order() + 1) };
        let count = offsets.last().copied().unwrap_or(0);
        Ok(unsafe { (lent(starts, self.len() as i64 + 1), offsets, lent(columns, count)) })
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

    /// Targets of each graph, row by row; empty if the set has none.
    pub fn targets(&self) -> Result<&[f64]> {
        let mut targets = std::ptr::null();
        let none = std::ptr::null_mut;
        check(unsafe {
            sys::pvg_graphset_view_labels(none(), &mut targets, std::ptr::null_mut(), self.as_ptr())
        })?;
        Ok(unsafe { lent(targets, (self.len() * self.target_count()) as i64) })
    }

    /// Label of each node; none if the set has none.
    pub fn node_labels(&self) -> Result<Option<&[i32]>> {
        let mut labels = std::ptr::null();
        check(unsafe {
            let none = std::ptr::null_mut();
            sys::pvg_graphset_view_labels(none, std::ptr::null_mut(), &mut labels, self.as_ptr())
        })?;
        if labels.is_null() {
            return Ok(None);
        }
        Ok(Some(unsafe { lent(labels, self.order()) }))
    }
}

handle! {
    /// A graph under construction, from edges that come in pieces.
    GraphBuilder, pvg_graph_builder, pvg_graph_builder_free
}

impl GraphBuilder {
    /// policy: `sys::PVG_EDGES_*` combined with `|`.
    pub fn new(order: i64, policy: i32) -> Result<Self> {
        GraphBuilder::make(|out| unsafe { sys::pvg_graph_builder_new(out, order, policy as u32) })
    }

    /// Adds a piece. A refusal names piece and edge and leaves the builder as it was.
    pub fn add(&mut self, sources: &[i64], targets: &[i64]) -> Result<()> {
        need(sources.len() == targets.len(), "sources and targets differ in length")?;
        let (from, to, count) = (sources.as_ptr(), targets.as_ptr(), sources.len() as i64);
        check(unsafe { sys::pvg_graph_builder_add(self.as_ptr(), from, to, count) })
    }

    /// The same for numbers of 32 bits.
    pub fn add_i32(&mut self, sources: &[i32], targets: &[i32]) -> Result<()> {
        need(sources.len() == targets.len(), "sources and targets differ in length")?;
        let (from, to, count) = (sources.as_ptr(), targets.as_ptr(), sources.len() as i64);
        check(unsafe { sys::pvg_graph_builder_add_int32(self.as_ptr(), from, to, count) })
    }

    /// The graph of all pieces. The builder is empty afterwards, also on failure.
    pub fn finish(&mut self, run: Run<'_>) -> Result<Graph> {
        let own = self.as_ptr();
        run.call(|run| Graph::make(|out| unsafe { sys::pvg_graph_builder_finish(out, own, run) }))
    }
}

handle! {
    RawBuilder, pvg_graphset_builder, pvg_graphset_builder_free
}

/// A set under construction.
#[derive(Debug)]
pub struct GraphSetBuilder {
    raw: RawBuilder,
    targets: usize,
}

impl GraphSetBuilder {
    /// Empty.
    pub fn new() -> Result<Self> {
        GraphSetBuilder::with_targets(0)
    }

    /// Every graph will carry so many real numbers.
    pub fn with_targets(targets: usize) -> Result<Self> {
        let count = targets as i64;
        let raw = RawBuilder::make(|out| unsafe { sys::pvg_graphset_builder_new(out, count) })?;
        Ok(GraphSetBuilder { raw, targets })
    }

    /// Appends a copy; label -1 for none.
    pub fn add(&mut self, graph: &Graph, label: i32) -> Result<()> {
        self.add_with(graph, label, None, None)
    }

    /// The same with targets (none: all NaN) and labels of the nodes.
    pub fn add_with(
        &mut self,
        graph: &Graph,
        label: i32,
        targets: Option<&[f64]>,
        node_labels: Option<&[i32]>,
    ) -> Result<()> {
        need(
            targets.map_or(true, |all| all.len() == self.targets)
                && node_labels.map_or(true, |all| all.len() as i64 == graph.order()),
            "targets or node labels: not as many as the builder or the graph has",
        )?;
        check(unsafe {
            let (own, graph) = (self.raw.as_ptr(), graph.as_ptr());
            let (targets, nodes) = (pointer(targets), pointer(node_labels));
            sys::pvg_graphset_builder_add(own, graph, label, targets, nodes)
        })
    }

    /// The set.
    pub fn finish(self) -> Result<GraphSet> {
        let own = self.raw.as_ptr();
        GraphSet::make(|out| unsafe { sys::pvg_graphset_builder_finish(out, own) })
    }
}

handle! {
    /// A matrix of node features.
    shared Features, pvg_features, pvg_features_free
}

getters! { Features:
    rows = pvg_features_rows as usize;
    columns = pvg_features_columns as usize;
}

impl Features {
    /// From a dense matrix, row by row.
    pub fn from_dense(rows: usize, columns: usize, values: &[f64]) -> Result<Self> {
        need(rows.checked_mul(columns) == Some(values.len()), "values are not rows x columns")?;
        Features::make(|out| unsafe {
            sys::pvg_features_from_dense(out, rows as i64, columns as i64, values.as_ptr())
        })
    }

    /// The same from floats, which are not rounded on the way.
    pub fn from_dense_f32(rows: usize, columns: usize, values: &[f32]) -> Result<Self> {
        need(rows.checked_mul(columns) == Some(values.len()), "values are not rows x columns")?;
        Features::make(|out| unsafe {
            sys::pvg_features_from_dense_float(out, rows as i64, columns as i64, values.as_ptr())
        })
    }

    /// From compressed rows of floats.
    pub fn from_csr_f32(
        columns: usize,
        offsets: &[i64],
        indices: &[i32],
        values: &[f32],
    ) -> Result<Self> {
        let rows = offsets.len() as i64 - 1;
        rows_fit(rows, offsets, indices.len())?;
        need(values.len() == indices.len(), "not one value per index")?;
        Features::make(|out| unsafe {
            let (offsets, indices, columns) = (offsets.as_ptr(), indices.as_ptr(), columns as i64);
            let values = values.as_ptr();
            sys::pvg_features_from_csr_float(out, rows, columns, offsets, indices, values)
        })
    }

    /// From compressed rows; without values all entries are 1.
    pub fn from_csr(
        columns: usize,
        offsets: &[i64],
        indices: &[i32],
        values: Option<&[f64]>,
    ) -> Result<Self> {
        let rows = offsets.len() as i64 - 1;
        rows_fit(rows, offsets, indices.len())?;
        need(values.map_or(true, |all| all.len() == indices.len()), "not one value per index")?;
        Features::make(|out| unsafe {
            let (offsets, indices, columns) = (offsets.as_ptr(), indices.as_ptr(), columns as i64);
            sys::pvg_features_from_csr(out, rows, columns, offsets, indices, pointer(values))
        })
    }

    /// Whether the number of columns was declared; no release hides features otherwise.
    pub fn columns_declared(&self) -> bool {
        unsafe { sys::pvg_features_columns_declared(self.as_ptr()) == 1 }
    }

    /// A copy whose number of columns counts as read off the entries.
    pub fn copy_inferred(&self) -> Result<Self> {
        Features::make(|out| unsafe { sys::pvg_features_copy_inferred(out, self.as_ptr()) })
    }

    /// All rows as a dense matrix.
    pub fn to_dense(&self) -> Result<Vec<f64>> {
        crate::matrix(self.rows(), self.columns(), |out| unsafe {
            sys::pvg_features_copy_dense(out, self.as_ptr(), 0, self.rows() as i64)
        })
    }

    /// The compressed rows: where each begins, columns, values.
    pub fn csr(&self) -> Result<(&[i64], &[i32], &[f64])> {
        let (mut offsets, mut indices) = (std::ptr::null(), std::ptr::null());
        let mut values = std::ptr::null();
        check(unsafe {
            sys::pvg_features_view_csr(&mut offsets, &mut indices, &mut values, self.as_ptr())
        })?;
        let offsets: &[i64] = unsafe { lent(offsets, self.rows() as i64 + 1) };
        let count = offsets.last().copied().unwrap_or(0);
        Ok(unsafe { (offsets, lent(indices, count), lent(values, count)) })
    }
}

handle! {
    /// Class of each node, -1 where unknown.
    shared Labels, pvg_labels, pvg_labels_free
}

getters! { Labels:
    len = pvg_labels_count as usize;
    /// Largest label + 1.
    classes = pvg_labels_classes as i64;
}

impl Labels {
    /// One for each node; -1: none.
    pub fn new(values: &[i32]) -> Result<Self> {
        Labels::make(|out| unsafe {
            sys::pvg_labels_from_array(out, values.as_ptr(), values.len() as i64)
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One for each node.
    pub fn values(&self) -> Result<&[i32]> {
        let mut data = std::ptr::null();
        check(unsafe { sys::pvg_labels_view(&mut data, self.as_ptr()) })?;
        Ok(unsafe { lent(data, self.len() as i64) })
    }
}
