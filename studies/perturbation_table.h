/* What the table of perturbed graphs is about, and what formulas say. */
#ifndef PERTURBATION_TABLE_H
#define PERTURBATION_TABLE_H

#include <privgraph.h>

/* Most edges that noise may add before a method is not tried; most classes. */
#define LIMIT "40000000" /* of edges that noise may add */
enum { CLASSES_MAX = 100 };
/* What labels cost that serve as blocks. */
#define LABEL_EPSILON 3.0

typedef struct {
    const char *name;
    pvg_graph *graph;
    pvg_labels *labels;
    const int32_t *classes;
    int64_t nodes, edges;
    int32_t *blocks;  /* labels released with LABEL_EPSILON */
    double pairs;     /* of nodes */
    double alike;     /* share of edges between nodes of one class */
    double alike_off; /* the same of pairs without an edge */
} data;

/* What came out, or what should. Edges, or entries where lists come out. */
typedef struct {
    double kept, added, degree_error, alike;
} figures;

/* Neighbours of v with a larger number. */
int64_t owned(const data *d, int64_t v);

/* The keep chance of sparse response in the table: half of the largest. */
double sparse_keep(double epsilon);

/* Expected figures of a method with this budget. */
figures expect_rr(const data *d, double epsilon);
figures expect_sparse(const data *d, double epsilon);
figures expect_lapgraph(const data *d, double epsilon);
figures expect_dprr(const data *d, double epsilon);
figures expect_dprr_lists(const data *d, double epsilon);
figures expect_subset(const data *d, double epsilon);
figures expect_slots(const data *d, double epsilon);
figures expect_blocks(const data *d, double epsilon);
/* Where no formula is known. */
figures expect_nothing(const data *d, double epsilon);

#endif
