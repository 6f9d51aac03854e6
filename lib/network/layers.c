/* Weights of a model as layers of message passing, with what they promise: propagators
 * that use them compose both curves. */
#include "network_internal.h"

#include <string.h>

static void drop_origin(pvgi_layer_origin *origin) {
    pvgi_learnt_weights *learnt = (pvgi_learnt_weights *)origin;
    for (int32_t i = 0; i < learnt->count; i++) pvgi_guarantee_drop(&learnt->draws[i]);
    pvgi_free(learnt->draws);
    pvgi_guarantee_drop(&learnt->guarantee);
    pvgi_free(learnt);
}

/* The draws that the promise composes: those about the object which spend. */
static int32_t keep_draws(pvgi_learnt_weights *learnt, const pvg_model *model,
                          int32_t notion, uint64_t object) {
    learnt->draws = pvgi_alloc_zero((size_t)model->seen_count + 1, sizeof *learnt->draws);
    if (!learnt->draws) return pvgi_fail_nomem();
    for (int32_t i = 0; i < model->seen_count; i++) {
        const pvgi_seen *seen = &model->seen[i];
        if (seen->object != object || !pvg_notion_pays(notion, seen->guarantee.notion) ||
            !(pvgi_guarantee_spends(&seen->guarantee) ||
              !pvgi_guarantee_holds(&seen->guarantee)))
            continue;
        PVGI_TRY(pvgi_guarantee_copy(&learnt->draws[learnt->count], &seen->guarantee));
        learnt->count++;
    }
    return PVG_OK;
}

/* Square matrices of maps, in their order, into a new block. */
static int32_t collect(double **out, int64_t *count, int64_t *dimension,
                       const char *function, const pvg_model *model) {
    const pvgi_program *p = &model->network->program;
    const double *from = model->weights;
    double *to = pvgi_alloc((size_t)model->network->parameters, sizeof *to);
    if (!to) return pvgi_fail_nomem();
    *out = to;
    *count = *dimension = 0;
    for (int32_t i = 0; i < p->param_count; i++) {
        const int64_t rows = p->params[i].rows, numbers = rows * p->params[i].columns;
        if (rows > 1 && rows == p->params[i].columns) {
            PVGI_REQUIRE(*count == 0 || rows == *dimension,
                         "%s: the network has square maps of %lld and of %lld columns",
                         function, (long long)*dimension, (long long)rows);
            *dimension = rows;
            memcpy(to, from, (size_t)numbers * sizeof *to);
            to += numbers;
            ++*count;
        }
        from += numbers;
    }
    return PVG_OK;
}

int32_t pvgi_network_layers(pvg_layers **out, const char *function,
                            const pvg_layers_config *config, const pvg_model *model,
                            int32_t notion, uint64_t object) {
    int32_t status;
    int64_t count = 0, dimension = 0;
    double *weights = NULL;
    pvg_layers *layers = NULL;
    pvgi_learnt_weights *learnt = NULL;
    PVGI_TRY_DONE(collect(&weights, &count, &dimension, function, model));
    const int64_t depth = config && config->depth ? config->depth : 1;
    if (count != depth) {
        status = pvgi_fail(PVG_E_ARGUMENT,
                           "%s: the network has %lld square maps, the layers are %lld",
                           function, (long long)count, (long long)depth);
        goto done;
    }
    PVGI_TRY_DONE(pvg_layers_new(&layers, config, weights, dimension));
    learnt = pvgi_alloc_zero(1, sizeof *learnt);
    if (!learnt) {
        status = pvgi_fail_nomem();
        goto done;
    }
    atomic_init(&learnt->origin.users, 1);
    learnt->origin.drop = drop_origin;
    PVGI_TRY_DONE(pvgi_network_promise(&learnt->guarantee, function, model->seen,
                                       model->seen_count, notion, object));
    PVGI_TRY_DONE(keep_draws(learnt, model, notion, object));
    layers->origin = &learnt->origin;
    learnt = NULL;
    *out = layers;
    layers = NULL;
done:
    if (learnt) drop_origin(&learnt->origin);
    pvg_layers_free(layers);
    pvgi_free(weights);
    return status;
}
