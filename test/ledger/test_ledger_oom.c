/* ledger under allocation failure: no state changes, in memory or on the disk. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "ledger_folder.h"
#include "ledger_help.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int32_t make(void *context) {
    const pvg_ledger_config config = budget(1, 1e-6, 0);
    pvg_ledger *ledger = NULL;
    int32_t status = pvg_ledger_new(&ledger, &config);
    TEST_ASSERT_EQUAL((status == PVG_OK), (ledger != NULL));
    pvg_ledger_free(ledger);
    if (status != PVG_OK) return status;
    status = pvg_ledger_create(&ledger, context, &config);
    TEST_ASSERT_EQUAL((status == PVG_OK), (ledger != NULL));
    pvg_ledger_free(ledger);
    if (status == PVG_E_NOMEM) unlink(path); /* the name may be there already */
    return status;
}

static int32_t declare(void *context) {
    pvg_ledger_config config = budget(1, 1e-6, 0);
    pvg_ledger *ledger = NULL;
    config.objects = "friends\nmutag*188";
    unlink(context);
    int32_t status = pvg_ledger_create(&ledger, context, &config);
    pvg_ledger_free(ledger);
    if (status == PVG_OK) status = pvg_ledger_open(&ledger, context);
    TEST_ASSERT_TRUE(status != PVG_OK || ledger->declared_count == 189);
    if (status == PVG_OK) pvg_ledger_free(ledger);
    unlink(context);
    return status;
}

static int32_t open_or_create(void *context) {
    const pvg_ledger_config config = budget(1, 1e-6, 0);
    pvg_ledger *ledger = NULL;
    unlink(context);
    int32_t status = PVG_OK;
    for (int i = 0; i < 2 && status == PVG_OK; i++) { /* makes, then opens */
        status = pvg_ledger_open_or_create(&ledger, context, &config);
        TEST_ASSERT_EQUAL((status == PVG_OK), (ledger != NULL));
        pvg_ledger_free(ledger);
    }
    unlink(context);
    return status;
}

static int32_t reopen(void *context) {
    pvg_ledger *ledger = NULL;
    const int32_t status = pvg_ledger_open(&ledger, context);
    TEST_ASSERT_EQUAL((status == PVG_OK), (ledger != NULL));
    pvg_ledger_free(ledger);
    return status;
}

/* A charge that fails leaves a fresh copy of the ledger as it was. */
typedef struct {
    const pvg_curve *curve;
    bool in_file, dry;
} charge_case;

static int32_t charge_copy(void *context) {
    const charge_case *c = context;
    pvg_ledger *ledger = NULL;
    uint64_t objects[40];
    for (uint64_t i = 0; i < 40; i++) objects[i] = i / 2; /* twice each */
    if (c->in_file) {
        PVGI_TRY(pvg_ledger_open(&ledger, path));
    } else {
        const pvg_ledger_config config = budget(9, 1e-6, PVG_METHOD_RENYI);
        PVGI_TRY(pvg_ledger_new(&ledger, &config));
    }
    const int64_t charges = ledger->charges, count = ledger->count;
    const uint64_t bytes = ledger->journal.bytes, chain = ledger->chain;
    int32_t fit = -1;
    const int32_t status =
        c->dry ? fits_curve(&fit, ledger, objects, 40, PVG_NOTION_EDGE, c->curve)
               : charge_curve(ledger, objects, 40, PVG_NOTION_EDGE, c->curve);
    if (status != PVG_OK || c->dry) {
        TEST_ASSERT_EQUAL_INT64(charges, ledger->charges);
        TEST_ASSERT_EQUAL_INT64(count, ledger->count);
        TEST_ASSERT_EQUAL_UINT64(bytes, ledger->journal.bytes);
        TEST_ASSERT_EQUAL_UINT64(chain, ledger->chain);
        for (int64_t i = 0; i < ledger->count; i++)
            TEST_ASSERT_EQUAL_INT64(0, ledger->entries[i].staged);
    }
    pvg_ledger_free(ledger);
    return status;
}

static int32_t read_out(void *context) {
    pvg_ledger *ledger = context;
    pvg_curve *curve = NULL;
    int64_t charges = -7;
    size_t length = 0;
    double left = -1;
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_ZCDP};
    int32_t status = pvg_ledger_curve(&curve, &charges, ledger, 1);
    if (status != PVG_OK) TEST_ASSERT_EQUAL_INT64(-7, charges);
    TEST_ASSERT_EQUAL((status == PVG_OK), (curve != NULL));
    pvg_curve_free(curve);
    if (status == PVG_OK) status = pvg_ledger_copy_json(NULL, 0, &length, ledger);
    return status == PVG_OK ? pvg_ledger_remaining(&left, ledger, 1, &term) : status;
}

/* Names, a smaller file, an examination: all or nothing, and the ledger goes on. Each try
 * begins with the same file, or names of earlier tries would make it longer for ever. */
static uint8_t saved[1 << 16];
static size_t saved_bytes;

static void save_file(void) {
    FILE *file = fopen(path, "rb");
    saved_bytes = fread(saved, 1, sizeof saved, file);
    fclose(file);
}

static void restore_file(void) {
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_EQUAL_size_t(saved_bytes, fwrite(saved, 1, saved_bytes, file));
    fclose(file);
}

static int32_t keep_names(void *context) {
    pvg_ledger *ledger = NULL;
    pvg_curve *curve = NULL;
    char name[16];
    size_t length;
    const uint64_t object = 1;
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP, .mu = 1e-4};
    restore_file();
    PVGI_TRY(pvg_ledger_open(&ledger, context));
    int32_t status = pvg_ledger_name(ledger, "a name", 2);
    TEST_ASSERT_EQUAL_INT64((status == PVG_OK), ledger->label_count);
    if (status == PVG_OK) status = pvg_ledger_copy_name(name, 16, &length, ledger, 1);
    if (status == PVG_OK) status = pvg_curve_new(&curve, &term);
    if (status == PVG_OK)
        status = charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve);
    pvg_curve_free(curve);
    pvg_ledger_free(ledger);
    return status;
}

static int32_t shorten(void *context) {
    pvg_ledger *ledger = NULL;
    PVGI_TRY(pvg_ledger_open(&ledger, context));
    const int64_t charges = ledger->charges, count = ledger->count;
    const int32_t status = pvg_ledger_compact(ledger);
    TEST_ASSERT_FALSE(ledger->journal.broken);
    TEST_ASSERT_EQUAL_INT64(charges, ledger->charges);
    TEST_ASSERT_EQUAL_INT64(count, ledger->count);
    pvg_ledger_free(ledger);
    return status;
}

static int32_t examine(void *context) {
    int32_t condition = -1;
    size_t length;
    PVGI_TRY(pvg_ledger_verify(NULL, 0, &length, &condition, context));
    TEST_ASSERT_EQUAL_INT32(PVG_LEDGER_WHOLE, condition);
    return pvg_ledger_repair(context, "/nonexistent/copy");
}

static int32_t read_only(void *context) {
    pvg_ledger *ledger = NULL;
    const int32_t status = pvg_ledger_open_readonly(&ledger, context);
    pvg_ledger_free(ledger);
    return status;
}

/* A ledger, its witness, and what was charged, wherever memory ends. */
static int32_t witness(void *context) {
    char name[sizeof path + 16];
    pvg_ledger *ledger = NULL;
    snprintf(name, sizeof name, "%s.witness", path);
    int32_t status = pvg_ledger_open(&ledger, context);
    if (status == PVG_OK) status = pvg_ledger_add_witness(ledger, name);
    pvg_ledger_free(ledger);
    if (status == PVG_OK) status = pvg_ledger_claim(context, NULL);
    return status;
}

static void ledgers_survive_no_memory(void) {
    pvgt_oom_walk("declared objects", declare, path, 8);
    pvgt_oom_walk("open or create", open_or_create, path, 8);
    pvgt_oom_walk("pvg_ledger_new, create", make, path, 6);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_open(&ledger, path));
    PVGT_OK(charge(ledger, 1, gdp(0.01)));
    PVGT_OK(charge(ledger, 50, gdp(0.01)));
    pvgt_oom_walk("reading", read_out, ledger, 5);
    pvg_ledger_free(ledger);
    pvgt_oom_walk("pvg_ledger_open", reopen, path, 8);
    save_file();
    pvgt_oom_walk("pvg_ledger_name", keep_names, path, 10);
    pvgt_oom_walk("pvg_ledger_compact", shorten, path, 10);
    pvgt_oom_walk("pvg_ledger_verify, repair", examine, path, 8);
    pvgt_oom_walk("pvg_ledger_open_readonly", read_only, path, 8);
    pvg_curve *curve = gdp(0.001);
    for (int i = 0; i < 4; i++) {
        charge_case c = {curve, i & 1, i >> 1};
        pvgt_oom_walk("pvg_ledger_charge", charge_copy, &c, 40);
    }
    pvg_curve_free(curve);
    char name[sizeof path + 16];
    snprintf(name, sizeof name, "%s.witness", path);
    pvgt_oom_walk("pvg_ledger_add_witness, claim", witness, path, 20);
    PVGT_OK(pvg_ledger_open(&ledger, path));
    TEST_ASSERT_TRUE(pvg_ledger_object_count(ledger) >= 2);
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_INT(0, unlink(name));
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(ledgers_survive_no_memory);
    return pvgt_end(UNITY_END());
}
