/* What this build is and what it runs on, as JSON. */
#include "base_internal.h"
#include "blas.h"

#include <sodium.h>

void pvgi_info_describe(pvgi_text *text) {
    static const char *const levels[] = {"portable", "avx2"};
    pvgi_text_format(text, "{\"version\": \"%s\", \"compiler\": ", pvg_version_string());
    pvgi_text_json_string(text, __VERSION__);
    pvgi_text_format(text, ", \"libsodium\": ");
    pvgi_text_json_string(text, sodium_version_string());
    pvgi_text_format(text, ", \"blas\": \"%s\", \"blas_found\": ", pvgi_blas_name());
    pvgi_text_json_string(text, pvgi_blas_found());
    pvgi_text_format(text, ", \"cpu\": \"%s\", \"optimised\": %s}",
                     levels[pvgi_cpu_level()],
#ifdef __OPTIMIZE__
                     "true"
#else
                     "false"
#endif
    );
}
