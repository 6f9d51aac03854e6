/* query, inside: what a query is, the table of kinds and their frames, and the parts of
 * kinds that are not in earlier modules: embeddings and message passing. */
#ifndef PVGI_QUERY_H
#define PVGI_QUERY_H

#include "base/base_internal.h"
#include "density/density_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "ledger/ledger_internal.h"
#include "mechanism/mechanism_internal.h"
#include "perturb/perturb_internal.h"
#include "preview/preview_internal.h"
#include "privgraph/query.h"
#include "propagate/propagate_internal.h"
#include "query/make.h"
#include "sensitivity/sensitivity_internal.h"
#include "statistic/statistic_internal.h"

/* What came out, and its guarantee. Made by the door of release alone; here because
 * queries may be made from releases. */
struct pvg_release {
    PVGI_HANDLE;
    pvgi_content content;
    pvg_guarantee guarantee;
    pvg_query *query; /* that it answers; NULL: read from a file, or made otherwise */
    bool scattered;   /* of a graph in parts: these are the rows of the own nodes */
};

struct pvg_embedder {
    PVGI_HANDLE;
    pvg_embedder_config config;
    pvg_target target;      /* as given */
    pvg_patterns *patterns; /* own copy */
    pvg_density *density;
    pvgi_sensitivity_plan plan;
    pvgi_columns *told; /* for records: the columns, without tables */
    double *weights;    /* NULL: all 1 */
    double parameter;   /* native parameter that meets the target; 0 in smooth mode, where
                       * it depends on how many coordinates are noisy */
    pvgi_ellipsoid *ellipsoid; /* of a family whose joint changes are known, or NULL */
    bool *covered;             /* which patterns are of that family */
    double ratio;              /* mu of the target */
};

/* What graphs of one order get. */
typedef struct {
    int64_t order;
    pvgi_assumption assumption;
    /* per pattern: unit, relative error of the computed value, largest value */
    double *factor, *error, *range;
    double *unit;             /* NULL, or what outcomes are multiplied with (family.c) */
    pvg_mechanism *mechanism; /* NULL if no edge moves anything: values are range */
} pvgi_order_noise;

/* --- embedder (embedder.c) --------------------------------------------------------- */

int32_t pvgi_query_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                const pvg_embedder_config *config,
                                const pvg_target *target, const double *weights,
                                pvgi_run *run);
void pvgi_query_embedder_free(pvg_embedder *embedder);
/* The one place that knows what a coordinate gets: sensitivities (0: a constant), ranges
 * (pattern units times factor) and the mechanism for one order >= 1. sensitivities and
 * ranges may be NULL. Previews, trade-offs and releases all ask here. */
int32_t pvgi_query_order_noise(pvgi_order_noise *out, double *sensitivities,
                               double *ranges, const pvg_embedder *embedder,
                               int64_t order);
void pvgi_query_order_noise_free(pvgi_order_noise *noise);
/* Scales of those coordinates as real numbers, for a native parameter; scratch: twice
 * `count`. */
void pvgi_query_share(double *scales, const pvg_embedder *embedder,
                      const double *sensitivities, const double *back,
                      const double *weights, int64_t count, double ratio,
                      double *scratch);
/* Whether they share noise: as asked for, or where it is less. */
bool pvgi_query_leans(const pvg_embedder *embedder, const double *sensitivities,
                      const double *back, const double *weights, int64_t count);
/* family.c: makes the ellipsoid, if there is one; gives its noise to an order, if that is
 * less (or asked for). sensitivities, back: of all patterns. */
int32_t pvgi_query_settle_family(pvg_embedder *embedder, pvgi_run *run);
int32_t pvgi_query_take_family(pvgi_order_noise *noise, const double *sensitivities,
                               const double *back, const pvg_embedder *embedder);
/* Numbers of order_noise alone, any of which may be NULL; without scales nothing is
 * allocated. scales: not for smooth noise; ratio 0: those of the release; else as real
 * numbers, without a grid, for that ratio (native parameter, of zCDP sqrt(2 rho)). */
int32_t pvgi_query_preview(const void *embedder, int64_t order, double *sensitivities,
                           double *ranges, double *scales, double ratio);
/* Of the noise, count x count; not smooth. */
int32_t pvgi_query_covariance(double *out, const pvg_embedder *embedder, int64_t order);
/* The same of one table; into: count x count. */
void pvgi_query_order_covariance(double *into, const pvgi_order_noise *noise,
                                 int64_t count);

/* How much likelier each of `rows` releases is with the densities `second` than with
 * `first`: logarithm of the ratio (compare.c). Not smooth. */
int32_t pvgi_query_compare(double *out, const pvg_embedder *embedder, int64_t order,
                           const double *values, int64_t rows, const double *first,
                           const double *second);

/* Weights of layers that were learnt from releases: the draws behind them. */
typedef struct {
    pvgi_layer_origin origin;
    pvgi_provenance *sources; /* NULL: none, public parts alone */
} pvgi_learnt_weights;

/* New layers whose weights, depth x dimension x dimension, were learnt from these draws
 * (learnt.c). */
PVGI_SHARED int32_t pvgi_query_learnt_layers(pvg_layers **out,
                                             const pvg_layers_config *config,
                                             const double *weights, int64_t dimension,
                                             const pvgi_provenance *sources);

/* --- private message passing (propagator.c, propagation.c) ------------------------- */

struct pvg_propagator {
    PVGI_HANDLE;
    pvg_propagator_config config;
    pvg_target target;
    pvg_assumption assumption;
    pvgi_assumption checked; /* the same, for bounds */
    pvg_layers *layers;      /* own copy */
    int64_t depth, columns;
    double *numbers; /* owns the next five, one number per layer */
    double *gammas, *shifts, *errors, *spreads;
    double *means; /* root mean square norm of the rows of a state, at most */
    double range;  /* no value of a state is larger */
    int32_t method, grid;
    int64_t steps; /* noise scale in grid steps */
    double scale, mu, sensitivity, output_noise, other_noise;
    bool laplace; /* one hop of rows in the L1 ball, with this law (hop.c) */
    pvgi_joint law;
    pvg_guarantee guarantee;
};

/* --- one hop with L1 noise (hop.c) ------------------------------------------------- */

/* Whether layers and settings allow it; PVG_E_ARGUMENT or PVG_E_PRIVACY says why not. */
int32_t pvgi_query_hop_check(const char *function, const pvg_layers *layers,
                             const pvg_propagator_config *config,
                             const pvg_assumption *assumption);
/* Takes Laplace noise if it was asked for or is quieter than what p has. After the
 * guarantee was filled in. */
int32_t pvgi_query_hop_choose(pvg_propagator *p, bool gaussian);
/* Pulls rows into the L1 unit ball. */
void pvgi_query_hop_pull(double *rows, int64_t count, int64_t columns);
/* One hop of rows that were pulled; out may be rows. steps: as many integers, and of a
 * part of a graph those of borrowed rows. */
int32_t pvgi_query_hop_draw(double *out, const double *rows, int64_t *steps,
                            const pvg_propagator *p, const pvg_graph *graph,
                            const pvg_parts *parts, pvgi_scratch *scratch,
                            const pvgi_stream *call, pvgi_run *run);

int32_t pvgi_query_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                                  const pvg_assumption *assumption,
                                  const pvgi_assumption *checked, int64_t columns,
                                  const pvg_propagator_config *config,
                                  const pvg_target *target);
void pvgi_query_propagator_free(pvg_propagator *propagator);
int32_t pvgi_query_propagator_lines(pvg_preview **out, const pvg_propagator *p,
                                    const char *function, bool brief);
/* What a ledger is to be charged for a draw about this object: draws behind the weights
 * of the layers that it has paid for are not paid again. *out is for drop. */
int32_t pvgi_query_propagator_price(pvg_guarantee *out, const pvg_propagator *p,
                                    const pvg_ledger *ledger, uint64_t object);

/* One propagation on its way. */
typedef struct {
    const pvg_propagator *propagator;
    const pvg_graph *graph; /* of parts the rows of this one */
    const pvg_parts *parts; /* or NULL */
    const pvg_features *features;
    int64_t rows;        /* nodes of the graph that this process has */
    int64_t values;      /* of a state: rows x columns */
    int64_t chunks;      /* of one noise draw, of these */
    int64_t first_chunk; /* its number in the whole graph, and how many that has */
    int64_t all_chunks;
    int64_t draws;  /* so far */
    int64_t *noise; /* per worker: a chunk */
    double *state, *x0, *hops;
    int64_t *rows_in_steps; /* one hop with L1 noise */
    pvgi_scratch scratch;   /* the same */
    pvg_graph *truncated;
    pvgi_propagation layers;
    bool begun;
    const pvgi_stream *call;
} pvgi_propagation_job;
pvgi_draw pvgi_query_propagation(pvgi_propagation_job *job, const pvg_propagator *p,
                                 const pvg_graph *graph, const pvg_features *features);

/* Of a graph in parts; features are those of the own nodes. */
pvgi_draw pvgi_query_propagation_parts(pvgi_propagation_job *job, const pvg_propagator *p,
                                       const pvg_parts *parts,
                                       const pvg_features *features);

/* --- perturbed graphs, features, labels (perturbed.c) ------------------------------ */

typedef struct {
    const pvg_perturber *perturber;
    pvgi_perturb_input input;
    const pvg_graphset *set; /* instead of input */
    pvgi_content made;       /* to be filled, where its size is public */
} pvgi_perturb_job;
/* A graph of a set, for itself. */
int32_t pvgi_query_member(pvg_graph **out, const pvg_graphset *set, int64_t index);
pvgi_draw pvgi_query_perturbation(pvgi_perturb_job *job, const pvg_perturber *perturber,
                                  const pvgi_perturb_input *input,
                                  const pvg_graphset *set);

/* --- statistics (statistics.c) ----------------------------------------------------- */

typedef struct {
    const pvg_statistic *statistic;
    const pvg_graph *graph;
    const pvg_graphset *set; /* instead of graph */
    pvgi_list_input lists;   /* instead of both */
    const pvg_parts *parts;  /* instead of all, or NULL */
    pvgi_scratch *scratch;   /* one, or one for each worker of a set */
    uint32_t workers;
    double *values;
    pvg_guarantee guarantee; /* of a set */
    const pvgi_stream *call;
} pvgi_statistic_job;
/* graph or set, the other NULL. */
pvgi_draw pvgi_query_statistic(pvgi_statistic_job *job, const pvg_statistic *statistic,
                               const pvg_graph *graph, const pvg_graphset *set);
pvgi_draw pvgi_query_statistic_parts(pvgi_statistic_job *job,
                                     const pvg_statistic *statistic,
                                     const pvg_parts *parts);
/* Of lists, and the groups of their persons. */
pvgi_draw pvgi_query_lists(pvgi_statistic_job *job, const pvg_statistic *statistic,
                           const pvgi_list_input *lists);

/* --- embeddings (embed.c) ---------------------------------------------------------- */

/* One embedding of a set on its way. */
typedef struct {
    const pvg_embedder *embedder;
    pvgi_hosts hosts;         /* of parts: their whole order, and no rows */
    const pvg_parts *parts;   /* instead of hosts, or NULL */
    pvgi_order_noise *tables; /* ascending orders */
    int64_t table_count;
    size_t bytes;   /* of exact and smooth */
    double *exact;  /* rows x patterns */
    double *smooth; /* per worker: patterns; NULL without smooth noise */
    int64_t degree; /* the largest, of parts with smooth noise */
    double *values; /* what is released */
    int64_t columns;
    pvg_graph *truncated; /* rows of all graphs, or NULL */
    const pvgi_stream *call;
    pvg_guarantee guarantee;
} pvgi_embed_job;
/* hosts: graphs as rows; they are truncated on the way if the embedder says so. */
pvgi_draw pvgi_query_embedding(pvgi_embed_job *job, const pvg_embedder *embedder,
                               const pvgi_hosts *hosts, const pvg_parts *parts);
/* What is promised for graphs of these orders together. */
/* Operations that counting takes at most, by public numbers. */
int32_t pvgi_query_embedder_cost(double *operations, const pvg_embedder *embedder,
                                 const int64_t *orders, int64_t count);
int32_t pvgi_query_embedder_guarantee(pvg_guarantee *out, const pvg_embedder *embedder,
                                      const int64_t *orders, int64_t count);

/* --- queries (text.c, build.c) ----------------------------------------------------- */

#define PVGI_QUERY_NOISES                                                                \
    "default|gaussian|laplace|discrete-gaussian|smooth|smooth-published|staircase"
#define PVGI_QUERY_ALLOCATIONS "optimal|isotropic|proportional"

/* What options of every kind say. */
typedef struct {
    pvg_target target;
    int64_t order; /* 0: any */
    double share;  /* of a part */
    bool in_text;  /* no target was given */
} pvgi_query_budget;

/* A query: a kind and a handle of its frame, made from public values. */
struct pvg_query {
    PVGI_HANDLE;
    atomic_int users;      /* handles, joined queries and releases that hold it */
    const pvgi_kind *kind; /* of a joined one: that of its first part */
    void *state;           /* handle of the frame; owned */
    pvgi_query_budget budget;
    uint32_t reads;           /* PVGI_PART_* */
    pvgi_provenance *sources; /* draws that arguments were made from; NULL: none */
    pvgi_shared_text *text;   /* canonical */
    uint8_t id[PVGI_ID_BYTES];
    int64_t parts; /* of a joined one; 0: it is none */
    pvg_query **part;
};

/* A table of kinds: number `index`, NULL: there is none. Pipelines of module learn have
 * one of their own. */
typedef const pvgi_kind *(*pvgi_kind_at)(int64_t index);
/* That of queries, and by word (kinds.c). */
const pvgi_kind *pvgi_query_kind(int64_t index);
const pvgi_kind *pvgi_query_find_kind(const char *word);
extern const pvgi_option pvgi_query_common[];
PVGI_SHARED void pvgi_query_describe_kinds(pvgi_text *text, pvgi_kind_at kind_at);

/* Bits of `given` that no option of a kind has. */
#define PVGI_GIVEN_SHARE   (UINT64_C(1) << 63)
#define PVGI_GIVEN_EPSILON (UINT64_C(1) << 62)

/* One part of a text: its settings and what all kinds have (text.c). */
typedef struct {
    const pvgi_kind *kind;
    void *settings; /* kind->bytes, defaults filled in */
    uint64_t given; /* options that the text has, as bits */
    double share, epsilon;
    uint32_t arrays; /* PVGI_TAKES_* whose digests it has */
    char digest[PVGI_TAKEN][2 * PVGI_ID_BYTES + 1];
} pvgi_query_part;
typedef struct {
    char *copy; /* owns texts of options */
    int64_t count;
    pvgi_query_part *part;
    pvgi_query_budget budget; /* of all parts but share and epsilon */
    uint64_t given;           /* common options that the text has, as bits */
    uint64_t here;            /* those of the part that is read */
} pvgi_query_words;
/* *out is for drop, also on failure. */
PVGI_SHARED int32_t pvgi_query_read(pvgi_query_words *out, const char *name,
                                    const char *text, pvgi_kind_at kind_at);
PVGI_SHARED void pvgi_query_words_drop(pvgi_query_words *words);
/* The budget of text and target together; epsilon: of the text, 0: none. */
PVGI_SHARED int32_t pvgi_query_merge_target(pvgi_query_budget *b, const char *name,
                                            const pvgi_query_words *words,
                                            const pvg_target *target, double epsilon);
/* A value as it stands in text. */
void pvgi_query_put_value(pvgi_text *text, const pvgi_option *option, double value);
/* " name=value" of all options of the settings. */
PVGI_SHARED void pvgi_query_put_options(pvgi_text *text, const pvgi_option *options,
                                        const void *settings);
/* A failure whose message names fields of structs, constants and inner functions: in the
 * words of the text instead. called: what it begins with, "pvg_query_new: stars"; target:
 * the budget is in the text as well. Returns status. */
PVGI_SHARED int32_t pvgi_query_own_words(int32_t status, const char *called,
                                         const pvgi_option *options, bool target);
/* Names of array arguments in text, by the number of the bit. */
extern const char *const pvgi_query_arrays[PVGI_TAKEN];

/* order: of the graph it is for, where the text does not say it and the kind needs one;
 * 0: not known. */
int32_t pvgi_query_new(pvg_query **out, const char *name, const char *text,
                       const pvg_arguments *arguments, const pvg_target *target,
                       int64_t order, const pvg_run *run);
int32_t pvgi_query_join(pvg_query **out, const char *name, pvg_query **parts,
                        int64_t count);
/* A query of a foreign kind. text: the canonical one without its budget. Takes state and
 * text over, also on failure; sources: draws that its arguments were made from, or NULL.
 */
PVGI_SHARED int32_t pvgi_query_adopt(pvg_query **out, const pvgi_kind *kind, void *state,
                                     pvgi_text *text, const pvg_target *target,
                                     const pvgi_provenance *sources);
/* Hexadecimal digest of numbers, as arrays have it in text. */
PVGI_SHARED void pvgi_query_digest_numbers(char out[2 * PVGI_ID_BYTES + 1],
                                           const double *numbers, size_t count);
pvg_query *pvgi_query_share_handle(pvg_query *query);
void pvgi_query_drop(pvg_query *query);
/* PVG_NOTION_* of its draws. */
int32_t pvgi_query_notion(const pvg_query *query);

/* --- frames: how a kind is drawn (frames.c) ---------------------------------------- */

/* Private data, after the checks of input.c. */
typedef struct {
    const pvg_graph *graph;
    const pvg_graphset *set; /* instead of graph */
    const pvg_features *features;
    const pvg_labels *labels;
    const pvg_lists *lists;
    const pvg_parts *parts;     /* instead of graph */
    const pvg_dataset *dataset; /* instead of all; only a foreign kind knows what it is */
} pvgi_private;

/* A draw of a foreign kind. */
typedef struct {
    const void *handle;
    const pvg_dataset *dataset;
    void *work; /* made by prepare, for drop */
} pvgi_foreign_job;

typedef union {
    pvgi_statistic_job statistic;
    pvgi_perturb_job perturb;
    pvgi_embed_job embed;
    pvgi_propagation_job propagation;
    pvgi_foreign_job foreign;
} pvgi_query_job;

typedef struct pvgi_frame {
    void (*drop)(void *handle);
    /* Copies what one draw promises about objects of these orders; *out is for drop. */
    int32_t (*promise)(pvg_guarantee *out, const void *handle, const int64_t *orders,
                       int64_t count);
    int32_t (*preview)(pvg_preview **out, const char *name, const void *handle,
                       const pvg_preview_config *config, pvgi_run *run);
    /* Columns of a row, 0: no numbers. */
    int64_t (*columns)(const void *handle);
    /* NULL: noise is independent, its deviation is `deviation`. */
    int32_t (*covariance)(double *out, const char *name, const void *handle,
                          int64_t order);
    void (*shape)(int64_t *rows, int64_t *columns, const void *handle,
                  const pvgi_private *input);
    /* The draw for the door. hosts: room for one graph. */
    int32_t (*begin)(pvgi_draw *out, pvgi_query_job *job, int64_t starts[2],
                     const void *handle, const pvgi_private *input);
    /* NULL: it gives no numbers. */
    int32_t (*exact)(double *out, const char *name, const void *handle,
                     const pvgi_private *input, pvgi_run *run);
    /* ',"key":value' pairs: what it will do on so many nodes. */
    void (*describe)(pvgi_text *text, const void *handle, int64_t order);
    int32_t (*notion)(const void *handle);
    /* Of kinds that read a dataset, else both NULL. Whether it is one for this query,
     * from public values; and the draws behind it, lent. */
    int32_t (*fits)(const char *name, const void *handle, const pvg_dataset *dataset);
    const pvgi_provenance *(*behind)(const pvg_dataset *dataset);
} pvgi_frame;
const pvgi_frame *pvgi_query_frame(const pvg_query *query);

/* The struct as this version knows it: a caller's may be shorter. */
int32_t pvgi_query_input_read(pvg_input *own, const char *name, const pvg_input *input);

/* Imports and checks what the query is asked of (input.c). */
int32_t pvgi_query_input(pvgi_private *out, pvg_input *own, const char *name,
                         const pvg_query *query, const pvg_input *input);
/* Do all processes that hold a graph ask the same? word: what else must be the same. */
int32_t pvgi_query_same(const char *name, const pvg_query *query, const pvg_input *input,
                        uint64_t word);
/* What one draw promises together with the draws behind the query's arguments and the
 * input's open parts. *out is for drop. */
int32_t pvgi_query_promise(pvg_guarantee *out, const char *name, const pvg_query *query,
                           const pvgi_provenance *sources, const int64_t *orders,
                           int64_t count);
/* The draws behind both, NULL: none; for sources_drop. */
int32_t pvgi_query_sources(pvgi_provenance **out, const pvg_query *query,
                           const pvg_input *input);
/* Composes the draws of `list` into a guarantee. */
int32_t pvgi_query_join_sources(pvg_guarantee *g, const char *name,
                                pvgi_provenance *list);

/* --- what was answered (input.c) --------------------------------------------------- */

/* PVG_E_ARGUMENT unless the release answers the query. */
PVGI_SHARED int32_t pvgi_query_answers(const char *name, const pvg_query *query,
                                       const pvg_release *release);
/* The numbers of one graph that answer a query of a statistic; lent. */
PVGI_SHARED int32_t pvgi_query_read_numbers(const pvg_statistic **statistic,
                                            const double **values, const char *name,
                                            const pvg_query *query,
                                            const pvg_release *release);

#endif
