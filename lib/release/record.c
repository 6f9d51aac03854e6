/* The record of a release: its guarantee, its shape. */
#include "release_internal.h"

void pvgi_release_record_json(pvgi_text *text, const pvg_release *release) {
    pvgi_text_append(text, "{", 1);
    pvgi_ledger_guarantee_json(text, &release->guarantee);
    pvgi_text_format(text, ", \"composition\": \"%s\"",
                     release->separate ? "each row is a private object of its own; "
                                         "releasing the same object again adds up"
                                       : "the release is about one private object; "
                                         "releasing it again adds up");
    pvgi_text_format(text, ", \"rows\": %lld, \"columns\": %lld}",
                     (long long)release->rows, (long long)release->columns);
}

void pvgi_release_record_words(pvgi_text *text, const pvg_release *release) {
    pvgi_ledger_guarantee_words(text, &release->guarantee);
    if (release->separate && release->rows > 1 &&
        pvgi_ledger_guarantee_holds(&release->guarantee))
        pvgi_text_format(text, "This holds for each of %lld rows on its own.\n",
                         (long long)release->rows);
}

int32_t pvgi_release_check_rng(const char *function, const pvg_rng *rng,
                               int32_t allow_seeded) {
    if (!rng) return pvgi_fail_null(function, "rng");
    if (!rng->secure && !allow_seeded)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: a seeded generator protects nobody; set allow_seeded in "
                         "the target if this is a test",
                         function);
    return PVG_OK;
}
