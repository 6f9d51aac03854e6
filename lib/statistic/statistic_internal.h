/* statistic, inside: what every statistic has, and one row of functions per kind. */
#ifndef PVGI_STATISTIC_H
#define PVGI_STATISTIC_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "mechanism/mechanism_internal.h"
#include "preview/preview_internal.h"
#include "rng/rng_internal.h"
#include "statistic/make.h"

#include <stdatomic.h>

/* Scratch of public size, made before anything is paid: blocks are taken from its front.
 */
typedef struct {
    char *block;
    size_t used, bytes;
    const double *before; /* in a joined draw: the numbers of all parts drawn before */
} pvgi_scratch;
/* What a block of count x bytes takes of the scratch. */
static inline size_t pvgi_scratch_bytes(size_t count, size_t bytes) {
    const size_t whole = pvgi_size_mul(count, bytes);
    return whole > SIZE_MAX - 63 ? SIZE_MAX : (whole + 63) / 64 * 64;
}
/* Not initialised, 64-byte aligned; NULL, with a message, if the scratch is too small. */
void *pvgi_statistic_take(pvgi_scratch *scratch, size_t count, size_t bytes);
void *pvgi_statistic_take_zero(pvgi_scratch *scratch, size_t count, size_t bytes);

/* Lists, and with them the groups of their persons; NULL: none are read. */
typedef struct {
    const pvg_lists *lists;
    const pvg_labels *labels;
} pvgi_list_input;

/* How numbers about lists were made. */
typedef struct {
    const pvgi_joint *law; /* NULL: none has noise of its own */
    int64_t first;         /* column of a row from which on they have it */
    double each;           /* what one person adds to a number, at most */
    int64_t pairs;         /* of so many things; 0: they are not pairs */
} pvgi_list_read;

/* What somebody who plans supposes of a graph; 0: nothing. */
typedef struct {
    int64_t common; /* what two nodes have in common at most, where noise follows that */
    double degree;  /* the mean, where a cap is drawn */
} pvgi_guess;

/* One kind. */
typedef struct {
    const char *word; /* "edge histograms" */
    /* Before anything is paid: is this a graph the statistic was made for? From public
     * values only. The number of nodes is compared by the frame. May be NULL. */
    int32_t (*check)(const pvg_statistic *statistic, int64_t order, const char *function);
    /* What draw takes of its room for a graph of this order, at most. */
    size_t (*bytes)(const pvg_statistic *statistic, int64_t order, const pvgi_run *run);
    /* Writes rows x columns numbers. call: the stream of the call, unread, for
     * pvgi_rng_stream_open_chunk. NULL call: without noise, for values_exact. */
    int32_t (*draw)(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run);
    /* Of kinds that may be asked of a graph in parts; all processes call it together.
     * Exact numbers are sums over them; noise of numbers of the whole graph is drawn by
     * process 0 and shared. rows x columns numbers, if it gives a row for each node those
     * of the own ones. */
    int32_t (*draw_parts)(double *out, const pvg_statistic *statistic,
                          const pvg_parts *parts, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run);
    /* What that takes of its scratch with so many own nodes and borrowed ones. */
    size_t (*parts_bytes)(const pvg_statistic *statistic, int64_t own, int64_t borrowed,
                          const pvgi_run *run);
    /* Instead of draw, of kinds that read lists. */
    int32_t (*draw_lists)(double *out, const pvg_statistic *statistic,
                          const pvgi_list_input *input, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run);
    /* Of the same kinds: what a read-out must know. */
    void (*read)(pvgi_list_read *out, const pvg_statistic *statistic);
    /* Deviation of the noise of each column; NaN where it depends on the graph; NULL: all
     * do. */
    void (*deviation)(double *out, const pvg_statistic *statistic);
    /* Frees what hangs on the state, not the state itself. May be NULL. */
    void (*drop)(void *state);
    /* One column for graphs of `order` nodes, from what draw reads. times: all scales are
     * divided by it. NULL for joined. */
    void (*plan)(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times);
    /* Its name. */
    void (*label)(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column);
} pvgi_statistic_kind;

struct pvg_statistic {
    PVGI_HANDLE;
    const pvgi_statistic_kind *kind;
    int32_t allow_seeded;
    int64_t order;  /* nodes of the graph, persons; 0: any number */
    int64_t things; /* of lists; 0: it reads none */
    int64_t rows, columns;
    pvg_guarantee guarantee; /* seeded is filled in when drawing */
    void *state;             /* of the kind; one block */
    atomic_int users;        /* handles and joined statistics that hold it */
    bool fixed;   /* has numbers of nodes inside: can only be planned for its order */
    bool by_node; /* a row for each node */
};

/* --- frame (frame.c) --------------------------------------------------------------- */

/* Imports a target. laws: bits 1 << PVG_NOISE_* that the kind knows; DEFAULT becomes
 * LAPLACE. The rest is pvgi_mechanism_import_target. */
int32_t pvgi_statistic_target(pvg_target *out, const char *function,
                              const pvg_target *target, uint32_t laws);
/* Words for a noise law on whole numbers. */
const char *pvgi_statistic_noise_word(int32_t noise);
/* New statistic with `bytes` of zeroed state. The caller fills in order, rows and
 * columns.
 */
int32_t pvgi_statistic_make(pvg_statistic **out, const pvgi_statistic_kind *kind,
                            const pvg_target *target, const pvg_guarantee *guarantee,
                            size_t bytes);
void pvgi_statistic_free(pvg_statistic *statistic);
/* Deviations of all columns; PVG_E_PRIVACY if all of them depend on the graph. */
int32_t pvgi_statistic_deviations(double *out, const pvg_statistic *statistic,
                                  const char *function);
/* status, after freeing the statistic if it could not be finished. */
int32_t pvgi_statistic_kept(pvg_statistic *statistic, int32_t status);
/* One more user, who frees it as well. */
pvg_statistic *pvgi_statistic_share(pvg_statistic *statistic);
/* What is checked of a graph of this order before anything is paid. */
int32_t pvgi_statistic_check(const pvg_statistic *statistic, int64_t order,
                             const char *function);
/* The same of lists: their things, and groups for exactly their persons. */
int32_t pvgi_statistic_check_lists(const pvg_statistic *statistic,
                                   const pvgi_list_input *input, const char *function);
/* Scratch of one draw for graphs of this order: limit, then memory. See scratch_free. */
int32_t pvgi_statistic_scratch(pvgi_scratch *out, const pvg_statistic *statistic,
                               int64_t order, const pvgi_run *run);
int32_t pvgi_statistic_scratch_new(pvgi_scratch *out, size_t bytes, const pvgi_run *run);
void pvgi_statistic_scratch_free(pvgi_scratch *scratch);
/* Draws from the front of the scratch. */
int32_t pvgi_statistic_draw(double *out, const pvg_statistic *statistic,
                            const pvg_graph *graph, pvgi_scratch *scratch,
                            const pvgi_stream *call, pvgi_run *run);

/* Graphs in parts: the same checks with public bounds, the scratch, and the draw. */
int32_t pvgi_statistic_scratch_parts(pvgi_scratch *out, const pvg_statistic *statistic,
                                     const pvg_parts *parts, const pvgi_run *run,
                                     const char *function);
int32_t pvgi_statistic_draw_parts(double *out, const pvg_statistic *statistic,
                                  const pvg_parts *parts, pvgi_scratch *scratch,
                                  const pvgi_stream *call, pvgi_run *run);

/* --- planning (plan.c) ------------------------------------------------------------- */

/* A line for each column; for joined ones, for each number. */
int32_t pvgi_statistic_lines(pvg_preview **out, const pvg_statistic *statistic,
                             int64_t order, const pvgi_guess *guess, bool brief);

/* --- edge histograms (histogram.c) ------------------------------------------------ */

int32_t pvgi_statistic_histogram_new(pvg_statistic **out,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes,
                                     const char *function);
/* One hop both ways with noise: each node gets the sum of the rows of its neighbours.
 * rows: order x columns, in steps of the law. hop_bytes: its scratch. parts: of which the
 * graph is the rows of one, or NULL; then rows has room for those that are borrowed, and
 * hop_bytes is that of PVG_PARTS_ROWS * 2 rows more. */
size_t pvgi_statistic_hop_bytes(int64_t order, int64_t columns, const pvgi_run *run);
int32_t pvgi_statistic_hop(double *out, int64_t *rows, int64_t columns,
                           const pvgi_joint *law, const pvg_graph *graph,
                           const pvg_parts *parts, pvgi_scratch *scratch,
                           const pvgi_stream *call, pvgi_run *run);
/* The law of the noise of edge histograms received by nodes, NULL for anything else: for
 * read-outs. */
PVGI_SHARED const pvgi_joint *
pvgi_statistic_histogram_law(const pvg_statistic *statistic);

/* --- degree distributions (degrees.c) --------------------------------------------- */

int32_t pvgi_statistic_degrees_new(pvg_statistic **out, const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups,
                                   const char *function);
/* What a degree statistic releases; arrays are lent. */
typedef struct {
    int64_t groups, levels, ranks;
    int64_t order;        /* 0: any, then there is one group and no sizes */
    const int64_t *sizes; /* of groups, or NULL */
    const int32_t *group; /* of nodes; NULL: all in one */
    double deviation;     /* of the noise of each number */
} pvgi_degree_shape;
/* False for another kind. */
bool pvgi_statistic_degrees_shape(pvgi_degree_shape *out, const pvg_statistic *statistic);

/* --- degrees at both ends of edges (ends.c) ---------------------------------------- */

/* A part of joined statistics of which part 0 is the diagrams. */
int32_t pvgi_statistic_ends_new(pvg_statistic **out, pvg_statistic *distributions,
                                const pvg_target *target, const char *function);
/* How its number was made, from the released numbers of the diagrams: weights are
 * min(degree, bound) / bound. */
typedef struct {
    double bound;     /* a power of two, at most 2^10 */
    double deviation; /* of the noise */
} pvgi_ends;
void pvgi_statistic_ends_frame(pvgi_ends *out, const pvg_statistic *statistic,
                               const double *distributions);
/* Weight of a node of that degree, in units of 2^-10. */
int32_t pvgi_statistic_ends_weight(int64_t degree, int64_t bound);
/* Sum of the products of both weights over edges u > v with u in [first, end), in units
 * of 2^-20. */
int64_t pvgi_statistic_ends_sum(const pvg_graph *graph, int64_t bound, int64_t first,
                                int64_t end);

/* --- one number with one of two budgets (either.c) ---------------------------------- */

/* Twice the edges, as released levels and clear ranks of one group tell it. */
double pvgi_statistic_degrees_total(const pvgi_degree_shape *shape, const double *row);
/* A part of joined statistics of which part 0 is the diagrams: of[1] if these tell of
 * `edges` edges or more, of[0] if not. Both ask for the same one number. It claims the
 * larger epsilon of the two. */
int32_t pvgi_statistic_either_new(pvg_statistic **out, pvg_statistic *const of[2],
                                  pvg_statistic *distributions, double edges,
                                  const pvg_target *target);
/* Which of the two it is, by the released numbers of the diagrams; any other statistic is
 * itself. */
const pvg_statistic *pvgi_statistic_either(const pvg_statistic *statistic,
                                           const double *distributions);

/* --- rungs of ladders (rungs.c) ---------------------------------------------------- */

/* Rung 0 has weight 1, rung t >= 1 has weight
 * 2 (part[0] + part[1] min(t-1, most) + part[2] C(t-1, 2)) e^(-t denominator/numerator);
 * parts below 2^63, part[1] below 2^33, part[2] <= 2; numerator, denominator in
 * [1, 2^48]. */
typedef struct {
    __int128 part[3];
    int64_t most; /* INT64_MAX: no bound */
    int64_t numerator, denominator;
} pvgi_rungs;
/* *trials: how many it took, for tests; fewer than eight are expected. May be NULL. */
int64_t pvgi_statistic_draw_rung(const pvgi_rungs *rungs, int64_t *trials,
                                 pvgi_stream *stream);
/* Uniform in 0 .. bound - 1; 0 < bound < 2^120. */
__int128 pvgi_statistic_draw_below(__int128 bound, pvgi_stream *stream);

/* True with chance 2^k e^(-numerator / denominator), 0.7 k <= that; denominator below
 * 2^60. */
bool pvgi_statistic_draw_chance(int k, __int128 numerator, int64_t denominator,
                                pvgi_stream *stream);
/* j >= 1 with chance e^(-j a) / slots, a = denominator / numerator < 2^56 each, j <= most
 * of the rungs; 0: none. For trials. */
int64_t pvgi_statistic_rise_slots(const pvgi_rungs *rungs);
int64_t pvgi_statistic_draw_rise(const pvgi_rungs *rungs, pvgi_stream *stream);

/* --- the greedy cap (cap.c) -------------------------------------------------------- */

/* Cells of pairs of nodes by the classes of both; a row each. */
typedef enum { PVGI_CAP_ALL, PVGI_CAP_WITHIN, PVGI_CAP_BLOCKS } pvgi_cap_cells;
int64_t pvgi_statistic_cap_rows(pvgi_cap_cells cells, int64_t classes);
/* What a cap that is drawn usually comes to in graphs of that mean degree, a guess: few
 * nodes have more than six times the mean. 0 without a guess. */
double pvgi_statistic_cap_usual(double degree, double most);
/* In how many cells one node can have edges. */
int64_t pvgi_statistic_cap_touched(pvgi_cap_cells cells, int64_t classes);

/* The edges of a graph in the public order of pairs. */
typedef struct {
    uint64_t *words, *spare; /* what the pair is mixed to */
    uint64_t key;
    int64_t count, degree; /* edges; the largest degree */
} pvgi_cap;
/* *out is for drop, also on failure. 16 bytes for each edge. */
int32_t pvgi_statistic_cap_order(pvgi_cap *out, const pvg_graph *graph, uint64_t key,
                                 pvgi_run *run);
void pvgi_statistic_cap_drop(pvgi_cap *cap);
/* Sorts them by cell, in each by the public order: from starts[r] to starts[r + 1]. */
void pvgi_statistic_cap_split(pvgi_cap *cap, int64_t *starts, pvgi_cap_cells cells,
                              int64_t classes, const int32_t *group);
/* The row of an edge between these classes. */
int64_t pvgi_statistic_cap_cell(pvgi_cap_cells cells, int64_t classes, int32_t a,
                                int32_t b);
/* How many of the edges from first to end each cap keeps; caps ascend. counts: cap_bytes,
 * zero before and after. */
size_t pvgi_statistic_cap_bytes(int64_t order);
int32_t pvgi_statistic_cap_kept(int64_t *out, const pvgi_cap *cap, int64_t first,
                                int64_t end, const int64_t *caps, int64_t count,
                                int64_t order, int32_t *counts, pvgi_run *run);
/* Of each node: edges that this cap keeps, of all. */
void pvgi_statistic_cap_degrees(int32_t *kept, const pvgi_cap *cap, int64_t most,
                                int64_t order);

/* The same edges, each in the process of either end (cap_parts.c). Arrays but those of
 * arcs are of the scratch, of cap_parts_bytes. */
typedef struct {
    const pvg_parts *parts;
    uint64_t key, full, free; /* full, free: words that no pair has */
    pvgi_cap_cells cells;
    int64_t classes, slots; /* cells that one node has edges in */
    const int32_t *group;   /* of all nodes, or NULL */
    int64_t degree;         /* the largest one of the whole graph */
    int64_t *starts;        /* own x slots + 1: arcs of a node in a slot */
    int32_t *live, *left;   /* of each slot: arcs not decided yet; edges it can take */
    uint64_t *last;         /* (own + borrowed) x slots: the last word it would take */
    uint64_t *words;        /* of arcs, ascending in every slot */
    int32_t *columns, *open;
} pvgi_cap_parts;
size_t pvgi_statistic_cap_parts_bytes(int64_t slots, int64_t own, int64_t borrowed);
/* *out is for drop, also on failure. 16 bytes for each arc of the own nodes. */
int32_t pvgi_statistic_cap_parts_order(pvgi_cap_parts *out, const pvg_parts *parts,
                                       uint64_t key, pvgi_cap_cells cells,
                                       int64_t classes, const int32_t *group,
                                       pvgi_scratch *scratch, pvgi_run *run);
void pvgi_statistic_cap_parts_drop(pvgi_cap_parts *cap);
/* How many edges of each cell each cap keeps, in all processes: rows x count. */
int32_t pvgi_statistic_cap_parts_kept(int64_t *out, pvgi_cap_parts *cap,
                                      const int64_t *caps, int64_t count, pvgi_run *run);
/* Of each own node: edges that this cap keeps, of all; one slot. */
int32_t pvgi_statistic_cap_parts_degrees(int32_t *kept, pvgi_cap_parts *cap, int64_t most,
                                         pvgi_run *run);

enum { PVGI_PICK_MAX = 64 };
/* Caps to choose from: 2, 3, 4, 6, 9, ... and the largest. How many. */
int64_t pvgi_statistic_cap_list(int64_t out[PVGI_PICK_MAX], int64_t most);

/* --- a cap and its count in one draw (pick.c) --------------------------------------- */

#define PVGI_PICK_ONE (INT64_C(1) << 24)
typedef struct {
    int64_t count;
    const int64_t *cap;    /* below 2^31 */
    const int64_t *value;  /* that it keeps, at most 2^48 */
    const int64_t *weight; /* at least 1; times the square of its cap at most 2^44, or 1;
                              without counts at most 2^44 */
    const int64_t *price;  /* at most 2^22 times its cap */
    int64_t rate;          /* epsilon / 2 in units of 1 / PVGI_PICK_ONE */
    bool counts;           /* noise on the count too */
} pvgi_pick;
/* Which one; *noise: to be added to its value. trials: may be NULL. */
int64_t pvgi_statistic_pick(int64_t *noise, const pvgi_pick *pick, int64_t *trials,
                            pvgi_stream *stream);
/* The one with the least price - value: of score 0. */
int64_t pvgi_statistic_pick_best(const pvgi_pick *pick);
/* Down. */
int32_t pvgi_statistic_pick_rate(int64_t *rate, double epsilon, const char *function);
/* Weights and prices of candidates for a rate; flat: in proportion to the root of the
 * cap, not to its square. */
void pvgi_statistic_pick_prior(int64_t *weight, int64_t *price, const int64_t *cap,
                               int64_t count, double epsilon, bool flat);

/* --- triangles under a cap (packing.c, capped_triangles.c) ------------------------- */

/* Triangles whose capped nodes are the same: 1 to 3 of them. */
typedef struct {
    int32_t node[3], nodes;
    int64_t many; /* below 2^42 together */
} pvgi_bundle;
typedef struct {
    int64_t cap, columns, nodes;
    const pvgi_bundle *column;
    double *x, *xs;                 /* for columns */
    double *y, *ys, *load, *weight; /* for nodes */
    int64_t *price, *held;          /* for nodes */
} pvgi_packing;
/* *out is in [f - gap, f], f the largest sum of shares of triangles with no more than
 * `cap` at any node; gap >= 2. Every node is in more than `cap` triangles. */
int32_t pvgi_statistic_pack(int64_t *out, const pvgi_packing *packing, int64_t gap,
                            pvgi_run *run);

typedef struct {
    int64_t most;  /* largest cap to choose; 0: any */
    int64_t order; /* at least 3 */
} pvgi_capped_triangles_config;
int32_t pvgi_statistic_capped_triangles_new(pvg_statistic **out, const char *name,
                                            const pvgi_capped_triangles_config *config,
                                            const pvg_target *target);
/* Caps to choose from in a graph of that order, and how far a node moves what each of
 * them gives. How many. */
int64_t pvgi_statistic_triangle_caps(int64_t caps[PVGI_PICK_MAX],
                                     int64_t change[PVGI_PICK_MAX], int64_t order,
                                     int64_t most);
/* What each cap gives, by the packing; caps ascend, gaps >= 2. For tests too. */
int32_t pvgi_statistic_triangles_packed(int64_t *out, const pvg_graph *graph,
                                        const int64_t *caps, const int64_t *gaps,
                                        int64_t count, void *block, pvgi_run *run);
size_t pvgi_statistic_packed_bytes(int64_t order);

/* --- capped edges, capped degrees (capped.c, bands.c) ----------------------------- */

typedef struct {
    int64_t cap;  /* 0: chosen privately */
    int64_t most; /* largest one to choose; 0: as many as there are nodes, less one */
    int64_t key;
    int32_t cells; /* pvgi_cap_cells */
    int64_t classes;
    int64_t order; /* 0: any, then there are no classes */
} pvgi_capped_config;
int32_t pvgi_statistic_capped_new(pvg_statistic **out, const char *name,
                                  const pvgi_capped_config *config,
                                  const pvg_target *target, const int32_t *group);
/* What a query of capped edges releases; false for another kind, or a fixed cap. */
typedef struct {
    int64_t rows, most, order; /* most: as given, 0: none was */
    double epsilon;            /* of each row */
    bool triangles;
} pvgi_capped_shape;
bool pvgi_statistic_capped_shape(pvgi_capped_shape *out, const pvg_statistic *statistic);
bool pvgi_statistic_capped_triangles_shape(pvgi_capped_shape *out,
                                           const pvg_statistic *statistic);

typedef struct {
    int64_t most, key, order; /* order >= 2 */
    double share;             /* of epsilon, for the choice of the cap */
} pvgi_bands_config;
int32_t pvgi_statistic_bands_new(pvg_statistic **out, const char *name,
                                 const pvgi_bands_config *config,
                                 const pvg_target *target);
enum { PVGI_BANDS_MAX = 96 };
/* Ends of bands of degrees, from ends[0] = 0 up to the largest cap. How many bands. */
int64_t pvgi_statistic_bands_ends(int64_t ends[PVGI_BANDS_MAX + 1], int64_t most);
/* What a query of capped degrees releases: cap, then a number for each band. */
typedef struct {
    int64_t order, most, bands;
    double epsilon; /* of the numbers */
} pvgi_bands_shape;
bool pvgi_statistic_bands_shape(pvgi_bands_shape *out, const pvg_statistic *statistic);
/* --- what noise follows, as a bound (bound.c) -------------------------------------- */

/* A number that one edge moves by at most one, beside the number whose noise follows it:
 * with it intervals are known (guarantee/interval.c). */
typedef struct {
    bool there;
    pvgi_joint law;
} pvgi_bound;
/* Takes a share of the budget, in [0, 1): *left is what remains, from below. 0: no bound.
 */
int32_t pvgi_statistic_bound(pvgi_bound *out, double *left, double share,
                             const pvg_target *target, const char *function);
/* One row: a count with the noise of a ladder, which spends so much, and its bound. */
void pvgi_statistic_bound_promise(pvg_statistic *statistic, int64_t order,
                                  const pvgi_bound *bound, double spent,
                                  const char *claim);
/* The released number; without call the number itself. */
double pvgi_statistic_bound_draw(const pvgi_bound *bound, int64_t exact,
                                 const pvgi_stream *call);
/* Adds its column after that of a ladder, and the measures of both. */
void pvgi_statistic_bound_describe(pvgi_columns *columns, const pvgi_bound *bound,
                                   const char *name, const char *unit, double least,
                                   double most, double ladder_most);

/* --- numbers that a node moves by one (node_scalars.c) ------------------------------ */

enum { PVGI_NODE_SCALARS_MAX = 16 };
typedef enum {
    PVGI_NODE_MATCHING,
    PVGI_NODE_FRACTIONAL,
    PVGI_NODE_DEGENERACY,
    PVGI_NODE_RANK /* the last one: words with a number */
} pvgi_node_number;
typedef struct {
    pvgi_node_number what;
    int64_t slant; /* of a rank, in [0, 2^31) */
} pvgi_node_scalar;
/* From a word: "matching", "fractional-matching", "degeneracy", "h-index", "rank2". */
bool pvgi_statistic_node_scalar(pvgi_node_scalar *out, const char *word, size_t length);
int32_t pvgi_statistic_node_scalars_new(pvg_statistic **out, const char *name,
                                        const pvgi_node_scalar *list, int64_t count,
                                        int64_t key, int64_t order,
                                        const pvg_target *target);

/* --- ratios by groups (ratios.c) ---------------------------------------------------- */

typedef enum {
    PVGI_RATIO_HOMOPHILY,    /* edges within classes over all */
    PVGI_RATIO_TRANSITIVITY, /* closed paths of two edges over all */
    PVGI_RATIO_MIXING,       /* edges between two classes over all */
    PVGI_RATIO_DENSITY       /* t(F, G) of a pattern */
} pvgi_ratio;
typedef struct {
    pvgi_ratio ratio;
    int32_t first, second; /* MIXING: classes */
    int64_t groups;        /* of nodes; 0: chosen */
    int64_t steps, key;    /* of the grid from 0 to high */
    int64_t order;         /* >= 1 */
    double high, fallback; /* fallback: of a group without edges, in [0, high] */
} pvgi_ratio_config;
/* pattern: one, for DENSITY. */
int32_t pvgi_statistic_ratio_new(pvg_statistic **out, const char *name,
                                 const pvgi_ratio_config *config,
                                 const pvg_target *target, const int32_t *labels,
                                 const struct pvg_patterns *pattern);
/* A point of 0 .. steps near the median of the values, which are sorted. block: of
 * median_bytes. */
size_t pvgi_statistic_median_bytes(int64_t groups);
int64_t pvgi_statistic_draw_median(int64_t *values, int64_t groups, int64_t steps,
                                   int64_t rate, void *block, pvgi_stream *stream);

/* --- triangles (ladder.c, common.c) ------------------------------------------------ */

/* Largest number of common neighbours of two nodes; triangles. Either may be NULL.
 * Besides its scratch, common_bytes, it takes a copy of the graph. */
size_t pvgi_statistic_common_bytes(int64_t order, const pvgi_run *run);
int32_t pvgi_statistic_common(int64_t *common, int64_t *triangles, const pvg_graph *graph,
                              pvgi_scratch *scratch, pvgi_run *run);
/* With scratch of its own. */
int32_t pvgi_statistic_common_exact(int64_t *common, int64_t *triangles,
                                    const pvg_graph *graph, pvgi_run *run);
enum { PVGI_LADDER_FLOOR = 10 }; /* unless told */
/* The rate denominator / numerator that spends at most epsilon above this floor. */
int32_t pvgi_statistic_ladder_rate(double *rate, double *spent, int64_t *numerator,
                                   int64_t *denominator, int64_t floor, double epsilon,
                                   const char *function);
/* denominator / numerator = *rate, a little below a; false if a is out of range. */
bool pvgi_statistic_ladder_ratio(double *rate, int64_t *numerator, int64_t *denominator,
                                 double a);
/* What is added; base = L in [0, cap], cap = order - 2. trials as in draw_rung. */
__int128 pvgi_statistic_ladder_noise(int64_t base, int64_t cap, int64_t numerator,
                                     int64_t denominator, int64_t *trials,
                                     pvgi_stream *stream);
int32_t pvgi_statistic_triangles_new(pvg_statistic **out,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target, const char *function);
/* Deviation of the noise of triangles where no two nodes have more common neighbours than
 * the floor: it has no less for any graph, and this is public. */
double pvgi_statistic_ladder_least(const pvg_statistic *statistic);

/* --- stars (stars.c) --------------------------------------------------------------- */

enum { PVGI_STARS_FLOOR = 20 }; /* unless told */
/* What is added; first >= second >= leaves, the two degrees. */
__int128 pvgi_statistic_stars_noise(int64_t first, int64_t second, int32_t leaves,
                                    int64_t numerator, int64_t denominator,
                                    int64_t *trials, pvgi_stream *stream);
int32_t pvgi_statistic_stars_new(pvg_statistic **out, const pvg_stars_config *config,
                                 const pvg_target *target, const char *function);

/* --- scalars (scalars.c, shape.c, radius.c) ---------------------------------------- */

int32_t pvgi_statistic_scalars_new(pvg_statistic **out, const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights, const char *function);
/* Its word, "cycle-rank"; NULL: there is none. */
const char *pvgi_statistic_scalar_name(int32_t scalar);
/* Any scalar that is an integer. */
size_t pvgi_statistic_shape_bytes(int32_t scalar, int64_t order);
int32_t pvgi_statistic_shape(int64_t *out, int32_t scalar, const pvg_graph *graph,
                             pvgi_scratch *scratch, pvgi_run *run);
/* Largest eigenvalue of the adjacency matrix, off by at most the tolerance. */
#define PVGI_RADIUS_TOLERANCE 0x1p-6
typedef struct {
    double low, high; /* proven */
    int64_t passes;   /* over the arcs */
} pvgi_radius;
size_t pvgi_statistic_radius_bytes(int64_t order);
int32_t pvgi_statistic_radius_bounds(pvgi_radius *out, const pvg_graph *graph,
                                     pvgi_scratch *scratch, pvgi_run *run);
int32_t pvgi_statistic_radius(double *out, const pvg_graph *graph, pvgi_scratch *scratch,
                              pvgi_run *run);

/* --- spectra (spectrum.c) ---------------------------------------------------------- */

int32_t pvgi_statistic_spectrum_new(pvg_statistic **out, int64_t order,
                                    const pvg_target *target, const char *function);

/* --- several under one budget (joined.c) ------------------------------------------- */

int32_t pvgi_statistic_joined_new(pvg_statistic **out, pvg_statistic **parts,
                                  int64_t count, const char *function);
/* The guarantee of a statistic whose rows stand one after the other in one. *out is for
 * drop, also on failure. */
int32_t pvgi_statistic_in_a_row(pvg_guarantee *out, const pvg_statistic *statistic);
/* Diagrams, counts between blocks, triangles and, with a share, ends, joined; all of
 * config is filled in but blocks, which may be 0 (synthesis.c). */
int32_t pvgi_statistic_synthesis_new(pvg_statistic **out,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks,
                                     const char *function);
/* Made by the function above. */
bool pvgi_statistic_is_synthesis(const pvg_statistic *statistic);
/* 0 for another kind. */
int64_t pvgi_statistic_joined_parts(const pvg_statistic *statistic);
/* Part i, lent, and where its numbers begin. */
const pvg_statistic *pvgi_statistic_joined_part(const pvg_statistic *statistic, int64_t i,
                                                int64_t *offset);

/* --- lists of persons and things (list*.c) ----------------------------------------- */

/* What all kinds that read lists are asked; the first field of their settings. */
typedef struct {
    int64_t things; /* 0: not given */
    int32_t absent; /* notion: 0 replaced, 1 absent */
} pvgi_list_settings;
typedef struct {
    pvgi_list_settings list;
    int64_t longest; /* 0: as many as there are things */
} pvgi_list_lengths;
typedef struct {
    pvgi_list_settings list;
    int64_t top;
    double counts; /* share of the budget for counts; 0: none are released */
} pvgi_list_top;
enum { PVGI_LIST_CLIPPED, PVGI_LIST_KEPT, PVGI_LIST_WHOLE };
typedef struct {
    pvgi_list_settings list;
    int32_t row;    /* PVGI_LIST_* */
    int64_t bound;  /* square of the largest norm of a row, or entries kept */
    int64_t key;    /* of the order in which entries are kept */
    int64_t groups; /* of persons, hidden as their lists; 0: none */
} pvgi_list_rows;
/* Public arrays. */
typedef struct {
    int64_t order;         /* persons; 0: any number */
    const int32_t *things; /* that are looked at; NULL: all */
    int64_t thing_count;
    const double *weights; /* of all things, or NULL */
} pvgi_list_arrays;

int32_t pvgi_statistic_list_lengths_new(pvg_statistic **out, const char *name,
                                        const pvgi_list_lengths *settings,
                                        const pvgi_list_arrays *arrays,
                                        const pvg_target *target);
int32_t pvgi_statistic_list_top_new(pvg_statistic **out, const char *name,
                                    const pvgi_list_top *settings,
                                    const pvgi_list_arrays *arrays,
                                    const pvg_target *target);
int32_t pvgi_statistic_list_rows_new(pvg_statistic **out, const char *name,
                                     const pvgi_list_rows *settings,
                                     const pvgi_list_arrays *arrays,
                                     const pvg_target *target);
int32_t pvgi_statistic_list_pairs_new(pvg_statistic **out, const char *name,
                                      const pvgi_list_settings *settings,
                                      const pvgi_list_arrays *arrays,
                                      const pvg_target *target);

/* How far one person moves a row of numbers, all together. */
typedef struct {
    double l1, l2;
    int grid; /* numbers are multiples of 2^grid */
} pvgi_list_change;

/* New statistic without law and shape, and the target with its law. laws: bits
 * 1 << PVG_NOISE_*; law: the one that DEFAULT is. */
int32_t pvgi_statistic_list_begin(pvg_statistic **out, pvg_target *own, const char *name,
                                  const pvgi_statistic_kind *kind,
                                  const pvgi_list_settings *settings, int64_t order,
                                  const pvg_target *target, uint32_t laws, int32_t law,
                                  size_t bytes);
/* The law for a joint change; target: with its law. */
int32_t pvgi_statistic_list_law(pvgi_joint *out, const char *name,
                                const pvgi_list_change *change, int64_t dimension,
                                const pvg_target *target);
/* The guarantee but for its columns. */
void pvgi_statistic_list_promise(pvg_statistic *statistic, const pvgi_joint *law,
                                 const pvg_curve_term *spent, double delta,
                                 double sensitivity, const char *claim);
/* values: multiples of 2^grid, count of them; adds noise, if there is a call, and writes
 * them. */
void pvgi_statistic_list_finish(double *out, int64_t *values, int64_t count,
                                const pvgi_joint *law, const pvgi_stream *call);
/* Which of the things are looked at: place[t] is the position of thing t, -1: it is not.
 * NULL things: all, each at its number. Copied; *out is for pvgi_free. */
int32_t pvgi_statistic_list_places(int32_t **out, const char *name, const int32_t *things,
                                   int64_t count, int64_t all);
/* Largest v with v v <= q < 2^62. */
int64_t pvgi_statistic_root(uint64_t q);

/* Things by descending counts, of equal ones the first first. */
void pvgi_statistic_list_sort(int32_t *order, int32_t *spare, const int64_t *counts,
                              int64_t things);
/* K rounds of the exponential mechanism without replacement: which, in the order in which
 * they were chosen. counts of `things` things; weight e^(count denominator / numerator).
 * scratch: two words for each thing. trials: the proposals it took, for tests; NULL. */
void pvgi_statistic_peel(int32_t *out, int64_t rounds, const int64_t *counts,
                         int64_t things, int64_t numerator, int64_t denominator,
                         int32_t *scratch, int64_t *trials, pvgi_stream *stream);

#endif
