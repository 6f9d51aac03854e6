/* Random words for one call: ChaCha20 keystream under key erasure.
 *
 * Each refill makes 32 + m bytes of keystream; the first 32 become the next key and the
 * old key is overwritten, so what was drawn cannot be recomputed from memory seen later.
 * A secure call starts from 32 fresh bytes of the system and ends by wiping everything:
 * no state outlives a call, hence nothing to duplicate by fork or snapshot. Cost: about
 * .8 to 1.8 us per call plus the keystream. */
#include "rng_internal.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_REFILL = 480 };

static uint64_t load_little(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static void store_little(uint8_t *bytes, uint64_t word) {
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(word >> (8 * i));
}

void pvgi_rng_seed_key(uint8_t key[PVGI_KEY_BYTES], uint64_t seed) {
    pvgi_rng_start();
    memcpy(key, "libprivgraph: seeded, not secret", PVGI_KEY_BYTES);
    store_little(key, seed);
}

void pvgi_rng_key_derive(uint8_t child[PVGI_KEY_BYTES],
                         const uint8_t parent[PVGI_KEY_BYTES], uint32_t domain,
                         uint64_t number) {
    uint8_t nonce[PVGI_NONCE_BYTES] = {0};
    nonce[0] = (uint8_t)domain;
    store_little(nonce + 4, number);
    pvgi_rng_chacha(child, PVGI_KEY_BYTES, nonce, parent);
}

static void start(pvgi_stream *stream) {
    stream->position = stream->filled = 0;
    stream->refill = FIRST_REFILL;
}

int32_t pvgi_rng_stream_open(pvgi_stream *stream, pvg_rng *rng) {
    start(stream);
    if (rng->secure) return pvgi_rng_entropy_key(stream->key);
    pvgi_rng_key_derive(stream->key, rng->key, PVGI_DOMAIN_CALL, rng->calls++);
    return PVG_OK;
}

void pvgi_rng_stream_open_chunk(pvgi_stream *stream, const pvgi_stream *call,
                                uint64_t chunk) {
    pvgi_rng_key_derive(stream->key, call->key, PVGI_DOMAIN_CHUNK, chunk);
    start(stream);
}

void pvgi_rng_stream_close(pvgi_stream *stream) {
    /* a later refill is never shorter, so nothing was written beyond `filled` */
    const size_t used =
        stream->filled < PVGI_STREAM_BYTES ? stream->filled : PVGI_STREAM_BYTES;
    pvgi_wipe(stream, offsetof(pvgi_stream, buffer) + used);
}

/* bytes of keystream under the current key (domain zero), then the key is replaced by the
 * first 32 of them. */
static void advance(pvgi_stream *stream, uint8_t *out, size_t bytes) {
    const uint8_t nonce[PVGI_NONCE_BYTES] = {0};
    pvgi_rng_chacha(out, bytes, nonce, stream->key);
    memcpy(stream->key, out, PVGI_KEY_BYTES);
    pvgi_wipe(out, PVGI_KEY_BYTES);
}

static void refill(pvgi_stream *stream) {
    advance(stream, stream->buffer, PVGI_KEY_BYTES + stream->refill);
    stream->position = PVGI_KEY_BYTES;
    stream->filled = PVGI_KEY_BYTES + stream->refill;
    stream->refill = PVGI_STREAM_BYTES - PVGI_KEY_BYTES;
}

uint64_t pvgi_rng_stream_word(pvgi_stream *stream) {
    if (stream->filled - stream->position < 8) refill(stream);
    uint8_t *bytes = stream->buffer + stream->position;
    const uint64_t word = load_little(bytes);
    memset(bytes, 0, 8); /* erased on reading; close wipes what the compiler keeps */
    stream->position += 8;
    return word;
}

void pvgi_rng_stream_bytes(pvgi_stream *stream, void *out, size_t bytes) {
    uint8_t *next = out;
    while (bytes > 0) {
        if (stream->position == stream->filled) refill(stream);
        size_t count = stream->filled - stream->position;
        if (count > bytes) count = bytes;
        memcpy(next, stream->buffer + stream->position, count);
        memset(stream->buffer + stream->position, 0, count);
        stream->position += (uint32_t)count;
        next += count;
        bytes -= count;
    }
}

void pvgi_rng_stream_block(pvgi_stream *stream, void *scratch, size_t words) {
    advance(stream, scratch, PVGI_KEY_BYTES + 8 * words);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t *word = (uint64_t *)((uint8_t *)scratch + PVGI_KEY_BYTES);
    for (size_t i = 0; i < words; i++) word[i] = __builtin_bswap64(word[i]);
#endif
}
