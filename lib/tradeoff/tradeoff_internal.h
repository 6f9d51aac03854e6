/* tradeoff, inside: the table of classes (classes.c), lines for a list (lines.c). */
#ifndef PVGI_TRADEOFF_H
#define PVGI_TRADEOFF_H

#include "base/base_internal.h"
#include "mechanism/mechanism_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/tradeoff.h"
#include "sensitivity/sensitivity_internal.h"

typedef struct {
    const char *network, *formula;
} pvgi_tradeoff_row;
/* NULL if there is no such class. */
const pvgi_tradeoff_row *pvgi_tradeoff_row_of(int32_t pattern_class);
/* Largest number of edges; class, parameter and order are checked. */
int64_t pvgi_tradeoff_max_edges(int32_t pattern_class, int32_t parameter, int64_t order);
int32_t pvgi_tradeoff_patterns(pvg_patterns **out, int32_t pattern_class,
                               int32_t parameter, int64_t order);

struct pvg_tradeoff {
    pvg_target target;
    pvg_premise premise;
    int64_t count;
    pvg_tradeoff_line *line;
    char (*name)[PVGI_GRAPH6_BYTES];
};

/* pvg_tradeoff_new after its checks. */
int32_t pvgi_tradeoff_build(pvg_tradeoff **out, const pvg_target *target,
                            const pvg_patterns *patterns, const pvg_premise *premise,
                            const double *relative_error, const double *weights,
                            pvgi_run *run);
void pvgi_tradeoff_drop(pvg_tradeoff *tradeoff);
void pvgi_tradeoff_describe(pvgi_text *text, const pvg_tradeoff *tradeoff);

#endif
