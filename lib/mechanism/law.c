/* Noise laws: one row each, and nowhere else a list of them. A new law is a row here, a
 * file that draws it if rng does not, its proof in docs/guarantees.md and its tests. */
#include "mechanism_internal.h"

static double as_scale(double scale, double sensitivity) {
    (void)sensitivity;
    return scale;
}

static double as_laplace(double scale, double sensitivity) {
    (void)sensitivity;
    return scale * sqrt(2.0);
}

static const pvgi_law laws[] = {
    [PVG_NOISE_GAUSSIAN] = {.word = "gaussian",
                            .name = "rounded Gaussian",
                            .claim = "mechanism.gaussian",
                            .curve = PVG_CURVE_GDP,
                            .norm = 2,
                            .rng = PVGI_NOISE_ROUNDED_GAUSSIAN,
                            .deviation = as_scale,
                            .joint = true},
    [PVG_NOISE_LAPLACE] = {.word = "laplace",
                           .name = "discrete Laplace",
                           .claim = "mechanism.laplace",
                           .curve = PVG_CURVE_PURE,
                           .norm = 1,
                           .rng = PVGI_NOISE_DISCRETE_LAPLACE,
                           .deviation = as_laplace,
                           .joint = true},
    [PVG_NOISE_DISCRETE_GAUSSIAN] = {.word = "discrete-gaussian",
                                     .name = "discrete Gaussian",
                                     .claim = "mechanism.discrete-gaussian",
                                     .curve = PVG_CURVE_ZCDP,
                                     .norm = 2,
                                     .rng = PVGI_NOISE_DISCRETE_GAUSSIAN,
                                     .deviation = as_scale,
                                     .joint = true},
    [PVG_NOISE_SMOOTH] = {.word = "smooth",
                          .name = "rounded Gaussian, smooth sensitivity",
                          .claim = "mechanism.smooth",
                          .curve = PVG_CURVE_SMOOTH,
                          .norm = 2,
                          .rng = PVGI_NOISE_ROUNDED_GAUSSIAN,
                          .deviation = as_scale,
                          .smooth = true},
    [PVG_NOISE_SMOOTH_PUBLISHED] =
        {.word = "smooth-published",
         .name = "rounded Gaussian, smooth sensitivity, published accounting",
         .claim = "mechanism.smooth-published",
         .curve = PVG_CURVE_SMOOTH,
         .norm = 2,
         .rng = PVGI_NOISE_ROUNDED_GAUSSIAN,
         .deviation = as_scale,
         .smooth = true,
         .published = true},
    [PVG_NOISE_STAIRCASE] = {.word = "staircase",
                             .name = "discrete staircase",
                             .claim = "mechanism.staircase",
                             .curve = PVG_CURVE_PURE,
                             .norm = 1,
                             .draw = pvgi_mechanism_staircase_draw,
                             .deviation = pvgi_mechanism_staircase_deviation,
                             .steps_max = INT64_C(1) << 48},
};

const pvgi_law *pvgi_mechanism_law(int32_t noise) {
    const int32_t count = (int32_t)(sizeof laws / sizeof laws[0]);
    return noise >= 0 && noise < count && laws[noise].word ? &laws[noise] : NULL;
}

uint32_t pvgi_mechanism_laws(bool joint) {
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        if (laws[i].word && !laws[i].smooth && (laws[i].joint || !joint))
            bits |= UINT32_C(1) << i;
    return bits;
}

bool pvgi_mechanism_is_smooth(int32_t noise) {
    const pvgi_law *law = pvgi_mechanism_law(noise);
    return law && law->smooth;
}
