/* Private training in one call, for tests about models: the model is taken out of the
 * release that holds it. */
#ifndef PVGT_TRAINING_H
#define PVGT_TRAINING_H

#include "network/network_internal.h"

#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

static inline int32_t pvgt_train(pvg_model **out, const pvg_query *query,
                                 const pvg_dataset *data, uint64_t object, pvg_rng *rng,
                                 pvg_ledger *ledger, const pvg_run *run) {
    const pvg_input input = {
        .size = sizeof input, .dataset = data, .objects = &object, .object_count = 1};
    pvg_release *release = NULL;
    *out = NULL;
    const int32_t status = pvg_release_draw(&release, query, &input, rng, ledger, run);
    const pvg_model *model = NULL;
    if (status == PVG_OK && pvg_release_view_model(&model, release) == PVG_OK) {
        *out = release->content.model;
        release->content.model = NULL;
    }
    pvg_release_free(release);
    return status;
}

/* A number of what the query tells about itself. */
static inline double pvgt_declared(const pvg_query *query, const char *key) {
    char text[4096], word[64];
    size_t length;
    if (pvg_query_copy_json(text, sizeof text, &length, query, 0) != PVG_OK) abort();
    snprintf(word, sizeof word, "\"%s\":", key);
    const char *at = strstr(text, word);
    if (!at) abort();
    return strtod(at + strlen(word), NULL);
}

#endif
