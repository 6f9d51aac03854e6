/* density, inside: the compiled list, the engine for trees, the engine for everything
 * else, and the driver that runs both over graphs. */
#ifndef PVGI_DENSITY_H
#define PVGI_DENSITY_H

#include "base/base_internal.h"
#include "base/blas.h"
#include "graph/graph_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/density.h"

#include <stdatomic.h>

typedef unsigned __int128 pvgi_u128;

/* Graphs in a block-diagonal CSR: graph i owns nodes starts[i] .. starts[i+1]-1. */
typedef struct {
    int64_t count;
    const int64_t *starts, *offsets;
    const int32_t *columns;
} pvgi_hosts;

/* One graph inside a block-diagonal CSR. */
typedef struct {
    int64_t order;          /* nodes */
    int64_t base;           /* number of its first node; columns are global numbers */
    const int64_t *offsets; /* offsets[base .. base+order] */
    const int32_t *columns;
} pvgi_host;

/* --- the compiled list (compile.c) ---------------------------------------------- */

/* A connected pattern with at least one edge, in canonical form. */
typedef struct {
    pvgi_small graph;
    int32_t size; /* edges */
} pvgi_component;

/* A pattern as a product: its components are part[first .. first + parts - 1]. */
typedef struct {
    int64_t first;
    int32_t parts;
    int32_t order;    /* vertices of the parts */
    int32_t isolated; /* vertices in no part */
} pvgi_term;

typedef struct pvgi_tree_plan pvgi_tree_plan;
typedef struct pvgi_elim_plan pvgi_elim_plan;

struct pvg_density {
    PVGI_HANDLE;
    pvg_density_config config;
    int64_t count;   /* patterns */
    pvgi_term *term; /* of each */
    /* Patterns that have the same parts and vertices are one quotient, which is that of
     * the pattern divided[]. Those of one part come first, with their part and order. */
    int64_t quotients, quotients_of_one, *divided;
    int32_t *one_part, *one_order, *quotient; /* quotient: of each pattern */
    pvgi_small *graph;                        /* each as given, for roots */
    int32_t *part;
    int64_t components, trees; /* components 0 .. trees - 1 are trees */
    pvgi_component *component;
    int32_t largest;           /* vertices of the largest component */
    int32_t highest;           /* most vertices of the parts of a pattern */
    int64_t products_unshared; /* edges of all patterns that are forests */
    pvgi_tree_plan *tree_plan;
    pvgi_elim_plan *elim_plan; /* of components trees, trees + 1, ... */
};

int32_t pvgi_density_compile(pvg_density **out, const pvg_patterns *patterns,
                             const pvg_density_config *config);
void pvgi_density_free(pvg_density *density);
const char *pvgi_density_engine_of(const pvg_density *density, int64_t index);

/* --- densities from counts (combine.c) ------------------------------------------- */

int32_t pvgi_density_combine_compile(pvg_density *density);
/* out: densities in a graph with nodes, from the counts of all components and the powers
 * of its order. scratch: as many numbers as the first function says. */
size_t pvgi_density_combine_scratch(const pvg_density *density);
void pvgi_density_combine(double *out, const pvg_density *density, const double *values,
                          const double *power, double *scratch, pvgi_cpu level);

/* --- numbers (number.c) --------------------------------------------------------- */

/* out[k] = n^k rounded to nearest once, k = 0 .. highest, at most PVGI_PATTERN_ORDER. */
void pvgi_density_powers(double out[PVGI_PATTERN_ORDER + 1], int64_t n, int32_t highest);
/* Relative error of the count of a component in doubles, where it may pass 2^53. */
double pvgi_density_count_error(const pvg_density *density, int64_t component,
                                int64_t order, int64_t degree);
/* Bound of pvg_density_relative_error. */
double pvgi_density_error_bound(const pvg_density *density, int64_t index, int64_t order,
                                int64_t degree_bound);
/* *product *= factor; false if it does not fit. */
bool pvgi_density_times(pvgi_u128 *product, pvgi_u128 factor);
/* Count of a pattern from the counts of all components; false if it does not fit. */
bool pvgi_density_term_product(pvgi_u128 *out, const pvg_density *density, int64_t index,
                               const pvgi_u128 *counts, int64_t order);

/* --- driver (evaluate.c, count.c, rooted.c, edge.c) ----------------------------- */

/* Choices that change the speed and not the result; tests set them. Only `large` changes
 * the order of sums, and it is a constant of the library. */
typedef struct {
    pvgi_cpu level;
    int64_t large; /* graphs with more nodes are worked on by all threads together */
    int64_t block; /* small graphs are put together up to this many nodes */
} pvgi_density_tuning;
pvgi_density_tuning pvgi_density_default_tuning(void);

/* At least what pvgi_density_evaluate of densities reserves for any graphs of the orders
 * that starts tells, with no degree above degree_bound (scratch.c). */
int32_t pvgi_density_scratch_bound(size_t *out, const pvg_density *density,
                                   const int64_t *starts, int64_t count,
                                   int64_t degree_bound, uint32_t threads);

/* densities: graphs x patterns, or NULL; values: graphs x components, counts in doubles,
 * or NULL. eigenvalues: may be used if the config of the density says so. */
int32_t pvgi_density_evaluate(double *densities, double *values, bool eigenvalues,
                              const pvg_density *density, const pvgi_hosts *hosts,
                              const pvgi_density_tuning *tuning, pvgi_run *run);
/* The same of one graph in parts, whose patterns are trees: rows is the part, truncated
 * perhaps. All processes call it. The bits are those of a large graph in one process. */
int32_t pvgi_density_evaluate_parts(double *densities, const pvg_density *density,
                                    const pvg_parts *parts, const pvg_graph *rows,
                                    const pvgi_density_tuning *tuning, pvgi_run *run);
/* The first pattern that is none, or has a part that is none; -1: there is no such. */
int64_t pvgi_density_first_cycle(const pvg_density *density);
/* high NULL: 64 bits must do. */
int32_t pvgi_density_count(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvgi_hosts *hosts, const pvgi_density_tuning *tuning,
                           pvgi_run *run);
int32_t pvgi_density_rooted(double *out, const pvg_density *density, const int32_t *roots,
                            const pvg_graph *graph, const pvgi_density_tuning *tuning,
                            pvgi_run *run);
int32_t pvgi_density_edges(uint64_t *low, uint64_t *high, const pvg_density *density,
                           const pvg_graph *graph, const int64_t *sources,
                           const int64_t *targets, int64_t count, pvgi_run *run);

/* --- triangles (triangles.c) ----------------------------------------------------- */

/* Largest number of common neighbours of any two nodes; triangles. Either may be NULL.
 * scratch: triangles_bytes, for any graph of that order; entries for the edges are
 * allocated besides. */
size_t pvgi_density_triangles_bytes(int64_t order, const pvgi_run *run);
int32_t pvgi_density_triangles(int64_t *common, int64_t *triangles,
                               const pvg_graph *graph, void *scratch, pvgi_run *run);

/* --- what counting costs at most (cost.c) ---------------------------------------- */

int32_t pvgi_density_cost(double *operations, const pvg_density *density, int64_t order,
                          int64_t degree_bound);

/* --- hash map from 64-bit keys to small numbers (map.c) ------------------------- */

typedef struct {
    uint64_t *keys; /* 0: free */
    int32_t *values;
    size_t capacity, used; /* capacity is a power of two, or 0 */
} pvgi_map;

/* Value of a key, which must not be 0; -1 if it is not there. */
int32_t pvgi_density_map_get(const pvgi_map *map, uint64_t key);
/* Adds or replaces. */
int32_t pvgi_density_map_put(pvgi_map *map, uint64_t key, int32_t value);
void pvgi_density_map_free(pvgi_map *map);

/* --- trees: the plan (tree/plan.c, tree/schedule.c) ----------------------------- */

/* A rooted tree as brackets, 1 opening, larger subtrees first: one word per tree of up to
 * 32 vertices, equal for isomorphic rooted trees. */
typedef uint64_t pvgi_tree_code;
enum { PVGI_TREE_LEAF = 2 }; /* "10" */

/* One step of the program. Columns have one double per node. With x = a * b node by node:
 *   MULTIPLY  to[0] = a[0] * b[0]
 *   LOAD      panel column j = a[j] * b[j], j < width
 *   SPREAD    to[j] = A * panel column j: at each node the sum over its neighbours
 *   ROOTS     result to[j] = sum over the nodes of a[j] * b[j], j < 4
 * Columns are slots, or one of the two constants below; result -1 is thrown away. */
enum { PVGI_TREE_MULTIPLY, PVGI_TREE_LOAD, PVGI_TREE_SPREAD, PVGI_TREE_ROOTS };
enum { PVGI_PANEL = 8, PVGI_COLUMN_ONES = -1, PVGI_COLUMN_NONE = -2 };
typedef struct {
    int32_t kind, width; /* width of a panel: 1, 2, 4 or 8 */
    int32_t a[PVGI_PANEL], b[PVGI_PANEL], to[PVGI_PANEL];
} pvgi_tree_step;

/* Every LOAD is followed by its SPREAD. A phase begins at the start or with a SPREAD and
 * ends before the next. Slot 0 of a narrow program holds the degrees at the start. In a
 * wide one slots up to `slots` hold columns that a later phase reads; the others, up to
 * slots + passing, only what a phase makes and reads itself, and the first of these the
 * degrees at the start of every phase. */
typedef struct {
    pvgi_tree_step *step;
    int64_t steps, capacity;
    int32_t slots, passing;
    int32_t widest[2]; /* of the panels 0, 2, .. and 1, 3, .. */
} pvgi_tree_program;

struct pvgi_tree_plan {
    int64_t trees;    /* results */
    int64_t products; /* columns spread, the cost */
    /* The same sums, scheduled twice: for graphs that fit in the cache, where a panel
     * costs as its columns do, and for large ones, where it costs as its rows do. */
    pvgi_tree_program narrow, wide;
};

/* roots: the root of each tree, NULL to choose those that need fewest products. */
int32_t pvgi_density_tree_compile(pvgi_tree_plan **out, const pvgi_small *const *trees,
                                  const int32_t *roots, int64_t count);
void pvgi_density_tree_free(pvgi_tree_plan *plan);
/* Codes of the children of the root, in the order of the brackets; returns how many. */
int32_t pvgi_density_tree_children(pvgi_tree_code children[PVGI_PATTERN_ORDER],
                                   pvgi_tree_code tree);
/* Writes both programs: types are the subtrees to be spread, children before parents;
 * roots the whole trees. */
int32_t pvgi_density_tree_schedule(pvgi_tree_program *out, const pvgi_tree_code *types,
                                   int64_t type_count, const pvgi_tree_code *roots,
                                   int64_t root_count, bool wide);

/* --- trees: the inner loops (tree/kernel.c) ------------------------------------- */

/* A block: consecutive nodes of a set, rows of a panel. Slices of four nodes are sorted
 * by their longest list, which is below PVGI_LONG: their lists are rewritten to equal
 * lengths, filled up with the row after the last, which is zero. Other slices, and those
 * with one long list among short ones, keep theirs, and are in the last class. */
enum { PVGI_SHORT = 4, PVGI_LONG = 16, PVGI_CLASSES = PVGI_LONG + 1 };
typedef struct {
    int64_t base, order;    /* first node and number of nodes */
    int64_t padded;         /* order as a multiple of 4 */
    const int64_t *offsets; /* of the first node on */
    const int32_t *columns;
    int64_t end; /* of columns */
    /* 4 times a row. Lists up to PVGI_SHORT: those of node i from PVGI_SHORT i on; of
     * slice s otherwise from even[s] on, PVGI_LONG - 1 at most per node */
    uint32_t *entries;
    int32_t *even;
    int32_t *list[PVGI_CLASSES]; /* first nodes of slices, by length */
    int64_t count[PVGI_CLASSES];
} pvgi_tree_cut;

/* A graph inside a block. */
typedef struct {
    int64_t start, nodes;
} pvgi_segment;

/* All arrays are 32-byte aligned and counts of nodes are multiples of 4. The same source
 * compiled for several instruction sets, so the same bits.
 *
 * Row i of a panel: 4 numbers at i * stride and, if the panel has 8 columns, 4 more at
 * i * stride + half. In a block the stride is 4, in a large graph rows are whole. */
typedef struct {
    void (*multiply)(double *to, const double *a, const double *b, int64_t nodes);
    /* row i, number j = a[j][i] * b[j][i]; rows of 1 or 2 numbers are whole or have a
     * stride of 4 */
    void (*load)(double *rows, int64_t stride, int64_t half, int32_t width,
                 const double *const *a, const double *const *b, int64_t nodes);
    /* Fills entries, lists and counts; and the degrees. */
    void (*cut)(double *degrees, pvgi_tree_cut *cut);
    /* to[j][i] = sum of the numbers j of the rows of the neighbours of i. */
    void (*spread)(double *const *to, const double *rows, int64_t half, int32_t width,
                   const pvgi_tree_cut *cut);
    /* The same for nodes first .. first + nodes - 1 of a large graph (those beyond its
     * order have no neighbours), to[j] starting with node `first`. */
    void (*spread_rows)(double *const *to, const double *rows, int32_t width,
                        const pvgi_host *host, int64_t first, int64_t nodes);
    /* sums[s * stride + to[j]] = sum over segment s of a[j] * b[j]; j < 4, to[j] >= 0.
     * Reads up to 3 numbers beyond a segment. */
    void (*sum)(double *sums, int64_t stride, const int32_t *to, const double *const *a,
                const double *const *b, const pvgi_segment *segments, int64_t count);
} pvgi_tree_kernels;

/* Best kernels for an instruction set; those of a lower level if it has none of its own.
 */
const pvgi_tree_kernels *pvgi_density_tree_kernels(pvgi_cpu level);
/* The same for counts modulo 2^64 (tree/residue.c). */
const pvgi_tree_kernels *pvgi_density_tree_residue_kernels(pvgi_cpu level);

/* --- trees: running a plan (tree/block.c, large.c, exact.c, residue.c) ----------- */

/* Scratch of one worker for blocks of at most `nodes` nodes and `graphs` graphs. */
typedef struct {
    double *columns, *rows, *ones, *none;
    int32_t *lists; /* of slices, class by class, and where their entries are */
    uint32_t *entries;
    pvgi_segment *segments;
    int64_t stride; /* from column to column */
    int64_t slices; /* room for, in each class */
} pvgi_tree_scratch;
typedef struct {
    int64_t nodes, graphs;
} pvgi_block_size;

size_t pvgi_density_tree_scratch_bytes(const pvgi_tree_plan *plan, pvgi_block_size size);
int32_t pvgi_density_tree_scratch_new(pvgi_tree_scratch *out, const pvgi_tree_plan *plan,
                                      pvgi_block_size size);
void pvgi_density_tree_scratch_free(pvgi_tree_scratch *scratch);
/* values[(g - first) * stride + i] = hom(tree i, graph g) for graphs first .. last - 1,
 * together in one block. marks: of narrow steps to run, NULL for all. */
void pvgi_density_tree_block(double *values, int64_t stride, const pvgi_tree_plan *plan,
                             const pvgi_tree_kernels *kernels, const pvgi_hosts *hosts,
                             int64_t first, int64_t last, const uint8_t *marks,
                             pvgi_tree_scratch *scratch);

/* A large graph, rows of nodes shared out to threads: values[i] = hom(tree i, host), and,
 * if rooted is not NULL, rooted[v * plan->trees + i] = the part of node v. parts: of
 * which the host is one, all of which make this call; NULL: it is the whole. */
size_t pvgi_density_tree_large_bytes(const pvgi_tree_plan *plan, int64_t order,
                                     int64_t borrowed, uint32_t workers);
int32_t pvgi_density_tree_large(double *values, double *rooted,
                                const pvgi_tree_plan *plan,
                                const pvgi_tree_kernels *kernels, const pvgi_host *host,
                                const pvg_parts *parts, pvgi_run *run);

/* For residues: the column of ones of a scratch. */
void pvgi_density_tree_set_ones(pvgi_tree_scratch *scratch);
/* Whether a count is known from its value in doubles, with that relative error, and its
 * residue modulo 2^64; and the count. */
bool pvgi_density_tree_is_told(double value, double error);
pvgi_u128 pvgi_density_tree_complete(double value, uint64_t residue);

/* What the trees i with kinds[i] = kind need of a program: marks[s], bit j tells whether
 * column or root j of step s is needed. live: room for as many slots as there are. */
void pvgi_density_tree_mark(uint8_t *marks, const pvgi_tree_program *program,
                            const uint8_t *kinds, uint8_t kind, bool *live);
/* counts[i] = hom(tree i, host) exactly, for the trees that the marks of the narrow
 * program are of, all trees if NULL. PVG_E_LIMIT with *which = i if tree i has 2^128 or
 * more (no message is set). columns: room for pvgi_density_tree_exact_columns(plan) times
 * order + 1 words. */
size_t pvgi_density_tree_exact_columns(const pvgi_tree_plan *plan);
int32_t pvgi_density_tree_exact(pvgi_u128 *counts, int64_t *which,
                                const pvgi_tree_plan *plan, const uint8_t *marks,
                                const pvgi_host *host, pvgi_u128 *columns);

/* The columns of a program over some nodes, and what to do with finished roots. */
typedef struct {
    const pvgi_tree_program *program;
    const uint8_t *marks; /* of steps to run; NULL: all */
    const pvgi_tree_kernels *kernels;
    double *columns; /* slot s, node i: columns[s * stride + i] */
    int64_t stride;
    double *passing; /* of a wide program: the slots of a phase, from its first node on */
    int64_t passing_stride;
    int64_t half;        /* of a panel: 4 numbers per row up to there; 0: whole rows */
    double *ones, *none; /* constant 1 / thrown away, for as many nodes as are run */
    double *sums;        /* sums[segment * sum_stride + tree] */
    int64_t sum_stride;
    const pvgi_segment *segments; /* relative to the first node run */
    int64_t segment_count;
    double *rooted; /* NULL, or rooted[node * rooted_stride + tree], node < order */
    int64_t rooted_stride, order;
} pvgi_tree_frame;
/* Runs steps from `step` on, over nodes first .. first + nodes - 1, until the next SPREAD
 * or the end; returns where it stopped. LOAD fills its rows of the panel `rows`. */
int64_t pvgi_density_tree_local(const pvgi_tree_frame *frame, int64_t step, int64_t first,
                                int64_t nodes, double *rows);
/* Where SPREAD puts its columns, from node `first` on. */
void pvgi_density_tree_targets(double *to[PVGI_PANEL], const pvgi_tree_frame *frame,
                               const pvgi_tree_step *step, int64_t first);

/* --- components of width 2 and more (elim.c) ------------------------------------ */

/* Components are connected and distinct up to isomorphism; compiled together so that
 * steps are shared. */
int32_t pvgi_density_elim_compile(pvgi_elim_plan **out,
                                  const pvgi_small *const *components, int64_t count);
void pvgi_density_elim_free(pvgi_elim_plan *plan);
/* "cycles", "cliques" or "elimination". */
const char *pvgi_density_elim_engine(const pvgi_elim_plan *plan, int64_t component);
/* Memory of the elimination on any host of this order and degree, at most, if `workers`
 * threads share it (elim/bound.c). */
double pvgi_density_elim_bytes(const pvgi_elim_plan *plan, int64_t order, int64_t degree,
                               uint32_t workers);
/* Scratch of one worker; grows as needed up to byte_limit (0: none) and is reused from
 * graph to graph. */
typedef struct pvgi_elim_scratch pvgi_elim_scratch;
int32_t pvgi_density_elim_scratch_new(pvgi_elim_scratch **out, const pvgi_elim_plan *plan,
                                      size_t byte_limit);
void pvgi_density_elim_scratch_free(pvgi_elim_scratch *scratch);
/* From now on this scratch is used by the calling thread only, which may call BLAS. */
void pvgi_density_elim_allow_blas(pvgi_elim_scratch *scratch);
/* The calling thread only, outside of chunks: the threads of `crew` help with hosts from
 * now on; NULL: no more. Same bits. */
void pvgi_density_elim_set_crew(pvgi_elim_scratch *scratch, pvgi_run *crew);
/* Who is told how far a host is, and who says when to stop. The calling thread reports to
 * run (fraction f of a host is start + share f of the phase) and passes on that it was
 * cancelled; other threads have no run and look at stop. Both may be NULL. */
typedef struct {
    pvgi_run *run;
    _Atomic bool *stop;
    double start, share;
} pvgi_elim_watch;
void pvgi_density_elim_set_watch(pvgi_elim_scratch *scratch,
                                 const pvgi_elim_watch *watch);
/* counts[i] = hom(component i, host), as doubles / as exact integers. known[i], unless it
 * is not a number, is the count of component i, found elsewhere; known may be NULL.
 * PVG_E_LIMIT with *which = i if component i overflows (which = -1: the scratch limit).
 * A count below 2^53 is exact in doubles too (see elim/dense.inc). */
int32_t pvgi_density_elim_count(double *counts, const double *known,
                                const pvgi_elim_plan *plan, const pvgi_host *host,
                                pvgi_elim_scratch *scratch);
int32_t pvgi_density_elim_count_exact(pvgi_u128 *counts, int64_t *which,
                                      const double *known, const pvgi_elim_plan *plan,
                                      const pvgi_host *host, pvgi_elim_scratch *scratch);
/* The length of the cycle that a component of engine "cycles" is, else 0. */
int32_t pvgi_density_elim_cycle(const pvgi_elim_plan *plan, int64_t component);
/* rows[v * count + i] = number of homomorphisms of component i that map its vertex
 * roots[i] to node base + v; components by their numbers in the plan, as compiled. */
int32_t pvgi_density_elim_rooted(double *rows, const int32_t *roots,
                                 const pvgi_elim_plan *plan, const pvgi_host *host,
                                 pvgi_elim_scratch *scratch);

/* --- cycles by eigenvalues (eigen.c) --------------------------------------------- */

/* Whether the order is not too large; bytes of scratch that it needs. */
bool pvgi_density_eigen_fits(int64_t order);
size_t pvgi_density_eigen_bytes(int64_t order);
/* Lends the eigenvalues, ascending, inside scratch; *moved bounds the root of the sum of
 * their squared errors, and may be infinite. Calling thread only. */
const double *pvgi_density_eigen_values(double *moved, const pvgi_host *host,
                                        double *scratch);
/* counts[i] = hom(cycle of lengths[i], host), off by at most errors[i], which may be
 * infinite. Calling thread only. */
int32_t pvgi_density_eigen_cycles(double *counts, double *errors, const int32_t *lengths,
                                  int64_t count, const pvgi_host *host, double *scratch);
/* The integer if the bound leaves only one, the count if its relative error is at most
 * the tolerance, else not a number. */
#define PVGI_EIGEN_TOLERANCE 0x1p-30
double pvgi_density_eigen_accept(double count, double error);

/* --- products of dense matrices (dense.c) ---------------------------------------- */

/* Orders of hosts that products of dense matrices may be used for. */
enum { PVGI_DENSE_ORDER_LEAST = 48, PVGI_DENSE_ORDER_MOST = 2048 };
/* Whether tables of a host are likely to be so dense that these products are faster. */
bool pvgi_density_dense_likely(const pvgi_host *host);
/* out = a b^T: out is rows x columns, a is rows x inner, b is columns x inner, all row by
 * row. */
static inline void pvgi_density_dense_multiply(double *out, const double *a,
                                               const double *b, int64_t rows,
                                               int64_t inner, int64_t columns) {
    pvgi_blas_multiply(out, a, false, b, true, rows, inner, columns, false);
}

#endif
