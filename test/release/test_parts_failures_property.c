/* A graph in several processes: one payment, what is refused, and nobody who waits for
 * one that left. */
#include "parts_asked.h"

void setUp(void) {}
void tearDown(void) {}

/* --- paying ------------------------------------------------------------------------ */

static void test_paid_once(void) {
    static const char question[] =
        "embed patterns=edge,path3 max-degree=20 noise=laplace epsilon=1";
    uint64_t state = 37;
    pvgt_engine e;
    double spent;
    asked a = {
        .text = question, .objects = {"g", "g", "g", "g"}, .ledger = ledger_of(2.5)};
    const uint64_t object = pvg_ledger_object("g:0");
    pvgt_parts_random(&e, skewed, 4, &state);
    for (int32_t draw = 1; draw <= 2; draw++) {
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "paid");
        PVGT_OK(pvg_ledger_spent(&spent, a.ledger, object, 0.0));
        PVGT_CHECK(spent <= draw && spent > draw - 1e-9, "spent %.17g", spent);
        for (int32_t i = 0; i < 4; i++) { /* all know that it was paid */
            static char record[65536];
            record_of(record, a.release[i]);
            PVGT_CHECK(strstr(record, draw == 1 ? "\"charge\": 1" : "\"charge\": 2") !=
                           NULL,
                       "process %d: %.400s", (int)i, record);
        }
        drop(&a);
    }
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_BUDGET, "budget");
    a.ledgers = true;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "process 0");
    a.ledgers = false;
    a.objects[2] = "h";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    PVGT_OK(pvg_ledger_spent(&spent, a.ledger, object, 0.0));
    TEST_ASSERT_TRUE(spent <= 2.0);
    pvgt_parts_drop(&e);
    pvg_ledger_free(a.ledger);
}

/* --- refusals ---------------------------------------------------------------------- */

static void test_what_is_refused(void) {
    uint64_t state = 41;
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge,triangle epsilon=1"};
    pvgt_parts_random(&e, skewed, 3, &state);
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "pattern triangle has a cycle");
    static const char *const others[] = {"triangles epsilon=1",
                                         "stars epsilon=1",
                                         "capped-triangles order=16000 epsilon=1",
                                         "scalars list=edges epsilon=1",
                                         "response epsilon=1",
                                         "lapgraph epsilon=1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char part[64];
        a.text = others[i];
        snprintf(part, sizeof part, "%.*s is not for graphs in parts",
                 (int)strcspn(others[i], " "), others[i]);
        pvgt_parts_run(&e, body, &a);
        all_fail(&e, &a, PVG_E_ARGUMENT, part);
    }
    a.text = "degrees levels=3 share=1 + degrees levels=4 share=1 epsilon=1";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "joined queries are not for graphs in parts");
    a.text = "embed patterns=edge epsilon=1";
    a.texts[1] = "embed patterns=edge epsilon=1.5";
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    a.texts[1] = NULL;
    a.seeded = true;
    a.seeds[2] = 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "seed");
    a.seeded = false;
    for (int32_t i = 0; i < 3; i++) e.process[i].config.declared = 0;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_UNDECLARED, "read off");
    e.process[1].config.declared = 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "not the same");
    pvgt_parts_drop(&e);
}

/* One process has a part that is none: all fail, with its message. */
static void test_bad_parts(void) {
    static const int64_t cuts[] = {0, 4096, 12288, ORDER};
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge epsilon=1"};
    pvgt_parts_cut(&e, skewed, 3, cuts);
    pvgt_process *p = &e.process[1];
    const pvg_parts_config good = p->config;
    const int64_t arcs = p->offsets[good.own];
#define BAD(part, ...)                                                                   \
    do {                                                                                 \
        __VA_ARGS__;                                                                     \
        pvgt_parts_run(&e, body, &a);                                                    \
        all_fail(&e, &a, PVG_E_ARGUMENT, part);                                          \
        p->config = good;                                                                \
    } while (0)
    BAD("no multiple", p->config.first += 4);
    BAD("are not of", p->config.first = -4096);
    BAD("borrowed is", p->config.borrowed = ORDER);
    BAD("borrows is NULL", p->config.borrows = NULL);
    BAD("neighbours is NULL", p->config.neighbours = NULL);
    BAD("offsets is NULL", p->config.offsets = NULL);
    int64_t edge = 0;
    while (p->offsets[edge + 1] - p->offsets[edge] < 2) edge++;
    const int64_t at = p->offsets[edge];
    const int32_t kept = p->columns[at];
    BAD("no local number", p->columns[at] = -1);
    p->columns[at] = kept;
    BAD("loop", p->columns[at] = (int32_t)edge);
    p->columns[at] = kept;
    BAD("ascending", p->columns[at] = p->columns[at + 1]);
    p->columns[at] = kept;
    BAD("no node of another", p->borrows[0] = good.first);
    BAD("is not ascending", p->borrows[0] = p->borrows[1]);
    p->borrows[0] = 0;
    while (p->borrows[0] == p->borrows[1]) p->borrows[0]++;
    pvgt_parts_drop(&e);
    /* one list lacks the last of its neighbours, who has it still */
    pvgt_parts_cut(&e, skewed, 3, cuts);
    p->offsets[good.own] = arcs - 1;
    pvgt_parts_run(&e, body, &a);
    all_fail(&e, &a, PVG_E_ARGUMENT, "one end only");
    pvgt_parts_drop(&e);
    /* each is fine for itself */
    pvgt_parts_cut(&e, blocks, 3, cuts);
    const pvg_parts_config apart = p->config;
#define WRONG(part, ...)                                                                 \
    do {                                                                                 \
        __VA_ARGS__;                                                                     \
        pvgt_parts_run(&e, body, &a);                                                    \
        all_fail(&e, &a, PVG_E_ARGUMENT, part);                                          \
        p->config = apart;                                                               \
    } while (0)
    WRONG("before it", p->config.first = 0);
    WRONG("parts have", p->config.own -= 4096);
    WRONG("order", p->config.order += 4096);
    pvgt_parts_drop(&e);
#undef WRONG
#undef BAD
}

/* --- failures ---------------------------------------------------------------------- */

/* Every call of every kind fails once, in one process after the other: all processes
 * return, none has a release, and the ledger was charged once at most. */
static void test_failing_calls(void) {
    static const asked two[] = {
        {.text = "embed patterns=edge,path4 max-degree=6 noise=laplace epsilon=1"},
        {.text = "message-passing order=16000 columns=5 l1-rows=yes "
                 "operator=sum layers=1 noise=laplace epsilon=1",
         .reads_features = true},
        {.text = "degrees levels=4 ranks=20 epsilon=1"},
        {.text = "edge-histogram cells=between epsilon=1", .kinds = kinds},
        {.text = "edge-histogram epsilon=1", .kinds = kinds, .by_node = true},
        {.text = PASSING "max-degree=6 mean-weight=0.2", .reads_features = true},
        {.text = "capped-edges cap=3 epsilon=1"},
        {.text = "capped-degrees order=16000 max-cap=3 epsilon=1"},
    };
    uint64_t state = 43;
    for (size_t q = 0; q < sizeof two / sizeof two[0]; q++) {
        pvgt_engine e;
        asked a = two[q];
        for (int32_t i = 0; i < 3; i++) a.objects[i] = "g";
        pvgt_parts_random(&e, skewed, 3, &state);
        pvgt_parts_run(&e, body, &a);
        all_well(&e, &a, "no failure");
        drop(&a);
        const long calls = e.process[0].calls;
        TEST_ASSERT_TRUE(calls > 6);
        for (long call = 1; call <= calls; call++) {
            double spent = 0.0;
            if (q < 5) a.ledger = ledger_of(10.0);
            e.fails = (int32_t)(call % 3);
            e.fails_at = call;
            pvgt_parts_run(&e, body, &a);
            int32_t failed = 0;
            for (int32_t i = 0; i < 3; i++) failed += e.process[i].status != PVG_OK;
            PVGT_CHECK(failed == 3 && !a.whole, "%s: call %ld of %ld: %d fail", a.text,
                       call, calls, (int)failed);
            if (a.ledger)
                PVGT_OK(
                    pvg_ledger_spent(&spent, a.ledger, pvg_ledger_object("g:0"), 0.0));
            PVGT_CHECK(spent <= 1.0, "%s: call %ld: %.17g", a.text, call, spent);
            drop(&a);
            pvg_ledger_free(a.ledger);
        }
        pvgt_parts_drop(&e);
    }
}

static int32_t stop(void *context, double fraction) {
    (void)fraction;
    return ++*(int *)context > 1;
}

typedef struct {
    asked *a;
    int looks;
} stopped;

/* One process is asked to stop in the middle. */
static void stopped_body(void *context, pvgt_process *p) {
    stopped *s = context;
    asked *a = s->a;
    pvg_parts *parts = NULL;
    pvg_query *query = NULL;
    const pvg_run run = {.size = sizeof run,
                         .progress = p->number == 1 ? stop : NULL,
                         .progress_context = &s->looks};
    if (query_of(&query, a, a->text) != PVG_OK) abort();
    int32_t status = pvg_parts_new(&parts, &p->config);
    const pvg_input input = {.size = sizeof input, .parts = parts};
    if (status == PVG_OK)
        status =
            pvg_release_draw(&a->release[p->number], query, &input, NULL, NULL, &run);
    pvgt_parts_note(p, status);
    pvg_parts_free(parts);
    pvg_query_free(query);
}

static void test_cancelled_in_one(void) {
    static const int64_t cuts[] = {0, 4096, 12288, ORDER};
    pvgt_engine e;
    asked a = {.text = "embed patterns=edge,path3,path4,path5,path6,path7 epsilon=1"};
    stopped s = {.a = &a, .looks = 1};
    pvgt_parts_cut(&e, skewed, 3, cuts);
    e.slow = true;
    pvgt_parts_run(&e, stopped_body, &s);
    all_fail(&e, &a, PVG_E_CANCELLED, "cancelled");
    pvgt_parts_drop(&e);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    make_data();
    RUN_TEST(test_paid_once);
    RUN_TEST(test_what_is_refused);
    RUN_TEST(test_bad_parts);
    RUN_TEST(test_failing_calls);
    RUN_TEST(test_cancelled_in_one);
    drop_data();
    return pvgt_end(UNITY_END());
}
