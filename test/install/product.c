/* A product of matrices large enough for a BLAS, by the function that chooses one; a
 * static library lets a program call it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { ORDER = 200 };

void pvgi_blas_multiply(double *out, const double *a, bool a_flipped, const double *b,
                        bool b_flipped, int64_t rows, int64_t inner, int64_t columns,
                        bool add);

static double a[ORDER * ORDER], out[ORDER * ORDER];

int main(void) {
    for (int i = 0; i < ORDER * ORDER; i++) a[i] = i % 7;
    pvgi_blas_multiply(out, a, false, a, false, ORDER, ORDER, ORDER, false);
    for (int i = 0; i < ORDER; i += 13)
        for (int j = 0; j < ORDER; j++) {
            double sum = 0;
            for (int k = 0; k < ORDER; k++) sum += a[i * ORDER + k] * a[k * ORDER + j];
            if (out[i * ORDER + j] != sum) return 1; /* integers: exact in any order */
        }
    puts("product ok");
    return 0;
}
