/* See paths.h. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "paths.h"

#include "rng/rng_internal.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256, CACHE = 16 };

/* The path that is followed: choice i of width[i]; weight[i]: chance of the first i. */
static struct {
    bool active;
    int choice[DEPTH_MAX], width[DEPTH_MAX];
    mpf_t weight[DEPTH_MAX + 1];
    int depth, used;
    int64_t noise; /* values drawn so far */
    int64_t limit;
    jmp_buf again;
    pvgt_window_of window;
    void *context;
    pvgt_mutant mutant;
} path;

/* --- numbers --------------------------------------------------------------------------
 */

/* e^x, x >= 0: the series at x / 2^k below 2^-20, squared k times. */
static void exp_of(mpf_t out, const mpf_t x) {
    mpf_t y, term;
    int squares = 20;
    mpf_init2(y, PVGT_BITS + 128);
    mpf_init2(term, PVGT_BITS + 128);
    for (double size = mpf_get_d(x); size > 1; size /= 2) squares++;
    mpf_div_2exp(y, x, (mp_bitcnt_t)squares);
    mpf_set_ui(out, 1);
    mpf_set_ui(term, 1);
    for (unsigned k = 1; k < 40; k++) {
        mpf_mul(term, term, y);
        mpf_div_ui(term, term, k);
        mpf_add(out, out, term);
    }
    while (squares-- > 0) mpf_mul(out, out, out);
    mpf_clear(y);
    mpf_clear(term);
}

static void set_u64(mpf_t out, uint64_t value) {
    mpf_set_ui(out, (unsigned long)(value >> 32));
    mpf_mul_2exp(out, out, 32);
    mpf_add_ui(out, out, (unsigned long)(value & 0xFFFFFFFF));
}

/* high / 2^64 + low / 2^128 */
static void set_chance(mpf_t out, uint64_t high, uint64_t low) {
    mpf_t part;
    mpf_init2(part, PVGT_BITS);
    set_u64(out, high);
    mpf_mul_2exp(out, out, 64);
    set_u64(part, low);
    mpf_add(out, out, part);
    mpf_div_2exp(out, out, 128);
    mpf_clear(part);
}

/* --- choices ---------------------------------------------------------------------------
 */

static int choose(int width) {
    TEST_ASSERT_LESS_THAN(DEPTH_MAX, path.depth);
    if (path.depth == path.used) {
        path.choice[path.used] = 0;
        path.width[path.used++] = width;
    }
    TEST_ASSERT_EQUAL_INT(path.width[path.depth], width);
    return path.choice[path.depth];
}

/* Goes on with a choice of that chance. */
static void take(const mpf_t chance) {
    mpf_mul(path.weight[path.depth + 1], path.weight[path.depth], chance);
    path.depth++;
}

static bool happens(const mpf_t chance) {
    const bool yes = choose(2) == 0;
    if (yes) {
        take(chance);
    } else {
        mpf_t other;
        mpf_init2(other, PVGT_BITS);
        mpf_ui_sub(other, 1, chance);
        take(other);
        mpf_clear(other);
    }
    return yes;
}

/* --- in place of the samplers ----------------------------------------------------------
 */

uint64_t __real_pvgi_rng_draw_below(pvgi_stream *stream, uint64_t bound);
uint64_t __wrap_pvgi_rng_draw_below(pvgi_stream *stream, uint64_t bound);
uint64_t __wrap_pvgi_rng_draw_below(pvgi_stream *stream, uint64_t bound) {
    if (!path.active) return __real_pvgi_rng_draw_below(stream, bound);
    if (bound == 1) return 0;
    const int which = choose((int)bound);
    mpf_t each;
    mpf_init2(each, PVGT_BITS);
    mpf_set_ui(each, 1);
    mpf_div_ui(each, each, (unsigned long)bound);
    take(each);
    mpf_clear(each);
    return (uint64_t)which;
}

bool __real_pvgi_rng_draw_bernoulli(pvgi_stream *stream, uint64_t n, uint64_t d);
bool __wrap_pvgi_rng_draw_bernoulli(pvgi_stream *stream, uint64_t n, uint64_t d);
bool __wrap_pvgi_rng_draw_bernoulli(pvgi_stream *stream, uint64_t n, uint64_t d) {
    if (!path.active) return __real_pvgi_rng_draw_bernoulli(stream, n, d);
    if (n == 0 || n >= d) return n > 0;
    mpf_t chance;
    mpf_init2(chance, PVGT_BITS);
    set_u64(chance, n);
    mpf_div_ui(chance, chance, (unsigned long)d);
    const bool yes = happens(chance);
    mpf_clear(chance);
    return yes;
}

bool __real_pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low);
bool __wrap_pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low);
bool __wrap_pvgi_rng_draw_chance(pvgi_stream *stream, uint64_t high, uint64_t low) {
    if (!path.active) return __real_pvgi_rng_draw_chance(stream, high, low);
    if (high == 0 && low == 0) return false;
    mpf_t chance;
    mpf_init2(chance, PVGT_BITS);
    set_chance(chance, high, low);
    const bool yes = happens(chance);
    mpf_clear(chance);
    return yes;
}

int64_t __real_pvgi_rng_draw_index(pvgi_stream *stream, const uint64_t *ends,
                                   int64_t count);
int64_t __wrap_pvgi_rng_draw_index(pvgi_stream *stream, const uint64_t *ends,
                                   int64_t count);
int64_t __wrap_pvgi_rng_draw_index(pvgi_stream *stream, const uint64_t *ends,
                                   int64_t count) {
    if (!path.active) return __real_pvgi_rng_draw_index(stream, ends, count);
    const int which = choose((int)count);
    const uint64_t start = which ? ends[which - 1] : 0;
    const uint64_t width = (which == count - 1 ? 0 : ends[which]) - start;
    mpf_t chance;
    mpf_init2(chance, PVGT_BITS);
    set_chance(chance, width, 0); /* one of several is below 2^64 */
    take(chance);
    mpf_clear(chance);
    return which;
}

uint64_t __real_pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream,
                                   uint64_t limit);
uint64_t __wrap_pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream,
                                   uint64_t limit);
uint64_t __wrap_pvgi_rng_draw_skip(const pvgi_skip *skip, pvgi_stream *stream,
                                   uint64_t limit) {
    if (!path.active) return __real_pvgi_rng_draw_skip(skip, stream, limit);
    if (limit == 0 || (skip->high == 0 && skip->low == 0)) return limit;
    const int which = choose((int)limit + 1);
    mpf_t rate, chance;
    mpf_init2(rate, PVGT_BITS);
    mpf_init2(chance, PVGT_BITS);
    set_chance(rate, skip->high, skip->low);
    mpf_ui_sub(chance, 1, rate);
    mpf_pow_ui(chance, chance, (unsigned long)which);
    if ((uint64_t)which < limit) mpf_mul(chance, chance, rate);
    take(chance);
    mpf_clear(rate);
    mpf_clear(chance);
    return (uint64_t)which;
}

/* r = e^(-denominator / numerator), remembered. */
static const mpf_t *ratio_of(int64_t numerator, int64_t denominator) {
    static struct {
        int64_t numerator, denominator;
        mpf_t value;
    } cache[CACHE];
    static int used, next;
    for (int i = 0; i < used; i++)
        if (cache[i].numerator == numerator && cache[i].denominator == denominator)
            return &cache[i].value;
    const int place = used < CACHE ? used : next++ % CACHE;
    if (used < CACHE) {
        mpf_init2(cache[place].value, PVGT_BITS);
        used++;
    }
    cache[place].numerator = numerator;
    cache[place].denominator = denominator;
    mpf_t x;
    mpf_init2(x, PVGT_BITS);
    set_u64(x, (uint64_t)denominator);
    mpf_div_ui(x, x, (unsigned long)numerator);
    exp_of(cache[place].value, x);
    mpf_ui_div(cache[place].value, 1, cache[place].value);
    mpf_clear(x);
    return &cache[place].value;
}

/* P(Z >= z). Geometric: r^z. Discrete Laplace: r^z / (1 + r) for z > 0, and the rest of
 * 1 for z <= 0. */
static void tail_of(mpf_t out, pvgi_noise_law law, int64_t z, const mpf_t r) {
    if (law == PVGI_NOISE_GEOMETRIC) {
        mpf_pow_ui(out, r, (unsigned long)(z > 0 ? z : 0));
        return;
    }
    TEST_ASSERT_EQUAL_INT(PVGI_NOISE_DISCRETE_LAPLACE, law);
    mpf_t sum;
    mpf_init2(sum, PVGT_BITS);
    mpf_add_ui(sum, r, 1);
    mpf_pow_ui(out, r, (unsigned long)(z > 0 ? z : 1 - z));
    mpf_div(out, out, sum);
    if (z <= 0) mpf_ui_sub(out, 1, out);
    mpf_clear(sum);
}

static int64_t draw_integer(pvgi_noise_law law, int64_t numerator, int64_t denominator) {
    if (path.limit && path.noise == path.limit) longjmp(path.again, 1);
    pvgt_window w = path.window(path.context, path.noise++);
    if (path.mutant == PVGT_HALF_NOISE) denominator *= 2;
    const mpf_t *r = ratio_of(numerator, denominator);
    if (w.high <= w.low) return w.low;
    const int which = choose((int)(w.high - w.low + 1));
    const int64_t z = w.low + which;
    mpf_t chance, beyond;
    mpf_init2(chance, PVGT_BITS);
    mpf_init2(beyond, PVGT_BITS);
    if (z == w.low)
        mpf_set_ui(chance, 1);
    else
        tail_of(chance, law, z, *r);
    if (z < w.high) {
        tail_of(beyond, law, z + 1, *r);
        mpf_sub(chance, chance, beyond);
    }
    take(chance);
    mpf_clear(chance);
    mpf_clear(beyond);
    return z;
}

void __real_pvgi_rng_draw_noise(int64_t *out, int64_t count, pvgi_noise_law law,
                                int64_t numerator, int64_t denominator,
                                pvgi_stream *stream);
void __wrap_pvgi_rng_draw_noise(int64_t *out, int64_t count, pvgi_noise_law law,
                                int64_t numerator, int64_t denominator,
                                pvgi_stream *stream);
void __wrap_pvgi_rng_draw_noise(int64_t *out, int64_t count, pvgi_noise_law law,
                                int64_t numerator, int64_t denominator,
                                pvgi_stream *stream) {
    if (!path.active) {
        __real_pvgi_rng_draw_noise(out, count, law, numerator, denominator, stream);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        out[i] = draw_integer(law, numerator, denominator);
}

uint64_t __real_pvgi_rng_stream_word(pvgi_stream *stream);
uint64_t __wrap_pvgi_rng_stream_word(pvgi_stream *stream);
uint64_t __wrap_pvgi_rng_stream_word(pvgi_stream *stream) {
    if (path.active) TEST_FAIL_MESSAGE("a word is drawn past the samplers");
    return __real_pvgi_rng_stream_word(stream);
}

uint64_t __real_pvgi_rng_flip_threshold(double epsilon);
uint64_t __wrap_pvgi_rng_flip_threshold(double epsilon);
uint64_t __wrap_pvgi_rng_flip_threshold(double epsilon) {
    return __real_pvgi_rng_flip_threshold(path.mutant == PVGT_THRESHOLDS ? 2 * epsilon
                                                                         : epsilon);
}

uint64_t __real_pvgi_perturb_lie_threshold(double epsilon, uint64_t alternatives);
uint64_t __wrap_pvgi_perturb_lie_threshold(double epsilon, uint64_t alternatives);
uint64_t __wrap_pvgi_perturb_lie_threshold(double epsilon, uint64_t alternatives) {
    const pvgt_mutant mutant = path.mutant;
    path.mutant = PVGT_HONEST; /* it asks for a threshold of its own */
    const uint64_t threshold = __real_pvgi_perturb_lie_threshold(
        mutant == PVGT_THRESHOLDS ? 2 * epsilon : epsilon, alternatives);
    path.mutant = mutant;
    return threshold;
}

uint64_t __real_pvgi_rng_scale_threshold(uint64_t threshold, double epsilon);
uint64_t __wrap_pvgi_rng_scale_threshold(uint64_t threshold, double epsilon);
uint64_t __wrap_pvgi_rng_scale_threshold(uint64_t threshold, double epsilon) {
    return __real_pvgi_rng_scale_threshold(
        threshold, path.mutant == PVGT_THRESHOLDS ? 2 * epsilon : epsilon);
}

/* --- laws ------------------------------------------------------------------------------
 */

static pvgt_outcome *find(const pvgt_law *law, uint64_t code) {
    for (int i = 0; i < law->count; i++)
        if (law->outcome[i].code == code) return &law->outcome[i];
    return NULL;
}

static void add(pvgt_law *law, uint64_t code, const mpf_t chance) {
    pvgt_outcome *o = find(law, code);
    if (!o) {
        if (law->count == law->room) {
            law->room = law->room ? 2 * law->room : 64;
            law->outcome =
                realloc(law->outcome, (size_t)law->room * sizeof *law->outcome);
            TEST_ASSERT_NOT_NULL(law->outcome);
        }
        o = &law->outcome[law->count++];
        o->code = code;
        mpf_init2(o->chance, PVGT_BITS);
    }
    mpf_add(o->chance, o->chance, chance);
}

void pvgt_mutate(pvgt_mutant mutant) {
    path.mutant = mutant;
}

void pvgt_law_of(pvgt_law *out, pvgt_program run, pvgt_window_of window, void *context) {
    static bool ready;
    for (int i = 0; i <= DEPTH_MAX && !ready; i++) mpf_init2(path.weight[i], PVGT_BITS);
    ready = true;
    mpf_set_ui(path.weight[0], 1);
    memset(out, 0, sizeof *out);
    path.used = 0;
    path.window = window;
    path.context = context;
    do {
        path.depth = 0;
        path.noise = 0;
        path.active = true;
        const uint64_t code = setjmp(path.again) == 0 ? run(context) : PVGT_RESTART;
        path.active = false;
        TEST_ASSERT_EQUAL_INT(path.used, path.depth);
        add(out, code, path.weight[path.depth]);
        out->paths++;
        while (path.used > 0 && ++path.choice[path.used - 1] == path.width[path.used - 1])
            path.used--;
    } while (path.used > 0);
}

void pvgt_law_free(pvgt_law *law) {
    for (int i = 0; i < law->count; i++) mpf_clear(law->outcome[i].chance);
    free(law->outcome);
    memset(law, 0, sizeof *law);
}

void pvgt_restart_at(int64_t limit) {
    path.limit = limit;
}

double pvgt_law_total(const pvgt_law *law) {
    mpf_t sum;
    mpf_init2(sum, PVGT_BITS);
    for (int i = 0; i < law->count; i++) mpf_add(sum, sum, law->outcome[i].chance);
    const double total = mpf_get_d(sum);
    mpf_clear(sum);
    return total;
}

double pvgt_law_distance(const pvgt_law *a, const pvgt_law *b) {
    double most = a->count == b->count ? 0 : INFINITY;
    mpf_t difference;
    mpf_init2(difference, PVGT_BITS);
    for (int i = 0; i < a->count; i++) {
        const pvgt_outcome *o = find(b, a->outcome[i].code);
        if (!o) {
            most = INFINITY;
            continue;
        }
        mpf_sub(difference, a->outcome[i].chance, o->chance);
        most = fmax(most, fabs(mpf_get_d(difference)));
    }
    mpf_clear(difference);
    return most;
}

/* e^epsilon, a little above: chances are right to some 500 bits. */
static void limit_of(mpf_t out, double epsilon) {
    mpf_t x;
    mpf_init2(x, PVGT_BITS);
    mpf_set_d(x, epsilon);
    exp_of(out, x);
    mpf_set_ui(x, 1);
    mpf_div_2exp(x, x, 400);
    mpf_add_ui(x, x, 1);
    mpf_mul(out, out, x);
    mpf_clear(x);
}

int pvgt_chance_above(const mpf_t a, const mpf_t b, double epsilon) {
    mpf_t limit;
    mpf_init2(limit, PVGT_BITS);
    limit_of(limit, epsilon);
    mpf_mul(limit, limit, b);
    const int above = mpf_cmp(a, limit) > 0;
    mpf_clear(limit);
    return above;
}

double pvgt_law_ratio(const pvgt_law *a, const pvgt_law *b, double epsilon, int *above) {
    double most = -INFINITY;
    mpf_t quotient, limit;
    mpf_init2(quotient, PVGT_BITS);
    mpf_init2(limit, PVGT_BITS);
    limit_of(limit, epsilon);
    *above = 0;
    for (int i = 0; i < a->count; i++) {
        const pvgt_outcome *o = find(b, a->outcome[i].code);
        if (!o || mpf_sgn(o->chance) == 0) {
            if (mpf_sgn(a->outcome[i].chance) == 0) continue;
            *above = 1;
            most = INFINITY;
            continue;
        }
        mpf_div(quotient, a->outcome[i].chance, o->chance);
        if (mpf_cmp(quotient, limit) > 0) *above = 1;
        long exponent;
        const double mantissa = mpf_get_d_2exp(&exponent, quotient);
        if (mantissa > 0)
            most = fmax(most, log(mantissa) + (double)exponent * 0.6931471805599453);
    }
    mpf_clear(quotient);
    mpf_clear(limit);
    return most;
}
