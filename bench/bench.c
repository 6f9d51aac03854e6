/* ./dev bench: runs the benches of all modules, prints a table, writes --json. */
#include "bench.h"

#include <malloc.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { REPEATS_MAX = 1000, BODIES_MAX = 8, LARGE_BYTES = 16 << 20 };
enum { LEAST = 3, PATIENCE = 10 /* seconds */ };
#define CACHED 0.1 /* seconds: what runs longer leaves nothing of itself in a cache */

static bench_case *cases;
static int case_count, case_capacity;
static bool quick, smoke, peers;
static const char *prefix = "";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double run_once(const bench_body *body) {
    const double begin = now();
    body->run(body->context);
    return now() - begin;
}

void bench_times(double *medians, const bench_body *bodies, int count) {
    double seconds[BODIES_MAX][REPEATS_MAX], first[BODIES_MAX];
    const int least = quick ? 3 : 5;
    const double budget = quick ? 0.1 : 0.5;
    int repeats = 0;
    /* warm up: page faults, dispatch */
    for (int i = 0; i < count; i++) first[i] = medians[i] = run_once(&bodies[i]);
    if (smoke) return;
    const double start = now();
    while (repeats < REPEATS_MAX &&
           (now() - start < budget * count ||
            (repeats < least && now() - start < PATIENCE) || repeats < LEAST)) {
        for (int i = 0; i < count; i++) {
            /* caches: what the body before this one left there is not its business */
            if (count > 1 && first[i] < CACHED) (void)run_once(&bodies[i]);
            seconds[i][repeats] = run_once(&bodies[i]);
        }
        repeats++;
    }
    for (int i = 0; i < count; i++) {
        qsort(seconds[i], (size_t)repeats, sizeof(double), compare_doubles);
        medians[i] = seconds[i][repeats / 2];
    }
}

double bench_time(void (*body)(void *context), void *context) {
    double median;
    bench_times(&median, &(bench_body){body, context}, 1);
    return median;
}

bool bench_quick(void) {
    return quick;
}

int64_t bench_size(int64_t full, int64_t small, int64_t least) {
    return smoke ? least : quick ? small : full;
}

double bench_budget(double seconds) {
    return smoke ? 0 : quick ? 0.15 * seconds : seconds;
}

bool bench_wanted(const char *name) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool bench_asks_within(const char *group) {
    return strncmp(group, prefix, strlen(group)) == 0;
}

bool bench_peers(void) {
    return peers;
}

void bench_ok(int32_t status) {
    if (status == PVG_OK) return;
    fprintf(stderr, "bench: %s: %s\n", pvg_status_name(status), pvg_error_message());
    exit(1);
}

uint64_t bench_checksum(const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < count; i++) hash = (hash ^ p[i]) * 0x100000001B3u;
    return hash;
}

/* --- memory of the library ------------------------------------------------------- */

static _Atomic size_t live_bytes, peak_bytes;

static void *counting_allocate(void *context, size_t bytes) {
    (void)context;
    void *block = malloc(bytes);
    if (!block) return NULL;
    if (bytes >= LARGE_BYTES) { /* as the library's own allocator does */
        const uintptr_t page = (uintptr_t)2 << 20;
        const uintptr_t start = ((uintptr_t)block + page - 1) & ~(page - 1);
        const uintptr_t end = ((uintptr_t)block + bytes) & ~(page - 1);
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
    }
    const size_t size = malloc_usable_size(block);
    const size_t now_live = atomic_fetch_add(&live_bytes, size) + size;
    size_t peak = atomic_load(&peak_bytes);
    while (now_live > peak &&
           !atomic_compare_exchange_weak(&peak_bytes, &peak, now_live)) {
    }
    return block;
}

static void counting_release(void *context, void *block) {
    (void)context;
    if (block) atomic_fetch_sub(&live_bytes, malloc_usable_size(block));
    free(block);
}

size_t bench_peak_begin(void) {
    const size_t begin = atomic_load(&live_bytes);
    atomic_store(&peak_bytes, begin);
    return begin;
}

size_t bench_peak_bytes(size_t begin) {
    return atomic_load(&peak_bytes) - begin;
}

/* Names and notes outlive the case they were made for: --json is written at the end. */
static const char *kept(const char *text) {
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) exit(1);
    return copy;
}

void bench_report(const bench_case *result) {
    if (case_count == case_capacity) {
        case_capacity = case_capacity ? 2 * case_capacity : 256;
        cases = realloc(cases, (size_t)case_capacity * sizeof *cases);
        if (!cases) exit(1);
    }
    bench_case *c = &cases[case_count++];
    *c = *result;
    c->name = kept(result->name);
    c->note = kept(result->note);
    if (c->threads == 0) c->threads = 1;
    printf("%-40s %2u thr %10.4g s %9.3g ns/%-8s", c->name, (unsigned)c->threads,
           c->seconds, 1e9 * c->seconds / c->items, c->item);
    if (c->roofline_seconds > 0)
        printf("  %6.2fx the time of %s", c->seconds / c->roofline_seconds, c->roofline);
    if (c->reference_seconds > 0)
        printf("  %7.2fx faster than %s", c->reference_seconds / c->seconds,
               c->reference);
    if (c->note) printf("  (%s)", c->note);
    printf("\n");
    fflush(stdout);
}

/* roofline_ratio: share of the limit's speed reached (1 = at the limit); reference_ratio:
 * how many times faster than the reference. */
static int write_json(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return 1;
    }
    fprintf(file, "[\n");
    for (int i = 0; i < case_count; i++) {
        const bench_case *c = &cases[i];
        fprintf(file,
                "  {\"name\": \"%s\", \"seconds\": %.6g, \"threads\": %u, "
                "\"pairs_per_second\": %.6g, \"item\": \"%s\", ",
                c->name, c->seconds, (unsigned)c->threads, c->items / c->seconds,
                c->item);
        if (c->roofline_seconds > 0 && isfinite(c->roofline_seconds))
            fprintf(file, "\"roofline_ratio\": %.4g, ", c->roofline_seconds / c->seconds);
        else
            fprintf(file, "\"roofline_ratio\": null, ");
        if (c->reference_seconds > 0 && isfinite(c->reference_seconds))
            fprintf(file, "\"reference_ratio\": %.4g, ",
                    c->reference_seconds / c->seconds);
        else
            fprintf(file, "\"reference_ratio\": null, ");
        fprintf(file, "\"note\": \"%s\", ", c->note ? c->note : "");
        fprintf(file, "\"checksum\": \"%016llx\"}%s\n", (unsigned long long)c->checksum,
                i + 1 < case_count ? "," : "");
    }
    fprintf(file, "]\n");
    return fclose(file) != 0;
}

static const struct {
    const char *name;
    void (*run)(void);
} modules[] = {
    {"attack", bench_attack},
    {"density", bench_density},
    {"graph", bench_graph},
    {"growth", bench_growth},
    {"io", bench_io},
    {"learn", bench_learn},
    {"load", bench_load},
    {"mechanism", bench_mechanism},
    {"noise", bench_noise},
    {"perturb", bench_perturb},
    {"release", bench_release},
    {"scale", bench_scale},
    {"shapes", bench_shapes},
    {"spmm", bench_spmm},
    {"statistic", bench_statistic},
    {"threads", bench_threads},
    {NULL, NULL},
};

static int usage(FILE *where, int result) {
    fprintf(
        where,
        "usage: ./dev bench [--quick | --smoke] [--peers] [--case PREFIX] [--json FILE] "
        "[MODULE...]\nmodules:");
    for (size_t i = 0; modules[i].name; i++) fprintf(where, " %s", modules[i].name);
    fprintf(where, "\n");
    return result;
}

int main(int count, char **arguments) {
    const char *json = NULL;
    bool wanted[sizeof modules / sizeof modules[0]] = {false}, any = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--quick") == 0) {
            quick = true;
            continue;
        }
        if (strcmp(arguments[i], "--smoke") == 0) {
            quick = smoke = true;
            continue;
        }
        if (strcmp(arguments[i], "--peers") == 0) {
            peers = true;
            continue;
        }
        if (strcmp(arguments[i], "--json") == 0 && i + 1 < count) {
            json = arguments[++i];
            continue;
        }
        if (strcmp(arguments[i], "--case") == 0 && i + 1 < count) {
            prefix = arguments[++i];
            continue;
        }
        if (strcmp(arguments[i], "--help") == 0) return usage(stdout, 0);
        bool known = false;
        for (size_t module = 0; modules[module].name; module++)
            if (strcmp(arguments[i], modules[module].name) == 0)
                wanted[module] = known = any = true;
        if (!known) return usage(stderr, 2);
    }
    bench_ok(pvg_allocator_set(&(pvg_allocator){.size = sizeof(pvg_allocator),
                                                .allocate = counting_allocate,
                                                .release = counting_release}));
    for (size_t module = 0; modules[module].name; module++)
        if (!any || wanted[module]) modules[module].run();
    return json ? write_json(json) : 0;
}
