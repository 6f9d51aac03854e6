/* Graphs, features and labels shaped as the sets that networks are trained on, the same
 * in every run; and the least processor time of several runs, which what else the machine
 * does changes least. */
#ifndef PVGB_LEARN_CASE_H
#define PVGB_LEARN_CASE_H

#include <privgraph.h>
#include <stdbool.h>

typedef struct {
    const char *name;
    int64_t order, width, entries_per_row, classes;
    double degree;
} learn_shape;
enum { LEARN_SHAPES = 4 }; /* Cora, PubMed, Photo, Facebook pages */
extern const learn_shape learn_shapes[LEARN_SHAPES];

typedef struct {
    const learn_shape *shape;
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
    pvg_dataset *data; /* all of it public */
    int64_t arcs, entries;
    const int64_t *offsets; /* of the graph */
    const int32_t *columns;
    int64_t *x_offsets; /* of the features, owned */
    int32_t *x_indices, *classes;
    double *x_values;
} learn_case;

/* denser: factor of the mean degree. */
learn_case learn_case_make(const learn_shape *shape, double denser);
void learn_case_free(learn_case *c);
/* For peers_torch.py. */
void learn_case_write(const learn_case *c, const char *path);

/* Seconds of one run: processor time, or by the clock on the wall. */
double learn_seconds(void (*run)(void *context), void *context, bool wall);
double learn_least(void (*run)(void *context), void *context, int times);

#endif
