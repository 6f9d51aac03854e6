/* Matrices for the benches of sparse times dense: graphs of the sizes that papers measure
 * on, the normalised operator with stored values, dense matrices from a formula. */
#ifndef PVGB_SPMM_CASE_H
#define PVGB_SPMM_CASE_H

#include <privgraph.h>
#include <stdbool.h>

typedef struct {
    const char *name;
    int64_t order, quick_order; /* nodes; with --quick */
    double mean_degree;
} spmm_graph;

enum { SPMM_GRAPHS = 4, SPMM_WIDTHS = 3 };
extern const spmm_graph spmm_graphs[SPMM_GRAPHS];
extern const int64_t spmm_widths[SPMM_WIDTHS];

/* D^-1/2 (A + I) D^-1/2 in compressed rows, self loops stored, as other libraries want
 * it. Callers free. */
typedef struct {
    int64_t order, entries;
    int64_t *offsets;
    int32_t *columns;
    double *values;
} spmm_matrix;
spmm_matrix spmm_matrix_of(const pvg_graph *graph);
void spmm_matrix_free(spmm_matrix *matrix);

/* Entry i of a dense matrix, and all of them: in [-1/2, 1/2), never tiny. */
double spmm_number(int64_t i);
void *spmm_dense(int64_t count, bool single);
/* Memory as the library has it (aligned, large pages). */
void *spmm_scratch(size_t bytes);

#endif
