/* Queries from text: whatever is accepted has a canonical text that is accepted again and
 * is its own canonical text, with the same id. Bytes up to the first 0 are the text; no
 * pattern of more than a few vertices is let through, they take long. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "query/query_internal.h"

enum { LONGEST = 400 };

/* Numbers of more than four digits ask for large arrays, which is no fault. */
static int is_large(const char *text) {
    int digits = 0;
    for (const char *c = text; *c; c++) {
        digits = *c >= '0' && *c <= '9' ? digits + 1 : *c == '.' ? -400 : 0;
        if (digits > 4) return 1;
    }
    return strstr(text, "e+") != NULL || strstr(text, "patterns") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[LONGEST + 1], *first, *second;
    pvg_query *query = NULL, *again = NULL;
    size_t length = 0;
    if (size > LONGEST) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (is_large(text)) return 0;
    const int32_t status = pvg_query_new(&query, text, NULL, NULL, NULL);
    PVGF_CHECK((status == PVG_OK) == (query != NULL));
    if (status != PVG_OK) return 0;
    pvg_query_copy_text(NULL, 0, &length, query);
    first = calloc(1, length + 1);
    PVGF_CHECK(first && pvg_query_copy_text(first, length + 1, &length, query) == PVG_OK);
    PVGF_CHECK(pvg_query_new(&again, first, NULL, NULL, NULL) == PVG_OK);
    pvg_query_copy_text(NULL, 0, &length, again);
    second = calloc(1, length + 1);
    PVGF_CHECK(second &&
               pvg_query_copy_text(second, length + 1, &length, again) == PVG_OK);
    PVGF_CHECK(strcmp(first, second) == 0);
    PVGF_CHECK(memcmp(query->id, again->id, sizeof query->id) == 0);
    pvg_query_free(query);
    pvg_query_free(again);
    free(first);
    free(second);
    return 0;
}
