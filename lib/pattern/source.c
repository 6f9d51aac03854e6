/* Random choices for samplers, from blocks of generator bytes. The first failure of the
 * generator is remembered in status and every later choice is zero, so that a sampler
 * checks once per pattern. Probabilities are exact to 2^-53. */
#include "pattern_internal.h"

#include <math.h>
#include <string.h>

static uint64_t next_word(pvgi_pattern_source *source) {
    uint8_t bytes[8 * PVGI_PATTERN_SOURCE_WORDS];
    if (source->status != PVG_OK) return 0;
    if (source->left == 0) {
        source->status = pvg_rng_draw_bytes(bytes, sizeof bytes, source->rng);
        if (source->status != PVG_OK) return 0;
        for (size_t i = 0; i < PVGI_PATTERN_SOURCE_WORDS; i++) {
            uint64_t word = 0; /* lowest byte first on every machine */
            for (size_t j = 8; j-- > 0;) word = word << 8 | bytes[8 * i + j];
            source->word[i] = word;
        }
        source->left = PVGI_PATTERN_SOURCE_WORDS;
    }
    return source->word[--source->left];
}

int32_t pvgi_pattern_choose(pvgi_pattern_source *source, int32_t bound) {
    const uint32_t range = (uint32_t)bound;
    const uint32_t excess = (0u - range) % range; /* 2^32 mod range */
    uint64_t product;
    do product = (next_word(source) >> 32) * range;
    while ((uint32_t)product < excess && source->status == PVG_OK);
    return (int32_t)(product >> 32);
}

bool pvgi_pattern_flip(pvgi_pattern_source *source, double probability) {
    const uint64_t word = next_word(source);
    return source->status == PVG_OK && (double)(word >> 11) * 0x1p-53 < probability;
}

int32_t pvgi_pattern_poisson(pvgi_pattern_source *source, double mean) {
    double uniform = (double)(next_word(source) >> 11) * 0x1p-53, weight = exp(-mean);
    int32_t value = 0;
    while (uniform >= weight && value < 1000) {
        uniform -= weight;
        weight *= mean / ++value;
    }
    return value;
}
