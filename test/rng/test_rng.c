/* rng: arguments, keys and streams, fork, entropy failure, fixed point, and the rare
 * branches of the noise samplers, forced. The laws are tested in
 * test/rng/test_rng_statistical.c. */
#include "rng/noise.c" /* for its static functions */
#include "support.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

/* Random bytes enter the process by getrandom, ours and libsodium's (this definition
 * comes before the C library's), and by /dev/urandom, whose opening is wrapped. */
typedef enum {
    ENTROPY_REAL,
    ENTROPY_INTERRUPTED, /* two calls of three */
    ENTROPY_DEVICE,      /* as where a filter of system calls forbids getrandom */
    ENTROPY_NO_DEVICE,   /* a file in its place */
    ENTROPY_UNSEEDED,    /* /dev/random does not open */
    ENTROPY_NONE
} entropy_mode;
static entropy_mode entropy;
static int entropy_calls, entropy_asked, entropy_opened;
ssize_t getrandom(void *buffer, size_t bytes, unsigned flags) {
    entropy_asked++;
    if (entropy >= ENTROPY_DEVICE || (entropy && entropy_asked % 3)) {
        errno = entropy >= ENTROPY_DEVICE ? ENOSYS : EINTR;
        return -1;
    }
    entropy_calls += bytes > 0;
    return syscall(SYS_getrandom, buffer, bytes, flags);
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...) {
    entropy_opened++;
    const bool poll = strcmp(path, "/dev/random") == 0;
    if (entropy == ENTROPY_NONE || (poll && entropy == ENTROPY_UNSEEDED)) {
        errno = ENOENT;
        return -1;
    }
    if (entropy == ENTROPY_NO_DEVICE && !poll) path = "/proc/self/exe";
    return __real_open64(path, flags);
}

static pvg_rng *seeded(uint64_t seed) {
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    return rng;
}

/* A stream that hands out exactly these words first. */
static void preload(pvgi_stream *stream, const uint64_t *words, int count) {
    memset(stream, 0, sizeof *stream);
    memcpy(stream->buffer, words, 8 * (size_t)count);
    stream->filled = 8 * (uint32_t)count;
    stream->refill = 480;
}

static void all_draws_fail(pvg_rng *rng) {
    pvg_rng *none = rng, *split = NULL;
    int64_t values[4] = {1, 2, 3, 4};
    PVGT_FAILS(PVG_E_ENTROPY, "no random key", pvg_rng_new_secure(&none));
    TEST_ASSERT_NULL(none);
    PVGT_FAILS(PVG_E_ENTROPY, "no random key",
               pvg_rng_draw_rounded_gaussian(values, 4, 1000, rng));
    PVGT_FAILS(PVG_E_ENTROPY, "no random key",
               pvg_rng_draw_bytes((uint8_t *)values, 8, rng));
    PVGT_FAILS(PVG_E_ENTROPY, "no random key",
               pvg_rng_draw_flips((uint64_t *)values, 8, 1, rng));
    PVGT_FAILS(PVG_E_ENTROPY, "no random key", pvg_rng_split(&split, rng, 1));
    TEST_ASSERT_NULL(split);
    for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_INT64(i + 1, values[i]);
}

/* Wherever it is missing: libsodium, which would end the process, is not asked. */
static void entropy_failure_is_an_error(void) {
    pvg_rng *rng;
    int64_t values[4];
    PVGT_OK(pvg_rng_new_secure(&rng));
    for (entropy = ENTROPY_NO_DEVICE; entropy <= ENTROPY_NONE; entropy++)
        all_draws_fail(rng);
    /* seeded generators need none */
    entropy = ENTROPY_NONE;
    pvg_rng *fixed = seeded(1);
    PVGT_OK(pvg_rng_draw_rounded_gaussian(values, 4, 1000, fixed));
    entropy = ENTROPY_REAL;
    pvg_rng_free(fixed);
    pvg_rng_free(rng);
}

static void draw_two_keys(uint64_t words[8]) {
    pvg_rng *rng;
    memset(words, 0, 64);
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)words, 32, rng));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)(words + 4), 32, rng));
    pvg_rng_free(rng);
    for (int i = 0; i < 8; i++) TEST_ASSERT_TRUE(words[i] != 0);
    TEST_ASSERT_TRUE(memcmp(words, words + 4, 32) != 0);
}

static void entropy_may_be_interrupted(void) {
    uint64_t words[8];
    entropy = ENTROPY_INTERRUPTED;
    entropy_opened = 0;
    draw_two_keys(words);
    TEST_ASSERT_EQUAL_INT(0, entropy_opened);
    entropy = ENTROPY_REAL;
}

static void keys_come_from_the_device_where_getrandom_is_forbidden(void) {
    uint64_t words[8];
    entropy = ENTROPY_DEVICE;
    entropy_opened = 0;
    draw_two_keys(words);
    TEST_ASSERT_EQUAL_INT(6, entropy_opened); /* twice for each of three keys */
    entropy = ENTROPY_REAL;
}

static const char *constant_name(void) {
    return "constant";
}
static uint32_t constant_word(void) {
    return 7;
}
static void constant_bytes(void *const out, const size_t bytes) {
    memset(out, 7, bytes);
}

/* A host may replace libsodium's generator for its whole process; not that of noise. */
static void keys_are_the_systems_whatever_a_host_set(void) {
    static struct randombytes_implementation constant = {.implementation_name =
                                                             constant_name,
                                                         .random = constant_word,
                                                         .buf = constant_bytes};
    uint64_t words[8];
    TEST_ASSERT_EQUAL_INT(0, randombytes_set_implementation(&constant));
    draw_two_keys(words);
    TEST_ASSERT_EQUAL_UINT32(7, randombytes_random());
    randombytes_set_implementation(&randombytes_sysrandom_implementation);
}

/* What RFC 8439 prints (2.3.2, block 1), and libsodium's bits for every length. */
static void key_streams_are_chacha20(void) {
    static const uint8_t block_1[16] = {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15,
                                        0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4};
    uint8_t key[32], nonce[12] = {0, 0, 0, 9, 0, 0, 0, 0x4a}, ours[1700], theirs[1700];
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)i;
    pvgi_rng_chacha(ours, 128, nonce, key);
    TEST_ASSERT_EQUAL_MEMORY(block_1, ours + 64, sizeof block_1);
    for (size_t bytes = 0; bytes < 1600; bytes++) {
        for (int i = 0; i < 32; i++) key[i] = (uint8_t)(key[i] * 5 + i + 1);
        for (int i = 0; i < 12; i++) nonce[i] = (uint8_t)(nonce[i] * 3 + key[i]);
        memset(theirs, 0xa5, sizeof theirs);
        memset(ours, 0xa5, sizeof ours);
        crypto_stream_chacha20_ietf(theirs, bytes, nonce, key);
        pvgi_rng_chacha(ours, bytes, nonce, key);
        TEST_ASSERT_EQUAL_MEMORY(theirs, ours, sizeof ours);
    }
}

/* What a thread leaves on a stack that we can look at after its end. */
typedef struct {
    uint8_t key[32], out[1100]; /* whole sets of eight blocks, and a rest */
    size_t bytes;
} stream_job;

static void *make_stream(void *context) {
    stream_job *job = context;
    const uint8_t nonce[12] = {7};
    pvgi_rng_chacha(job->out, job->bytes, nonce, job->key);
    return NULL;
}

static bool holds(const uint8_t *memory, size_t bytes, const uint8_t *word) {
    for (size_t i = 0; i + 4 <= bytes; i += 4)
        if (memcmp(memory + i, word, 4) == 0) return true;
    return false;
}

/* Neither key nor stream stay on the stack; addresses on it may be like a word or two. */
static void streams_leave_no_trace(void) {
    enum { STACK = 1 << 18, CHANCE = 2 };
    static uint8_t stack[STACK] __attribute__((aligned(4096)));
    static stream_job job;
    static const size_t lengths[] = {32, 100, 400, 512, 1024, 1100};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        pthread_attr_t attributes;
        pthread_t thread;
        int found = 0;
        for (int i = 0; i < 32; i++) job.key[i] = (uint8_t)(17 * i + 5);
        job.bytes = lengths[l];
        memset(stack, 0, sizeof stack);
        TEST_ASSERT_EQUAL_INT(0, pthread_attr_init(&attributes));
        TEST_ASSERT_EQUAL_INT(0, pthread_attr_setstack(&attributes, stack, STACK));
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, &attributes, make_stream, &job));
        TEST_ASSERT_EQUAL_INT(0, pthread_join(thread, NULL));
        pthread_attr_destroy(&attributes);
        for (size_t at = 0; at + 4 <= sizeof job.key; at += 4)
            found += holds(stack, STACK, job.key + at);
        for (size_t at = 0; at + 4 <= job.bytes; at += 4)
            found += holds(stack, STACK, job.out + at);
#ifndef __SANITIZE_ADDRESS__ /* it lays frames out its own way */
        PVGT_CHECK(found <= CHANCE, "%d words of %zu bytes", found, job.bytes);
#endif
    }
}

/* In a process that finds no entropy at first, which libsodium would not survive, in a
 * child because libsodium can be started once: seeded values, by libsodium's code for
 * any machine, are the same bits; once there is entropy all is as usual. */
static void libsodium_starts_when_it_is_safe(void) {
    int64_t values[2][300];
    const pid_t child = fork();
    if (child == 0) {
        pvg_rng *rng = NULL;
        entropy = ENTROPY_NONE;
        pvg_rng *fixed = seeded(11);
        bool good = pvg_rng_new_secure(&rng) == PVG_E_ENTROPY && !rng;
        good &= pvg_rng_draw_rounded_gaussian(values[0], 300, 1 << 20, fixed) == PVG_OK;
        pvg_rng_free(fixed);
        streams_leave_no_trace();
        entropy = ENTROPY_REAL;
        good &= sodium_init() == 0; /* its first call, with entropy */
        fixed = seeded(11);
        good &= pvg_rng_draw_rounded_gaussian(values[1], 300, 1 << 20, fixed) == PVG_OK;
        good &= memcmp(values[0], values[1], sizeof values[0]) == 0;
        good &= pvg_rng_new_secure(&rng) == PVG_OK;
        _exit(good ? 0 : 1);
    }
    int how;
    TEST_ASSERT_EQUAL_INT(child, waitpid(child, &how, 0));
    TEST_ASSERT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    pvg_rng_free(seeded(11));
    TEST_ASSERT_EQUAL_INT(1, sodium_init()); /* it was called before */
}

static void every_secure_call_takes_a_fresh_key(void) {
    pvg_rng *rng;
    uint64_t words[2][4];
    PVGT_OK(pvg_rng_new_secure(&rng));
    TEST_ASSERT_EQUAL_INT32(1, pvg_rng_is_secure(rng));
    const pvg_rng before = *rng;
    entropy_calls = 0;
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)words[0], 32, rng));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)words[1], 32, rng));
    TEST_ASSERT_EQUAL_INT(2, entropy_calls);
    TEST_ASSERT_TRUE(memcmp(words[0], words[1], 32) != 0);
    /* the handle holds nothing that a later reader of memory could use */
    TEST_ASSERT_EQUAL_MEMORY(&before, rng, sizeof before);
    pvg_rng_free(rng);
}

static void parent_and_child_draw_different_noise(void) {
    pvg_rng *rng;
    int64_t mine[8], theirs[8];
    int channel[2];
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_rng_draw_rounded_gaussian(mine, 8, (int64_t)1 << 40, rng)); /* warm */
    TEST_ASSERT_EQUAL_INT(0, pipe(channel));
    const pid_t child = fork();
    TEST_ASSERT_TRUE(child >= 0);
    if (child == 0) {
        int64_t values[8];
        const int32_t status =
            pvg_rng_draw_rounded_gaussian(values, 8, (int64_t)1 << 40, rng);
        const ssize_t written = write(channel[1], values, sizeof values);
        _exit(status == PVG_OK && written == (ssize_t)sizeof values ? 0 : 1);
    }
    PVGT_OK(pvg_rng_draw_rounded_gaussian(mine, 8, (int64_t)1 << 40, rng));
    int result = 1;
    TEST_ASSERT_EQUAL_INT(sizeof theirs, read(channel[0], theirs, sizeof theirs));
    waitpid(child, &result, 0);
    close(channel[0]), close(channel[1]);
    TEST_ASSERT_EQUAL_INT(0, result);
    for (int i = 0; i < 8; i++) TEST_ASSERT_TRUE(mine[i] != theirs[i]);
    pvg_rng_free(rng);
}

static void seeds_repeat_and_streams_differ(void) {
    pvg_rng *a = seeded(7), *b = seeded(7), *c = seeded(8), *a1, *a2, *b1;
    uint64_t x[3], y[3], z[3];
    TEST_ASSERT_EQUAL_INT32(0, pvg_rng_is_secure(a));
    TEST_ASSERT_EQUAL_INT32(0, pvg_rng_is_secure(NULL));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)x, 24, a));
    PVGT_OK(pvg_rng_split(&b1, b, 1)); /* splitting does not disturb b */
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)y, 24, b));
    TEST_ASSERT_EQUAL_MEMORY(x, y, 24);
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)y, 24, b));
    TEST_ASSERT_TRUE(memcmp(x, y, 24) != 0);
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)z, 24, c));
    TEST_ASSERT_TRUE(memcmp(x, z, 24) != 0);
    PVGT_OK(pvg_rng_split(&a2, a, 2)); /* order and use of the parent do not matter */
    PVGT_OK(pvg_rng_split(&a1, a, 1));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)x, 24, a1));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)y, 24, b1));
    PVGT_OK(pvg_rng_draw_bytes((uint8_t *)z, 24, a2));
    TEST_ASSERT_EQUAL_MEMORY(x, y, 24);
    TEST_ASSERT_TRUE(memcmp(x, z, 24) != 0);
    pvg_rng_free(a), pvg_rng_free(b), pvg_rng_free(c);
    pvg_rng_free(a1), pvg_rng_free(a2), pvg_rng_free(b1);
    pvg_rng_free(NULL);
}

/* Values that must never change: a seed is part of a published experiment. */
static void expected_values(void) {
    pvg_rng *rng = seeded(42);
    int64_t v[4];
    uint64_t u[4];
    uint8_t c[8];
    PVGT_OK(pvg_rng_draw_below(u, 4, 1000000, rng));
    const uint64_t below[4] = {279706, 365230, 8953, 262050};
    TEST_ASSERT_EQUAL_UINT64_ARRAY(below, u, 4);
    PVGT_OK(pvg_rng_draw_rounded_gaussian(v, 4, 1000000, rng));
    const int64_t gaussian[4] = {-383313, -1301858, -1281514, 1105586};
    TEST_ASSERT_EQUAL_INT64_ARRAY(gaussian, v, 4);
    PVGT_OK(pvg_rng_draw_rounded_laplace(v, 4, 1000000, rng));
    const int64_t laplace[4] = {1627660, 943239, -554711, 290626};
    TEST_ASSERT_EQUAL_INT64_ARRAY(laplace, v, 4);
    PVGT_OK(pvg_rng_draw_discrete_gaussian(v, 4, 1000, rng));
    const int64_t discrete[4] = {307, 411, 350, 257};
    TEST_ASSERT_EQUAL_INT64_ARRAY(discrete, v, 4);
    PVGT_OK(pvg_rng_draw_discrete_laplace(v, 4, 50, 3, rng));
    const int64_t dlaplace[4] = {7, 6, 13, 3};
    TEST_ASSERT_EQUAL_INT64_ARRAY(dlaplace, v, 4);
    PVGT_OK(pvg_rng_draw_flips(u, 128, (uint64_t)1 << 62, rng));
    const uint64_t flips[2] = {0x0424800b219ac402, 0x2909088b023041f0};
    TEST_ASSERT_EQUAL_UINT64_ARRAY(flips, u, 2);
    PVGT_OK(pvg_rng_draw_bernoulli_exp(c, 8, 1, 2, rng));
    const uint8_t coins[8] = {1, 1, 1, 1, 0, 1, 1, 1};
    TEST_ASSERT_EQUAL_UINT8_ARRAY(coins, c, 8);
    pvg_rng_free(rng);
}

/* The same words whatever the mixture of reads, and erased once read. */
static void streams_read_in_any_pieces(void) {
    pvg_rng *rng = seeded(3), *again = seeded(3);
    pvgi_stream a, b, chunk, same;
    static uint8_t whole[20000], pieces[20000];
    PVGT_OK(pvgi_rng_stream_open(&a, rng));
    PVGT_OK(pvgi_rng_stream_open(&b, again));
    pvgi_rng_stream_open_chunk(&chunk, &a, 5);
    pvgi_rng_stream_open_chunk(&same, &b, 5);
    TEST_ASSERT_EQUAL_UINT64(pvgi_rng_stream_word(&chunk), pvgi_rng_stream_word(&same));
    pvgi_rng_stream_open_chunk(&same, &b, 6);
    TEST_ASSERT_TRUE(pvgi_rng_stream_word(&chunk) != pvgi_rng_stream_word(&same));
    pvgi_rng_stream_bytes(&a, whole, sizeof whole);
    for (size_t at = 0, step = 1; at < sizeof pieces; at += step, step = step % 97 + 1) {
        if (step > sizeof pieces - at) step = sizeof pieces - at;
        pvgi_rng_stream_bytes(&b, pieces + at, step);
        for (uint32_t i = PVGI_KEY_BYTES; i < b.position; i++)
            TEST_ASSERT_EQUAL_UINT8(0, b.buffer[i]);
    }
    TEST_ASSERT_EQUAL_MEMORY(whole, pieces, sizeof whole);
    /* key erasure: the key moves on with every refill, and closing leaves nothing */
    pvgi_rng_stream_close(&a);
    const uint8_t *bytes = (const uint8_t *)&a;
    for (size_t i = 0; i < sizeof a; i++) TEST_ASSERT_EQUAL_UINT8(0, bytes[i]);
    pvgi_rng_stream_close(&b), pvgi_rng_stream_close(&chunk),
        pvgi_rng_stream_close(&same);
    pvg_rng_free(rng), pvg_rng_free(again);
}

static void bad_arguments_are_named(void) {
    pvg_rng *rng = seeded(1);
    int64_t v = 5;
    uint64_t u = 5;
    uint8_t c = 5;
    const int64_t large = ((int64_t)1 << 48) + 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_rng_new_secure(NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_rng_new_seeded(NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_rng_split(NULL, rng, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "rng is NULL", pvg_rng_draw_bytes(&c, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_rng_draw_bytes(NULL, 1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative", pvg_rng_draw_bytes(&c, -1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "bound is 0", pvg_rng_draw_below(&u, 1, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "denominator is 0",
               pvg_rng_draw_bernoulli(&c, 1, 0, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "numerator exceeds",
               pvg_rng_draw_bernoulli(&c, 1, 3, 2, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "denominator is 0",
               pvg_rng_draw_bernoulli_exp(&c, 1, 1, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "scale_numerator is not in [1, 2^48]",
               pvg_rng_draw_geometric(&v, 1, 0, 1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "scale_denominator",
               pvg_rng_draw_geometric(&v, 1, 1, -1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "scale_denominator",
               pvg_rng_draw_discrete_laplace(&v, 1, 1, large, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "sigma", pvg_rng_draw_discrete_gaussian(&v, 1, 0, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "sigma", pvg_rng_draw_rounded_gaussian(&v, 1, large, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "scale",
               pvg_rng_draw_rounded_laplace(&v, 1, INT64_MIN, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "count", pvg_rng_draw_flips(&u, INT64_MIN, 1, rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_rng_flip_threshold(NULL, 1.0));
    const double bad[] = {0.0, -0.0, -1.0, NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++)
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvg_rng_flip_threshold(&u, bad[i]));
    TEST_ASSERT_TRUE(v == 5 && u == 5 && c == 5);
    /* nothing to draw is fine, with or without an array */
    PVGT_OK(pvg_rng_draw_rounded_gaussian(NULL, 0, 1, rng));
    PVGT_OK(pvg_rng_draw_flips(NULL, 0, 1, rng));
    PVGT_OK(pvg_rng_draw_bytes(NULL, 0, rng));
    pvg_rng_free(rng);
}

static void sure_things_are_sure(void) {
    pvg_rng *rng = seeded(1);
    uint8_t c[100];
    uint64_t u[100];
    PVGT_OK(pvg_rng_draw_bernoulli(c, 100, 0, UINT64_MAX, rng));
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT8(0, c[i]);
    PVGT_OK(pvg_rng_draw_bernoulli(c, 100, UINT64_MAX, UINT64_MAX, rng));
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT8(1, c[i]);
    PVGT_OK(pvg_rng_draw_bernoulli_exp(c, 100, 0, 1, rng));
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT8(1, c[i]);
    PVGT_OK(pvg_rng_draw_bernoulli_exp(c, 100, UINT64_MAX, 1, rng)); /* ends at once */
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT8(0, c[i]);
    PVGT_OK(pvg_rng_draw_below(u, 100, 1, rng));
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT64(0, u[i]);
    PVGT_OK(pvg_rng_draw_flips(u, 6400, 0, rng));
    for (int i = 0; i < 100; i++) TEST_ASSERT_EQUAL_UINT64(0, u[i]);
    pvg_rng_free(rng);
}

static void fixed_point_exp_is_right(void) {
    static const struct {
        uint64_t numerator, denominator;
        pvgi_fixed value; /* computed with 900 bits by mpmath */
    } table[] = {
        {0, 1, {{1, 0, 0, 0, 0}}},
        {1,
         1,
         {{0, 0x5e2d58d8b3bcdf1a, 0xbadec7829054f90d, 0xda9805aab56c7733,
           0x3024b9d0a507daed}}},
        {1,
         2,
         {{0, 0x9b4597e37cb04ff3, 0xd675a35530cdd767, 0xe347bf8ad0e80abb,
           0xce4ae95861014318}}},
        {1,
         3,
         {{0, 0xb76e989179752689, 0xc5984c9c50ebe4c9, 0xa86a1feb960e6212,
           0x1fe12615380ce967}}},
        {13,
         1,
         {{0, 0x000025ec0a77303b, 0x306842a4a5658da8, 0xb172d25d79f14174,
           0x4a6d7f24183c7ecf}}},
        {63, 1, {{0, 0, 0x000000228a56ee47, 0x5da4447275869a5e, 0xf291bd5d6fd3b147}}},
        {137,
         10,
         {{0, 0x000012d4ded48367, 0x7358b29e44067f3e, 0x9135ee49cb8a6ca7,
           0xcdfe68b3e9b665bd}}},
        {1,
         1099511627776,
         {{0, 0xffffffffff000000, 0x00007fffffffffd5, 0x555555555fffffff,
           0xfffdddddddddde38}}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const pvgi_fixed numerator = {{table[i].numerator}};
        const pvgi_fixed z = pvgi_rng_fixed_divide(&numerator, table[i].denominator);
        const pvgi_fixed got = pvgi_rng_fixed_exp_neg(&z);
        PVGT_CHECK(pvgi_rng_fixed_compare(&got, &table[i].value, PVGI_FIXED_EXP_BITS) ==
                       0,
                   "exp(-%llu/%llu)", (unsigned long long)table[i].numerator,
                   (unsigned long long)table[i].denominator);
        /* and the comparison can tell: twice the allowed error is seen */
        pvgi_fixed off = table[i].value;
        off.limb[4] ^= (uint64_t)1 << 20;
        TEST_ASSERT_TRUE(pvgi_rng_fixed_compare(&got, &off, PVGI_FIXED_EXP_BITS) != 0);
    }
}

static void double_exp_keeps_its_error_bound(void) {
    uint64_t state = 11;
    for (int i = 0; i < 200000; i++) {
        const double z = (double)(pvgt_random(&state) >> 11) * 0x1p-53 * 14.5;
        const long double exact = expl(-(long double)z);
        const long double error = fabsl(exp_neg(z) - exact) / exact;
        PVGT_CHECK(error < 0x1p-49L, "z = %a", z);
    }
}

static void flip_thresholds_are_exact(void) {
    static const struct {
        double epsilon;
        uint64_t threshold; /* ceil(2^64 / (1 + e^epsilon)) by mpmath */
    } table[] = {
        {1e-300, 9223372036854775808u},
        {1e-18, 9223372036854775804u},
        {1e-9, 9223372032243089790u},
        {0.1, 8762587358261559759u},
        {0.5, 6964396094736529935u},
        {1.0, 4961093570831980854u},
        {2.0, 2198905795380358826u},
        {4.0, 331787012026708148u},
        {8.0, 6186118031800230u},
        {16.0, 2075907333724u},
        {30.0, 1726177u},
        {40.0, 79u},
        {44.0, 2u},
        {44.3, 2u},
        {44.4, 1u},
        {44.99, 1u},
        {45.0, 1u},
        {50.0, 1u},
        {1e300, 1u},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint64_t got = 0;
        PVGT_OK(pvg_rng_flip_threshold(&got, table[i].epsilon));
        PVGT_CHECK(got == table[i].threshold, "epsilon %g: %llu", table[i].epsilon,
                   (unsigned long long)got);
    }
}

/* --- rare branches of noise.c --------------------------------------------------- */

/* Same bits with and without vector instructions. */
static void vector_code_gives_the_same_bits(void) {
    static proposals a, b;
    pvg_rng *rng = seeded(5);
    pvgi_stream stream;
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int law = 0; law < 5; law++)
        for (int repeat = 0; repeat < 20; repeat++) {
            const shape *form = law % 2 ? &exponential_shape : &normal_shape;
            const sampler s = {.shape = form,
                               .law = (pvgi_noise_law)law,
                               .numerator = 12345,
                               .denominator = 1,
                               .inverse = 1.0 / 12345,
                               .stream = &stream};
            fill(&s, &a, BLOCK - repeat * LANES);
            b = a;
            b.digit = b.words, b.fraction = b.words + b.count;
            b.accept = b.words + 2 * b.count;
            evaluate(&a, form);
            evaluate_portable(&b, form);
            TEST_ASSERT_EQUAL_MEMORY(a.k, b.k, sizeof a.k[0] * (size_t)a.count);
            TEST_ASSERT_EQUAL_MEMORY(a.gap, b.gap, sizeof a.gap[0] * (size_t)a.count);
        }
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* Where doubles are sure, 256 bits agree with them. */
static void both_acceptance_tests_agree(void) {
    static proposals b;
    pvg_rng *rng = seeded(6);
    pvgi_stream stream;
    int accepted = 0;
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int law = 0; law < 3; law++) {
        const shape *form = law == 1 ? &exponential_shape : &normal_shape;
        const sampler s = {.shape = form,
                           .law = (pvgi_noise_law)law,
                           .numerator = 999,
                           .denominator = 1,
                           .inverse = 1.0 / 999,
                           .stream = &stream};
        for (int repeat = 0; repeat < 4; repeat++) {
            fill(&s, &b, BLOCK);
            evaluate(&b, form);
            for (int i = 0; i < BLOCK; i++) {
                pvgi_fixed x;
                const bool slow =
                    settle_accept(&s, b.k[i], b.fraction[i], b.accept[i], &x);
                PVGT_CHECK(slow == (b.gap[i] > 0), "law %d proposal %d gap %g", law, i,
                           b.gap[i]);
                accepted += slow;
            }
        }
    }
    TEST_ASSERT_TRUE(accepted > 1500 && accepted < 2700); /* of 3072 */
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* U and exp(-z) agree in 63 bits and more: the words that follow decide. */
static void undecided_acceptance_reads_further_digits(void) {
    /* exponential shape, x = 1/2 exactly followed by zeros: bound = exp(-1/2) */
    const pvgi_fixed half = {{0, (uint64_t)1 << 63}};
    const pvgi_fixed bound = pvgi_rng_fixed_exp_neg(&half);
    const uint64_t first = bound.limb[1] & ~(uint64_t)1;
    /* U's words after the first: shifted by the sign bit's place */
    const uint64_t next = bound.limb[1] << 63 | bound.limb[2] >> 1;
    const uint64_t third = bound.limb[2] << 63 | bound.limb[3] >> 1;
    for (int step = -1; step <= 1; step += 2)
        for (int depth = 0; depth < 2; depth++) {
            pvgi_stream stream;
            const uint64_t words[] = {0,
                                      0,
                                      0, /* x: its 2nd to 4th word */
                                      depth == 0 ? next + (uint64_t)step : next,
                                      depth == 1 ? third + (uint64_t)step : third,
                                      0};
            preload(&stream, words, 6);
            const sampler s = {.shape = &exponential_shape,
                               .law = PVGI_NOISE_ROUNDED_LAPLACE,
                               .numerator = 1,
                               .denominator = 1,
                               .stream = &stream};
            pvgi_fixed x;
            const bool accept = settle_accept(&s, 0, (uint64_t)1 << 63, first | 1, &x);
            PVGT_CHECK(accept == (step < 0), "step %d depth %d", step, depth);
            TEST_ASSERT_EQUAL_UINT32(48, stream.position);
        }
    /* equal in all 256 bits: redrawn, not guessed */
    pvgi_stream stream;
    const uint64_t words[] = {0,    0,     0,
                              next, third, bound.limb[3] << 63 | bound.limb[4] >> 1};
    preload(&stream, words, 6);
    const sampler s = {.shape = &exponential_shape,
                       .law = PVGI_NOISE_ROUNDED_LAPLACE,
                       .numerator = 1,
                       .denominator = 1,
                       .stream = &stream};
    pvgi_fixed x;
    TEST_ASSERT_FALSE(settle_accept(&s, 0, (uint64_t)1 << 63, first, &x));
}

static void undecided_digits_read_the_second_word(void) {
    const shape *forms[] = {&normal_shape, &exponential_shape};
    for (int f = 0; f < 2; f++)
        for (int j = 0; j < forms[f]->entries; j++) {
            int same = j; /* entries with the same first word, all ones in the tail */
            while (same > 0 && forms[f]->high[same - 1] == forms[f]->high[j]) same--;
            for (int above = 0; above < 2; above++) {
                pvgi_stream stream;
                const uint64_t word = forms[f]->low[j] - (above ? 0 : 1);
                preload(&stream, &word, 1);
                const sampler s = {.shape = forms[f], .stream = &stream};
                PVGT_CHECK(settle_digit(&s, forms[f]->high[j], same) == j + above,
                           "table %d entry %d above %d", f, j, above);
            }
        }
}

/* Inverse of an odd number modulo 2^64, by Newton. */
static uint64_t inverse_of(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static int64_t scale_with(const uint64_t *words, int count, uint64_t p, uint64_t q,
                          int64_t k, uint64_t fraction, bool half, uint32_t *used) {
    pvgi_stream stream;
    preload(&stream, words, count);
    const sampler s = {
        .shape = &exponential_shape, .numerator = p, .denominator = q, .stream = &stream};
    const int64_t value = scale_fraction(&s, k, fraction, half, NULL);
    *used = stream.position / 8;
    return value;
}

static void undecided_rounding_draws_more_digits(void) {
    const uint64_t p = 3, ones = ~(uint64_t)0;
    /* 3 f + 2^63 = all ones modulo 2^64: the next digit decides */
    const uint64_t f = inverse_of(3) * (ones - ((uint64_t)1 << 63));
    const int64_t below =
        (int64_t)(((unsigned __int128)f * 3 + ((uint64_t)1 << 63)) >> 64);
    uint32_t used;
    const uint64_t zero[] = {0}, top[] = {ones};
    const uint64_t third = ones / 3; /* 3 third = all ones again: a further digit */
    const uint64_t stay[] = {third, 0}, go[] = {third, ones};
    const uint64_t deep[] = {third, third, ones};
    TEST_ASSERT_EQUAL_INT64(below, scale_with(zero, 1, p, 1, 0, f, true, &used));
    TEST_ASSERT_EQUAL_UINT32(1, used);
    TEST_ASSERT_EQUAL_INT64(below + 1, scale_with(top, 1, p, 1, 0, f, true, &used));
    TEST_ASSERT_EQUAL_INT64(below, scale_with(stay, 2, p, 1, 0, f, true, &used));
    TEST_ASSERT_EQUAL_UINT32(2, used);
    TEST_ASSERT_EQUAL_INT64(below + 1, scale_with(go, 2, p, 1, 0, f, true, &used));
    TEST_ASSERT_EQUAL_INT64(below + 1, scale_with(deep, 3, p, 1, 0, f, true, &used));
    TEST_ASSERT_EQUAL_UINT32(3, used);
    /* a decided one draws nothing */
    scale_with(zero, 1, p, 1, 0, f + 1, true, &used);
    TEST_ASSERT_EQUAL_UINT32(0, used);
    /* digits drawn by the acceptance test come before the stream's */
    pvgi_stream stream;
    preload(&stream, zero, 1);
    const sampler s = {
        .shape = &exponential_shape, .numerator = 3, .denominator = 1, .stream = &stream};
    const uint64_t drawn[3] = {ones, 0, 0};
    TEST_ASSERT_EQUAL_INT64(below + 1, scale_fraction(&s, 0, f, true, drawn));
    TEST_ASSERT_EQUAL_UINT32(0, stream.position);
}

/* Against 192-bit arithmetic, with scales so large that ambiguity is common. */
static void scaling_equals_wide_arithmetic(void) {
    typedef unsigned __int128 wide;
    uint64_t state = 17;
    int ambiguous = 0;
    for (int i = 0; i < 3000000; i++) {
        const uint64_t p = ((uint64_t)1 << 48) - (uint64_t)pvgt_below(&state, 1 << 20);
        const uint64_t q = i % 2 ? 1 : (uint64_t)pvgt_below(&state, 1000) + 1;
        const uint64_t f = pvgt_random(&state), d = pvgt_random(&state);
        const int64_t k = pvgt_below(&state, 20);
        const bool half = q == 1 && i % 4 == 1;
        uint32_t used;
        const int64_t got = scale_with(&d, 1, p, q, k, f, half, &used);
        /* (k + f/2^64 + d/2^128) p + half, in units of 2^-64, rounded down */
        const wide units = ((wide)(uint64_t)k * p << 64) + (wide)f * p +
                           ((wide)d * p >> 64) + (half ? (uint64_t)1 << 63 : 0);
        const uint64_t exact = (uint64_t)(units >> 64) / q;
        PVGT_CHECK((uint64_t)got == exact, "p=%llu q=%llu k=%lld f=%llx d=%llx",
                   (unsigned long long)p, (unsigned long long)q, (long long)k,
                   (unsigned long long)f, (unsigned long long)d);
        ambiguous += used > 0;
    }
    TEST_ASSERT_GREATER_THAN(10, ambiguous);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(libsodium_starts_when_it_is_safe); /* first: nothing has started it yet */
    RUN_TEST(entropy_failure_is_an_error);
    RUN_TEST(entropy_may_be_interrupted);
    RUN_TEST(keys_come_from_the_device_where_getrandom_is_forbidden);
    RUN_TEST(keys_are_the_systems_whatever_a_host_set);
    RUN_TEST(every_secure_call_takes_a_fresh_key);
    RUN_TEST(parent_and_child_draw_different_noise);
    RUN_TEST(seeds_repeat_and_streams_differ);
    RUN_TEST(expected_values);
    RUN_TEST(streams_read_in_any_pieces);
    RUN_TEST(bad_arguments_are_named);
    RUN_TEST(sure_things_are_sure);
    RUN_TEST(fixed_point_exp_is_right);
    RUN_TEST(double_exp_keeps_its_error_bound);
    RUN_TEST(flip_thresholds_are_exact);
    RUN_TEST(vector_code_gives_the_same_bits);
    RUN_TEST(both_acceptance_tests_agree);
    RUN_TEST(undecided_acceptance_reads_further_digits);
    RUN_TEST(undecided_digits_read_the_second_word);
    RUN_TEST(undecided_rounding_draws_more_digits);
    RUN_TEST(scaling_equals_wide_arithmetic);
    RUN_TEST(key_streams_are_chacha20);
    RUN_TEST(streams_leave_no_trace);
    return pvgt_end(UNITY_END());
}
