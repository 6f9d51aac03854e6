/* perturb, inside: what every perturber has, and one table of functions per method. */
#ifndef PVGI_PERTURB_H
#define PVGI_PERTURB_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "mechanism/mechanism_internal.h"
#include "perturb/make.h"
#include "preview/preview_internal.h"
#include "rng/rng_internal.h"

/* The private input; what the perturber does not take is NULL. */
typedef struct {
    const pvg_graph *graph;
    const pvg_features *features;
    const pvg_labels *labels;
    void *scratch; /* of `make`, or NULL */
} pvgi_perturb_input;

/* A number that can be estimated from what a perturber releases: a sum over `count`
 * answers, pairs or users, each with noise of its own (plan.c). */
typedef struct {
    int32_t law; /* PVGI_ANSWER_* */
    double epsilon;
    double shape;
    double range, count;
} pvgi_perturb_number;
enum {
    PVGI_ANSWER_KARY,    /* k-ary randomised response; shape: alternatives */
    PVGI_ANSWER_KEPT,    /* yes with chance shape, or shape e^-epsilon */
    PVGI_ANSWER_LAPLACE, /* discrete Laplace of rate epsilon */
    PVGI_ANSWER_BIT,     /* deviation shape / tanh(epsilon / 2) */
    PVGI_ANSWER_SCALED   /* deviation shape, inverse in the budget */
};

/* One method. */
typedef struct {
    int32_t input; /* PVG_PERTURBS_* */
    /* Before anything is paid: is this input one the perturber was made for? Limits
     * depend on public values only. May be NULL. */
    int32_t (*check)(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function);
    /* Before anything is paid as well: the outcome to be filled, where its size is
     * public, and *scratch for workers. After a failure both may hold parts. NULL: draw
     * asks for its memory itself. */
    int32_t (*make)(pvgi_content *out, void **scratch, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, pvgi_run *run);
    /* Draws. call: the stream of the call, unread, for pvgi_rng_stream_open_chunk.
     * After a failure *out may hold parts; the caller drops them. */
    int32_t (*draw)(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run);
    /* Frees what hangs on the state, not the state itself. May be NULL. */
    void (*drop)(void *state);
    /* What a line of the preview is about, from public numbers only: even lines one
     * answer, odd lines all of them; lines 2 i and 2 i + 1 are about range i of features.
     * order: nodes or users. */
    pvgi_perturb_number (*number)(const pvg_perturber *perturber, int64_t line,
                                  int64_t order);
    const char *one, *all; /* what these are called */
} pvgi_perturb_method;

struct pvg_perturber {
    PVGI_HANDLE;
    const pvgi_perturb_method *method;
    int32_t allow_seeded;
    int64_t order;           /* the only one it is made for, 0: any */
    int64_t lines;           /* of a preview */
    pvg_guarantee guarantee; /* seeded is filled in when drawing */
    void *state;             /* of the method; one block */
};

/* --- frame (frame.c) --------------------------------------------------------------- */

/* Imports a target for a perturber. laws: bits 1 << PVG_NOISE_* that the method knows
 * besides PVG_NOISE_DEFAULT; 0: pure epsilon, noise must be 0. After this *out has
 * epsilon > 0 and delta >= 0, or parameter > 0; for pure methods epsilon is set. */
int32_t pvgi_perturb_target(pvg_target *out, const char *function,
                            const pvg_target *target, uint32_t laws);
/* New perturber with `bytes` of zeroed state; guarantee as given. */
int32_t pvgi_perturb_make(pvg_perturber **out, const pvgi_perturb_method *method,
                          const pvg_target *target, const pvg_guarantee *guarantee,
                          size_t bytes);
void pvgi_perturb_free(pvg_perturber *perturber);
/* A pure term. */
static inline pvg_curve_term pvgi_perturb_pure(double epsilon) {
    return (pvg_curve_term){
        .size = sizeof(pvg_curve_term), .kind = PVG_CURVE_PURE, .epsilon = epsilon};
}

/* --- DPRR (dprr.c) ----------------------------------------------------------------- */

/* What is public of its answers: the chance of a lie, the variance of noise on a degree,
 * whether a pair is in one list only, that of its lower end, and whether noisy degrees
 * are those of whole lists. */
typedef struct {
    double lie, degree_variance;
    bool owned, whole;
} pvgi_dprr_law;
/* false: another method, or nothing is left for entries of that many nodes. */
PVGI_SHARED bool pvgi_perturb_dprr_law(pvgi_dprr_law *out, const pvg_perturber *perturber,
                                       int64_t order);

/* --- noise against range (plan.c) -------------------------------------------------- */

int32_t pvgi_perturb_lines(pvg_preview **out, const pvg_perturber *perturber,
                           int64_t order, bool brief);
/* Answers about pairs of `order` nodes by randomised response with `epsilon`: one, or how
 * many are edges. */
pvgi_perturb_number pvgi_perturb_pair_number(double epsilon, int64_t line, int64_t order);
/* The same about one pair with `entries`, or the degree of a node by discrete Laplace
 * noise with `degree`. */
pvgi_perturb_number pvgi_perturb_list_number(double entries, double degree, int64_t line,
                                             int64_t order);
/* Entries of lists by k-ary response: one, or how many of `order` users name a node. */
pvgi_perturb_number pvgi_perturb_entry_number(double epsilon, double alternatives,
                                              int64_t line, int64_t order);

/* --- lists of unknown length (gather.c) -------------------------------------------- */

/* What a chunk of rows has drawn so far. */
typedef struct {
    int32_t *targets;
    int64_t count, capacity;
} pvgi_gather;
int32_t pvgi_perturb_gather_grow(pvgi_gather *gather);
static inline int32_t pvgi_perturb_gather_add(pvgi_gather *gather, int32_t target) {
    if (gather->count == gather->capacity) PVGI_TRY(pvgi_perturb_gather_grow(gather));
    gather->targets[gather->count++] = target;
    return PVG_OK;
}
/* Draws the list of one node, ascending. */
typedef int32_t (*pvgi_gather_fn)(pvgi_gather *out, const void *context, int64_t node,
                                  pvgi_stream *stream);
/* Lists made row by row, in parallel. Uses the streams from PVGI_GATHER_STREAMS on below
 * call; numbers below it are the method's own. */
#define PVGI_GATHER_STREAMS (UINT64_C(1) << 40)
int32_t pvgi_perturb_gather(pvgi_lists **out, int64_t order, pvgi_gather_fn function,
                            const void *context, const pvgi_stream *call, pvgi_run *run);
/* The graph with an edge for each entry. */
int32_t pvgi_perturb_lists_mirror(pvg_graph **out, const pvgi_lists *lists,
                                  pvgi_run *run);

/* --- k-ary randomised response (respond.c) ----------------------------------------- */

/* Chance to answer falsely, as a multiple of 2^-64, rounded so that the ratio of keeping
 * to any other answer never exceeds e^epsilon; 0: answer uniformly. alternatives in
 * [1, 2^32). */
uint64_t pvgi_perturb_lie_threshold(double epsilon, uint64_t alternatives);
/* value, or with that chance another element of 0..alternatives, uniformly. */
uint64_t pvgi_perturb_respond(pvgi_stream *stream, uint64_t value, uint64_t alternatives,
                              uint64_t threshold);

/* --- features (features.c, multibit.c) --------------------------------------------- */

/* State of a perturber of features. */
typedef struct {
    pvg_features_config config; /* sampled filled in */
    double *low, *high;         /* config.ranges entries each */
    int64_t off_zero;           /* columns whose range does not hold 0 */
    pvg_mechanism *mechanism;   /* for noise, else NULL */
    uint64_t least;             /* bits: chance of a 1 at the low end, in 2^-64 */
} pvgi_feature_state;

/* Which range is column's. */
static inline int64_t pvgi_perturb_range(const pvgi_feature_state *s, int64_t column) {
    return s->config.ranges == 1 ? 0 : column;
}
/* x into the range of its column. */
static inline double pvgi_perturb_clamp(const pvgi_feature_state *s, int64_t column,
                                        double x) {
    const int64_t r = pvgi_perturb_range(s, column);
    x = x > s->low[r] ? x : s->low[r];
    return x < s->high[r] ? x : s->high[r];
}

/* The state of a perturber made below, NULL for another one. */
const pvgi_feature_state *pvgi_perturb_features_state(const pvg_perturber *perturber);
int32_t pvgi_perturb_features_new(pvg_perturber **out, const pvg_features_config *config,
                                  const pvg_target *target, const double *low,
                                  const double *high);
double pvgi_perturb_feature_variance(const pvgi_feature_state *state, int64_t column,
                                     double value);

/* Chance of a 1 at x in [low, high], in 2^-64: from least to 2^64 - least. */
uint64_t pvgi_perturb_bit_threshold(uint64_t least, double x, double low, double high);
/* Mean of the bit as +-1 at the upper end: (E-1)/(E+1) as realised. */
double pvgi_perturb_bit_gain(uint64_t least);
/* What a bit of a column adds to the middle of its range, or subtracts from it. */
double pvgi_perturb_bit_step(const pvgi_feature_state *state, int64_t column);
int32_t pvgi_perturb_bits_make(pvgi_content *out, void **scratch,
                               const pvg_perturber *perturber,
                               const pvgi_perturb_input *input, pvgi_run *run);
int32_t pvgi_perturb_bits_draw(pvgi_content *out, const pvg_perturber *perturber,
                               const pvgi_perturb_input *input, const pvgi_stream *call,
                               pvgi_run *run);

/* --- subsets and lists (choose.c) -------------------------------------------------- */

/* A uniform subset of 0..bound-1, ascending; bound < 2^31. */
int32_t pvgi_perturb_choose(int32_t *out, int64_t count, int64_t bound,
                            pvgi_stream *stream);
/* Turns ascending ranks among the numbers not in `excluded` (ascending) into numbers. */
void pvgi_perturb_pass_over(int32_t *ranks, int64_t count, const int32_t *excluded,
                            int64_t many);
/* Lends the entries of a row from column `from` on. */
const int32_t *pvgi_perturb_row(const pvg_graph *graph, int64_t node, int64_t from,
                                int64_t *count);

/* --- sets of the same size (subset.c) ---------------------------------------------- */

/* The walk that finds how many members stay: from the mode above or below, or not; then
 * on outward from k with chances[k - low]. */
typedef struct {
    int64_t low, high, mode;
    double above, below;
} pvgi_overlap;
/* chances: length + 1. */
pvgi_overlap pvgi_perturb_overlap_law(double *chances, int64_t universe, int64_t length,
                                      double epsilon);
int64_t pvgi_perturb_overlap_draw(const pvgi_overlap *law, const double *chances,
                                  pvgi_stream *stream);
/* What the law is made with so that its roundings stay within epsilon; 0: a uniform set.
 */
double pvgi_perturb_overlap_epsilon(int64_t length, double epsilon);
int32_t pvgi_perturb_subset_new(pvg_perturber **out, const pvg_lists_config *config,
                                const pvg_target *target);

/* --- lists that keep their length (lists.c) ---------------------------------------- */

/* The largest epsilon of each list such that all together stay within `epsilon`. */
double pvgi_perturb_lists_budget(int32_t lists, double epsilon);
/* Guarantee of a target that is spent in full. */
pvg_guarantee pvgi_perturb_lists_promise(int32_t lists, const pvg_target *target,
                                         const char *noise, const char *claim);
/* Sets what is spent if each list spends `each`. */
void pvgi_perturb_lists_spend(pvg_guarantee *guarantee, int32_t lists, double each);

/* --- entry by entry (slots.c, similarity.c) ---------------------------------------- */

int32_t pvgi_perturb_slots_new(pvg_perturber **out, const pvg_slots_config *config,
                               const pvg_target *target, const int32_t *blocks,
                               const char *function);
int32_t pvgi_perturb_similar_new(pvg_perturber **out, const pvg_slots_config *config,
                                 const pvg_target *target, const double *similarities);

/* --- posterior of reports (blink.c) ------------------------------------------------ */

/* b of the beta model for degrees in [1, order - 2]. */
int32_t pvgi_perturb_blink_prior(double *b, const int64_t *degrees, int64_t order,
                                 pvgi_run *run);
/* The likelier answers after 1 or 2 reports on each pair, each a lie with chance
 * lie / 2^64. most: edges, PVG_E_LIMIT if more are expected; 0: any number. */
int32_t pvgi_perturb_blink_pairs(pvg_graph **out, const pvg_graph *graph, const double *b,
                                 uint64_t lie, int32_t reports, int64_t most,
                                 const pvgi_stream *call, pvgi_run *run);
int32_t pvgi_perturb_blink_new(pvg_perturber **out, const pvg_blink_config *config,
                               const pvg_target *target);

/* --- as published (privatizer.c) --------------------------------------------------- */

int32_t pvgi_perturb_graphprivatizer_new(pvg_perturber **out,
                                         const pvg_graphprivatizer_config *config,
                                         const pvg_target *target,
                                         const pvg_features *features);

/* --- neighbour lists (dprr.c) ------------------------------------------------------ */

int32_t pvgi_perturb_dprr_new(pvg_perturber **out, const pvg_dprr_config *config,
                              const pvg_target *target);

/* --- independent pairs (cells.c) --------------------------------------------------- */

/* Chances that a present edge stays and that an absent one appears. */
typedef struct {
    uint64_t keep[2]; /* keep[0] / 2^64 + keep[1] / 2^128 */
    pvgi_skip add;    /* at most 1/2 */
    double add_chance;
} pvgi_cell_rates;
/* keep and add in units of 2^-(64 + halvings); halvings in [0, 63]. */
pvgi_cell_rates pvgi_perturb_rates(uint64_t keep, uint64_t add, int halvings);
/* A binomial number of this many pairs with this mean is not larger, but with probability
 * 2^-64. */
double pvgi_perturb_most(double mean, int64_t pairs);
/* Pairs of `order` nodes. */
int64_t pvgi_perturb_pairs(int64_t order);
/* The graph after all pairs have answered; uses chunk streams 0, 1, ... below 2^14. */
int32_t pvgi_perturb_cells(pvg_graph **out, const pvg_graph *graph,
                           const pvgi_cell_rates *rates, const pvgi_stream *call,
                           pvgi_run *run);
/* Scratch bytes of pvgi_perturb_cells on an empty graph that gets `most` edges. */
size_t pvgi_perturb_cells_scratch(int64_t order, double most);

/* --- randomised response on pairs (response.c) ------------------------------------- */

typedef struct {
    uint64_t keep, add; /* in units of 2^-64 */
    double wish;        /* the chance to keep that was asked for, 0: none */
    int64_t edge_limit;
} pvgi_response;
/* config and target imported and checked, but for keep against epsilon. */
int32_t pvgi_perturb_response_new(pvg_perturber **out, const pvg_response_config *config,
                                  const pvg_target *target, const char *function);
/* NULL if the perturber is another one. */
const pvgi_response *pvgi_perturb_response_of(const pvg_perturber *perturber);
/* Edges that an empty graph gets, on average. */
double pvgi_perturb_response_expected(const pvgi_response *response, int64_t order);

/* Estimates from a released graph (estimate.c); out, variance as in the header. */
int32_t pvgi_perturb_estimate_edges(double *out, double *variance,
                                    const pvgi_response *response, const pvg_graph *graph,
                                    const char *function);
int32_t pvgi_perturb_estimate_degrees(double *out, double *variances,
                                      const pvgi_response *response,
                                      const pvg_graph *graph, const char *function);
int32_t pvgi_perturb_estimate_triangles(double *out, double *variance,
                                        const pvgi_response *response,
                                        const pvg_graph *graph, pvgi_run *run,
                                        const char *function);

/* --- LapGraph (lapgraph.c) --------------------------------------------------------- */

int32_t pvgi_perturb_lapgraph_new(pvg_perturber **out, const pvg_lapgraph_config *config,
                                  const pvg_target *target, const char *function);
bool pvgi_perturb_is_lapgraph(const pvg_perturber *perturber);
/* Edges that an empty graph gets: on average, and but with probability 2^-64. */
void pvgi_perturb_lapgraph_expected(double *expected, double *most,
                                    const pvg_perturber *perturber, int64_t order);

/* --- labels (labels.c) ------------------------------------------------------------- */

int32_t pvgi_perturb_labels_new(pvg_perturber **out, const pvg_labels_config *config,
                                const pvg_target *target);
/* Classes of a perturber made above, 0 for another one. */
int64_t pvgi_perturb_labels_classes(const pvg_perturber *perturber);
PVGI_SHARED void pvgi_perturb_labels_transition(double *out,
                                                const pvg_perturber *perturber);
int32_t pvgi_perturb_labels_histogram(double *estimates, double *variances,
                                      const pvg_perturber *perturber,
                                      const int32_t *released, int64_t count);

#endif
