/* The handles behind queries, for what has not become a pipeline yet. */
#ifndef PVGI_LEARN_BRIDGE_H
#define PVGI_LEARN_BRIDGE_H

#include "release/release_internal.h"

static inline pvgi_payer bridge_payer(const uint64_t *object, pvg_rng *rng,
                                      pvg_ledger *ledger, const pvg_run *run) {
    return (pvgi_payer){.ledger = ledger,
                        .objects = ledger ? object : NULL, /* else it names nobody */
                        .count = 1,
                        .rng = rng,
                        .run = run};
}

static inline int32_t
bridge_propagate(pvg_release **out, const char *name, const pvg_propagator *propagator,
                 const pvg_graph *graph, const pvg_features *features, uint64_t object,
                 pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    pvgi_propagation_job job;
    pvgi_draw draw = pvgi_query_propagation(&job, propagator, graph, features);
    const pvgi_payer payer = bridge_payer(&object, rng, ledger, run);
    pvg_guarantee price = {0};
    PVGI_TRY(pvgi_query_propagator_price(&price, propagator, ledger, object));
    draw.price = &price;
    const int32_t status = pvgi_release_draw(out, name, &draw, &payer);
    pvgi_guarantee_drop(&price);
    return status;
}

static inline int32_t bridge_perturb(pvg_release **out, const char *name,
                                     const pvg_perturber *perturber,
                                     pvgi_perturb_input input, uint64_t object,
                                     pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run) {
    pvgi_perturb_job job;
    const pvgi_draw draw = pvgi_query_perturbation(&job, perturber, &input, NULL);
    const pvgi_payer payer = bridge_payer(&object, rng, ledger, run);
    return pvgi_release_draw(out, name, &draw, &payer);
}

static inline int32_t bridge_count(pvg_release **out, const char *name,
                                   const pvg_statistic *statistic, const pvg_graph *graph,
                                   uint64_t object, pvg_rng *rng, pvg_ledger *ledger,
                                   const pvg_run *run) {
    pvgi_statistic_job job;
    const pvgi_draw draw = pvgi_query_statistic(&job, statistic, graph, NULL);
    const pvgi_payer payer = bridge_payer(&object, rng, ledger, run);
    return pvgi_release_draw(out, name, &draw, &payer);
}

static inline int32_t bridge_exact(double *out, const pvg_statistic *statistic,
                                   const pvg_graph *graph, const pvg_run *run) {
    pvgi_run running;
    pvgi_room room;
    PVGI_TRY(pvgi_run_begin(&running, run));
    int32_t status = pvgi_statistic_room(&room, statistic, graph->order, &running);
    if (status == PVG_OK)
        status = pvgi_statistic_draw(out, statistic, graph, &room, NULL, &running);
    pvgi_statistic_room_free(&room);
    return status;
}

#define pvg_propagator_new(out, ...)                                                     \
    pvgi_query_new_propagator(out, "pvg_recipe", __VA_ARGS__)
#define pvg_propagator_free         pvgi_query_propagator_free
#define pvg_propagator_guarantee(p) (&(p)->guarantee)
#define pvg_propagator_preview(out, p)                                                   \
    pvgi_query_propagator_lines(out, p, "pvg_recipe", false)
#define pvg_release_draw_propagation(out, ...)                                           \
    bridge_propagate(out, "pvg_recipe", __VA_ARGS__)
#define pvg_perturber_new_response(out, ...)                                             \
    pvgi_perturb_new_response(out, "pvg_recipe", __VA_ARGS__)
#define pvg_perturber_new_subset(out, ...)                                               \
    pvgi_perturb_new_subset(out, "pvg_recipe", __VA_ARGS__)
#define pvg_perturber_new_features(out, ...)                                             \
    pvgi_perturb_new_features(out, "pvg_recipe", __VA_ARGS__)
#define pvg_perturber_new_labels(out, ...)                                               \
    pvgi_perturb_new_labels(out, "pvg_recipe", __VA_ARGS__)
#define pvg_perturber_free               pvgi_perturb_free
#define pvg_perturber_guarantee(p)       (&(p)->guarantee)
#define pvg_perturber_preview(out, p, o) pvgi_perturb_lines(out, p, o, false)
#define pvg_perturber_copy_transition(out, p)                                            \
    (pvgi_perturb_labels_transition(out, p), PVG_OK)
#define pvg_release_draw_graph(out, p, g, ...)                                           \
    bridge_perturb(out, "pvg_recipe", p, (pvgi_perturb_input){.graph = g}, __VA_ARGS__)
#define pvg_release_draw_features(out, p, x, ...)                                        \
    bridge_perturb(out, "pvg_recipe", p, (pvgi_perturb_input){.features = x}, __VA_ARGS__)
#define pvg_release_draw_labels(out, p, y, ...)                                          \
    bridge_perturb(out, "pvg_recipe", p, (pvgi_perturb_input){.labels = y}, __VA_ARGS__)
#define pvg_statistic_new_histogram(out, ...)                                            \
    pvgi_statistic_new_histogram(out, "pvg_recipe", __VA_ARGS__)
#define pvg_statistic_free pvgi_statistic_free
#define pvg_statistic_preview(out, s, o, c)                                              \
    pvgi_statistic_lines(out, s, (s)->order, c, false)
#define pvg_release_draw_statistic(out, ...) bridge_count(out, "pvg_recipe", __VA_ARGS__)
#define pvg_statistic_values_exact           bridge_exact
#endif
