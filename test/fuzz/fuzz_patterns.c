/* Patterns from text. First byte 'n': names, 's': the name of a sampler, anything else:
 * graph6. What is accepted has a checked elimination order and survives writing and
 * reading, in its own and in canonical form. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

#include <privgraph.h>

static void check_pattern(const pvg_patterns *list, int64_t index) {
    const int32_t *elimination = NULL;
    char text[3][128];
    size_t length[3];
    PVGF_CHECK(pvg_patterns_view_elimination(&elimination, list, index) == PVG_OK);
    PVGF_CHECK(pvg_patterns_elimination_width(list, index, elimination) ==
               pvg_patterns_width(list, index));
    PVGF_CHECK(pvg_patterns_copy_graph6(text[0], 128, &length[0], list, index) == PVG_OK);
    PVGF_CHECK(pvg_patterns_copy_canonical(text[1], 128, &length[1], list, index) ==
               PVG_OK);
    for (int i = 0; i < 2; i++) {
        pvg_patterns *again = NULL;
        PVGF_CHECK(pvg_patterns_from_graph6(&again, text[i], length[i]) == PVG_OK);
        PVGF_CHECK(pvg_patterns_count(again) == 1);
        PVGF_CHECK(pvg_patterns_isomorphic(list, index, again, 0) == 1);
        PVGF_CHECK(pvg_patterns_hash(list, index) == pvg_patterns_hash(again, 0));
        PVGF_CHECK(pvg_patterns_copy_graph6(text[2], 128, &length[2], again, 0) ==
                   PVG_OK);
        PVGF_CHECK(strcmp(text[i], text[2]) == 0);
        PVGF_CHECK(pvg_patterns_copy_canonical(text[2], 128, &length[2], again, 0) ==
                   PVG_OK);
        PVGF_CHECK(strcmp(text[1], text[2]) == 0);
        pvg_patterns_free(again);
    }
    /* the classes agree with each other (docs/guide/patterns.md) */
    int32_t tree, fan, parallel, apex;
    PVGF_CHECK(pvg_patterns_in_class(&tree, list, index, PVG_CLASS_TREES, 0) == PVG_OK);
    PVGF_CHECK(pvg_patterns_in_class(&fan, list, index, PVG_CLASS_FAN_CACTUS, 0) ==
               PVG_OK);
    PVGF_CHECK(pvg_patterns_in_class(&parallel, list, index, PVG_CLASS_PARALLEL_TREES,
                                     0) == PVG_OK);
    PVGF_CHECK(pvg_patterns_in_class(&apex, list, index, PVG_CLASS_APEX_FORESTS, 1) ==
               PVG_OK);
    const int64_t width = pvg_patterns_width(list, index);
    PVGF_CHECK(tree == (width <= 1) && (!tree || (fan && parallel && apex)));
    PVGF_CHECK(!(fan || parallel || apex) || width <= 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvg_patterns *list = NULL, *merged = NULL;
    int32_t status;
    if (size == 0 || size > 4096) return 0;
    if (data[0] == 'n' || data[0] == 's') {
        char text[4097];
        memcpy(text, data + 1, size - 1);
        text[size - 1] = 0;
        if (data[0] == 's') {
            pvg_sampler *sampler = NULL;
            status = pvg_sampler_from_name(&sampler, text, NULL);
            PVGF_CHECK((status == PVG_OK) == (sampler != NULL));
            pvg_sampler_free(sampler);
            return 0;
        }
        status = pvg_patterns_from_names(&list, text);
    } else {
        status = pvg_patterns_from_graph6(&list, (const char *)data + 1, size - 1);
    }
    PVGF_CHECK((status == PVG_OK) == (list != NULL));
    if (status != PVG_OK) {
        PVGF_CHECK(status == PVG_E_FORMAT || status == PVG_E_LIMIT);
        return 0;
    }
    for (int64_t i = 0; i < pvg_patterns_count(list); i++) check_pattern(list, i);
    PVGF_CHECK(pvg_patterns_merge(&merged, NULL, list) == PVG_OK);
    int64_t sum = 0;
    for (int64_t i = 0; i < pvg_patterns_count(merged); i++)
        sum += pvg_patterns_multiplicity(merged, i);
    PVGF_CHECK(sum == pvg_patterns_count(list));
    pvg_patterns_free(merged);
    pvg_patterns_free(list);
    return 0;
}
