/* The one file that knows a BLAS. As built:
 *   lazy    the system's LAPACK and BLAS, opened by the first product or eigenvalue
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

#else

/* Below these our own kernels are as fast, or nothing that is worth loading a library. */
static const int64_t products_least = INT64_C(1) << 21, eigen_least = 32;

/* Fortran: everything by address, lengths of texts behind. */
typedef void gemm(const char *, const char *, const int *, const int *, const int *,
                  const double *, const double *, const int *, const double *,
                  const int *, const double *, double *, const int *, size_t, size_t);
typedef void syrk(const char *, const char *, const int *, const int *, const double *,
                  const double *, const int *, const double *, double *, const int *,
                  size_t, size_t);
typedef void syevd(const char *, const char *, const int *, double *, const int *,
                   double *, double *, const int *, int *, const int *, int *, size_t,
                   size_t);

static struct {
    gemm *multiply;
    syrk *square;
    syevd *eigen;
    int (*threads)(void); /* of OpenBLAS, or NULL */
    void (*set_threads)(int);
} blas;
static pthread_once_t blas_once = PTHREAD_ONCE_INIT;

#if PVGI_BLAS_KIND == PVGI_BLAS_LINKED

const char *pvgi_blas_name(void) {
    return "linked";
}

extern gemm dgemm_;
extern syrk dsyrk_;
extern syevd dsyevd_;
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));

static void find_blas(void) {
    blas.multiply = dgemm_;
    blas.square = dsyrk_;
    blas.eigen = dsyevd_;
    blas.threads = openblas_get_num_threads;
    blas.set_threads = openblas_set_num_threads;
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

static void find_blas(void) {
    static const char *const names[] = {"liblapack.so.3", "libopenblas.so.0"};
    sigset_t all, old;
    bool loader = false;
    /* In a program that is linked statically as a whole, what dlopen brings has a second
     * C library below it that nobody set up: OpenBLAS crashes there. */
    dl_iterate_phdr(has_loader, &loader);
    if (!loader) return;
    /* threads that start now take no signals of the host */
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &old) != 0) return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
        if (!library) continue;
        look_up(&blas.multiply, library, "dgemm_");
        look_up(&blas.square, library, "dsyrk_");
        look_up(&blas.eigen, library, "dsyevd_");
        look_up(&blas.threads, library, "openblas_get_num_threads");
        look_up(&blas.set_threads, library, "openblas_set_num_threads");
        if (blas.multiply && blas.square && blas.eigen)
            break; /* it stays open: its threads may run */
        memset(&blas, 0, sizeof blas);
        dlclose(library);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
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
    /* Fortran sees the transposes: out^T = B^T A^T */
    const int m = (int)columns, n = (int)rows, k = (int)inner;
    const int lda = a_flipped ? n : k, ldb = b_flipped ? k : m;
    const double one = 1.0, beta = add ? 1.0 : 0.0;
    enter();
    blas.multiply(b_flipped ? "T" : "N", a_flipped ? "T" : "N", &m, &n, &k, &one, b, &ldb,
                  a, &lda, &beta, out, &m, 1, 1);
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
    const double one = 1.0, zero = 0.0;
    enter();
    blas.square("U", "T", &n, &k, &one, a, &k, &zero, out, &n, 1, 1); /* our lower half */
    leave();
    mirror(out, rows);
}

bool pvgi_blas_eigen(double *matrix, double *values, int64_t order, double *work,
                     int32_t *integers) {
    if (order < eigen_least || order > 32000 || !is_there())
        return pvgi_blas_own_eigen(matrix, values, order, work);
    const int n = (int)order, length = (int)pvgi_blas_work(order),
              count = (int)pvgi_blas_integers(order);
    int info = 1;
    enter();
    blas.eigen("V", "L", &n, matrix, &n, values, work, &length, integers, &count, &info,
               1, 1);
    leave();
    return info == 0;
}

#endif
