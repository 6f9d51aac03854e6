/* Other libraries on the same products: scipy.sparse through a pipe, GraphBLAS in this
 * process if it was found when bench was built with -Dpeers=true. */
#include "peers.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two numbers that a script prints, or false. */
static bool ask(double *first, double *second, const char *script, const char *words) {
    char command[8192];
    snprintf(command, sizeof command, "/usr/bin/python3 '%s' %s 2>/dev/null", script,
             words);
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    const bool read = fscanf(pipe, "%lf %lf", first, second) == 2;
    return pclose(pipe) == 0 && read;
}

double peer_scipy(double *sum, const char *file, int64_t d) {
    char words[4096];
    double seconds;
    snprintf(words, sizeof words, "'%s' %lld %g", file, (long long)d,
             bench_quick() ? 0.1 : 0.5);
    return ask(&seconds, sum, PVGB_PEERS_PY, words) ? seconds : NAN;
}

bool peer_torch(double seconds[2], const char *file, int64_t hidden) {
    char words[4096];
    snprintf(words, sizeof words, "'%s' %lld %g", file, (long long)hidden,
             bench_quick() ? 0.3 : 3.0);
    return ask(&seconds[0], &seconds[1], PVGB_TORCH_PY, words);
}

double peer_torch_twin(void) {
    double seconds, loss;
    return ask(&seconds, &loss, PVGB_TWIN_PY, bench_quick() ? "0.5" : "3") ? seconds
                                                                           : NAN;
}

#ifdef PVGB_GRAPHBLAS
#include "peers_blas.h"

void peer_blas_ok(GrB_Info info) {
    if (info == GrB_SUCCESS) return;
    fprintf(stderr, "bench: GraphBLAS says %d\n", (int)info);
    exit(1);
}

void peer_blas_begin(uint32_t threads) {
    static bool begun;
    if (!begun) peer_blas_ok(GrB_init(GrB_NONBLOCKING));
    begun = true;
    peer_blas_ok(GxB_Global_Option_set(GxB_NTHREADS, (int)threads));
}

typedef struct {
    GrB_Matrix a, x, c;
} operands;

/* C += A X with C full: the kernel GraphBLAS is fastest with here. */
static void accumulate(void *context) {
    operands *o = context;
    peer_blas_ok(GrB_mxm(o->c, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, o->a,
                         o->x, NULL));
    peer_blas_ok(GrB_Matrix_wait(o->c, GrB_MATERIALIZE));
}

/* C = A X. */
static void multiply(void *context) {
    operands *o = context;
    peer_blas_ok(
        GrB_mxm(o->c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->a, o->x, NULL));
    peer_blas_ok(GrB_Matrix_wait(o->c, GrB_MATERIALIZE));
}

static GrB_Matrix full_matrix(int64_t rows, int64_t columns, const double *values) {
    GrB_Matrix m;
    const size_t bytes = (size_t)(rows * columns) * sizeof(double);
    void *copy = malloc(bytes); /* GraphBLAS takes it over */
    if (!copy) exit(1);
    if (values)
        memcpy(copy, values, bytes);
    else
        memset(copy, 0, bytes);
    peer_blas_ok(GxB_Matrix_import_FullR(&m, GrB_FP64, (GrB_Index)rows,
                                         (GrB_Index)columns, &copy, (GrB_Index)bytes,
                                         false, NULL));
    return m;
}

static GrB_Matrix sparse_matrix(const spmm_matrix *s) {
    GrB_Matrix m;
    const GrB_Index n = (GrB_Index)s->order, entries = (GrB_Index)s->entries;
    GrB_Index *offsets = malloc((n + 1) * sizeof *offsets);
    GrB_Index *columns = malloc(entries * sizeof *columns);
    if (!offsets || !columns) exit(1);
    for (GrB_Index i = 0; i <= n; i++) offsets[i] = (GrB_Index)s->offsets[i];
    for (GrB_Index i = 0; i < entries; i++) columns[i] = (GrB_Index)s->columns[i];
    peer_blas_ok(GrB_Matrix_import_FP64(&m, GrB_FP64, n, n, offsets, columns, s->values,
                                        n + 1, entries, entries, GrB_CSR_FORMAT));
    free(offsets);
    free(columns);
    return m;
}

double peer_graphblas(double *sum, const spmm_matrix *matrix, const double *x, int64_t d,
                      uint32_t threads) {
    peer_blas_begin(threads);
    operands o = {sparse_matrix(matrix), full_matrix(matrix->order, d, x), NULL};
    o.c = full_matrix(matrix->order, d, NULL);
    const double added = bench_time(accumulate, &o);
    GrB_Matrix_free(&o.c);
    peer_blas_ok(GrB_Matrix_new(&o.c, GrB_FP64, (GrB_Index)matrix->order, (GrB_Index)d));
    const double made = bench_time(multiply, &o);
    peer_blas_ok(GrB_Matrix_apply(o.c, NULL, NULL, GrB_ABS_FP64, o.c, NULL));
    peer_blas_ok(GrB_Matrix_reduce_FP64(sum, NULL, GrB_PLUS_MONOID_FP64, o.c, NULL));
    GrB_Matrix_free(&o.a);
    GrB_Matrix_free(&o.x);
    GrB_Matrix_free(&o.c);
    return fmin(added, made);
}
#else
double peer_graphblas(double *sum, const spmm_matrix *matrix, const double *x, int64_t d,
                      uint32_t threads) {
    (void)matrix;
    (void)x;
    (void)d;
    (void)threads;
    *sum = NAN;
    return NAN;
}
#endif
