/* base/blas: products against plain sums in every arrangement and odd size, eigenvalues
 * against residuals, both solvers; calls from several threads. */
#include "support.h"

#include "base/blas.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static uint64_t state = 1;
static double number(void) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) * 0x1p-52 - 1.0;
}

static double *numbers(int64_t count) {
    double *x = malloc((size_t)(count ? count : 1) * sizeof *x);
    for (int64_t i = 0; i < count; i++) x[i] = number();
    return x;
}

typedef void multiply(double *, const double *, bool, const double *, bool, int64_t,
                      int64_t, int64_t, bool);

static void check_product(multiply *multiplies, int64_t rows, int64_t inner,
                          int64_t columns, int how) {
    const bool fa = how & 1, fb = how & 2, add = how & 4;
    double *a = numbers(rows * inner), *b = numbers(inner * columns);
    double *out = numbers(rows * columns + 1),
           *old = malloc((size_t)(rows * columns + 1) * 8);
    memcpy(old, out, (size_t)(rows * columns + 1) * 8);
    multiplies(out, a, fa, b, fb, rows, inner, columns, add);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = add ? old[i * columns + j] : 0, size = fabs(sum);
            for (int64_t k = 0; k < inner; k++) {
                const double x = fa ? a[k * rows + i] : a[i * inner + k];
                const double y = fb ? b[j * inner + k] : b[k * columns + j];
                sum += x * y;
                size += fabs(x * y);
            }
            const double off = fabs(out[i * columns + j] - sum);
            PVGT_CHECK(off <= 2 * (double)(inner + 2) * 0x1p-53 * size,
                       "%lld x %lld x %lld, %d: off by %g", (long long)rows,
                       (long long)inner, (long long)columns, how, off);
        }
    TEST_ASSERT_EQUAL_DOUBLE(old[rows * columns], out[rows * columns]);
    free(a), free(b), free(out), free(old);
}

static void products_are_sums(void) {
    static const int64_t sizes[] = {0, 1, 2, 5, 6, 7, 8, 9, 31, 97, 129, 260};
    const size_t count = sizeof sizes / sizeof sizes[0];
    for (int how = 0; how < 8; how++) {
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j += 2)
                check_product(pvgi_blas_own_multiply, sizes[i], sizes[(i + j) % count],
                              sizes[(i * 5 + j) % count], how);
        check_product(pvgi_blas_multiply, 257, 259, 261, how); /* large: by BLAS */
        check_product(pvgi_blas_multiply, 3, 5, 7, how);
    }
}

/* A A^T as a product of any kind, so that it is checked like one. */
static void square(double *out, const double *a, bool fa, const double *b, bool fb,
                   int64_t rows, int64_t inner, int64_t columns, bool add) {
    (void)fa, (void)fb, (void)add;
    (void)columns;
    double *copy = (double *)(uintptr_t)b; /* b is the caller's own: made equal to a */
    memcpy(copy, a, (size_t)(rows * inner) * sizeof *a);
    pvgi_blas_square(out, a, rows, inner);
}

static void squares_are_symmetric(void) {
    static const int64_t sizes[] = {0, 1, 2, 15, 16, 17, 33, 130, 257};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_product(square, sizes[i], sizes[i] + 3, sizes[i], 2);
        double *a = numbers(sizes[i] * 250), *out = numbers(sizes[i] * sizes[i]);
        pvgi_blas_square(out, a, sizes[i], 250);
        for (int64_t r = 0; r < sizes[i]; r++)
            for (int64_t c = 0; c < r; c++)
                TEST_ASSERT_TRUE(fabs(out[r * sizes[i] + c] - out[c * sizes[i] + r]) <=
                                 600 * 0x1p-53 * 250);
        free(a), free(out);
    }
}

typedef bool solver(double *, double *, int64_t, double *, int32_t *);
static bool own(double *m, double *v, int64_t n, double *work, int32_t *integers) {
    (void)integers;
    return pvgi_blas_own_eigen(m, v, n, work);
}

/* kind 0: random; 1: a path, whose values are known; 2: zero; 3: all ones. */
static void check_eigen(solver *solve, int64_t n, int kind) {
    double *a = numbers(n * n), *x = malloc((size_t)(n * n) * 8), *value = numbers(n);
    double *work = malloc(pvgi_blas_work(n) * 8), most = 1;
    int32_t *integers = malloc(pvgi_blas_integers(n) * sizeof *integers);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = kind == 0   ? a[i * n + j]
                                          : kind == 1 ? (i == j + 1 ? 1 : 0)
                                          : kind == 2 ? 0
                                                      : 1;
    memcpy(x, a, (size_t)(n * n) * 8);
    TEST_ASSERT_TRUE(solve(x, value, n, work, integers));
    for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(value[i]));
    for (int64_t i = 0; i < n; i++) {
        if (i > 0) TEST_ASSERT_TRUE(value[i - 1] <= value[i]);
        if (kind == 1) {
            const double known = -2 * cos(M_PI * (double)(i + 1) / (double)(n + 1));
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, known, value[i]);
        }
        for (int64_t u = 0; u < n; u++) {
            double sum = -value[i] * x[i * n + u], product = i == u ? -1 : 0;
            for (int64_t k = 0; k < n; k++) {
                sum += a[u * n + k] * x[i * n + k];
                product += x[i * n + k] * x[u * n + k];
            }
            TEST_ASSERT_DOUBLE_WITHIN(1e-14 * (double)(n + 8) * most, 0, sum);
            TEST_ASSERT_DOUBLE_WITHIN(1e-14 * (double)(n + 8), 0, product);
        }
    }
    free(a), free(x), free(value), free(work), free(integers);
}

static void eigenvalues_have_small_residuals(void) {
    static const int64_t orders[] = {1, 2, 3, 4, 17, 40, 96};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int kind = 0; kind < 4; kind++) {
            check_eigen(own, orders[i], kind);
            check_eigen(pvgi_blas_eigen, orders[i], kind);
        }
}

static void *many(void *context) {
    (void)context;
    double *a = calloc(260 * 260, 8), *out = malloc(260 * 260 * 8);
    for (int i = 0; i < 260; i++) a[i * 261] = i;
    bool good = true;
    for (int turn = 0; turn < 5; turn++) {
        pvgi_blas_multiply(out, a, false, a, true, 260, 260, 260, false);
        for (int i = 0; i < 260; i++) good = good && out[i * 261] == (double)i * i;
    }
    free(a), free(out);
    return good ? context : NULL;
}

static void threads_may_call_at_once(void) {
    pthread_t thread[4];
    void *answer;
    int here;
    for (int i = 0; i < 4; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread[i], NULL, many, &here));
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], &answer);
        TEST_ASSERT_EQUAL_PTR(&here, answer);
    }
}

/* First what is known before anything was looked for, which is all where it is linked;
 * then, by a product that is large enough, what there is. */
static void what_was_found_is_told(void) {
    const bool none = strcmp(pvgi_blas_name(), "none") == 0;
    const bool linked = strcmp(pvgi_blas_name(), "linked") == 0;
    const char *early = none ? "none" : linked ? "linked" : "not needed so far";
    TEST_ASSERT_EQUAL_INT(0, strncmp(pvgi_blas_found(), early, strlen(early)));
    check_product(pvgi_blas_multiply, 3, 5, 7, 0);
    TEST_ASSERT_EQUAL_INT(0, strncmp(pvgi_blas_found(), early, strlen(early)));
    check_product(pvgi_blas_multiply, 130, 130, 130, 0);
    const char *found = pvgi_blas_found();
    if (linked)
        TEST_ASSERT_EQUAL_INT(0, strncmp(found, early, strlen(early)));
    else
        TEST_ASSERT_TRUE(strcmp(found, "none") == 0 || (!none && strstr(found, ".so.")));
    UnityPrint(found);
    UNITY_PRINT_EOL();
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(what_was_found_is_told); /* first: nothing was looked for yet */
    RUN_TEST(products_are_sums);
    RUN_TEST(squares_are_symmetric);
    RUN_TEST(eigenvalues_have_small_residuals);
    RUN_TEST(threads_may_call_at_once);
    return UNITY_END();
}
