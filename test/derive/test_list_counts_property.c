/* Counts of a top list, read again: against the min-max formula of the nearest falling
 * sequence; nearer to the truth than what was released, on lists of two shapes. */
#include "derive/derive_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 24 };

static uint64_t state = 3;
static double unit(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

/* The largest over ends b >= i of the least mean over starts a <= i. */
static double falling(const double *y, int count, int i) {
    double most = -INFINITY;
    for (int b = i; b < count; b++) {
        double least = INFINITY, sum = 0.0;
        for (int a = b; a >= 0; a--) {
            sum += y[a];
            if (a <= i) least = fmin(least, sum / (double)(b - a + 1));
        }
        most = fmax(most, least);
    }
    return most;
}

static void between_what_is_seen_and_what_falls(void) {
    for (int round = 0; round < 500; round++) {
        const int count = 1 + (int)(unit() * MOST);
        double values[2 * MOST], y[MOST], out[MOST], all[MOST], square = 0.0;
        int blocks = 1;
        for (int i = 0; i < count; i++) {
            y[i] = values[2 * i + 1] = floor(1000.0 + 40.0 * unit() - 3.0 * i);
            values[2 * i] = i;
        }
        PVGT_OK(pvgi_derive_list_counts(all, values, count, 1e9, INFINITY));
        for (int i = 0; i < count; i++) { /* only noise: the sequence itself */
            PVGT_CHECK(fabs(all[i] - falling(y, count, i)) < 1e-9, "%d of %d: %g", i,
                       count, all[i]);
            square += (y[i] - all[i]) * (y[i] - all[i]);
            blocks += i > 0 && all[i] < all[i - 1];
        }
        PVGT_OK(pvgi_derive_list_counts(out, values, count, 0.0, INFINITY));
        for (int i = 0; i < count; i++) /* no noise: as it is */
            PVGT_CHECK(fabs(out[i] - y[i]) < 1e-9, "%d of %d: %g", i, count, out[i]);
        if (count == blocks) continue;
        square /= count - blocks; /* half of the spread is noise: in the middle */
        PVGT_OK(pvgi_derive_list_counts(out, values, count, sqrt(0.5 * square), 1010.0));
        for (int i = 0; i < count; i++)
            PVGT_CHECK(fabs(out[i] - fmin(0.5 * (y[i] + all[i]), 1010.0)) < 1e-9,
                       "%d of %d: %g", i, count, out[i]);
    }
}

/* Thing t is had by so many of n persons. */
static int64_t had(int shape, int64_t t, int64_t n) {
    return shape == 0 ? n / (t + 2) : n / 2 - (n / 600) * t;
}

static void nearer_to_the_truth(void) {
    enum { PERSONS = 3000, THINGS = 200, TOP = 40, DRAWS = 30 };
    for (int shape = 0; shape < 2; shape++) {
        static int64_t owners[PERSONS * THINGS], things[PERSONS * THINGS];
        int64_t count = 0;
        for (int64_t t = 0; t < THINGS; t++)
            for (int64_t i = 0; i < had(shape, t, PERSONS); i++) {
                owners[count] = (i * 7 + t * 13) % PERSONS;
                things[count++] = t;
            }
        pvg_lists *lists = NULL;
        pvg_query *query = NULL;
        pvg_rng *rng = NULL;
        const pvg_target any = {.size = sizeof any, .allow_seeded = 1};
        PVGT_OK(pvg_lists_from_pairs(&lists, PERSONS, THINGS, owners, things, count, 0));
        PVGT_OK(pvg_query_new(&query, "list-top things=200 top=40 epsilon=1 delta=1e-6",
                              NULL, &any, NULL));
        PVGT_OK(pvg_rng_new_seeded(&rng, 4));
        const pvg_input in = {.size = sizeof in, .lists = lists};
        double raw = 0.0, read = 0.0;
        for (int d = 0; d < DRAWS; d++) {
            pvg_release *release = NULL;
            const double *v;
            double out[TOP];
            PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&v, release));
            PVGT_OK(pvg_estimate_list_counts(out, query, release));
            for (int k = 0; k < TOP; k++) {
                const double true_count = (double)had(shape, (int64_t)v[2 * k], PERSONS);
                raw += fabs(v[2 * k + 1] - true_count);
                read += fabs(out[k] - true_count);
            }
            pvg_release_free(release);
        }
        PVGT_CHECK(read < 0.8 * raw, "shape %d: %g of %g", shape, read, raw);
        pvg_rng_free(rng);
        pvg_query_free(query);
        pvg_lists_free(lists);
    }
}

static void others_are_refused(void) {
    const int64_t owner = 0, thing = 0;
    pvg_lists *lists = NULL;
    pvg_query *plain = NULL, *rows = NULL;
    pvg_release *release = NULL;
    double out[2];
    PVGT_OK(pvg_lists_from_pairs(&lists, 2, 2, &owner, &thing, 1, 0));
    const pvg_input in = {.size = sizeof in, .lists = lists};
    static const char *const texts[] = {"list-top things=2 top=2 counts=0 epsilon=1",
                                        "list-rows things=2 epsilon=1 noise=laplace"};
    pvg_query **query[] = {&plain, &rows};
    for (int i = 0; i < 2; i++) {
        char text[96];
        snprintf(text, sizeof text, "%s%s", texts[i], i == 0 ? " noise=laplace" : "");
        PVGT_OK(pvg_query_new(query[i], text, NULL, NULL, NULL));
        PVGT_OK(pvg_release_draw_text(&release, text, &in, NULL, NULL));
        PVGT_FAILS(PVG_E_ARGUMENT, "list-top with counts",
                   pvg_estimate_list_counts(out, *query[i], release));
        PVGT_FAILS(PVG_E_ARGUMENT, "out",
                   pvg_estimate_list_counts(NULL, *query[i], release));
        pvg_release_free(release);
        pvg_query_free(*query[i]);
    }
    pvg_lists_free(lists);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(between_what_is_seen_and_what_falls);
    RUN_TEST(nearer_to_the_truth);
    RUN_TEST(others_are_refused);
    return UNITY_END();
}
