/* Layers whose weights were learnt from releases: they carry the draws behind them, and a
 * query with such layers composes all curves. */
#include "query_internal.h"

static void drop_origin(pvgi_layer_origin *origin) {
    pvgi_learnt_weights *learnt = (pvgi_learnt_weights *)origin;
    pvgi_guarantee_sources_drop(learnt->sources);
    pvgi_free(learnt);
}

int32_t pvgi_query_learnt_layers(pvg_layers **out, const pvg_layers_config *config,
                                 const double *weights, int64_t dimension,
                                 const pvgi_provenance *sources) {
    int32_t status;
    pvg_layers *layers = NULL;
    pvgi_learnt_weights *learnt = NULL;
    PVGI_TRY_DONE(pvg_layers_new(&layers, config, weights, dimension));
    learnt = pvgi_alloc_zero(1, sizeof *learnt);
    if (!learnt) {
        status = pvgi_fail_nomem();
        goto done;
    }
    atomic_init(&learnt->origin.users, 1);
    learnt->origin.drop = drop_origin;
    PVGI_TRY_DONE(pvgi_guarantee_sources_join(&learnt->sources, sources));
    layers->origin = &learnt->origin;
    learnt = NULL;
    *out = layers;
    layers = NULL;
done:
    if (learnt) drop_origin(&learnt->origin);
    pvg_layers_free(layers);
    return status;
}
