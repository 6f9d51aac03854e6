/* mechanism: privacy curves and calibrated noise. Include <privgraph.h>.
 *
 * Everything in this module is computed from public numbers: sensitivities, ranges,
 * weights and a budget. It never sees a graph. Every result is rounded to the sound side:
 * an epsilon or delta is never below the true one, a noise scale never below the needed
 * one. docs/guarantees.md has the proofs. */
#ifndef PRIVGRAPH_MECHANISM_H
#define PRIVGRAPH_MECHANISM_H

#include "base.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- curves --------------------------------------------------------------------- */

/* What is known about the privacy of something released: a composition of one or more
 * terms. It tells an epsilon for every delta. Immutable. */
typedef struct pvg_curve pvg_curve;

/* What a term states. "Order" is the order alpha of a Renyi divergence. */
enum pvg_curve_kind {
    PVG_CURVE_PURE = 1,        /* epsilon-DP */
    PVG_CURVE_APPROXIMATE = 2, /* (epsilon, delta)-DP */
    PVG_CURVE_ZCDP = 3,        /* rho alpha at every order > 1 */
    PVG_CURVE_TCDP = 4,        /* rho alpha at orders in (1, omega] */
    /* Gaussian noise whose variances follow beta-smooth sensitivities of `dimension`
     * coordinates; rho = 1/2 sum (sensitivity / scale)^2 */
    PVG_CURVE_SMOOTH = 5,
    PVG_CURVE_GDP = 6,      /* as hard to tell as N(0, 1) from N(mu, 1) */
    PVG_CURVE_INFINITE = 7, /* no guarantee: epsilon is infinite at every delta < 1 */
    /* `steps` Gaussian steps, each of noise 1/mu per unit of L2 sensitivity, which every
     * record joins independently with probability `rate` (as in DP-SGD); neighbours have
     * one record more or less */
    PVG_CURVE_SAMPLED = 8
};

/* One term. Fields its kind does not name must be zero; the others are finite and > 0. */
typedef struct pvg_curve_term {
    uint32_t size;                /* sizeof(pvg_curve_term) */
    PVG_ENUM(CURVE) int32_t kind; /* PVG_CURVE_* */
    double epsilon;               /* PURE: of all steps together. APPROXIMATE */
    double delta;                 /* APPROXIMATE: < 1 */
    double rho;        /* ZCDP, TCDP, SMOOTH. PURE: a zCDP bound that is known as well, as
                          after composition; 0: epsilon^2 / 2 */
    double omega;      /* TCDP: > 1 */
    double mu;         /* GDP; SAMPLED: of one step without sampling, 1 / sigma */
    double beta;       /* SMOOTH */
    int64_t dimension; /* SMOOTH */
    double rate;       /* SAMPLED: at most 1 */
    int64_t steps;     /* SAMPLED. PURE: of how many equal terms it is the composition;
                          0: of one, or, if rho is known, of unequal ones */
} pvg_curve_term;

/* New curve of one term. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_new(pvg_curve **out, const pvg_curve_term *term);

/* What holds for two things released about the same private object. Terms of one kind are
 * added natively (SMOOTH: if beta is the same, SAMPLED: if rate and mu are): epsilon,
 * delta and rho add, omega is the smaller one, mu^2 adds, steps add (PURE: if all of them
 * are equal up to 2^-40, else they become 0); others stand side by side. PVG_E_NUMERIC if
 * a sum is not finite. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_compose(pvg_curve **out, const pvg_curve *first,
                                        const pvg_curve *second);

/* The curve composed with itself, times in all; times >= 1. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_repeat(pvg_curve **out, const pvg_curve *curve,
                                       int64_t times);

/* What holds for `size` such changes at once, size >= 1: epsilon and mu times size, rho
 * times its square, delta as the steps add up. PVG_CURVE_INFINITE for TCDP, SMOOTH and
 * SAMPLED terms, of which nothing is proven here. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_group(pvg_curve **out, const pvg_curve *curve,
                                      int64_t size);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_curve_free(pvg_curve *curve);

/* Terms of the curve; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_curve_count(const pvg_curve *curve);

/* Copies term number `index` into *out, whose size field the caller sets. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_copy_term(pvg_curve_term *out, const pvg_curve *curve,
                                          int64_t index);

/* An epsilon such that (epsilon, delta)-DP holds, as small as the library can prove:
 * exact for APPROXIMATE alone, for equal PURE terms, GDP, and both together; for the
 * others the best Renyi order within the orders allowed; for several kinds the best of
 * Renyi and basic composition. Lists that were fixed beforehand: pvg_curve_pld,
 * pvg_pld_new.
 * delta in [0, 1). *out is infinite where nothing holds (for instance GDP with delta =
 * 0). At most 20 microseconds for one term, a millisecond for SAMPLED; n equal PURE terms
 * O(sqrt n). Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_epsilon(double *out, const pvg_curve *curve,
                                        double delta);

/* A delta such that (epsilon, delta)-DP holds; epsilon >= 0 and finite. At most 1. Never
 * 0 where the true one is positive, though it may be far below 1e-300. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_delta(double *out, const pvg_curve *curve,
                                      double epsilon);

/* An upper bound of the Renyi divergence of order alpha > 1; infinite where none is
 * known. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_renyi(double *out, const pvg_curve *curve, double alpha);

/* epsilon by the conversion published with the homomorphism-density paper (its Lemma
 * A.2), for comparison; valid, never smaller than pvg_curve_epsilon by more than
 * rounding. ZCDP and TCDP as stated; SMOOTH through its (2 rho + 4 d beta^2, 1/(4
 * beta))-tCDP; GDP as mu^2/2-zCDP. Other kinds: PVG_E_ARGUMENT. delta in (0, 1). Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_curve_epsilon_published(double *out, const pvg_curve_term *term,
                                                  double delta);

/* --- lists that are fixed beforehand -------------------------------------------- */

/* What the parts of a list lose together, composed exactly on a lattice: sizes may
 * differ, and noise of a known law loses less than a worst case of the same epsilon. The
 * list, with all its numbers, must have been chosen before anything of it was released;
 * what is released may be chosen in view of what was before. Immutable. */
typedef struct pvg_pld pvg_pld;

enum pvg_pld_kind {
    PVG_PLD_PURE = 1,        /* whatever is epsilon-DP */
    PVG_PLD_APPROXIMATE = 2, /* whatever is (epsilon, delta)-DP */
    PVG_PLD_GDP = 3,         /* whatever is mu-GDP: Gaussian noise */
    PVG_PLD_LAPLACE = 4,     /* real Laplace noise; epsilon: L1 change / scale */
    /* integer noise, P(x) in proportion to e^(-|x| / scale), and a vector that changes by
     * `shift` in L1 */
    PVG_PLD_DISCRETE_LAPLACE = 5,
    /* integer noise, P(x) in proportion to e^(-x^2 / (2 scale^2)), and a number that
     * changes by `shift`; from a scale of 2^20 on also vectors of up to 2^24 coordinates
     * of scales above 2^36 each, whose change is shift / scale of them in L2 */
    PVG_PLD_DISCRETE_GAUSSIAN = 6,
    /* one step of PVG_CURVE_SAMPLED: Gaussian noise of 1/mu per unit of L2 sensitivity on
     * a sum that every record joins with probability `rate`; neighbours have one record
     * more or less, the same one in all parts of the list */
    PVG_PLD_SAMPLED = 7
};

/* Fields that its kind does not name must be 0. */
typedef struct pvg_pld_part {
    uint32_t size;              /* sizeof(pvg_pld_part) */
    PVG_ENUM(PLD) int32_t kind; /* PVG_PLD_* */
    double epsilon;             /* PURE, APPROXIMATE, LAPLACE: in (0, 1e6] */
    double delta;               /* APPROXIMATE: in (0, 1) */
    double mu;                  /* GDP: in (0, 1e6]; SAMPLED: in (0, 20] */
    double scale;               /* DISCRETE_*: in (0, 2^52] */
    int64_t shift;              /* DISCRETE_*: >= 1; LAPLACE: at most 2^20 */
    int64_t times;              /* how often, in [1, 2^40] */
    double rate;                /* SAMPLED: in (0, 1] */
} pvg_pld_part;

enum { PVG_PLD_PARTS_MAX = 65536 };

/* New list of one part. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pld_new(pvg_pld **out, const pvg_pld_part *part);

/* New list of what a curve states, which holds if that was fixed beforehand: PURE (each
 * of its steps), APPROXIMATE, GDP and SAMPLED terms. Tighter than pvg_curve_epsilon for
 * SAMPLED terms and for terms of several kinds. PVG_E_ARGUMENT if only Renyi divergences
 * of a term are known. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_pld(pvg_pld **out, const pvg_curve *curve);

/* New list of both, at most PVG_PLD_PARTS_MAX parts; equal ones become one that comes
 * several times. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pld_compose(pvg_pld **out, const pvg_pld *first,
                                      const pvg_pld *second);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_pld_free(pvg_pld *pld);

/* Different parts of the list; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_pld_count(const pvg_pld *pld);

/* An epsilon such that the whole list is (epsilon, delta)-DP, from above; delta in [0,
 * 1). Infinite where nothing holds. Takes as fine a lattice as about 2 * 10^9
 * multiplications allow (a second at most); a coarser one costs tightness only. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_pld_epsilon(double *out, const pvg_pld *pld, double delta,
                                      PVG_OPT const pvg_run *run);

/* A delta, from above; epsilon >= 0 and finite. Not below 1e-27 where the sum of all
 * losses is larger than epsilon. Since 0.1. */
PRIVGRAPH_API int32_t pvg_pld_delta(double *out, const pvg_pld *pld, double epsilon,
                                    PVG_OPT const pvg_run *run);

/* --- from a budget to a parameter ----------------------------------------------- */

/* The largest parameter of a kind that meets (epsilon, delta), from below: epsilon of
 * PURE, rho of ZCDP, TCDP, SMOOTH, mu of GDP, SAMPLED. term gives the kind and the other
 * fields (omega; beta and dimension; rate and steps; steps of PURE); the wanted one is 0.
 * PVG_E_PRIVACY if no positive value meets the budget, as for TCDP with a small omega.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_solve(double *out, const pvg_curve_term *term,
                                      double epsilon, double delta);

/* The same with the published conversion (see pvg_curve_epsilon_published); ZCDP, TCDP,
 * SMOOTH and GDP. Since 0.1. */
PRIVGRAPH_API int32_t pvg_curve_solve_published(double *out, const pvg_curve_term *term,
                                                double epsilon, double delta);

/* The smallest standard deviation of Gaussian noise per unit of L2 sensitivity that meets
 * (epsilon, delta), from above. Exact accounting, so real or rounded Gaussian noise only,
 * not the discrete Gaussian. Since 0.1. */
PRIVGRAPH_API int32_t pvg_gaussian_sigma(double *out, double epsilon, double delta);

/* mu of the last state of a noisy iteration x <- map(x) + noise of which only the last
 * state is released: layers maps with Lipschitz constant gamma; the private change moves
 * the output of layer j by at most shifts[j], and layer j adds Gaussian noise with
 * standard deviation scales[j]. Both runs start in the same state. The least mu that can
 * be proven by shifting differences to later layers; with gamma >= 1 and equal layers
 * every layer counts in full. Since 0.1. */
PRIVGRAPH_API int32_t pvg_contractive_mu(double *out, double gamma,
                                         PVG_LEN(layers) const double *shifts,
                                         PVG_LEN(layers) const double *scales,
                                         int64_t layers);

/* The same with a Lipschitz constant for each layer, which may be infinite; gammas[0]
 * does not matter. Since 0.1. */
PRIVGRAPH_API int32_t pvg_contractive_mu_layers(double *out,
                                                PVG_LEN(layers) const double *gammas,
                                                PVG_LEN(layers) const double *shifts,
                                                PVG_LEN(layers) const double *scales,
                                                int64_t layers);

/* How far the private change moves the last state of the iteration if no noise is added
 * on the way: sum over j of shifts[j] gammas[j + 1] ... gammas[layers - 1]. For one noise
 * draw at the end. PVG_E_NUMERIC if it is not finite. Since 0.1. */
PRIVGRAPH_API int32_t pvg_contractive_shift(double *out,
                                            PVG_LEN(layers) const double *gammas,
                                            PVG_LEN(layers) const double *shifts,
                                            int64_t layers);

/* --- mechanisms ----------------------------------------------------------------- */

/* Noise for a vector of numbers, calibrated to a budget. Values are rounded to a public
 * power-of-two grid, one per coordinate, which is charged to the sensitivity, and exact
 * integer noise is added in grid steps. Immutable. */
typedef struct pvg_mechanism pvg_mechanism;

enum pvg_noise {
    PVG_NOISE_DEFAULT = 0,  /* GAUSSIAN */
    PVG_NOISE_GAUSSIAN = 1, /* rounded real Gaussian, exact (GDP) accounting */
    PVG_NOISE_LAPLACE = 2,  /* discrete Laplace, pure epsilon; L1 over the coordinates */
    PVG_NOISE_DISCRETE_GAUSSIAN = 3, /* zCDP accounting */
    /* rounded Gaussian that follows the smooth sensitivity of the private object: exact
     * Renyi form; the published tCDP form, for comparison */
    PVG_NOISE_SMOOTH = 4,
    PVG_NOISE_SMOOTH_PUBLISHED = 5,
    /* discrete staircase, pure epsilon: less variance than LAPLACE for epsilon above 1 or
     * so for a coordinate. Its scale is sensitivity / epsilon of the coordinate */
    PVG_NOISE_STAIRCASE = 6
};

/* The word for a law in options and bindings ("laplace"); NULL if there is none, so that
 * laws can be listed: numbers from 1 up have one. Since 0.1. */
PRIVGRAPH_API const char *pvg_noise_name(int32_t noise);
/* PVG_CURVE_*: what the law spends (PURE: delta is 0; SMOOTH: its scale is private); 0 if
 * there is none. Since 0.1. */
PRIVGRAPH_API PVG_ENUM(CURVE) int32_t pvg_noise_curve(int32_t noise);
/* Standard deviation of noise of that scale for that sensitivity, which matters for
 * STAIRCASE alone; NaN if there is no such law. Since 0.1. */
PRIVGRAPH_API double pvg_noise_deviation(int32_t noise, double scale, double sensitivity);

/* How noise is shared among coordinates, at the same privacy. */
enum pvg_allocation {
    PVG_ALLOCATION_OPTIMAL = 0,     /* least sum of weight * variance */
    PVG_ALLOCATION_ISOTROPIC = 1,   /* one scale for all, as published */
    PVG_ALLOCATION_PROPORTIONAL = 2 /* scale proportional to sensitivity */
};

/* The word for an allocation in options, bindings and records ("optimal"); NULL if there
 * is none, so that they can be listed: numbers from 0 up have one. Since 0.1. */
PRIVGRAPH_API const char *pvg_allocation_name(PVG_ENUM(ALLOCATION) int32_t allocation);

/* The budget: epsilon with delta, or parameter alone. */
typedef struct pvg_target {
    uint32_t size;                 /* sizeof(pvg_target) */
    PVG_ENUM(NOISE) int32_t noise; /* PVG_NOISE_* */
    PVG_ENUM(ALLOCATION) int32_t allocation;
    /* 1: accept a seeded generator; nothing is private then */
    PVG_BOOL int32_t allow_seeded;
    double epsilon; /* > 0 */
    double delta;   /* in (0, 1); 0 for pure laws */
    /* Native parameter instead of epsilon and delta, which are then 0: mu of GAUSSIAN,
     * epsilon of pure laws, rho of DISCRETE_GAUSSIAN and the smooth ones. */
    double parameter;
    double beta; /* smooth ones: > 0; 0 otherwise */
} pvg_target;

enum { PVG_MECHANISM_DIMENSION_MAX = 16777216 };

/* New mechanism for `dimension` coordinates. All inputs are public.
 *
 * sensitivities[i] >= 0: how far one private change moves coordinate i at most (already
 * including the error of floating-point evaluation). Smooth: a bound of the smooth
 * sensitivity over all private objects, such as the global sensitivity.
 * low[i] <= high[i]: public range of the coordinate (NULL: 0 and 1); values outside are
 * clamped to it. A coordinate that no private change moves has sensitivity 0, must have
 * low = high, and is always released as that constant, without noise.
 * weights[i] > 0: how much the squared error of coordinate i matters, for OPTIMAL (NULL:
 * 1); must be NULL otherwise.
 *
 * PVG_E_ARGUMENT names what is malformed; PVG_E_PRIVACY if no noise meets the budget;
 * PVG_E_LIMIT if range and noise are too far apart for 62 bits. Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_new(pvg_mechanism **out, const pvg_target *target,
                                        PVG_LEN(dimension) const double *sensitivities,
                                        PVG_OPT PVG_LEN(dimension) const double *low,
                                        PVG_OPT PVG_LEN(dimension) const double *high,
                                        PVG_OPT PVG_LEN(dimension) const double *weights,
                                        int64_t dimension);

/* A vector whose private change is bounded as a whole: a histogram in which one change
 * moves one cell by one has l1 = l2 = 1, whatever the number of cells. */
typedef struct pvg_joint_config {
    uint32_t size; /* sizeof(pvg_joint_config) */
    int32_t reserved;
    int64_t dimension; /* in [1, PVG_MECHANISM_DIMENSION_MAX] */
    double l1, l2; /* sum of |change|, root of the sum of squares, at most; 0: not known.
                    * LAPLACE takes min(l1, sqrt(dimension) l2), the others min(l1, l2) */
    double low, high; /* public range of every coordinate; values outside are clamped. Not
                       * needed (both 0) with a grid: then nothing is clamped */
    double grid; /* a power of two that all values are multiples of, such as 1 for counts:
                  * noise comes in such steps, and nothing is charged for rounding. 0: any
                  * values, rounded to a fine grid that is charged for */
} pvg_joint_config;

/* New mechanism for such a vector: one noise law for all coordinates, so that
 * target->allocation must be 0; the smooth laws have no joint form (PVG_E_ARGUMENT).
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_new_joint(pvg_mechanism **out,
                                              const pvg_target *target,
                                              const pvg_joint_config *config);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_mechanism_free(pvg_mechanism *mechanism);

/* Number of coordinates, 0 for NULL; PVG_NOISE_*, 0 for NULL; 1 if seeded generators are
 * accepted. Since 0.1. */
PRIVGRAPH_API int64_t pvg_mechanism_dimension(const pvg_mechanism *mechanism);
PRIVGRAPH_API PVG_ENUM(NOISE) int32_t pvg_mechanism_noise(const pvg_mechanism *mechanism);
PRIVGRAPH_API PVG_BOOL int32_t
pvg_mechanism_allows_seeded(const pvg_mechanism *mechanism);

/* New curve with what the mechanism really spends, recomputed from the integers it uses;
 * never more than the target. Holds for the ideal noise law; docs/guarantees.md bounds
 * what separates the samplers from it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_curve(pvg_curve **out,
                                          const pvg_mechanism *mechanism);

/* pvg_curve_epsilon of that curve. Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_epsilon(double *out, const pvg_mechanism *mechanism,
                                            double delta);

/* New list of one part, the mechanism's: its law, where that tells less than its curve.
 * PVG_E_ARGUMENT for the smooth ones, of which only Renyi divergences are known. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_pld(pvg_pld **out, const pvg_mechanism *mechanism);

/* Grid step of each coordinate (`dimension` entries): a power of two. Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_copy_grid(PVG_LEN(dimension) double *out,
                                              const pvg_mechanism *mechanism);

/* Noise scale of each coordinate: standard deviation, or scale b of Laplace (whose
 * standard deviation is b sqrt(2)), as for pvg_noise_deviation; 0 for constants.
 * PVG_E_PRIVACY for the smooth ones, whose scale is itself private. Since 0.1. */
PRIVGRAPH_API int32_t pvg_mechanism_copy_scale(PVG_LEN(dimension) double *out,
                                               const pvg_mechanism *mechanism);

/* Id of the claim in docs/guarantees.md, such as "mechanism.gaussian"; NULL for NULL.
 * Since 0.1. */
PRIVGRAPH_API const char *pvg_mechanism_claim(const pvg_mechanism *mechanism);

/* --- choosing beta -------------------------------------------------------------- */

/* A smooth sensitivity at a public reference (such as a reference degree), as a function
 * of beta: writes a positive finite number to *out and returns PVG_OK, or a failure. */
typedef int32_t (*pvg_smooth_reference)(void *context, double beta, double *out);

/* Chooses beta for a smooth mechanism: least noise S_beta / sqrt(2 rho(beta)) at the
 * reference, where rho(beta) is the largest that meets the target (its beta is not
 * looked at). noise, if not NULL, receives that least value, to be compared with the
 * constant sensitivity times pvg_gaussian_sigma. The reference must be public: choosing
 * by the private object would leak. Since 0.1. */
PRIVGRAPH_API int32_t pvg_smooth_choose(double *beta, double *rho, PVG_OPT double *noise,
                                        const pvg_target *target, int64_t dimension,
                                        pvg_smooth_reference reference, void *context);

#ifdef __cplusplus
}
#endif

#endif
