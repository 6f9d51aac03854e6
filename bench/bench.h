/* What all benches share. A bench measures a case as the median over repeats, next to a
 * roofline and a simple reference measured in the same run, because machines are shared
 * and only ratios travel. */
#ifndef PVGB_BENCH_H
#define PVGB_BENCH_H

#include <privgraph.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;         /* "noise.rounded_gaussian" */
    double seconds;           /* median of one run of the case */
    uint32_t threads;         /* 1 if 0 */
    double items;             /* work items per run: samples, edges, bytes, pairs */
    const char *item;         /* "sample" */
    double roofline_seconds;  /* what the named limit needs for the same work; 0: none */
    const char *roofline;     /* "ChaCha20 of the bytes consumed" */
    double reference_seconds; /* what the simple reference needs; 0: none */
    const char *reference;
    uint64_t checksum; /* of the result, so that a wrong fast answer is noticed */
    const char *note;  /* optional */
} bench_case;

/* Prints a line, and remembers the case for --json. */
void bench_report(const bench_case *result);
/* Median seconds of each body over repeats (at least 5, until about 0.5 s each; 3 and
 * 0.1 s with --quick; 3 if they take longer than anyone likes to wait). Bodies take
 * turns, so that what else the machine does falls on all of them: compare those only. */
typedef struct {
    void (*run)(void *context);
    void *context;
} bench_body;
void bench_times(double *medians, const bench_body *bodies, int count);
/* One body. */
double bench_time(void (*body)(void *context), void *context);
/* --quick was given: use smaller inputs. --smoke, for tests, is quick and measures each
 * body once, cold: that everything runs and every count is right, not how fast. */
bool bench_quick(void);
/* A size: full, with --quick, with --smoke. */
int64_t bench_size(int64_t full, int64_t small, int64_t least);
/* What a reference of unknown length may take: a part of it if quick, then 0: its least.
 */
double bench_budget(double seconds);
/* No --case was given, or the name begins with it. Modules whose cases take long ask. */
bool bench_wanted(const char *name);
/* --case names something that begins with this. */
bool bench_asks_within(const char *group);
/* --peers was given: run other libraries side by side. */
bool bench_peers(void);
/* Aborts the bench with the library's message if status is a failure. */
void bench_ok(int32_t status);
/* Order-dependent checksum of bytes (FNV-1a). */
uint64_t bench_checksum(const void *bytes, size_t count);

/* Most bytes the library held at once since `begin = bench_peak_begin()`, beyond those it
 * held then. */
size_t bench_peak_begin(void);
size_t bench_peak_bytes(size_t begin);

/* One function per module, in bench_<module>.c. */
void bench_attack(void);
void bench_density(void);
void bench_noise(void);
void bench_graph(void);
void bench_growth(void);
void bench_io(void);
void bench_learn(void);
void bench_load(void);
void bench_mechanism(void);
void bench_perturb(void);
void bench_release(void);
void bench_scale(void);
void bench_shapes(void);
void bench_spmm(void);
void bench_statistic(void);
void bench_threads(void);

#endif
