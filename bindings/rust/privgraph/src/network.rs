//! Small graph networks: networks from text, datasets that know where their parts came from, models
//! that know what they have seen.
//!
//! ```
//! use privgraph::*;
//! # fn main() -> Result<()> {
//! let parts = Graph::chains(Chains::S, None)?; // public test data
//! let mut builder = DatasetBuilder::new(parts.graph.order())?;
//! builder.add_public_graph(&parts.graph)?;
//! builder.add_public_features(&parts.features.unwrap())?;
//! builder.add_public_labels(&parts.labels.unwrap())?;
//! let dataset = builder.finish()?;
//! let network = Network::new("gcn 8 relu | gcn classes", 5, 2)?;
//! let training = Training { raw: sys::pvg_training_config { epochs: 20, ..Default::default() }, ..Default::default() };
//! let mut rng = Rng::seeded(1)?;
//! let model = Model::train(&network, &dataset, &training, None, &mut rng, Run::default())?;
//! assert_eq!(model.predict_exact(&dataset, Predict::Classes, Run::default())?.len(), dataset.rows());
//! # Ok(())
//! # }
//! ```
use crate::{
    c_path, c_text, check, choice, filled, getters, handle, matrix, need, number, pointer, sized,
    sys, text, Features, Graph, GraphSet, Guarantee, Labels, Layers, Lent, Notion, Query, Release,
    Result, Rng, Run, Target,
};
use std::path::Path;

handle! {
    /// A network without weights: public.
    shared Network, pvg_network, pvg_network_free
}

getters! { Network:
    /// Columns of the features.
    inputs = pvg_network_inputs as usize;
    classes = pvg_network_classes as usize;
    /// Numbers in all weights.
    parameters = pvg_network_parameters as usize;
}

impl Network {
    /// Such as "drop .5 | gcn 64 relu | drop .5 | gcn classes".
    pub fn new(text: &str, inputs: usize, classes: usize) -> Result<Self> {
        let text = c_text(text)?;
        Network::make(|out| unsafe {
            sys::pvg_network_from_text(out, text.as_ptr(), inputs as i64, classes as i64)
        })
    }

    /// Its text, everything filled in.
    pub fn text(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_network_copy_text(out, capacity, length, self.as_ptr())
        })
    }

    /// Bytes a training will hold beside the dataset.
    pub fn memory_exact(&self, dataset: &Dataset, training: &Training<'_>) -> Result<u64> {
        let config = training.raw(self.classes())?;
        number(|out| unsafe {
            sys::pvg_network_memory_exact(out, self.as_ptr(), dataset.as_ptr(), &config)
        })
    }
}

choice! {
    /// Part of a split.
    Part {
        None = PVG_PART_NONE,
        Train = PVG_PART_TRAIN,
        Validation = PVG_PART_VALIDATION,
        Test = PVG_PART_TEST,
    }
}

choice! {
    /// Ways to explain what a model says about a node.
    Explainer {
        /// |d z / d x| of the node's own features.
        Grad = PVG_EXPLAINER_GRAD,
        GradInput = PVG_EXPLAINER_GRAD_INPUT,
        /// Over the ball of the node.
        GradBall = PVG_EXPLAINER_GRAD_BALL,
        GradInputBall = PVG_EXPLAINER_GRAD_INPUT_BALL,
        GraphLime = PVG_EXPLAINER_GRAPH_LIME,
        GnnExplainer = PVG_EXPLAINER_GNN_EXPLAINER,
    }
}

choice! {
    /// What a release is used as.
    Role {
        Graph = PVG_ROLE_GRAPH,
        Lists = PVG_ROLE_LISTS,
        Features = PVG_ROLE_FEATURES,
        Labels = PVG_ROLE_LABELS,
        /// Its numbers, a row for each node or graph, as features.
        States = PVG_ROLE_STATES,
    }
}

handle! {
    /// A dataset to be filled; each part says whether it is public, released or private.
    DatasetBuilder, pvg_dataset_builder, pvg_dataset_builder_free
}

impl DatasetBuilder {
    /// For so many nodes or rows.
    pub fn new(order: i64) -> Result<Self> {
        DatasetBuilder::make(|out| unsafe { sys::pvg_dataset_builder_new(out, order) })
    }

    /// A part that was released: the draws behind it go with it, and know whom they are about.
    pub fn add_released(&mut self, release: &Release, role: Role) -> Result<()> {
        check(unsafe {
            let (own, release) = (self.as_ptr(), release.as_ptr());
            sys::pvg_dataset_builder_add_released(own, release, role as i32)
        })
    }

    /// Says that parts were made with a model: what it has seen counts for all that is learnt.
    pub fn add_seen(&mut self, model: &Model) -> Result<()> {
        check(unsafe { sys::pvg_dataset_builder_add_seen(self.as_ptr(), model.as_ptr()) })
    }

    /// Part of each node or graph.
    pub fn set_split(&mut self, parts: &[Part]) -> Result<()> {
        let raw: Vec<i32> = parts.iter().map(|part| *part as i32).collect();
        let (first, count) = (raw.as_ptr(), raw.len() as i64);
        check(unsafe { sys::pvg_dataset_builder_set_split(self.as_ptr(), first, count) })
    }

    /// The data set.
    pub fn finish(self) -> Result<Dataset> {
        Dataset::make(|out| unsafe { sys::pvg_dataset_builder_finish(out, self.as_ptr()) })
    }
}

/// Methods that add a part.
macro_rules! parts {
    ($($(#[$note:meta])* $name:ident($input:ty) = $call:ident;)*) => {
        impl DatasetBuilder {
            $($(#[$note])*
            pub fn $name(&mut self, part: &$input) -> Result<()> {
                check(unsafe { sys::$call(self.as_ptr(), part.as_ptr()) })
            })*
        }
    };
}

impl DatasetBuilder {
    /// Nodes stand in windows of `size` consecutive rows; pairs: rows of labels, split and
    /// predictions are the pairs of each window. links: nodes x size numbers known beforehand.
    pub fn add_public_windows(
        &mut self,
        size: i64,
        pairs: bool,
        links: Option<&[f64]>,
    ) -> Result<()> {
        let (own, pairs, (at, count)) = (self.as_ptr(), pairs as i32, slice(links));
        check(unsafe { sys::pvg_dataset_builder_add_public_windows(own, size, pairs, at, count) })
    }

    /// The same with links that are private.
    pub fn add_private_windows(
        &mut self,
        size: i64,
        pairs: bool,
        links: Option<&[f64]>,
    ) -> Result<()> {
        let (own, pairs, (at, count)) = (self.as_ptr(), pairs as i32, slice(links));
        check(unsafe { sys::pvg_dataset_builder_add_private_windows(own, size, pairs, at, count) })
    }

    /// Weights of the arcs of the graph, row by row; meaning: `sys::PVG_ARCS_*`.
    pub fn set_arc_weights(&mut self, weights: &[f64], meaning: i32) -> Result<()> {
        let (at, count) = slice(Some(weights));
        check(unsafe {
            sys::pvg_dataset_builder_set_arc_weights(self.as_ptr(), at, count, meaning)
        })
    }
}

fn slice(numbers: Option<&[f64]>) -> (*const f64, i64) {
    numbers.map_or((std::ptr::null(), 0), |all| (all.as_ptr(), all.len() as i64))
}

parts! {
    /// Nobody's secret went into it.
    add_public_graph(Graph) = pvg_dataset_builder_add_public_graph;
    /// Nobody's secret went into them.
    add_public_features(Features) = pvg_dataset_builder_add_public_features;
    /// Nobody's secret went into them.
    add_public_labels(Labels) = pvg_dataset_builder_add_public_labels;
    /// Nodes are those of the graphs; labels and split are of graphs.
    add_public_graphset(GraphSet) = pvg_dataset_builder_add_public_graphset;
    /// What is learnt from it only functions ending in `_exact` tell.
    add_private_graph(Graph) = pvg_dataset_builder_add_private_graph;
    /// What is learnt from them only functions ending in `_exact` tell.
    add_private_features(Features) = pvg_dataset_builder_add_private_features;
    /// What is learnt from them only functions ending in `_exact` tell.
    add_private_labels(Labels) = pvg_dataset_builder_add_private_labels;
}

handle! {
    /// Nodes or graphs with features, labels and a split.
    shared Dataset, pvg_dataset, pvg_dataset_free
}

getters! { Dataset:
    /// Rows of a prediction: nodes, or graphs.
    rows = pvg_dataset_rows as usize;
    /// Nodes.
    order = pvg_dataset_order as usize;
    /// Two for each edge, one for each entry of a list.
    arcs_exact = pvg_dataset_arcs_exact as usize;
}

impl Dataset {
    /// Whether anything private was seen without noise.
    pub fn holds_secrets(&self) -> bool {
        unsafe { sys::pvg_dataset_holds_secrets(self.as_ptr()) == 1 }
    }
}

/// How a network is trained: the C struct, whose pointers are set from the slices here.
#[derive(Clone, Copy, Default)]
pub struct Training<'a> {
    /// The C struct.
    pub raw: sys::pvg_training_config,
    /// One for each class.
    pub class_weights: Option<&'a [f64]>,
    /// Chance of each reported class (column) given the true one (row).
    pub transition: Option<&'a [f64]>,
}

fn of_classes(weights: Option<&[f64]>, transition: Option<&[f64]>, classes: usize) -> Result<()> {
    need(
        weights.map_or(true, |all| all.len() == classes)
            && transition.map_or(true, |all| Some(all.len()) == classes.checked_mul(classes)),
        "class weights or transition: not one for each class or pair of classes",
    )
}

impl Training<'_> {
    pub(crate) fn raw(&self, classes: usize) -> Result<sys::pvg_training_config> {
        of_classes(self.class_weights, self.transition, classes)?;
        let mut raw = sized!(pvg_training_config, &self.raw);
        raw.class_weights = pointer(self.class_weights);
        raw.transition = pointer(self.transition);
        Ok(raw)
    }
}

impl Query {
    /// A private training by DP-SGD, asked of datasets with exactly `records` training rows
    /// ([`Input::dataset`](crate::Input::dataset)); [`Release::model`] lends what comes out.
    /// Pointers of config are set from the slices; start: a model to go on from.
    pub fn training(
        network: &Network,
        records: i64,
        config: &sys::pvg_dpsgd_config,
        class_weights: Option<&[f64]>,
        transition: Option<&[f64]>,
        start: Option<&Model>,
        target: &Target,
    ) -> Result<Self> {
        of_classes(class_weights, transition, network.classes())?;
        let mut raw = sized!(pvg_dpsgd_config, config);
        raw.class_weights = pointer(class_weights);
        raw.transition = pointer(transition);
        let start = start.map_or(std::ptr::null(), |model| model.as_ptr() as *const _);
        Query::make(|out| unsafe {
            sys::pvg_query_new_training(out, network.as_ptr(), records, &raw, start, target.raw())
        })
    }
}

impl Release {
    /// The model of a private training.
    pub fn model(&self) -> Result<Lent<'_, Model>> {
        let mut model = std::ptr::null();
        check(unsafe { sys::pvg_release_view_model(&mut model, self.as_ptr()) })?;
        Ok(Model::borrow_raw(model))
    }
}

/// What a prediction holds for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predict {
    /// Chances of the classes.
    Probabilities,
    /// Before the softmax.
    Logits,
    /// The likeliest class.
    Classes,
    /// The output of that stage, of a single model.
    Hidden(u16),
}

impl Predict {
    fn raw(self) -> i32 {
        match self {
            Predict::Probabilities => sys::PVG_PREDICT_PROBABILITIES,
            Predict::Logits => sys::PVG_PREDICT_LOGITS,
            Predict::Classes => sys::PVG_PREDICT_CLASSES,
            Predict::Hidden(stage) => sys::PVG_PREDICT_HIDDEN + i32::from(stage),
        }
    }
}

/// On the rows of a part; NaN without rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Share of right classes.
    pub accuracy: f64,
    /// Mean loss.
    pub loss: f64,
}

handle! {
    /// A network, weights, and what they have seen.
    shared Model, pvg_model, pvg_model_free
}

getters! { Model:
    inputs = pvg_model_inputs as usize;
    /// Numbers in the weights of a member.
    parameters = pvg_model_parameters as usize;
    /// Models averaged.
    members = pvg_model_members as usize;
    temperature_exact = pvg_model_temperature_exact as f64;
}

impl Model {
    /// Trains, from the weights of `start` if there is one.
    pub fn train(
        network: &Network,
        dataset: &Dataset,
        training: &Training<'_>,
        start: Option<&Model>,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<Self> {
        let config = training.raw(network.classes())?;
        let start = start.map_or(std::ptr::null(), |model| model.as_ptr() as *const _);
        run.call(|run| {
            Model::make(|out| unsafe {
                let (network, dataset) = (network.as_ptr(), dataset.as_ptr());
                sys::pvg_model_train(out, network, dataset, &config, start, rng.as_ptr(), run)
            })
        })
    }

    /// Columns of a prediction.
    pub fn columns(&self, kind: Predict) -> usize {
        unsafe { sys::pvg_model_columns(self.as_ptr(), kind.raw()) as usize }
    }

    /// Predictions as a release: refused if anything private is in model or dataset. object: what the
    /// guarantee is about; None: whichever it is, so that all draws count.
    pub fn predict(
        &self,
        dataset: &Dataset,
        kind: Predict,
        notion: Notion,
        object: Option<u64>,
        run: Run<'_>,
    ) -> Result<Release> {
        let about = object.as_ref().map_or(std::ptr::null(), |number| number as *const u64);
        run.call(|run| {
            Release::make(|out| unsafe {
                let (own, dataset, notion) = (self.as_ptr(), dataset.as_ptr(), notion as i32);
                sys::pvg_model_predict(out, own, dataset, kind.raw(), notion, about, run)
            })
        })
    }

    /// Where nothing private is read.
    pub fn score(&self, dataset: &Dataset, part: Part, run: Run<'_>) -> Result<Score> {
        let mut loss = 0.0;
        run.call(|run| {
            number(|out| unsafe {
                let (own, dataset) = (self.as_ptr(), dataset.as_ptr());
                sys::pvg_model_score(out, &mut loss, own, dataset, part as i32, run)
            })
        })
        .map(|accuracy| Score { accuracy, loss })
    }

    /// What the weights promise about a notion and an object; None: whichever it is.
    pub fn promise(&self, notion: Notion, object: Option<u64>) -> Result<Guarantee> {
        let about = object.as_ref().map_or(std::ptr::null(), |number| number as *const u64);
        Guarantee::make(|out| unsafe {
            sys::pvg_model_promise(out, self.as_ptr(), notion as i32, about)
        })
    }

    /// The record of the private training that made the weights, and of nothing else.
    pub fn training(&self) -> Result<Guarantee> {
        Guarantee::make(|out| unsafe { sys::pvg_model_training(out, self.as_ptr()) })
    }

    /// Predictions, not to be published if anything private is in them.
    pub fn predict_exact(
        &self,
        dataset: &Dataset,
        kind: Predict,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        run.call(|run| {
            matrix(dataset.rows(), self.columns(kind), |out| unsafe {
                let (own, dataset) = (self.as_ptr(), dataset.as_ptr());
                sys::pvg_model_predict_exact(out, own, dataset, kind.raw(), run)
            })
        })
    }

    /// Accuracy and loss on a part of the data. Must not be published.
    pub fn score_exact(&self, dataset: &Dataset, part: Part, run: Run<'_>) -> Result<Score> {
        let mut loss = 0.0;
        run.call(|run| {
            number(|out| unsafe {
                let (own, dataset) = (self.as_ptr(), dataset.as_ptr());
                sys::pvg_model_score_exact(out, &mut loss, own, dataset, part as i32, run)
            })
        })
        .map(|accuracy| Score { accuracy, loss })
    }

    /// Gradients of one logit: to every feature (order x inputs), and to a factor of every arc
    /// (empty without a graph).
    pub fn gradient_exact(
        &self,
        dataset: &Dataset,
        row: usize,
        column: usize,
        run: Run<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let mut arcs = vec![0.0; dataset.arcs_exact()];
        let wanted = if arcs.is_empty() { std::ptr::null_mut() } else { arcs.as_mut_ptr() };
        let features = run.call(|run| {
            matrix(dataset.order(), self.inputs(), |out| unsafe {
                let (own, dataset) = (self.as_ptr(), dataset.as_ptr());
                let (row, column) = (row as i64, column as i64);
                sys::pvg_model_gradient_exact(out, wanted, own, dataset, row, column, run)
            })
        })?;
        Ok((features, arcs))
    }

    /// Why it says what it says: a row of `inputs()` numbers for each node. Not to be published:
    /// explanations give edges away. `rng` for `GnnExplainer`.
    pub fn explain_exact(
        &self,
        explainer: Explainer,
        dataset: &Dataset,
        nodes: &[i64],
        config: &sys::pvg_explain_config,
        rng: Option<&mut Rng>,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        let config = sized!(pvg_explain_config, config);
        let rng = rng.map_or(std::ptr::null_mut(), |rng| rng.as_ptr());
        run.call(|run| {
            matrix(nodes.len(), self.inputs(), |out| unsafe {
                let (own, dataset) = (self.as_ptr(), dataset.as_ptr());
                let (nodes, count) = (nodes.as_ptr(), nodes.len() as i64);
                let kind = explainer as i32;
                sys::pvg_explain_exact(out, kind, own, dataset, nodes, count, &config, rng, run)
            })
        })
    }

    /// GNNExplainer: masks of features (nodes x inputs), of arcs (nodes x arcs), and of each node
    /// how far two starts agree.
    pub fn explain_masks_exact(
        &self,
        dataset: &Dataset,
        nodes: &[i64],
        config: &sys::pvg_explain_config,
        rng: &mut Rng,
        run: Run<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>, Vec<f64>)> {
        let config = sized!(pvg_explain_config, config);
        let mut arcs = vec![0.0; nodes.len() * dataset.arcs_exact()];
        let mut agreement = vec![0.0; nodes.len()];
        let features = run.call(|run| {
            matrix(nodes.len(), self.inputs(), |out| unsafe {
                sys::pvg_explain_masks_exact(
                    out,
                    arcs.as_mut_ptr(),
                    agreement.as_mut_ptr(),
                    self.as_ptr(),
                    dataset.as_ptr(),
                    nodes.as_ptr(),
                    nodes.len() as i64,
                    &config,
                    rng.as_ptr(),
                    run,
                )
            })
        })?;
        Ok((features, arcs, agreement))
    }

    /// Layers whose weights are its square maps; they carry the draws behind it, which a query of
    /// message-passing composes with its own curve.
    pub fn layers(&self, config: &sys::pvg_layers_config) -> Result<Layers> {
        let config = sized!(pvg_layers_config, config);
        Layers::make(|out| unsafe { sys::pvg_layers_from_model(out, &config, self.as_ptr()) })
    }

    /// Writes network, weights and the records of what was seen; refused if anything private was.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        check(unsafe { sys::pvg_model_save(path.as_ptr(), self.as_ptr()) })
    }

    /// The same for any model: the file says if it is not to be published.
    pub fn save_exact(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = c_path(path)?;
        check(unsafe { sys::pvg_model_save_exact(path.as_ptr(), self.as_ptr()) })
    }

    /// Reads such a file, whose records are taken at their word.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = c_path(path)?;
        Model::make(|out| unsafe { sys::pvg_model_load(out, path.as_ptr()) })
    }

    /// Whether it was loaded and not trained here.
    pub fn is_loaded(&self) -> bool {
        unsafe { sys::pvg_model_loaded(self.as_ptr()) == 1 }
    }

    /// Whether it saw private parts other than through a mechanism.
    pub fn holds_secrets(&self) -> bool {
        unsafe { sys::pvg_model_holds_secrets(self.as_ptr()) == 1 }
    }

    /// What it has seen, as JSON.
    pub fn seen_json(&self) -> Result<String> {
        text(|out, capacity, length| unsafe {
            sys::pvg_model_copy_seen_json(out, capacity, length, self.as_ptr())
        })
    }

    /// All weights of a member.
    pub fn weights_exact(&self, member: usize) -> Result<Vec<f64>> {
        filled(self.parameters(), |out| unsafe {
            sys::pvg_model_copy_weights_exact(out, self.as_ptr(), member as i64)
        })
    }

    /// Checks of the first member: epoch, training loss, validation loss, validation accuracy.
    pub fn history_exact(&self) -> Result<Vec<[f64; 4]>> {
        let mut count = 0;
        let (own, none) = (self.as_ptr(), std::ptr::null_mut());
        check(unsafe { sys::pvg_model_copy_history_exact(none, &mut count, own) })?;
        let values: Vec<f64> = matrix(count as usize, 4, |out| unsafe {
            sys::pvg_model_copy_history_exact(out, &mut count, own)
        })?;
        Ok(values.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]).collect())
    }
}
