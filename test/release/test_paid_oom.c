/* Every call that a ledger pays for, with each of its allocations failing: nothing is
 * charged, or what was paid for is in hand. Where memory depends on the private graph or
 * on the outcome that cannot be had; those kinds are named here and in
 * docs/guarantees.md, "What can fail after paying", and the walk insists that each still
 * needs to be. */
#include "entries.h" /* from inside: handles here may never have left the library */
#include "handles.h"

#include "door_world.h"
#include "network/network_internal.h"
#include "training.h"

#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum {
    PATTERNS = KINDS, /* of a name each, after those of the door */
    TRAINING,
    TRAINING_ON, /* from a model that has seen a draw */
    ONE_ROUND,
    TWO_ROUNDS,
    SUMS,
    NODES_FEATURES,
    NODES_GAP,
    USERS,
    ALL
};

enum { CLASSES = 4 };

typedef struct {
    world w;
    int kind;
    pvg_dataset *data;
    pvg_query *training, *going_on;
    int32_t classes[ORDER], parts[ORDER];
    double prior[ORDER * CLASSES];
    int64_t lost, failures; /* of the walk */
} scene;

static const char *name_of(int kind) {
    static const char *const others[] = {"patterns",
                                         "training",
                                         "training that goes on",
                                         "edges, one round",
                                         "edges, two rounds",
                                         "edges: gap",
                                         "hidden nodes: features",
                                         "hidden nodes: gap",
                                         "users"};
    static char name[40];
    if (kind >= PATTERNS) return others[kind - PATTERNS];
    snprintf(name, sizeof name, "door %d", kind);
    return name;
}

/* Words of the page for kinds that may lose what was paid for; NULL: must not. */
static const char *exception_of(int kind) {
    if (kind == PROPAGATION || kind == SUMS) return "*message passing*";
    if (kind <= TRUNCATED || kind == PATTERNS) return "*embeddings*";
    if (kind == STATISTIC + 3 || kind == STATISTIC + 6)
        return "*triangles and synthesis*";
    if (kind >= SETS_OF_STATISTICS && kind < STATISTICS_END)
        return "*statistics of sets*";
    if (kind >= GRAPHS_OF_SET && kind < KINDS) return "*perturbed graphs and lists*";
    if (kind == NODES_GAP || kind == TWO_ROUNDS || kind == USERS)
        return "*pipelines of several draws*";
    return NULL;
}

/* What the page lists. */
static bool page_names(const char *words) {
    static const char path[] = PVGT_SOURCE_ROOT "/docs/guarantees.md";
    static char page[1 << 17];
    FILE *file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL(file);
    const size_t length = fread(page, 1, sizeof page - 1, file);
    TEST_ASSERT_TRUE(feof(file));
    fclose(file);
    page[length] = 0;
    const char *section = strstr(page, "## What can fail after paying");
    TEST_ASSERT_NOT_NULL(section);
    return strstr(section, words) != NULL;
}

static void make_scene(scene *s) {
    const pvg_dpsgd_config steps = {.size = sizeof steps, .steps = 2};
    const pvg_target target = {.size = sizeof target, .parameter = .1};
    pvg_dataset_builder *b;
    pvg_network *network;
    pvg_model *start;
    memset(s, 0, sizeof *s);
    s->w = make_world();
    for (int v = 0; v < ORDER; v++) {
        s->classes[v] = v % 3 ? v % CLASSES : -1;
        s->parts[v] = v % 3 ? PVG_PART_TRAIN : PVG_PART_TEST;
        for (int c = 0; c < CLASSES; c++)
            s->prior[v * CLASSES + c] = c == v % CLASSES ? .4 : .2;
    }
    PVGT_OK(pvg_dataset_builder_new(&b, ORDER));
    PVGT_OK(pvg_dataset_builder_add_private_features(b, s->w.features));
    PVGT_OK(pvg_dataset_builder_add_private_labels(b, s->w.labels));
    PVGT_OK(pvg_dataset_builder_finish(&s->data, b));
    PVGT_OK(pvg_network_from_text(&network, "dense 4 ln | dense classes", WIDE, CLASSES));
    PVGT_OK(pvg_query_new_training(&s->training, network, ORDER, &steps, NULL, &target));
    PVGT_OK(pvgt_train(&start, s->training, s->data, 1, s->w.rng, NULL, NULL));
    PVGT_OK(pvg_query_new_training(&s->going_on, network, ORDER, &steps, start, &target));
    pvg_model_free(start);
    pvg_network_free(network);
    pvg_dataset_builder_free(b);
}

static void free_scene(scene *s) {
    pvg_query_free(s->training);
    pvg_query_free(s->going_on);
    pvg_dataset_free(s->data);
    free_world(&s->w);
}

static int32_t notion_for(int kind) {
    if (kind == TRAINING || kind == TRAINING_ON || kind == NODES_FEATURES ||
        kind == NODES_GAP)
        return PVG_NOTION_NODE_REMOVED;
    return kind < KINDS ? notion_of(kind) : PVG_NOTION_EDGE;
}

/* Ledgers of one call, what they were charged and what came of it. */
typedef struct {
    pvg_ledger *ledger[3]; /* USERS: of lists, features, labels */
    pvg_release *release[3];
} purchase;

static const char *pipeline_of(int kind) {
    switch (kind) {
    case ONE_ROUND:
        return "edges averages=1 epsilon=2";
    case TWO_ROUNDS:
        return "edges averages=1 epsilon=2 first-share=.3";
    case SUMS:
        return "edges method=gap averages=1 epsilon=2 delta=1e-5";
    case NODES_FEATURES:
        return "nodes classes=4 columns=5"
               " directions=3 steps=2 epsilon=5 delta=1e-5";
    case NODES_GAP:
        return "nodes method=gap classes=4 columns=5"
               " directions=3 steps=2 max-degree=24 epsilon=5 delta=1e-5";
    case USERS:
        return "users classes=4 columns=5"
               " rounds=1 list-epsilon=2 feature-epsilon=2 label-epsilon=2";
    default:
        return NULL;
    }
}

static int32_t call_pipeline(purchase *p, const scene *s) {
    static const uint64_t object = 1;
    const bool edges = s->kind <= SUMS;
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = ORDER,
                                      .labels = edges ? s->classes : NULL,
                                      .prior = edges ? s->prior : NULL,
                                      .parts = edges ? NULL : s->parts};
    const pvg_input input = {.size = sizeof input,
                             .graph = s->kind == NODES_FEATURES ? NULL : s->w.graph[1],
                             .features = edges ? NULL : s->w.features,
                             .labels = edges ? NULL : s->w.labels,
                             .objects = &object,
                             .object_count = 1};
    pvg_pipeline *pipeline = NULL;
    int32_t status =
        pvg_pipeline_new(&pipeline, pipeline_of(s->kind), &a, NULL, s->w.rng, NULL);
    if (status == PVG_OK)
        status = pvg_pipeline_draw(&p->release[0], &p->release[1], &p->release[2],
                                   pipeline, &input, s->w.rng, p->ledger[0], p->ledger[1],
                                   p->ledger[2], NULL);
    pvg_pipeline_free(pipeline);
    return status;
}

static int32_t call(purchase *p, const scene *s) {
    const pvg_graph *graph = s->w.graph[1];
    const uint64_t object = 1;
    const pvg_input private_parts = {.size = sizeof private_parts,
                                     .dataset = s->data,
                                     .objects = &object,
                                     .object_count = 1};
    switch (s->kind) {
    case PATTERNS:
        return pvg_release_draw_text(
            &p->release[0], "embed patterns=edge,triangle max-degree=4 epsilon=1",
            &(pvg_input){.size = sizeof(pvg_input),
                         .graph = graph,
                         .objects = &object,
                         .object_count = 1},
            p->ledger[0], NULL);
    case TRAINING:
    case TRAINING_ON:
        return pvg_release_draw(&p->release[0],
                                s->kind == TRAINING_ON ? s->going_on : s->training,
                                &private_parts, s->w.rng, p->ledger[0], NULL);
    default:
        return pipeline_of(s->kind)
                   ? call_pipeline(p, s)
                   : draw(&p->release[0], &s->w, s->kind, 1, p->ledger[0], NULL);
    }
}

/* Draws that were paid for and are not there. */
static int64_t lost_by(const purchase *p, int kind) {
    int64_t lost = 0;
    if (kind == NODES_GAP || kind == TWO_ROUNDS) /* one charge for all draws */
        return pvg_ledger_charge_count(p->ledger[0]) > 0 &&
               !p->release[kind == NODES_GAP ? 2 : 1];
    if (kind == USERS) {
        for (int i = 0; i < 3; i++)
            lost += pvg_ledger_charge_count(p->ledger[i]) > 0 && !p->release[i];
        return lost;
    }
    for (int i = 0; i < 3; i++) lost -= p->release[i] != NULL;
    lost += pvg_ledger_charge_count(p->ledger[0]);
    TEST_ASSERT_TRUE(lost >= 0);
    return lost;
}

static int32_t buy(void *context) {
    static const int32_t notions[3] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_FEATURE_LDP,
                                       PVG_NOTION_LABEL_LDP};
    scene *s = context;
    purchase p = {{NULL}, {NULL}};
    int32_t status = PVG_OK;
    for (int i = 0; i < (s->kind == USERS ? 3 : 1) && status == PVG_OK; i++) {
        const pvg_ledger_config budget = {
            .size = sizeof budget,
            .notion = s->kind == USERS ? notions[i] : notion_for(s->kind),
            .epsilon = 1000,
            .delta = .01};
        status = pvg_ledger_new(&p.ledger[i], &budget);
    }
    if (status == PVG_OK) {
        status = call(&p, s);
        const int64_t lost = lost_by(&p, s->kind);
        s->failures += status != PVG_OK;
        s->lost += lost > 0;
        PVGT_CHECK(lost == 0 || status != PVG_OK, "%s: PVG_OK without what was paid",
                   name_of(s->kind));
    }
    for (int i = 0; i < 3; i++) {
        pvg_release_free(p.release[i]);
        pvg_ledger_free(p.ledger[i]);
    }
    return status;
}

static void nothing_paid_is_lost(void) {
    scene s;
    int64_t wrong = 0;
    make_scene(&s);
    for (s.kind = 0; s.kind < ALL; s.kind++) {
        const char *listed = exception_of(s.kind);
        s.lost = s.failures = 0;
        pvgt_oom_walk(name_of(s.kind), buy, &s, 5);
        printf("%s: %lld allocations fail, %lld lose what was paid%s%s\n",
               name_of(s.kind), (long long)s.failures, (long long)s.lost,
               listed ? ": " : "", listed ? listed : "");
        PVGT_CHECK(!listed || page_names(listed), "the page does not name %s", listed);
        wrong += listed ? s.lost == 0 : s.lost > 0;
    }
    free_scene(&s);
    PVGT_CHECK(wrong == 0, "%lld kinds", (long long)wrong);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(nothing_paid_is_lost);
    return pvgt_end(UNITY_END());
}
