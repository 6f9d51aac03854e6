/* density, inside the elimination engine: how the patterns of width 2 and more are turned
 * into steps once, and what a worker needs to run the steps on one graph after another.
 *
 * A step removes one pattern vertex: it joins all tables that mention the vertex, sums
 * over its images and leaves a table over the vertices it was linked to. Tables hold only
 * the tuples that occur. They are tries: rows by the image of the first vertex of the
 * scope, below it one sorted column array per further vertex, values at the last level.
 * A vertex of a step is known by the level at which its image is chosen, so that equal
 * steps of different patterns have equal descriptions and are kept once. */
#ifndef PVGI_DENSITY_ELIM_H
#define PVGI_DENSITY_ELIM_H

#include "density/density_internal.h"

enum {
    PVGI_ELIM_ARITY = PVG_PATTERN_WIDTH_MAX, /* vertices of a scope */
    PVGI_ELIM_LEVELS = PVGI_ELIM_ARITY + 1,
    PVGI_ELIM_FACTORS = 64 /* tables joined by one step */
};

/* Tables every host has. An edge of the pattern that lies in a triangle (in a clique of
 * four) can only go to such an edge of the host. */
enum {
    PVGI_ELIM_EDGE = 0, /* arcs of the host; the value is 1 */
    PVGI_ELIM_EDGE3,    /* arcs in a triangle */
    PVGI_ELIM_EDGE4,    /* arcs in a clique of four */
    PVGI_ELIM_WEIGHT,   /* vector: nodes that a node of the reduced host stands for */
    PVGI_ELIM_BASES
};

typedef struct {
    int32_t table;
    int8_t arity;
    int8_t level[PVGI_ELIM_ARITY]; /* of the step, ascending: the order of the trie */
} pvgi_elim_factor;

/* Position `position` (at least 1) of the scope of factor `factor` is chosen here. */
typedef struct {
    uint8_t factor, position, last;
} pvgi_elim_probe;

/* Which loops carry out a step; see elim/pairs.inc. */
typedef enum {
    PVGI_ELIM_JOIN, /* any step: the generic join */
    PVGI_ELIM_VECTORS,
    PVGI_ELIM_ROWS,
    PVGI_ELIM_PRODUCT,
    PVGI_ELIM_CHAIN,
    PVGI_ELIM_CLOSED
} pvgi_elim_shape;

/* With which source of its rows a step is folded; squares: the first, and it is a cycle
 * of four plain arcs (elim/corners.inc). */
enum {
    PVGI_ELIM_FOLD_NOT,
    PVGI_ELIM_FOLD_FIRST,
    PVGI_ELIM_FOLD_SECOND,
    PVGI_ELIM_FOLD_SQUARES
};

/* What a vertex of a step is to a matrix product; see elim/dense.inc. */
enum {
    PVGI_ELIM_AXIS_X, /* last but one vertex of the scope: rows of the product */
    PVGI_ELIM_AXIS_Y, /* last vertex of the scope: its columns */
    PVGI_ELIM_AXIS_V, /* the vertex removed */
    PVGI_ELIM_AXIS_SLICE,
    PVGI_ELIM_AXES = PVGI_ELIM_AXIS_SLICE
};

typedef struct {
    pvgi_elim_shape shape;
    int8_t pick[3]; /* factors over levels 01, 02, 12; -1: none */
    int8_t arity;   /* of the table it makes: at least 1 */
    int8_t levels;  /* arity + 1; arity for a product */
    int8_t summed;  /* level of the vertex removed; -1: product */
    int8_t direct;  /* tuples come in order and each once */
    int8_t dense;   /* matrix products may carry it out */
    int8_t passed;  /* rows may go straight to its readers; see elim/pass.inc */
    int8_t folded;  /* PVGI_ELIM_FOLD_...: rows are only summed up; see there */
    int8_t axis[PVGI_ELIM_LEVELS]; /* of each level, if so */
    int8_t out[PVGI_ELIM_ARITY];   /* level of each vertex of the scope; out[0] is 0 */
    int32_t weight;                /* vector that multiplies the summed vertex, or -1 */
    int32_t factor, factors;       /* range in the plan's factors */
    int32_t probe[PVGI_ELIM_LEVELS + 1]; /* ranges in the plan's probes by level */
    int32_t begin[PVGI_ELIM_LEVELS + 1]; /* ranges in the plan's beginners by level */
    int32_t uses;                        /* steps and patterns that read its table */
} pvgi_elim_step;

/* A pattern with one or two vertices fixed, the rest over whole tables: elim/fixed.c. */
enum { PVGI_ELIM_ROOTS = 2, PVGI_ELIM_FIXED_ARITY = 3, PVGI_ELIM_FIXED_FACTORS = 32 };
enum { PVGI_ELIM_BATCH, PVGI_ELIM_ROWS_SIDE, PVGI_ELIM_COLUMNS_SIDE };

typedef struct {
    int8_t table, other; /* a step that is no copy; -1: arcs to the vertex `other` */
    int8_t at[PVGI_ELIM_FIXED_ARITY]; /* of each place of the scope: its place there */
    int8_t removed;                   /* place of the vertex removed */
} pvgi_elim_fixed_factor;

typedef struct {
    int8_t vertex, arity, factors; /* the vertex removed */
    int8_t scope[PVGI_ELIM_FIXED_ARITY], side[PVGI_ELIM_FIXED_ARITY];
    /* the step that makes the same table, or this one; place j of the scope is place
     * moved[j] there */
    int8_t same, moved[PVGI_ELIM_FIXED_ARITY];
    bool symmetric; /* of two vertices, which may change places */
    pvgi_elim_fixed_factor factor[PVGI_ELIM_FIXED_FACTORS];
} pvgi_elim_fixed_step;

typedef struct {
    int32_t roots, steps;
    int8_t root[PVGI_ELIM_ROOTS], kind[PVGI_PATTERN_ORDER]; /* kind: roots next to it */
    bool joined;                                            /* the roots are */
    pvgi_elim_fixed_step step[PVGI_PATTERN_ORDER];
} pvgi_elim_fixed;

typedef enum { PVGI_ELIM_GENERAL, PVGI_ELIM_CYCLE, PVGI_ELIM_CLIQUE } pvgi_elim_kind;

typedef struct {
    pvgi_elim_kind kind;
    int32_t order;
    int32_t clique; /* 2, 3 or 4: largest clique it is known to contain */
    bool bipartite;
    bool cube;    /* elim/cubes.inc counts it in sparse hosts */
    int32_t grid; /* elim/grids.inc does: columns of a 3 x n grid, -4 for 4 x 4 */
    pvgi_elim_fixed *fixed; /* NULL: none; elim/fixed.c does, in dense hosts */
    int32_t step, steps;    /* range in the plan's lists: its steps, ascending */
    bool streamed;          /* rows of its tables are worth making a few at a time */
    int32_t result; /* vector whose sum is the count (rooted: which is the count) */
} pvgi_elim_pattern;

/* A step of a pattern. Of tables that begin with the vertex removed last, rows depend on
 * the same rows of one another alone, so that a window of them can be made at a time. */
typedef struct {
    int32_t step;
    bool windowed;
} pvgi_elim_entry;

struct pvgi_elim_plan {
    int64_t count;
    pvgi_small *graph; /* the components */
    pvgi_elim_pattern *pattern;
    pvgi_elim_step *step; /* step i makes table PVGI_ELIM_BASES + i */
    pvgi_elim_factor *factor;
    pvgi_elim_probe *probe;
    uint8_t *begin; /* factors whose first vertex is chosen at a level */
    pvgi_elim_entry *list;
    int32_t steps, factors, probes, begins, lists;
    int32_t step_capacity, factor_capacity, probe_capacity, begin_capacity, list_capacity;
    int32_t *bucket; /* hash table of steps: index or -1; power of two */
    int32_t buckets;
    int32_t cycle_longest, clique_largest; /* over patterns of these kinds; 0: none */
    int32_t clique,
        clique_least;     /* largest and smallest of the patterns' clique fields */
    bool rooted, general; /* general: some pattern goes through steps */
};

/* --- compiling (elim/plan.c) -----------------------------------------------------------
 */

/* roots NULL: for counts; else for rooted counts. */
int32_t pvgi_density_elim_plan_new(pvgi_elim_plan **out,
                                   const pvgi_small *const *components,
                                   const int32_t *roots, int64_t count);

/* --- steps (elim/step.c) ----------------------------------------------------------- */

/* A step being described. */
typedef struct {
    pvgi_elim_step step;
    pvgi_elim_factor factor[PVGI_ELIM_FACTORS];
} pvgi_elim_description;

/* The number of the step with this description (whose factors get sorted); made if there
 * is none yet. */
int32_t pvgi_density_elim_intern(int32_t *index, pvgi_elim_plan *plan,
                                 pvgi_elim_description *wanted);
/* Notes a reader of the table. */
void pvgi_density_elim_count_use(pvgi_elim_plan *plan, int32_t table);
/* Finds the steps whose rows may go straight to their readers, once all are there. */
void pvgi_density_elim_find_passed(pvgi_elim_plan *plan);
/* Room for one more entry in the plan's lists of steps. */
int32_t pvgi_density_elim_list_capacity(pvgi_elim_plan *plan);

/* --- elimination orders (elim/order.c) ------------------------------------------------
 */

/* An order of all vertices of the connected graph, of smallest width, cheap on sparse
 * hosts; root (-1: any) comes last. edge[u][v] is the base table of an edge. */
int32_t pvgi_density_elim_order(int32_t elimination[PVGI_PATTERN_ORDER],
                                const pvgi_small *graph,
                                const int8_t edge[PVGI_PATTERN_ORDER][PVGI_PATTERN_ORDER],
                                int32_t root);

/* --- one worker (elim/host.c, elim/sort.c) --------------------------------------------
 */

/* Memory that grows and is kept from graph to graph. */
typedef struct {
    void *data;
    size_t bytes;
} pvgi_elim_buffer;

/* Whether a table is there; passed: its rows are made where they are read. */
enum { PVGI_ELIM_ABSENT = 0, PVGI_ELIM_THERE, PVGI_ELIM_PASSED };

/* A table of one host. Pointers lead into buffers of the scratch. */
typedef struct {
    int64_t count; /* tuples; non-zero entries of a vector */
    int32_t arity;
    int32_t rows;                     /* images of the first vertex it is made for */
    int32_t state;                    /* PVGI_ELIM_ABSENT, ... */
    int32_t *start;                   /* rows of level 1; arity >= 2 */
    int32_t *column[PVGI_ELIM_ARITY]; /* [1 .. arity-1] */
    int32_t *child[PVGI_ELIM_ARITY];  /* [1 .. arity-2]: children of entry i begin here */
    void *value;                      /* NULL: all ones */
    bool large;                       /* has entries that doubles may round */
    bool symmetric;                   /* the last two vertices may change places */
    bool folded;                      /* rows are summed up; see elim/pass.inc */
    int32_t owned;                    /* buffers taken: the first `owned` of ... */
    int32_t buffer[2 * PVGI_ELIM_ARITY + 1];
} pvgi_elim_table;

/* The host without isolated nodes, nodes with the same neighbours merged into one; or the
 * host as it is, where hardly any are. */
typedef struct {
    int32_t order;
    int32_t arcs;
    const int32_t *start, *column; /* order + 1; arcs */
    int32_t *weight;               /* nodes each stands for */
    int32_t *name; /* of each node of the host; -1: isolated; NULL: it is as it was */
    bool bipartite;
    int32_t clique; /* 0 no edge, 2, 3, 4: largest clique found, no larger one searched */
} pvgi_elim_reduced;

struct pvgi_elim_scratch {
    size_t limit, used; /* bytes */
    pvgi_elim_buffer *pool;
    int32_t *idle; /* stack of buffers nobody owns */
    int32_t pools, pool_capacity, idles, idle_capacity;
    pvgi_elim_table *table; /* PVGI_ELIM_BASES + steps */
    int32_t *live;          /* reads still to come, per table */
    int32_t tables;
    bool blas;       /* this is the calling thread: matrix products are allowed */
    bool dense_busy; /* the memory of matrix products is in use */
    int64_t products, rounded; /* matrix products made, given up: for tests */
    int64_t passes;            /* tables whose rows were passed on: for tests */
    int64_t folds, corners;    /* tables that were folded, by squares: for tests */
    int32_t corner_arcs;       /* arcs below which squares are: tests set it */
    int64_t slices;            /* steps that went by sparse slices: for tests */
    bool pass_always;          /* in every host; tests set it */
    int64_t fixed;             /* patterns counted with fixed vertices: for tests */
    double fixed_price;        /* of a tuple of tries, beside them; tests set it */
    /* arcs two steps deep from which rows are streamed, and those of a window, at least;
     * tests set them */
    int64_t stream_reach, window_reach;
    int64_t grid_cells;   /* cells of the rows of a worker, about (elim/grids.inc) */
    int32_t slices_least; /* nodes of a host for sparse slices, at least; tests set it */
    pvgi_elim_watch watch;
    pvgi_run *crew; /* threads that may help with one host; NULL: none */
    pvgi_elim_scratch *helper[PVG_THREADS_MAX]; /* memory of these threads */
    size_t lent;                                /* bytes of the limit that they have */
    pvgi_elim_reduced reduced;
    pvgi_elim_buffer start[3], column[3];       /* arc tables of the reduced host */
    pvgi_elim_buffer weight, name, first, hash; /* of its making */
    pvgi_elim_buffer row, touched, slot;        /* of a step */
    pvgi_elim_buffer part[4];                   /* of sparse slices: elim/slices.inc */
    pvgi_elim_buffer dense, axes;               /* of matrix products; given up first */
    int64_t longest_work;                       /* between two looks, for tests */
};

/* Work, in entries read or products made, between two looks whether to stop, and a row of
 * a host more: some hundredths of a second. */
enum { PVGI_ELIM_LOOK = 1 << 20 };

/* Grows to at least `bytes`, keeping the content. PVG_E_LIMIT beyond the limit. */
int32_t pvgi_density_elim_need(pvgi_elim_scratch *scratch, pvgi_elim_buffer *buffer,
                               size_t bytes);
/* Whether it can grow to that without passing the limit. */
bool pvgi_density_elim_has_room(const pvgi_elim_scratch *scratch,
                                const pvgi_elim_buffer *buffer, size_t bytes);
/* Tells how far the host is, if this is the calling thread; PVG_E_CANCELLED if the call
 * is to stop. */
int32_t pvgi_density_elim_report(pvgi_elim_scratch *scratch, double fraction);
/* The same in the midst of a chunk: run of the calling thread, or NULL; *stop is set when
 * all are to stop, and asked. */
int32_t pvgi_density_elim_look(pvgi_run *run, _Atomic bool *stop);
/* Takes an idle buffer; *index stays valid, the data move when it grows. */
int32_t pvgi_density_elim_take(int32_t *index, pvgi_elim_scratch *scratch, size_t bytes);
/* Gives the buffers of a table back. */
void pvgi_density_elim_drop(pvgi_elim_scratch *scratch, pvgi_elim_table *table);
/* Fills scratch->reduced and the three arc tables as far as the plan needs them; if the
 * counts of all patterns are seen to be zero at once, only what tells so. */
int32_t pvgi_density_elim_reduce(pvgi_elim_scratch *scratch, const pvgi_elim_plan *plan,
                                 const pvgi_host *host);
/* The reduced host with its nodes renumbered; pointers lead into scratch->slot. */
typedef struct {
    int32_t *start, *column, *weight;
    const int32_t *place; /* new number of each node */
    int32_t width;        /* longest list before a node */
} pvgi_elim_sorted;
/* By falling degree, lists descending, each followed by -1. */
int32_t pvgi_density_elim_sort(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch);
/* By falling core: node u lists the neighbours before it, ascending, so that no list is
 * longer than the degeneracy of the host. */
int32_t pvgi_density_elim_sort_cores(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch);
/* By falling degree: node u lists the neighbours before it, ascending or in no order. No
 * list is longer than the square root of the arcs. */
int32_t pvgi_density_elim_orient(pvgi_elim_sorted *out, pvgi_elim_scratch *scratch,
                                 bool ascending);
/* Edges inside a set of places; rows[x * stride ...] are the places before x joined to x.
 */
typedef uint64_t (*pvgi_elim_edges)(const uint64_t *set, int32_t words,
                                    const uint64_t *rows, size_t stride);
pvgi_elim_edges pvgi_density_elim_edges(pvgi_cpu level);
/* Rows of numbers, of which there is always a multiple of PVGI_ELIM_LANES.
 *   sum       out = sum over i of row place[i], which begins at base + place[i] * stride;
 *             out may be one of these rows
 *   multiply  out = a b; a is rows x inner, its rows a_stride apart, those of b and of
 * out
 *             width
 * Sums go from the first to the last, whatever the processor: the same bits. */
enum { PVGI_ELIM_LANES = 4 };
typedef struct {
    void (*sum)(double *out, const double *base, int64_t stride, const int32_t *place,
                int32_t count, int32_t width);
    void (*multiply)(double *out, const double *a, int64_t a_stride, const double *b,
                     int32_t rows, int32_t inner, int32_t width);
} pvgi_elim_lines;
const pvgi_elim_lines *pvgi_density_elim_lines(pvgi_cpu level);
/* Hands that pvgi_density_elim_fork will use at most. */
uint32_t pvgi_density_elim_workers(const pvgi_elim_scratch *scratch, int64_t chunks);
/* Memory for workers, scratch->helper, taken from a limit if there is one: half of what
 * it leaves, given back in the end. */
int32_t pvgi_density_elim_begin_helpers(pvgi_elim_scratch *scratch,
                                        const pvgi_elim_plan *plan, uint32_t workers);
void pvgi_density_elim_end_helpers(pvgi_elim_scratch *scratch);
/* Runs all chunks, with the crew if there is one; they are the part of the host from
 * `reached` on, `share` of it. */
int32_t pvgi_density_elim_fork(pvgi_elim_scratch *scratch, int64_t chunks,
                               pvgi_chunk_fn function, void *context, double reached,
                               double share);
/* The same in stages, each when all chunks of the one before it are done; threads are
 * started once. */
int32_t pvgi_density_elim_fork_stages(pvgi_elim_scratch *scratch,
                                      const pvgi_stage *stages, int32_t count,
                                      void *context, double reached, double share);
/* Keeps the arcs of level `from` (0: all, 1: those in triangles) that lie in a larger
 * clique: the arcs of level from + 1. elim/arcs.c */
int32_t pvgi_density_elim_keep_arcs(pvgi_elim_scratch *scratch, int32_t from);
/* Whether the count is zero for a reason that is seen without counting. */
bool pvgi_density_elim_is_zero(const pvgi_elim_pattern *pattern,
                               const pvgi_elim_reduced *reduced);

/* --- counting (elim/double.c, elim/exact.c) --------------------------------------------
 */

/* After pvgi_density_elim_reduce. rows NULL: counts; else rooted rows of the host. */
int32_t pvgi_density_elim_run_double(double *counts, const double *known, double *rows,
                                     int64_t *which, const pvgi_elim_plan *plan,
                                     const pvgi_host *host, pvgi_elim_scratch *scratch);
int32_t pvgi_density_elim_run_exact(pvgi_u128 *counts, const double *known,
                                    pvgi_u128 *rows, int64_t *which,
                                    const pvgi_elim_plan *plan, const pvgi_host *host,
                                    pvgi_elim_scratch *scratch);

/* For patterns of width 4 and 5; *out is NULL where no vertices lower the width to 3. */
int32_t pvgi_density_elim_fixed_new(pvgi_elim_fixed **out, const pvgi_small *graph,
                                    int32_t width);
/* Of one worker, at most. */
double pvgi_density_elim_fixed_bytes(const pvgi_elim_fixed *fixed, int64_t order,
                                     int64_t degree);
/* In products of a matrix, at most about; infinite where it is not done. */
double pvgi_density_elim_fixed_cost(const pvgi_elim_fixed *fixed, int64_t order,
                                    double degree);
/* *done: it paid and the count is there. */
int32_t pvgi_density_elim_fixed_count(pvgi_u128 *count, bool *done,
                                      const pvgi_elim_plan *plan,
                                      const pvgi_elim_pattern *pattern,
                                      pvgi_elim_scratch *scratch, double reached,
                                      double share);

/* Grids (elim/grids.inc): columns of 3 x n, or -4 for 4 x 4, in the part of the host from
 * `reached` on, `share` of it. *overflow is set where the count does not fit, or, mixed,
 * where it may not have been counted. */
int32_t pvgi_density_elim_grids_double(double *count, bool *overflow,
                                       pvgi_elim_scratch *scratch, int32_t columns,
                                       double reached, double share);
int32_t pvgi_density_elim_grids_mixed(pvgi_u128 *count, bool *overflow,
                                      pvgi_elim_scratch *scratch, int32_t columns,
                                      double reached, double share);
int32_t pvgi_density_elim_grids_wide(pvgi_u128 *count, bool *overflow,
                                     pvgi_elim_scratch *scratch, int32_t columns,
                                     double reached, double share);
int32_t pvgi_density_elim_grids_exact(pvgi_u128 *count, bool *overflow,
                                      pvgi_elim_scratch *scratch, int32_t columns,
                                      double reached, double share);

#endif
