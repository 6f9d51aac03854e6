/* The reader of release files. The input is what stands between the magic and the
 * checksum, which is made right, so that what stands behind it is reached; then the
 * digest of the record is made right as well. What is accepted can be looked at. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"
#include "release/release_internal.h"

enum { MOST = 1 << 14 };

static uint8_t file[MOST + 64];

/* Magic before and checksum behind `size` bytes of file + 8; returns the length. */
static size_t seal(size_t size) {
    pvgi_digest digest;
    memcpy(file, "pvgrels1", 8);
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, file, size + 8);
    pvgi_rng_digest_end(file + 8 + size, &digest);
    file[8 + size + PVGI_DIGEST_BYTES] = '\n';
    return 8 + size + PVGI_DIGEST_BYTES + 1;
}

static bool read_file(size_t count) {
    pvg_release *release = NULL;
    const int32_t status = pvgi_release_read(&release, file, count);
    PVGF_CHECK((status == PVG_OK) == (release != NULL));
    PVGF_CHECK(status == PVG_OK || status == PVG_E_FORMAT || status == PVG_E_VERSION);
    if (!release) return false;
    size_t length;
    PVGF_CHECK(pvg_release_loaded(release) == 1);
    PVGF_CHECK(pvg_guarantee_copy_json(NULL, 0, &length,
                                       pvg_release_guarantee(release)) == PVG_OK);
    pvg_release_free(release);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char key[] = "\"digest\": \"blake2b-256:";
    if (size < 8 || size > MOST) return 0;
    memcpy(file + 8, data, size);
    if (read_file(seal(size))) return 0;
    /* the values of another record: give the record their digest */
    uint64_t length = 0;
    for (int i = 0; i < 8; i++) length |= (uint64_t)data[i] << (8 * i);
    if (length > size - 8) return 0;
    uint8_t *at = memmem(file + 16, length, key, sizeof key - 1);
    if (!at || at + sizeof key - 1 + 2 * PVGI_DIGEST_BYTES > file + 16 + length) return 0;
    uint8_t made[PVGI_DIGEST_BYTES];
    pvgi_digest digest;
    pvgi_rng_digest_begin(&digest);
    pvgi_rng_digest_add(&digest, file + 16 + length, size - 8 - length);
    pvgi_rng_digest_end(made, &digest);
    for (int i = 0; i < PVGI_DIGEST_BYTES; i++) {
        static const char digits[] = "0123456789abcdef";
        at[sizeof key - 1 + 2 * i] = (uint8_t)digits[made[i] >> 4];
        at[sizeof key + 2 * i] = (uint8_t)digits[made[i] & 15];
    }
    read_file(seal(size));
    return 0;
}
