/* The door: whatever is drawn, a refusal costs nothing. Every kind of draw meets scratch
 * limits, failing allocations and a progress function that stops it; a ledger stands by.
 */
#include "entries.h" /* from inside: handles here may never have left the library */
#include "handles.h"

#include "door_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_ledger *ledger_for(int kind) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = notion_of(kind), .epsilon = 1000, .delta = 0.01};
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

/* A limit is met before anything is paid, or not at all; and what it does depends on
 * nothing private: the same for two graphs of the same order. */
static void scratch_limits_cost_nothing_and_tell_nothing(void) {
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        pvg_ledger *ledger = ledger_for(kind);
        int64_t charges = 0;
        int refused = 0;
        for (uint64_t limit = 1; limit < UINT64_C(1) << 40; limit += 1 + limit / 3) {
            const pvg_run run = {.size = sizeof run, .scratch_limit = limit};
            int32_t status[2];
            /* lengths of lists are public where lists keep them */
            const int graphs = notion_of(kind) == PVG_NOTION_EDGE_SET_LDP ? 1 : 2;
            for (int which = 0; which < graphs; which++) {
                pvg_release *release = NULL;
                status[which] = draw(&release, &w, kind, which, ledger, &run);
                PVGT_CHECK(status[which] == PVG_OK || status[which] == PVG_E_LIMIT,
                           "kind %d, limit %llu: %s", kind, (unsigned long long)limit,
                           pvg_error_message());
                charges += status[which] == PVG_OK;
                refused += status[which] != PVG_OK;
                PVGT_CHECK(pvg_ledger_charge_count(ledger) == charges,
                           "kind %d, limit %llu: paid for nothing", kind,
                           (unsigned long long)limit);
                pvg_release_free(release);
            }
            PVGT_CHECK(graphs == 1 || status[0] == status[1],
                       "kind %d: limit %llu tells edges", kind,
                       (unsigned long long)limit);
        }
        TEST_ASSERT_TRUE(charges > 0);
        PVGT_CHECK(refused > 0 || (kind != EMBEDDING && kind != PROPAGATION),
                   "kind %d takes any limit", kind);
        pvg_ledger_free(ledger);
    }
    free_world(&w);
}

typedef struct {
    const world *w;
    int kind;
} oom;

static int32_t draw_without_memory(void *context) {
    const oom *c = context;
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = notion_of(c->kind),
                                      .epsilon = 1000,
                                      .delta = 0.01};
    pvg_ledger *ledger = NULL;
    pvg_release *release = NULL;
    int32_t status = pvg_ledger_new(&ledger, &config);
    if (status != PVG_OK) return status;
    status = draw(&release, c->w, c->kind, 1, ledger, NULL);
    TEST_ASSERT_EQUAL(status == PVG_OK, release != NULL);
    const int64_t charges = pvg_ledger_charge_count(ledger);
    TEST_ASSERT_TRUE(charges == 1 || (charges == 0 && status != PVG_OK));
    pvg_release_free(release);
    pvg_ledger_free(ledger);
    return status; /* PVG_OK or PVG_E_NOMEM: the walk insists on it */
}

/* Memory that fails is one of the listed failures, and no other comes of it. */
static void failing_allocations(void) {
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        oom c = {&w, kind};
        pvgt_oom_walk("draw", draw_without_memory, &c, 5);
    }
    free_world(&w);
}

typedef struct {
    const char *bytes;
    size_t count;
} file_bytes;

static int32_t read_without_memory(void *context) {
    const file_bytes *f = context;
    pvg_release *release = NULL;
    const int32_t status =
        pvgi_release_read(&release, (const uint8_t *)f->bytes, f->count);
    TEST_ASSERT_EQUAL(status == PVG_OK, release != NULL);
    pvg_release_free(release);
    return status;
}

static char *bytes_of(const char *path, size_t *count);

static void files_without_memory(void) {
    const char *path = "door_oom.release";
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        pvg_ledger *ledger = ledger_for(kind);
        pvg_release *release = NULL;
        PVGT_OK(draw(&release, &w, kind, 1, ledger, NULL));
        PVGT_OK(pvg_release_save(path, release));
        file_bytes f;
        char *bytes = bytes_of(path, &f.count);
        f.bytes = bytes;
        pvgt_oom_walk("load", read_without_memory, &f, 3);
        free(bytes);
        pvg_release_free(release);
        pvg_ledger_free(ledger);
    }
    remove(path);
    free_world(&w);
}

/* Whether the record of one release is that of the values of another. */
static bool holds(const pvg_release *record, const pvg_release *other) {
    const pvgi_content *c = &other->content;
    const pvg_released values = {.size = sizeof values,
                                 .rows = c->rows,
                                 .columns = c->columns,
                                 .values = c->values,
                                 .graph = c->graph,
                                 .set = c->set,
                                 .features = c->features,
                                 .labels = c->labels,
                                 .users = c->lists ? c->lists->order : 0,
                                 .offsets = c->lists ? c->lists->offsets : NULL,
                                 .targets = c->lists ? c->lists->targets : NULL};
    int32_t same = -1;
    PVGT_OK(pvg_release_verify(&same, pvg_release_guarantee(record), &values));
    return same == 1;
}

/* Values and their record belong together, and no other values do. */
static void digests_name_values(void) {
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        pvg_release *release[2] = {NULL, NULL};
        uint64_t high[2], low[2];
        for (int i = 0; i < 2; i++) {
            PVGT_OK(draw(&release[i], &w, kind, 1, NULL, NULL));
            PVGT_OK(pvg_guarantee_copy_id(&high[i], &low[i],
                                          pvg_release_guarantee(release[i])));
        }
        TEST_ASSERT_TRUE(high[0] != high[1] || low[0] != low[1]);
        TEST_ASSERT_TRUE(holds(release[0], release[0]));
        /* small releases may come out twice, but not always */
        const pvgi_content *c = &release[0]->content;
        const bool few = c->values && c->rows * c->columns < 8;
        for (int tries = 0; tries < 64 && !few && holds(release[0], release[1]);
             tries++) {
            PVGT_CHECK(tries < 63, "kind %d", kind);
            pvg_release_free(release[1]);
            PVGT_OK(draw(&release[1], &w, kind, 1, NULL, NULL));
        }
        /* a draw that stands twice counts once; two draws add up */
        const pvg_guarantee *twice[2] = {pvg_release_guarantee(release[0]),
                                         pvg_release_guarantee(release[0])};
        const pvg_guarantee *both[2] = {twice[0], pvg_release_guarantee(release[1])};
        pvg_curve *once = NULL, *sum = NULL;
        double one, a, b;
        PVGT_OK(pvg_guarantee_epsilon(&one, twice[0], 1e-6));
        PVGT_OK(pvg_guarantee_compose(&once, twice, 2));
        PVGT_OK(pvg_guarantee_compose(&sum, both, 2));
        PVGT_OK(pvg_curve_epsilon(&a, once, 1e-6));
        PVGT_OK(pvg_curve_epsilon(&b, sum, 1e-6));
        PVGT_CHECK(a == one && b > 1.2 * one, "kind %d: %g %g %g", kind, one, a, b);
        pvg_curve_free(once);
        pvg_curve_free(sum);
        for (int i = 0; i < 2; i++) pvg_release_free(release[i]);
    }
    free_world(&w);
}

static char *bytes_of(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL(file);
    char *bytes = malloc(1 << 20);
    *count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void json_into(char *out, const pvg_guarantee *guarantee) {
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(out, 16384, &length, guarantee));
}

/* What is saved is loaded again, bit by bit, says so, and keeps its id; a file with any
 * byte changed, or cut anywhere, is refused. */
static void files_of_releases(void) {
    const char *path = "door.release";
    static char before[1 << 16], after[1 << 16];
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        pvg_ledger *ledger = ledger_for(kind);
        pvg_release *drawn = NULL, *loaded = NULL;
        uint8_t digest[PVGI_DIGEST_BYTES];
        PVGT_OK(draw(&drawn, &w, kind, 1, ledger, NULL));
        PVGT_OK(pvg_release_save(path, drawn));
        PVGT_OK(pvg_release_load(&loaded, path));
        TEST_ASSERT_EQUAL_INT32(1, pvg_release_loaded(loaded));
        TEST_ASSERT_EQUAL_INT32(0, pvg_release_loaded(drawn));
        json_into(before, pvg_release_guarantee(drawn));
        json_into(after, pvg_release_guarantee(loaded));
        TEST_ASSERT_EQUAL_STRING(before, after);
        pvgi_release_digest(digest, &loaded->content);
        TEST_ASSERT_EQUAL_MEMORY(drawn->guarantee.digest, digest, sizeof digest);
        size_t count;
        char *bytes = bytes_of(path, &count);
        for (size_t i = 0; i < count; i += kind == 0 ? 1 : 97) {
            pvg_release *none = NULL;
            bytes[i] = (char)(bytes[i] ^ 4);
            TEST_ASSERT_EQUAL_INT32(
                PVG_E_FORMAT, pvgi_release_read(&none, (const uint8_t *)bytes, count));
            bytes[i] = (char)(bytes[i] ^ 4);
            TEST_ASSERT_EQUAL_INT32(PVG_E_FORMAT,
                                    pvgi_release_read(&none, (const uint8_t *)bytes, i));
            TEST_ASSERT_NULL(none);
        }
        free(bytes);
        pvg_release_free(loaded);
        pvg_release_free(drawn);
        pvg_ledger_free(ledger);
    }
    remove(path);
    free_world(&w);
}

static void fails(const char *json, int32_t status, const char *part) {
    pvg_guarantee *none = NULL;
    PVGT_FAILS(status, part, pvg_guarantee_parse(&none, json, strlen(json)));
    TEST_ASSERT_NULL(none);
}

/* A record that was changed so that it contradicts itself is none. */
static void records_that_do_not_agree(void) {
    static char json[16384], bent[16384];
    static const struct {
        const char *from, *to;
        int32_t status;
    } changes[] = {
        {"\"private\": true", "\"private\": false", PVG_E_FORMAT},
        {"\"seeded\": false", "\"seeded\": true", PVG_E_FORMAT},
        {"\"schema\": 3", "\"schema\": 2", PVG_E_VERSION},
        {"\"claim\"", "\"Claim\"", PVG_E_FORMAT},
        {"\"delta\": 1e-06", "\"delta\": 1e-09", PVG_E_FORMAT},
        {"edge-DP undirected", "edge-DP", PVG_E_FORMAT},
        {"\"id\": \"", "\"id\": \"zz", PVG_E_FORMAT},
        {"\"mu\": 0.", "\"mu\": 1.", PVG_E_FORMAT},
        {"\"rows\": 1,", "", PVG_E_FORMAT},
        {"\"rows\": 1,", "\"rows\": 1, \"rows\": 1,", PVG_E_FORMAT},
    };
    world w = make_world();
    pvg_release *release = NULL;
    pvg_guarantee *parsed = NULL;
    PVGT_OK(draw(&release, &w, EMBEDDING, 0, NULL, NULL));
    json_into(json, pvg_release_guarantee(release));
    PVGT_OK(pvg_guarantee_parse(&parsed, json, strlen(json)));
    json_into(bent, parsed);
    TEST_ASSERT_EQUAL_STRING(json, bent);
    pvg_guarantee_free(parsed);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *at = strstr(json, changes[i].from);
        PVGT_CHECK(at, "%.60s in %.500s", changes[i].from, json);
        snprintf(bent, sizeof bent, "%.*s%s%s", (int)(at - json), json, changes[i].to,
                 at + strlen(changes[i].from));
        fails(bent, changes[i].status, "pvg_guarantee_parse");
    }
    for (size_t i = 0; i < strlen(json); i++) {
        snprintf(bent, sizeof bent, "%.*s", (int)i, json);
        fails(bent, PVG_E_FORMAT, "pvg_guarantee_parse");
    }
    pvg_release_free(release);
    free_world(&w);
}

/* --- edited records ---------------------------------------------------------------- */

/* What a record claims and what a ledger would charge for it. */
enum { DELTAS = 7, ORDERS = 6 };
typedef struct {
    int32_t notion, also_notion;
    bool holds, spends;
    double epsilon[DELTAS], renyi[ORDERS], also;
    int32_t assumptions;
    int64_t repeated;
} price;

static price price_of(const pvg_guarantee *g) {
    static const double deltas[DELTAS] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1},
                        orders[ORDERS] = {1.0001, 1.5, 2, 16, 1000, 1e6};
    price p = {.notion = g->notion,
               .also_notion = g->also_notion,
               .holds = pvg_guarantee_holds(g),
               .spends = pvgi_guarantee_spends(g),
               .assumptions = g->assumptions,
               .repeated = g->repeated};
    for (int i = 0; i < DELTAS; i++)
        PVGT_OK(pvg_guarantee_epsilon(&p.epsilon[i], g, deltas[i]));
    if (g->also_notion) p.also = pvgi_guarantee_also_epsilon(g);
    if (!p.spends) return p;
    pvg_curve *curve = NULL;
    PVGT_OK(pvg_guarantee_curve(&curve, g));
    for (int i = 0; i < ORDERS; i++)
        PVGT_OK(pvg_curve_renyi(&p.renyi[i], curve, orders[i]));
    pvg_curve_free(curve);
    return p;
}

/* Nothing is cheaper, and nothing more is promised. */
static bool is_no_less(const price *now, const price *before) {
    const double room = 1.0 - 1e-8;
    if (now->holds && (!before->holds || now->notion != before->notion)) return false;
    if (!now->holds) return true;
    if (before->spends && !now->spends) return false;
    for (int i = 0; i < DELTAS; i++)
        if (!(now->epsilon[i] >= before->epsilon[i] * room)) return false;
    for (int i = 0; i < ORDERS; i++)
        if (!(now->renyi[i] >= before->renyi[i] * room)) return false;
    if (now->also_notion &&
        (now->also_notion != before->also_notion || !(now->also >= before->also * room)))
        return false;
    return now->repeated >= before->repeated;
}

typedef struct {
    const char *json;
    price before;
    const char *what;
    int tried, refused;
} edit;

/* The record with [from, to) replaced. */
static void try_edit(edit *e, size_t from, size_t to, const char *with) {
    static char bent[1 << 16];
    pvg_guarantee *parsed = NULL;
    const int length =
        snprintf(bent, sizeof bent, "%.*s%s%s", (int)from, e->json, with, e->json + to);
    TEST_ASSERT_TRUE(length > 0 && length < (int)sizeof bent);
    if (strcmp(bent, e->json) == 0) return;
    e->tried++;
    const int32_t status = pvg_guarantee_parse(&parsed, bent, (size_t)length);
    if (status != PVG_OK) {
        PVGT_CHECK(status == PVG_E_FORMAT || status == PVG_E_VERSION, "status %d: %.500s",
                   (int)status, bent);
        e->refused++;
        return;
    }
    const price now = price_of(parsed);
    PVGT_CHECK(is_no_less(&now, &e->before), "%s: %.*s became %.60s: %.400s", e->what,
               (int)(to - from < 60 ? to - from : 60), e->json + from, with, bent);
    pvg_guarantee_free(parsed);
}

static size_t end_of_string(const char *json, size_t at) {
    for (at++; json[at] != '"'; at++) at += json[at] == '\\';
    return at + 1;
}

/* Behind the value that begins at `at`. */
static size_t end_of_value(const char *json, size_t at) {
    int depth = 0;
    do {
        if (json[at] == '"') {
            at = end_of_string(json, at);
            continue;
        }
        depth +=
            (json[at] == '{' || json[at] == '[') - (json[at] == '}' || json[at] == ']');
        at++;
    } while (depth > 0 || !strchr(",]}", json[at]));
    return at;
}

/* Every field: without it, twice, twice with another number, with the value of the next
 * one; every number: lower, higher, none. */
static void edit_everything(const pvg_guarantee *guarantee, const char *what) {
    static char json[1 << 15], with[1 << 16];
    static const double factors[] = {0, 1e-300, 1e-3, 0.5, 0.99, 1.01, 2, 1000};
    static const char *const odd[] = {"null", "\"nan\"", "\"infinity\"", "-1", "NaN",
                                      "true", "\"\"",    "[]",           "{}"};
    edit e = {.json = json, .before = price_of(guarantee), .what = what};
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length, guarantee));
    for (size_t at = 0; at < length; at++) {
        if (json[at] == '"') {
            const size_t colon = end_of_string(json, at);
            if (json[colon] == ':') {
                const size_t start = colon + 2, end = end_of_value(json, start);
                const int field = (int)(end - at);
                const bool last = json[end] != ',';
                /* with the comma before or behind it */
                try_edit(&e, at >= 2 && last && json[at - 2] == ',' ? at - 2 : at,
                         last ? end : end + 2, "");
                snprintf(with, sizeof with, "%.*s, %.*s", field, json + at, field,
                         json + at);
                try_edit(&e, at, end, with);
                for (int first = 0; first < 2; first++) {
                    char other[128];
                    snprintf(other, sizeof other, "%.*s 0.001", (int)(colon + 1 - at),
                             json + at);
                    if (first)
                        snprintf(with, sizeof with, "%s, %.*s", other, field, json + at);
                    else
                        snprintf(with, sizeof with, "%.*s, %s", field, json + at, other);
                    try_edit(&e, at, end, with);
                }
                for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
                    try_edit(&e, start, end, odd[i]);
                if (!last) { /* its value and that of the next field change places */
                    const size_t next = end_of_string(json, end + 2) + 2,
                                 behind = end_of_value(json, next);
                    snprintf(with, sizeof with, "%.*s%.*s%.*s", (int)(behind - next),
                             json + next, (int)(next - end), json + end,
                             (int)(end - start), json + start);
                    try_edit(&e, start, behind, with);
                }
                at = colon;
            } else {
                at = colon - 1;
            }
            continue;
        }
        if (!strchr("0123456789-", json[at])) continue;
        char *end;
        const double value = strtod(json + at, &end);
        const size_t to = (size_t)(end - json);
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
            snprintf(with, sizeof with, "%.17g", value * factors[i]);
            try_edit(&e, at, to, with);
        }
        try_edit(&e, at, to, "NaN");
        try_edit(&e, at, to, "null");
        at = to - 1;
    }
    /* every notion, and every word of a curve, for every other */
    for (int32_t i = 1; pvg_notion_name(i); i++)
        for (const char *at = strstr(json, "\"notion\": \""); at;
             at = strstr(at + 1, "\"notion\": \"")) {
            const size_t start = (size_t)(at - json) + 10;
            snprintf(with, sizeof with, "\"%s\"", pvg_notion_name(i));
            try_edit(&e, start, end_of_string(json, start), with);
        }
    static const char *const words[] = {"none",   "pure", "approximate", "zcdp",   "tcdp",
                                        "smooth", "gdp",  "infinite",    "sampled"};
    for (int i = 0; i < 9; i++)
        for (const char *at = strstr(json, "\"kind\": \""); at;
             at = strstr(at + 1, "\"kind\": \"")) {
            const size_t start = (size_t)(at - json) + 8,
                         end = end_of_string(json, start);
            snprintf(with, sizeof with, "\"%s\"", words[i]);
            try_edit(&e, start, end, with);
            /* a number that a curve of another kind has, beside its own */
            static const char *const more[] = {"epsilon",   "delta", "rho",
                                               "omega",     "mu",    "beta",
                                               "dimension", "rate",  "steps"};
            snprintf(with, sizeof with, ", \"%s\": %s", more[i],
                     i == 6 || i == 8 ? "1000" : "1e-300");
            try_edit(&e, end, end, with);
        }
    printf("%s: %d edits, %d refused\n", what, e.tried, e.refused);
    PVGT_CHECK(e.tried > 100 && e.refused > e.tried / 2, "%s: %d of %d refused", what,
               e.refused, e.tried);
}

static void edit_stated(const pvg_curve_term *terms, int count, const char *what) {
    pvg_curve *sum = NULL;
    pvg_guarantee *stated = NULL, *parsed = NULL;
    static char json[2][1 << 14];
    for (int i = 0; i < count; i++) {
        pvg_curve *one = NULL, *both = NULL;
        PVGT_OK(pvg_curve_new(&one, &terms[i]));
        if (sum) {
            PVGT_OK(pvg_curve_compose(&both, sum, one));
            pvg_curve_free(one);
            pvg_curve_free(sum);
            one = both;
        }
        sum = one;
    }
    PVGT_OK(pvg_guarantee_state(&stated, PVG_NOTION_NODE, sum, "by other means"));
    json_into(json[0], stated);
    PVGT_OK(pvg_guarantee_parse(&parsed, json[0], strlen(json[0])));
    json_into(json[1], parsed);
    TEST_ASSERT_EQUAL_STRING(json[0], json[1]);
    edit_everything(stated, what);
    pvg_guarantee_free(parsed);
    pvg_guarantee_free(stated);
    pvg_curve_free(sum);
}

/* A record of which one thing was changed is refused, or promises and charges no less. */
static void edited_records(void) {
    static const pvg_curve_term t[] = {
        {.size = sizeof *t, .kind = PVG_CURVE_PURE, .epsilon = 1},
        {.size = sizeof *t, .kind = PVG_CURVE_PURE, .epsilon = 0.25},
        {.size = sizeof *t, .kind = PVG_CURVE_PURE, .epsilon = 2, .steps = 40},
        {.size = sizeof *t, .kind = PVG_CURVE_ZCDP, .rho = 0.1},
        {.size = sizeof *t, .kind = PVG_CURVE_TCDP, .rho = 0.1, .omega = 20},
        {.size = sizeof *t,
         .kind = PVG_CURVE_SMOOTH,
         .rho = 0.1,
         .beta = 0.01,
         .dimension = 3},
        {.size = sizeof *t, .kind = PVG_CURVE_GDP, .mu = 0.5},
        {.size = sizeof *t,
         .kind = PVG_CURVE_SAMPLED,
         .mu = 0.5,
         .rate = 0.01,
         .steps = 100},
        {.size = sizeof *t, .kind = PVG_CURVE_APPROXIMATE, .epsilon = 1, .delta = 1e-6}};
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        pvg_ledger *ledger = ledger_for(kind);
        pvg_release *release = NULL;
        char what[24];
        PVGT_OK(draw(&release, &w, kind, 1, ledger, NULL));
        snprintf(what, sizeof what, "kind %d", kind);
        edit_everything(pvg_release_guarantee(release), what);
        pvg_release_free(release);
        pvg_ledger_free(ledger);
    }
    free_world(&w);
    for (int i = 0; i < 9; i++) edit_stated(&t[i], 1, "stated");
    edit_stated(t, 2, "two pure terms");
    edit_stated(t, 8, "eight terms");
}

/* What was found: each alone must not pass. */
static void edits_that_passed(void) {
    static const pvg_curve_term one = {
        .size = sizeof one, .kind = PVG_CURVE_PURE, .epsilon = 1};
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"\"kind\": \"pure\", \"epsilon\": 1", "\"kind\": \"pure\", \"epsilon\": 0.01"},
        {"\"epsilon\": 1}", "\"epsilon\": 1, \"rho\": 1e-300}"},
        {"\"epsilon\": 1}", "\"epsilon\": 1, \"steps\": 1000000}"},
        {"\"epsilon\": 1}", "\"epsilon\": 1, \"epsilon\": 1}"},
        {"\"kind\": \"pure\"", "\"kind\": \"pure\", \"kind\": \"pure\""},
        {"\"epsilon\": 1,", "\"epsilon\": 2,"},
        {"\"notion\": \"edge-DP undirected\"", "\"notion\": \"node-DP\""}};
    static char json[16384], bent[16384], words[4096];
    pvg_curve *curve = NULL;
    pvg_guarantee *stated = NULL, *parsed = NULL;
    size_t length;
    PVGT_OK(pvg_curve_new(&curve, &one));
    PVGT_OK(pvg_guarantee_state(&stated, PVG_NOTION_EDGE, curve, NULL));
    json_into(json, stated);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *at = strstr(json, changes[i].from);
        PVGT_CHECK(at, "%s in %.400s", changes[i].from, json);
        snprintf(bent, sizeof bent, "%.*s%s%s", (int)(at - json), json, changes[i].to,
                 at + strlen(changes[i].from));
        fails(bent, PVG_E_FORMAT, "pvg_guarantee_parse");
    }
    /* who changes every place where it stands is believed, and the words say it */
    const char *at = strstr(json, "\"epsilon\": 1}, \"bounds\": \"pure epsilon 1\"");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(bent, sizeof bent,
             "%.*s\"epsilon\": 1, \"rho\": 1e-300}, \"bounds\": \"pure epsilon 1 rho "
             "1e-300\"%s",
             (int)(at - json), json,
             at + strlen("\"epsilon\": 1}, \"bounds\": \"pure epsilon 1\""));
    PVGT_OK(pvg_guarantee_parse(&parsed, bent, strlen(bent)));
    PVGT_OK(pvg_guarantee_copy_text(words, sizeof words, &length, parsed));
    TEST_ASSERT_NOT_NULL(strstr(words, "Charged as pure epsilon 1 rho 1e-300."));
    pvg_guarantee_free(parsed);
    pvg_guarantee_free(stated);
    pvg_curve_free(curve);
}

/* The record `json` with one text replaced by another. */
static const char *bend(const char *json, const char *from, const char *to) {
    static char bent[2][1 << 15];
    static int turn;
    const char *at = strstr(json, from);
    PVGT_CHECK(at, "%s in %.400s", from, json);
    turn = !turn;
    snprintf(bent[turn], sizeof bent[turn], "%.*s%s%s", (int)(at - json), json, to,
             at + strlen(from));
    return bent[turn];
}

/* Copies of an object in one draw stay named, and what promises nothing has no curve. */
static void what_a_draw_says_of_itself(void) {
    static const uint64_t twice[GRAPHS] = {4, 5, 4};
    static char json[1 << 15];
    world w = make_world();
    pvg_ledger *ledger = ledger_for(EMBEDDINGS);
    pvg_release *release = NULL;
    PVGT_OK(pvgt_release_draw_embeddings(&release, w.embedder, w.set[0], twice, w.rng,
                                         ledger, NULL));
    json_into(json, pvg_release_guarantee(release));
    edit_everything(pvg_release_guarantee(release), "repeated objects");
    fails(bend(json, "\"repeated\": 2, ", ""), PVG_E_FORMAT, "repeated");
    fails(bend(json, "\"4\", \"5\", \"4\"", "\"4\", \"5\", \"6\""), PVG_E_FORMAT,
          "repeated");
    pvg_release_free(release);
    pvg_ledger_free(ledger);
    pvg_guarantee infinite = {.notion = PVG_NOTION_EDGE,
                              .noise = "none",
                              .claim = "stated",
                              .broken = "a test"};
    json_into(json, &infinite);
    fails(bend(bend(json, "{\"kind\": \"infinite\"}",
                    "{\"kind\": \"pure\", \"epsilon\": 1}"),
               "\"bounds\": \"infinite\"", "\"bounds\": \"pure epsilon 1\""),
          PVG_E_FORMAT, "nothing holds");
    free_world(&w);
}

/* What has the id of another draw and costs something else counts for itself. */
static void an_id_is_not_enough(void) {
    static char json[16384];
    world w = make_world();
    pvg_release *release[2] = {0};
    pvg_guarantee *parsed[2] = {0};
    double one, both;
    for (int i = 0; i < 2; i++)
        PVGT_OK(draw(&release[i], &w, i ? STATISTIC : EMBEDDING, 0, NULL, NULL));
    pvg_curve *sum = NULL;
    char id[64];
    for (int i = 0; i < 2; i++) {
        json_into(json, pvg_release_guarantee(release[i]));
        char *at = strstr(json, "\"id\": \"");
        TEST_ASSERT_NOT_NULL(at);
        if (i == 0)
            memcpy(id, at, 39);
        else
            memcpy(at, id, 39);
        PVGT_OK(pvg_guarantee_parse(&parsed[i], json, strlen(json)));
    }
    const pvg_guarantee *list[2] = {parsed[0], parsed[1]};
    PVGT_OK(pvg_guarantee_compose(&sum, list, 2));
    PVGT_OK(pvg_guarantee_epsilon(&one, parsed[0], 1e-6));
    PVGT_OK(pvg_curve_epsilon(&both, sum, 1e-6));
    PVGT_CHECK(both > 1.1 * one, "%g and %g", one, both);
    pvg_curve_free(sum);
    for (int i = 0; i < 2; i++) {
        pvg_guarantee_free(parsed[i]);
        pvg_release_free(release[i]);
    }
    free_world(&w);
}

/* The record says who paid, with which charge, on which day unless asked not to. */
static void records_of_draws(void) {
    world w = make_world();
    pvg_ledger *ledger = ledger_for(EMBEDDINGS);
    for (int64_t i = 0; i < 2; i++) {
        const pvg_run run = {.size = sizeof run, .undated = (uint32_t)i};
        pvg_release *release = NULL;
        char json[8192], part[64];
        size_t length;
        PVGT_OK(draw(&release, &w, EMBEDDINGS, 0, ledger, &run));
        PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                        pvg_release_guarantee(release)));
        snprintf(part, sizeof part, "\"paid\": {\"charge\": %lld, \"objects\": [\"1\"",
                 (long long)i + 1);
        TEST_ASSERT_NOT_NULL(strstr(json, part));
        TEST_ASSERT_EQUAL(i == 0, strstr(json, "\"day\": \"20") != NULL);
        TEST_ASSERT_NOT_NULL(strstr(json, "\"digest\": \"blake2b-256:"));
        TEST_ASSERT_EQUAL_INT(0, strncmp(json, "{\"schema\": 3, ", 14));
        pvg_release_free(release);
    }
    pvg_ledger_free(ledger);
    free_world(&w);
}

/* A row for each graph, what the statistic draws for it; a charge for each object, all or
 * none; the same for any number of threads. */
static void statistics_of_sets(void) {
    const pvg_target seeded = {.size = sizeof seeded, .epsilon = 2, .allow_seeded = 1};
    const pvg_degrees_config config = {.size = sizeof config, .levels = 3, .ranks = 2};
    world w = make_world();
    pvg_statistic *degrees = NULL;
    pvg_release *release[3] = {0};
    const double *values[3];
    double exact[6];
    PVGT_OK(pvgt_statistic_new_degrees(&degrees, &config, &seeded, NULL));
    PVGT_OK(pvgt_statistic_values_exact(exact, degrees, w.graph[1], NULL));
    for (uint32_t i = 0; i < 3; i++) {
        const pvg_run run = {.size = sizeof run, .threads = 1 + 4 * i};
        pvg_rng *rng = NULL;
        PVGT_OK(pvg_rng_new_seeded(&rng, 7));
        PVGT_OK(pvgt_release_draw_statistics(&release[i], degrees, w.set[1], NULL, rng,
                                             NULL, &run));
        PVGT_OK(pvg_release_view(&values[i], release[i]));
        TEST_ASSERT_EQUAL_INT64(GRAPHS, pvg_release_rows(release[i]));
        TEST_ASSERT_EQUAL_INT64(6, pvg_release_columns(release[i]));
        TEST_ASSERT_EQUAL_MEMORY(values[0], values[i], GRAPHS * 6 * sizeof(double));
        pvg_rng_free(rng);
    }
    int same = 0;
    for (int i = 0; i < GRAPHS; i++)
        for (int k = 0; k < 6; k++) {
            TEST_ASSERT_TRUE(fabs(values[0][i * 6 + k] - exact[k]) < 60.0);
            same += i > 0 && values[0][i * 6 + k] == values[0][k];
        }
    TEST_ASSERT_TRUE(same < 2 * 6); /* graphs have noise of their own */
    for (int i = 0; i < 3; i++) pvg_release_free(release[i]);
    /* two objects have enough, the third has not: nobody pays */
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 3};
    pvg_ledger *ledger = NULL;
    pvg_release *none = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvgt_release_draw_statistic(&none, w.statistic[0], w.graph[0], 3, w.rng,
                                        ledger, NULL));
    pvg_release_free(none);
    none = NULL;
    TEST_ASSERT_EQUAL_INT32(PVG_E_BUDGET,
                            pvgt_release_draw_statistics(&none, w.statistic[0], w.set[0],
                                                         objects, w.rng, ledger, NULL));
    TEST_ASSERT_NULL(none);
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    /* another order than the statistic's is told with the graph */
    pvg_statistic *other = NULL;
    PVGT_OK(pvgt_statistic_new_spectrum(&other, ORDER + 1, &seeded));
    PVGT_FAILS(PVG_E_ARGUMENT, "graph 0",
               pvgt_release_draw_statistics(&none, other, w.set[0], objects, w.rng,
                                            ledger, NULL));
    pvgt_statistic_free(other);
    pvg_ledger_free(ledger);
    pvgt_statistic_free(degrees);
    free_world(&w);
}

static int32_t stop(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return 1;
}

/* A progress function that stops at once: nothing else comes of it. */
static void cancelled_runs(void) {
    world w = make_world();
    for (int kind = 0; kind < KINDS; kind++) {
        const pvg_run run = {.size = sizeof run, .progress = stop};
        pvg_ledger *ledger = ledger_for(kind);
        pvg_release *release = NULL;
        const int32_t status = draw(&release, &w, kind, 1, ledger, &run);
        TEST_ASSERT_TRUE(status == PVG_OK || status == PVG_E_CANCELLED);
        TEST_ASSERT_EQUAL(status == PVG_OK, release != NULL);
        pvg_release_free(release);
        pvg_ledger_free(ledger);
    }
    free_world(&w);
}

/* --- bits --------------------------------------------------------------------------- */

/* First bytes of the digest of a seeded draw of every kind, which no later version may
 * change: who keeps a seed gets the same numbers again. */
static const struct {
    uint64_t seed;
    const char *digest;
} bits[KINDS] = {
    {1000, "34b5334a28f5eeb8"}, {1001, "62ee1f45770f50aa"}, {1002, "71e932c2f6cf14d6"},
    {1003, "59d1c1b477b5436b"}, {1004, "078eb7a286e56744"}, {1005, "e8a3d1af8ccb9dd1"},
    {1006, "002d2a83c961ab73"}, {1007, "0a7904d9415372a8"}, {1008, "d6faa2244438a96c"},
    {1009, "94f8799fdcfd38d0"}, {1010, "f9b7d18778cf3074"}, {2000, "031f83c4bf3e7c4a"},
    {2001, "3acbf77ad4faa6cd"}, {1011, "f05adb52fbd843d6"}, {1012, "5bb373f26aad9fa8"},
    {1013, "822949e1f9b5c428"}, {1014, "551e8c2cf8bf7b0f"}, {1015, "39f7a5ae7c7820b9"},
    {1016, "9b8f77816a5b51a6"}, {1017, "d26f852099467b14"}, {2002, "747b06b48615a438"},
    {2003, "44e3045a59f61770"}, {1018, "0c052da07119a6c5"}, {1019, "edd1655ad4543c0e"},
    {1020, "05af96534c7c1b99"}, {1021, "bb68fb05ec4b2e9c"}, {1022, "5ab2a2103a9bbc3e"},
    {1023, "b6d736f424ef69bb"}, {1024, "b7e439c7d03eb9fc"}, {1025, "632dbb3ee4e75c0f"},
    {1026, "1c8763686334274f"}, {1027, "5bfff7414c39bf47"}};

static void digest_of(char out[17], const pvg_release *release) {
    char json[16384];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                    pvg_release_guarantee(release)));
    const char *at = strstr(json, "blake2b-256:");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(out, 17, "%.16s", at + strlen("blake2b-256:"));
}

static void seeded_draws_keep_their_bits(void) {
    seeds = 1;
    world w = make_world();
    seeds = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_release *release = NULL;
            char digest[17];
            pvg_rng_free(w.rng);
            PVGT_OK(pvg_rng_new_seeded(&w.rng, bits[kind].seed));
            PVGT_OK(draw(&release, &w, kind, 1, NULL, &run));
            digest_of(digest, release);
            PVGT_CHECK(strcmp(digest, bits[kind].digest) == 0, "kind %d, %u threads: %s",
                       kind, (unsigned)threads, digest);
            pvg_release_free(release);
        }
    free_world(&w);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(scratch_limits_cost_nothing_and_tell_nothing);
    RUN_TEST(failing_allocations);
    RUN_TEST(digests_name_values);
    RUN_TEST(records_of_draws);
    RUN_TEST(files_of_releases);
    RUN_TEST(files_without_memory);
    RUN_TEST(records_that_do_not_agree);
    RUN_TEST(edits_that_passed);
    RUN_TEST(edited_records);
    RUN_TEST(what_a_draw_says_of_itself);
    RUN_TEST(an_id_is_not_enough);
    RUN_TEST(statistics_of_sets);
    RUN_TEST(cancelled_runs);
    RUN_TEST(seeded_draws_keep_their_bits);
    return pvgt_end(UNITY_END());
}
