/* propagate, inside: sparse times dense (spmm.c and its kernels), one layer and stacks
 * (step.c), products with weights (product.c), rounding (rounding.c). */
#ifndef PVGI_PROPAGATE_H
#define PVGI_PROPAGATE_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "layer/layer_internal.h"
#include "privgraph/propagate.h"

/* --- sparse times dense (spmm.c) ------------------------------------------------ */

/* What happens to a row before it is weighted. */
typedef enum { PVGI_ROWS_KEPT, PVGI_ROWS_PROJECTED, PVGI_ROWS_NORMALISED } pvgi_rows;

enum {
    PVGI_SPMM_VECTOR = 32,    /* bytes of a vector */
    PVGI_SPMM_WIDEST = 8,     /* vectors in the widest panel: half of the registers */
    PVGI_SPMM_PACK_ROWS = 256 /* rows packed, and added for the mean, at a time */
};

/* A product of the operator of a graph with a dense matrix of order x columns, made
 * ready. Panel by panel, a few columns of the matrix are copied into a contiguous table,
 * with pre and the factor of P multiplied in; then these columns of every row of the
 * result are a plain sum of table rows. padded: columns rounded up to whole vectors, the
 * rest zeros. A narrow matrix that needs no factors is used as it is: its only panel. */
typedef struct {
    const pvg_graph *graph;
    const pvg_parts *parts; /* of which the graph is the rows of one, or NULL */
    int64_t order, columns, padded;
    int64_t rows_known, whole; /* own and borrowed rows; nodes of the whole graph */
    size_t element;            /* 8 for double, 4 for float */
    int32_t lanes;             /* elements in a vector */
    int32_t width;             /* vectors in a full panel, a power of two */
    int32_t ahead;     /* neighbours to prefetch; 0 where tables stay in a near cache */
    pvgi_rows rows;    /* what packing does */
    bool direct;       /* the matrix is not packed */
    const void *table; /* a packed panel, or the matrix */
    void *packed;      /* owned; NULL if direct */
    double *pre, *self, *post; /* order each; one block */
    double *factor;            /* of P: order, in that block; NULL if rows are kept */
    double
        *partial;   /* column sums of each packed chunk of a panel; NULL without a mean */
    pvgi_sum *sums; /* of the columns of a panel */
    double *mean;   /* of a panel; added to every row of the result */
} pvgi_spmm;

/* What product is wanted. */
typedef struct {
    const pvg_graph *graph;
    const pvg_layers_config *config; /* operator */
    double scale;                    /* multiplied to post */
    pvgi_rows rows;
    int64_t columns;
    size_t element;
    bool mean;              /* column means wanted */
    bool apart;             /* the result will not overwrite the matrix */
    const pvg_parts *parts; /* of which the graph is the rows of one, or NULL */
    int64_t borrows_most;   /* for bytes: rows that it may borrow; 0: those it does */
    int32_t width;          /* vectors in a panel, a power of two; 0: chosen */
} pvgi_spmm_wish;
/* Bytes that pvgi_propagate_spmm_begin will allocate. */
size_t pvgi_propagate_spmm_bytes(const pvgi_spmm_wish *wish);
/* On failure nothing is left to free; otherwise pvgi_propagate_spmm_end. */
int32_t pvgi_propagate_spmm_begin(pvgi_spmm *spmm, const pvgi_spmm_wish *wish);
void pvgi_propagate_spmm_end(pvgi_spmm *spmm);

/* Called for rows first..last-1 and columns from..to-1 of a result, right after they are
 * written, from any thread. */
typedef void (*pvgi_finish_fn)(void *context, double *out, int64_t first, int64_t last,
                               int64_t from, int64_t to);
/* out = operator times P(x), plus mean_weight / order times the column sums of P(x) if a
 * mean was asked for. out may be x unless they were wished apart. finish may be NULL, and
 * is for doubles only. */
int32_t pvgi_propagate_spmm(void *out, pvgi_spmm *spmm, const void *x, double mean_weight,
                            pvgi_finish_fn finish, void *context, pvgi_run *run);

/* --- kernels (spmm_kernel.c) ---------------------------------------------------- */

typedef struct {
    /* packs rows first..last-1 of the panel of `vectors` vectors that starts at column
     * start, panel 0 first; to sums, if not NULL, their column sums are added */
    void (*pack)(const pvgi_spmm *spmm, const void *x, int64_t start, int32_t vectors,
                 int64_t first, int64_t last, double *sums);
    /* rows first..last-1 of the result in the panel that was packed last */
    void (*sum)(const pvgi_spmm *spmm, void *out, int64_t start, int32_t vectors,
                int64_t first, int64_t last);
    /* factor of P for one row; 1 for floats, which are never projected */
    double (*factor)(const void *row, int64_t columns, pvgi_rows rows);
} pvgi_spmm_kernels;
const pvgi_spmm_kernels *pvgi_propagate_kernels(pvgi_cpu level, size_t element);
/* Panel number `index`: its first column; 0 vectors if there is none. */
int32_t pvgi_propagate_panel(const pvgi_spmm *spmm, int64_t index, int64_t *start);
/* Factor of P for a row whose squares left the range of doubles when added plainly. */
double pvgi_propagate_careful_factor(const double *row, int64_t columns, pvgi_rows rows);

/* --- one layer (step.c) --------------------------------------------------------- */

/* A stack of layers at work on one graph. */
typedef struct {
    const pvg_layers *layers;
    const double *x0; /* order x columns; NULL where there is no residual */
    pvgi_spmm spmm;
    double *block; /* scratch for products with weights; NULL without */
} pvgi_propagation;

/* Bytes that pvgi_propagate_begin will allocate: for pvgi_run_reserve. borrows_most: rows
 * that a part of a graph borrows at most. */
size_t pvgi_propagate_bytes(const pvg_layers *layers, const pvg_graph *graph,
                            int64_t borrows_most, int64_t columns);
/* x0, the projected features, is kept as a pointer and needed only if the layers have a
 * residual. parts: of which the graph is the rows of one, all of which take each step;
 * NULL: it is the whole. On failure nothing is left to free. */
int32_t pvgi_propagate_begin(pvgi_propagation *p, const pvg_layers *layers,
                             const pvg_graph *graph, const pvg_parts *parts,
                             int64_t columns, const double *x0);
void pvgi_propagate_end(pvgi_propagation *p);
/* One layer: out = X_(k+1) from in = X_k (any finite numbers); out may be in. Fails only
 * if the run is cancelled; out is then undefined. */
int32_t pvgi_propagate_step(double *out, pvgi_propagation *p, const double *in,
                            int64_t layer, pvgi_run *run);
/* out = P(x), row by row; out may be x. */
void pvgi_propagate_project(double *out, const double *x, int64_t order, int64_t columns,
                            int32_t rows_rule);
/* All layers: pvg_propagate_exact after its checks. x as given, not projected. */
int32_t pvgi_propagate_forward(double *out, const pvg_layers *layers,
                               const pvg_graph *graph, const double *x,
                               const pvg_features *features, int64_t columns,
                               pvgi_run *run);
int32_t pvgi_propagate_apply(void *out, const pvg_layers *layers, const pvg_graph *graph,
                             const void *x, int64_t columns, size_t element,
                             pvgi_run *run);

/* rows x columns matrix `x` times the columns x columns matrix, in place, in the calling
 * thread; block holds PVGI_PRODUCT_ROWS x columns doubles. */
enum { PVGI_PRODUCT_ROWS = 256 };
void pvgi_propagate_product(double *x, const double *matrix, int64_t rows,
                            int64_t columns, double *block);

/* --- rounding (rounding.c) ------------------------------------------------------ */

/* Bound of |computed - exact| in Frobenius norm for one pvgi_propagate_step, whatever the
 * graph (no degree above degree_bound), X_k, and X_0 with rows in the unit ball: a
 * function of public numbers. Up. */
double pvgi_propagate_error(const pvg_layers *layers, int64_t layer, int64_t order,
                            int64_t degree_bound, int64_t columns);

#endif
