/* Data that looks like what the papers measure on, from a fixed seed: the same graphs and
 * patterns in every run and on every machine. Callers free. */
#ifndef PVGB_LOOKALIKE_H
#define PVGB_LOOKALIKE_H

#include <privgraph.h>

/* Molecules: rings joined by bonds and sharing edges, chains, degree at most 4; on
 * average 25.5 atoms and 27.5 bonds, as MOLHIV (which has 41127). */
pvg_graphset *lookalike_molecules(int64_t count);
/* Discussion threads: a few hubs with most nodes hanging on them, sizes heavy tailed; on
 * average 430 nodes and 500 edges, as REDDIT-BINARY (which has 2000). */
pvg_graphset *lookalike_threads(int64_t count);
/* Chung-Lu graph with degrees of a power law (exponent 2.5) and mean degree 20. */
pvg_graph *lookalike_powerlaw(int64_t order);
/* The same law with another mean degree. */
pvg_graph *lookalike_network(int64_t order, double mean_degree);
/* What names: "ref1", "ref2", "ref3": the law of the published code with that width,
 * patterns in several pieces included; "stress1", "stress2", "stress3": connected
 * patterns with 8 to 16 vertices of exactly that width. */
pvg_patterns *lookalike_patterns(const char *what, int64_t count);
/* Others of the same law. */
pvg_patterns *lookalike_patterns_of(const char *what, int64_t count, uint64_t seed);

#endif
