/* The one file that knows a BLAS. As built:
 *   lazy    the system's LAPACKE and CBLAS, opened by the first product or eigenvalue
 *           problem large enough to gain by it; our own kernels where there is none, and
 *           in programs that are static as a whole
 *   linked  linked like any library
 *   none    our own kernels only
 * Lazily, a process that needs no BLAS never loads one, and no thread of its pool starts
 * before main. BLAS works on one thread, the caller's: an OpenBLAS is told so around our
 * calls, and what the host had set is put back when the last of them is done. */
#include "blas.h"

#include "base_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef PVGI_BLAS_KIND
#define PVGI_BLAS_KIND PVGI_BLAS_LAZY
#endif
#define PVGI_BLAS_NONE   0
#define PVGI_BLAS_LAZY   1
#define PVGI_BLAS_LINKED 2

#if PVGI_BLAS_KIND == PVGI_BLAS_NONE

const char *pvgi_blas_name(void) {
    return "none";
}

void pvgi_blas_multiply(double *out, const double *a, bool a_flipped, const double *b,
                        bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                        bool add) {
    pvgi_blas_own_multiply(out, a, a_flipped, b, b_flipped, rows, inner, columns, add);
}

void pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner) {
    pvgi_blas_own_multiply(out, a, false, a, true, rows, inner, rows, false);
}

bool pvgi_blas_eigen(double *matrix, double *values, int64_t order, double *work,
                     int32_t *integers) {
    (void)integers;
    return pvgi_blas_own_eigen(matrix, values, order, work);
}

const char *pvgi_blas_found(void) {
    return "none";
}

#else

/* Below these our own kernels are as fast, or nothing that is worth loading a library. */
static const int64_t products_least = INT64_C(1) << 21, eigen_least = 32;

/* CBLAS and LAPACKE, as their headers declare them; a system that has the libraries need
 * not have the headers. */
enum { ROW_MAJOR = 101, COLUMN_MAJOR = 102, PLAIN = 111, FLIPPED = 112, LOWER = 122 };
typedef void gemm(int, int, int, int, int, int, double, const double *, int,
                  const double *, int, double, double *, int);
typedef void syrk(int, int, int, int, int, double, const double *, int, double, double *,
                  int);
typedef int32_t syevd(int, char, char, int32_t, double *, int32_t, double *, double *,
                      int32_t, int32_t *, int32_t);

static struct {
    gemm *multiply;
    syrk *square;
    syevd *eigen;         /* NULL where there is a CBLAS without LAPACKE */
    int (*threads)(void); /* of OpenBLAS, or NULL */
    void (*set_threads)(int);
    char *(*config)(void);
    char found[192];
    atomic_bool looked;
} blas;
static pthread_once_t blas_once = PTHREAD_ONCE_INIT;

/* What was found, for whoever asks later. */
static void tell(const char *name) {
    const char *config = blas.config ? blas.config() : NULL;
    snprintf(blas.found, sizeof blas.found, "%s%s%s%s", name, config ? ": " : "",
             config ? config : "", blas.multiply && !blas.eigen ? ", no LAPACKE" : "");
    atomic_store(&blas.looked, true);
}

#if PVGI_BLAS_KIND == PVGI_BLAS_LINKED

const char *pvgi_blas_name(void) {
    return "linked";
}

extern gemm cblas_dgemm;
extern syrk cblas_dsyrk;
extern syevd LAPACKE_dsyevd_work;
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern char *openblas_get_config(void) __attribute__((weak));

static void find_blas(void) {
    blas.multiply = cblas_dgemm;
    blas.square = cblas_dsyrk;
    blas.eigen = LAPACKE_dsyevd_work;
    blas.threads = openblas_get_num_threads;
    blas.set_threads = openblas_set_num_threads;
    blas.config = openblas_get_config;
    tell("linked");
}

#else

#include <dlfcn.h>
#include <link.h>
#include <string.h>

const char *pvgi_blas_name(void) {
    return "lazy";
}

/* Whether the program, which comes first, names a loader. */
static int has_loader(struct dl_phdr_info *program, size_t size, void *answer) {
    (void)size;
    for (int i = 0; i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_INTERP) *(bool *)answer = true;
    return 1;
}

/* A function pointer from dlsym, which returns the other kind. */
static void look_up(void *pointer, void *library, const char *name) {
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
}

/* Debian's LAPACKE brings the CBLAS that was chosen on this machine; elsewhere OpenBLAS
 * has both, or products only. */
static void find_blas(void) {
    static const char *const names[] = {"liblapacke.so.3", "libopenblas.so.0",
                                        "libcblas.so.3", "libblas.so.3"};
    const char *found = "none";
    sigset_t all, old;
    bool loader = false;
    /* In a program that is linked statically as a whole, what dlopen brings has a second
     * C library below it that nobody set up: OpenBLAS crashes there. */
    dl_iterate_phdr(has_loader, &loader);
    /* threads that start now take no signals of the host */
    sigfillset(&all);
    if (loader && pthread_sigmask(SIG_SETMASK, &all, &old) == 0) {
        for (size_t i = 0; i < sizeof names / sizeof names[0] && !blas.multiply; i++) {
            void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
            if (!library) continue;
            look_up(&blas.multiply, library, "cblas_dgemm");
            look_up(&blas.square, library, "cblas_dsyrk");
            if (!blas.multiply || !blas.square) {
                blas.multiply = NULL;
                dlclose(library);
                continue;
            }
            look_up(&blas.eigen, library, "LAPACKE_dsyevd_work");
            look_up(&blas.threads, library, "openblas_get_num_threads");
            look_up(&blas.set_threads, library, "openblas_set_num_threads");
            look_up(&blas.config, library, "openblas_get_config");
            found = names[i]; /* it stays open: its threads may run */
        }
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    tell(found);
}

#endif

/* --- one thread ------------------------------------------------------------------- */

static pthread_mutex_t blas_lock = PTHREAD_MUTEX_INITIALIZER;
static int blas_callers, blas_threads_of_host;

static void enter(void) {
    if (!blas.threads || !blas.set_threads) return;
    pthread_mutex_lock(&blas_lock);
    if (blas_callers++ == 0) {
        blas_threads_of_host = blas.threads();
        if (blas_threads_of_host != 1) blas.set_threads(1);
    }
    pthread_mutex_unlock(&blas_lock);
}

static void leave(void) {
    if (!blas.threads || !blas.set_threads) return;
    pthread_mutex_lock(&blas_lock);
    if (--blas_callers == 0 && blas_threads_of_host != 1)
        blas.set_threads(blas_threads_of_host);
    pthread_mutex_unlock(&blas_lock);
}

/* --- calls ------------------------------------------------------------------------ */

static bool is_there(void) {
    return pthread_once(&blas_once, find_blas) == 0 && blas.multiply;
}

/* Whether a product of this size is one for BLAS. */
static bool is_large(int64_t rows, int64_t inner, int64_t columns) {
    return (double)rows * (double)inner * (double)columns >= (double)products_least &&
           rows <= INT32_MAX && inner <= INT32_MAX && columns <= INT32_MAX && is_there();
}

void pvgi_blas_multiply(double *out, const double *a, bool a_flipped, const double *b,
                        bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                        bool add) {
    if (rows < 1 || columns < 1) return;
    if (!is_large(rows, inner, columns)) {
        pvgi_blas_own_multiply(out, a, a_flipped, b, b_flipped, rows, inner, columns,
                               add);
        return;
    }
    const int m = (int)rows, n = (int)columns, k = (int)inner;
    enter();
    blas.multiply(ROW_MAJOR, a_flipped ? FLIPPED : PLAIN, b_flipped ? FLIPPED : PLAIN, m,
                  n, k, 1.0, a, a_flipped ? m : k, b, b_flipped ? k : n, add ? 1.0 : 0.0,
                  out, n);
    leave();
}

/* Copies what is below the diagonal above it, a square of a few cache lines at a time. */
static void mirror(double *matrix, int64_t order) {
    enum { SIDE = 16 };
    for (int64_t i = 0; i < order; i += SIDE)
        for (int64_t j = 0; j <= i; j += SIDE)
            for (int64_t r = i; r < order && r < i + SIDE; r++)
                for (int64_t c = j; c < r && c < j + SIDE; c++)
                    matrix[c * order + r] = matrix[r * order + c];
}

void pvgi_blas_square(double *out, const double *a, int64_t rows, int64_t inner) {
    if (rows < 1) return;
    if (!is_large(rows, inner, rows)) {
        pvgi_blas_own_multiply(out, a, false, a, true, rows, inner, rows, false);
        return;
    }
    const int n = (int)rows, k = (int)inner;
    enter();
    blas.square(ROW_MAJOR, LOWER, PLAIN, n, k, 1.0, a, k, 0.0, out, n);
    leave();
    mirror(out, rows);
}

bool pvgi_blas_eigen(double *matrix, double *values, int64_t order, double *work,
                     int32_t *integers) {
    if (order < eigen_least || order > 32000 || !is_there() || !blas.eigen)
        return pvgi_blas_own_eigen(matrix, values, order, work);
    const int n = (int)order;
    enter();
    /* by columns, which are rows here: nothing is copied */
    const int32_t info =
        blas.eigen(COLUMN_MAJOR, 'V', 'L', n, matrix, n, values, work,
                   (int)pvgi_blas_work(order), integers, (int)pvgi_blas_integers(order));
    leave();
    return info == 0;
}

const char *pvgi_blas_found(void) {
#if PVGI_BLAS_KIND == PVGI_BLAS_LINKED
    (void)is_there(); /* it is in the process already */
#endif
    return atomic_load(&blas.looked) ? blas.found : "not needed so far";
}

#endif
