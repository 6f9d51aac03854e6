/* The privacy loss of a list that is fixed beforehand, composed on a lattice.
 *
 * A release is at most as telling as a pair (P, Q) of laws; its loss is ln dP/dQ under P,
 * losses of a list add up, and delta(x) = E (1 - e^(x - loss))+. Every part's loss is
 * brought to multiples of a step h: mass p at a loss between a and b = a + h goes to both
 * ends so that p and p e^-loss are kept. Merging them again is post-processing, so the
 * split pair tells more, whatever it is composed with; it tells more by a variance of
 * h^2 / 4 at most. Sums of products of masses >= 0 have small relative errors, which are
 * counted; mass is only ever rounded up or moved to a larger loss. Gaussian parts add
 * their mu^2 and enter at the end, exactly. docs/privacy/proofs/mechanism.md,
 * lists that are fixed beforehand.
 *
 * With W = lattice points within 2^-100 of all mass: O(W) for each atom of a part, or W^2
 * for a part that comes many times; h is the finest for which that is below
 * work_max. */
#include "mechanism_internal.h"

#include <float.h>
#include <string.h>

/* Products. */
static const double work_max = 0x1p31;
/* Finest step as a share of the smallest loss. */
enum { FINEST = 256 };
/* Mass that one operation may round away to a larger loss. */
static const double tail = 0x1p-112;
/* Standard deviations of noise beyond which there is less mass than that. */
static const double reach = 13.0;
/* Discrete Gaussian noise of this scale and more is Gaussian but for a factor within
 * e^+-surcharge and mass `rare`, coordinates taken together. */
static const double fine = 0x1p20, surcharge = 0x1p-30, rare = 0x1p-96;
/* The same of PVG_MECHANISM_DIMENSION_MAX coordinates of at least this scale. */
static const int64_t finest = INT64_C(1) << 36;

/* Masses of losses low h, (low + 1) h, ...; `infinite`: of those without bound. Masses
 * are true up to a factor 1 + error, the rest is rounded up. */
typedef struct {
    double *mass;
    int64_t low, count;
    double infinite, error;
} lattice;

/* What parts are laid out on. */
typedef struct {
    double step;
    bool added; /* sampled steps: their record is only in the second world */
    pvgi_run *run;
} frame;

static void drop(lattice *a) {
    pvgi_free(a->mass);
    *a = (lattice){0};
}

static int32_t reserve(lattice *a, int64_t low, int64_t high, pvgi_run *run) {
    const int64_t count = high - low + 1;
    const size_t bytes = pvgi_size_mul((size_t)count, sizeof(double));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    double *mass = pvgi_alloc_zero((size_t)count, sizeof(double));
    if (!mass) return pvgi_fail_nomem();
    *a = (lattice){.mass = mass, .low = low, .count = count};
    return PVG_OK;
}

static double total(const lattice *a) {
    double sum = 0.0;
    for (int64_t i = 0; i < a->count; i++) sum += a->mass[i];
    return sum * (1.0 + a->error + 0x1p-52 * (double)a->count);
}

/* The ends of a lattice: high losses become infinite, low ones rise to what is kept. */
static void trim(lattice *a) {
    double above = 0.0, below = 0.0;
    while (a->count > 1 && above + a->mass[a->count - 1] <= tail)
        above += a->mass[--a->count];
    int64_t first = 0;
    while (first < a->count - 1 && below + a->mass[first] <= tail)
        below += a->mass[first++];
    a->mass[first] += below;
    a->infinite += above * (1.0 + 0x1p-20);
    memmove(a->mass, a->mass + first, (size_t)(a->count - first) * sizeof(double));
    a->low += first;
    a->count -= first;
}

/* a := a * b. */
static int32_t convolve(lattice *a, const lattice *b, pvgi_run *run) {
    const lattice *outer = a->count < b->count ? a : b, *inner = outer == a ? b : a;
    lattice sum;
    PVGI_TRY(
        reserve(&sum, a->low + b->low, a->low + b->low + a->count + b->count - 2, run));
    for (int64_t i = 0; i < outer->count; i++) {
        const double factor = outer->mass[i];
        double *to = sum.mass + i;
        if (factor > 0.0)
            for (int64_t j = 0; j < inner->count; j++) to[j] += factor * inner->mass[j];
        if (i % 64 == 0) {
            const int32_t status = pvgi_run_report(run, 0.0);
            if (status != PVG_OK) {
                drop(&sum);
                return status;
            }
        }
    }
    /* products below DBL_MIN lose their digits, and more of them than that is tail */
    const double lost = DBL_MIN * (double)outer->count * (double)inner->count;
    sum.infinite = (a->infinite * total(b) + b->infinite * total(a) +
                    a->infinite * b->infinite + lost) *
                   (1.0 + 0x1p-50);
    sum.error =
        (a->error + b->error + 0x1p-52 * (double)(outer->count + 2)) * (1.0 + 0x1p-20);
    trim(&sum);
    drop(a);
    *a = sum;
    return PVG_OK;
}

/* --- parts ---------------------------------------------------------------------- */

/* Puts mass p at loss l, split to both ends; losses beyond the lattice do not occur.
 * most: of the numbers that l was computed from; 0 if it is exact. Then l rises by its
 * error first, since it must not be below the true one. */
static void put(lattice *a, double step, double most, double l, double p) {
    l += 0x1p-51 * most;
    const double place = floor(l / step);
    const int64_t i = (int64_t)place - a->low;
    const double below = l - place * step, above = (place + 1.0) * step - l;
    /* what rounding does to l and place * step, in steps */
    const double slack = ((most + fabs(l)) / step + 4.0) * 0x1p-50;
    const double up = fmin(1.0, fmax(0.0, expm1(-below) / expm1(-step)) + slack);
    const double down = fmin(1.0, fmax(0.0, expm1(above) / expm1(step)) + slack);
    a->mass[i] += p * down;
    a->mass[i + 1] += p * up;
}

static int64_t under(double l, double step) {
    return (int64_t)floor(l / step) - 1;
}

/* Randomised response; a share delta of the time everything is told. */
static int32_t lay_pure(lattice *a, const pvg_pld_part *part, const frame *on) {
    const double step = on->step;
    const double e = part->epsilon, kept = 1.0 - part->delta;
    PVGI_TRY(reserve(a, under(-e, step), under(e, step) + 3, on->run));
    put(a, step, 0.0, e, kept / (1.0 + exp(-e)));
    put(a, step, 0.0, -e, kept / (1.0 + exp(e)));
    a->infinite = part->delta;
    a->error = 0x1p-48;
    return PVG_OK;
}

/* Loss +-e in the tails, density e^((l - e)/2)/4 between. An interval [a, a + h] of the
 * lattice gives c e^((a - e)/2) to its upper end and e^(-h/2) of that to the lower one,
 * c = 2 sinh^2(h/4) / (1 - e^-h). What is left at the borders rises to +e, or to the
 * lowest interval. */
static int32_t lay_laplace(lattice *a, const pvg_pld_part *part, const frame *on) {
    const double step = on->step;
    const double e = part->epsilon, s = sinh(0.25 * step);
    const double c = 2.0 * s * s / -expm1(-step), less = exp(-0.5 * step);
    PVGI_TRY(reserve(a, under(-e, step), under(e, step) + 3, on->run));
    const int64_t first = (int64_t)ceil(-e / step), last = (int64_t)floor(e / step);
    for (int64_t i = first; i < last; i++) {
        const double upper = c * exp(0.5 * ((double)i * step - e));
        a->mass[i + 1 - a->low] += upper;
        a->mass[i - a->low] += upper * less;
    }
    const double top = fmax(0.0, e - (double)last * step),
                 bottom = fmax(0.0, (double)first * step + e);
    put(a, step, 0.0, e, 0.5 - 0.5 * expm1(-0.5 * top));
    put(a, step, 0.0, -e, 0.5 * exp(-e));
    a->mass[first - a->low] += 0.5 * exp(-e) * expm1(0.5 * bottom);
    a->error = 0x1p-46 * (1.0 + e);
    return PVG_OK;
}

/* Integer noise of scale b, shifted by s: losses (s - 2j) / b. */
static int32_t lay_discrete_laplace(lattice *a, const pvg_pld_part *part,
                                    const frame *on) {
    const double step = on->step;
    const double b = part->scale, s = (double)part->shift, e = s / b;
    const double r = exp(-1.0 / b), middle = tanh(0.5 / b);
    PVGI_TRY(reserve(a, under(-e, step), under(e, step) + 3, on->run));
    put(a, step, e, e, 1.0 / (1.0 + r));
    put(a, step, e, -e, exp(-e) / (1.0 + r));
    for (int64_t j = 1; j < part->shift; j++)
        put(a, step, e, (s - 2.0 * (double)j) / b, middle * exp((double)-j / b));
    a->error = 0x1p-46 * (1.0 + e);
    return PVG_OK;
}

/* P(x) in proportion to e^(-x^2 / (2 b^2)), Q shifted by s: loss (s - 2x) s / (2 b^2).
 * Beyond `reach` deviations there is less than `tail`; the sum of all weights is not
 * below the sum of those that are looked at. */
static int32_t lay_discrete_gaussian(lattice *a, const pvg_pld_part *part,
                                     const frame *on) {
    const double step = on->step;
    const double b = part->scale, s = (double)part->shift, rate = s / b / b;
    const int64_t far = (int64_t)ceil(reach * b) + 1;
    const double most = 0.5 * s * rate + (double)far * rate;
    double sum = 0.0;
    PVGI_TRY(reserve(a, under(-most, step), under(most, step) + 3, on->run));
    for (int64_t x = -far; x <= far; x++)
        sum += exp(-0.5 * ((double)x / b) * ((double)x / b));
    for (int64_t x = -far; x <= far; x++) {
        const double weight = exp(-0.5 * ((double)x / b) * ((double)x / b));
        put(a, step, most, 0.5 * s * rate - (double)x * rate, weight / sum);
    }
    a->infinite = tail;
    a->error = 0x1p-42 + 0x1p-52 * (double)far;
    return PVG_OK;
}

/* A sampled Gaussian step (loss_sampled.c); upside down if the record is added. */
static int32_t lay_sampled(lattice *a, const pvg_pld_part *part, const frame *on) {
    int64_t low, high;
    pvgi_mechanism_sampled_range(part, on->step, &low, &high);
    PVGI_TRY(reserve(a, on->added ? -high : low, on->added ? -low : high, on->run));
    a->infinite = pvgi_mechanism_sampled_lay(a->mass, part, on->step, on->added);
    a->error = 0x1p-46 * (1.0 + (double)high * on->step);
    return PVG_OK;
}

/* By kind. */
typedef struct {
    /* NULL: Gaussian, added up in mu instead */
    int32_t (*lay)(lattice *a, const pvg_pld_part *part, const frame *on);
    bool spread;  /* over as many atoms as there are lattice points */
    bool bounded; /* by size_of */
    unsigned needs;
} law;

static const int64_t times_max = INT64_C(1) << 40;
enum { EPSILON = 1, DELTA = 2, MU = 4, NOISE = 8, RATE = 16 };
static const law laws[] = {
    [0] = {0},
    [PVG_PLD_PURE] = {lay_pure, false, true, EPSILON},
    [PVG_PLD_APPROXIMATE] = {lay_pure, false, false, EPSILON | DELTA},
    [PVG_PLD_GDP] = {NULL, false, false, MU},
    [PVG_PLD_LAPLACE] = {lay_laplace, true, true, EPSILON},
    [PVG_PLD_DISCRETE_LAPLACE] = {lay_discrete_laplace, true, true, NOISE},
    [PVG_PLD_DISCRETE_GAUSSIAN] = {lay_discrete_gaussian, true, false, NOISE},
    [PVG_PLD_SAMPLED] = {lay_sampled, true, false, MU | RATE},
};

static bool is_fine(const pvg_pld_part *part) {
    return part->kind == PVG_PLD_DISCRETE_GAUSSIAN && part->scale >= fine;
}

static bool is_sampled(const pvg_pld_part *part) {
    return part->kind == PVG_PLD_SAMPLED && part->rate < 1.0;
}

static bool on_lattice(const pvg_pld_part *part) {
    return is_sampled(part) ||
           (laws[part->kind].lay && part->kind != PVG_PLD_SAMPLED && !is_fine(part));
}

int32_t pvgi_mechanism_loss_check(const char *function, const pvg_pld_part *part) {
    PVGI_REQUIRE(part->kind >= PVG_PLD_PURE && part->kind <= PVG_PLD_SAMPLED,
                 "%s: parts.kind %d is no PVG_LOSS_*", function, (int)part->kind);
    const unsigned needs = laws[part->kind].needs;
    const struct {
        const char *name;
        double value;
        unsigned need;
        double most;
    } fields[] = {
        {"epsilon", part->epsilon, EPSILON, 1e6},
        {"delta", part->delta, DELTA, 1.0 - 0x1p-53},
        {"mu", part->mu, MU, part->kind == PVG_PLD_SAMPLED ? 20.0 : 1e6},
        {"rate", part->rate, RATE, 1.0},
        {"scale", part->scale, NOISE, 0x1p52},
        {"shift", (double)part->shift, NOISE,
         is_fine(part)                            ? 100.0 * part->scale
         : part->kind == PVG_PLD_DISCRETE_LAPLACE ? 0x1p20
                                                  : 100.0 * fine},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (needs & fields[i].need)
            PVGI_REQUIRE(fields[i].value > 0.0 && fields[i].value <= fields[i].most,
                         "%s: parts.%s is %g, not in (0, %g]", function, fields[i].name,
                         fields[i].value, fields[i].most);
        else
            PVGI_REQUIRE(fields[i].value == 0.0,
                         "%s: parts.%s has no meaning here and is not 0", function,
                         fields[i].name);
    PVGI_REQUIRE(part->times >= 1 && part->times <= times_max,
                 "%s: parts.times is not in [1, 2^40]", function);
    return PVG_OK;
}

static bool is_same(const pvg_pld_part *a, const pvg_pld_part *b) {
    return a->kind == b->kind && a->epsilon == b->epsilon && a->delta == b->delta &&
           a->mu == b->mu && a->scale == b->scale && a->shift == b->shift &&
           a->rate == b->rate;
}

void pvgi_mechanism_loss_add(pvg_pld *loss, const pvg_pld_part *part) {
    for (int64_t i = 0; i < loss->count; i++) {
        pvg_pld_part *old = &loss->parts[i];
        if (is_same(part, old) && old->times + part->times <= times_max) {
            old->times += part->times;
            return;
        }
    }
    loss->parts[loss->count++] = *part;
}

/* Size of one loss: epsilon, or the deviation that stands for it. */
static double size_of(const pvg_pld_part *part) {
    if (is_sampled(part)) { /* about the root of the mean square */
        const double q = part->rate, mu = part->mu;
        const double small = q * sqrt(expm1(fmin(mu * mu, 300.0)));
        return fmax(0x1p-200, fmin(small, sqrt(q) * mu * (1.0 + 0.5 * mu)));
    }
    return part->shift > 0 ? (double)part->shift / part->scale : part->epsilon;
}

/* Largest loss of one part, as laid out. */
static double span_of(const pvg_pld_part *part) {
    const double size = size_of(part);
    if (is_sampled(part)) return pvgi_mechanism_sampled_loss(part, part->mu + reach);
    return part->kind == PVG_PLD_DISCRETE_GAUSSIAN
               ? 0.5 * size * size + (reach + 2.0 / part->scale) * size
               : size;
}

/* A loss that is rare and large beside the deviation. */
static double jump_of(const pvg_pld_part *part) {
    return is_sampled(part) ? span_of(part) : 0.0;
}

/* Lattice points that `times` of a part take, about. */
static double width_of(const pvg_pld_part *part, double times, double step) {
    const double spread =
        fmin(times * span_of(part), reach * sqrt(times) * size_of(part));
    return 3.0 + (2.0 * spread + jump_of(part)) / step;
}

static double work_at(const pvg_pld_part *parts, int64_t count, double step) {
    double all = 0.0, work = 0.0, square = 0.0, jump = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double size = size_of(&parts[i]), times = (double)parts[i].times;
        if (!on_lattice(&parts[i])) continue;
        square += times * size * size;
        all += times * span_of(&parts[i]);
        jump = fmax(jump, jump_of(&parts[i]));
    }
    const double wide = 3.0 + (2.0 * fmin(all, reach * sqrt(square)) + jump) / step;
    for (int64_t i = 0; i < count; i++) {
        if (!on_lattice(&parts[i])) continue;
        const double width = width_of(&parts[i], (double)parts[i].times, step);
        if (parts[i].times > 1) work += 3.0 * width * width;
        work += width * wide;
    }
    if (jump > 0.0) work *= 2.0; /* both directions */
    return work;
}

/* The finest step that is affordable; where all losses are multiples of the smallest one,
 * that is enough. 0: there is no lattice part. */
static double choose_step(const pvg_pld_part *parts, int64_t count) {
    double least = INFINITY;
    bool whole = true;
    for (int64_t i = 0; i < count; i++)
        if (on_lattice(&parts[i])) least = fmin(least, size_of(&parts[i]));
    if (!isfinite(least)) return 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!on_lattice(&parts[i])) continue;
        const double ratio = size_of(&parts[i]) / least;
        whole = whole && !laws[parts[i].kind].spread &&
                fabs(ratio - round(ratio)) <= 0x1p-44 * ratio;
    }
    /* whole shares of it, so that what has that size stays where it is */
    double share = whole ? 1.0 : FINEST;
    while (share > 1.0 && work_at(parts, count, least / share) > work_max)
        share = floor(0.8 * share);
    double step = least / share;
    while (isfinite(step) && work_at(parts, count, step) > work_max) step *= 1.25;
    return step;
}

/* --- lists ---------------------------------------------------------------------- */

/* power := power * part^times, by squares. */
static int32_t raise(lattice *power, lattice *part, int64_t times, pvgi_run *run) {
    for (int64_t left = times;; left >>= 1) {
        if (left & 1) PVGI_TRY(convolve(power, part, run));
        if (left <= 1) return PVG_OK;
        PVGI_TRY(convolve(part, part, run));
    }
}

/* What a list loses. */
typedef struct {
    lattice lattice;        /* losses are multiples of step, and `extra` more */
    double step, extra, mu; /* Gaussian parts together */
    double sum;             /* losses added up; may be infinite */
} composed;

static int32_t compose(composed *all, const pvg_pld *loss, bool added, pvgi_run *run) {
    const frame on = {choose_step(loss->parts, loss->count), added, run};
    lattice part = {0};
    double rest = 0x1p-1000; /* what exp lost below the normal numbers */
    int32_t status = PVG_OK;
    *all = (composed){.step = on.step};
    PVGI_TRY_DONE(reserve(&all->lattice, 0, 0, run));
    all->lattice.mass[0] = 1.0;
    for (int64_t i = 0; i < loss->count; i++) {
        const pvg_pld_part *now = &loss->parts[i];
        const double times = (double)now->times;
        all->sum = laws[now->kind].bounded
                       ? pvgi_mechanism_up(all->sum + times * size_of(now), 8)
                       : INFINITY;
        if (is_fine(now)) {
            all->extra += surcharge * times;
            rest += rare * times;
        }
        if (!on_lattice(now)) {
            const double mu = now->mu > 0.0 ? now->mu : size_of(now);
            all->mu = pvgi_mechanism_up(hypot(all->mu, mu * sqrt(times)), 16);
            continue;
        }
        PVGI_TRY_DONE(laws[now->kind].lay(&part, now, &on));
        PVGI_TRY_DONE(raise(&all->lattice, &part, now->times, run));
        drop(&part);
    }
    all->lattice.infinite = pvgi_mechanism_up(all->lattice.infinite + rest, 4);
    all->lattice.error = pvgi_mechanism_up(all->lattice.error + expm1(all->extra) +
                                               all->lattice.error * expm1(all->extra),
                                           64);
done:
    drop(&part);
    if (status != PVG_OK) drop(&all->lattice);
    return status;
}

static double delta_at(const composed *all, double epsilon) {
    const lattice *a = &all->lattice;
    double sum = 0.0;
    if (epsilon >= all->sum) return 0.0;
    for (int64_t i = 0; i < a->count; i++) {
        const double l = (double)(a->low + i) * all->step + all->extra;
        const double x = epsilon - l - 0x1p-51 * (epsilon + fabs(l));
        if (all->mu > 0.0 || x < 0.0)
            sum += a->mass[i] * pvgi_mechanism_left_over(all->mu, x);
    }
    const double delta = sum * (1.0 + a->error + 0x1p-51 * (double)a->count);
    return fmin(1.0, pvgi_mechanism_up(delta + a->infinite, 4));
}

typedef struct {
    const composed *all;
    double delta, log_delta;
} question;

static double excess(const void *context, double epsilon) {
    const question *q = context;
    const double delta = delta_at(q->all, epsilon), gap = log(delta) - q->log_delta;
    return delta <= q->delta ? fmin(gap, 0.0) : fmax(gap, 0x1p-60);
}

static double epsilon_at(const composed *all, double delta) {
    const question q = {all, delta, log(delta)};
    if (!(delta > all->lattice.infinite)) return all->sum;
    if (excess(&q, 0.0) <= 0.0) return 0.0;
    double enough = 1.0;
    while (enough < all->sum && excess(&q, enough) > 0.0) enough *= 2.0;
    if (enough >= all->sum) enough = all->sum;
    return isfinite(enough) ? pvgi_mechanism_search(excess, &q, enough, 0.0) : INFINITY;
}

/* The worse of both directions; they differ where steps are sampled. The answer of
 * `value` for what is composed. */
static int32_t worse(double *out, const pvg_pld *loss, double at, pvgi_run *run,
                     double (*value)(const composed *all, double at)) {
    bool directed = false;
    for (int64_t i = 0; i < loss->count; i++)
        directed = directed || is_sampled(&loss->parts[i]);
    double most = 0.0;
    for (int added = 0; added <= (directed ? 1 : 0); added++) {
        composed all;
        PVGI_TRY(compose(&all, loss, added == 1, run));
        most = fmax(most, value(&all, at));
        drop(&all.lattice);
    }
    *out = most;
    return PVG_OK;
}

int32_t pvgi_mechanism_loss_delta(double *out, const pvg_pld *loss, double epsilon,
                                  pvgi_run *run) {
    return worse(out, loss, epsilon, run, delta_at);
}

int32_t pvgi_mechanism_loss_epsilon(double *out, const pvg_pld *loss, double delta,
                                    pvgi_run *run) {
    return worse(out, loss, delta, run, epsilon_at);
}

/* --- what a mechanism adds to a list -------------------------------------------- */

static void tell_laplace(pvg_pld_part *part, double steps, double scale) {
    /* integer noise tells a little more than real noise of the same scale: a test of the
     * one is a test of the other with epsilon + 2 ln cosh(1 / (2 scale)) */
    part->kind = PVG_PLD_LAPLACE;
    part->epsilon =
        pvgi_mechanism_up(part->epsilon + steps / scale + 0.25 / scale / scale, 16);
}

/* Whether every noise is so fine that it is Gaussian but for `surcharge`, however many
 * there are. A wide range makes the grid coarse (grid.c). */
static bool all_fine(const pvg_mechanism *m) {
    if (m->is_joint) return m->joint.numerator / m->joint.denominator >= finest;
    if (m->turn != 0 || m->loadings) return false;
    for (int64_t i = 0; i < m->dimension; i++)
        if (m->coordinate[i].steps > 0 && m->coordinate[i].scale < finest) return false;
    return true;
}

int32_t pvgi_mechanism_loss_part(pvg_pld_part *part, const char *function,
                                 const pvg_mechanism *m) {
    const bool plain = m->turn == 0 && !m->loadings;
    const pvg_curve_term *spent = m->is_joint ? &m->joint.spent : &m->spent;
    *part = (pvg_pld_part){.size = sizeof *part, .times = 1};
    if (spent->kind == PVG_CURVE_GDP) {
        part->kind = PVG_PLD_GDP;
        part->mu = spent->mu;
    } else if (m->target.noise == PVG_NOISE_DISCRETE_GAUSSIAN && all_fine(m)) {
        /* then the change as a share of the scales is all there is to it */
        part->kind = PVG_PLD_DISCRETE_GAUSSIAN;
        part->scale = 0x1p43;
        part->shift = (int64_t)ceil(sqrt(2.0 * spent->rho) * (0x1p43 + 1.0));
    } else if (m->target.noise == PVG_NOISE_LAPLACE && m->is_joint &&
               ldexp(m->joint.steps, m->joint.shift) <= 0x1p16) {
        part->kind = PVG_PLD_DISCRETE_LAPLACE;
        part->shift = (int64_t)ceil(ldexp(m->joint.steps, m->joint.shift));
        part->scale = pvgi_mechanism_down(
            (double)m->joint.numerator / (double)m->joint.denominator, 4);
    } else if (m->target.noise == PVG_NOISE_LAPLACE && m->is_joint) {
        tell_laplace(part, ldexp(m->joint.steps, m->joint.shift),
                     (double)m->joint.numerator / (double)m->joint.denominator);
    } else if (m->target.noise == PVG_NOISE_LAPLACE && plain) {
        for (int64_t i = 0; i < m->dimension; i++)
            if (m->coordinate[i].steps > 0)
                tell_laplace(part, (double)m->coordinate[i].steps,
                             (double)m->coordinate[i].scale);
    } else if (spent->kind == PVG_CURVE_PURE) {
        part->kind = PVG_PLD_PURE;
        part->epsilon = spent->epsilon;
    } else
        return pvgi_fail(PVG_E_ARGUMENT,
                         "%s: of this mechanism only Renyi divergences are known",
                         function);
    return pvgi_mechanism_loss_check(function, part);
}
