/* The reader of model files. The input is what stands between the magic and the checksum,
 * which is made right, so that what stands behind it is reached. What is accepted can be
 * asked and written again. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "network/network_internal.h"

#include <privgraph-learn.h>

enum { MOST = 1 << 14 };

static uint8_t file[MOST + 64];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST) return 0;
    pvgi_digest digest;
    memcpy(file, "pvgmodl2", 8);
    memcpy(file + 8, data, size);
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, file, size + 8);
    pvgi_rng_digest_end(file + 8 + size, &digest);
    file[8 + size + PVGI_DIGEST_BYTES] = '\n';
    pvg_model *model = NULL;
    const int32_t status =
        pvgi_network_read(&model, file, 8 + size + PVGI_DIGEST_BYTES + 1);
    PVGF_CHECK((status == PVG_OK) == (model != NULL));
    PVGF_CHECK(status == PVG_OK || status == PVG_E_FORMAT || status == PVG_E_VERSION);
    if (!model) return 0;
    size_t length;
    pvg_guarantee *promise = NULL;
    PVGF_CHECK(pvg_model_loaded(model) == 1);
    PVGF_CHECK(pvg_model_copy_seen_json(NULL, 0, &length, model) == PVG_OK);
    PVGF_CHECK(pvg_model_columns(model, PVG_PREDICT_PROBABILITIES) > 0);
    const int32_t asked = pvg_model_promise(&promise, model, PVG_NOTION_EDGE, NULL);
    PVGF_CHECK(asked == PVG_OK || asked == PVG_E_PRIVACY || asked == PVG_E_NUMERIC);
    pvg_guarantee_free(promise);
    pvg_model_free(model);
    return 0;
}
