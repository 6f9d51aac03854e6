/* Pipelines from text: whatever is accepted has a canonical text that is accepted again
 * and is its own canonical text. Bytes up to the first 0 are the text; nine nodes with
 * public labels, parts or a prior, whichever the kind takes. Nothing is drawn. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "learn/pipeline.h"

enum { NODES = 9, CLASSES = 3, LONGEST = 400, GIVEN = 4 };

/* Numbers of more than three digits ask for large arrays and long sums, no fault. */
static int is_large(const char *text) {
    int digits = 0;
    for (const char *c = text; *c; c++) {
        digits = *c >= '0' && *c <= '9' ? digits + 1 : *c == '.' ? -400 : 0;
        if (digits > 3) return 1;
    }
    return strstr(text, "e+") != NULL;
}

static char *text_of(const pvg_pipeline *pipeline) {
    size_t length = 0;
    PVGF_CHECK(pvg_pipeline_copy_text(NULL, 0, &length, pipeline) == PVG_OK);
    char *text = calloc(1, length + 1);
    PVGF_CHECK(text &&
               pvg_pipeline_copy_text(text, length + 1, &length, pipeline) == PVG_OK);
    PVGF_CHECK(strlen(text) == length);
    return text;
}

static void check_text(const char *text, const pvg_pipeline_arguments *arguments) {
    pvg_pipeline *pipeline = NULL, *again = NULL;
    const int32_t status = pvg_pipeline_new(&pipeline, text, arguments, NULL, NULL, NULL);
    PVGF_CHECK((status == PVG_OK) == (pipeline != NULL));
    if (status != PVG_OK) return;
    PVGF_CHECK(pvg_pipeline_order(pipeline) == NODES);
    PVGF_CHECK(pvg_pipeline_classes(pipeline) >= 2);
    char *first = text_of(pipeline);
    PVGF_CHECK(pvg_pipeline_new(&again, first, arguments, NULL, NULL, NULL) == PVG_OK);
    char *second = text_of(again);
    PVGF_CHECK(strcmp(first, second) == 0);
    pvg_pipeline_free(pipeline);
    pvg_pipeline_free(again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int32_t labels[NODES] = {0, 1, 2, 0, -1, 2, -1, 1, 0};
    static const int32_t parts[NODES] = {
        PVG_PART_TRAIN,      PVG_PART_TRAIN, PVG_PART_TRAIN,
        PVG_PART_VALIDATION, PVG_PART_TRAIN, PVG_PART_TRAIN,
        PVG_PART_TEST,       PVG_PART_TRAIN, PVG_PART_NONE};
    double prior[NODES * CLASSES];
    char text[LONGEST + 1];
    if (size > LONGEST) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (is_large(text)) return 0;
    for (int i = 0; i < NODES * CLASSES; i++) prior[i] = 1.0 / CLASSES;
    const pvg_pipeline_arguments given[GIVEN] = {
        {.order = NODES, .labels = labels},
        {.order = NODES, .labels = labels, .prior = prior},
        {.order = NODES, .parts = parts},
        {.order = NODES, .labels = labels, .parts = parts}};
    for (int i = 0; i < GIVEN; i++) {
        pvg_pipeline_arguments own = given[i];
        own.size = sizeof own;
        if (i == 0 && strstr(text, "edges")) continue; /* trains; the prior does not */
        check_text(text, &own);
    }
    return 0;
}
