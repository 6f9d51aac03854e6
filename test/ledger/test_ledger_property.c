/* ledger against independent accounts: sums by hand, conversions by other formulas;
 * files cut at every byte, filled with zeros, damaged in every byte. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "ledger_folder.h"
#include "ledger_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double uniform(uint64_t *state) {
    return ((double)(pvgt_random(state) >> 11) + 1) * 0x1p-53;
}

/* --- other accounts ------------------------------------------------------------- */

/* delta of N(0,1) against N(mu,1), the textbook formula in long double. */
static long double gdp_delta(double mu, double epsilon) {
    const long double a = epsilon / (long double)mu, half = mu / 2.0L;
    return 0.5L * erfcl((a - half) / sqrtl(2)) -
           0.5L * expl(epsilon) * erfcl((a + half) / sqrtl(2));
}

/* Least epsilon over a fine grid of orders for divergences order -> value. */
static double order_price(double alpha, double delta) {
    return log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1);
}

static double zcdp_epsilon(double rho, double delta) {
    double least = INFINITY;
    for (double s = -6; s < 12; s += 0.0005) {
        const double alpha = 1 + exp(s);
        least = fmin(least, rho * alpha + order_price(alpha, delta));
    }
    return least;
}

/* Divergence of randomised response, by its definition. */
static double pure_renyi(double epsilon, double alpha) {
    const long double p = 1 / (1 + expl(-epsilon)), q = 1 - p;
    return (double)(logl(powl(p, alpha) * powl(q, 1 - alpha) +
                         powl(q, alpha) * powl(p, 1 - alpha)) /
                    (alpha - 1));
}

/* --- sequences ------------------------------------------------------------------ */

static void gaussian_sequences(void) {
    uint64_t state = 1;
    for (int trial = 0; trial < 200; trial++) {
        const double epsilon = 0.1 + 4 * uniform(&state);
        const double delta = pow(10, -1 - 9 * uniform(&state));
        pvg_ledger *ledger = fresh(epsilon, delta, PVG_METHOD_GDP);
        long double mu2 = 0;
        double last = 0;
        for (int i = 0; i < 30; i++) {
            const double mu = 0.3 * epsilon * uniform(&state) * uniform(&state);
            const long double next = mu2 + (long double)mu * mu;
            const long double needed = gdp_delta((double)sqrtl(next), epsilon);
            const bool accepted = charge(ledger, 4, gdp(mu)) == PVG_OK;
            if (fabsl(needed / delta - 1) > 1e-6L)
                PVGT_CHECK(accepted == (needed <= delta),
                           "trial %d charge %d epsilon %.17g delta %.17g mu %.17g", trial,
                           i, epsilon, delta, mu);
            if (accepted) mu2 = next;
            const double now = spent(ledger, 4, delta);
            PVGT_CHECK(now <= epsilon && (accepted ? now >= last : now == last),
                       "trial %d charge %d: %.17g after %.17g", trial, i, now, last);
            last = now;
        }
        pvg_ledger_free(ledger);
    }
}

/* zCDP charges fill the budget to what their sum converts to. */
static void concentrated_sequences(void) {
    uint64_t state = 2;
    for (int trial = 0; trial < 20; trial++) {
        const double epsilon = 0.2 + 3 * uniform(&state);
        const double delta = pow(10, -2 - 7 * uniform(&state));
        pvg_ledger *ledger = fresh(epsilon, delta, PVG_METHOD_RENYI);
        double sum = 0, refused = INFINITY;
        for (int i = 0; i < 40; i++) {
            const double rho = 0.02 * epsilon * epsilon * uniform(&state);
            if (charge(ledger, 4, zcdp(rho)) == PVG_OK)
                sum += rho;
            else
                refused = fmin(refused, sum + rho);
        }
        PVGT_CHECK(zcdp_epsilon(sum, delta) <= epsilon * (1 + 1e-9),
                   "trial %d epsilon %.17g delta %.17g", trial, epsilon, delta);
        if (isfinite(refused))
            PVGT_CHECK(zcdp_epsilon(refused * (1 + 1e-6), delta) > epsilon,
                       "trial %d epsilon %.17g delta %.17g refused too early", trial,
                       epsilon, delta);
        pvg_ledger_free(ledger);
    }
}

/* Any mixture under RENYI: the sum at the object's order, by other formulas. */
static void mixed_sequences(void) {
    uint64_t state = 3;
    for (int trial = 0; trial < 300; trial++) {
        const double epsilon = 0.2 + 3 * uniform(&state);
        const double delta = pow(10, -2 - 7 * uniform(&state));
        pvg_ledger *ledger = fresh(epsilon, delta, PVG_METHOD_RENYI);
        double sum = 0, order = 0;
        bool other = false;
        for (int i = 0; i < 30; i++) {
            const double x = 0.2 * epsilon * uniform(&state);
            const int64_t kind = pvgt_below(&state, 3);
            const bool accepted = charge(ledger, 4,
                                         kind == 0   ? pure(x)
                                         : kind == 1 ? gdp(x)
                                                     : zcdp(x * x)) == PVG_OK;
            if (i == 0) {
                if (!accepted) break;
                order = pvgi_ledger_find(ledger, 4)->state.rule.order;
            }
            const double cost = kind == 0   ? pure_renyi(x, order)
                                : kind == 1 ? 0.5 * x * x * order
                                            : x * x * order;
            const double after = sum + cost + order_price(order, delta);
            if (i > 0 && (other || kind != 0) && fabs(after / epsilon - 1) > 1e-6)
                PVGT_CHECK(accepted == (after <= epsilon),
                           "trial %d charge %d kind %d x %.17g: %.17g of %.17g", trial, i,
                           (int)kind, x, after, epsilon);
            if (accepted) {
                sum += cost;
                other = other || kind != 0;
            }
            TEST_ASSERT_TRUE(spent(ledger, 4, delta) <= epsilon);
        }
        pvg_ledger_free(ledger);
    }
}

/* The order fixed by a first charge is the one that allows most repetitions of it. */
static void orders_are_good(void) {
    const double deltas[] = {1e-3, 1e-6, 1e-9};
    for (int d = 0; d < 3; d++)
        for (double rho = 1e-6; rho < 0.1; rho *= 3) {
            pvg_ledger *ledger = fresh(2, deltas[d], PVG_METHOD_RENYI);
            if (charge(ledger, 1, zcdp(rho)) == PVG_OK) {
                pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_ZCDP};
                double most, left;
                PVGT_OK(pvg_curve_solve(&most, &term, 2, deltas[d]));
                PVGT_OK(pvg_ledger_remaining(&left, ledger, 1, &term));
                PVGT_CHECK(
                    left + rho >= most * (1 - 1e-9) && left + rho <= most * (1 + 1e-9),
                    "rho %g delta %g: %.17g of %.17g", rho, deltas[d], left + rho, most);
            }
            pvg_ledger_free(ledger);
        }
}

/* Sums of dyadic numbers are exact: the ledger and integers agree on every charge. */
static void exact_sequences(void) {
    uint64_t state = 5;
    for (int trial = 0; trial < 100; trial++) {
        const int64_t budget_units = 1 + pvgt_below(&state, 100000);
        pvg_ledger *ledger = fresh((double)budget_units * 0x1p-12, 0, 0);
        int64_t sums[3] = {0};
        for (int i = 0; i < 100; i++) {
            const int64_t units = 1 + pvgt_below(&state, 1 + budget_units / 10);
            const int64_t object = pvgt_below(&state, 3);
            const bool accepted =
                charge(ledger, (uint64_t)object, pure((double)units * 0x1p-12)) == PVG_OK;
            PVGT_CHECK(accepted == (sums[object] + units <= budget_units),
                       "trial %d charge %d", trial, i);
            if (accepted) sums[object] += units;
            TEST_ASSERT_EQUAL_DOUBLE((double)sums[object] * 0x1p-12,
                                     spent(ledger, (uint64_t)object, 0));
        }
        pvg_ledger_free(ledger);
    }
}

/* --- files ---------------------------------------------------------------------- */

enum { RECORDS = 6, BYTES = 4096 };
typedef struct {
    uint8_t bytes[BYTES];
    size_t count, ends[RECORDS + 1]; /* end of the beginning, and of each charge */
    double spent[RECORDS + 1];       /* by object 1 after each */
} sample;

static size_t slurp(uint8_t *out) {
    FILE *file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(file);
    const size_t count = fread(out, 1, BYTES, file);
    fclose(file);
    return count;
}

static void dump(const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_size_t(count, fwrite(bytes, 1, count, file));
    fclose(file);
}

static void make_sample(sample *out) {
    const pvg_ledger_config config = budget(8, 1e-6, PVG_METHOD_RENYI);
    pvg_ledger *ledger = NULL;
    /* files of version 1, which acknowledge nothing; test_ledger_disk has the others */
    PVGT_OK(pvgi_ledger_make(&ledger, &config));
    ledger->version = 1;
    PVGT_OK(pvgi_ledger_begin_file(ledger, path));
    for (int i = 0;; i++) {
        out->ends[i] = ledger->journal.bytes;
        out->spent[i] = spent(ledger, 1, 1e-6);
        if (i == RECORDS) break;
        pvg_curve *curve = i % 3 == 0   ? gdp(0.1 * (i + 1))
                           : i % 3 == 1 ? pure(0.1)
                                        : zcdp(0.01);
        const uint64_t objects[3] = {1, 2, (uint64_t)i << 40};
        PVGT_OK(charge_curve(ledger, objects, 1 + i % 3, PVG_NOTION_EDGE, curve));
        pvg_curve_free(curve);
    }
    pvg_ledger_free(ledger);
    out->count = slurp(out->bytes);
    TEST_ASSERT_EQUAL_size_t(out->ends[RECORDS], out->count);
}

/* Charges that a file of `length` good bytes holds; the end mark does not matter. */
static int held(const sample *s, size_t length) {
    int charges = 0;
    while (charges < RECORDS && s->ends[charges + 1] - 1 <= length) charges++;
    return charges;
}

/* The file on the disk holds `expected` charges, and goes on from there. */
static void check_goes_on(const sample *s, int expected, size_t at) {
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_CHECK(pvg_ledger_charge_count(ledger) == expected, "%lld charges of %d at %zu",
               (long long)pvg_ledger_charge_count(ledger), expected, at);
    TEST_ASSERT_EQUAL_DOUBLE(s->spent[expected], spent(ledger, 1, 1e-6));
    PVGT_OK(charge(ledger, 99, pure(0.125)));
    pvg_ledger_free(ledger);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_EQUAL_INT64(expected + 1, pvg_ledger_charge_count(ledger));
    TEST_ASSERT_EQUAL_DOUBLE(0.125, spent(ledger, 99, 0));
    pvg_ledger_free(ledger);
}

static void check_replay(const sample *s, const uint8_t *bytes, size_t count, size_t at) {
    pvg_ledger *ledger = NULL;
    pvgi_ledger_tail tail;
    const int32_t status = pvgi_ledger_replay(&ledger, &tail, bytes, count, "file");
    if (at < s->ends[0]) {
        PVGT_CHECK(status == PVG_E_FORMAT, "cut at %zu of %zu", at, count);
        return;
    }
    const int expected = held(s, at);
    PVGT_CHECK(status == PVG_OK && ledger->charges == expected, "cut at %zu of %zu", at,
               count);
    TEST_ASSERT_EQUAL_DOUBLE(s->spent[expected], spent(ledger, 1, 1e-6));
    TEST_ASSERT_EQUAL_UINT64(s->ends[expected] - tail.unsealed, tail.good);
    pvg_ledger_free(ledger);
}

/* Cut at every byte, also with zeros where the disk had room already. On the disk itself
 * at fewer places, because each flush takes a millisecond. */
static void files_cut_at_every_byte(void) {
    static sample s;
    static uint8_t zeros[BYTES];
    make_sample(&s);
    for (size_t at = 0; at <= s.count; at++) {
        const int charges = held(&s, at);
        const size_t next = s.ends[charges < RECORDS ? charges + 1 : RECORDS];
        const size_t count = at + 3 < next ? next : at + 3;
        bool near_end = at % 16 == 0;
        for (int i = 0; i <= RECORDS; i++)
            near_end = near_end || (at + 2 >= s.ends[i] && at <= s.ends[i] + 1);
        memcpy(zeros, s.bytes, at);
        memset(zeros + at, 0, BYTES - at);
        check_replay(&s, s.bytes, at, at);
        check_replay(&s, zeros, count, at);
        if (at < s.ends[0] || !near_end) continue;
        dump(s.bytes, at);
        check_goes_on(&s, charges, at);
        dump(zeros, count);
        check_goes_on(&s, charges, at);
    }
    pvg_ledger *ledger = NULL;
    dump(s.bytes, s.ends[0] - 1);
    PVGT_FAILS(PVG_E_FORMAT, path, pvg_ledger_open(&ledger, path));
    TEST_ASSERT_NULL(ledger);
}

/* Every damaged byte is noticed, but the last, without which the record still counts. */
static void damage_is_refused(void) {
    static sample s;
    const uint8_t change[] = {0x01, 0x80, 0xFF};
    make_sample(&s);
    for (size_t at = 0; at < s.count; at++)
        for (int c = 0; c < 4; c++) {
            pvg_ledger *ledger = NULL;
            pvgi_ledger_tail tail;
            const uint8_t old = s.bytes[at];
            s.bytes[at] = c < 3 ? old ^ change[c] : 0;
            const int32_t status =
                pvgi_ledger_replay(&ledger, &tail, s.bytes, s.count, "file");
            if (s.bytes[at] == old || (at == s.count - 1 && c == 3)) {
                TEST_ASSERT_EQUAL_INT32(PVG_OK, status);
                TEST_ASSERT_EQUAL_INT64(RECORDS, ledger->charges);
                TEST_ASSERT_EQUAL(s.bytes[at] != old, tail.unsealed);
            } else {
                PVGT_CHECK(status == PVG_E_FORMAT, "byte %zu change %d", at, c);
            }
            pvg_ledger_free(ledger);
            s.bytes[at] = old;
        }
}

/* A record left out, repeated or moved breaks the chain of checksums. */
static void records_cannot_be_shuffled(void) {
    static sample s;
    uint8_t other[2 * BYTES];
    make_sample(&s);
    for (int i = 0; i < RECORDS - 1; i++)
        for (int repeat = 0; repeat < 2; repeat++) {
            pvg_ledger *ledger = NULL;
            pvgi_ledger_tail tail;
            const size_t from = s.ends[i], to = s.ends[i + 1];
            const size_t head = repeat ? to : from, rest = repeat ? from : to;
            memcpy(other, s.bytes, head);
            memcpy(other + head, s.bytes + rest, s.count - rest);
            PVGT_FAILS(
                PVG_E_FORMAT, "file: the record at byte",
                pvgi_ledger_replay(&ledger, &tail, other, head + s.count - rest, "file"));
        }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(gaussian_sequences);
    RUN_TEST(concentrated_sequences);
    RUN_TEST(mixed_sequences);
    RUN_TEST(orders_are_good);
    RUN_TEST(exact_sequences);
    RUN_TEST(files_cut_at_every_byte);
    RUN_TEST(damage_is_refused);
    RUN_TEST(records_cannot_be_shuffled);
    return pvgt_end(UNITY_END());
}
