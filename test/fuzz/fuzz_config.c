/* The import of config structs: first byte how large the library's struct is, then the
 * caller's struct, its memory as long as its size says. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

enum { SANE = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t claimed;
    uint8_t out[256];
    if (size < 1 + sizeof claimed) return 0;
    const size_t known = 8 + data[0] % 248;
    memcpy(&claimed, data + 1, sizeof claimed);
    const size_t bytes = claimed < sizeof claimed ? sizeof claimed
                         : claimed > SANE         ? sizeof claimed
                                                  : claimed;
    uint8_t *caller = calloc(1, bytes); /* exactly, so that ASan sees more being read */
    memcpy(caller, data + 1, size - 1 < bytes ? size - 1 : bytes);
    const int32_t status = pvgi_config_import(out, known, caller, "pvg_fuzz");
    bool tail = false;
    for (size_t i = known; i < bytes; i++) tail = tail || caller[i] != 0;
    if (claimed < sizeof claimed || claimed > SANE || claimed % 8 != 0)
        PVGF_CHECK(status == PVG_E_ARGUMENT);
    else if (tail)
        PVGF_CHECK(status == PVG_E_VERSION);
    else {
        PVGF_CHECK(status == PVG_OK);
        uint32_t own;
        memcpy(&own, out, sizeof own);
        PVGF_CHECK(own == known);
        for (size_t i = sizeof own; i < known; i++)
            PVGF_CHECK(out[i] == (i < bytes ? caller[i] : 0));
    }
    free(caller);
    return 0;
}
