/* A noisy bound beside the number of a ladder: what its noise follows moves by at most
 * one with an edge (common neighbours of two nodes, the largest degree, each at least a
 * public floor), so discrete Laplace noise of a share of epsilon hides it. Both draws
 * together are pure epsilon (docs/privacy/proofs/statistic.md, section H). */
#include "statistic_internal.h"

#include <math.h>

int32_t pvgi_statistic_bound(pvgi_bound *out, double *left, double share,
                             const pvg_target *target, const char *function) {
    const double epsilon = target->parameter > 0.0 ? target->parameter : target->epsilon;
    pvg_target own = *target;
    const pvg_joint_config joint = {
        .size = sizeof joint, .dimension = 1, .l1 = 1.0, .l2 = 1.0, .grid = 1.0};
    *out = (pvgi_bound){0};
    *left = epsilon;
    if (share == 0.0) return PVG_OK;
    own.parameter = 0.0;
    own.epsilon = epsilon * share * (1.0 - 0x1p-40);
    PVGI_TRY(pvgi_mechanism_joint(&out->law, function, &joint, &own));
    out->there = true;
    *left = (epsilon - out->law.spent.epsilon) * (1.0 - 0x1p-44);
    return PVG_OK;
}

void pvgi_statistic_bound_promise(pvg_statistic *statistic, int64_t order,
                                  const pvgi_bound *bound, double spent,
                                  const char *claim) {
    pvg_guarantee *g = &statistic->guarantee;
    const double both = pvgi_mechanism_up(spent + bound->law.spent.epsilon, 4);
    statistic->order = g->order = order;
    statistic->rows = 1;
    statistic->columns = bound->there ? 2 : 1;
    g->notion = PVG_NOTION_EDGE;
    g->spent = (pvg_curve_term){.size = sizeof g->spent,
                                .kind = PVG_CURVE_PURE,
                                .epsilon = bound->there ? both : spent};
    g->noise = "ladder";
    g->claim = claim;
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
}

double pvgi_statistic_bound_draw(const pvgi_bound *bound, int64_t exact,
                                 const pvgi_stream *call) {
    int64_t noise = 0;
    if (call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, 1); /* the ladder has chunk 0 */
        pvgi_mechanism_joint_noise(&noise, 1, &bound->law, &stream);
        pvgi_rng_stream_close(&stream);
    }
    return (double)(exact + noise);
}

void pvgi_statistic_bound_describe(pvgi_columns *columns, const pvgi_bound *bound,
                                   const char *name, const char *unit, double least,
                                   double most, double ladder_most) {
    if (bound->there)
        pvgi_guarantee_columns_add(
            columns,
            &(pvgi_column){.count = 1,
                           .name = name,
                           .unit = unit,
                           .noise = pvgi_statistic_noise_word(bound->law.noise)});
    pvgi_guarantee_columns_table(columns, 0);
    pvgi_guarantee_columns_measure(columns, 0,
                                   (pvgi_measure){0.0, ladder_most, 1.0, (double)NAN});
    if (!bound->there) return;
    pvgi_guarantee_columns_measure(columns, 1,
                                   (pvgi_measure){least, most, 1.0, bound->law.scale});
    pvgi_guarantee_columns_joint(
        columns, &(pvgi_joint_columns){
                     .first = 1, .count = 1, .norm = 1, .change = bound->law.steps});
}
