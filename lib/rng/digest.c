/* BLAKE2b of 256 bits (RFC 7693), in parts: what names released values. */
#include "rng_internal.h"

#include <sodium.h>
#include <string.h>

_Static_assert(sizeof(crypto_generichash_state) <= sizeof(pvgi_digest), "room for it");

static crypto_generichash_state *state_of(pvgi_digest *digest) {
    return (crypto_generichash_state *)(void *)digest->state;
}

void pvgi_rng_digest_begin(pvgi_digest *digest) {
    crypto_generichash_init(state_of(digest), NULL, 0, PVGI_DIGEST_BYTES);
}

void pvgi_rng_digest_add(pvgi_digest *digest, const void *bytes, size_t count) {
    crypto_generichash_update(state_of(digest), bytes, count);
}

void pvgi_rng_digest_end(uint8_t out[PVGI_DIGEST_BYTES], pvgi_digest *digest) {
    crypto_generichash_final(state_of(digest), out, PVGI_DIGEST_BYTES);
}
