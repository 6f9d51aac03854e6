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
    RECIPE_HISTOGRAM,
    RECIPE_GAP,
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
                                         "classes, one round",
                                         "classes, two rounds",
                                         "recipe: edge histograms",
                                         "recipe: gap",
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
    if (kind == PROPAGATION || kind == RECIPE_GAP) return "*message passing*";
    if (kind <= TRUNCATED || kind == PATTERNS) return "*embeddings*";
    if (kind == STATISTIC + 3 || kind == STATISTIC + 6)
        return "*triangles and synthesis*";
    if (kind >= SETS_OF_STATISTICS && kind < STATISTICS_END)
        return "*statistics of sets*";
    if (kind >= GRAPHS_OF_SET && kind < KINDS) return "*perturbed graphs and lists*";
    if (kind == NODES_GAP) return "*hidden nodes by sums*";
    if (kind == USERS) return "*reports of users*";
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
    pvg_model *model[2];
    double out[ORDER * CLASSES];
} purchase;

static int32_t call_nodes(purchase *p, const scene *s) {
    const pvg_target target = {.size = sizeof target, .epsilon = 5, .delta = 1e-5};
    const pvg_nodes_config config = {.size = sizeof config,
                                     .recipe = s->kind == NODES_GAP ? PVG_RECIPE_GAP
                                                                    : PVG_RECIPE_FEATURES,
                                     .parts = s->parts,
                                     .classes = CLASSES,
                                     .degree_bound = ORDER,
                                     .directions = 3,
                                     .steps = 2};
    return pvg_recipe_nodes(&p->model[0], &p->model[1], &p->release[0], s->w.graph[1],
                            s->w.features, s->w.labels, &config, &target, 1, s->w.rng,
                            p->ledger[0], NULL);
}

static int32_t call_users(purchase *p, const scene *s) {
    const pvg_users_config config = {.size = sizeof config,
                                     .classes = CLASSES,
                                     .rounds = 1,
                                     .list_epsilon = 2,
                                     .feature_epsilon = 2,
                                     .label_epsilon = 2,
                                     .parts = s->parts};
    return pvg_recipe_users(p->out, NULL, NULL, &p->release[0], &p->release[1],
                            &p->release[2], s->w.graph[1], s->w.features, s->w.labels,
                            &config, 1, s->w.rng, p->ledger[0], p->ledger[1],
                            p->ledger[2], NULL);
}

static int32_t call(purchase *p, const scene *s) {
    const pvg_target pure = {.size = sizeof pure, .epsilon = 2};
    const pvg_target both = {.size = sizeof both, .epsilon = 2, .delta = 1e-5};
    const pvg_posterior_config posterior = {.size = sizeof posterior, .classes = CLASSES};
    pvg_recipe_config recipe = {.size = sizeof recipe,
                                .recipe = PVG_RECIPE_HISTOGRAM,
                                .classes = CLASSES,
                                .averages = 1,
                                .prior = s->prior};
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
    case ONE_ROUND:
    case TWO_ROUNDS:
        return pvg_classify_nodes(p->out, &p->release[0], &p->release[1], graph, s->prior,
                                  s->classes, &posterior, s->kind == TWO_ROUNDS ? .3 : 0,
                                  &pure, 1, s->w.rng, p->ledger[0], NULL);
    case RECIPE_HISTOGRAM:
        return pvg_recipe_learn(p->out, NULL, &p->release[0], graph, NULL, s->classes,
                                &recipe, &pure, 1, s->w.rng, p->ledger[0], NULL);
    case RECIPE_GAP:
        recipe.recipe = PVG_RECIPE_GAP;
        return pvg_recipe_learn(p->out, NULL, &p->release[0], graph, NULL, s->classes,
                                &recipe, &both, 1, s->w.rng, p->ledger[0], NULL);
    case NODES_FEATURES:
    case NODES_GAP:
        return call_nodes(p, s);
    case USERS:
        return call_users(p, s);
    default:
        return draw(&p->release[0], &s->w, s->kind, 1, p->ledger[0], NULL);
    }
}

/* Draws that were paid for and are not there. */
static int64_t lost_by(const purchase *p, int kind) {
    int64_t lost = 0;
    if (kind == NODES_GAP) /* one charge for three draws */
        return pvg_ledger_charge_count(p->ledger[0]) > 0 &&
               !(p->model[0] && p->model[1] && p->release[0]);
    if (kind == USERS) {
        for (int i = 0; i < 3; i++)
            lost += pvg_ledger_charge_count(p->ledger[i]) > 0 && !p->release[i];
        return lost;
    }
    for (int i = 0; i < 3; i++) lost -= p->release[i] != NULL;
    for (int i = 0; i < 2; i++) lost -= p->model[i] != NULL;
    lost += pvg_ledger_charge_count(p->ledger[0]);
    TEST_ASSERT_TRUE(lost >= 0);
    return lost;
}

static int32_t buy(void *context) {
    static const int32_t notions[3] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_FEATURE_LDP,
                                       PVG_NOTION_LABEL_LDP};
    scene *s = context;
    purchase p = {.out = {0}};
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
    for (int i = 0; i < 2; i++) pvg_model_free(p.model[i]);
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
