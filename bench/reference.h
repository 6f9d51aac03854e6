/* What a careful programmer would write in an afternoon: the reference the benches of
 * density compare with. One thread, every pattern on its own, nothing shared. */
#ifndef PVGB_REFERENCE_H
#define PVGB_REFERENCE_H

#include <privgraph.h>

/* Densities of all patterns in graphs first .. last - 1 of a set, row by row. Forests:
 * one sparse product per edge. Others: dense tables over the elimination order of the
 * pattern, n^(width + 1) work per vertex. */
void reference_densities(double *out, const pvg_patterns *patterns,
                         const pvg_graphset *set, int64_t first, int64_t last);
/* Forests in one graph. */
void reference_forests(double *out, const pvg_patterns *patterns, const pvg_graph *graph);

#endif
