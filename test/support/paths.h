/* Every path of a randomised program, with its exact chance.
 *
 * The samplers of rng are replaced (-Wl,--wrap) by choices: a run follows one sequence of
 * choices, and runs are repeated until all sequences were followed. The chance of a path
 * is the product of the chances that the integers given to the samplers stand for, in
 * numbers of 512 bits. So what is summed up is the law of the very code that draws, with
 * the integers it draws with. Samplers have tests of their own.
 *
 * Noise has no last value. Values from `low` down, and from `high` up, are followed as
 * one path each, with the chance of them all: whoever calls says where clamping makes
 * them alike. */
#ifndef PVGT_PATHS_H
#define PVGT_PATHS_H

#include <gmp.h>
#include <stdint.h>

enum { PVGT_BITS = 512 };

/* Outcomes with their chances. */
typedef struct {
    uint64_t code;
    mpf_t chance;
} pvgt_outcome;
typedef struct {
    pvgt_outcome *outcome;
    int count, room;
    long paths;
} pvgt_law;

/* What is wrong with the samplers, to see that it is noticed. */
typedef enum {
    PVGT_HONEST,
    PVGT_HALF_NOISE, /* half the scale of every integer noise */
    PVGT_THRESHOLDS, /* lies have the chance they should have at twice the epsilon */
} pvgt_mutant;

typedef struct {
    int64_t low, high;
} pvgt_window;

/* The law of run(context): its code is the outcome. window: of the i-th noise value that
 * is drawn in a run. */
typedef uint64_t (*pvgt_program)(void *context);
typedef pvgt_window (*pvgt_window_of)(void *context, int64_t i);
void pvgt_law_of(pvgt_law *out, pvgt_program run, pvgt_window_of window, void *context);
/* From now on; also for what is made outside of runs. */
void pvgt_mutate(pvgt_mutant mutant);
void pvgt_law_free(pvgt_law *law);
/* 1 but for rounding; the largest difference of two laws. */
double pvgt_law_total(const pvgt_law *law);
double pvgt_law_distance(const pvgt_law *a, const pvgt_law *b);
/* A program that begins anew has, given that it ends, the law of one attempt: the draw of
 * noise value number `limit` (0: none) ends a run with the code PVGT_RESTART. Nothing may
 * be allocated then. */
#define PVGT_RESTART UINT64_MAX
void pvgt_restart_at(int64_t limit);
/* Whether a > e^epsilon b, decided with all bits. */
int pvgt_chance_above(const mpf_t a, const mpf_t b, double epsilon);
/* ln of the largest ratio a / b over outcomes; infinite if b lacks one. *above: whether
 * it is above e^epsilon, decided with all bits. */
double pvgt_law_ratio(const pvgt_law *a, const pvgt_law *b, double epsilon, int *above);

#endif
