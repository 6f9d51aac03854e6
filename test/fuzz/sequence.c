/* Sequences of public calls; see sequence.h. After each call: a status of the header,
 * none of them without its reason (no entropy, a callback that gave up), nothing made
 * by a failure, no ledger above its budget. Every second sequence runs in a host that
 * traps floating-point exceptions. After each sequence: every block came back,
 * and wiped. */
#include "sequence.h"

#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

enum { SLOTS = 4, CALLS = 200, HELD = 64, SECONDS = 30, CLIP = 1 << 16, FILL = 0x25 };

/* --- faults: memory and entropy ----------------------------------------- */

static const size_t most_at_once = (size_t)1 << 24, most_live = (size_t)1 << 27;
static atomic_long live_blocks, allocations, fail_at, unwiped;
static atomic_size_t live_bytes;
static atomic_int no_entropy, entropy_refusals;

static void *take(void *context, size_t bytes) {
    (void)context;
    const long number = atomic_fetch_add(&allocations, 1) + 1;
    const int full = bytes > most_at_once || atomic_load(&live_bytes) + bytes > most_live;
    void *block = number == atomic_load(&fail_at) || full ? NULL : malloc(bytes);
    if (!block) return NULL;
    const size_t size = malloc_usable_size(block);
    memset(block, FILL, size < CLIP ? size : CLIP);
    atomic_fetch_add(&live_blocks, 1);
    atomic_fetch_add(&live_bytes, size);
    return block;
}

static void give_back(void *context, void *memory) {
    (void)context;
    const unsigned char *block = memory;
    if (!block) return;
    const size_t bytes = malloc_usable_size(memory);
    for (size_t i = 0; i < bytes && i < CLIP; i++) {
        if (block[i] != 0 && block[i] != FILL) {
            atomic_fetch_add(&unwiped, 1);
            break;
        }
    }
    atomic_fetch_sub(&live_blocks, 1);
    atomic_fetch_sub(&live_bytes, bytes);
    free(memory);
}

ssize_t __real_getrandom(void *out, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t bytes, unsigned flags) {
    if (!atomic_load(&no_entropy)) return __real_getrandom(out, bytes, flags);
    errno = ENOSYS;
    return -1;
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...) {
    if (!atomic_load(&no_entropy) || strcmp(path, "/dev/random") != 0)
        return __real_open64(path, flags, 0600);
    atomic_fetch_add(&entropy_refusals, 1);
    errno = ENOENT;
    return -1;
}

/* --- arguments ----------------------------------------- */

uint8_t pvgf_byte(pvgf_source *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->data++;
}

int64_t pvgf_int(pvgf_source *in) {
    static const int64_t ends[] = {-1,        INT32_MAX, INT32_MIN,        INT64_MAX,
                                   INT64_MIN, 1000,      (int64_t)1 << 32, 4096};
    const uint8_t kind = pvgf_byte(in);
    if (kind < 200) return kind % 8;
    if (kind < 244) return pvgf_byte(in) % 128;
    return ends[kind % 8];
}

int64_t pvgf_times(pvgf_source *in) {
    const uint8_t kind = pvgf_byte(in);
    return kind < 248 ? kind % 6 : kind < 252 ? -(int64_t)kind : INT64_MIN;
}

double pvgf_double(pvgf_source *in) {
    static const double values[] = {0,    1,   0.5, 1e-6,   1e-3,  2,  8, 0.9,
                                    0.25, 1e2, 0.1, 1e-300, 1e300, -1, 4, 1e-310};
    const uint8_t kind = pvgf_byte(in);
    uint64_t bits = 0;
    double raw;
    if (kind < 240) return values[kind % (kind < 160 ? 11 : 16)];
    for (int i = 0; i < 8; i++) bits = bits << 8 | pvgf_byte(in);
    memcpy(&raw, &bits, sizeof raw);
    return raw;
}

int64_t pvgf_of(pvgf_source *in, const int64_t *values, size_t count) {
    const uint8_t kind = pvgf_byte(in);
    return kind < 248 ? values[kind % count] : pvgf_int(in);
}

int64_t pvgf_flags(pvgf_source *in, const int64_t *values, size_t count) {
    const uint8_t kind = pvgf_byte(in);
    int64_t all = kind < 250 ? 0 : pvgf_int(in);
    for (size_t i = 0; i < count && i < 8; i++)
        if (kind >> i & 1) all |= values[i];
    return all;
}

static char folder[64];
static char clip[CLIP] = "0 1\n1 2\n2 0\n";
static size_t clip_length = 12;

void pvgf_keep_text(const char *text, size_t length) {
    if (length == 0 || length >= CLIP) return;
    memcpy(clip, text, length);
    clip[length] = 0;
    clip_length = length;
}

static void *hold(void *block);

const char *pvgf_text(pvgf_source *in, int is_path) {
    static const char *const words[] = {"edge",
                                        "edge,triangle",
                                        "path3,star4,cycle5",
                                        "trees:3",
                                        "gcn classes",
                                        "dense classes",
                                        "gcn 3\nrelu\ngcn classes",
                                        "a",
                                        "a:0",
                                        "a:1",
                                        "lastfm-2024",
                                        "treewidth2:2",
                                        "uniform",
                                        "PVG_OK",
                                        "",
                                        "\xff\x01"};
    static const char *const files[] = {"a",     "b", "c.g6",   "d.txt",
                                        "e.mtx", "",  "no/such"};
    char *path;
    const uint8_t kind = pvgf_byte(in);
    if (!is_path && kind < 16) {
        path = hold(malloc(clip_length + 1));
        memcpy(path, clip, clip_length + 1);
        return path;
    }
    if (!is_path) return words[kind % (sizeof words / sizeof words[0])];
    path = hold(malloc(sizeof folder + 16));
    snprintf(path, sizeof folder + 16, "%s/%s", folder, files[kind % 7]);
    return path;
}

const char *pvgf_content(pvgf_source *in, size_t *bytes) {
    static const char *const texts[] = {
        "0 1\n1 2\n2 3\n",
        "# order 6\n0 1\n5 4\n",
        "Bw\nCr\nDhc\n",
        ">>graph6<<Bw\n",
        ":Bf\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n",
        "3 2\n2 3\n1\n1\n",
        "{}",
        "1 0\n0 1\n",
        ""};
    const uint8_t kind = pvgf_byte(in);
    const char *text = kind < 128 ? clip : texts[kind % 10];
    size_t length = kind < 128 ? clip_length : strlen(text);
    if (kind % 16 == 1) length = length * pvgf_byte(in) / 256; /* cut */
    char *copy = hold(malloc(length ? length : 1));
    memcpy(copy, text, length);
    if (kind % 16 == 2 && length > 0) copy[pvgf_int(in) & (int64_t)(length - 1)] ^= 1;
    *bytes = length;
    return copy;
}

/* Blocks of the call under way. */
static void *held[HELD];
static size_t held_count;

static void *hold(void *block) {
    PVGF_CHECK(block && held_count < HELD);
    return held[held_count++] = block;
}

void *pvgf_block(double count, size_t width) {
    if (!(count <= PVGF_PLENTY)) return NULL;
    const size_t bytes = count > 0 ? (size_t)count * width : 0;
    void *block = hold(malloc(bytes ? bytes : 1));
    memset(block, 0, bytes);
    return block;
}

void *pvgf_ints(pvgf_source *in, double count, size_t width, int tame) {
    const uint8_t kind = pvgf_byte(in), step = pvgf_byte(in);
    if (count > PVGF_LARGEST && count != PVGF_PLENTY) return NULL;
    uint8_t *block = pvgf_block(count, width);
    for (size_t i = 0; block && (double)i < count; i++) {
        int64_t value = 0;
        if (kind % 8 < 3)
            value = (int64_t)i;
        else if (kind % 8 < 5)
            value = (int64_t)(i * (size_t)step) % (1 + kind / 32);
        else if (kind % 8 == 5)
            value = (int64_t)(i + step) % 6;
        else if (kind % 8 == 6 && i < 64)
            value = pvgf_int(in);
        if (tame) value = (int64_t)((uint64_t)value % 6);
        if (width == 8)
            memcpy(block + i * 8, &value, 8);
        else if (width == 4)
            memcpy(block + i * 4, &(int32_t){(int32_t)value}, 4);
        else
            block[i] = (uint8_t)value;
    }
    return block;
}

void *pvgf_doubles(pvgf_source *in, double count) {
    const uint8_t kind = pvgf_byte(in), step = pvgf_byte(in);
    if (count > PVGF_LARGEST && count != PVGF_PLENTY) return NULL;
    double *block = pvgf_block(count, sizeof *block);
    for (size_t i = 0; block && (double)i < count; i++) {
        if (kind % 8 < 3)
            block[i] = (double)(i * (size_t)step % 7) / 6;
        else if (kind % 8 < 5)
            block[i] = i % (1 + step % 3) == 0;
        else if (kind % 8 < 7 && i < 64)
            block[i] = pvgf_double(in);
    }
    return block;
}

int64_t pvgf_at(const int64_t *array, double count, double index) {
    return array && index >= 0 && index < count ? array[(size_t)index] : 0;
}

void *pvgf_offer(pvgf_source *in, void *seen, size_t bytes, int out) {
    const uint8_t kind = pvgf_byte(in);
    uint32_t size = (uint32_t)bytes;
    if (kind >= 240) size = kind < 248 ? pvgf_byte(in) : size + 8 * (kind % 4);
    const size_t known = size < bytes ? size : bytes, all = size < 4 ? 4 : size;
    uint8_t *given = hold(malloc(all));
    memset(given, out ? FILL : 0, all);
    if (!out) {
        memset((uint8_t *)seen + known, 0, bytes - known);
        memcpy(given, seen, known);
        if (kind == 255 && size > bytes) given[bytes] = 1;
    }
    memcpy(given, &size, sizeof size);
    return given;
}

static int32_t progress(void *context, double fraction) {
    (void)context;
    return !(fraction >= 0 && fraction <= 1) || pvgf_answer != PVG_OK;
}

const pvg_run *pvgf_run(pvgf_source *in) {
    static const uint64_t limits[] = {0, 0, 1, 1000, 100000, UINT64_MAX};
    const uint8_t kind = pvgf_byte(in);
    if (kind < 128) return NULL;
    pvg_run run = {.size = sizeof run,
                   .threads = kind == 255 ? 300 : kind % 3,
                   .scratch_limit = limits[kind / 3 % 6],
                   .progress = kind & 32 ? progress : NULL,
                   .undated = kind >> 4 & 1};
    return pvgf_offer(in, &run, sizeof run, 0);
}

/* --- objects ----------------------------------------- */

static void *pool[PVGF_ANIMALS][SLOTS];
static void finish(int animal, void *object) {
#define PVGF_FREE(T)                                                                     \
    if (animal == PVGF_##T) T##_free(object);
    PVGT_ANIMALS(PVGF_FREE)
#undef PVGF_FREE
}

void *pvgf_pick(pvgf_source *in, int animal, int or_null) {
    const uint8_t kind = pvgf_byte(in);
    if (or_null && kind < 100) return NULL;
    if (kind == 255) return NULL;
    if (kind == 254) animal = pvgf_byte(in) % PVGF_ANIMALS;
    for (size_t i = 0; i < SLOTS; i++)
        if (pool[animal][(kind + i) % SLOTS]) return pool[animal][(kind + i) % SLOTS];
    return NULL;
}

void pvgf_put(pvgf_source *in, int animal, void *made) {
    if (!made) return;
    void **slot = &pool[animal][pvgf_byte(in) % SLOTS];
    finish(animal, *slot);
    *slot = made;
}

void pvgf_drop(pvgf_source *in, int animal) {
    void **slot = &pool[animal][pvgf_byte(in) % SLOTS];
    void *object = *slot;
    *slot = NULL;
    finish(animal, object);
}

/* --- around a call ----------------------------------------- */

int32_t pvgf_answer;
static const char *current = "";
static size_t which;
static long called[1024], succeeded[1024], sequences;
static uint64_t name_hash[1024];
static long charges_before;
static int entropy_before;

void pvgf_before(const char *name, const pvg_ledger *ledger) {
    current = name;
    called[which]++;
    entropy_before = atomic_load(&entropy_refusals);
    charges_before = ledger ? (long)pvg_ledger_charge_count((pvg_ledger *)ledger) : 0;
}

#define TOLD(condition)                                                                  \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s: status %d\n", current, (int)status);                    \
            PVGF_CHECK(condition);                                                       \
        }                                                                                \
    } while (0)

/* No object of a ledger is above the budget. */
static void check_ledger(pvg_ledger *ledger, int32_t status) {
    pvg_ledger_config budget = {.size = sizeof budget};
    const int64_t count = pvg_ledger_object_count(ledger);
    TOLD(pvg_ledger_copy_config(&budget, ledger) == PVG_OK);
    for (int64_t i = 0; i < count && i < 16; i++) {
        uint64_t object;
        double spent = 0;
        TOLD(pvg_ledger_object_at(&object, ledger, i) == PVG_OK);
        TOLD(pvg_ledger_spent(&spent, ledger, object, budget.delta) == PVG_OK);
        TOLD(spent >= 0 && spent <= budget.epsilon);
    }
}

void pvgf_after(int32_t status, const pvg_ledger *ledger) {
    atomic_store(&fail_at, 0);
    atomic_store(&no_entropy, 0);
    TOLD(status <= PVG_OK && status >= PVG_E_MISSING && status != PVG_E_INTERNAL);
    TOLD(status == PVG_OK || pvg_error_message()[0]);
    TOLD(status != PVG_E_ENTROPY || atomic_load(&entropy_refusals) > entropy_before);
    TOLD(status != PVG_E_CANCELLED || pvgf_answer != PVG_OK);
    succeeded[which] += status == PVG_OK;
    if (!ledger) return;
    const long charges = (long)pvg_ledger_charge_count((pvg_ledger *)ledger);
    if (strcmp(current, "pvg_ledger_charge") == 0)
        TOLD(charges == charges_before || charges == charges_before + 1);
    if (strcmp(current, "pvg_ledger_charge") == 0 && status != PVG_OK)
        TOLD(charges == charges_before || status == PVG_E_IO);
    for (int i = 0; i < SLOTS; i++)
        if (pool[PVGF_pvg_ledger][i]) check_ledger(pool[PVGF_pvg_ledger][i], status);
}

void pvgf_made(int32_t status, const void *made) {
    TOLD(made != PVGF_POISON && (status == PVG_OK || made == NULL));
}

void pvgf_touch(const void *lent, double count, size_t width) {
    if (!lent || !(count > 0) || !(count <= PVGF_PLENTY)) return;
    const volatile uint8_t *bytes = lent;
    (void)bytes[0];
    (void)bytes[(size_t)count * width - 1];
}

/* --- sequences ----------------------------------------- */

/* SIGALRM: what takes so long? */
static void too_long(int number) {
    (void)number;
    const char *parts[] = {"too long: ", current, "\n"};
    for (int i = 0; i < 3; i++)
        if (write(2, parts[i], strlen(parts[i])) < 0) break;
    abort();
}

static void empty_folder(void) {
    DIR *opened = opendir(folder);
    PVGF_CHECK(opened != NULL);
    for (const struct dirent *entry; (entry = readdir(opened));) {
        char path[sizeof folder + 300];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) (void)unlink(path);
    }
    closedir(opened);
}

static void leave(void) {
    long calls = 0, reached = 0, good = 0;
    for (size_t i = 0; i < pvgf_call_count; i++) {
        calls += called[i];
        reached += called[i] > 0;
        good += succeeded[i] > 0;
    }
    fprintf(stderr,
            "%ld sequences, %ld calls, %ld of %zu functions reached, %ld succeeded\n",
            sequences, calls, reached, pvgf_call_count, good);
    if (getenv("PVG_FUZZ_TALK"))
        for (size_t i = 0; i < pvgf_call_count; i++)
            fprintf(stderr, "%8ld %8ld %s\n", called[i], succeeded[i],
                    pvgf_calls[i].name);
    empty_folder();
    rmdir(folder);
}

/* Which function a key means: the one whose name and the key mix to the largest number.
 * A function that is new takes its share of the keys from all others and moves nothing
 * else, so inputs of a corpus keep their meaning. */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void hash_names(void) {
    for (size_t i = 0; i < pvgf_call_count; i++) {
        name_hash[i] = 0xCBF29CE484222325u;
        for (const char *at = pvgf_calls[i].name; *at; at++)
            name_hash[i] = (name_hash[i] ^ (uint8_t)*at) * 0x100000001B3u;
    }
}

static size_t choose(uint64_t key, size_t without) {
    uint64_t largest = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < pvgf_call_count; i++) {
        const uint64_t mixed = mix(name_hash[i] + key * 0x9E3779B97F4A7C15u);
        if (i != without && mixed >= largest) {
            largest = mixed;
            chosen = i;
        }
    }
    return chosen;
}

/* Keys mean the same names in another order, and without one that they do not mean. */
static void check_choice(void) {
    const size_t n = pvgf_call_count;
    size_t meant[1000];
    for (size_t key = 0; key < 1000; key++) {
        meant[key] = choose(key, n);
        PVGF_CHECK(meant[key] == key % n || choose(key, key % n) == meant[key]);
    }
    for (size_t i = 0; i < n / 2; i++) {
        const uint64_t first = name_hash[i];
        name_hash[i] = name_hash[n - 1 - i];
        name_hash[n - 1 - i] = first;
    }
    for (size_t key = 0; key < 1000; key++)
        PVGF_CHECK(choose(key, n) == n - 1 - meant[key]);
    hash_names();
}

static void begin(void) {
    const pvg_allocator mine = {sizeof mine, 0, NULL, take, give_back};
    const char *where = getenv("TMPDIR");
    pvgt_zoo zoo;
    PVGF_CHECK(pvg_allocator_set(&mine) == PVG_OK);
    PVGF_CHECK(pvgf_call_count <= sizeof called / sizeof called[0]);
    hash_names();
    check_choice();
    snprintf(folder, sizeof folder, "%.40s/pvg-fuzz-XXXXXX", where ? where : "/tmp");
    PVGF_CHECK(mkdtemp(folder) != NULL);
    PVGF_CHECK(pvgt_zoo_open(&zoo) == PVG_OK); /* what lives as long as the process */
    pvgt_zoo_close(&zoo);
    signal(SIGALRM, too_long);
    atexit(leave);
}

/* A second ledger, of a budget that is soon spent. */
static void populate(void) {
    const pvg_ledger_config tight = {
        .size = sizeof tight, .notion = PVG_NOTION_EDGE, .epsilon = 2, .delta = 1e-6};
    pvgt_zoo zoo;
    PVGF_CHECK(pvgt_zoo_open(&zoo) == PVG_OK);
#define PVGF_ENTER(T) pool[PVGF_##T][0] = zoo.T;
    PVGT_ANIMALS(PVGF_ENTER)
#undef PVGF_ENTER
    PVGF_CHECK(pvg_ledger_new((pvg_ledger **)&pool[PVGF_pvg_ledger][1], &tight) ==
               PVG_OK);
    PVGF_CHECK(pvg_rng_new_secure((pvg_rng **)&pool[PVGF_pvg_rng][1]) == PVG_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pvgf_source in = {data, size < 4096 ? size : 4096};
    if (sequences++ == 0) begin();
    const long before = atomic_load(&live_blocks);
    clip_length = (size_t)snprintf(clip, sizeof clip, "0 1\n1 2\n2 0\n");
    populate();
    for (int i = 0; i < CALLS && in.left > 0; i++) {
        const uint64_t low = pvgf_byte(&in);
        which = choose(low | (uint64_t)pvgf_byte(&in) << 8, pvgf_call_count);
        const uint8_t fault = pvgf_byte(&in);
        pvgf_answer = fault % 8 == 7 ? PVG_E_CANCELLED : PVG_OK;
        atomic_store(&allocations, 0);
        if (fault >= 224) atomic_store(&fail_at, 1 + pvgf_byte(&in) % 64);
        if (fault / 8 == 27) atomic_store(&no_entropy, 1);
        current = pvgf_calls[which].name;
        alarm(SECONDS);
        if (size % 2) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
        pvgf_calls[which].call(&in);
        fedisableexcept(FE_ALL_EXCEPT);
        alarm(0);
        atomic_store(&fail_at, 0);
        atomic_store(&no_entropy, 0);
        while (held_count > 0) free(held[--held_count]);
    }
    for (int animal = PVGF_ANIMALS; animal-- > 0;) {
        for (int i = 0; i < SLOTS; i++) {
            finish(animal, pool[animal][i]);
            pool[animal][i] = NULL;
        }
    }
    empty_folder();
    PVGF_CHECK(atomic_load(&live_blocks) == before);
    PVGF_CHECK(atomic_load(&unwiped) == 0);
    return 0;
}
