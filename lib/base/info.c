/* What this build is and what it runs on, as JSON. One of the named files that may call
 * LAPACKE: it asks the library that is really loaded for its version. */
#include "base_internal.h"

#include <lapacke.h>
#include <sodium.h>

void pvgi_info_describe(pvgi_text *text) {
    static const char *const levels[] = {"portable", "avx2", "avx512"};
    lapack_int major = 0, minor = 0, patch = 0;
    LAPACKE_ilaver(&major, &minor, &patch);
    pvgi_text_format(text, "{\"version\": \"%s\", \"compiler\": ", pvg_version_string());
    pvgi_text_json_string(text, __VERSION__);
    pvgi_text_format(text, ", \"libsodium\": ");
    pvgi_text_json_string(text, sodium_version_string());
    pvgi_text_format(text, ", \"lapack\": \"%d.%d.%d\", \"blas\": ", (int)major,
                     (int)minor, (int)patch);
    pvgi_text_json_string(text, PVGI_BLAS_NAME);
    pvgi_text_format(text, ", \"cpu\": \"%s\", \"optimised\": %s}",
                     levels[pvgi_cpu_level()],
#ifdef __OPTIMIZE__
                     "true"
#else
                     "false"
#endif
    );
}
