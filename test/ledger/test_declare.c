/* Ledgers that were made for named objects, and the identity that a file keeps. */
#include "ledger_folder.h"
#include "ledger_help.h"

#include <string.h>
#include <unistd.h>

static const char names[] = "friends\nmutag*3\n\ncolleagues:0";

static pvg_ledger *create(const char *objects) {
    pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    config.objects = objects;
    PVGT_OK(pvg_ledger_create(&ledger, path, &config));
    return ledger;
}

static pvg_ledger *reopen(pvg_ledger *ledger) {
    pvg_ledger_free(ledger);
    ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    return ledger;
}

static void check_declared(pvg_ledger *ledger) {
    static const char *const others[] = {"Friends", "friends ", "friends:1",
                                         "mutag:3", "mutag*3",  "colleague",
                                         "",        "friends\n"};
    double left = -1;
    int32_t fit = -1;
    char json[2000];
    size_t length = 0;
    pvg_ledger_config config = {.size = sizeof config};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const uint64_t object = pvg_ledger_object(others[i]);
        const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_PURE};
        PVGT_FAILS(PVG_E_PRIVACY, "friends", charge(ledger, object, pure(0.01)));
        PVGT_OK(pvg_ledger_remaining(&left, ledger, object, &term));
        TEST_ASSERT_EQUAL_DOUBLE(0, left);
        pvg_curve *curve = pure(0.01);
        PVGT_OK(fits_curve(&fit, ledger, &object, 1, PVG_NOTION_EDGE, curve));
        TEST_ASSERT_EQUAL_INT32(0, fit);
        pvg_curve_free(curve);
    }
    PVGT_FAILS(PVG_E_PRIVACY, "\"Friends\"", pvg_ledger_name(ledger, "Friends", 1));
    PVGT_FAILS(PVG_E_PRIVACY, "4 of that name", pvg_ledger_name(ledger, "mutag", 4));
    PVGT_OK(pvg_ledger_name(ledger, "mutag", 3));
    PVGT_OK(pvg_ledger_copy_json(json, sizeof json, &length, ledger));
    TEST_ASSERT_NOT_NULL(
        strstr(json, "\"declared\":[\"friends\",\"mutag*3\",\"colleagues:0\"]"));
    PVGT_OK(pvg_ledger_copy_config(&config, ledger));
    TEST_ASSERT_EQUAL_STRING(names, config.objects);
}

/* All or none: one name that was not declared is enough. */
static void check_batch(pvg_ledger *ledger) {
    const uint64_t objects[] = {pvg_ledger_object("friends"),
                                pvg_ledger_object("Friends")};
    const int64_t charges = pvg_ledger_charge_count(ledger);
    pvg_curve *curve = pure(0.01);
    PVGT_FAILS(PVG_E_PRIVACY, "made for",
               charge_curve(ledger, objects, 2, PVG_NOTION_EDGE, curve));
    pvg_curve_free(curve);
    TEST_ASSERT_EQUAL_INT64(charges, pvg_ledger_charge_count(ledger));
}

static void only_declared_objects_are_charged(void) {
    static const char *const own[] = {"friends", "friends:0",  "mutag",       "mutag:1",
                                      "mutag:2", "colleagues", "colleagues:0"};
    pvg_ledger *ledger = create(names);
    for (int round = 0; round < 3; round++) {
        check_declared(ledger);
        check_batch(ledger);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            PVGT_OK(charge(ledger, pvg_ledger_object(own[i]), pure(0.01)));
        if (round == 1) PVGT_OK(pvg_ledger_compact(ledger));
        ledger = reopen(ledger);
    }
    pvg_ledger_free(ledger);
}

/* One wrong byte of the first record, anywhere, is repaired; the names stay. */
static void a_repaired_file_keeps_the_names(void) {
    char copy[160];
    uint8_t whole[PVGI_LEDGER_BEGIN + 300];
    pvg_ledger *ledger = create(names);
    uint64_t high, low, h, l;
    PVGT_OK(pvg_ledger_copy_identity(&high, &low, ledger));
    pvg_ledger_free(ledger);
    snprintf(copy, sizeof copy, "%s/copy", folder);
    FILE *file = fopen(path, "rb");
    const size_t bytes = fread(whole, 1, sizeof whole, file);
    fclose(file);
    TEST_ASSERT_LESS_THAN_size_t(sizeof whole, bytes);
    for (size_t at = PVGI_LEDGER_BEGIN; at < bytes; at++) {
        whole[at] ^= 0x20;
        file = fopen(path, "wb");
        TEST_ASSERT_EQUAL_size_t(bytes, fwrite(whole, 1, bytes, file));
        fclose(file);
        whole[at] ^= 0x20;
        PVGT_OK(pvg_ledger_repair(path, copy));
        ledger = NULL;
        PVGT_OK(pvg_ledger_claim(path, NULL)); /* old bytes in a new file are a copy */
        PVGT_OK(pvg_ledger_open(&ledger, path));
        check_batch(ledger);
        PVGT_OK(pvg_ledger_copy_identity(&h, &l, ledger));
        TEST_ASSERT_TRUE(h == high && l == low);
        pvg_ledger_free(ledger);
        unlink(copy);
    }
}

static void texts_that_are_refused(void) {
    static const char *const wrong[][2] = {
        {"", "names no object"},     {"\n\n", "names no object"},
        {"a\tb", "control"},         {"a*0", "0 graphs"},
        {"a*99999999999", "graphs"}, {"a*16777216\nb", "more than"}};
    char longest[PVGI_LEDGER_NAME_MAX + 2];
    pvg_ledger_config config = budget(1, 0, 0);
    pvg_ledger *ledger = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        config.objects = wrong[i][0];
        PVGT_FAILS(PVG_E_ARGUMENT, wrong[i][1], pvg_ledger_new(&ledger, &config));
        TEST_ASSERT_NULL(ledger);
    }
    memset(longest, 'x', sizeof longest);
    longest[PVGI_LEDGER_NAME_MAX + 1] = '\0';
    config.objects = longest;
    PVGT_FAILS(PVG_E_ARGUMENT, "256 bytes", pvg_ledger_new(&ledger, &config));
    longest[PVGI_LEDGER_NAME_MAX] = '\0';
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    PVGT_OK(charge(ledger, pvg_ledger_object(longest), pure(0.5)));
    pvg_ledger_free(ledger);
}

static void identities(void) {
    uint64_t high, low, h, l;
    pvg_ledger *ledger = create(NULL), *other = fresh(1, 0, 0);
    PVGT_OK(pvg_ledger_copy_identity(&high, &low, ledger));
    PVGT_OK(pvg_ledger_copy_identity(&h, &l, other));
    TEST_ASSERT_TRUE((high || low) && (h != high || l != low));
    pvg_ledger_free(other);
    for (int round = 0; round < 3; round++) {
        ledger = reopen(ledger);
        PVGT_OK(pvg_ledger_copy_identity(&h, &l, ledger));
        TEST_ASSERT_TRUE(h == high && l == low);
        PVGT_OK(charge(ledger, 7, pure(0.01)));
        if (round == 0) PVGT_OK(pvg_ledger_compact(ledger));
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "high", pvg_ledger_copy_identity(NULL, &l, ledger));
    PVGT_FAILS(PVG_E_ARGUMENT, "low", pvg_ledger_copy_identity(&h, NULL, ledger));
    PVGT_FAILS(PVG_E_ARGUMENT, "ledger", pvg_ledger_copy_identity(&h, &l, NULL));
    pvg_ledger_free(ledger);
}

/* A file of before there was an identity: it opens, takes any name, and has another
 * identity each time, so that nothing is taken for paid. Compacted, it keeps one. */
static void files_of_before(void) {
    const pvg_ledger_config config = budget(1, 0, 0);
    uint8_t *record = NULL;
    uint8_t start[PVGI_LEDGER_BEGIN] = "pvgledg2";
    size_t bytes = 0;
    uint64_t chain = 0, h[3], l[3];
    PVGT_OK(pvgi_ledger_encode_config(&record, &bytes, &chain, &config));
    for (uint64_t i = 0; i < 2; i++)
        pvgi_ledger_encode_slot(start + PVGI_LEDGER_SLOT_AT * (i + 1), i,
                                PVGI_LEDGER_BEGIN + bytes, chain);
    FILE *file = fopen(path, "wb");
    fwrite(start, 1, sizeof start, file);
    fwrite(record, 1, bytes, file);
    fclose(file);
    pvgi_free(record);
    for (int round = 0; round < 3; round++) {
        pvg_ledger *ledger = NULL;
        PVGT_OK(pvg_ledger_open(&ledger, path));
        PVGT_OK(charge(ledger, pvg_ledger_object("any"), pure(0.01)));
        if (round == 1) PVGT_OK(pvg_ledger_compact(ledger));
        PVGT_OK(pvg_ledger_copy_identity(&h[round], &l[round], ledger));
        pvg_ledger_free(ledger);
    }
    TEST_ASSERT_TRUE(h[0] != h[1] || l[0] != l[1]);
    TEST_ASSERT_TRUE(h[1] == h[2] && l[1] == l[2]);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(only_declared_objects_are_charged);
    RUN_TEST(a_repaired_file_keeps_the_names);
    RUN_TEST(texts_that_are_refused);
    RUN_TEST(identities);
    RUN_TEST(files_of_before);
    return UNITY_END();
}
