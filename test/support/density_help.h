/* What the tests of counting share: small graphs, random patterns and hosts, and the way
 * from them to the library's handles. */
#ifndef PVGT_DENSITY_HELP_H
#define PVGT_DENSITY_HELP_H

#include "density/density_internal.h"
#include "support.h"

/* Graph number `code` of order n: bit i of the code is the i-th pair. */
pvgi_small pvgt_numbered(int32_t n, uint64_t code);
pvgi_small pvgt_cycle(int32_t n);
pvgi_small pvgt_clique(int32_t n);
/* Three dimensions: scopes of three without edges. */
pvgi_small pvgt_cube(void);
pvgi_small pvgt_grid(int32_t rows, int32_t columns);
/* Both graphs, no edge between them. */
pvgi_small pvgt_beside(const pvgi_small *g, const pvgi_small *h);
/* Each vertex joins an earlier one. */
pvgi_small pvgt_random_tree(int32_t n, uint64_t *state);
/* A random k-tree of which each edge is kept with chance keep / 16; the second: drawn
 * until it is connected and has a cycle. */
pvgi_small pvgt_partial_ktree(int32_t n, int32_t k, int64_t keep, uint64_t *state);
pvgi_small pvgt_random_pattern(int32_t n, int32_t k, int64_t keep, uint64_t *state);
bool pvgt_has_cycle_and_is_connected(const pvgi_small *graph);
/* As text, for messages; valid for three further calls. */
const char *pvgt_graph6(const pvgi_small *graph);

/* Some nodes get many neighbours. */
pvg_graph *pvgt_random_graph(int64_t order, int64_t edges, uint64_t *state);
/* Every pair is joined with chance in_1000 / 1000. */
pvg_graph *pvgt_uniform_graph(int64_t order, int64_t in_1000, uint64_t *state);

pvg_graph *pvgt_to_graph(const pvgi_small *small);
pvg_graphset *pvgt_to_set(pvg_graph *const *graphs, int64_t count);
pvg_patterns *pvgt_to_patterns(const pvgi_small *list, int64_t count);
pvg_density *pvgt_to_density(const pvgi_small *list, int64_t count);
pvg_density *pvgt_density_of_names(const char *names);

#endif
