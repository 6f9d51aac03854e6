/* Vectors of LANES numbers, their exponential, and where the tape keeps things. Rows of
 * matrices are whole vectors; what is behind the last column is zero. */

typedef REAL NAME(vec)
    __attribute__((vector_size(PVGI_TAPE_VECTOR), may_alias, aligned(sizeof(REAL))));
typedef WHOLE NAME(ivec)
    __attribute__((vector_size(PVGI_TAPE_VECTOR), may_alias, aligned(sizeof(REAL))));
#define AT(pointer)    (*(const NAME(vec) *)(pointer))
#define PUT(pointer)   (*(NAME(vec) *)(pointer))
#define EACH_VECTOR(j) for (int64_t j = 0; j < stride; j += LANES)

INLINE NAME(vec) NAME(all)(REAL x) {
#if LANES == 8
    return (NAME(vec)){x, x, x, x, x, x, x, x};
#else
    return (NAME(vec)){x, x, x, x};
#endif
}

INLINE NAME(vec) NAME(choose)(NAME(ivec) yes, NAME(vec) a, NAME(vec) b) {
    return (NAME(vec))(((NAME(ivec))a & yes) | ((NAME(ivec))b & ~yes));
}

/* a > b ? a : b, lane by lane: b where one is NaN. */
INLINE NAME(vec) NAME(larger)(NAME(vec) a, NAME(vec) b) {
#ifdef VECTOR_MAX /* the instruction of the target that does this */
    return VECTOR_MAX(a, b);
#else
    return NAME(choose)(a > b, a, b);
#endif
}

/* Lane i is lane lane[i] of x. */
INLINE NAME(vec) NAME(pick)(NAME(vec) x, NAME(ivec) lane) {
#if defined(__clang__) /* has no shuffle by a variable */
    NAME(vec) picked = x;
    for (int i = 0; i < LANES; i++) picked[i] = x[lane[i]];
    return picked;
#else
    return __builtin_shuffle(x, lane);
#endif
}

/* e^x - 1 + one: x = n ln 2 + r, |r| <= ln 2 / 2, Taylor of e^r - 1. Within 2 units in
 * the last place for one = 1, for one = 0 near 0 too. Below EXP_LOW it is that of
 * EXP_LOW, practically one - 1; NaN stays NaN. */
INLINE NAME(vec) NAME(exponential)(NAME(vec) x, const REAL one, const bool below) {
    static const REAL taylor[] = {1 / (REAL)6227020800,
                                  1 / (REAL)479001600,
                                  1 / (REAL)39916800,
                                  1 / (REAL)3628800,
                                  1 / (REAL)362880,
                                  1 / (REAL)40320,
                                  1 / (REAL)5040,
                                  1 / (REAL)720,
                                  1 / (REAL)120,
                                  1 / (REAL)24,
                                  1 / (REAL)6,
                                  1 / (REAL)2,
                                  1};
    if (!below) x = NAME(choose)(x > (REAL)EXP_HIGH, NAME(all)((REAL)EXP_HIGH), x);
    x = NAME(larger)(NAME(all)((REAL)EXP_LOW), x);
    /* adding and taking off a number whose last digit is 1 rounds to an integer */
    const NAME(vec) moved = x * (REAL)1.4426950408889634074 + (REAL)EXP_ROUND;
    const NAME(vec) n = moved - (REAL)EXP_ROUND;
    const NAME(vec) r = (x - n * (REAL)EXP_LN2_HIGH) - n * (REAL)EXP_LN2_LOW;
    NAME(vec) y = NAME(all)(taylor[13 - EXP_TERMS]);
#pragma GCC unroll 13
    for (int i = 14 - EXP_TERMS; i < 13; i++) y = y * r + taylor[i];
    const NAME(ivec) digits = (NAME(ivec))moved - (NAME(ivec))NAME(all)((REAL)EXP_ROUND);
    const NAME(vec) scale = (NAME(vec))((digits + EXP_BIAS) << EXP_SHIFT);
    return scale * (y * r) + (scale - (1 - one));
}
INLINE NAME(vec) NAME(exp)(NAME(vec) x) {
    return NAME(exponential)(x, 1, false);
}
/* Of x <= 0. */
INLINE NAME(vec) NAME(exp_below)(NAME(vec) x) {
    return NAME(exponential)(x, 1, true);
}
INLINE NAME(vec) NAME(expm1)(NAME(vec) x) {
    return NAME(exponential)(x, 0, false);
}

/* Sum of the lanes, as a tree. */
INLINE REAL NAME(across)(NAME(vec) a) {
#if LANES == 8
    a += __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3);
    a += __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5);
    a += __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6);
#else
    a += __builtin_shufflevector(a, a, 2, 3, 0, 1);
    a += __builtin_shufflevector(a, a, 1, 0, 3, 2);
#endif
    return a[0];
}

/* to (+)= factor g. */
INLINE void NAME(axpy)(REAL *to, const REAL *g, REAL factor, int64_t stride, bool add) {
    if (add)
        EACH_VECTOR(j) PUT(to + j) = AT(to + j) + AT(g + j) * factor;
    else
        EACH_VECTOR(j) PUT(to + j) = AT(g + j) * factor;
}

INLINE double NAME(dot)(const REAL *a, const REAL *b, int64_t columns) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++) sum += (double)a[j] * (double)b[j];
    return sum;
}

/* *to (+)= x */
INLINE void NAME(put)(REAL *to, REAL x, bool add) {
    *to = add ? *to + x : x;
}

INLINE void NAME(clear)(REAL *row, int64_t columns) {
    memset(row, 0, (size_t)columns * sizeof *row);
}

/* --- where things are ------------------------------------------------------------- */

INLINE REAL *NAME(value)(const pvgi_tape *t, int32_t tensor, int64_t row) {
    return (REAL *)t->value[tensor] + row * t->stride[tensor];
}
INLINE REAL *NAME(grad)(const pvgi_tape *t, int32_t tensor, int64_t row) {
    return (REAL *)t->grad[tensor] + row * t->stride[tensor];
}
INLINE REAL *NAME(weights)(const pvgi_tape *t, int32_t param) {
    return (REAL *)t->weights + t->param_start[param];
}
/* Partial gradient of a parameter in a chunk. */
INLINE REAL *NAME(slot)(const pvgi_tape *t, int32_t param, int64_t chunk) {
    return (REAL *)t->partials + chunk * (t->trained - t->direct) +
           (t->param_start[param] - t->direct);
}
INLINE bool NAME(learns)(const pvgi_tape *t, int32_t tensor) {
    return tensor >= 0 && t->program.tensors[tensor].learns;
}
