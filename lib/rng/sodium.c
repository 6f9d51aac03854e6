/* Where random bits come from: keys by libsodium's system generator, key streams by its
 * ChaCha20 (RFC 8439, from block 0 on), the same bits on every machine.
 *
 * libsodium ends the process where it finds no entropy, in sodium_init() and in every
 * draw; this library ends no process. So getrandom() is asked, each time, whether it
 * would answer (no byte is taken: one system call, .1 to .7 us), and libsodium draws only
 * where it does. Where it does not (a filter of system calls, an old kernel) the key is
 * read from /dev/urandom, as libsodium would, but from a file that is opened for it:
 * libsodium keeps one open, and ends the process once a host has closed it. Neither:
 * PVG_E_ENTROPY. Once per process is not enough: filters come at any moment.
 *
 * sodium_init() chooses the fast code for this machine; without it libsodium has the
 * same bits at a third of the speed. */
#include "rng_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK = 64,
    TWO = 2 * BLOCK,
    EIGHT = 8 * BLOCK,
    USED = 4096 /* bytes of stack in which ChaCha20 leaves its stream, at most */
};

_Static_assert(PVGI_KEY_BYTES == crypto_stream_chacha20_ietf_KEYBYTES, "its key");
_Static_assert(PVGI_NONCE_BYTES == crypto_stream_chacha20_ietf_NONCEBYTES, "its nonce");

/* The generator is asked by name: what a host may have set for its whole process by
 * randombytes_set_implementation() makes no noise here. Its first call chooses its way
 * to the system, without a lock: here. */
static void start_sodium(void) {
    if (sodium_init() >= 0) randombytes_sysrandom_implementation.stir();
}

/* Whether the system answers a getrandom(), so that libsodium may be asked. */
static bool start_if_possible(void) {
    static pthread_once_t sodium_once = PTHREAD_ONCE_INIT;
    int answer;
    do answer = (int)getrandom(NULL, 0, 0);
    while (answer != 0 && errno == EINTR);
    return answer == 0 && pthread_once(&sodium_once, start_sodium) == 0;
}

/* /dev/urandom answers before it has been seeded, /dev/random only afterwards. */
static bool is_seeded(void) {
    struct pollfd random = {.fd = open("/dev/random", O_RDONLY | O_CLOEXEC),
                            .events = POLLIN};
    if (random.fd < 0) return false;
    int ready;
    do ready = poll(&random, 1, -1);
    while (ready < 0 && (errno == EINTR || errno == EAGAIN));
    close(random.fd);
    return ready == 1;
}

static bool read_device(uint8_t key[PVGI_KEY_BYTES]) {
    struct stat kind;
    size_t got = 0;
    if (!is_seeded()) return false;
    const int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (device < 0) return false;
    if (fstat(device, &kind) == 0 && S_ISCHR(kind.st_mode))
        while (got < PVGI_KEY_BYTES) {
            const ssize_t count = read(device, key + got, PVGI_KEY_BYTES - got);
            if (count > 0)
                got += (size_t)count;
            else if (count == 0 || errno != EINTR)
                break;
        }
    close(device);
    return got == PVGI_KEY_BYTES;
}

int32_t pvgi_rng_entropy_key(uint8_t key[PVGI_KEY_BYTES]) {
    if (start_if_possible()) {
        randombytes_sysrandom_implementation.buf(key, PVGI_KEY_BYTES);
        return PVG_OK;
    }
    if (read_device(key)) return PVG_OK;
    pvgi_wipe(key, PVGI_KEY_BYTES);
    return pvgi_fail(PVG_E_ENTROPY, "rng: the operating system gave no random key");
}

void pvgi_rng_start(void) {
    (void)start_if_possible();
}

/* libsodium makes eight blocks in about the time of two: a rest of more than two becomes
 * eight, of which a part is thrown away. */
void pvgi_rng_chacha(uint8_t *out, size_t bytes, const uint8_t nonce[PVGI_NONCE_BYTES],
                     const uint8_t key[PVGI_KEY_BYTES]) {
    const size_t rest = bytes % EIGHT > TWO ? bytes % EIGHT : 0, first = bytes - rest;
    if (first > 0) crypto_stream_chacha20_ietf(out, first, nonce, key);
    if (rest > 0) {
        uint8_t last[EIGHT] = {0};
        crypto_stream_chacha20_ietf_xor_ic(last, last, EIGHT, nonce,
                                           (uint32_t)(first / BLOCK), key);
        memcpy(out + first, last, rest);
        pvgi_wipe(last, sizeof last);
    }
    sodium_stackzero(USED);
}
