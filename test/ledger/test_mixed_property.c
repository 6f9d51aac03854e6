/* The mixed filter against exact laws. How much it allows: the number of charges of every
 * workload of a grid, against the exact composition of the same list fixed beforehand and
 * against basic composition. What it must not allow: the best an adversary can do who
 * chooses every charge in view of all outcomes, found exactly by dynamic programming. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "ledger_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- exact composition of lists fixed beforehand -------------------------------- */

static double gauss_delta(double mu, double epsilon) {
    if (mu == 0) return epsilon < 0 ? -expm1(epsilon) : 0;
    const double a = epsilon / mu - mu / 2, b = epsilon / mu + mu / 2;
    return 0.5 * erfc(a / sqrt(2)) - 0.5 * exp(epsilon) * erfc(b / sqrt(2));
}

typedef struct {
    double size, mu, rho; /* of one charge: PURE, GDP, ZCDP */
} sizes;
typedef struct {
    int64_t pure, gauss, zcdp;
} counts;

/* pure: all of one size, so the loss is binomial. */
static bool exact_fits(counts n, sizes one, double epsilon, double delta) {
    const double p = 1 / (1 + exp(-one.size)), mu = one.mu * sqrt((double)n.gauss);
    double sum = 0;
    for (int64_t j = n.pure; j >= 0 && sum <= delta; j--) {
        const double k = (double)n.pure, i = (double)j;
        const double weight = lgamma(k + 1) - lgamma(i + 1) - lgamma(k - i + 1) +
                              i * log(p) + (k - i) * log(1 - p);
        if (weight > -80)
            sum += exp(weight) * gauss_delta(mu, epsilon - (2 * i - k) * one.size);
    }
    return sum <= delta;
}

static double pure_renyi(double e, double t) {
    const double exact = (t * e + log1p(exp(-(2 * t + 1) * e)) - log1p(exp(-e))) / t;
    return fmin(e, exact);
}

static double order_price(double t, double delta) {
    return (-log(delta) - log1p(t)) / t - log1p(1 / t);
}

/* With a zCDP charge nothing but its divergences is known, and then the best order is the
 * best there is. */
static bool renyi_fits(counts n, sizes one, double epsilon, double delta) {
    for (double s = -2; s < 9; s += 0.02) {
        const double t = exp(s);
        const double gauss = 0.5 * (double)n.gauss * one.mu * one.mu;
        if ((gauss + (double)n.zcdp * one.rho) * (1 + t) +
                (double)n.pure * pure_renyi(one.size, t) + order_price(t, delta) <=
            epsilon)
            return true;
    }
    return false;
}

static counts first_of(const char *pattern, int64_t total) {
    const int64_t length = (int64_t)strlen(pattern);
    counts n = {0};
    for (int64_t i = 0; i < length; i++) {
        const int64_t copies = total / length + (i < total % length);
        *(pattern[i] == 'P' ? &n.pure : pattern[i] == 'G' ? &n.gauss : &n.zcdp) += copies;
    }
    return n;
}

static int64_t most_beforehand(const char *pattern, sizes one, double epsilon,
                               double delta) {
    int64_t good = 0, bad = 0;
    for (int64_t at = 1; bad == 0 || bad - good > 1;
         at = bad == 0 ? 2 * at : good + (bad - good) / 2) {
        const counts n = first_of(pattern, at);
        const bool fits = n.zcdp ? renyi_fits(n, one, epsilon, delta)
                                 : exact_fits(n, one, epsilon, delta);
        *(fits ? &good : &bad) = at;
    }
    return good;
}

/* Every charge at its nominal (size, one_delta), epsilons and deltas added. */
static int64_t most_basic(const char *pattern, double size, double epsilon,
                          double share) {
    int64_t most = (int64_t)floor(epsilon / size * (1 + 1e-12));
    while (most > 0) {
        const counts n = first_of(pattern, most);
        if ((double)(n.gauss + n.zcdp) * share <= 1 + 1e-9) break;
        most--;
    }
    return most;
}

static int64_t most_in_ledger(const char *pattern, sizes one, double epsilon,
                              double delta) {
    pvg_ledger *ledger = fresh(epsilon, delta, 0);
    pvg_curve *curves[3] = {pure(one.size), gdp(one.mu), zcdp(one.rho)};
    const uint64_t object = 1;
    int64_t most = 0;
    for (;; most++) {
        const char kind = pattern[most % (int64_t)strlen(pattern)];
        const int32_t status = charge_curve(ledger, &object, 1, PVG_NOTION_EDGE,
                                            curves[kind == 'P'   ? 0
                                                   : kind == 'G' ? 1
                                                                 : 2]);
        if (status == PVG_E_BUDGET) break;
        PVGT_OK(status);
    }
    for (int i = 0; i < 3; i++) pvg_curve_free(curves[i]);
    PVGT_CHECK(spent(ledger, object, delta) <= epsilon, "%s: spent more", pattern);
    pvg_ledger_free(ledger);
    return most;
}

static double solved(int32_t kind, double epsilon, double delta) {
    const pvg_curve_term term = {.size = sizeof term, .kind = kind};
    double out = 0;
    PVGT_OK(pvg_curve_solve(&out, &term, epsilon, delta));
    return out;
}

/* At least four fifths of what the best account of the same list allows, in whole
 * charges, and never less than basic composition. */
static void serves_every_mixture(void) {
    static const char *const patterns[] = {
        "P",    "G",    "Z",         "PG",        "GP",        "PZ",       "ZP",
        "GZ",   "ZG",   "PGZ",       "GZP",       "ZPG",       "PPPG",     "GPPP",
        "PGGG", "GGGP", "GGGZ",      "ZGGG",      "GZZZ",      "ZZZG",     "PPPZ",
        "PZZZ", "ZPPP", "PPPPPPPPG", "GPPPPPPPP", "PGGGGGGGG", "GGGGGGGGP"};
    const double budgets[] = {1, 2, 3, 4, 6, 8};
    const double size[] = {0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 1};
    const double deltas[] = {1e-6, 1e-9};
    int64_t rows = 0;
    double least = 1;
    for (size_t d = 0; d < (pvgt_soak() ? 2 : 1); d++)
        for (size_t b = 0; b < 6; b++)
            for (size_t s = 0; s < 8; s++) {
                if (!pvgt_soak() && size[s] < 0.1 && budgets[b] > 4) continue;
                if (pvgt_turns(3) < 3 && (b + s) % 3) continue;
                /* ten doubles 0.1 are more than 1 */
                const sizes one = {size[s] * (1 - 1e-12),
                                   solved(PVG_CURVE_GDP, size[s], deltas[d] / 10),
                                   solved(PVG_CURVE_ZCDP, size[s], deltas[d] / 10)};
                for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
                    const int64_t best =
                        most_beforehand(patterns[p], one, budgets[b], deltas[d]);
                    const int64_t basic =
                        most_basic(patterns[p], size[s], budgets[b], 0.1);
                    const int64_t got =
                        most_in_ledger(patterns[p], one, budgets[b], deltas[d]);
                    PVGT_CHECK(got >= basic && got >= best * 4 / 5,
                               "%s, budget %g, size %g, delta %g: %lld of %lld, basic "
                               "%lld",
                               patterns[p], budgets[b], size[s], deltas[d],
                               (long long)got, (long long)best, (long long)basic);
                    if (best >= 20) least = fmin(least, (double)got / (double)best);
                    rows++;
                }
            }
    printf("%lld workloads; of 20 charges and more at least %.3f\n", (long long)rows,
           least);
}

/* The example that was refused with most of the budget unspent. */
static void alternating_charges_fit(void) {
    const sizes one = {0.5, solved(PVG_CURVE_GDP, 0.5, 1e-7), 1};
    TEST_ASSERT_EQUAL_INT64(10, most_in_ledger("PG", one, 4, 1e-6));
    TEST_ASSERT_EQUAL_INT64(11, most_in_ledger("GP", one, 4, 1e-6));
}

/* --- an adversary who sees everything ------------------------------------------- */

/* Two charges with three outcomes each, of losses -g, 0, g: pure(size) is randomised
 * response (no zero); the other is N(0,1) against N(mu,1) told in three bins, charged as
 * GDP or as zCDP. A state is how often each was made and the two sums of signs. */
enum { MOST = 26 };
typedef struct {
    double epsilon, p[2], q[2], zero[2], loss[2];
    bool allowed[MOST + 1][MOST + 1];
    double value[MOST + 1][MOST + 1][2 * MOST + 1][2 * MOST + 1];
    bool known[MOST + 1][MOST + 1][2 * MOST + 1][2 * MOST + 1];
} game;

static double normal_above(double x) {
    return 0.5 * erfc(x / sqrt(2));
}

static double best_attack(game *g, int a, int b, int i, int j) {
    double *value = &g->value[a][b][i + MOST][j + MOST];
    if (g->known[a][b][i + MOST][j + MOST]) return *value;
    const double l = i * g->loss[0] + j * g->loss[1];
    double best = l > g->epsilon ? -expm1(g->epsilon - l) : 0;
    if (a < MOST && g->allowed[a + 1][b])
        best = fmax(best, g->p[0] * best_attack(g, a + 1, b, i + 1, j) +
                              g->q[0] * best_attack(g, a + 1, b, i - 1, j));
    if (b < MOST && g->allowed[a][b + 1])
        best = fmax(best, g->p[1] * best_attack(g, a, b + 1, i, j + 1) +
                              g->zero[1] * best_attack(g, a, b + 1, i, j) +
                              g->q[1] * best_attack(g, a, b + 1, i, j - 1));
    g->known[a][b][i + MOST][j + MOST] = true;
    return *value = best;
}

/* Which numbers of charges the ledger accepts, when `first` comes first. */
static void ask_ledger(game *g, pvg_ledger *ledger, uint64_t *object, bool pure_first,
                       double size, pvg_curve *other) {
    pvg_curve *response = pure(size);
    memset(g->allowed, 0, sizeof g->allowed);
    g->allowed[0][0] = true;
    for (int a = 0; a <= MOST; a++) {
        const uint64_t at = ++*object;
        int32_t status = PVG_OK;
        int b = 0;
        if (!pure_first) {
            status = charge_curve(ledger, &at, 1, PVG_NOTION_EDGE, other);
            b = 1;
        }
        for (int k = 0; k < a && status == PVG_OK; k++)
            status = charge_curve(ledger, &at, 1, PVG_NOTION_EDGE, response);
        for (; b <= MOST && status == PVG_OK; b++) {
            if (!pure_first || a > 0) g->allowed[a][b] = true;
            status = charge_curve(ledger, &at, 1, PVG_NOTION_EDGE, other);
        }
    }
    pvg_curve_free(response);
}

static double worst_delta(double budget_delta, double epsilon, double size, double mu,
                          double edge, bool pure_first, bool as_zcdp) {
    static game g;
    uint64_t object = 0;
    pvg_ledger *ledger = fresh(epsilon, budget_delta, 0);
    pvg_curve *other = as_zcdp ? zcdp(0.5 * mu * mu) : gdp(mu);
    memset(g.known, 0, sizeof g.known);
    g.epsilon = epsilon;
    g.p[0] = 1 / (1 + exp(-size));
    g.q[0] = 1 - g.p[0];
    g.loss[0] = size;
    g.p[1] = normal_above(edge - mu / 2);
    g.q[1] = normal_above(edge + mu / 2);
    g.zero[1] = 1 - g.p[1] - g.q[1];
    g.loss[1] = log(g.p[1] / g.q[1]);
    ask_ledger(&g, ledger, &object, pure_first, size, other);
    const double worst = best_attack(&g, 0, 0, 0, 0);
    pvg_curve_free(other);
    pvg_ledger_free(ledger);
    return worst;
}

/* No strategy exceeds delta; with a few times the delta in the ledger some would. */
static void no_strategy_overspends(void) {
    const double epsilons[] = {0.7, 1.5, 3}, size[] = {0.1, 0.3, 0.7};
    const double mus[] = {0.1, 0.3, 0.6}, deltas[] = {0.1, 0.01, 1e-4};
    double closest = 0;
    for (int e = 0; e < 3; e++)
        for (int s = 0; s < 3; s++)
            for (int m = 0; m < 3; m++)
                for (int d = 0; d < 3; d++)
                    for (int how = 0; how < 4; how++) {
                        if (!pvgt_soak() && (e + s + m + d + how) % 3) continue;
                        const double edge = how & 1 ? 0 : 1.5;
                        const double worst =
                            worst_delta(deltas[d], epsilons[e], size[s], mus[m], edge,
                                        how < 2, (e + s + m) % 2);
                        PVGT_CHECK(worst <= deltas[d],
                                   "epsilon %g size %g mu %g delta %g how %d: %.9g",
                                   epsilons[e], size[s], mus[m], deltas[d], how, worst);
                        closest = fmax(closest, worst / deltas[d]);
                    }
    printf("closest attack: %.3f of delta\n", closest);
    TEST_ASSERT_TRUE(closest > 0.15); /* the game can notice a filter that is too kind */
}

/* --- the orders together -------------------------------------------------------- */

/* sup of l + ln(1 - sum of w delta exp(t (l - S))) by a plain scan. */
static void orders_are_added_up_right(void) {
    uint64_t state = 9;
    for (int trial = 0; trial < 300; trial++) {
        pvgi_ledger_state s = {.rule = {.method = PVG_METHOD_MIXED}, .charges = 1};
        const double delta = pow(10, -1 - 9 * (double)pvgt_below(&state, 1000) / 1000.0);
        s.rule.order = 1 + exp((double)pvgt_below(&state, 600) / 100.0);
        s.first.kinds = 1u << PVG_CURVE_ZCDP;
        s.rule.tilt = (int32_t)pvgt_below(&state, PVGI_LEDGER_TILT_MAX + 1);
        pvg_curve *curve = zcdp(0.001 * (double)(1 + pvgt_below(&state, 100)));
        pvgi_ledger_mixed_add(&s, &s, curve);
        pvg_curve_free(curve);
        const double found = pvgi_ledger_mixed_epsilon(&s, delta);
        const double share[] = {1, 50, 1.5, 1.5, 1, 1, 0.5, 0.5, 5};
        const double ratio[] = {0.5, 1, 1.4375, 2.125, 3, 4.25, 6, 10, 0};
        double best = 0;
        for (double l = 0; l < 60; l += 1e-3) {
            double sum = 0;
            for (int i = 0; i < 9; i++) {
                const double t =
                    (s.rule.order - 1) * (i < 8 ? ratio[i] : pow(2, s.rule.tilt / 4.0));
                sum += share[i] / 64 * delta * exp(t * (l - s.clock[i]));
            }
            if (sum < 1) best = fmax(best, l + log1p(-sum));
        }
        PVGT_CHECK(found >= best - 1e-12 && found <= best + 1e-3,
                   "trial %d: %.12g, by a scan %.12g", trial, found, best);
    }
}

/* --- sizes of every magnitude --------------------------------------------------- */

enum { PURE_MOST = 10 };

static double uniform(uint64_t *state) {
    return ((double)(pvgt_random(state) >> 11) + 1) * 0x1p-53;
}

/* delta at epsilon of pure charges of any sizes and one Gaussian, over all signs. */
static double exact_delta(const double *pure_sizes, int count, double mu,
                          double epsilon) {
    double sum = 0;
    for (unsigned signs = 0; signs < 1u << count; signs++) {
        double loss = 0, weight = 1;
        for (int i = 0; i < count; i++) {
            const bool up = signs >> i & 1;
            loss += up ? pure_sizes[i] : -pure_sizes[i];
            weight *= 1 / (1 + exp(up ? -pure_sizes[i] : pure_sizes[i]));
        }
        sum += weight * gauss_delta(mu, epsilon - loss);
    }
    return sum;
}

/* From far below the budget to far above it, in any order, under every method: what was
 * accepted, taken as a list fixed beforehand, is within the budget by its exact law. A
 * charge that alone is above the budget is never accepted. */
static void no_size_slips_through(void) {
    static const int32_t methods[] = {PVG_METHOD_DEFAULT, PVG_METHOD_BASIC,
                                      PVG_METHOD_GDP, PVG_METHOD_RENYI, PVG_METHOD_MIXED};
    uint64_t state = 3;
    for (int trial = 0; trial < 3000; trial++) {
        const double epsilon = 8 * uniform(&state) + 0.1;
        const double delta = pow(10, -2 - 8 * uniform(&state));
        const int32_t method = methods[trial % 5];
        pvg_ledger *ledger = fresh(epsilon, delta, method);
        double sizes_taken[PURE_MOST], mu2 = 0;
        int taken = 0;
        for (int i = 0; i < 14 && taken < PURE_MOST; i++) {
            const double size = epsilon * pow(10, 2.5 - 7 * uniform(&state));
            const bool is_pure = method == PVG_METHOD_BASIC || uniform(&state) < 0.5;
            if (charge(ledger, 1, is_pure ? pure(size) : gdp(size)) != PVG_OK) continue;
            if (is_pure)
                sizes_taken[taken++] = size;
            else
                mu2 += size * size;
        }
        const double needed = exact_delta(sizes_taken, taken, sqrt(mu2), epsilon);
        PVGT_CHECK(needed <= delta * (1 + 1e-9) + 1e-15,
                   "trial %d: method %d accepted what needs delta %g at %g, budget %g",
                   trial, (int)method, needed, epsilon, delta);
        pvg_ledger_free(ledger);
    }
}

static void a_first_charge_above_the_budget_is_refused(void) {
    for (int32_t method = 0; method <= PVG_METHOD_MIXED; method++)
        for (double size = 4.001; size < 1e6; size *= 3) {
            pvg_ledger *ledger = fresh(4, 1e-6, method);
            PVGT_FAILS(PVG_E_BUDGET, "", charge(ledger, 1, pure(size)));
            if (method !=
                PVG_METHOD_BASIC) { /* a Gaussian one of next to nothing first */
                PVGT_OK(charge(ledger, 2, gdp(1e-9)));
                PVGT_FAILS(PVG_E_BUDGET, "", charge(ledger, 2, pure(size)));
            }
            PVGT_OK(charge(ledger, 3, pure(1e-9)));
            PVGT_FAILS(PVG_E_BUDGET, "", charge(ledger, 3, pure(size)));
            pvg_ledger_free(ledger);
        }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(a_first_charge_above_the_budget_is_refused);
    RUN_TEST(no_size_slips_through);
    RUN_TEST(alternating_charges_fit);
    RUN_TEST(serves_every_mixture);
    RUN_TEST(no_strategy_overspends);
    RUN_TEST(orders_are_added_up_right);
    return pvgt_end(UNITY_END());
}
