/* graph: checks that the entry file makes more than once. */
#ifndef PVGI_GRAPH_CHECKS_H
#define PVGI_GRAPH_CHECKS_H

#include "graph_internal.h"

#define REQUIRE_POINTER(function, argument)                                              \
    do {                                                                                 \
        if (!(argument)) return pvgi_fail_null(function, #argument);                     \
    } while (0)

/* First lines of every function that makes something: on failure *out is NULL. */
#define BEGIN_OUT(function, out)                                                         \
    REQUIRE_POINTER(function, out);                                                      \
    *(out) = NULL

/* Puts the function's name before a message from inside that names an argument. */
int32_t pvgi_graph_named(const char *function, int32_t status);
int32_t pvgi_graph_check_count(const char *function, const char *argument, int64_t count);
/* A number of nodes, rows or columns. */
int32_t pvgi_graph_check_order(const char *function, const char *argument, int64_t order);
int32_t pvgi_graph_check_policy(const char *function, uint32_t policy);
/* Orders and probabilities of a block model. */
int32_t pvgi_graph_check_blocks(const char *me, const int64_t *orders, const double *p,
                                int64_t blocks);
/* First nodes and labels of the graphs of a set. */
int32_t pvgi_graph_check_cut(const char *me, const int64_t *starts, int64_t count,
                             const int32_t *labels);
/* Arguments of pvg_graphset_draw_sbm. */
int32_t pvgi_graph_check_sbm(const char *me, int64_t order, const double *zeta,
                             int64_t classes, int64_t per_class, double q);

/* Graphs from edges and from rows, for the functions that make a graph or a set of them;
 * *out is NULL on failure. */
int32_t pvgi_graph_entry_edges(const char *me, pvg_graph **out, int64_t order,
                               const int64_t *sources, const int64_t *targets,
                               int64_t count, uint32_t policy, const pvg_run *run);
int32_t pvgi_graph_entry_csr(const char *me, pvg_graph **out, int64_t order,
                             const int64_t *offsets, const int32_t *columns,
                             uint32_t policy, const pvg_run *run);

#endif
