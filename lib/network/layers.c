/* Weights of a model as layers of message passing, with the draws behind them:
 * propagators that use them compose all curves. */
#include "network_internal.h"

#include <string.h>

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
                            const pvg_layers_config *config, const pvg_model *model) {
    int64_t count = 0, dimension = 0;
    double *weights = NULL;
    int32_t status = collect(&weights, &count, &dimension, function, model);
    const int64_t depth = config && config->depth ? config->depth : 1;
    if (status == PVG_OK && count != depth)
        status = pvgi_fail(PVG_E_ARGUMENT,
                           "%s: the network has %lld square maps, the layers are %lld",
                           function, (long long)count, (long long)depth);
    if (status == PVG_OK)
        status =
            pvgi_query_learnt_layers(out, config, weights, dimension, model->sources);
    pvgi_free(weights);
    return status;
}
