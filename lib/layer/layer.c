/* Entry file of layer: what layer.h declares. */
#include "layer_internal.h"

int32_t pvg_layers_new(pvg_layers **out, const pvg_layers_config *config,
                       const double *weights, int64_t dimension) {
    const char *name = "pvg_layers_new";
    pvg_layers_config own;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&own, &pvgi_layer_shape, config, name, "config"));
    PVGI_REQUIRE(weights || dimension == 0, "%s: dimension is %lld without weights", name,
                 (long long)dimension);
    PVGI_REQUIRE(!weights || (dimension >= 1 && dimension <= PVG_LAYERS_DIMENSION_MAX),
                 "%s: dimension is %lld, not in 1..%d", name, (long long)dimension,
                 (int)PVG_LAYERS_DIMENSION_MAX);
    return pvgi_layer_build(out, &own, weights, dimension);
}

void pvg_layers_free(pvg_layers *layers) {
    pvgi_layer_drop(layers);
}

int64_t pvg_layers_depth(const pvg_layers *layers) {
    return layers ? layers->config.depth : 0;
}

int64_t pvg_layers_dimension(const pvg_layers *layers) {
    return layers ? layers->dimension : 0;
}

int32_t pvg_layers_copy_config(pvg_layers_config *out, const pvg_layers *layers) {
    const char *name = "pvg_layers_copy_config";
    if (!out) return pvgi_fail_null(name, "out");
    if (!layers) return pvgi_fail_null(name, "layers");
    return pvgi_config_export(out, &layers->config, sizeof layers->config,
                              "pvg_layers_config");
}

int32_t pvg_layers_gain(double *out, const pvg_layers *layers, int64_t layer) {
    const char *name = "pvg_layers_gain";
    if (!out) return pvgi_fail_null(name, "out");
    if (!layers) return pvgi_fail_null(name, "layers");
    PVGI_REQUIRE(layer >= 0 && layer < layers->config.depth,
                 "%s: layer is %lld, not in 0..%lld", name, (long long)layer,
                 (long long)(layers->config.depth - 1));
    *out = layers->gain[layer];
    return PVG_OK;
}
