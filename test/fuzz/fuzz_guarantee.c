/* The reader of records. What is accepted is written as the same record again: the second
 * text reads as itself, and the guarantee can be asked everything. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "guarantee/guarantee_internal.h"

static char *json_of(const pvg_guarantee *guarantee, size_t *length) {
    PVGF_CHECK(pvg_guarantee_copy_json(NULL, 0, length, guarantee) == PVG_OK);
    char *text = malloc(*length + 1);
    PVGF_CHECK(text &&
               pvg_guarantee_copy_json(text, *length + 1, length, guarantee) == PVG_OK);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvg_guarantee *guarantee = NULL, *again = NULL;
    size_t length, second;
    double epsilon;
    if (size > 1 << 14) return 0;
    const int32_t status = pvg_guarantee_parse(&guarantee, (const char *)data, size);
    PVGF_CHECK((status == PVG_OK) == (guarantee != NULL));
    if (status != PVG_OK) {
        PVGF_CHECK(status == PVG_E_FORMAT || status == PVG_E_VERSION);
        return 0;
    }
    PVGF_CHECK(pvg_notion_name(pvg_guarantee_notion(guarantee)) != NULL);
    PVGF_CHECK(pvg_guarantee_epsilon(&epsilon, guarantee, 1e-5) == PVG_OK);
    PVGF_CHECK(epsilon >= 0.0);
    PVGF_CHECK(pvg_guarantee_copy_text(NULL, 0, &length, guarantee) == PVG_OK);
    char *text = json_of(guarantee, &length);
    PVGF_CHECK(pvg_guarantee_parse(&again, text, length) == PVG_OK);
    char *other = json_of(again, &second);
    PVGF_CHECK(length == second && memcmp(text, other, length) == 0);
    free(text);
    free(other);
    pvg_guarantee_free(guarantee);
    pvg_guarantee_free(again);
    return 0;
}
