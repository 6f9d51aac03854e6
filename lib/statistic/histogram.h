/* statistic, inside: what edge histograms are made of (histogram.c) and drawn from
 * (histogram_count.c). */
#ifndef PVGI_STATISTIC_HISTOGRAM_H
#define PVGI_STATISTIC_HISTOGRAM_H

#include "statistic_internal.h"

typedef struct {
    pvg_histogram_config config;
    pvgi_joint law;
    int64_t *keys;    /* rank << 32 | kind; kind = config.kinds: counts nowhere */
    uint32_t *packed; /* rank << 8 | kind, if that is all there is to say; or NULL */
    int32_t *groups;  /* or NULL */
    int64_t *weights; /* order x kinds, in grid steps, or NULL */
    double *ranges;   /* of each kind: the largest |sum| a cell can have, from above */
} pvgi_histogram_state;

/* As of a pvgi_statistic_kind. */
size_t pvgi_statistic_histogram_bytes(const pvg_statistic *statistic, int64_t order,
                                      const pvgi_run *run);
int32_t pvgi_statistic_histogram_draw(double *out, const pvg_statistic *statistic,
                                      const pvg_graph *graph, pvgi_scratch *scratch,
                                      const pvgi_stream *call, pvgi_run *run);
size_t pvgi_statistic_histogram_parts_bytes(const pvg_statistic *statistic, int64_t own,
                                            int64_t borrowed, const pvgi_run *run);
int32_t pvgi_statistic_histogram_draw_parts(double *out, const pvg_statistic *statistic,
                                            const pvg_parts *parts, pvgi_scratch *scratch,
                                            const pvgi_stream *call, pvgi_run *run);

#endif
