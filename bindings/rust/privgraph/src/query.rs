//! What is asked of private data: queries, what they read, and several draws for one payment.
use crate::{
    c_text, check, filled, handle, matrix, need, number, pointer, sys, text, Error,
    Features, Graph, GraphSet, Guarantee, Labels, Layers, Ledger, Lists, Notion, Patterns, Release, Result, Rng,
    Run, Target, Preview,
};
#[cfg(feature = "learn")]
use crate::Dataset;
use std::ffi::CString;

handle! {
    /// A kind, its options, public arrays and a budget. It is public, and knows its guarantee,
    /// columns and noise before it sees anything private; [`Release::draw`] answers it. Kinds and
    /// options are listed by [`Query::kinds`] and by privgraph-queries(7).
    shared Query, pvg_query, pvg_query_free
}

/// Public arrays and handles of a query: known without the private data, or made from `sources`.
/// Which of them a kind takes its table says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arguments<'a> {
    /// Nodes; 0: as many as kinds, groups or priorities has.
    pub order: i64,
    /// Of each node; -1: none.
    pub kinds: Option<&'a [i32]>,
    /// Of each node; -1: none.
    pub groups: Option<&'a [i32]>,
    /// Of each node.
    pub priorities: Option<&'a [f64]>,
    /// Of each pair: order x order.
    pub similarities: Option<&'a [f64]>,
    /// Rows of so many columns.
    pub weights: Option<(&'a [f64], usize)>,
    /// Lower and upper ends: one for each column, or one for all.
    pub ranges: Option<(&'a [f64], &'a [f64])>,
    /// Instead of the option.
    pub patterns: Option<&'a Patterns>,
    /// Of message passing.
    pub layers: Option<&'a Layers>,
    /// Of lists, which are looked at; distinct.
    pub things: Option<&'a [i32]>,
    /// The record names their draws.
    pub sources: &'a [&'a Release],
}

/// Raw pointers to releases.
fn raw_sources(sources: &[&Release]) -> Vec<*const sys::pvg_release> {
    sources.iter().map(|one| one.as_ptr() as *const _).collect()
}

/// NULL for none.
fn first<T>(values: &mut [T]) -> *mut T {
    if values.is_empty() {
        std::ptr::null_mut()
    } else {
        values.as_mut_ptr()
    }
}

impl Arguments<'_> {
    /// Lends the C struct to a call; arrays of other lengths than it says are refused.
    fn lend<T>(&self, call: impl FnOnce(*const sys::pvg_arguments) -> Result<T>) -> Result<T> {
        let told = self.kinds.or(self.groups).map(<[i32]>::len);
        let told = told.or_else(|| self.priorities.map(<[f64]>::len)).unwrap_or(0);
        let order = if self.order != 0 { self.order } else { told as i64 };
        let nodes = usize::try_from(order).ok();
        need(
            self.kinds.map_or(true, |all| Some(all.len()) == nodes)
                && self.groups.map_or(true, |all| Some(all.len()) == nodes)
                && self.priorities.map_or(true, |all| Some(all.len()) == nodes)
                && self.similarities.map_or(true, |all| {
                    nodes.and_then(|many| many.checked_mul(many)) == Some(all.len())
                }),
            "arguments: not one entry for each node or pair",
        )?;
        let (weights, columns) = self.weights.unwrap_or((&[], 1));
        need(
            columns > 0 && weights.len() % columns == 0,
            "arguments: weights are not rows of so many columns",
        )?;
        let (low, high) = self.ranges.unwrap_or((&[], &[]));
        need(low.len() == high.len(), "arguments: the ends of ranges differ in number")?;
        let mut sources = raw_sources(self.sources);
        let (things, thing_count) = crate::lists::looked_at(self.things);
        let raw = sys::pvg_arguments {
            things,
            thing_count,
            order,
            kinds: pointer(self.kinds),
            groups: pointer(self.groups),
            priorities: pointer(self.priorities),
            similarities: pointer(self.similarities),
            weight_rows: (weights.len() / columns) as i64,
            weight_columns: if weights.is_empty() { 0 } else { columns as i64 },
            weights: pointer(Some(weights).filter(|all| !all.is_empty())),
            ranges: low.len() as i64,
            low: pointer(Some(low).filter(|all| !all.is_empty())),
            high: pointer(Some(high).filter(|all| !all.is_empty())),
            patterns: self.patterns.map_or(std::ptr::null(), |one| one.as_ptr()),
            layers: self.layers.map_or(std::ptr::null(), |one| one.as_ptr()),
            sources: first(&mut sources),
            source_count: sources.len() as i64,
            ..Default::default()
        };
        call(&raw)
    }
}

/// What a query is asked of: exactly what it reads. It borrows the private data, which the compiler
/// keeps alive:
///
/// ```compile_fail,E0505
/// # use privgraph::{Graph, Input, Query, Release, Rng, Run};
/// # fn main() -> privgraph::Result<()> {
/// let graph = Graph::cycle(9)?;
/// let input = Input::graph(&graph);
/// drop(graph);
/// Release::draw(&Query::new("stars epsilon=1")?, &input, &mut Rng::secure()?, Run::default())?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Input<'a> {
    graph: Option<&'a Graph>,
    set: Option<&'a GraphSet>,
    features: Option<&'a Features>,
    labels: Option<&'a Labels>,
    lists: Option<&'a Lists>,
    #[cfg(feature = "learn")]
    dataset: Option<&'a Dataset>,
    open: u32,
    sources: Vec<&'a Release>,
    name: Option<CString>,
    objects: Vec<u64>,
}

/// An input that says which private object it is. No ledger takes another:
///
/// ```compile_fail,E0308
/// # use privgraph::{Graph, Input, Ledger, Notion, Query, Release, Rng, Run};
/// # fn main() -> privgraph::Result<()> {
/// let (graph, ledger) = (Graph::cycle(9)?, Ledger::new(Notion::Edge, 1.0, 0.0)?);
/// let query = Query::new("stars epsilon=1")?;
/// let input = Input::graph(&graph); // .named("people")? is missing
/// Release::draw_charged(&query, &input, &mut Rng::secure()?, &ledger, Run::default())?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct NamedInput<'a> {
    inner: Input<'a>,
}

impl<'a> std::ops::Deref for NamedInput<'a> {
    type Target = Input<'a>;
    fn deref(&self) -> &Input<'a> {
        &self.inner
    }
}

impl<'a> Input<'a> {
    fn empty() -> Self {
        Input {
            graph: None,
            set: None,
            features: None,
            labels: None,
            lists: None,
            #[cfg(feature = "learn")]
            dataset: None,
            open: 0,
            sources: Vec::new(),
            name: None,
            objects: Vec::new(),
        }
    }

    /// A graph.
    pub fn graph(graph: &'a Graph) -> Self {
        Input { graph: Some(graph), ..Input::empty() }
    }

    /// Each graph is an object with a row of its own.
    pub fn set(set: &'a GraphSet) -> Self {
        Input { set: Some(set), ..Input::empty() }
    }

    /// Features alone.
    pub fn features(features: &'a Features) -> Self {
        Input { features: Some(features), ..Input::empty() }
    }

    /// Labels alone.
    pub fn labels(labels: &'a Labels) -> Self {
        Input { labels: Some(labels), ..Input::empty() }
    }

    /// Lists of persons and things.
    pub fn lists(lists: &'a Lists) -> Self {
        Input { lists: Some(lists), ..Input::empty() }
    }

    #[cfg(feature = "learn")]
    /// What a private training reads.
    pub fn dataset(dataset: &'a Dataset) -> Self {
        Input { dataset: Some(dataset), ..Input::empty() }
    }

    /// With features of the nodes.
    pub fn with_features(mut self, features: &'a Features) -> Self {
        self.features = Some(features);
        self
    }

    /// With labels of the nodes, or groups of persons.
    pub fn with_labels(mut self, labels: &'a Labels) -> Self {
        self.labels = Some(labels);
        self
    }

    /// Parts (`sys::PVG_DATA_*`) that are public, or made from `sources`; of a dataset 0, and
    /// what its private parts were made from.
    pub fn with_open(mut self, parts: i32, sources: &[&'a Release]) -> Self {
        self.open = parts as u32;
        self.sources = sources.to_vec();
        self
    }

    /// The private object has this name; graph i of a set: NAME:i.
    pub fn named(self, name: &str) -> Result<NamedInput<'a>> {
        need(!name.is_empty(), "input: the name of the object is empty")?;
        let name = Some(c_text(name)?);
        Ok(NamedInput { inner: Input { name, objects: Vec::new(), ..self } })
    }

    /// The private object has this number, or each graph of a set one of them.
    pub fn numbered(self, objects: &[u64]) -> Result<NamedInput<'a>> {
        need(!objects.is_empty(), "input: there are no numbers of objects")?;
        Ok(NamedInput { inner: Input { name: None, objects: objects.to_vec(), ..self } })
    }

    /// Lends the C struct to a call.
    pub(crate) fn lend<T>(&self, call: impl FnOnce(*const sys::pvg_input) -> T) -> T {
        let mut sources = raw_sources(&self.sources);
        let raw = sys::pvg_input {
            open: self.open,
            graph: self.graph.map_or(std::ptr::null(), |one| one.as_ptr()),
            set: self.set.map_or(std::ptr::null(), |one| one.as_ptr()),
            features: self.features.map_or(std::ptr::null(), |one| one.as_ptr()),
            labels: self.labels.map_or(std::ptr::null(), |one| one.as_ptr()),
            lists: self.lists.map_or(std::ptr::null(), |one| one.as_ptr()),
            #[cfg(feature = "learn")]
            dataset: self.dataset.map_or(std::ptr::null(), |one| one.as_ptr()),
            object: self.name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr()),
            objects: pointer(Some(&self.objects[..]).filter(|all| !all.is_empty())),
            object_count: self.objects.len() as i64,
            sources: first(&mut sources),
            source_count: sources.len() as i64,
            ..Default::default()
        };
        call(&raw)
    }
}

impl Query {
    /// From text with its budget, such as "stars leaves=3 epsilon=1".
    pub fn new(text: &str) -> Result<Self> {
        Query::with(text, &Arguments::default(), None, Run::default())
    }

    /// From text without a budget, which `target` has: so for text from strangers.
    pub fn with_target(text: &str, target: &Target) -> Result<Self> {
        Query::with(text, &Arguments::default(), Some(target), Run::default())
    }

    /// With arrays; the budget is in the text or in `target`.
    pub fn with(
        text: &str,
        arguments: &Arguments<'_>,
        target: Option<&Target>,
        run: Run<'_>,
    ) -> Result<Self> {
        let text = c_text(text)?;
        let target = target.map_or(std::ptr::null(), |one| one.raw() as *const _);
        arguments.lend(|arrays| {
            run.call(|run| {
                Query::make(|out| unsafe {
                    sys::pvg_query_new(out, text.as_ptr(), arrays, target, run)
                })
            })
        })
    }

    /// Writes the text: `Query::of("stars").set("leaves", 3).epsilon(1.0).build()`.
    pub fn of(kind: &str) -> QueryBuilder {
        QueryBuilder { text: word(kind) }
    }

    /// Several as one; their epsilons add.
    pub fn join(parts: &[&Query]) -> Result<Self> {
        let mut raw: Vec<*mut sys::pvg_query> = parts.iter().map(|one| one.as_ptr()).collect();
        Query::make(|out| unsafe { sys::pvg_query_join(out, raw.as_mut_ptr(), raw.len() as i64) })
    }

    /// All kinds with their options, as JSON.
    pub fn kinds() -> Result<String> {
        text(|out, capacity, length| unsafe { sys::pvg_query_copy_kinds(out, capacity, length) })
    }

    /// With everything filled in; arrays stand there as digests.
    pub fn text(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_query_copy_text(out, capacity, length, self.as_ptr())
        })
    }

    /// What it will do on `order` nodes (0: as it says), as JSON.
    pub fn json(&self, order: i64) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_query_copy_json(out, capacity, length, self.as_ptr(), order)
        })
    }

    /// Equal for equal queries.
    pub fn id(&self) -> Result<u128> {
        let (mut high, mut low) = (0u64, 0u64);
        check(unsafe { sys::pvg_query_copy_id(&mut high, &mut low, self.as_ptr()) })?;
        Ok(u128::from(high) << 64 | u128::from(low))
    }

    /// A number of its JSON, in whose texts quotes are escaped; 0 if it is not there.
    fn told(&self, key: &str) -> Result<usize> {
        let (all, mark) = (self.json(0)?, format!(",\"{key}\":"));
        let digits = match all.find(&mark) {
            None => return Ok(0),
            Some(at) => &all[at + mark.len()..],
        };
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().map_err(|_| Error::argument("a number of a newer library"))
    }

    /// Columns of the numbers of one graph; 0 if it gives something else.
    pub fn columns(&self) -> Result<usize> {
        self.told("columns")
    }

    /// What one draw promises about objects of these orders; none: as it says.
    pub fn guarantee(&self, orders: &[i64]) -> Result<Guarantee> {
        let first = if orders.is_empty() { std::ptr::null() } else { orders.as_ptr() };
        Guarantee::make(|out| unsafe {
            sys::pvg_query_guarantee(out, self.as_ptr(), first, orders.len() as i64)
        })
    }

    /// Range, noise and verdict of each column, before anything is spent. All zero: as it says.
    pub fn preview(&self, config: &sys::pvg_preview_config, run: Run<'_>) -> Result<Preview> {
        let config = crate::sized!(pvg_preview_config, config);
        run.call(|run| {
            Preview::make(|out| unsafe {
                sys::pvg_query_preview(out, self.as_ptr(), &config, run)
            })
        })
    }

    /// Of embed: what graphs of these orders (none: as the query says) cost at most to count, from
    /// public numbers: operations, and seconds on one thread of this machine.
    pub fn cost(&self, orders: &[i64]) -> Result<(f64, f64)> {
        let mut seconds = 0.0;
        let first = if orders.is_empty() { std::ptr::null() } else { orders.as_ptr() };
        let operations = number(|out| unsafe {
            sys::pvg_query_cost(out, &mut seconds, self.as_ptr(), first, orders.len() as i64)
        })?;
        Ok((operations, seconds))
    }

    /// Of the noise of a row: columns x columns numbers.
    pub fn covariance(&self, order: i64) -> Result<Vec<f64>> {
        let columns = self.columns()?;
        need(columns > 0, "covariance: the query gives no numbers")?;
        matrix(columns, columns, |out| unsafe {
            sys::pvg_query_covariance(out, self.as_ptr(), order)
        })
    }

    /// Of embed, for audits on public graphs: of each row of `values`, how much likelier it is with
    /// the exact densities `second` than with `first`, as a logarithm.
    pub fn compare_exact(
        &self,
        values: &[f64],
        first: &[f64],
        second: &[f64],
        order: i64,
    ) -> Result<Vec<f64>> {
        let width = self.columns()?;
        need(
            width > 0
                && values.len() % width == 0
                && first.len() == second.len()
                && (first.len() == width || first.len() + 1 == width),
            "values, first or second: another shape",
        )?;
        let rows = values.len() / width;
        filled(rows, |out| unsafe {
            let (own, count) = (self.as_ptr(), rows as i64);
            let (values, first, second) = (values.as_ptr(), first.as_ptr(), second.as_ptr());
            sys::pvg_query_compare_exact(out, values, count, first, second, own, order)
        })
    }

    /// `sys::PVG_DATA_*` that it reads.
    pub fn reads(&self) -> i32 {
        unsafe { sys::pvg_query_reads(self.as_ptr()) as i32 }
    }

    /// (rows, columns) of the numbers; 0 if it gives something else.
    pub fn shape(&self, input: &Input<'_>) -> Result<(usize, usize)> {
        let (mut rows, mut columns) = (0, 0);
        input.lend(|raw| {
            check(unsafe { sys::pvg_query_shape(&mut rows, &mut columns, self.as_ptr(), raw) })
        })?;
        Ok((rows as usize, columns as usize))
    }

    /// The numbers without noise: must not be published.
    pub fn values_exact(&self, input: &Input<'_>, run: Run<'_>) -> Result<Vec<f64>> {
        let (rows, columns) = self.shape(input)?;
        run.call(|run| {
            input.lend(|raw| {
                matrix(rows, columns, |out| unsafe {
                    sys::pvg_query_values_exact(out, self.as_ptr(), raw, run)
                })
            })
        })
    }
}

/// From a release that answers the query; costs nothing.
impl Query {
    /// Of a query of degrees: a graphical degree sequence for `order` nodes.
    pub fn estimate_sequence(&self, release: &Release, order: i64) -> Result<Vec<i64>> {
        need(order > 0, "estimate_sequence: order is less than 1")?;
        filled(order as usize, |out| unsafe {
            sys::pvg_estimate_sequence(out, self.as_ptr(), release.as_ptr(), order)
        })
    }

    /// Of a query of degrees: estimated sums of powers 0, 1, ... of the degrees.
    pub fn estimate_moments(
        &self,
        release: &Release,
        count: usize,
        order: i64,
    ) -> Result<Vec<f64>> {
        filled(count, |out| unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_moments(out, count as i64, own, from, order)
        })
    }

    /// Of a query of capped edges: there are at least so many, with this confidence.
    pub fn estimate_least_edges(
        &self,
        release: &Release,
        row: i64,
        confidence: f64,
        order: i64,
    ) -> Result<f64> {
        let mut out = 0.0;
        let (own, from) = (self.as_ptr(), release.as_ptr());
        check(unsafe {
            sys::pvg_estimate_least_edges(&mut out, row, confidence, own, from, order)
        })?;
        Ok(out)
    }

    /// Of a query of capped degrees: the noise, and how far they are from the geometric law of
    /// the same mean, as shares of nodes.
    pub fn estimate_degree_law(&self, release: &Release) -> Result<(f64, f64)> {
        let (mut noise, mut geometric) = (0.0, 0.0);
        let (own, from) = (self.as_ptr(), release.as_ptr());
        check(unsafe { sys::pvg_estimate_degree_law(&mut noise, &mut geometric, own, from) })?;
        Ok((noise, geometric))
    }

    /// Of a query of degrees: estimated densities of forests.
    pub fn estimate_densities(
        &self,
        patterns: &Patterns,
        release: &Release,
        order: i64,
    ) -> Result<Vec<f64>> {
        filled(patterns.len(), |out| unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_densities(out, patterns.as_ptr(), own, from, order)
        })
    }

    /// Of randomised response on pairs: edges of the private graph, and the variance of this.
    pub fn estimate_edges(&self, release: &Release) -> Result<(f64, f64)> {
        let (mut out, mut variance) = (0.0, 0.0);
        check(unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_edges(&mut out, &mut variance, own, from)
        })
        .map(|_| (out, variance))
    }

    /// The degree of every node, and the variances of this.
    pub fn estimate_degrees(&self, release: &Release) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut variances = vec![0.0; release.graph()?.order() as usize];
        let values = filled(variances.len(), |out| unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_degrees(out, variances.as_mut_ptr(), own, from)
        })?;
        Ok((values, variances))
    }

    /// Triangles of the private graph, and the variance of this.
    pub fn estimate_triangles(&self, release: &Release, run: Run<'_>) -> Result<(f64, f64)> {
        let (mut out, mut variance) = (0.0, 0.0);
        run.call(|run| {
            check(unsafe {
                let (own, from) = (self.as_ptr(), release.as_ptr());
                sys::pvg_estimate_triangles(&mut out, &mut variance, own, from, run)
            })
        })
        .map(|_| (out, variance))
    }

    /// Of labels: users of each class, and the variances of this.
    pub fn estimate_labels(&self, release: &Release) -> Result<(Vec<f64>, Vec<f64>)> {
        // one entry where there are no classes, so that the library says what is wrong
        let mut variances = vec![0.0; self.told("classes")?.max(1)];
        let values = filled(variances.len(), |out| unsafe {
            let (own, from) = (self.as_ptr(), release.as_ptr());
            sys::pvg_estimate_labels(out, variances.as_mut_ptr(), own, from)
        })?;
        Ok((values, variances))
    }

    /// Of labels: the chance of each answer (column) given the class (row).
    pub fn transition(&self) -> Result<Vec<f64>> {
        let classes = self.told("classes")?.max(1);
        matrix(classes, classes, |out| unsafe { sys::pvg_estimate_transition(out, self.as_ptr()) })
    }

    /// Of features: variance of the released number of a column whose true value is `value`.
    pub fn variance(&self, column: usize, value: f64) -> Result<f64> {
        number(|out| unsafe {
            sys::pvg_estimate_variance(out, self.as_ptr(), column as i64, value)
        })
    }

    /// Of synthesis: a random graph with the released degrees, edges between blocks and triangles.
    /// No edge of it is evidence of an edge. mixing: 0 for the default.
    pub fn synthesize(
        &self,
        release: &Release,
        mixing: f64,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Graph> {
        let config = sys::pvg_wiring_config { mixing, ..Default::default() };
        run.call(|run| {
            Graph::make(|out| unsafe {
                let (own, from) = (self.as_ptr(), release.as_ptr());
                sys::pvg_synthesis_graph(out, own, from, &config, rng.as_ptr(), run)
            })
        })
    }
}

/// The value of an option: a number, a flag, or a word.
pub trait OptionValue {
    /// As text.
    fn to_word(&self) -> String;
}

macro_rules! option_values {
    ($($kind:ty: $($format:literal)?;)*) => {
        $(impl OptionValue for $kind {
            fn to_word(&self) -> String {
                format!(option_values!(@ $($format)?), self)
            }
        })*
    };
    (@) => { "{}" };
    (@ $format:literal) => { $format };
}

option_values! {
    i32: ; i64: ; u32: ; u64: ; usize: ; f64: "{:?}"; &str: ; String: ; &String: ;
}

impl OptionValue for bool {
    fn to_word(&self) -> String {
        (if *self { "yes" } else { "no" }).to_string()
    }
}

/// One word: what has a space inside would be several options.
fn word(text: &str) -> Result<String> {
    need(!text.is_empty(), "query: a kind, option or value is empty")?;
    need(
        text.bytes().all(|letter| letter.is_ascii_graphic()),
        "query: a kind, option or value is not one word",
    )?;
    Ok(text.to_string())
}

/// Writes the text of a query, option by option; the library says what is wrong with it.
///
/// ```
/// # fn main() -> privgraph::Result<()> {
/// use privgraph::Query;
/// let stars = Query::of("stars").set("leaves", 3).epsilon(1.0);
/// assert_eq!(stars.clone().text()?, "stars leaves=3 epsilon=1.0");
/// assert_eq!(stars.build()?.text()?, "stars leaves=3 least-degree=20 bound-share=0.1 epsilon=1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct QueryBuilder {
    /// Or the first thing that went wrong.
    text: Result<String>,
}

impl QueryBuilder {
    /// An option and its value.
    pub fn set(mut self, option: &str, value: impl OptionValue) -> Self {
        self.text = self.text.and_then(|text| {
            need(!option.contains('='), "query: an option has '=' in its name")?;
            Ok(format!("{text} {}={}", word(option)?, word(&value.to_word())?))
        });
        self
    }

    /// The budget.
    pub fn epsilon(self, value: f64) -> Self {
        self.set("epsilon", value)
    }

    /// Of the budget.
    pub fn delta(self, value: f64) -> Self {
        self.set("delta", value)
    }

    /// Another part: the two become one joined query.
    pub fn join(mut self, other: QueryBuilder) -> Self {
        self.text = self.text.and_then(|text| Ok(format!("{text} + {}", other.text?)));
        self
    }

    /// The text so far.
    pub fn text(self) -> Result<String> {
        self.text
    }

    /// The query.
    pub fn build(self) -> Result<Query> {
        Query::new(&self.text?)
    }

    /// With arrays; the budget is in the text or in `target`.
    pub fn build_with(
        self,
        arguments: &Arguments<'_>,
        target: Option<&Target>,
        run: Run<'_>,
    ) -> Result<Query> {
        Query::with(&self.text?, arguments, target, run)
    }
}

/// A text or a query, drawn by those who give NULL for what is left out.
impl Release {
    fn answer(
        query: &Query,
        input: &Input<'_>,
        rng: &mut Rng,
        ledger: *mut sys::pvg_ledger,
        run: Run<'_>,
    ) -> Result<Self> {
        run.call(|run| {
            input.lend(|raw| {
                Release::make(|out| unsafe {
                    let (query, rng) = (query.as_ptr(), rng.as_ptr());
                    sys::pvg_release_draw(out, query, raw, rng, ledger, run)
                })
            })
        })
    }

    fn answer_text(
        text: &str,
        input: &Input<'_>,
        ledger: *mut sys::pvg_ledger,
        run: Run<'_>,
    ) -> Result<Self> {
        let text = c_text(text)?;
        run.call(|run| {
            input.lend(|raw| {
                Release::make(|out| unsafe {
                    sys::pvg_release_draw_text(out, text.as_ptr(), raw, ledger, run)
                })
            })
        })
    }

    /// Answers a query; its target says whether a seeded generator will do.
    pub fn draw(query: &Query, input: &Input<'_>, rng: &mut Rng, run: Run<'_>) -> Result<Self> {
        Release::answer(query, input, rng, std::ptr::null_mut(), run)
    }

    /// The same, paid for by a ledger before anything private is read.
    pub fn draw_charged(
        query: &Query,
        input: &NamedInput<'_>,
        rng: &mut Rng,
        ledger: &Ledger,
        run: Run<'_>,
    ) -> Result<Self> {
        Release::answer(query, input, rng, ledger.as_ptr(), run)
    }

    /// The common case: query and budget as text, with a secure generator.
    pub fn draw_text(text: &str, input: &Input<'_>, run: Run<'_>) -> Result<Self> {
        Release::answer_text(text, input, std::ptr::null_mut(), run)
    }

    /// The same, paid for by a ledger.
    pub fn draw_text_charged(
        text: &str,
        input: &NamedInput<'_>,
        ledger: &Ledger,
        run: Run<'_>,
    ) -> Result<Self> {
        Release::answer_text(text, input, ledger.as_ptr(), run)
    }

    /// Rows of numbers made from releases and public numbers, by the host; words say how. Nothing is
    /// paid: the draws behind the sources count once each.
    pub fn derive(
        values: &[f64],
        columns: usize,
        sources: &[&Release],
        words: &str,
    ) -> Result<Self> {
        need(
            columns > 0 && values.len() % columns == 0,
            "derive: values are not rows of so many columns",
        )?;
        let (words, mut sources) = (c_text(words)?, raw_sources(sources));
        let (rows, count) = ((values.len() / columns) as i64, sources.len() as i64);
        Release::make(|out| unsafe {
            let (values, from) = (values.as_ptr(), sources.as_mut_ptr());
            sys::pvg_release_derive(out, values, rows, columns as i64, from, count, words.as_ptr())
        })
    }

    /// One part of a joined query that was drawn here: the same draw.
    pub fn select(&self, part: usize) -> Result<Self> {
        Release::make(|out| unsafe { sys::pvg_release_select(out, self.as_ptr(), part as i64) })
    }

    /// `sys::PVG_HOLDS_*`: what is in it.
    pub fn holds(&self) -> i32 {
        unsafe { sys::pvg_release_holds(self.as_ptr()) as i32 }
    }
}

handle! {
    /// The handle of a [`Composition`].
    Places, pvg_composition, pvg_composition_free
}

/// Several draws that are paid before the first; later queries may be chosen in view of earlier
/// outcomes. Its ledgers live as long as it does:
///
/// ```compile_fail,E0505
/// # use privgraph::{Composition, Graph, Input, Ledger, Notion, Query};
/// # fn main() -> privgraph::Result<()> {
/// let (graph, ledger) = (Graph::cycle(9)?, Ledger::new(Notion::Edge, 1.0, 0.0)?);
/// let people = Input::graph(&graph).named("people")?;
/// let mut all = Composition::new()?;
/// all.add_charged(&Query::new("stars epsilon=1")?, &people, 1, &ledger)?;
/// drop(ledger);
/// all.pay()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Composition<'a> {
    places: Places,
    ledgers: std::marker::PhantomData<&'a Ledger>,
}

impl<'a> Composition<'a> {
    /// An empty one.
    pub fn new() -> Result<Self> {
        let places = Places::make(|out| unsafe { sys::pvg_composition_new(out) })?;
        Ok(Composition { places, ledgers: std::marker::PhantomData })
    }

    fn place(
        &mut self,
        query: &Query,
        input: &Input<'_>,
        times: i64,
        ledger: *mut sys::pvg_ledger,
    ) -> Result<i64> {
        input.lend(|raw| {
            number(|out| unsafe {
                let (own, query) = (self.places.as_ptr(), query.as_ptr());
                sys::pvg_composition_add(out, own, query, raw, times, ledger)
            })
        })
    }

    /// Sets so many draws of that guarantee aside, for which nobody pays; tells the place.
    pub fn add(&mut self, query: &Query, input: &Input<'_>, times: i64) -> Result<i64> {
        self.place(query, input, times, std::ptr::null_mut())
    }

    /// The same, for a ledger to pay.
    pub fn add_charged(
        &mut self,
        query: &Query,
        input: &NamedInput<'_>,
        times: i64,
        ledger: &'a Ledger,
    ) -> Result<i64> {
        self.place(query, input, times, ledger.as_ptr())
    }

    /// What all of it promises about a notion.
    pub fn guarantee(&self, notion: Notion) -> Result<Guarantee> {
        Guarantee::make(|out| unsafe {
            sys::pvg_composition_guarantee(out, self.places.as_ptr(), notion as i32)
        })
    }

    /// All ledgers pay or none, once; nothing can be added afterwards.
    pub fn pay(&mut self) -> Result<()> {
        check(unsafe { sys::pvg_composition_pay(self.places.as_ptr()) })
    }

    /// Draws at a place what was added there, or instead of it a query that promises as much.
    pub fn draw(
        &mut self,
        place: i64,
        instead: Option<&Query>,
        input: &Input<'_>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Release> {
        let query = instead.map_or(std::ptr::null_mut(), |one| one.as_ptr());
        run.call(|run| {
            input.lend(|raw| {
                Release::make(|out| unsafe {
                    let (own, rng) = (self.places.as_ptr(), rng.as_ptr());
                    sys::pvg_composition_draw(out, own, place, query, raw, rng, run)
                })
            })
        })
    }
}

/// Private data, their name and one budget: all that is released through it is charged first. The
/// same query again is the same draw, and spends nothing.
///
/// ```
/// # use privgraph::{Graph, Input, Notion, Query, Session};
/// # fn main() -> privgraph::Result<()> {
/// let graph = Graph::cycle(200)?;
/// let mut session = Session::new(Input::graph(&graph), "friends", Notion::Edge, 2.0, 0.0, None)?;
/// let (stars, triangles) = (Query::new("stars epsilon=1")?, Query::new("triangles epsilon=1")?);
/// let both = session.plan(&[&stars, &triangles])?; // paid before the first is drawn
/// assert_eq!(both[1].values()?, session.ask(&triangles)?.values()?);
/// assert!(session.left()? < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Session<'a> {
    input: NamedInput<'a>,
    object: u64,
    ledger: Ledger,
    delta: f64,
    draws: std::collections::BTreeMap<u128, std::rc::Rc<Release>>,
}

impl<'a> Session<'a> {
    /// With a path the budget is kept in that file, which is made if it is missing; a budget that is
    /// there must be the same.
    pub fn new(
        input: Input<'a>,
        name: &str,
        notion: Notion,
        epsilon: f64,
        delta: f64,
        path: Option<&std::path::Path>,
    ) -> Result<Self> {
        let ledger = match path {
            None => Ledger::new(notion, epsilon, delta)?,
            Some(path) => Ledger::open_or_create(path, notion, epsilon, delta)?,
        };
        let (input, object) = (input.named(name)?, Ledger::object(name)?);
        Ok(Session { input, object, ledger, delta, draws: Default::default() })
    }

    /// Answers a query, or reads the draw of before.
    pub fn ask(&mut self, query: &Query) -> Result<std::rc::Rc<Release>> {
        match self.draws.get(&query.id()?) {
            Some(known) => Ok(known.clone()),
            None => self.ask_anew(query),
        }
    }

    /// Draws and pays again.
    pub fn ask_anew(&mut self, query: &Query) -> Result<std::rc::Rc<Release>> {
        let mut rng = Rng::secure()?;
        let run = Run::default();
        let made = Release::draw_charged(query, &self.input, &mut rng, &self.ledger, run)?;
        let made = std::rc::Rc::new(made);
        self.draws.insert(query.id()?, made.clone());
        Ok(made)
    }

    /// The same for several that are paid before the first is drawn: all or none.
    pub fn plan(&mut self, queries: &[&Query]) -> Result<Vec<std::rc::Rc<Release>>> {
        let mut paid = Composition::new()?;
        let mut places = std::collections::BTreeMap::new();
        for query in queries {
            let id = query.id()?;
            if !self.draws.contains_key(&id) && !places.contains_key(&id) {
                places.insert(id, paid.add_charged(query, &self.input, 1, &self.ledger)?);
            }
        }
        if !places.is_empty() {
            paid.pay()?;
        }
        for (id, place) in places {
            let mut rng = Rng::secure()?;
            let made = paid.draw(place, None, &self.input, &mut rng, Run::default())?;
            self.draws.insert(id, std::rc::Rc::new(made));
        }
        queries.iter().map(|query| Ok(self.draws[&query.id()?].clone())).collect()
    }

    /// An epsilon that holds for all so far, at the session's delta; of a set that of its first graph.
    pub fn spent(&self) -> Result<f64> {
        self.ledger.spent(self.object, self.delta)
    }

    /// The largest epsilon of one more pure release.
    pub fn left(&self) -> Result<f64> {
        let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_PURE, ..Default::default() };
        self.ledger.remaining(self.object, &term)
    }

    /// The ledger, for what is released by other functions.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
