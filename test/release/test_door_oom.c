/* Every kind of query, drawn and paid for, with each of its allocations failing: nothing
 * is charged, or what was paid for is in hand. Kinds whose memory depends on the private
 * graph or on the outcome are named here and in docs/guarantees.md, "What can fail after
 * paying". */
#include "door_world.h"
#include "query/query_internal.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { PERSONS = ORDER, THINGS = 6 };

typedef struct {
    const char *text;
    const char *page; /* words of the page; NULL: nothing may be lost */
    uint32_t open;
} row;

static const row rows[] = {
    {"embed patterns=edge,triangle epsilon=1", "*embeddings*", 0},
    {"message-passing columns=5 order=24 max-degree=4 epsilon=1", "*message passing*",
     PVG_DATA_FEATURES},
    {"edge-histogram order=24 epsilon=2", NULL, 0},
    {"degrees levels=4 ranks=3 epsilon=2", NULL, 0},
    {"triangles epsilon=2", "*triangles and synthesis*", 0},
    {"stars epsilon=2", NULL, 0},
    {"scalars list=edges,components,radius,degeneracy epsilon=2", NULL, 0},
    {"spectrum order=24 epsilon=2", NULL, 0},
    {"synthesis order=24 epsilon=2", "*triangles and synthesis*", 0},
    {"capped-edges order=24 epsilon=2", "*capped edges*", 0},
    {"capped-degrees order=24 epsilon=2", "*capped edges*", 0},
    {"capped-triangles order=24 epsilon=2", "*capped triangles*", 0},
    {"list-lengths things=6 epsilon=1", NULL, 0},
    {"list-top things=6 top=2 epsilon=1", NULL, 0},
    {"list-rows things=6 epsilon=1", NULL, 0},
    {"list-groups things=6 groups=4 epsilon=1", NULL, 0},
    {"list-pairs things=6 epsilon=1", NULL, 0},
    {"node-scalars list=matching,h-index,degeneracy epsilon=2", "*node scalars*", 0},
    {"group-ratio ratio=transitivity parts=6 order=24 epsilon=2", NULL, 0},
    {"group-ratio ratio=density:triangle parts=6 order=24 epsilon=2",
     "*densities by groups*", 0},
    {"response epsilon=2", "*perturbed graphs and lists*", 0},
    {"lapgraph epsilon=2", "*perturbed graphs and lists*", 0},
    {"dprr epsilon=2", "*perturbed graphs and lists*", 0},
    {"blink epsilon=2", "*perturbed graphs and lists*", 0},
    {"subset epsilon=2", "*perturbed graphs and lists*", 0},
    {"slots order=24 epsilon=2", "*perturbed graphs and lists*", 0},
    {"features columns=5 epsilon=2", NULL, 0},
    {"labels classes=4 epsilon=2", NULL, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct {
    pvg_query *query;
    pvg_input in;
    int32_t notion;
    int64_t lost, failures;
} walk;

static int32_t buy(void *context) {
    walk *w = context;
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = w->notion, .epsilon = 1e6, .delta = .01};
    pvg_ledger *ledger = NULL;
    pvg_release *release = NULL;
    int32_t status = pvg_ledger_new(&ledger, &budget);
    if (status == PVG_OK)
        status = pvg_release_draw(&release, w->query, &w->in, NULL, ledger, NULL);
    const bool charged = ledger && pvg_ledger_charge_count(ledger) > 0;
    w->failures += status != PVG_OK;
    w->lost += charged && !release;
    pvg_release_free(release);
    pvg_ledger_free(ledger);
    return status;
}

static pvg_input input_for(const world *w, const pvg_query *query, const row *kind,
                           const pvg_lists *lists) {
    static const uint64_t object = 1;
    const uint32_t reads = pvg_query_reads(query);
    return (pvg_input){.size = sizeof(pvg_input),
                       .open = kind->open,
                       .graph = reads & PVG_DATA_GRAPH ? w->graph[1] : NULL,
                       .features = reads & PVG_DATA_FEATURES ? w->features : NULL,
                       .labels = reads & PVG_DATA_LABELS ? w->labels : NULL,
                       .lists = reads & PVG_DATA_LISTS ? lists : NULL,
                       .objects = &object,
                       .object_count = 1};
}

static bool page_names(const char *words) {
    static char page[1 << 17];
    FILE *file = fopen(PVGT_SOURCE_ROOT "/docs/guarantees.md", "r");
    TEST_ASSERT_NOT_NULL(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    TEST_ASSERT_TRUE(feof(file));
    fclose(file);
    const char *section = strstr(page, "## What can fail after paying");
    TEST_ASSERT_NOT_NULL(section);
    return strstr(section, words) != NULL;
}

static int32_t notion_for(const row *kind, const pvg_query *query) {
    const int64_t order = ORDER;
    pvg_guarantee *guarantee = NULL;
    PVGT_OK(pvg_query_guarantee(&guarantee, query, &order,
                                strncmp(kind->text, "embed", 5) == 0));
    const int32_t notion = pvg_guarantee_notion(guarantee);
    pvg_guarantee_free(guarantee);
    return notion;
}

static void nothing_paid_is_lost(void) {
    static const int64_t owners[6] = {0, 0, 1, 3, 5, 7}, entries[6] = {1, 2, 0, 5, 4, 3};
    const pvg_target target = {.size = sizeof target};
    world w = make_world();
    pvg_lists *lists = NULL;
    PVGT_OK(pvg_lists_from_pairs(&lists, PERSONS, THINGS, owners, entries, 6, 0));
    for (int i = 0; i < ROWS; i++) {
        walk o = {0};
        PVGT_OK(pvg_query_new(&o.query, rows[i].text, NULL, &target, NULL));
        o.notion = notion_for(&rows[i], o.query);
        o.in = input_for(&w, o.query, &rows[i], lists);
        pvgt_oom_walk(rows[i].text, buy, &o, 10);
        PVGT_CHECK((o.lost > 0) == (rows[i].page != NULL),
                   "%s: %lld of %lld failures lose what was paid for", rows[i].text,
                   (long long)o.lost, (long long)o.failures);
        PVGT_CHECK(!rows[i].page || page_names(rows[i].page), "the page has no %s",
                   rows[i].page);
        pvg_query_free(o.query);
    }
    pvg_lists_free(lists);
    free_world(&w);
}

/* Whoever adds a kind adds it here; graphprivatizer guarantees nothing, and no ledger
 * takes it. */
static void every_kind_has_a_row(void) {
    const pvgi_kind *kind;
    for (int64_t i = 0; (kind = pvgi_query_kind(i)) != NULL; i++) {
        bool found = strcmp(kind->kind, "graphprivatizer") == 0;
        const size_t length = strlen(kind->kind);
        for (int k = 0; k < ROWS; k++)
            found = found || (strncmp(rows[k].text, kind->kind, length) == 0 &&
                              rows[k].text[length] == ' ');
        PVGT_CHECK(found, "%s is not walked", kind->kind);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(every_kind_has_a_row);
    RUN_TEST(nothing_paid_is_lost);
    return pvgt_end(UNITY_END());
}
