/* Reader of METIS files; what it accepts survives every writer. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return pvgf_run_format(PVG_FORMAT_METIS, data, size);
}
