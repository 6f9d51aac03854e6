/* Lists of the module mechanism for tests: made, added to, asked. */
#ifndef PVGT_LOSS_HELP_H
#define PVGT_LOSS_HELP_H

#include "mechanism/mechanism_internal.h"
#include "support.h"

static inline pvg_pld *part_of(const pvg_pld_part *part) {
    pvg_pld *loss = NULL;
    TEST_ASSERT_EQUAL_INT32_MESSAGE(PVG_OK, pvg_pld_new(&loss, part),
                                    pvg_error_message());
    return loss;
}

static inline void add(pvg_pld **list, const pvg_pld_part *part) {
    pvg_pld *one = part_of(part), *both = NULL;
    if (!*list) {
        *list = one;
        return;
    }
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_pld_compose(&both, *list, one));
    pvg_pld_free(one);
    pvg_pld_free(*list);
    *list = both;
}

static inline double epsilon_of(const pvg_pld *loss, double delta) {
    double epsilon = -1;
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_pld_epsilon(&epsilon, loss, delta, NULL));
    return epsilon;
}

static inline double delta_of(const pvg_pld *loss, double epsilon) {
    double delta = -1;
    TEST_ASSERT_EQUAL_INT32(PVG_OK, pvg_pld_delta(&delta, loss, epsilon, NULL));
    return delta;
}

static inline long double gaussian_delta(long double mu, long double x) {
    const long double a = (x / mu - mu / 2) / sqrtl(2), b = (x / mu + mu / 2) / sqrtl(2);
    return 0.5L * erfcl(a) - 0.5L * expl(x) * erfcl(b);
}

#endif
