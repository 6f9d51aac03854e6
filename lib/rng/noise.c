/* Exact noise in blocks: an integer digit from a table, a fraction by rejection, then
 * scaling and rounding decided by as many random digits as they need.
 *
 *   Gaussian   |N| = k + x, k with weight exp(-k^2/2), x uniform, kept with
 *              chance exp(-x (k + x/2))
 *   Laplace    |E| = k + x, k with P(k <= j) = 1 - exp(-(j+1)), x kept with exp(-x)
 *   rounded    the integer nearest to s (k + x): x is a string of random digits, of
 *              which the first 64 nearly always settle the rounding; if not, the next
 *              word is drawn
 *   discrete   Gaussian: x = j/s, j uniform on {0..s-1}, value s k + j (Karney 2016)
 *   geometric  floor((k + x) p/q); discrete Laplace: with a sign, (-, 0) redrawn
 *
 * Acceptance compares a random real U with exp(-z). A double evaluation with error below
 * 2^-46 settles all but one proposal in 2^45; the rest is settled in 256-bit fixed point
 * with further digits of U and x (fixed.c), and a proposal that even this leaves open is
 * redrawn. What separates the law from the ideal one is the 128-bit table and that last
 * step: total variation below 2^-120 per value.
 *
 * Proposals are evaluated 256 at a time without branches on their values; 3 words each,
 * 0.715 (Gaussian) or 0.632 (Laplace) of them are kept. */
#include "rng_internal.h"

#include <string.h>

/* P(k <= j) for k >= 0 with weight exp(-k^2/2), j = 0, 1, ... */
static const uint64_t normal_high[] = {
    0x92025b19482ce72b, 0xea91798547a0ef93, 0xfe5415c6e9da4bae, 0xfff3523319908c11,
    0xffffdc31b8ef5942, 0xffffffdaa2d72344, 0xfffffffff1a20da4, 0xfffffffffffdf76c,
    0xffffffffffffffe4, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff,
};
static const uint64_t normal_low[] = {
    0xd40241fe3d8503e0, 0xd55d4ff9ab842149, 0xeabab39c56d419be, 0xd937bd03927c2f09,
    0x488c43f4219a48e8, 0xf06d574f25e26ea2, 0x272e392479b0e3d6, 0x4ac9d6ef19667473,
    0xe341e1b0f4764936, 0xff7b01dedd7a579c, 0xffffff100072148c, 0xffffffffff60ab69,
    0xffffffffffffffd9,
};
/* P(v <= j) = 1 - exp(-(j+1)), j = 0, 1, ... */
static const uint64_t exponential_high[] = {
    0xa1d2a7274c4320e5, 0xdd5aaab880fc68c0, 0xf341279998a7a89b, 0xfb4faa91f7b0c2e2,
    0xfe466c01ff2ac89e, 0xff5d8d7077615951, 0xffc43d28c7b6ace2, 0xffea03defbefd853,
    0xfff7e986ed6cd5d3, 0xfffd0650c953706c, 0xfffee7cabdc70989, 0xffff98eacf12f10d,
    0xffffda13f588cfc4, 0xfffff20c9c8127f4, 0xfffffade28d77604, 0xfffffe1caa445117,
    0xffffff4e30e7452c, 0xffffffbe9675ce59, 0xffffffe7efa900d3, 0xfffffff725bcd506,
    0xfffffffcbe49e5e4, 0xfffffffecd4b740e, 0xffffffff8f2b606f, 0xffffffffd67df0e0,
    0xfffffffff0bae42d, 0xfffffffffa61eb56, 0xfffffffffdeef5ac, 0xffffffffff3d607f,
    0xffffffffffb866f5, 0xffffffffffe5a91f, 0xfffffffffff64f6f, 0xfffffffffffc6f73,
    0xfffffffffffeb04a, 0xffffffffffff847f, 0xffffffffffffd291, 0xffffffffffffef49,
    0xfffffffffffff9d9, 0xfffffffffffffdbc, 0xffffffffffffff2a, 0xffffffffffffffb1,
    0xffffffffffffffe3, 0xfffffffffffffff5, 0xfffffffffffffffc, 0xfffffffffffffffe,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
    0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
};
static const uint64_t exponential_low[] = {
    0x4521387d6fab06f2, 0x49122a3da5fad51c, 0x5becfe6e37bf797f, 0x05d43fb34f54770a,
    0x3ba3db6eb65a46a2, 0x3fa2fdc1fffbca19, 0xa8ccd102a810b5d4, 0x44032b987f0118e1,
    0x37549261f7d13e49, 0xac749b7155ecef1a, 0xbfc3610310d10552, 0xd439bc4f9300e370,
    0xcf97bd5b5a9a7257, 0xf6f79198f42a673b, 0xf1fd01c749c11433, 0xa35259a08c0cd177,
    0xbb1a1331e22b1798, 0x817cddee3aa16a50, 0xa88e5880f06e2404, 0x46cc8cfda5d757f4,
    0x49827beea91b85a1, 0xe825dac310fa097a, 0x30153ba052cf1215, 0x2dbaebebc95224fc,
    0xd01e6917e71b11e1, 0x3fe06f9e1c9c22a6, 0xf1302cbb90e20433, 0x14956230149be7c3,
    0x1451ed7ebd443e18, 0x3d53808b2af02b1c, 0x0ed962233b439dfb, 0x6113d372fc3accbf,
    0xb8388a2587903dcd, 0xf844a75580ae1c70, 0x1ccb4c1e3fab08f4, 0x3c50221f9c7f92ef,
    0xee380d67eac06254, 0xeea52a399f9e44fe, 0xf90da0652640b0e1, 0xa1b6d993976f5aad,
    0x2b7f5e48b7e0228e, 0x64dd688e84520bfd, 0x192859017a183d04, 0x908be21e8b714141,
    0x78d246170056182b, 0xce4543c89ec50326, 0xedb49fce4b64258f, 0xf9451514716f92d0,
    0xfd862c8c430e0f5e, 0xff16d4155c0fbe09, 0xffaa389233158a7a, 0xffe07193db4aa6d1,
    0xfff4641d4dd775a5, 0xfffbbab4545230fe, 0xfffe6dcc8d3985f8, 0xffff6c09dd39cd0e,
    0xffffc991699d40f0, 0xffffebf9c0733744, 0xfffff8a2289e095e, 0xfffffd4a3cdcacd4,
    0xffffff00c774f3e8, 0xffffffa21c076da3, 0xffffffdd75a911b8, 0xfffffff34b15c66f,
    0xfffffffb5351c8be, 0xfffffffe47c40dc5, 0xffffffff5e0c01bb, 0xffffffffc46bb88a,
    0xffffffffea150004, 0xfffffffff7efd417, 0xfffffffffd08a23c, 0xfffffffffee8a50f,
    0xffffffffff993b1f, 0xffffffffffda3181, 0xfffffffffff2177b, 0xfffffffffffae228,
    0xfffffffffffe1e22, 0xffffffffffff4ebb, 0xffffffffffffbec9, 0xffffffffffffe802,
    0xfffffffffffff72c, 0xfffffffffffffcc0, 0xfffffffffffffece, 0xffffffffffffff8f,
    0xffffffffffffffd6, 0xfffffffffffffff0, 0xfffffffffffffffa, 0xfffffffffffffffd,
};

typedef struct {
    const uint64_t *high, *low; /* first and second word of P(k <= j) */
    int entries;
    double by_digit, by_fraction,
        constant; /* z = x (by_digit k + by_fraction x + constant) */
} shape;

static const shape normal_shape = {
    normal_high, normal_low, sizeof normal_high / sizeof normal_high[0], 1.0, 0.5, 0.0};
static const shape exponential_shape = {exponential_high,
                                        exponential_low,
                                        sizeof exponential_high /
                                            sizeof exponential_high[0],
                                        0.0,
                                        0.0,
                                        1.0};

/* Proposals in a block; count is a multiple of LANES. */
enum { BLOCK = 256, LANES = 8 };

/* One block of `count` proposals. The words come straight from the stream, in three rows:
 * digit chooses k, fraction is the first word of x (or chooses j), accept holds a sign
 * bit lowest and the first 63 bits of U above it. */
typedef struct {
    uint8_t next_key[PVGI_KEY_BYTES];
    uint64_t words[3 * BLOCK];
    int count;
    const uint64_t *digit, *fraction, *accept; /* into words */
    double x[BLOCK], gap[BLOCK]; /* gap = exp(-z) - U, as far as doubles tell */
    int64_t k[BLOCK];
} proposals;

typedef struct {
    const shape *shape;
    pvgi_noise_law law;
    uint64_t numerator, denominator;
    const int64_t *scales; /* numerator of each value; NULL: the same for all */
    uint64_t reject_below; /* of the uniform j of the discrete Gaussian */
    double inverse;        /* 1 / s, for j / s */
    pvgi_stream *stream;
} sampler;

/* --- fast path: everything a double can decide, free of branches ---------------- */

static inline double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The leading 52 bits of a word as a number in [0, 1), rounded down. */
static inline double unit_of(uint64_t word) {
    return double_of(0x3FF0000000000000u | word >> 12) - 1.0;
}

/* exp(-z), 0 <= z < 100, relative error below 2^-49: exp(-z) = 2^-n exp(r), |r| <= ln2/2,
 * Taylor polynomial of degree 13 (remainder 2^-57), even and odd powers apart, so that
 * neither sum waits for the other. Only +, -, *: same bits everywhere. */
static inline double exp_neg(double z) {
    const double shift = 0x1.8p52, log2_e = 0x1.71547652b82fep0;
    const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    const double shifted = z * log2_e + shift;
    const double n = shifted - shift;
    const double r = (n * ln2_high - z) + n * ln2_low;
    const double square = r * r;
    double odd = square * (1.0 / 6227020800.0) + 1.0 / 39916800.0;
    double even = square * (1.0 / 479001600.0) + 1.0 / 3628800.0;
    odd = odd * square + 1.0 / 362880.0;
    even = even * square + 1.0 / 40320.0;
    odd = odd * square + 1.0 / 5040.0;
    even = even * square + 1.0 / 720.0;
    odd = odd * square + 1.0 / 120.0;
    even = even * square + 1.0 / 24.0;
    odd = odd * square + 1.0 / 6.0;
    even = even * square + 0.5;
    odd = odd * square + 1.0;
    even = even * square + 1.0;
    const uint64_t power = bits_of(shifted) - bits_of(shift);
    return (odd * r + even) * double_of((1023 - power) << 52);
}

__attribute__((always_inline)) static inline void evaluate_inline(proposals *b,
                                                                  const shape *s) {
    const int count = b->count;
    const uint64_t *restrict digit = b->digit, *restrict accept = b->accept;
    const uint64_t flip = (uint64_t)1 << 63; /* unsigned order as signed order */
    /* from the first all-ones entry on no first word is above the table's */
    int entries = 0;
    while (s->high[entries] != ~(uint64_t)0) entries++;
    for (int i = 0; i < count; i += LANES) {
        int64_t k[LANES] = {0};
        for (int j = 0; j < entries; j++) {
            const int64_t threshold = (int64_t)(s->high[j] ^ flip);
            for (int lane = 0; lane < LANES; lane++)
                k[lane] += (int64_t)(digit[i + lane] ^ flip) > threshold;
        }
        memcpy(b->k + i, k, sizeof k);
    }
    for (int i = 0; i < count; i++) {
        const double x = b->x[i];
        /* k < 2^51: as a double through the exponent trick, without a conversion */
        const double k = double_of((uint64_t)b->k[i] + 0x4330000000000000u) - 0x1p52;
        const double z = x * (s->by_digit * k + s->by_fraction * x + s->constant);
        b->gap[i] = exp_neg(z) - unit_of(accept[i]);
    }
}

static void evaluate_portable(proposals *b, const shape *s) {
    evaluate_inline(b, s);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void evaluate_avx2(proposals *b, const shape *s) {
    evaluate_inline(b, s);
}
#endif

static void evaluate(proposals *b, const shape *s) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (pvgi_cpu_level() >= PVGI_CPU_AVX2) {
        evaluate_avx2(b, s);
        return;
    }
#endif
    evaluate_portable(b, s);
}

/* |gap - (exp(-z) - U)| is below: unit_of(U) 2^-52; x 2^-52 times dz/dx <= 14 (k <= 13);
 * the rounding of z and of exp_neg, together below 2^-48. The sum is below 2^-47; 2^-46
 * is used. */
#ifndef PVGI_NOISE_GAP_ERROR /* a test sends every proposal down the slow path */
#define PVGI_NOISE_GAP_ERROR 0x1p-46
#endif
static const double gap_error = PVGI_NOISE_GAP_ERROR;

/* --- slow path: what needs more digits ------------------------------------------ */

/* The rest of a digit word's comparison: U and P(k <= j) agree in their first word. */
static int64_t settle_digit(const sampler *s, uint64_t first, int64_t j) {
    const uint64_t second = pvgi_rng_stream_word(s->stream);
    while (j < s->shape->entries && s->shape->high[j] == first &&
           second >= s->shape->low[j])
        j++;
    return j;
}

/* x of the proposal to 256 bits: j/s, or four words of digits. */
static pvgi_fixed full_fraction(const sampler *s, uint64_t fraction) {
    if (s->law == PVGI_NOISE_DISCRETE_GAUSSIAN) {
        const unsigned __int128 product = (unsigned __int128)fraction * s->numerator;
        const pvgi_fixed j = {{(uint64_t)(product >> 64)}};
        return pvgi_rng_fixed_divide(&j, s->numerator);
    }
    pvgi_fixed x = {{0, fraction}};
    for (int i = 2; i < PVGI_FIXED_LIMBS; i++)
        x.limb[i] = pvgi_rng_stream_word(s->stream);
    return x;
}

/* U < exp(-z) in 256 bits. x_out receives the digits of x that were drawn, because
 * rounding must go on with the same ones. 0 where even this cannot tell (2^-230): redraw.
 */
static bool settle_accept(const sampler *s, int64_t k, uint64_t fraction, uint64_t accept,
                          pvgi_fixed *x_out) {
    const pvgi_fixed x = full_fraction(s, fraction);
    pvgi_fixed z = x;
    if (s->shape == &normal_shape) {
        const pvgi_fixed half = pvgi_rng_fixed_divide(&x, 2);
        const pvgi_fixed whole = {{(uint64_t)k}};
        const pvgi_fixed factor = pvgi_rng_fixed_add(&whole, &half);
        z = pvgi_rng_fixed_mul(&x, &factor);
    }
    const pvgi_fixed bound = pvgi_rng_fixed_exp_neg(&z);
    /* 63 bits of U, then 64 at a time: the sign bit is replaced by the top of the next
     * word */
    const uint64_t next = pvgi_rng_stream_word(s->stream);
    const uint64_t third = pvgi_rng_stream_word(s->stream);
    const uint64_t fourth = pvgi_rng_stream_word(s->stream);
    const pvgi_fixed u = {{0, (accept & ~(uint64_t)1) | next >> 63,
                           next << 1 | third >> 63, third << 1 | fourth >> 63,
                           fourth << 1}};
    *x_out = x;
    return pvgi_rng_fixed_compare(&u, &bound, 230) < 0;
}

/* --- scaling and rounding ------------------------------------------------------- */

/* floor(((k + x) p + half) / q), half = 2^-1 or 0, x = 0.fraction followed by further
 * digits: digits[] if they have been drawn, else the stream's. With f the digits used so
 * far, (k + x) p lies in [f p, f p + p) units of the last digit: draw until both ends
 * agree. */
static int64_t scale_fraction(const sampler *s, int64_t k, uint64_t fraction, bool half,
                              const uint64_t *digits) {
    typedef unsigned __int128 wide;
    const uint64_t p = s->numerator, q = s->denominator;
    wide value = (wide)fraction * p + (half ? (uint64_t)1 << 63 : 0);
    uint64_t whole = (uint64_t)(value >> 64) + (uint64_t)k * p;
    uint64_t rest =
        (uint64_t)value; /* value = whole + rest / 2^64, uncertain by p / 2^64 */
    for (int i = 0; (rest > 0 - p) && (whole + 1) % q == 0; i++) {
        /* rest + p - 1 may carry into whole, and the carry would change the quotient: the
         * next digit d adds d p / 2^128 */
        const uint64_t digit =
            digits && i < 3 ? digits[i] : pvgi_rng_stream_word(s->stream);
        const wide more = (wide)digit * p;
        const uint64_t carry = (uint64_t)(more >> 64);
        if (rest + carry < rest) {
            whole++; /* decided: past the boundary, and p / 2^64 more cannot cross another
                      */
            break;
        }
        if (rest + carry != ~(uint64_t)0) break; /* decided: it stays below */
        rest = (uint64_t)more; /* all ones above: the boundary is still p / 2^128 away */
    }
    return (int64_t)(q == 1 ? whole : whole / q);
}

/* The finished value of an accepted proposal; false if it must be redrawn. */
static inline bool finish(const sampler *s, int64_t *out, int64_t k, uint64_t fraction,
                          uint64_t accept, const uint64_t *digits) {
    int64_t magnitude = 0;
    const bool negative = accept & 1;
    switch (s->law) {
    case PVGI_NOISE_DISCRETE_GAUSSIAN: {
        const unsigned __int128 product = (unsigned __int128)fraction * s->numerator;
        magnitude = k * (int64_t)s->numerator + (int64_t)(product >> 64);
        if ((uint64_t)product < s->reject_below || (negative && magnitude == 0))
            return false;
        break;
    }
    case PVGI_NOISE_GEOMETRIC:
        *out = scale_fraction(s, k, fraction, false, digits);
        return true;
    case PVGI_NOISE_DISCRETE_LAPLACE:
        magnitude = scale_fraction(s, k, fraction, false, digits);
        if (negative && magnitude == 0) return false;
        break;
    case PVGI_NOISE_ROUNDED_GAUSSIAN:
    case PVGI_NOISE_ROUNDED_LAPLACE:
        magnitude = scale_fraction(s, k, fraction, true, digits);
        break;
    }
    *out = (magnitude ^ -(int64_t)negative) + negative; /* no branch on the sign */
    return true;
}

/* A proposal the doubles left open, from its words. */
__attribute__((noinline)) static bool finish_slowly(const sampler *s, int64_t *out,
                                                    int64_t k, uint64_t digit,
                                                    uint64_t fraction, uint64_t accept) {
    pvgi_fixed x;
    if (k < s->shape->entries && s->shape->high[k] == digit)
        k = settle_digit(s, digit, k);
    if (!settle_accept(s, k, fraction, accept, &x)) return false;
    return finish(s, out, k, fraction, accept, x.limb + 2);
}

/* --- blocks --------------------------------------------------------------------- */

/* j / scale, j uniform on {0..scale-1}. */
static inline double grid_fraction(uint64_t word, uint64_t scale, double inverse) {
    const uint64_t j = (uint64_t)((unsigned __int128)word * scale >> 64);
    return (double)(int64_t)j * inverse;
}

static void fill(const sampler *s, proposals *b, int count) {
    b->count = count;
    b->digit = b->words;
    b->fraction = b->words + count;
    b->accept = b->words + 2 * count;
    pvgi_rng_stream_block(s->stream, b, 3 * (size_t)count);
    if (s->law == PVGI_NOISE_DISCRETE_GAUSSIAN)
        for (int i = 0; i < count; i++)
            b->x[i] = grid_fraction(b->fraction[i], s->numerator, s->inverse);
    else
        for (int i = 0; i < count; i++) b->x[i] = unit_of(b->fraction[i]);
}

/* Whether doubles leave open what becomes of proposal i. k is below the entries of the
 * table, which ends in words of ones. */
static inline bool is_open(const sampler *s, const proposals *b, int i) {
    return (b->gap[i] < gap_error && b->gap[i] > -gap_error) ||
           s->shape->high[b->k[i]] == b->digit[i];
}

/* The value of proposal i; false if it is dropped. */
static inline bool take(const sampler *s, const proposals *b, int i, int64_t *out) {
    if (__builtin_expect(is_open(s, b, i), 0))
        return finish_slowly(s, out, b->k[i], b->digit[i], b->fraction[i], b->accept[i]);
    return b->gap[i] > 0.0 && finish(s, out, b->k[i], b->fraction[i], b->accept[i], NULL);
}

/* Values from one block of proposals; returns how many, `want` at most. Those that may be
 * kept are listed first: which they are is a coin that no processor can foresee. Where a
 * digit is still open it can only grow, and the chance to be kept does not. */
static int64_t collect(sampler *s, const proposals *b, int64_t *out, int64_t want) {
    uint8_t list[BLOCK];
    int listed = 0;
    int64_t made = 0;
    for (int i = 0; i < b->count; i++) {
        list[listed] = (uint8_t)i;
        listed += b->gap[i] > -gap_error;
    }
    for (int i = 0; i < listed && made < want; i++) {
        if (s->scales) s->numerator = (uint64_t)s->scales[made];
        made += take(s, b, list[i], out + made);
    }
    return made;
}

/* Only rows of the length in use hold anything. */
static void wipe(proposals *b, int longest) {
    pvgi_wipe(b->words, 3 * (size_t)longest * sizeof *b->words);
    pvgi_wipe(b->x, (size_t)longest * sizeof *b->x);
    pvgi_wipe(b->gap, (size_t)longest * sizeof *b->gap);
    pvgi_wipe(b->k, (size_t)longest * sizeof *b->k);
}

static void draw(sampler *s, int64_t *out, int64_t count) {
    proposals block;
    int longest = 0;
    while (count > 0) {
        /* a few more than the values wanted, as some are rejected; whole vectors */
        const int64_t wish = count + count / 2 + 8;
        const int size = wish < BLOCK ? (int)(wish - wish % LANES) : BLOCK;
        if (size > longest) longest = size;
        fill(s, &block, size);
        evaluate(&block, s->shape);
        const int64_t made = collect(s, &block, out, count);
        if (s->scales) s->scales += made;
        out += made;
        count -= made;
    }
    wipe(&block, longest);
}

static sampler sampler_of(pvgi_noise_law law, int64_t numerator, int64_t denominator,
                          pvgi_stream *stream) {
    const bool normal =
        law == PVGI_NOISE_ROUNDED_GAUSSIAN || law == PVGI_NOISE_DISCRETE_GAUSSIAN;
    const uint64_t p = (uint64_t)numerator;
    return (sampler){.shape = normal ? &normal_shape : &exponential_shape,
                     .law = law,
                     .numerator = p,
                     .denominator = (uint64_t)denominator,
                     .reject_below = (0 - p) % p,
                     .inverse = 1.0 / (double)numerator,
                     .stream = stream};
}

void pvgi_rng_draw_noise(int64_t *out, int64_t count, pvgi_noise_law law,
                         int64_t numerator, int64_t denominator, pvgi_stream *stream) {
    sampler s = sampler_of(law, numerator, denominator, stream);
    draw(&s, out, count);
}

/* Where the proposals themselves depend on the scale: one proposal for each value that is
 * still wanted, until none is; n <= BLOCK. */
static void draw_in_rounds(sampler *s, proposals *b, int64_t *out, int n) {
    const int64_t *scales = s->scales;
    int wanted[BLOCK], left = n;
    for (int i = 0; i < n; i++) wanted[i] = i;
    while (left > 0) {
        fill(s, b, (left + LANES - 1) / LANES * LANES);
        const int tried = left;
        for (int i = 0; i < b->count; i++) {
            const int64_t scale = scales[wanted[i < tried ? i : 0]];
            b->x[i] = grid_fraction(b->fraction[i], (uint64_t)scale, 1.0 / (double)scale);
        }
        evaluate(b, s->shape);
        left = 0;
        for (int i = 0; i < tried; i++) {
            const int64_t scale = scales[wanted[i]];
            *s = sampler_of(s->law, scale, 1, s->stream);
            if (!take(s, b, i, out + wanted[i])) wanted[left++] = wanted[i];
        }
    }
    s->scales = scales + n;
}

void pvgi_rng_draw_noise_each(int64_t *out, int64_t count, pvgi_noise_law law,
                              const int64_t *scales, pvgi_stream *stream) {
    if (count == 0) return;
    sampler s = sampler_of(law, scales[0], 1, stream);
    s.scales = scales;
    if (law != PVGI_NOISE_DISCRETE_GAUSSIAN) {
        draw(&s, out, count);
        return;
    }
    proposals block;
    for (int64_t done = 0; done < count; done += BLOCK)
        draw_in_rounds(&s, &block, out + done,
                       count - done < BLOCK ? (int)(count - done) : BLOCK);
    wipe(&block, count < BLOCK ? (int)(count + LANES - 1) / LANES * LANES : BLOCK);
}
