/* mechanism, inside: curves and their conversions, calibration, applying noise.
 *
 * Rounding: libm's exp, expm1, log, log1p and sqrt are taken to err by less than 4 units
 * in the last place; every bound below has room for it. "up" and "down" in a comment say
 * to which side of the true value a result lies. */
#ifndef PVGI_MECHANISM_H
#define PVGI_MECHANISM_H

#include "base/base_internal.h"
#include "privgraph/mechanism.h"
#include "rng/rng_internal.h"

#include <math.h>

/* --- numbers (erfcx.c, search.c) ------------------------------------------------ */

/* Relative error of erfcx: 16 u is proven in erfcx.c's terms, test/unit measures. */
#define PVGI_ERFCX_ERROR 0x1p-49
double pvgi_mechanism_erfcx(double x);

/* x (1 + 2^-52 n) and x (1 - 2^-52 n) for x >= 0: outward by at least n half units. */
static inline double pvgi_mechanism_up(double x, double n) {
    return x * (1.0 + 0x1p-52 * n) + 0x1p-1074;
}
static inline double pvgi_mechanism_down(double x, double n) {
    const double y = x * (1.0 - 0x1p-52 * n) - 0x1p-1074;
    return y > 0.0 ? y : 0.0;
}

typedef double (*pvgi_function)(const void *context, double x);
/* f(good) <= 0 < f(bad): moves both ends together until they differ by 2^-51 of their
 * size (or 2^-60 of where they began) and returns the good end, never a midpoint. A
 * faulty (not monotone) f costs tightness, never soundness. */
double pvgi_mechanism_search(pvgi_function f, const void *context, double good,
                             double bad);
/* x = exp(s) with the least f(x) found, s in [low, high], f with a single valley. */
double pvgi_mechanism_minimise(pvgi_function f, const void *context, double low,
                               double high);

/* --- Gaussian (account_gdp.c) --------------------------------------------------- */

/* delta of a mu-GDP mechanism at epsilon >= 0, up, in (0, 1]. */
double pvgi_mechanism_gdp_delta(double mu, double epsilon);
/* Least epsilon at delta, up; infinite if delta is 0. */
double pvgi_mechanism_gdp_epsilon(double mu, double delta);
/* Largest mu, down; 0 if there is none. */
double pvgi_mechanism_gdp_mu(double epsilon, double delta);

/* --- terms and curves (kinds.c, account.c, account_renyi.c, contractive.c) ------- */

struct pvg_curve {
    PVGI_HANDLE;
    int64_t count;
    pvg_curve_term terms[];
};

/* The zCDP bound of a pure term, up. */
static inline double pvgi_mechanism_pure_rho(const pvg_curve_term *term) {
    return term->rho > 0.0 ? term->rho
                           : pvgi_mechanism_up(0.5 * term->epsilon * term->epsilon, 4);
}

/* How many equal terms a pure term is the sum of (account_equal.c); 0: unequal ones. And
 * how many two of them are together. */
int64_t pvgi_mechanism_pure_pieces(const pvg_curve_term *term);
int64_t pvgi_mechanism_pure_join(const pvg_curve_term *a, const pvg_curve_term *b);
/* Of a pure term and a Gaussian one (NULL: none): delta, up, 1 if nothing better than
 * adding up is known; the least epsilon, up, `enough` if that is not larger. */
double pvgi_mechanism_equal_delta(const pvg_curve_term *pure, const pvg_curve_term *gdp,
                                  double epsilon);
double pvgi_mechanism_equal_epsilon(const pvg_curve_term *pure, const pvg_curve_term *gdp,
                                    double delta, double enough);

/* delta at any epsilon x, also below 0, of Gaussian noise of mu (0: none), up; the caller
 * rounds x down. */
double pvgi_mechanism_left_over(double mu, double x);

/* --- lists that are fixed beforehand (loss.c, loss_sampled.c) ----------------------- */

struct pvg_pld {
    PVGI_HANDLE;
    int64_t count;
    pvg_pld_part parts[];
};
/* One more part, or one of the same more often; there is memory for it. */
void pvgi_mechanism_loss_add(pvg_pld *loss, const pvg_pld_part *part);
int32_t pvgi_mechanism_loss_check(const char *function, const pvg_pld_part *part);
/* Up. */
int32_t pvgi_mechanism_loss_delta(double *out, const pvg_pld *loss, double epsilon,
                                  pvgi_run *run);
int32_t pvgi_mechanism_loss_epsilon(double *out, const pvg_pld *loss, double delta,
                                    pvgi_run *run);
int32_t pvgi_mechanism_loss_part(pvg_pld_part *part, const char *function,
                                 const pvg_mechanism *m);
int32_t pvgi_mechanism_loss_term(pvg_pld_part *part, const char *function,
                                 const pvg_curve_term *term);
/* A sampled step (loss_sampled.c), rate < 1: the loss ln dP/dQ at an outcome; the lattice
 * points it takes, in multiples of step; their masses, which are added to mass[0], ...,
 * mass[high - low], from the lowest loss on. added: of the pair (Q, P), whose losses go
 * from -high to -low. Returns the mass of an infinite loss. Masses up. */
double pvgi_mechanism_sampled_loss(const pvg_pld_part *part, double x);
void pvgi_mechanism_sampled_range(const pvg_pld_part *part, double step, int64_t *low,
                                  int64_t *high);
double pvgi_mechanism_sampled_lay(double *mass, const pvg_pld_part *part, double step,
                                  bool added);

/* Which way a pure term enters a Renyi sum. */
typedef enum { PVGI_PURE_EXACT, PVGI_PURE_RHO, PVGI_PURE_LEFT_OUT } pvgi_pure_form;

/* Terms of a curve that enter a conversion by Renyi divergences. */
typedef struct {
    const pvg_curve_term *terms;
    int64_t count;
    pvgi_pure_form pure;
    bool leave_gdp_out;
} pvgi_renyi;

/* By what a composition counts terms of a kind. */
typedef enum {
    PVGI_COUNTED_INFINITE, /* nothing holds */
    PVGI_COUNTED_PURE,
    PVGI_COUNTED_APPROXIMATE,
    PVGI_COUNTED_GDP,
    PVGI_COUNTED_RENYI /* divergences alone are known */
} pvgi_counting;

/* A kind of curve: its row (kinds.c). Fields are bits. */
typedef struct {
    const char *word;  /* in records */
    uint32_t needs;    /* fields that are positive */
    uint32_t may;      /* fields that are positive or 0; the others are 0 */
    uint32_t apart;    /* fields in which terms must agree to be added up */
    int32_t parameter; /* the field that pvg_curve_solve finds */
    pvgi_counting counting;
    /* What is particular to it when terms are added or one is repeated n times; epsilon,
     * delta, rho, steps and dimension add by themselves. spread: says what 0 stands for.
     * NULL: nothing */
    void (*spread)(pvg_curve_term *term);
    void (*add)(pvg_curve_term *sum, const pvg_curve_term *a, const pvg_curve_term *b);
    void (*repeat)(pvg_curve_term *term, double n);
    /* For n changes at once; NULL: nothing is proven */
    void (*group)(pvg_curve_term *term, double n);
    /* Divergence of order 1 + t, up; NULL: infinite */
    double (*renyi)(const pvg_curve_term *term, double t, const pvgi_renyi *curve);
    /* Largest parameter, down; not positive if there is none */
    double (*solve)(const pvg_curve_term *term, double epsilon, double delta);
    /* As part of a list of losses; NULL: divergences alone are known */
    void (*loss)(pvg_pld_part *part, const pvg_curve_term *term);
} pvgi_curve_row;
/* NULL: there is no such kind. */
const pvgi_curve_row *pvgi_mechanism_curve(int32_t kind);
double pvgi_mechanism_pure_renyi(double epsilon, double t);
double pvgi_mechanism_smooth_renyi(const pvg_curve_term *term, double t,
                                   const pvgi_renyi *curve);
double pvgi_mechanism_pure_solve(const pvg_curve_term *term, double epsilon,
                                 double delta);

/* A SAMPLED term (account_sampled.c): divergence of order 1 + t, up; largest mu, down. */
double pvgi_mechanism_sampled_renyi(const pvg_curve_term *term, double t);
double pvgi_mechanism_sampled_mu(const pvg_curve_term *term, double epsilon,
                                 double delta);
/* Divergence of order 1 + t, up; infinite where none is known. */
double pvgi_mechanism_renyi(const pvgi_renyi *curve, double t);
/* Best epsilon / delta over the orders, up. */
double pvgi_mechanism_renyi_epsilon(const pvgi_renyi *curve, double delta);
double pvgi_mechanism_renyi_delta(const pvgi_renyi *curve, double epsilon);
/* Largest rho of a ZCDP, TCDP or SMOOTH term, down; not positive if there is none. */
double pvgi_mechanism_renyi_rho(const pvg_curve_term *term, double epsilon, double delta);

/* Checks a term the caller filled in; wanted: the parameter to be solved for must be 0.
 */
int32_t pvgi_mechanism_term_check(const char *function, const pvg_curve_term *term,
                                  bool wanted);
/* Adds a term to a list of `count`, natively if it can; there is memory for it. */
int32_t pvgi_mechanism_terms_add(pvg_curve_term *terms, int64_t *count,
                                 const pvg_curve_term *term);
/* For `size` changes at once; INFINITE where nothing is proven. */
int32_t pvgi_mechanism_term_group(pvg_curve_term *term, int64_t size);
int32_t pvgi_mechanism_term_repeat(pvg_curve_term *term, int64_t times);
/* epsilon at delta, delta at epsilon of a composition of terms, up. */
PVGI_SHARED double pvgi_mechanism_terms_epsilon(const pvg_curve_term *terms,
                                                int64_t count, double delta);
double pvgi_mechanism_terms_delta(const pvg_curve_term *terms, int64_t count,
                                  double epsilon);
/* Renyi divergence of order alpha, up. */
PVGI_SHARED double pvgi_mechanism_terms_renyi(const pvg_curve_term *terms, int64_t count,
                                              double alpha);
/* The parameter pvg_curve_solve finds: where it stands in a term. */
double *pvgi_mechanism_term_parameter(pvg_curve_term *term);
/* Largest parameter, down; 0 if there is none. */
PVGI_SHARED double pvgi_mechanism_solve(const pvg_curve_term *term, double epsilon,
                                        double delta);

/* Published forms (account_published.c); 0 if there is none. */
double pvgi_mechanism_published_epsilon(const pvg_curve_term *term, double delta);
double pvgi_mechanism_published_solve(const pvg_curve_term *term, double epsilon,
                                      double delta);
/* (2 rho + 4 d beta^2, 1/(4 beta))-tCDP of a SMOOTH term. */
pvg_curve_term pvgi_mechanism_published_term(const pvg_curve_term *term);

/* A noisy iteration: `layers` maps. */
typedef struct {
    double gamma;         /* Lipschitz constant of all maps if gammas is NULL */
    const double *gammas; /* or of each; may be infinite; the first never matters */
    const double *shifts, *scales;
    int64_t layers;
} pvgi_iteration;
/* Layers that absorb together: sums in units of the last one of them. */
typedef struct {
    double shift, variance, gain;
} pvgi_block;
/* mu of the last state, up; block: room for `layers`. */
double pvgi_mechanism_contractive_mu(const pvgi_iteration *iteration, pvgi_block *block);
/* Every layer in full: the root of the sum of (shift / scale)^2, up. */
double pvgi_mechanism_layers_in_full(const double *shifts, const double *scales,
                                     int64_t layers);
/* contractive_mu with scratch of its own. */
int32_t pvgi_mechanism_contractive(double *mu, const pvgi_iteration *iteration);
/* How far the last state moves if no noise is added on the way, up. */
double pvgi_mechanism_contractive_shift(const pvgi_iteration *iteration);

/* --- grids (grid.c has the proofs) ------------------------------------------------ */

enum { PVGI_SCALE_BITS = 43 };
/* k of the finest grid 2^k on which `scale` > 0 has 2^bits steps or more, and values up
 * to `most` fit. */
int32_t pvgi_mechanism_grid(double scale, double most, int bits);
/* x in grid steps to the nearest integer, half up; |x| < 2^62. */
static inline int64_t pvgi_mechanism_round(double x) {
    const double whole = floor(x);
    return (int64_t)whole + (x - whole >= 0.5);
}
/* x into [low, high]; NaN becomes low. */
static inline double pvgi_mechanism_clamp(double x, double low, double high) {
    x = x > low ? x : low;
    return x < high ? x : high;
}

/* --- laws (law.c, staircase.c) --------------------------------------------------- */

/* One noise law. */
typedef struct {
    const char *word;   /* in options and bindings */
    const char *name;   /* in sentences */
    const char *claim;  /* in docs/guarantees.md */
    int32_t curve;      /* PVG_CURVE_* that it spends */
    int norm;           /* changes add up as sum of (sensitivity / scale)^norm */
    pvgi_noise_law rng; /* unless draw is set */
    /* with a scale and a sensitivity in steps for each value */
    void (*draw)(int64_t *out, int64_t count, const int64_t *scales, const int64_t *steps,
                 pvgi_stream *stream);
    /* standard deviation, as a function of scale and sensitivity */
    double (*deviation)(double scale, double sensitivity);
    int64_t steps_max; /* of a sensitivity; 0: any */
    bool smooth;       /* the scale follows the private object */
    bool published;    /* accounting as published, for comparison */
    bool joint;        /* has a form for a change that is bounded as a whole */
} pvgi_law;
/* NULL if there is no such law; PVG_NOISE_DEFAULT is none. */
const pvgi_law *pvgi_mechanism_law(int32_t noise);
/* Bits 1 << PVG_NOISE_* of the laws with a public scale; of those with a joint form. */
uint32_t pvgi_mechanism_laws(bool joint);
/* Log-probability of noise z up to a constant. */
double pvgi_mechanism_staircase_log(int64_t z, int64_t scale, int64_t steps);
void pvgi_mechanism_staircase_draw(int64_t *out, int64_t count, const int64_t *scales,
                                   const int64_t *steps, pvgi_stream *stream);
double pvgi_mechanism_staircase_deviation(double scale, double sensitivity);

/* --- targets (target.c) --------------------------------------------------------- */

/* Own copy of a caller's target, everything checked but beta. */
PVGI_SHARED int32_t pvgi_mechanism_import_target(pvg_target *own, const char *function,
                                                 const pvg_target *target);
/* A target without allocation and beta whose noise is the default or one of the laws
 * (bits); what: "perturber". Budgets are left to the caller. */
int32_t pvgi_mechanism_read_plain(pvg_target *own, const char *function,
                                  const pvg_target *target, uint32_t laws,
                                  const char *what);
PVGI_SHARED int32_t pvgi_mechanism_check_beta(const char *function,
                                              const pvg_target *target);
/* `count` finite numbers, above (or, or_zero, not below) 0; NULL is fine. */
PVGI_SHARED int32_t pvgi_mechanism_check_array(const char *function, const char *name,
                                               const double *array, int64_t count,
                                               bool or_zero);
int32_t pvgi_mechanism_check_dimension(const char *function, int64_t dimension);

/* --- mechanisms (calibrate.c, allocate.c, apply.c, choose.c) -------------------- */

/* One coordinate. A constant has steps = 0 and noise scale 0. */
typedef struct {
    double low, high;
    double sensitivity; /* smooth: the public bound */
    double weight;
    int32_t grid;    /* the grid is 2^grid */
    int64_t steps;   /* ceil(sensitivity / grid), at least 1 */
    int64_t scale;   /* of the noise, in grid steps; smooth: the largest possible */
    double back;     /* how far it moves while others move forward; correlated.c */
    int64_t loading; /* grid steps for each step of the shared noise */
    int64_t half;    /* what the noise of its own must cover, in steps: steps without */
} pvgi_coordinate;

/* One law for all coordinates, for a change that is bounded as a whole (joint.c). */
typedef struct {
    int32_t noise; /* PVG_NOISE_LAPLACE, _GAUSSIAN, _DISCRETE_GAUSSIAN */
    int32_t grid;  /* values are rounded to, or are, multiples of 2^grid */
    int32_t shift; /* noise is drawn in steps of 2^(grid - shift) and rounded */
    double steps;  /* joint change in grid steps: L1 of Laplace, else L2 */
    int64_t numerator, denominator; /* scale of the noise as drawn, in its steps */
    double scale;                   /* the same in value units */
    pvg_curve_term spent;
} pvgi_joint;

struct pvg_mechanism {
    PVGI_HANDLE;
    const char *function; /* that makes it, for messages */
    pvg_target target;    /* as imported; noise filled in */
    int64_t dimension, noisy;
    bool is_joint; /* then there are no coordinates below, but: */
    double low, high;
    pvgi_joint joint;
    int64_t shares;          /* noises of scale `shared`; 1 for correlated.c */
    const int64_t *loadings; /* ellipsoid.c: dimension x shares, borrowed; else NULL */
    const int64_t *each;     /* product.c: scale of each of them instead, or NULL */
    int64_t turn,
        shared;   /* shared noise (correlated.c): its move and its scale, in its own
                           * steps; turn 0: there is none, shared 0: none is needed */
    double ratio; /* noise is made for: sum of (sensitivity / scale)^2 = ratio^2, or
                     Laplace: sum of sensitivity / scale = ratio */
    pvg_curve_term spent;
    pvgi_coordinate coordinate[];
};

/* NULL: there is none. */
const char *pvgi_mechanism_allocation_name(int32_t allocation);
/* Scales for sensitivities s_i > 0 and weights w_i with native parameter p, not rounded:
 * sum (s_i / scale_i)^norm = p^norm. Coordinates with s_i = 0 get 0. */
void pvgi_mechanism_allocate(double *scales, const double *sensitivities,
                             const double *weights, int64_t count, int32_t allocation,
                             int norm, double parameter);

/* The same with one noise that all coordinates share (correlated.c): scales of their own
 * noise into `scales`, and that of the shared one as a multiple of middle[i], returned.
 * half, middle: of the box of changes; allocation is the optimal one. */
double pvgi_mechanism_allocate_correlated(double *scales, const double *half,
                                          const double *middle, const double *weights,
                                          int64_t count, int norm, double parameter);
/* What that makes together: root of the sum of squares of both scales. half and middle
 * are scratch. */
void pvgi_mechanism_share_correlated(double *scales, double *half, double *middle,
                                     const double *sensitivities, const double *back,
                                     const double *weights, int64_t count, int norm,
                                     double parameter);
/* Whether it has less weighted variance than separate noise has. */
bool pvgi_mechanism_correlated_pays(const double *sensitivities, const double *back,
                                    const double *weights, int64_t count, int norm);
/* Steps by which the shared noise moves, a power of two. */
int64_t pvgi_mechanism_turn(double ratio);
/* Fills in loading and half; grid and steps are there. */
void pvgi_mechanism_correlated(pvgi_coordinate *coordinate, int64_t turn);
/* Grid steps that a step of shared noise number k is in coordinate i. */
static inline int64_t pvgi_mechanism_correlated_of(const pvg_mechanism *m, int64_t i,
                                                   int64_t k) {
    return m->loadings ? m->loadings[i * m->shares + k] : m->coordinate[i].loading;
}
/* Scale of shared noise number k, in its own steps. */
static inline int64_t pvgi_mechanism_shared_of(const pvg_mechanism *m, int64_t k) {
    return m->each ? m->each[k] : m->shared;
}
/* Scale of all noises of a coordinate together, in value units. */
double pvgi_mechanism_whole_scale(const pvg_mechanism *m, int64_t i);

/* --- noise after the shape of joint changes (ellipsoid.c) ------------------------- */

/* Integers in use: noise of its own for each coordinate, in steps of 2^grid, and
 * `dimension` shared ones of one scale. A change has length `reach` at most, in units of
 * the noise. */
typedef struct {
    int64_t dimension, shared;
    int32_t *grid;
    int64_t *scale, *loadings;
    double reach;
} pvgi_ellipsoid;
/* points: count x dimension; changes lie in their hull or its negative, those of
 * truncated graphs are k_1 - k_2 - k_3 with each k in the hull. Lessens the sum of
 * weight times variance; reach is at most ratio (1 - slack). *out = NULL if the points
 * are too uneven. */
int32_t pvgi_mechanism_ellipsoid(pvgi_ellipsoid **out, const double *points,
                                 int64_t count, int64_t dimension, const double *weights,
                                 bool truncated, double ratio, double slack,
                                 pvgi_run *run);
/* Bytes that takes, beside the points. */
size_t pvgi_mechanism_ellipsoid_bytes(int64_t count, int64_t dimension);
void pvgi_mechanism_ellipsoid_free(pvgi_ellipsoid *ellipsoid);
/* A mechanism that draws so, with all scales `stretch` >= 1 times as large; `ellipsoid`
 * outlives it. high[i]: public range from 0; off[i]: how far a computed value is off,
 * twice. *out = NULL if a range or this does not fit, or more than `ratio` would be
 * spent. */
int32_t pvgi_mechanism_from_ellipsoid(pvg_mechanism **out, const pvg_target *target,
                                      const pvgi_ellipsoid *ellipsoid, const double *high,
                                      const double *off, double ratio, double stretch);
/* Both side by side (product.c): coordinate i is the next one of `first` if at_first[i],
 * else of `second`. GDP or zCDP. */
int32_t pvgi_mechanism_product(pvg_mechanism **out, const pvg_mechanism *first,
                               const bool *at_first, const pvg_mechanism *second);

/* Smooth mode: a private sensitivity is raised by this many grid steps. One covers the
 * rounding of the value; 2^21 / (scale per unit of sensitivity) keeps every scale above
 * 2^21 grid steps, so that rounding it up to an integer changes it by less than 2^-21.
 * With the roundings on the way (2^-25) and of the sensitivity (2^-48), ln scale moves by
 * less than PVGI_SMOOTH_EXTRA, which is added to beta. */
#define PVGI_SMOOTH_EXTRA 0x1p-20
double pvgi_mechanism_smooth_floor(double parameter);
/* Factor that covers the roundings of an allocation over `noisy` coordinates. */
static inline double pvgi_mechanism_margin(int64_t noisy) {
    return 1.0 + 0x1p-52 * (double)(noisy + 64);
}
bool pvgi_mechanism_is_smooth(int32_t noise);
/* The term to be solved for: its kind, beta and dimension. */
pvg_curve_term pvgi_mechanism_target_term(const pvg_target *target, int64_t noisy);
/* Largest native parameter that meets the target, or the target's own; 0 if none. */
double pvgi_mechanism_target_parameter(const pvg_target *target,
                                       const pvg_curve_term *term);

/* pvg_mechanism_new in the name of another function, a literal; and after its checks.
 * back, if not NULL: noise that is shared (correlated.c). For any two neighbours the
 * change of every coordinate lies in [-back[i], sensitivities[i]], or of every one in the
 * negative of that; 0 <= back[i] <= sensitivities[i]. Optimal allocation, laws with a
 * joint form.
 */
int32_t pvgi_mechanism_new(pvg_mechanism **out, const char *function,
                           const pvg_target *target, const double *sensitivities,
                           const double *back, const double *low, const double *high,
                           const double *weights, int64_t dimension);
int32_t pvgi_mechanism_build(pvg_mechanism **out, const char *function,
                             const pvg_target *target, const double *sensitivities,
                             const double *back, const double *low, const double *high,
                             const double *weights, int64_t dimension);

/* Calibrates; config is checked, target imported and not smooth. */
int32_t pvgi_mechanism_joint(pvgi_joint *out, const char *function,
                             const pvg_joint_config *config, const pvg_target *target);
/* Noise in steps of 2^grid. */
void pvgi_mechanism_joint_noise(int64_t *out, int64_t count, const pvgi_joint *joint,
                                pvgi_stream *stream);
/* Its standard deviation, in value units. */
PVGI_SHARED double pvgi_mechanism_joint_deviation(const pvgi_joint *joint);
/* The same with the scale divided by `times`. */
double pvgi_mechanism_joint_deviation_at(const pvgi_joint *joint, double times);

/* What pvgi_mechanism_apply may do beyond adding noise. */
enum { PVGI_APPLY_SATURATE = 1 }; /* clamp the outcome to the public range */

/* Adds noise: out[i] = grid_i * (round(values[i] / grid_i) + noise). smooth: the private
 * beta-smooth sensitivities of the values in smooth mode, else NULL. Values outside the
 * public range, NaN included, are clamped to it. The noise of all coordinates is drawn
 * before values are read, except in smooth mode, where scales are. Everything but `out`
 * is wiped. check_rng comes first. out may be values. */
int32_t pvgi_mechanism_apply(double *out, const pvg_mechanism *mechanism,
                             const double *values, const double *smooth, uint32_t flags,
                             pvgi_stream *stream);

/* pvg_smooth_choose after its checks. */
int32_t pvgi_mechanism_choose(double *beta, double *rho, double *noise,
                              const pvg_target *target, int64_t dimension,
                              pvg_smooth_reference reference, void *context);

#endif
