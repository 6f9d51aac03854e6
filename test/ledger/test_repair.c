/* ledger files that are read by people, made small, and repaired: names,
 * pvg_ledger_compact, pvg_ledger_verify, pvg_ledger_repair. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pvg_ledger *create(double epsilon) {
    const pvg_ledger_config config = budget(epsilon, 1e-6, 0);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    return ledger;
}

static pvg_ledger *reopen(pvg_ledger *ledger) {
    pvg_ledger_free(ledger);
    ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    return ledger;
}

static const char *name_of(pvg_ledger *ledger, const char *name) {
    static char text[300];
    size_t length = 0;
    PVGT_OK(pvg_ledger_copy_name(text, sizeof text, &length, ledger,
                                 pvg_ledger_object(name)));
    TEST_ASSERT_EQUAL_size_t(strlen(text), length);
    return text;
}

/* --- names ---------------------------------------------------------------------- */

static void check_names(pvg_ledger *ledger) {
    TEST_ASSERT_EQUAL_STRING("lastfm", name_of(ledger, "lastfm"));
    TEST_ASSERT_EQUAL_STRING("mols", name_of(ledger, "mols:0"));
    TEST_ASSERT_EQUAL_STRING("mols:6", name_of(ledger, "mols:6"));
    TEST_ASSERT_EQUAL_STRING("", name_of(ledger, "mols:7")); /* not of the set */
    TEST_ASSERT_EQUAL_STRING("", name_of(ledger, "nobody"));
    PVGT_FAILS(PVG_E_BUDGET, "\"mols:6\"",
               charge(ledger, pvg_ledger_object("mols:6"), pure(9)));
}

static void names_are_kept(void) {
    pvg_ledger *ledger = create(4);
    PVGT_OK(pvg_ledger_name(ledger, "lastfm:0", 1));
    PVGT_OK(charge(ledger, pvg_ledger_object("lastfm"), pure(0.1)));
    PVGT_OK(charge(ledger, pvg_ledger_object("mols"), pure(0.1)));
    PVGT_OK(charge(ledger, pvg_ledger_object("mols:6"), gdp(0.1)));
    TEST_ASSERT_EQUAL_STRING("", name_of(ledger, "mols"));
    PVGT_OK(pvg_ledger_name(ledger, "mols", 3));
    TEST_ASSERT_EQUAL_STRING("", name_of(ledger, "mols:6"));
    PVGT_OK(pvg_ledger_name(ledger, "mols", 7)); /* the set has grown */
    PVGT_OK(charge(ledger, pvg_ledger_object("mols:7"), pure(0.1)));
    check_names(ledger);
    const uint64_t bytes = ledger->journal.bytes;
    PVGT_OK(pvg_ledger_name(ledger, "mols", 2)); /* known */
    PVGT_OK(pvg_ledger_name(ledger, "refused", 1));
    PVGT_FAILS(PVG_E_BUDGET, "\"refused\"",
               charge(ledger, pvg_ledger_object("refused"), pure(9)));
    TEST_ASSERT_EQUAL_UINT64(bytes, ledger->journal.bytes); /* a refusal writes nothing */
    ledger = reopen(ledger);
    check_names(ledger);
    char json[2000];
    size_t length = 0;
    PVGT_OK(pvg_ledger_copy_json(json, sizeof json, &length, ledger));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"name\":\"lastfm\""));
    TEST_ASSERT_EQUAL_INT64(4, pvg_ledger_charge_count(ledger)); /* names cost nothing */
    pvg_ledger_free(ledger);
    unlink(path);
}

/* A refused first charge takes its entry away again: the next one is named all the same.
 */
static void names_after_a_refusal(void) {
    pvg_ledger *ledger = fresh(1, 0, 0);
    PVGT_OK(pvg_ledger_name(ledger, "a", 1));
    PVGT_OK(pvg_ledger_name(ledger, "b", 1));
    PVGT_FAILS(PVG_E_BUDGET, "\"a\"", charge(ledger, pvg_ledger_object("a"), pure(2)));
    PVGT_OK(charge(ledger, pvg_ledger_object("b"), pure(0.5)));
    TEST_ASSERT_EQUAL_STRING("b", name_of(ledger, "b"));
    PVGT_FAILS(PVG_E_BUDGET, "\"b\"", charge(ledger, pvg_ledger_object("b"), pure(2)));
    PVGT_FAILS(PVG_E_ARGUMENT, "0 bytes", pvg_ledger_name(ledger, "", 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "control", pvg_ledger_name(ledger, "a\nb", 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "count", pvg_ledger_name(ledger, "a", 0));
    char longest[257];
    memset(longest, 'x', 256);
    longest[256] = '\0';
    PVGT_FAILS(PVG_E_ARGUMENT, "256 bytes", pvg_ledger_name(ledger, longest, 1));
    longest[255] = '\0';
    PVGT_OK(pvg_ledger_name(ledger, longest, PVG_LEDGER_BATCH_MAX));
    pvg_ledger_free(ledger);
}

/* --- compaction ----------------------------------------------------------------- */

static uint64_t state;

static double draw(void) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (double)(state >> 11) * 0x1p-53;
}

static pvg_curve *some_curve(void) {
    const double size = 0.001 + 0.01 * draw();
    switch ((int)(5 * draw())) {
    case 0:
        return pure(size);
    case 1:
        return gdp(size);
    case 2:
        return zcdp(size * size);
    case 3:
        return curve_of(
            (pvg_curve_term){.kind = PVG_CURVE_TCDP, .rho = size * size, .omega = 50});
    }
    return curve_of((pvg_curve_term){.kind = PVG_CURVE_SAMPLED,
                                     .rate = draw() < 0.5 ? 0.01 : 0.02,
                                     .mu = 0.4,
                                     .steps = 3});
}

/* The same charges to both; the same answers from both. */
static void spend_both(pvg_ledger *a, pvg_ledger *b, int charges) {
    for (int i = 0; i < charges; i++) {
        pvg_curve *curve = some_curve();
        const uint64_t objects[] = {(uint64_t)(6 * draw()), (uint64_t)(6 * draw())};
        const int32_t x = charge_curve(a, objects, 2, PVG_NOTION_EDGE, curve);
        TEST_ASSERT_EQUAL_INT32(x, charge_curve(b, objects, 2, PVG_NOTION_EDGE, curve));
        pvg_curve_free(curve);
    }
}

static void check_same(pvg_ledger *a, pvg_ledger *b) {
    static char json[2][8000];
    size_t length;
    PVGT_OK(pvg_ledger_copy_json(json[0], sizeof json[0], &length, a));
    PVGT_OK(pvg_ledger_copy_json(json[1], sizeof json[1], &length, b));
    TEST_ASSERT_EQUAL_STRING(json[0], json[1]);
    for (uint64_t object = 0; object < 6; object += 5) {
        const pvg_curve_term terms[] = {{.size = sizeof terms[0], .kind = PVG_CURVE_PURE},
                                        {.size = sizeof terms[0], .kind = PVG_CURVE_GDP}};
        for (int k = 0; k < 2; k++) {
            double x = -1, y = -2;
            PVGT_OK(pvg_ledger_remaining(&x, a, object, &terms[k]));
            PVGT_OK(pvg_ledger_remaining(&y, b, object, &terms[k]));
            TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
        }
        const double x = spent(a, object, 1e-9), y = spent(b, object, 1e-9);
        TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
    }
}

static void a_compacted_file_answers_the_same(void) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        state = seed;
        pvg_ledger *ledger = create(2), *twin = fresh(2, 1e-6, 0);
        struct stat before, after;
        PVGT_OK(pvg_ledger_compact(ledger)); /* nothing in it */
        PVGT_OK(pvg_ledger_compact(twin));   /* in memory: nothing to do */
        PVGT_OK(pvg_ledger_name(ledger, "x", 5));
        PVGT_OK(pvg_ledger_name(twin, "x", 5));
        spend_both(ledger, twin, 100);
        TEST_ASSERT_EQUAL_INT(0, stat(path, &before));
        PVGT_OK(pvg_ledger_compact(ledger));
        TEST_ASSERT_EQUAL_INT(0, stat(path, &after));
        TEST_ASSERT_TRUE(after.st_size - PVGI_LEDGER_BEGIN <
                         (before.st_size - PVGI_LEDGER_BEGIN) / 2);
        TEST_ASSERT_EQUAL_INT(before.st_mode, after.st_mode);
        check_same(ledger, twin);
        spend_both(ledger, twin, 10); /* the same handle goes on */
        ledger = reopen(ledger);
        check_same(ledger, twin);
        spend_both(ledger, twin, 10);
        PVGT_OK(pvg_ledger_compact(ledger)); /* once more */
        ledger = reopen(ledger);
        spend_both(ledger, twin, 10);
        check_same(ledger, twin);
        pvg_ledger *second = NULL;
        PVGT_FAILS(PVG_E_BUSY, "in use", pvg_ledger_open(&second, path));
        pvg_ledger_free(ledger);
        pvg_ledger_free(twin);
        unlink(path);
    }
}

/* Replaced behind its back: the new file would hide the other one's charges. */
static void a_replaced_file_is_not_compacted(void) {
    char other[600];
    pvg_ledger *ledger = create(2);
    snprintf(other, sizeof other, "%s.other", path);
    TEST_ASSERT_EQUAL_INT(0, rename(path, other));
    PVGT_FAILS(PVG_E_IO, "replaced", pvg_ledger_compact(ledger));
    TEST_ASSERT_EQUAL_INT(-1, access(path, F_OK));
    pvg_ledger_free(ledger);
    unlink(other);
}

/* --- repairing -------------------------------------------------------------------- */

static uint8_t whole[16384], wrong[16384];
static size_t bytes_whole;
static char said[4000], copy_path[600], json_whole[4000];

static void make_whole(void) {
    size_t length;
    pvg_ledger *ledger = create(4);
    PVGT_OK(pvg_ledger_name(ledger, "lastfm", 1));
    PVGT_OK(charge(ledger, pvg_ledger_object("lastfm"), pure(0.1)));
    PVGT_OK(charge(ledger, 7, gdp(0.1)));
    const uint64_t batch[] = {1, 2, 3};
    pvg_curve *small = zcdp(0.01);
    PVGT_OK(charge_curve(ledger, batch, 3, PVG_NOTION_EDGE, small));
    pvg_curve_free(small);
    PVGT_OK(pvg_ledger_copy_json(json_whole, sizeof json_whole, &length, ledger));
    pvg_ledger_free(ledger);
    FILE *file = fopen(path, "rb");
    bytes_whole = fread(whole, 1, sizeof whole, file);
    fclose(file);
    TEST_ASSERT_TRUE(bytes_whole < sizeof whole);
    snprintf(copy_path, sizeof copy_path, "%s.damaged", path);
}

static void write_file(const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_EQUAL_size_t(count, fwrite(bytes, 1, count, file));
    fclose(file);
}

/* The whole file again, in whatever file the path leads to now: not as a copy. */
static void write_whole(void) {
    pvgi_io_journal journal;
    pvgi_io_place place;
    uint8_t *content;
    size_t count;
    write_file(whole, bytes_whole);
    PVGT_OK(pvgi_io_journal_open(&journal, &content, &count, path, true));
    PVGT_OK(pvgi_io_journal_place(&place, &journal));
    pvgi_io_journal_close(&journal, true);
    pvgi_free(content);
    pvgi_ledger_stamp(whole, &place);
    write_file(whole, bytes_whole);
}

static void check_file(const char *name, const uint8_t *bytes, size_t count) {
    static uint8_t read[16384];
    FILE *file = fopen(name, "rb");
    TEST_ASSERT_NOT_NULL(file);
    TEST_ASSERT_EQUAL_size_t(count, fread(read, 1, sizeof read, file));
    fclose(file);
    TEST_ASSERT_EQUAL_MEMORY(bytes, read, count);
}

static int32_t verify(void) {
    int32_t condition = -1;
    size_t length;
    PVGT_OK(pvg_ledger_verify(said, sizeof said, &length, &condition, path));
    return condition;
}

static void check_opens_as_whole(const char *about) {
    char json[4000];
    size_t length;
    pvg_ledger *ledger = NULL;
    TEST_ASSERT_EQUAL_INT32_MESSAGE(PVG_OK, pvg_ledger_open(&ledger, path), about);
    PVGT_OK(pvg_ledger_copy_json(json, sizeof json, &length, ledger));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(json_whole, json, about);
    pvg_ledger_free(ledger);
}

/* Every byte that matters, damaged alone: it is repaired, and no charge is forgotten. */
static void one_damaged_byte_is_repaired(void) {
    make_whole();
    state = 5;
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_WHOLE, verify());
    PVGT_OK(pvg_ledger_repair(path, copy_path)); /* nothing to do, no copy */
    TEST_ASSERT_EQUAL_INT(-1, access(copy_path, F_OK));
    for (size_t at = 0; at < bytes_whole; at++) {
        char about[60];
        const bool named =
            (at >= PVGI_LEDGER_IDENTITY_AT && at < PVGI_LEDGER_SLOT_AT - 1024 &&
             at % PVGI_LEDGER_IDENTITY_AT < PVGI_LEDGER_IDENTITY);
        const bool slot = at >= PVGI_LEDGER_SLOT_AT && at < PVGI_LEDGER_BEGIN &&
                          at % PVGI_LEDGER_SLOT_AT < PVGI_LEDGER_SLOT;
        if (at >= PVGI_LEDGER_MAGIC && at < PVGI_LEDGER_BEGIN && !slot && !named)
            continue; /* zeros that nobody reads */
        if (at > PVGI_LEDGER_MAGIC && !getenv("PVG_SOAK") && draw() < 0.8) continue;
        snprintf(about, sizeof about, "byte %zu", at);
        write_whole();
        memcpy(wrong, whole, bytes_whole);
        wrong[at] ^= (uint8_t)(1 + (int)(255 * draw()));
        write_file(wrong, bytes_whole);
        const int32_t condition = verify();
        if (slot) {
            /* one acknowledgement of two: opening writes it again */
            TEST_ASSERT_EQUAL_INT32_MESSAGE(PVG_LEDGER_TORN, condition, about);
            check_opens_as_whole(about);
            continue;
        }
        TEST_ASSERT_EQUAL_INT32_MESSAGE(PVG_LEDGER_REPAIRABLE, condition, said);
        check_file(path, wrong, bytes_whole); /* verify changes nothing */
        TEST_ASSERT_EQUAL_INT32_MESSAGE(PVG_OK, pvg_ledger_repair(path, copy_path),
                                        about);
        check_file(copy_path, wrong, bytes_whole);
        check_opens_as_whole(about);
        TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_WHOLE, verify());
        unlink(copy_path);
    }
    unlink(path);
}

static void both_acknowledgements_are_written_anew(void) {
    make_whole();
    memcpy(wrong, whole, bytes_whole);
    wrong[PVGI_LEDGER_SLOT_AT] ^= 1;
    wrong[2 * PVGI_LEDGER_SLOT_AT + 3] ^= 1;
    write_file(wrong, bytes_whole);
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_REPAIRABLE, verify());
    PVGT_OK(pvg_ledger_repair(path, copy_path));
    check_opens_as_whole("both");
    unlink(copy_path);
    /* with an end that is not whole it is unknown whether that was acknowledged */
    write_file(wrong, bytes_whole - 1);
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_LOST, verify());
    unlink(path);
}

static void what_is_lost_stays_as_it_is(void) {
    make_whole();
    for (int kind = 0; kind < 4; kind++) {
        size_t count = bytes_whole;
        memcpy(wrong, whole, bytes_whole);
        if (kind == 0) wrong[bytes_whole - 20] ^= 1, wrong[bytes_whole - 60] ^= 1;
        if (kind == 1) count -= 30; /* the end is missing */
        if (kind == 2) memset(wrong + PVGI_LEDGER_BEGIN + 20, 0x55, 9);
        if (kind == 3) memset(wrong, 'x', 8);
        write_file(wrong, count);
        TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_LOST, verify());
        PVGT_FAILS(PVG_E_FORMAT, "without forgetting",
                   pvg_ledger_repair(path, copy_path));
        check_file(path, wrong, count);
        TEST_ASSERT_EQUAL_INT(-1, access(copy_path, F_OK));
    }
    unlink(path);
    PVGT_FAILS(PVG_E_MISSING, "cannot open", pvg_ledger_repair(path, copy_path));
}

/* A copy that is there already is not written over, and then nothing is repaired. */
static void a_copy_is_never_replaced(void) {
    make_whole();
    memcpy(wrong, whole, bytes_whole);
    wrong[bytes_whole - 30] ^= 4;
    write_file(wrong, bytes_whole);
    FILE *file = fopen(copy_path, "wb");
    fclose(file);
    PVGT_FAILS(PVG_E_IO, "create", pvg_ledger_repair(path, copy_path));
    check_file(path, wrong, bytes_whole);
    unlink(copy_path);
    unlink(path);
}

static void what_opening_drops_is_told(void) {
    make_whole();
    memcpy(wrong, whole, bytes_whole);
    memset(wrong + bytes_whole, 7, 40);
    write_file(wrong, bytes_whole + 40);
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_TORN, verify());
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_EQUAL_INT64(40, pvg_ledger_torn_bytes(ledger));
    ledger = reopen(ledger);
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_torn_bytes(ledger));
    pvg_ledger_free(ledger);
    unlink(path);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(names_are_kept);
    RUN_TEST(names_after_a_refusal);
    RUN_TEST(a_compacted_file_answers_the_same);
    RUN_TEST(a_replaced_file_is_not_compacted);
    RUN_TEST(one_damaged_byte_is_repaired);
    RUN_TEST(both_acknowledgements_are_written_anew);
    RUN_TEST(what_is_lost_stays_as_it_is);
    RUN_TEST(a_copy_is_never_replaced);
    RUN_TEST(what_opening_drops_is_told);
    return pvgt_end(UNITY_END());
}
