/* account: every printed reference value, from the sound side; arguments; erfcx. Values
 * with 20 digits were computed with 60-digit arithmetic. */
#include "mechanism/mechanism_internal.h"
#include "support.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_curve_term term_of(int32_t kind) {
    return (pvg_curve_term){.size = sizeof(pvg_curve_term), .kind = kind};
}

static pvg_curve_term zcdp(double rho) {
    pvg_curve_term t = term_of(PVG_CURVE_ZCDP);
    t.rho = rho;
    return t;
}

static pvg_curve_term tcdp(double rho, double omega) {
    pvg_curve_term t = term_of(PVG_CURVE_TCDP);
    t.rho = rho;
    t.omega = omega;
    return t;
}

static pvg_curve_term gdp(double mu) {
    pvg_curve_term t = term_of(PVG_CURVE_GDP);
    t.mu = mu;
    return t;
}

static pvg_curve_term smooth(double rho, double beta, int64_t dimension) {
    pvg_curve_term t = term_of(PVG_CURVE_SMOOTH);
    t.rho = rho;
    t.beta = beta;
    t.dimension = dimension;
    return t;
}

static pvg_curve_term sampled(double rate, double sigma, int64_t steps) {
    pvg_curve_term t = term_of(PVG_CURVE_SAMPLED);
    t.rate = rate;
    t.mu = sigma > 0 ? 1 / sigma : 0;
    t.steps = steps;
    return t;
}

static pvg_curve_term pure(double epsilon) {
    pvg_curve_term t = term_of(PVG_CURVE_PURE);
    t.epsilon = epsilon;
    return t;
}

static pvg_curve_term approximate(double epsilon, double delta) {
    pvg_curve_term t = term_of(PVG_CURVE_APPROXIMATE);
    t.epsilon = epsilon;
    t.delta = delta;
    return t;
}

static pvg_curve *curve(pvg_curve_term term) {
    pvg_curve *out = NULL;
    PVGT_OK(pvg_curve_new(&out, &term));
    return out;
}

static double epsilon(pvg_curve_term term, double delta) {
    double out = NAN;
    pvg_curve *c = curve(term);
    PVGT_OK(pvg_curve_epsilon(&out, c, delta));
    pvg_curve_free(c);
    return out;
}

static double delta(pvg_curve_term term, double at) {
    double out = NAN;
    pvg_curve *c = curve(term);
    PVGT_OK(pvg_curve_delta(&out, c, at));
    pvg_curve_free(c);
    return out;
}

static double renyi(pvg_curve_term term, double alpha) {
    double out = NAN;
    pvg_curve *c = curve(term);
    PVGT_OK(pvg_curve_renyi(&out, c, alpha));
    pvg_curve_free(c);
    return out;
}

/* What is too small for a square to be a double still counts. */
static void tiny_terms_count(void) {
    const pvg_curve_term pure = {
        .size = sizeof pure, .kind = PVG_CURVE_PURE, .epsilon = 1e-170};
    const pvg_curve_term gdp = {.size = sizeof gdp, .kind = PVG_CURVE_GDP, .mu = 1e-162};
    TEST_ASSERT_TRUE(renyi(pure, 2) > 0);
    PVGT_CHECK(renyi(gdp, 1e308) >= 5e-17, "%g", renyi(gdp, 1e308));
}

static double published(pvg_curve_term term, double at) {
    double out = NAN;
    PVGT_OK(pvg_curve_epsilon_published(&out, &term, at));
    return out;
}

static double solved(pvg_curve_term term, double at, double budget) {
    double out = NAN;
    PVGT_OK(pvg_curve_solve(&out, &term, at, budget));
    return out;
}

static double solved_published(pvg_curve_term term, double at, double budget) {
    double out = NAN;
    PVGT_OK(pvg_curve_solve_published(&out, &term, at, budget));
    return out;
}

/* got agrees with a printed number: off by at most half a unit of its last digit. */
#define PRINTED(number, got) printed(number, #number, got, __LINE__)
static void printed(double number, const char *text, double got, int line) {
    int decimals = 0, exponent = 0;
    const char *point = strchr(text, '.'), *e = strchr(text, 'e');
    if (point)
        while (point[1 + decimals] >= '0' && point[1 + decimals] <= '9') decimals++;
    if (e) exponent = (int)strtol(e + 1, NULL, 10);
    const double half = 0.500001 * pow(10.0, exponent - decimals);
    PVGT_CHECK(fabs(got - number) <= half + 1e-15 * fabs(number),
               "line %d: got %.17g, printed %s", line, got, text);
}

/* --- erfcx ---------------------------------------------------------------------- */

static void erfcx_has_its_relative_error(void) {
    static const double known[][2] = {
        {0.0, 1.0},
        {1e-300, 1.0},
        {1e-08, 0.9999999887162084290449},
        {0.001, 0.9988726200811514086045},
        {0.1, 0.8964569799691266366634},
        {0.25, 0.7703465477309967439167},
        {0.5, 0.6156903441929258748708},
        {1.0, 0.4275835761558070044108},
        {1.5, 0.3215854164543175023543},
        {2.0, 0.2553956763105057438651},
        {2.7, 0.1968741273319557657022},
        {3.0, 0.1790011511813899504193},
        {4.0, 0.1369994576250613898894},
        {5.0, 0.1107046377330686263702},
        {5.5, 0.1009622183994990882328},
        {5.9999, 0.09277807386003210722799},
        {6.0, 0.09277656780053835438949},
        {6.0001, 0.09277506178933353888723},
        {7.0, 0.07980005432915293348986},
        {8.0, 0.06998516620088092772275},
        {10.0, 0.05614099274382258585752},
        {15.0, 0.03752960638850576574606},
        {26.0, 0.02168358485056290661617},
        {27.0, 0.02088160799042094067409},
        {50.0, 0.01128153626532377250018},
        {100.0, 0.005641613782989432903556},
        {10000.0, 0.00005641895807268084115235},
        {100000000.0, 5.641895835477562587386e-9},
        {1e+154, 5.641895835477562661027e-155},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const double got = pvgi_mechanism_erfcx(known[i][0]);
        PVGT_CHECK(fabs(got / known[i][1] - 1.0) < PVGI_ERFCX_ERROR / 2, "x=%g got %.17g",
                   known[i][0], got);
    }
#if LDBL_MANT_DIG >= 64
    uint64_t state = 1;
    double worst = 0.0;
    for (int i = 0; i < 200000; i++) {
        const double x = 60.0 * pow((double)pvgt_below(&state, 1 << 30) / 0x1p30, 2.0);
        const long double square = (long double)x * x; /* 106 bits, 64 kept */
        const long double lost = fmal((long double)x, (long double)x, -square);
        const long double oracle = expl(square) * (1.0L + lost) * erfcl((long double)x);
        const double error =
            fabs((double)((long double)pvgi_mechanism_erfcx(x) / oracle - 1.0L));
        worst = fmax(worst, error);
        PVGT_CHECK(error < PVGI_ERFCX_ERROR, "x=%.17g error %g", x, error);
    }
    printf("erfcx: largest relative error %.2g = 2^%.1f\n", worst, log2(worst));
#endif
}

/* --- Gaussian ------------------------------------------------------------------- */

static void gaussian_delta_is_above_the_true_one_and_close(void) {
    static const double known[][3] = {
        {1.0, 1.0, 0.1269367375066439458},
        {0.5, 1.0, 0.0068295949831145753842},
        {1.0, 10.0, 9.8127058268469559492e-23},
        {1e-09, 1e-10, 3.5093533122226145325e-10},
        {1e-09, 5e-09, 5.3461655471982350654e-17},
        {1e-06, 1e-06, 8.3315512245425392253e-8},
        {1e-06, 2e-05, 1.3700261949227876454e-96},
        {1e-05, 2.6e-05, 1.463899402570039892e-8},
        {2e-05, 1e-05, 3.955950927630437701e-6},
        {3e-05, 0.0001, 3.362504689746772896e-9},
        {0.001, 0.001, 0.000083357132125208493548},
        {0.01, 0.05, 5.4814402007468725614e-10},
        {0.1, 0.0, 0.039877611676744925404},
        {0.1, 0.1, 0.0087517681458095944882},
        {0.1, 1.0, 1.2308359836427112292e-25},
        {0.1, 3.6, 7.0091638686886927087e-286},
        {0.25, 0.5, 0.0027088802183181927041},
        {0.7, 0.1, 0.23827996243662212548},
        {1.0, 0.0, 0.38292492254802620728},
        {1.0, 0.4999, 0.23844786665086018537},
        {1.0, 0.5, 0.23842170813487662832},
        {1.0, 0.5001, 0.23839555099253295445},
        {1.0, 36.0, 6.7231899231030299191e-278},
        {2.0, 1.0, 0.50986166005467015308},
        {2.0, 2.0, 0.33189799877682939357},
        {2.0, 70.0, 6.1785353472015295131e-255},
        {3.0, 20.0, 4.2247546167694100861e-8},
        {5.0, 1.0, 0.97985167808977519648},
        {5.0, 12.5, 0.42308069502499370404},
        {5.0, 40.0, 8.823257920004711109e-9},
        {10.0, 30.0, 0.9706018543468586686},
        {10.0, 300.0, 8.7164045784107030287e-139},
        {30.0, 400.0, 0.94870304715593691849},
        {30.0, 1000.0, 1.3899153375663527172e-75},
        {100.0, 5000.0, 0.49601097601864319002},
        {100.0, 8000.0, 3.773207040719912124e-198},
        {1000.0, 500000.0, 0.4996010581185396509},
        {1000.0, 510000.0, 7.543668954024447187e-24},
        {10000.0, 50010000.0, 0.15863105927871233388},
        {10000.0, 49999000.0, 0.53978814162572172769},
        {1000000.0, 500001000000.0, 0.158655011960974503},
        {0.0269, 1.0, 1.0412526004047442063e-305},
        {0.02, 0.6, 4.4056025423280251383e-201},
        {1e-12, 1e-13, 3.5093533120473220104e-13},
        {7.0, 0.0, 0.99953474184192894993},
        {16.0, 5.0, 0.99999999999998554446},
        {0.0001, 0.003, 1.6344065040237211454e-203},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const double got = delta(gdp(known[i][0]), known[i][1]), want = known[i][2];
        PVGT_CHECK(got >= want * (1.0 - 0x1p-53), "mu %g eps %g: %.17g < %.17g",
                   known[i][0], known[i][1], got, want);
        /* far out the rounding of a = epsilon / mu - mu / 2 counts, times 2 a */
        const double a = fabs(known[i][1] / known[i][0]) + known[i][0];
        PVGT_CHECK(got <= want * (1.0 + 1e-11 + 4e-14 * a * a),
                   "mu %g eps %g: %.17g >> %.17g", known[i][0], known[i][1], got, want);
    }
    TEST_ASSERT_EQUAL_DOUBLE(DBL_MIN, delta(gdp(1.0), 1e6));
    TEST_ASSERT_EQUAL_DOUBLE(DBL_MIN, delta(gdp(1e-300), 1e300));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, delta(gdp(1e150), 1.0));
}

static void gaussian_epsilon_is_above_the_true_one_and_close(void) {
    static const double known[][3] = {
        {0.1, 1e-05, 0.34066936468432642922},
        {1, 1e-05, 4.3771780956812246086},
        {4, 1e-06, 26.356963925325813618},
        {0.01, 1e-06, 0.033673780130806475216},
        {0.001, 1e-05, 0.0019387249698601099812},
        {1, 1e-300, 37.44884791213910494},
        {20, 1e-10, 326.35895051488269934},
        {0.5, 0.1, 0.2864961017568258822},
        {100, 1e-15, 5793.1722821645734217},
        {0.0001, 1e-09, 0.00039236063697490108303},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const double got = epsilon(gdp(known[i][0]), known[i][1]), want = known[i][2];
        PVGT_CHECK(got >= want * (1.0 - 0x1p-53) && got <= want * (1.0 + 1e-11),
                   "mu %g delta %g: %.17g for %.17g", known[i][0], known[i][1], got,
                   want);
    }
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon(gdp(1.0), 0.0));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon(gdp(1.0), 1e-320));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, epsilon(gdp(0.1), 0.5)); /* true: total variation */
}

static void gaussian_mu_is_below_the_true_one_and_close(void) {
    static const double known[][3] = {
        {1, 1e-05, 0.26805112321129421922},
        {1, 1e-06, 0.23670438066343570913},
        {0.1, 1e-05, 0.032520784056203911885},
        {10, 1e-12, 1.3429807286510384414},
        {1, 1e-17, 0.12418537079090210655},
        {1, 1e-300, 0.02712563391581753613},
        {0.001, 1e-09, 0.00024256362200844686137},
        {50, 1e-06, 6.385986778952409323},
        {700, 1e-08, 32.247449181627864476},
        {2000, 1e-08, 57.897079308615734709},
        {0.5, 0.5, 1.6922833255505551084},
        {1e-06, 1e-12, 2.4256976059658280711e-7},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const double got = solved(gdp(0.0), known[i][0], known[i][1]), want = known[i][2];
        double sigma = 0.0;
        PVGT_CHECK(got <= want * (1.0 + 0x1p-53) && got >= want * (1.0 - 1e-11),
                   "eps %g delta %g: %.17g for %.17g", known[i][0], known[i][1], got,
                   want);
        PVGT_OK(pvg_gaussian_sigma(&sigma, known[i][0], known[i][1]));
        PVGT_CHECK(sigma >= (1.0 - 0x1p-53) / want && sigma <= (1.0 + 1e-11) / want,
                   "eps %g delta %g: sigma %.17g", known[i][0], known[i][1], sigma);
    }
}

/* theory 6 and the reference table. */
static void gaussian_tables(void) {
    static const double table[][5] = {
        /* mu, delta, classic, improved, exact */
        {0.1, 1e-5, 0.4848525912, 0.37526124, 0.3406693647},
        {0.1, 1e-6, 0.5306521770, 0.42994147, 0.3968573776},
        {0.25, 1e-5, 1.2308814780, 1.01228664, 0.9263415040},
        {0.25, 1e-6, 1.3453804424, 1.14292571, 1.0607018623},
        {0.5, 1e-5, 2.5242629561, 2.16571555, 1.9930914044},
        {0.5, 1e-6, 2.7532608849, 2.41909318, 2.2540846502},
        {1, 1e-5, 5.2985259122, 4.72838698, 4.3771780957},
        {1, 1e-6, 5.7565217698, 5.22153444, 4.8865541175},
        {2, 1e-5, 11.5970518244, 10.72482411, 9.9972561464},
        {2, 1e-6, 12.5130435395, 11.68859625, 10.9971512142},
        {4, 1e-5, 27.1941036488, 25.91935168, 24.3816108831},
        {4, 1e-6, 29.0260870790, 27.81196850, 26.3569639253},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double mu = table[i][0], d = table[i][1], rho = 0.5 * mu * mu;
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, table[i][2], published(gdp(mu), d));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, table[i][2], published(zcdp(rho), d));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-9, table[i][3], epsilon(zcdp(rho), d));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, table[i][4], epsilon(gdp(mu), d));
    }
    static const double inverse[][4] = {
        {0.1, 1e-5, 0.032520784056, 30.7495661320},
        {0.1, 1e-6, 0.027544650244, 36.3046904262},
        {0.5, 1e-5, 0.142210558669, 7.0318266756},
        {0.5, 1e-6, 0.124106149031, 8.0576184807},
        {1, 1e-5, 0.268051123211, 3.7306316348},
        {1, 1e-6, 0.236704380663, 4.2246788893},
        {2, 1e-5, 0.501551689170, 1.9938124456},
        {2, 1e-6, 0.448334740395, 2.2304762712},
        {4, 1e-5, 0.924930897667, 1.0811618495},
        {4, 1e-6, 0.837858757090, 1.1935185872},
        {8, 1e-5, 1.666030597846, 0.6002290722},
        {8, 1e-6, 1.531545117566, 0.6529353844},
        {16, 1e-5, 2.905478155173, 0.3441774285},
        {16, 1e-6, 2.712882185716, 0.3686116578},
    };
    for (size_t i = 0; i < sizeof inverse / sizeof inverse[0]; i++) {
        double sigma;
        PVGT_OK(pvg_gaussian_sigma(&sigma, inverse[i][0], inverse[i][1]));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-13, inverse[i][2],
                                  solved(gdp(0), inverse[i][0], inverse[i][1]));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, inverse[i][3], sigma);
    }
    double sigma;
    PVGT_OK(pvg_gaussian_sigma(&sigma, 1, 1e-5));
    PRINTED(3.730631634816, sigma);
    PVGT_OK(pvg_gaussian_sigma(&sigma, 1, 1e-6));
    PRINTED(4.224678889327, sigma);
    PVGT_OK(pvg_gaussian_sigma(&sigma, 0.1, 1e-5));
    PRINTED(30.74956613198, sigma);
    PVGT_OK(pvg_gaussian_sigma(&sigma, 10, 1e-12));
    PRINTED(0.744612322922, sigma);
    PVGT_OK(pvg_gaussian_sigma(&sigma, 1, 1e-17));
    PRINTED(8.052478272048, sigma);
    PRINTED(0.126936737507, delta(gdp(1), 1));
    PRINTED(0.00682959498311, delta(gdp(0.5), 1));
    PRINTED(9.8127058268e-23, delta(gdp(1), 10));
    PRINTED(5.298525912188, published(gdp(1), 1e-5));
    PRINTED(4.728386984943, epsilon(zcdp(0.5), 1e-5));
    PRINTED(4.377178095681, epsilon(gdp(1), 1e-5));
    /* the classic formula without a bound on epsilon is wrong: epsilon 10, delta 1e-6 */
    PRINTED(1.9022e-6, delta(gdp(1 / 0.529880), 10));
    PVGT_OK(pvg_gaussian_sigma(&sigma, 10, 1e-6));
    PRINTED(0.541087, sigma);
}

/* sigma = 5, 100 steps, delta 1e-6. */
static void steps_compose(void) {
    pvg_curve *one = curve(gdp(0.2)), *hundred = NULL, *half = NULL, *twice = NULL;
    double e;
    PVGT_OK(pvg_curve_repeat(&hundred, one, 100));
    PVGT_OK(pvg_curve_epsilon(&e, hundred, 1e-6));
    PRINTED(10.99715121422, e);
    PVGT_OK(pvg_curve_repeat(&half, one, 50));
    PVGT_OK(pvg_curve_compose(&twice, half, half));
    TEST_ASSERT_EQUAL_INT64(1, pvg_curve_count(twice));
    PVGT_OK(pvg_curve_epsilon(&e, twice, 1e-6));
    PRINTED(10.99715121422, e);
    PRINTED(12.51304353951, published(zcdp(2.0), 1e-6));
    PRINTED(11.68859624935, epsilon(zcdp(2.0), 1e-6));
    pvg_curve_free(one);
    pvg_curve_free(hundred);
    pvg_curve_free(half);
    pvg_curve_free(twice);
}

/* --- Renyi ---------------------------------------------------------------------- */

static void tcdp_values(void) {
    PRINTED(3.953877639491, published(tcdp(0.1, 5), 1e-6));
    PRINTED(3.328374610068, epsilon(tcdp(0.1, 5), 1e-6));
    PRINTED(2.053644365423, published(tcdp(0.01, 8), 1e-6));
    PRINTED(1.623049895416, epsilon(tcdp(0.01, 8), 1e-6));
    PRINTED(0.0174689047691, solved_published(zcdp(0), 1, 1e-6));
    PRINTED(0.0243559703595, solved(zcdp(0), 1, 1e-6));
    double out = -1.0;
    pvg_curve_term short_orders = tcdp(0, 10);
    PVGT_FAILS(PVG_E_PRIVACY, "no positive value",
               pvg_curve_solve(&out, &short_orders, 1, 1e-6));
    PVGT_FAILS(PVG_E_PRIVACY, "no positive value",
               pvg_curve_solve_published(&out, &short_orders, 1, 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(-1.0, out);
    /* enough orders: the same as without a limit */
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0243559703595, solved(tcdp(0, 1000), 1, 1e-6));
    /* the orders allowed are (1, omega] */
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, renyi(tcdp(0.1, 5), 5.000001));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5, renyi(tcdp(0.1, 5), 5));
}

static void renyi_conversions_are_sound_and_close(void) {
    static const struct {
        double rho, omega, delta, epsilon;
    } known[] = {
        {0.005, 0, 1e-5, 0.375261235699023153}, {0.5, 0, 1e-5, 4.72838698494331388},
        {2, 0, 1e-6, 11.6885962493548941},      {1e-6, 0, 1e-9, 0.00680406082220621854},
        {100, 0, 1e-30, 264.706470925760567},   {0.1, 5, 1e-6, 3.32837461006833372},
        {0.01, 8, 1e-6, 1.62304989541611141},   {0.5, 100, 1e-6, 5.22153444453016905},
        {1e-3, 1.5, 1e-3, 11.9074680530798356},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const pvg_curve_term t =
            known[i].omega > 0 ? tcdp(known[i].rho, known[i].omega) : zcdp(known[i].rho);
        const double got = epsilon(t, known[i].delta), want = known[i].epsilon;
        PVGT_CHECK(got >= want * (1.0 - 2e-16) && got <= want * (1.0 + 1e-12),
                   "case %zu: %.17g for %.17g", i, got, want);
        const double back = delta(t, got);
        PVGT_CHECK(back >= known[i].delta * (1.0 - 1e-9) &&
                       back <= known[i].delta * (1.0 + 1e-9),
                   "case %zu: delta %.17g back", i, back);
    }
}

static void smooth_values(void) {
    PRINTED(0.02014032078, renyi(smooth(0.01, 0.001, 50), 2));
    PRINTED(0.1232973281, renyi(smooth(0.01, 0.005, 50), 10));
    PRINTED(1.205798472, renyi(smooth(0.02, 0.004, 50), 40));
    PRINTED(2.607497301, renyi(smooth(0.3, 0.05, 1), 5));
    PRINTED(0.006164532008, renyi(smooth(1e-300, 0.02, 10), 1.5));
    PRINTED(0.167837480600, renyi(smooth(1.0 / 18, 0.1, 1), 2));
    PRINTED(0.343752332556, renyi(smooth(1.0 / 18, 0.1, 8), 2));
    PRINTED(0.946888967833, renyi(smooth(1.0 / 18, 0.1, 32), 2));
    /* claimed alpha (2 rho + 4 d beta^2) */
    PRINTED(0.0404,
            2 * pvgi_mechanism_published_term(
                    &(pvg_curve_term){.rho = 0.01, .beta = 0.001, .dimension = 50})
                    .rho);
    /* infinite from alpha = 1 + 1 / (e^(2 beta) - 1) on */
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, renyi(smooth(0.3, 0.05, 1), 1 + 1 / expm1(0.1)));
    static const double settings[][4] = {
        {0.0001, 0.1053515394, 0.05406049, 0.0489064160},
        {0.001, 0.3351238669, 0.18682974, 0.1679435941},
        {0.00842, 0.9982006408, 0.60790876, 0.5244622289},
        {0.1, 4.2136207017, 2.86443025, 1.9945269007},
        {1, 67.7620422319, 23.28802900, 7.2860809664},
    };
    static const double precise[] = {0.05406049374266237, 0.1868297431056678,
                                     0.607908762940492, 2.864430249800373,
                                     23.28802899554007};
    for (int i = 0; i < 5; i++) {
        const double rho = settings[i][0];
        const pvg_curve_term t = smooth(rho, rho / 5, 50);
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, settings[i][1], published(t, 1e-6));
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-9, settings[i][2], epsilon(t, 1e-6));
        PVGT_CHECK(epsilon(t, 1e-6) >= precise[i] * (1 - 2e-15), "rho %g", rho);
        PVGT_CHECK(epsilon(t, 1e-6) <= precise[i] * (1 + 1e-12), "rho %g", rho);
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-11, settings[i][3],
                                  epsilon(gdp(sqrt(2 * rho)), 1e-6));
    }
}

/* theory 2.4: sigma / S for epsilon 1, delta 1e-6, d = 50. */
static void noise_multipliers(void) {
    const double rho = 0.0084489157;
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 1.0, published(smooth(rho, rho / 5, 50), 1e-6));
    PRINTED(7.692801, 1 / sqrt(2 * rho));
    double low = 0.001, high = 1.0; /* same rule beta = rho / 5, exact form */
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (epsilon(smooth(middle, middle / 5, 50), 1e-6) <= 1.0)
            low = middle;
        else
            high = middle;
    }
    PRINTED(5.0332690910, 1 / sqrt(2 * low));
    PRINTED(5.3499800620, 1 / sqrt(2 * solved_published(zcdp(0), 1, 1e-6)));
    PRINTED(4.5308771170, 1 / sqrt(2 * solved(zcdp(0), 1, 1e-6)));
    PRINTED(4.2246788893, 1 / solved(gdp(0), 1, 1e-6));
    static const double table[][3] = {
        {1e-3, 7.610, 4.633}, {4e-3, 8.372, 5.042}, {8e-3, 14.635, 5.984},
        {1e-2, 0, 6.797},     {1.5e-2, 0, 14.196},
    };
    for (int i = 0; i < 5; i++) {
        const pvg_curve_term t = smooth(0, table[i][0], 50);
        double out;
        TEST_ASSERT_DOUBLE_WITHIN(5.1e-4, table[i][2], 1 / sqrt(2 * solved(t, 1, 1e-6)));
        if (table[i][1] > 0)
            TEST_ASSERT_DOUBLE_WITHIN(5.1e-4, table[i][1],
                                      1 / sqrt(2 * solved_published(t, 1, 1e-6)));
        else
            PVGT_FAILS(PVG_E_PRIVACY, "no positive value",
                       pvg_curve_solve_published(&out, &t, 1, 1e-6));
    }
    /* beta -> 0: no smoothing at all; published keeps its factor 2 */
    TEST_ASSERT_DOUBLE_WITHIN(
        5.1e-4, 7.566, 1 / sqrt(2 * solved_published(smooth(0, 1e-9, 50), 1, 1e-6)));
    TEST_ASSERT_DOUBLE_WITHIN(5.1e-4, 4.531,
                              1 / sqrt(2 * solved(smooth(0, 1e-9, 50), 1, 1e-6)));
}

/* --- pure and approximate ------------------------------------------------------- */

static void pure_is_randomised_response(void) {
    for (double e = 1e-3; e < 50; e *= 1.7) {
        TEST_ASSERT_EQUAL_DOUBLE(e, epsilon(pure(e), 0.0));
        TEST_ASSERT_EQUAL_DOUBLE(0.0, delta(pure(e), e));
        const double p = 1 / (1 + exp(-e)), q = 1 / (1 + exp(e));
        for (double at = 0; at < e; at += e / 7) {
            const double want = p - exp(at) * q;
            PVGT_CHECK(delta(pure(e), at) >= want - 1e-15, "e %g at %g", e, at);
            TEST_ASSERT_DOUBLE_WITHIN(1e-14, want, delta(pure(e), at));
            if (want > 1e-6 && delta(pure(e), at) < 1) {
                const double back = epsilon(pure(e), delta(pure(e), at));
                const double room = 1e-8 + 1e-14 / (q * exp(at));
                PVGT_CHECK(fabs(back - at) <= room, "e %g at %g: %.17g", e, at, back);
            }
        }
        for (double alpha = 1.01; alpha < 60; alpha *= 1.5) {
            const double want = log(pow(p, alpha) * pow(q, 1 - alpha) +
                                    pow(q, alpha) * pow(p, 1 - alpha)) /
                                (alpha - 1);
            if (isfinite(want) && want > 0)
                PVGT_CHECK(
                    renyi(pure(e), alpha) >= want * (1 - 1e-12) - 1e-13 / (alpha - 1) &&
                        renyi(pure(e), alpha) <= want * (1 + 1e-13) + 1e-12 / (alpha - 1),
                    "e %g alpha %g: %.17g for %.17g", e, alpha, renyi(pure(e), alpha),
                    want);
        }
        TEST_ASSERT_DOUBLE_WITHIN(e * 1e-12, e, solved(pure(0), e, 0.0));
    }
    TEST_ASSERT_TRUE(solved(pure(0), 1, 0.01) > 1.0);
    TEST_ASSERT_TRUE(epsilon(pure(solved(pure(0), 1, 0.01)), 0.01) <= 1.0);
}

static void approximate_fails_with_delta(void) {
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon(approximate(1, 1e-5), 9e-6));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon(approximate(1, 1e-5), 1e-5));
    TEST_ASSERT_TRUE(epsilon(approximate(1, 1e-5), 1e-3) < 1.0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1e-5, delta(approximate(1, 1e-5), 1.0));
    TEST_ASSERT_TRUE(delta(approximate(1, 1e-5), 0.5) > 1e-5);
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, renyi(approximate(1, 1e-5), 2));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon(term_of(PVG_CURVE_INFINITE), 0.999));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, delta(term_of(PVG_CURVE_INFINITE), 1e300));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, renyi(term_of(PVG_CURVE_INFINITE), 2));
}

/* --- compositions --------------------------------------------------------------- */

static double epsilon_of(const pvg_curve *c, double at) {
    double out = NAN;
    PVGT_OK(pvg_curve_epsilon(&out, c, at));
    return out;
}

static pvg_curve *both(pvg_curve_term a, pvg_curve_term b) {
    pvg_curve *first = curve(a), *second = curve(b), *out = NULL;
    PVGT_OK(pvg_curve_compose(&out, first, second));
    pvg_curve_free(first);
    pvg_curve_free(second);
    return out;
}

static void same_kinds_add(void) {
    pvg_curve_term got = {.size = sizeof got};
    pvg_curve *c = both(tcdp(0.1, 5), tcdp(0.2, 9));
    TEST_ASSERT_EQUAL_INT64(1, pvg_curve_count(c));
    PVGT_OK(pvg_curve_copy_term(&got, c, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.3, got.rho);
    TEST_ASSERT_TRUE(got.rho >= 0.3);
    TEST_ASSERT_EQUAL_DOUBLE(5, got.omega);
    pvg_curve_free(c);
    c = both(gdp(3), gdp(4));
    PVGT_OK(pvg_curve_copy_term(&got, c, 0));
    TEST_ASSERT_TRUE(got.mu >= 5 && got.mu < 5 + 1e-13);
    pvg_curve_free(c);
    c = both(smooth(0.1, 0.01, 3), smooth(0.2, 0.01, 4));
    TEST_ASSERT_EQUAL_INT64(1, pvg_curve_count(c));
    PVGT_OK(pvg_curve_copy_term(&got, c, 0));
    TEST_ASSERT_EQUAL_INT64(7, got.dimension);
    pvg_curve_free(c);
    c = both(smooth(0.1, 0.01, 3), smooth(0.2, 0.02, 4));
    TEST_ASSERT_EQUAL_INT64(2, pvg_curve_count(c));
    pvg_curve_free(c);
    c = both(approximate(1, 0.6), approximate(1, 0.6));
    PVGT_OK(pvg_curve_copy_term(&got, c, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_CURVE_INFINITE, got.kind);
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon_of(c, 0.9));
    pvg_curve_free(c);
    /* a hundred small pure ones: exactly, if they are equal, else as zCDP; not 10 */
    pvg_curve *one = curve(pure(0.1)), *many = NULL;
    PVGT_OK(pvg_curve_repeat(&many, one, 100));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 10, epsilon_of(many, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 4.774568, epsilon_of(many, 1e-6));
    pvg_curve *other = curve(pure(0.1001)), *unequal = NULL;
    PVGT_OK(pvg_curve_compose(&unequal, many, other));
    PVGT_OK(pvg_curve_copy_term(&got, unequal, 0));
    TEST_ASSERT_EQUAL_INT64(0, got.steps);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, epsilon(zcdp(0.5 + 0.5 * 0.1001 * 0.1001), 1e-6),
                              epsilon_of(unequal, 1e-6));
    pvg_curve_free(other);
    pvg_curve_free(unequal);
    double out;
    PVGT_OK(pvg_curve_delta(&out, many, 5.3));
    TEST_ASSERT_TRUE(out < 1e-6);
    pvg_curve_free(one);
    pvg_curve_free(many);
}

static void mixed_kinds_take_the_best_bound(void) {
    pvg_curve *c = both(pure(0.01), gdp(1));
    /* the sum is better than Renyi here */
    TEST_ASSERT_TRUE(epsilon_of(c, 1e-6) <= (0.01 + epsilon(gdp(1), 1e-6)) * (1 + 1e-14));
    TEST_ASSERT_TRUE(epsilon_of(c, 1e-6) >= epsilon(gdp(1), 1e-6));
    pvg_curve_free(c);
    c = both(zcdp(0.5), gdp(1)); /* Renyi: zCDP 1 */
    TEST_ASSERT_DOUBLE_WITHIN(1e-11, epsilon(zcdp(1), 1e-6), epsilon_of(c, 1e-6));
    pvg_curve_free(c);
    c = both(zcdp(1e-9), gdp(1)); /* splitting delta is better than Renyi */
    TEST_ASSERT_TRUE(epsilon_of(c, 1e-6) < epsilon(zcdp(0.5), 1e-6));
    TEST_ASSERT_TRUE(epsilon_of(c, 1e-6) >= epsilon(gdp(1), 1e-6));
    pvg_curve_free(c);
    c = both(approximate(0.5, 1e-7), zcdp(0.1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5 + epsilon(zcdp(0.1), 1e-6 - 1e-7),
                              epsilon_of(c, 1e-6));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon_of(c, 1e-7));
    double out;
    PVGT_OK(pvg_curve_delta(&out, c, 2.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1e-7 + delta(zcdp(0.1), 2.0), out);
    PVGT_OK(pvg_curve_delta(&out, c, 0.4));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, out);
    pvg_curve_free(c);
    c = both(pure(1), zcdp(0.1));
    PVGT_OK(pvg_curve_delta(&out, c, 3));
    TEST_ASSERT_TRUE(out <= delta(zcdp(0.1), 2) * (1 + 1e-12));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon_of(c, 0));
    pvg_curve_free(c);
    c = both(gdp(1), term_of(PVG_CURVE_INFINITE));
    TEST_ASSERT_EQUAL_DOUBLE(INFINITY, epsilon_of(c, 0.5));
    pvg_curve_free(c);
}

static void contractive_values(void) {
    double shifts[100], scales[100], mu;
    static const double table[][5] = {
        /* s1, s, gamma, layers; mu at sigma */
        {0.2, 0.2, 0.9, 100, 0.871756633325}, {0.2, 0.2, 0.9, 5, 0.442357688903},
        {0.2, 0.2, 1, 10, 0.632455532034},    {0.2, 0.2, 1.2, 10, 0.632455532034},
        {0.5, 0.5, 0.9, 5, 1.1058942223},     {3, 1, 0.9, 5, 2.9205156543},
        {2, 1, 0.5, 8, 1.7320640222},         {1.25, 0.25, 0.99, 20, 1.3187266985},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const int64_t layers = (int64_t)table[i][3];
        for (int64_t j = 0; j < layers; j++) {
            shifts[j] = j == 0 ? table[i][0] : table[i][1];
            scales[j] = 1;
        }
        PVGT_OK(pvg_contractive_mu(&mu, table[i][2], shifts, scales, layers));
        PVGT_CHECK(fabs(mu - table[i][4]) < 5.1e-11, "case %zu: %.15g", i, mu);
    }
    static const double phi[][3] = {{0, 3, 1},
                                    {0.5, 1, 1},
                                    {0.5, 8, 2.9766536965},
                                    {0.9, 5, 4.8920081233},
                                    {0.9, 100, 18.9989906937},
                                    {0.99, 20, 19.9330992521},
                                    {1, 7, 7},
                                    {1.5, 7, 7}};
    for (size_t i = 0; i < sizeof phi / sizeof phi[0]; i++) {
        for (int j = 0; j < 100; j++) shifts[j] = scales[j] = 1;
        PVGT_OK(pvg_contractive_mu(&mu, phi[i][0], shifts, scales, (int64_t)phi[i][1]));
        PVGT_CHECK(fabs(mu * mu - phi[i][2]) < 5.1e-10 && mu * mu >= phi[i][2] - 5.1e-11,
                   "phi %zu: %.15g", i, mu * mu);
    }
    /* a late large shift cannot be spread backwards: largest shift everywhere */
    for (int j = 0; j < 4; j++) shifts[j] = j == 3 ? 1 : 0.1, scales[j] = 1;
    PVGT_OK(pvg_contractive_mu(&mu, 0.9, shifts, scales, 4));
    TEST_ASSERT_TRUE(mu >= 1.0);
    /* squares below and above the range of doubles */
    for (int e = -1000; e <= 1000; e += 250) {
        const double one[] = {ldexp(3, e), ldexp(4, e)}, unit[] = {1, 1};
        PVGT_OK(pvg_contractive_mu(&mu, 1, one, unit, 2));
        PVGT_CHECK(mu >= ldexp(5, e) && mu <= ldexp(5, e) * (1 + 1e-12), "%d: %g", e, mu);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "gamma", pvg_contractive_mu(&mu, -1, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "gamma", pvg_contractive_mu(&mu, NAN, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "layers", pvg_contractive_mu(&mu, 0.5, shifts, scales, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_contractive_mu(NULL, 0.5, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "shifts", pvg_contractive_mu(&mu, 0.5, NULL, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "scales", pvg_contractive_mu(&mu, 0.5, shifts, NULL, 4));
    scales[2] = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "scales[2]",
               pvg_contractive_mu(&mu, 0.5, shifts, scales, 4));
    scales[2] = 1;
    shifts[1] = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "shifts[1]",
               pvg_contractive_mu(&mu, 0.5, shifts, scales, 4));
    shifts[1] = 1e300;
    scales[0] = scales[1] = scales[2] = scales[3] = 1e-300;
    PVGT_FAILS(PVG_E_NUMERIC, "mu", pvg_contractive_mu(&mu, 0.5, shifts, scales, 4));
    /* squares of scales beyond doubles: every layer in full, never nothing */
    for (int j = 0; j < 4; j++) shifts[j] = 1e200, scales[j] = 1e200;
    PVGT_OK(pvg_contractive_mu(&mu, 0.5, shifts, scales, 4));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, mu);
    for (int j = 0; j < 4; j++) shifts[j] = 1e-200, scales[j] = 1e-200;
    PVGT_OK(pvg_contractive_mu(&mu, 0.5, shifts, scales, 4));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2, mu);
}

static void contractive_layers(void) {
    const double gammas[] = {INFINITY, 0.5, 2, 0.25}, shifts[] = {1, 2, 3, 4};
    const double scales[] = {1, 1, 1, 1};
    double mu = 7, shift;
    PVGT_OK(pvg_contractive_shift(&shift, gammas, shifts, 4));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, ((1 * 0.5 + 2) * 2 + 3) * 0.25 + 4, shift);
    PVGT_OK(pvg_contractive_shift(&shift, gammas, shifts, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 1, shift);
    /* a map without a Lipschitz constant in the middle: the two halves add up */
    const double broken[] = {0.5, 0.5, INFINITY, 0.5};
    double first, second;
    PVGT_OK(pvg_contractive_mu_layers(&mu, broken, scales, scales, 4));
    PVGT_OK(pvg_contractive_mu(&first, 0.5, scales, scales, 2));
    second = first;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, sqrt(first * first + second * second), mu);
    PVGT_FAILS(PVG_E_NUMERIC, "not finite",
               pvg_contractive_shift(&shift, broken, shifts, 4));
    const double bad[] = {0.5, NAN, -1, 0.5};
    mu = 7;
    PVGT_FAILS(PVG_E_ARGUMENT, "gammas[1]",
               pvg_contractive_mu_layers(&mu, bad, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "gammas[0]",
               pvg_contractive_shift(&mu, bad + 2, shifts, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "gammas is NULL",
               pvg_contractive_mu_layers(&mu, NULL, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "shifts is NULL",
               pvg_contractive_mu_layers(&mu, gammas, NULL, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "scales is NULL",
               pvg_contractive_mu_layers(&mu, gammas, shifts, NULL, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_contractive_mu_layers(NULL, gammas, shifts, scales, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_contractive_shift(NULL, gammas, shifts, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "gammas is NULL",
               pvg_contractive_shift(&mu, NULL, shifts, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "shifts is NULL",
               pvg_contractive_shift(&mu, gammas, NULL, 4));
    PVGT_FAILS(PVG_E_ARGUMENT, "layers", pvg_contractive_shift(&mu, gammas, shifts, 0));
    TEST_ASSERT_TRUE(mu == 7);
}

/* --- arguments ------------------------------------------------------------------ */

/* --- sampled Gaussian steps ----------------------------------------------------- */

/* E over N(0,1) of (1 - q + q e^(mu x - mu^2 / 2))^a, by the trapezoidal rule, which is
 * exact to many digits for such functions. */
static double sampled_by_integral(double q, double sigma, double alpha) {
    const long double mu = 1 / (long double)sigma, step = 0.01L;
    long double sum = 0;
    for (long double x = -30; x < 30 + mu * (long double)alpha; x += step)
        sum += expl(-x * x / 2 + alpha * logl(1 - q + q * expl(mu * x - mu * mu / 2)));
    return (double)(logl(sum * step * 0.398942280401432677939946L) / (alpha - 1));
}

static void sampled_divergences(void) {
    const double q[] = {1e-6, 0.001, 0.01, 0.2, 0.9}, sigma[] = {0.6, 1, 3, 20};
    const double alpha[] = {1.3, 2, 2.5, 3, 6.5, 7, 20, 64.25};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 8; k++) {
                const double truth = sampled_by_integral(q[i], sigma[j], alpha[k]);
                const double got = renyi(sampled(q[i], sigma[j], 1), alpha[k]);
                const bool whole = alpha[k] == floor(alpha[k]);
                PVGT_CHECK(got >= truth * (1 - 1e-9) - 1e-15 &&
                               (!whole || got <= truth * (1 + 1e-7) + 1e-14),
                           "q %g sigma %g order %g: %.12g, true %.12g", q[i], sigma[j],
                           alpha[k], got, truth);
            }
    /* without sampling it is Gaussian noise, at every order */
    for (int k = 0; k < 8; k++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 50 * alpha[k] / 8,
                                  renyi(sampled(1, 2, 50), alpha[k]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, renyi(gdp(0.5), 1e6), renyi(sampled(1, 2, 1), 1e6));
    /* beyond the orders that are summed up it still holds and is finite */
    TEST_ASSERT_TRUE(renyi(sampled(0.01, 2, 1), 600) <= 600.0 / 8);
    TEST_ASSERT_TRUE(renyi(sampled(0.01, 2, 1), 600) >= renyi(sampled(0.01, 2, 1), 500));
}

/* sigma for known budgets, delta 1e-5. */
static void sampled_check_values(void) {
    const struct {
        double rate;
        int64_t steps;
        double epsilon, sigma;
    } known[] = {{0.026, 400, 1, 2.3105}, {0.026, 400, 2, 1.4023},
                 {0.026, 400, 4, 0.9687}, {0.026, 400, 8, 0.7278},
                 {0.01, 1000, 1, 1.5131}, {0.5, 100, 8, 3.3223}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        pvg_curve_term t = sampled(known[i].rate, 0, known[i].steps);
        double mu = 0;
        PVGT_OK(pvg_curve_solve(&mu, &t, known[i].epsilon, 1e-5));
        PVGT_CHECK(fabs(1 / mu - known[i].sigma) < 1e-3, "rate %g epsilon %g: sigma %.6g",
                   known[i].rate, known[i].epsilon, 1 / mu);
        t.mu = mu;
        TEST_ASSERT_TRUE(epsilon(t, 1e-5) <= known[i].epsilon);
        t.mu = mu * 1.001;
        TEST_ASSERT_TRUE(epsilon(t, 1e-5) > known[i].epsilon);
    }
}

static void sampled_steps_add(void) {
    pvg_curve *a = curve(sampled(0.01, 2, 10)), *b = curve(sampled(0.01, 2, 32));
    pvg_curve *c = curve(sampled(0.02, 2, 1)), *ab = NULL, *abc = NULL, *many = NULL;
    pvg_curve_term got = {.size = sizeof got};
    PVGT_OK(pvg_curve_compose(&ab, a, b));
    TEST_ASSERT_EQUAL_INT64(1, pvg_curve_count(ab));
    PVGT_OK(pvg_curve_copy_term(&got, ab, 0));
    TEST_ASSERT_EQUAL_INT64(42, got.steps);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, got.mu);
    PVGT_OK(pvg_curve_compose(&abc, ab, c));
    TEST_ASSERT_EQUAL_INT64(2, pvg_curve_count(abc));
    PVGT_OK(pvg_curve_repeat(&many, a, 7));
    PVGT_OK(pvg_curve_copy_term(&got, many, 0));
    TEST_ASSERT_EQUAL_INT64(70, got.steps);
    TEST_ASSERT_EQUAL_DOUBLE(0.01, got.rate);
    pvg_curve *all[] = {a, b, c, ab, abc, many};
    for (int i = 0; i < 6; i++) pvg_curve_free(all[i]);
    pvg_curve *none = NULL;
    pvg_curve_term bad = sampled(1.5, 1, 1);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.rate is above 1", pvg_curve_new(&none, &bad));
    bad = sampled(0.5, 1, 0);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.steps", pvg_curve_new(&none, &bad));
}

static void bad_terms_are_named(void) {
    const double bad[] = {NAN, INFINITY, -INFINITY, -1.0, -0x1p-1074};
    pvg_curve *out = (pvg_curve *)&out;
    for (int i = 0; i < 5; i++) {
        const double b = bad[i];
        const struct {
            pvg_curve_term term;
            const char *name;
        } cases[] = {
            {pure(b), "term.epsilon"},
            {approximate(b, 0.1), "term.epsilon"},
            {approximate(1, b), "term.delta"},
            {zcdp(b), "term.rho"},
            {tcdp(b, 2), "term.rho"},
            {tcdp(1, b), "term.omega"},
            {smooth(b, 1, 1), "term.rho"},
            {smooth(1, b, 1), "term.beta"},
            {smooth(1, 1, -3), "term.dimension"},
            {gdp(b), "term.mu"},
        };
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            PVGT_FAILS(PVG_E_ARGUMENT, cases[k].name,
                       pvg_curve_new(&out, &cases[k].term));
            TEST_ASSERT_NULL(out);
        }
        pvg_curve_term extra = gdp(1);
        extra.beta = b;
        PVGT_FAILS(PVG_E_ARGUMENT, "term.beta", pvg_curve_new(&out, &extra));
        extra = pure(1);
        extra.rho = b;
        PVGT_FAILS(PVG_E_ARGUMENT, "term.rho", pvg_curve_new(&out, &extra));
    }
    pvg_curve_term t = gdp(0);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.mu", pvg_curve_new(&out, &t));
    t = tcdp(1, 1);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.omega", pvg_curve_new(&out, &t));
    t = approximate(1, 1);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.delta", pvg_curve_new(&out, &t));
    t = term_of(0);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.kind", pvg_curve_new(&out, &t));
    t = term_of(9);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.kind", pvg_curve_new(&out, &t));
    t = gdp(1);
    t.size = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "size", pvg_curve_new(&out, &t));
    PVGT_FAILS(PVG_E_ARGUMENT, "term", pvg_curve_new(&out, NULL));
    t.size = sizeof t;
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_new(NULL, &t));
}

static void bad_calls_are_named(void) {
    pvg_curve *c = curve(gdp(1)), *out = NULL;
    pvg_curve_term t = gdp(0);
    double x = -1;
    const double bad[] = {NAN, INFINITY, -INFINITY, -1.0};
    for (int i = 0; i < 4; i++) {
        const double b = bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_epsilon(&x, c, b));
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_curve_delta(&x, c, b));
        PVGT_FAILS(PVG_E_ARGUMENT, "alpha", pvg_curve_renyi(&x, c, b));
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_curve_solve(&x, &t, b, 0.1));
        PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_solve(&x, &t, 1, b));
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_curve_solve_published(&x, &t, b, 0.1));
        PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_solve_published(&x, &t, 1, b));
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_gaussian_sigma(&x, b, 0.1));
        PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_gaussian_sigma(&x, 1, b));
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_epsilon(&x, c, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "alpha", pvg_curve_renyi(&x, c, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_curve_solve(&x, &t, 0, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_solve_published(&x, &t, 1, 0));
    PVGT_FAILS(PVG_E_PRIVACY, "no positive", pvg_curve_solve(&x, &t, 1, 0));
    PVGT_FAILS(PVG_E_PRIVACY, "no positive", pvg_gaussian_sigma(&x, 1, 0));
    t = gdp(1);
    PVGT_FAILS(PVG_E_ARGUMENT, "term.mu", pvg_curve_solve(&x, &t, 1, 0.1));
    t = term_of(PVG_CURVE_INFINITE);
    PVGT_FAILS(PVG_E_ARGUMENT, "no parameter", pvg_curve_solve(&x, &t, 1, 0.1));
    t = pure(1);
    PVGT_FAILS(PVG_E_ARGUMENT, "no published", pvg_curve_epsilon_published(&x, &t, 0.1));
    t = gdp(1);
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_curve_epsilon_published(&x, &t, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_epsilon_published(NULL, &t, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_epsilon(NULL, c, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve", pvg_curve_epsilon(&x, NULL, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_delta(NULL, c, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve", pvg_curve_delta(&x, NULL, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_renyi(NULL, c, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve", pvg_curve_renyi(&x, NULL, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_solve(NULL, &t, 1, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_solve_published(NULL, &t, 1, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_gaussian_sigma(NULL, 1, 0.1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_compose(NULL, c, c));
    PVGT_FAILS(PVG_E_ARGUMENT, "first", pvg_curve_compose(&out, NULL, c));
    PVGT_FAILS(PVG_E_ARGUMENT, "second", pvg_curve_compose(&out, c, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "times", pvg_curve_repeat(&out, c, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve", pvg_curve_repeat(&out, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_repeat(NULL, c, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "index", pvg_curve_copy_term(&t, c, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "index", pvg_curve_copy_term(&t, c, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_curve_copy_term(NULL, c, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve", pvg_curve_copy_term(&t, NULL, 0));
    TEST_ASSERT_EQUAL_DOUBLE(-1, x);
    TEST_ASSERT_EQUAL_INT64(0, pvg_curve_count(NULL));
    pvg_curve_free(NULL);
    pvg_curve *huge = curve(zcdp(1e308));
    PVGT_FAILS(PVG_E_NUMERIC, "rho", pvg_curve_compose(&out, huge, huge));
    TEST_ASSERT_NULL(out);
    PVGT_FAILS(PVG_E_NUMERIC, "rho", pvg_curve_repeat(&out, huge, 100));
    TEST_ASSERT_NULL(out);
    pvg_curve *wide = curve(smooth(1, 1, INT64_MAX));
    PVGT_FAILS(PVG_E_NUMERIC, "dimension", pvg_curve_repeat(&out, wide, 2));
    PVGT_FAILS(PVG_E_NUMERIC, "dimension", pvg_curve_compose(&out, wide, wide));
    pvg_curve_free(wide);
    pvg_curve_free(huge);
    pvg_curve_free(c);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(erfcx_has_its_relative_error);
    RUN_TEST(gaussian_delta_is_above_the_true_one_and_close);
    RUN_TEST(gaussian_epsilon_is_above_the_true_one_and_close);
    RUN_TEST(gaussian_mu_is_below_the_true_one_and_close);
    RUN_TEST(gaussian_tables);
    RUN_TEST(steps_compose);
    RUN_TEST(tcdp_values);
    RUN_TEST(renyi_conversions_are_sound_and_close);
    RUN_TEST(smooth_values);
    RUN_TEST(noise_multipliers);
    RUN_TEST(pure_is_randomised_response);
    RUN_TEST(approximate_fails_with_delta);
    RUN_TEST(same_kinds_add);
    RUN_TEST(mixed_kinds_take_the_best_bound);
    RUN_TEST(contractive_values);
    RUN_TEST(tiny_terms_count);
    RUN_TEST(contractive_layers);
    RUN_TEST(sampled_divergences);
    RUN_TEST(sampled_check_values);
    RUN_TEST(sampled_steps_add);
    RUN_TEST(bad_terms_are_named);
    RUN_TEST(bad_calls_are_named);
    return pvgt_end(UNITY_END());
}
