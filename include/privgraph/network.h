/* network: small networks on nodes and graphs, from text. Include <privgraph-learn.h>.
 *
 * A network is written as stages separated by bars,
 *
 *     drop .5 | gcn 64 relu | drop .5 | gcn classes
 *
 * and compiled once into a list of operations on matrices of known shapes: forward walks
 * the list, backward walks it in reverse. Everything a training needs is one block of
 * memory whose size is told before. Results are the same bits for every number of
 * threads.
 *
 * Maps of a stage (N: columns, a number or `classes`):
 *   dense N                 X W + b
 *   gcn N [tau=1]           D^-1/2 (A + I) D^-1/2 X W + b, D = degree + tau
 *   sage N                  X W1 + (mean over neighbours of X) W2 + b
 *   graphconv N             X W1 + (sum over neighbours of X) W2 + b
 *   gin N [hidden=H] [eps=learn]   dense N (relu (dense H ((1 + eps) X + A X))); H: N, or
 *                           64 where N < 16: few relus may all fall silent at once
 *   gat N [heads=1]         attention over neighbours and the node itself: softmax of
 *                           leaky(a.h_u + c.h_v), slope .2; N columns shared among heads,
 *                           column j (from 0) being of head j mod heads.
 *                           `gat classes heads=H`: N for each head, averaged
 *   gatv2 N [heads=1]       the same with the score a.leaky(W1 x_v + W2 x_u), messages
 *                           W2 x_u; both maps have a bias
 *   transformer N [heads=1] x_v W + attention over neighbours by q_v.k_u / sqrt d, d
 *                           columns of a head; messages v_u; q, k, v have a bias
 *   kprop K                 K times D^-1/2 A D^-1/2
 *   pcmp K [c=.9] [a=0] [b=0] [tau=1]   K layers of layer.h without weights
 *   sum [debias=F]          A X; with F, of a graph each of whose pairs was flipped with
 *                           probability F: (A X - F (column sums - X)) / (1 - 2 F)
 *   hops K N                one dense N for each of K states side by side, joined
 *   jk cat | jk max         outputs of all stages so far, side by side or the largest
 *   pool sum | mean | max   over the nodes of each graph; afterwards rows are graphs
 *   attend [heads=1] [links]   self-attention among the nodes of a window: softmax(Q K' /
 *                           sqrt d) V for each head of d columns, side by side, as many
 *                           columns as before; with links + L (X G) / 4, L the links of
 *                           the window; + b
 *   pairs N [links] [cosine]   rows become the pairs i < j of each window: dense N of
 *                           [x_i x_j, |x_i - x_j|] and, if asked for, (L_ij + L_ji) / 2
 *                           and the cosine of the features of i and j
 * and, in this order, modifiers: bn ln rownorm project (over a batch, within a row, rows
 * to length 1, or at most 1); relu selu tanh elu sigmoid; skip (adds the input of the
 * stage) and after it perhaps ln; drop P. A stage may be `drop P` alone; before the first
 * map it drops entries of the features. */
#ifndef PRIVGRAPH_NETWORK_H
#define PRIVGRAPH_NETWORK_H

#include "base.h"
#include "graph.h"
#include "guarantee.h"
#include "layer.h"
#include "ledger.h"
#include "query.h"
#include "release.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PVG_NETWORK_WIDTH_MAX = 4096,   /* columns of a stage */
    PVG_NETWORK_CLASSES_MAX = 1024, /* columns of the last one */
    PVG_NETWORK_WINDOW_MAX = 1024   /* nodes of a window */
};

/* --- networks ---------------------------------------------------------------------- */

/* A network without weights: public and immutable. */
typedef struct pvg_network pvg_network;

/* Compiles the text for features of `inputs` columns. PVG_E_ARGUMENT names the word that
 * is wrong and where it is, or the shapes that do not fit. Since 0.1. */
PRIVGRAPH_API int32_t pvg_network_from_text(pvg_network **out, const char *text,
                                            int64_t inputs, int64_t classes);
/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_network_free(pvg_network *network);

/* Columns of the features, of the output; numbers in all weights. 0 for NULL. Since 0.1.
 */
PRIVGRAPH_API int64_t pvg_network_inputs(const pvg_network *network);
PRIVGRAPH_API int64_t pvg_network_classes(const pvg_network *network);
PRIVGRAPH_API int64_t pvg_network_parameters(const pvg_network *network);

/* The text, words separated by single spaces; (out, capacity, length) as in
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_network_copy_text(char *out, size_t capacity, size_t *length,
                                            const pvg_network *network);

/* --- datasets ---------------------------------------------------------------------- */

/* A pvg_dataset (query.h): nodes or graphs with features, labels and a split; each part
 * says where it came from. Immutable. */
typedef struct pvg_dataset_builder pvg_dataset_builder;
/* A network, weights, and what they have seen. Immutable. */
typedef struct pvg_model pvg_model;

/* Parts of a split. */
enum {
    PVG_PART_NONE = -1,
    PVG_PART_TRAIN = 0,
    PVG_PART_VALIDATION = 1,
    PVG_PART_TEST = 2
};

/* A dataset of `order` nodes, to be filled. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_new(pvg_dataset_builder **out, int64_t order);
/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_dataset_builder_free(pvg_dataset_builder *builder);

/* Parts that the caller says are public: nobody's secret went into them. They are copied.
 * Graph and labels at most once; features that are added again, public, released or not,
 * stand behind those that are there, as [x_v, noisy sums] do: the most private of them
 * says what may be published. PVG_E_ARGUMENT if shapes differ. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_public_graph(pvg_dataset_builder *builder,
                                                           const pvg_graph *graph);
PRIVGRAPH_API int32_t pvg_dataset_builder_add_public_features(
    pvg_dataset_builder *builder, const pvg_features *features);
PRIVGRAPH_API int32_t pvg_dataset_builder_add_public_labels(pvg_dataset_builder *builder,
                                                            const pvg_labels *labels);
/* The nodes are those of the graphs of a set, and labels and split are of graphs. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_public_graphset(
    pvg_dataset_builder *builder, const pvg_graphset *set);

/* The nodes stand in windows of `size` consecutive rows, 2 to 1024, which divides their
 * number: `attend` looks at nothing else. pairs: labels, split and predictions are about
 * the pairs of each window, window by window, (0, 1), (0, 2), ..., (size - 2, size - 1).
 * links, if not NULL: count = order x size numbers, what is known in advance between node
 * v and those of its window. Add windows of pairs before labels and split. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_public_windows(
    pvg_dataset_builder *builder, int64_t size, PVG_BOOL int32_t pairs,
    PVG_OPT PVG_LEN(count) const double *links, int64_t count);

/* What arc weights are. */
enum {
    PVG_ARCS_WEIGHTS = 0, /* of a weighted graph: a degree is the sum of a row */
    PVG_ARCS_MASKS = 1    /* factors of messages: degrees and attention stay */
};
/* Weights >= 0 of the arcs of the graph that was added, in the order of its rows, as the
 * chances of released lists or the masks of an explainer. They are as private as the
 * graph. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_set_arc_weights(pvg_dataset_builder *builder,
                                                          PVG_LEN(count)
                                                              const double *weights,
                                                          int64_t count,
                                                          PVG_ENUM(ARCS) int32_t meaning);

/* What a release is used as. */
enum {
    PVG_ROLE_GRAPH = 0,    /* its graph */
    PVG_ROLE_LISTS = 1,    /* its lists: user v hears those on its list */
    PVG_ROLE_FEATURES = 2, /* its features, perturbed user by user */
    PVG_ROLE_LABELS = 3,   /* its labels, perturbed user by user */
    PVG_ROLE_STATES = 4    /* its numbers, a row per node or graph, as features */
};

/* A released part, with its guarantee and the draws behind it. Whom they are about is
 * known from the objects they were drawn with; a draw without a name or number may be
 * about any object. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_released(pvg_dataset_builder *builder,
                                                       const pvg_release *release,
                                                       PVG_ENUM(ROLE) int32_t role);

/* Private parts: what pvg_model_train learns from them only functions ending in _exact
 * tell; a query for training learns from features and labels privately. Labels out of
 * range count as unknown, without a word. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_private_graph(pvg_dataset_builder *builder,
                                                            const pvg_graph *graph);
PRIVGRAPH_API int32_t pvg_dataset_builder_add_private_features(
    pvg_dataset_builder *builder, const pvg_features *features);
PRIVGRAPH_API int32_t pvg_dataset_builder_add_private_labels(pvg_dataset_builder *builder,
                                                             const pvg_labels *labels);
PRIVGRAPH_API int32_t pvg_dataset_builder_add_private_windows(
    pvg_dataset_builder *builder, int64_t size, PVG_BOOL int32_t pairs,
    PVG_OPT PVG_LEN(count) const double *links, int64_t count);

/* Says that parts of the dataset were made with a model, as messages by an encoder that
 * was trained privately: what it has seen counts for everything learnt here.
 * PVG_E_PRIVACY if it saw private parts other than through a mechanism. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_add_seen(pvg_dataset_builder *builder,
                                                   const pvg_model *model);

/* Part of each row (node, graph or pair), PVG_PART_*; who has a label is public. Without
 * a split all rows with a label train. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_set_split(pvg_dataset_builder *builder,
                                                    PVG_LEN(count) const int32_t *parts,
                                                    int64_t count);

/* The dataset; the builder is emptied and may only be freed. Since 0.1. */
PRIVGRAPH_API int32_t pvg_dataset_builder_finish(pvg_dataset **out,
                                                 pvg_dataset_builder *builder);
/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_dataset_free(pvg_dataset *dataset);

/* Rows of a prediction: nodes, graphs or pairs. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_dataset_rows(const pvg_dataset *dataset);

/* Nodes; arcs, which are two for an edge and one for an entry of a list, and not for
 * publication if the graph is private. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_dataset_order(const pvg_dataset *dataset);
PRIVGRAPH_API int64_t pvg_dataset_arcs_exact(const pvg_dataset *dataset);

/* 1 if any part is private, so that only functions ending in _exact read it; 0 for NULL.
 * Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_dataset_holds_secrets(const pvg_dataset *dataset);

/* --- training ---------------------------------------------------------------------- */

enum {
    PVG_OPTIMISER_ADAM = 0,  /* decay is added to the gradient */
    PVG_OPTIMISER_ADAMW = 1, /* weights shrink by rate times decay */
    PVG_OPTIMISER_SGD = 2    /* with momentum */
};
enum {
    PVG_LOSS_CROSS_ENTROPY = 0,
    PVG_LOSS_BINARY = 1, /* logistic loss of each column */
    PVG_LOSS_SQUARES = 2 /* squared distance to the one-hot target */
};
enum {
    PVG_SELECT_LOSS = 0,     /* weights of the lowest validation loss */
    PVG_SELECT_ACCURACY = 1, /* of the highest validation accuracy, then lowest loss */
    PVG_SELECT_LAST = 2
};
enum { PVG_PRECISION_FLOAT = 0, PVG_PRECISION_DOUBLE = 1 };

typedef struct pvg_training_config {
    uint32_t size;                         /* sizeof(pvg_training_config) */
    PVG_ENUM(OPTIMISER) int32_t optimiser; /* PVG_OPTIMISER_* */
    PVG_ENUM(LOSS) int32_t loss;           /* PVG_LOSS_* */
    /* PVG_SELECT_*; LAST if nothing is there to validate */
    PVG_ENUM(SELECT) int32_t select;
    PVG_ENUM(PRECISION) int32_t precision; /* PVG_PRECISION_* */
    PVG_BOOL int32_t balance; /* 1: classes weigh alike, whatever their number of rows */
    PVG_BOOL int32_t cosine;  /* 1: the rate falls along a half cosine to 0 */
    /* 1: probabilities are raised to 1/T and normalised, T chosen on validation rows */
    PVG_BOOL int32_t calibrate;
    int64_t epochs;   /* 0: 200 */
    int64_t patience; /* epochs without a better check; 0: 50; negative: all epochs */
    int64_t check;    /* epochs between checks, at most 64; 0: 5 */
    int64_t warmup;   /* epochs in which the rate rises to its value */
    /* Drop: K rounds of kprop on predictions and, hardened, on reported labels */
    int64_t target_rounds;
    /* Cross-fitting: F models, each without one part of the training rows, which it then
     * predicts. 0: one model for all */
    int64_t folds;
    int64_t averages; /* models whose probabilities are averaged; 0: 1 */
    /* Graphs, windows or (of a network that looks at no neighbours) nodes in a step. They
     * are dealt once to batches, which take turns in a random order in every epoch. 0:
     * all in one step */
    int64_t batch;
    double rate;      /* 0: .01 */
    double decay;     /* 0: 5e-4, with target_rounds 5e-5; negative: none */
    double momentum;  /* SGD; 0: .9; negative: none */
    double beta1;     /* 0: .9 */
    double beta2;     /* 0: .999 */
    double clip;      /* longest gradient; 0: any */
    double smoothing; /* s: targets (1 - s) one-hot + s / classes */
    /* classes numbers, times the weight of each row; NULL: all 1 */
    const double *class_weights;
    /* Forward correction: P(reported j | true i) in row i, classes x classes; NULL:
     * labels are true */
    const double *transition;
} pvg_training_config;

/* *out = bytes a training will hold beside the dataset: before it starts. They follow the
 * number of edges, and are not for publication if the graph is private. config NULL:
 * defaults. Since 0.1. */
PRIVGRAPH_API int32_t pvg_network_memory_exact(uint64_t *out, const pvg_network *network,
                                               const pvg_dataset *dataset,
                                               PVG_OPT const pvg_training_config *config);

/* --- models ------------------------------------------------------------------------ */

/* Trains: Glorot weights, or those of `start` (same network, as many models) to go on
 * from; start may be NULL. The generator draws weights, folds and dropout; a seeded one
 * gives the same model on every number of threads.
 *
 * PVG_E_ARGUMENT for shapes that do not fit, labels that are no class, a class without
 * training rows; PVG_E_NUMERIC names the epoch whose loss is not finite. Progress counts
 * epochs; cancelling leaves no model. O(epochs (arcs + entries of the features) columns).
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_train(pvg_model **out, const pvg_network *network,
                                      const pvg_dataset *dataset,
                                      PVG_OPT const pvg_training_config *config,
                                      PVG_OPT const pvg_model *start, pvg_rng *rng,
                                      const pvg_run *run);
/* Wipes and frees; NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_model_free(pvg_model *model);

/* What a prediction holds for each row. HIDDEN + k: output of stage k, for a single
 * model. */
enum {
    PVG_PREDICT_PROBABILITIES = 0, /* a column per class; of BINARY each by itself */
    PVG_PREDICT_LOGITS = 1,  /* before softmax; of several models, log of the mean */
    PVG_PREDICT_CLASSES = 2, /* one column */
    PVG_PREDICT_HIDDEN = 16
};
/* Columns of a prediction; 0 for NULL or if there is none of this kind. Since 0.1. */
PRIVGRAPH_API int64_t pvg_model_columns(const pvg_model *model,
                                        PVG_ENUM(PREDICT) int32_t kind);

/* Predictions for all rows as a release: nothing private is in model and dataset except
 * what was released before, so this is post-processing, and nothing is charged. Its
 * guarantee composes the draws that were seen in training, in the trainings it started
 * from, and now, each once. Free are those whose mechanism read nothing that the notion
 * hides (edges, features, labels), and, where `object` is given, those that are known to
 * be about others. object NULL: whichever it is, so all of them count. PVG_E_PRIVACY if a
 * private part is in it, or if what was seen promises nothing about this notion;
 * PVG_E_ARGUMENT if no draw can be about the object. A new part, as fresh edges, needs a
 * release of its own. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_predict(pvg_release **out, const pvg_model *model,
                                        const pvg_dataset *dataset,
                                        PVG_ENUM(PREDICT) int32_t kind,
                                        PVG_ENUM(NOTION) int32_t notion,
                                        PVG_OPT PVG_LEN(1) const uint64_t *object,
                                        const pvg_run *run);

/* pvg_model_score_exact where nothing private is read: PVG_E_PRIVACY if labels, other
 * parts or the model's data are private. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_score(PVG_OPT double *accuracy, PVG_OPT double *loss,
                                      const pvg_model *model, const pvg_dataset *dataset,
                                      PVG_ENUM(PART) int32_t part, const pvg_run *run);

/* What the weights promise about a notion and an object, as a new guarantee; notion,
 * object and failures as in pvg_model_predict. If a private training is all that the
 * model has seen, and the notion is its own, this is the record of that draw; else the
 * composition of all draws that count. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_promise(pvg_guarantee **out, const pvg_model *model,
                                        PVG_ENUM(NOTION) int32_t notion,
                                        PVG_OPT PVG_LEN(1) const uint64_t *object);

/* Predictions for all rows, into out (rows x columns), as exact functions of model and
 * dataset: not to be published if anything private is in them. Rows that a fold left out
 * are predicted by the models that did not see them, if the dataset has the rows of the
 * training. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_predict_exact(PVG_LEN(rows, columns) double *out,
                                              const pvg_model *model,
                                              const pvg_dataset *dataset,
                                              PVG_ENUM(PREDICT) int32_t kind,
                                              const pvg_run *run);

/* Accuracy and cross entropy on the rows of a part, PVG_PART_*; either may be NULL. NaN
 * without rows. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_score_exact(PVG_OPT double *accuracy,
                                            PVG_OPT double *loss, const pvg_model *model,
                                            const pvg_dataset *dataset,
                                            PVG_ENUM(PART) int32_t part,
                                            const pvg_run *run);

/* Gradients of one logit: to every feature (nodes x inputs) and to a factor of every
 * arc's message (in the order of the rows of the graph). Either may be NULL. A model of
 * several is refused. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_gradient_exact(
    PVG_OPT PVG_LEN(order, inputs) double *features,
    PVG_OPT PVG_LEN(pvg_dataset_arcs_exact(dataset)) double *arcs, const pvg_model *model,
    const pvg_dataset *dataset, int64_t row, int64_t column, const pvg_run *run);

/* Columns of the features it takes; numbers in the weights of a member. 0 for NULL. Since
 * 0.1. */
PRIVGRAPH_API int64_t pvg_model_inputs(const pvg_model *model);
PRIVGRAPH_API int64_t pvg_model_parameters(const pvg_model *model);

/* Models averaged (averages times folds); the temperature T of `calibrate`, 1 without,
 * which is fitted to labels and not for publication if they are private. 0 for NULL.
 * Since 0.1. */
PRIVGRAPH_API int64_t pvg_model_members(const pvg_model *model);
PRIVGRAPH_API double pvg_model_temperature_exact(const pvg_model *model);

/* All weights of member number `member`, `parameters` numbers. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_copy_weights_exact(PVG_LEN(parameters) double *out,
                                                   const pvg_model *model,
                                                   int64_t member);

/* Checks of the first member: *count rows of epoch, training loss, validation loss,
 * validation accuracy. out NULL: only how many. Since 0.1. */
PRIVGRAPH_API int32_t
pvg_model_copy_history_exact(PVG_OPT PVG_LEN("*count rows of 4") double *out,
                             int64_t *count, const pvg_model *model);

/* New layers (layer.h) whose weights are the square maps of a model, in their order;
 * biases are left out. config->depth of them, all of one size. They carry the draws
 * behind the model: a propagator with these layers composes them with its own curve,
 * whatever object they were about, and is PVG_E_PRIVACY if they say nothing about its
 * notion. A ledger is charged for both, but not for draws that it has charged to the
 * object before. PVG_E_PRIVACY if the model saw private parts other than through a
 * mechanism. Since 0.1. */
PRIVGRAPH_API int32_t pvg_layers_from_model(pvg_layers **out,
                                            PVG_OPT const pvg_layers_config *config,
                                            const pvg_model *model);

/* --- model files -------------------------------------------------------------------- */

/* Writes network, weights and the records of all draws that were seen as one file
 * (docs/guide/formats.md), which appears complete or not at all. PVG_E_PRIVACY if the
 * model saw private parts other than through a mechanism. History is not kept. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_model_save(const char *path, const pvg_model *model);
/* The same for any model: the file of one that saw private parts says so and is not to be
 * published. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_save_exact(const char *path, const pvg_model *model);

/* Reads such a file. PVG_E_FORMAT if it is damaged, PVG_E_VERSION if it is of another
 * version. The records are taken at their word: who can write the file can write
 * anything. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_load(pvg_model **out, const char *path);

/* 1 if the model was loaded, 0 if it was trained here or for NULL. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_model_loaded(const pvg_model *model);

/* 1 if it saw private parts other than through a mechanism, so that only functions ending
 * in _exact answer; 0 for NULL. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_model_holds_secrets(const pvg_model *model);

/* What it has seen, as JSON: network, and the record of every draw; (out, capacity,
 * length) as in pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_copy_seen_json(char *out, size_t capacity, size_t *length,
                                               const pvg_model *model);

/* --- private training --------------------------------------------------------------- */

/* Training by DP-SGD is a kind of query (query.h): in each step every record (a node with
 * its features and its label) joins by itself with probability q, its gradient is
 * shortened to length `clip`, and noise is added to the sum. */
typedef struct pvg_dpsgd_config {
    uint32_t size;                         /* sizeof(pvg_dpsgd_config) */
    PVG_ENUM(OPTIMISER) int32_t optimiser; /* PVG_OPTIMISER_* */
    PVG_ENUM(LOSS) int32_t loss;           /* PVG_LOSS_* */
    PVG_BOOL int32_t cosine; /* 1: the rate falls along a half cosine to 0 */
    int64_t steps;           /* 0: 250; fixed beforehand, all are paid for */
    int64_t warmup;          /* steps in which the rate rises to its value */
    /* Records that join a step, on average: q = batch / records. 0: 512, or all */
    double batch;
    double clip;      /* longest gradient of a record; 0: 1 */
    double rate;      /* 0: .01 */
    double decay;     /* of weights; 0: none */
    double momentum;  /* SGD; 0: .9; negative: none */
    double beta1;     /* 0: .9 */
    double beta2;     /* 0: .999 */
    double smoothing; /* s: targets (1 - s) one-hot + s / classes */
    /* classes numbers, times the loss of a record before it is clipped; NULL: all 1 */
    const double *class_weights;
    /* Forward correction, as in pvg_training_config; NULL: labels are true */
    const double *transition;
} pvg_dpsgd_config;

/* New query, to be asked of datasets (input->dataset) with exactly `records` training
 * rows. There is no validation and nothing stops early: what is not a function of the
 * noisy sums stays inside. start: NULL or a model to go on from, which saw nothing
 * private but through a mechanism; the draws behind it count. target: epsilon and delta
 * for PVG_NOTION_NODE_REMOVED, or as parameter the mu of each step, 1 over the noise in
 * units of clip; its noise is DEFAULT or GAUSSIAN.
 *
 * The guarantee is about one record: a node removed with its features, its label and its
 * edges; its words also say what holds for a node that is replaced by another.
 * pvg_query_copy_json tells steps, sampling, sigma (noise of a step in units of clip),
 * mu, epsilon, error (deviation of the noise in each number of the gradient) and bytes of
 * scratch with one thread. pvg_query_new does not read its text: a network is a handle.
 *
 * PVG_E_PRIVACY if the network mixes records (messages of neighbours, bn, pool) or no
 * noise meets the target. Since 0.1. */
PRIVGRAPH_API int32_t pvg_query_new_training(pvg_query **out, const pvg_network *network,
                                             int64_t records,
                                             PVG_OPT const pvg_dpsgd_config *config,
                                             PVG_OPT const pvg_model *start,
                                             const pvg_target *target);

/* Lends the model of a training that pvg_release_draw or pvg_composition_draw answered;
 * it lives as long as the release. PVG_E_ARGUMENT if the release holds something else.
 *
 * The dataset has private features, private labels, or both, other parts public or
 * released; the draws behind these count, and a ledger is charged for those that it has
 * not charged to the object before, and for all steps, before the first.
 *
 * The model may predict for datasets that are public or released, as a release. It has no
 * history. Private values that are not finite, and labels that are no class, count as
 * absent, without a word; who trains (the split) is public. The result does not depend on
 * run->threads; the time it takes tells how many records joined and is not covered. It is
 * written by pvg_model_save, with its record; pvg_release_save refuses it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_model(const pvg_model **model,
                                             const pvg_release *release);

/* The record of the draw that made the weights, as a new guarantee: law, scale, sampling
 * rate, steps, id, digest of the weights, claim `learn.dpsgd`. It says nothing of what
 * else the model has seen: that is in pvg_model_promise. PVG_E_ARGUMENT if the weights
 * are not those of a private training. Since 0.1. */
PRIVGRAPH_API int32_t pvg_model_training(pvg_guarantee **out, const pvg_model *model);

#ifdef __cplusplus
}
#endif

#endif
