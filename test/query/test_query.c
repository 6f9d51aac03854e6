/* Queries: every kind by text is what its settings say, bit by bit; text and id; what is
 * asked of what; several draws for one payment. */
#include "door_world.h"
#include "handles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target any_seed = {.size = sizeof any_seed, .allow_seeded = 1};

static pvg_query *query_of(const char *text, const pvg_arguments *arguments) {
    pvg_query *query = NULL;
    PVGT_OK(pvg_query_new(&query, text, arguments, &any_seed, NULL));
    return query;
}

static void text_of(char out[2048], const pvg_query *query) {
    size_t length;
    PVGT_OK(pvg_query_copy_text(out, 2048, &length, query));
}

/* --- the same bits ----------------------------------------------------------------- */

typedef struct {
    int kind; /* of the world */
    const char *text;
    uint32_t open;
} pair;

static const pair pairs[] = {
    {EMBEDDING, "embed patterns=edge,path3,triangle,cycle4 epsilon=1", 0},
    {EMBEDDINGS, "embed patterns=edge,path3,triangle,cycle4 epsilon=1 delta=1e-6", 0},
    {TRUNCATED, "embed patterns=edge,path3,triangle,cycle4 max-degree=4 epsilon=1", 0},
    {PROPAGATION, "message-passing columns=5 order=24 max-degree=4 epsilon=1 delta=1e-6",
     PVG_DATA_FEATURES},
    {STATISTIC + 0, "edge-histogram order=24 epsilon=2", 0},
    {STATISTIC + 1, "edge-histogram cells=between order=24 epsilon=2", 0},
    {STATISTIC + 2, "degrees levels=4 ranks=3 epsilon=2", 0},
    {STATISTIC + 3, "triangles bound-share=0 epsilon=2", 0},
    {STATISTIC + 4,
     "scalars list=edges,components,cycle-rank,largest-degree,degeneracy,radius,isolated,"
     "leaves epsilon=2",
     0},
    {STATISTIC + 5, "spectrum order=24 epsilon=2", 0},
    {STATISTIC + 6,
     "synthesis order=24 degrees-share=0.45 between-share=0.15 triangles-share=0.3 "
     "assortativity-share=0.1 epsilon=2",
     0},
    {STATISTIC + 7, "stars leaves=2 bound-share=0 parameter=2", 0},
    {STATISTIC + 8,
     "scalars list=edges,components,cycle-rank,largest-degree,degeneracy,radius,isolated,"
     "leaves epsilon=2 + stars bound-share=0 epsilon=2",
     0},
    {SETS_OF_STATISTICS + 2, "degrees levels=4 ranks=3 groups=2 epsilon=2", 0},
    {SETS_OF_STATISTICS + 7, "stars bound-share=0 epsilon=2", 0},
    {FEATURES, "features columns=5 epsilon=2", 0},
    {LABELS, "labels classes=4 epsilon=2", 0},
    {GRAPHS_OF_SET, "response epsilon=2", 0},
    {LISTS_OF_SET, "subset epsilon=2", 0},
    {GRAPH_FIRST + 0, "response keep=auto epsilon=2", 0},
    {GRAPH_FIRST + 1, "lapgraph epsilon=2", 0},
    {GRAPH_FIRST + 2, "dprr epsilon=2", 0},
    {GRAPH_FIRST + 3, "blink epsilon=2", 0},
    {GRAPH_FIRST + 4, "subset lists=owned epsilon=2", 0},
    {GRAPH_FIRST + 5, "slots order=24 epsilon=2", 0},
};

static pvg_input input_of(const world *w, int kind, uint32_t open) {
    const bool sets = kind == EMBEDDINGS || kind == GRAPHS_OF_SET ||
                      kind == LISTS_OF_SET ||
                      (kind >= SETS_OF_STATISTICS && kind < STATISTICS_END);
    pvg_input in = {.size = sizeof in,
                    .open = open,
                    .objects = objects,
                    .object_count = sets ? GRAPHS : 1};
    if (sets)
        in.set = w->set[1];
    else if (kind != FEATURES && kind != LABELS)
        in.graph = w->graph[1];
    if (kind == FEATURES || kind == PROPAGATION) in.features = w->features;
    if (kind == LABELS) in.labels = w->labels;
    return in;
}

static void same_json(const pvg_release *a, const pvg_release *b, const char *text) {
    static char one[1 << 16], two[1 << 16];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_json(one, sizeof one, &length, pvg_release_guarantee(a)));
    PVGT_OK(pvg_guarantee_copy_json(two, sizeof two, &length, pvg_release_guarantee(b)));
    char *query = strstr(two, ", \"query\": \""); /* what only the new one says */
    TEST_ASSERT_NOT_NULL(query);
    char *end = strstr(query + 12, "\", \"");
    TEST_ASSERT_NOT_NULL(end);
    memmove(query, end + 1, strlen(end + 1) + 1);
    if (strcmp(one, two) != 0) fprintf(stderr, "%s\n%s\n%s\n", text, one, two);
    PVGT_CHECK(strcmp(one, two) == 0, "%.200s", text);
}

/* Value for value and record for record, ids and digests included. */
static void texts_say_what_settings_say(void) {
    int32_t groups[ORDER], kinds[ORDER];
    for (int i = 0; i < ORDER; i++) groups[i] = i % 2, kinds[i] = i % 3;
    seeds = 1;
    world w = make_world();
    seeds = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const pair *p = &pairs[i];
        const bool grouped = strncmp(p->text, "degrees", 7) == 0;
        const bool between = strstr(p->text, "cells=between") != NULL;
        const pvg_arguments arguments = {.size = sizeof arguments,
                                         .order = grouped || between ? ORDER : 0,
                                         .groups = grouped ? groups : NULL,
                                         .kinds = between ? kinds : NULL};
        pvg_query *query = query_of(p->text, &arguments), *again = NULL;
        const pvg_input in = input_of(&w, p->kind, p->open);
        pvg_release *old = NULL, *new = NULL, *once = NULL;
        char text[2048];
        text_of(text, query);
        PVGT_OK(pvg_query_new(&again, text, &arguments, &any_seed, NULL));
        for (int k = 0; k < 3; k++) {
            pvg_rng_free(w.rng);
            PVGT_OK(pvg_rng_new_seeded(&w.rng, 77 + i));
            if (k == 0) PVGT_OK(draw(&old, &w, p->kind, 1, NULL, NULL));
            if (k == 1) PVGT_OK(pvg_release_draw(&new, query, &in, w.rng, NULL, NULL));
            if (k == 2) PVGT_OK(pvg_release_draw(&once, again, &in, w.rng, NULL, NULL));
        }
        same_json(old, new, text);
        same_json(old, once, text);
        TEST_ASSERT_NOT_EQUAL(0, pvg_release_holds(new));
        TEST_ASSERT_EQUAL(pvg_release_holds(old), pvg_release_holds(new));
        /* text and id are fixed points */
        char second[2048];
        uint64_t id[4];
        text_of(second, again);
        TEST_ASSERT_EQUAL_STRING(text, second);
        PVGT_OK(pvg_query_copy_id(&id[0], &id[1], query));
        PVGT_OK(pvg_query_copy_id(&id[2], &id[3], again));
        TEST_ASSERT_TRUE(id[0] == id[2] && id[1] == id[3]);
        pvg_release_free(old);
        pvg_release_free(new);
        pvg_release_free(once);
        pvg_query_free(query);
        pvg_query_free(again);
    }
    free_world(&w);
}

/* Shapes, exact numbers, covariance, preview and guarantee of every kind with numbers. */
static void looking_at_queries(void) {
    world w = make_world();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const pair *p = &pairs[i];
        int32_t groups[ORDER];
        for (int k = 0; k < ORDER; k++) groups[k] = k % 2;
        const bool grouped = strstr(p->text, "groups=2") != NULL;
        const pvg_arguments arguments = {.size = sizeof arguments,
                                         .order = grouped ? ORDER : 0,
                                         .groups = grouped ? groups : NULL};
        pvg_query *query = query_of(p->text, &arguments);
        const pvg_input in = input_of(&w, p->kind, p->open);
        pvg_release *release = NULL;
        pvg_guarantee *guarantee = NULL;
        pvg_preview *preview = NULL;
        const int64_t orders[GRAPHS] = {ORDER, ORDER, ORDER};
        int64_t rows, columns;
        const pvg_preview_config config = {.size = sizeof config, .order = ORDER};
        char json[8192];
        size_t length;
        PVGT_OK(pvg_query_shape(&rows, &columns, query, &in));
        PVGT_OK(pvg_release_draw(&release, query, &in, NULL, NULL, NULL));
        TEST_ASSERT_EQUAL_INT64(pvg_release_rows(release), rows);
        TEST_ASSERT_EQUAL_INT64(pvg_release_columns(release), columns);
        PVGT_OK(pvg_query_guarantee(&guarantee, query, orders, in.set ? GRAPHS : 1));
        double epsilon[2];
        PVGT_OK(pvg_guarantee_epsilon(&epsilon[0], guarantee, 1e-6));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon[1], pvg_release_guarantee(release), 1e-6));
        TEST_ASSERT_TRUE(epsilon[0] == epsilon[1] && isfinite(epsilon[0]));
        const int32_t notion = pvg_guarantee_notion(guarantee);
        TEST_ASSERT_TRUE(pvg_notion_pays(notion_of(p->kind), notion));
        TEST_ASSERT_TRUE(query->kind->notions >> notion & 1);
        PVGT_OK(pvg_query_preview(&preview, query, &config, NULL));
        TEST_ASSERT_TRUE(pvg_preview_count(preview) > 0);
        PVGT_OK(pvg_query_copy_json(json, sizeof json, &length, query, ORDER));
        TEST_ASSERT_NOT_NULL(strstr(json, "\"notion\""));
        if (rows > 0 && !in.set && p->kind != FEATURES) {
            double *exact = calloc((size_t)(rows * columns), sizeof *exact);
            double *covariance = calloc((size_t)(columns * columns), sizeof *covariance);
            const double *values;
            TEST_ASSERT_NOT_NULL(exact);
            TEST_ASSERT_NOT_NULL(covariance);
            PVGT_OK(pvg_query_values_exact(exact, query, &in, NULL));
            PVGT_OK(pvg_release_view(&values, release));
            const int32_t status = pvg_query_covariance(covariance, query, ORDER);
            TEST_ASSERT_TRUE(status == PVG_OK || status == PVG_E_PRIVACY);
            for (int64_t k = 0; k < rows * columns && status == PVG_OK; k++) {
                const int64_t c = k % columns;
                const double sd = sqrt(covariance[c * columns + c]);
                if (isnan(sd)) continue; /* private */
                PVGT_CHECK(fabs(values[k] - exact[k]) <= 40.0 * sd + 1e-9,
                           "%s: number %d", p->text, (int)k);
            }
            free(exact);
            free(covariance);
        }
        pvg_preview_free(preview);
        pvg_guarantee_free(guarantee);
        pvg_release_free(release);
        pvg_query_free(query);
    }
    free_world(&w);
}

/* --- words ------------------------------------------------------------------------- */

static void expect(const char *part, const char *text) {
    pvg_query *query = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, part, pvg_query_new(&query, text, NULL, NULL, NULL));
    TEST_ASSERT_NULL(query);
}

static void malformed_text(void) {
    expect("text is empty", "");
    expect("text is empty", "  ");
    expect("'star' (character 1) is no kind; there are embed", "star leaves=3");
    expect("stars: leaves is 5, not 2 or 3", "stars leaves=5 epsilon=1");
    expect("stars: leaves is 2.5, not", "stars leaves=2.5 epsilon=1");
    expect("stars: leaves is nan, not", "stars leaves=nan epsilon=1");
    expect("stars has no option 'leafs' (character 7); it has leaves", "stars leafs=3");
    /* in the words of the text, however deep it was found */
    expect("message-passing: floor must be above 0",
           "message-passing columns=3 order=9 operator=laplacian epsilon=1");
    expect("message-passing: rows may be normalised for sum only",
           "message-passing columns=3 order=9 rows=normalised epsilon=1");
    expect("message-passing: self-weight is 1e+18, not a number in",
           "message-passing columns=3 order=9 self-weight=1e18 epsilon=1");
    expect("least-degree is set, but degrees is not promised",
           "message-passing columns=3 order=9 least-degree=1 epsilon=1");
    expect("embed: max-degree is less than 1",
           "embed patterns=edge degrees=promised epsilon=1");
    expect("stars: delta is not 0, as laplace noise needs", "stars epsilon=1 delta=1e-6");
    expect("features: delta is not in (0, 1)",
           "features columns=3 method=noise epsilon=1");
    expect("leaves is given twice", "stars leaves=3 leaves=3 epsilon=1");
    expect("epsilon is given twice", "stars epsilon=1 epsilon=1");
    expect("'leaves' (character 7) is no option=value", "stars leaves epsilon=1");
    expect("leaves has no value", "stars leaves= epsilon=1");
    expect("ends with '+'", "stars epsilon=1 +");
    expect("has no part before it", "+ stars epsilon=1");
    expect("dprr: reports is some, not one of owned|half|published",
           "dprr reports=some epsilon=1");
    expect("epsilon is -1, not a positive number", "dprr epsilon=-1");
    expect("epsilon is inf", "dprr epsilon=inf");
    expect("epsilon is 0", "dprr epsilon=0");
    expect("epsilon", "dprr");
    expect("has no noise gaussian", "triangles noise=gaussian epsilon=1 delta=1e-6");
    expect("needs order", "spectrum epsilon=1");
    expect("needs list", "scalars epsilon=1");
    expect("'edge' is none of edges", "scalars list=edge epsilon=1");
    expect("'edges' is given twice", "scalars list=edges,edges epsilon=1");
    expect("needs patterns", "embed epsilon=1");
    expect("columns", "features epsilon=1");
    expect("share is for parts", "stars share=1 epsilon=1");
    expect("cannot be joined", "response + stars epsilon=1");
    expect("once, or in all of them",
           "stars epsilon=1 + triangles epsilon=1 + scalars list=edges");
    expect("another one than in the parts before",
           "stars order=5 epsilon=1 + triangles order=6 epsilon=1");
    expect("printable", "stars leaves=3\001 epsilon=1");
    expect("is no digest of an array", "degrees groups-of=5 epsilon=1");
    expect("the same must be in arguments",
           "degrees groups-of=#00112233445566778899aabbccddeeff epsilon=1");
    expect("has no option 'kinds-of'",
           "degrees kinds-of=#00112233445566778899aabbccddeeff epsilon=1");
    pvg_query *query = NULL;
    PVGT_FAILS(PVG_E_PRIVACY, "is not pure epsilon edge-DP",
               pvg_query_new(&query, "degrees noise=gaussian epsilon=1 + degrees", NULL,
                             NULL, NULL));
}

static void budgets_and_arguments(void) {
    pvg_query *query = NULL;
    const pvg_target target = {.size = sizeof target, .epsilon = 1};
    int32_t groups[3] = {0, 1, 1}, other[3] = {0, 0, 1};
    pvg_arguments a = {.size = sizeof a, .order = 3, .groups = groups};
    char text[2048];
    PVGT_FAILS(PVG_E_ARGUMENT, "epsilon is in the text and in target",
               pvg_query_new(&query, "stars epsilon=1", NULL, &target, NULL));
    PVGT_OK(pvg_query_new(&query, "stars", NULL, &target, NULL));
    text_of(text, query);
    TEST_ASSERT_EQUAL_STRING("stars leaves=2 least-degree=20 bound-share=0.1 epsilon=1",
                             text);
    pvg_query_free(query);
    PVGT_FAILS(PVG_E_ARGUMENT, "stars takes no groups",
               pvg_query_new(&query, "stars", &a, &target, NULL));
    PVGT_OK(pvg_query_new(&query, "degrees levels=2 ranks=all", &a, &target, NULL));
    text_of(text, query);
    TEST_ASSERT_NOT_NULL(strstr(text, "degrees levels=2 ranks=all groups=2 groups-of=#"));
    TEST_ASSERT_NOT_NULL(strstr(text, " order=3 epsilon=1"));
    pvg_query_free(query);
    /* the text names the array: another one is refused */
    a.groups = other;
    PVGT_FAILS(PVG_E_ARGUMENT, "arguments differ from groups-of",
               pvg_query_new(&query, text, &a, NULL, NULL));
    a.order = 0;
    PVGT_FAILS(PVG_E_ARGUMENT, "arguments->order is needed",
               pvg_query_new(&query, "degrees", &a, &target, NULL));
    a = (pvg_arguments){.size = sizeof a, .order = 4};
    PVGT_FAILS(PVG_E_ARGUMENT, "order is 5 in the text and 4 in arguments",
               pvg_query_new(&query, "spectrum order=5", &a, &target, NULL));
    /* words for numbers of the library's own enums */
    for (int32_t noise = 1; pvg_noise_name(noise); noise++) {
        char words[128];
        snprintf(words, sizeof words, "embed patterns=edge epsilon=1%s noise=%s",
                 noise == PVG_NOISE_SMOOTH || noise == PVG_NOISE_SMOOTH_PUBLISHED
                     ? " beta=0.01"
                     : "",
                 pvg_noise_name(noise));
        PVGT_OK(pvg_query_new(&query, words, NULL, NULL, NULL));
        TEST_ASSERT_EQUAL_INT32(noise == PVG_NOISE_GAUSSIAN ? 1 : noise,
                                query->budget.target.noise);
        pvg_query_free(query);
    }
    for (int32_t i = 0; pvg_allocation_name(i); i++) {
        char words[128];
        snprintf(words, sizeof words, "embed patterns=edge epsilon=1 allocation=%s",
                 pvg_allocation_name(i));
        PVGT_OK(pvg_query_new(&query, words, NULL, NULL, NULL));
        TEST_ASSERT_EQUAL_INT32(i, query->budget.target.allocation);
        pvg_query_free(query);
    }
}

/* Every option of every kind: its default in the JSON is what text without it has. */
static void kinds_and_their_tables(void) {
    const pvgi_kind *kind;
    for (int64_t i = 0; (kind = pvgi_query_kind(i)) != NULL; i++) {
        TEST_ASSERT_EQUAL_PTR(kind, pvgi_query_find_kind(kind->kind));
        TEST_ASSERT_NOT_EQUAL(0, kind->notions);
        TEST_ASSERT_NOT_EQUAL(0, kind->gives);
        TEST_ASSERT_NOT_EQUAL(0, kind->reads);
        TEST_ASSERT_EQUAL((kind->options == NULL), (kind->bytes == 0));
        for (const pvgi_option *o = kind->options; o && o->name; o++) {
            uint32_t same = 0;
            for (const pvgi_option *c = pvgi_query_common; c->name; c++)
                same += strcmp(c->name, o->name) == 0;
            PVGT_CHECK(same == 0, "%s: %s is an option of all kinds", kind->kind,
                       o->name);
            for (const pvgi_option *c = kind->options; c < o; c++)
                PVGT_CHECK(strcmp(c->name, o->name) != 0, "%s: %s twice", kind->kind,
                           o->name);
            PVGT_CHECK(strlen(o->help) > 0 &&
                           strspn(o->name, "abcdefghijklmnopqrstuvwxy"
                                           "z0123456789-") == strlen(o->name),
                       "%s: %s", kind->kind, o->name);
            PVGT_CHECK(o->rule.offset < kind->bytes, "%s: %s", kind->kind, o->name);
        }
    }
    size_t length = 0;
    pvg_query_copy_kinds(NULL, 0, &length);
    char *json = calloc(1, length + 1);
    TEST_ASSERT_NOT_NULL(json);
    PVGT_OK(pvg_query_copy_kinds(json, length + 1, &length));
    for (int64_t i = 0; (kind = pvgi_query_kind(i)) != NULL; i++) {
        char key[64];
        snprintf(key, sizeof key, "\"kind\":\"%s\"", kind->kind);
        TEST_ASSERT_NOT_NULL(strstr(json, key));
    }
    free(json);
}

/* Sparse features are no rows of numbers: the shape says 0, and 0 numbers are written. */
static void sparse_features_have_no_covariance(void) {
    world w = make_world();
    pvg_query *query = query_of("features columns=5 sparse=yes epsilon=2", NULL);
    const pvg_input in = {.size = sizeof in, .features = w.features};
    int64_t rows, columns;
    double out = 7.0;
    PVGT_OK(pvg_query_shape(&rows, &columns, query, &in));
    TEST_ASSERT_TRUE(rows == 0 && columns == 0);
    PVGT_FAILS(PVG_E_ARGUMENT, "gives no numbers",
               pvg_query_covariance(&out, query, ORDER));
    TEST_ASSERT_TRUE(out == 7.0);
    pvg_query_free(query);
    free_world(&w);
}

/* Likelihoods of a row: nothing between equal worlds, the nearer world otherwise. */
static void rows_tell_worlds_apart(void) {
    pvg_query *query = query_of("embed patterns=edge,path3 epsilon=1", NULL);
    pvg_query *stars = query_of("stars epsilon=1", NULL);
    const double row[2] = {0.2, 0.1}, far[2] = {0.9, 0.9};
    double out = 7.0, back = 7.0;
    PVGT_OK(pvg_query_compare_exact(&out, row, 1, far, far, query, ORDER));
    TEST_ASSERT_TRUE(out == 0.0);
    PVGT_OK(pvg_query_compare_exact(&out, row, 1, row, far, query, ORDER));
    PVGT_OK(pvg_query_compare_exact(&back, row, 1, far, row, query, ORDER));
    TEST_ASSERT_TRUE(out < 0.0 && fabs(out + back) < 1e-9 * -out);
    PVGT_FAILS(PVG_E_ARGUMENT, "not one of embed",
               pvg_query_compare_exact(&out, row, 1, row, far, stars, ORDER));
    pvg_query_free(query);
    pvg_query_free(stars);
}

/* As published: it reads features that are open, and promises nothing. */
static void published_methods_promise_nothing(void) {
    seeds = 1;
    world w = make_world();
    seeds = 0;
    pvg_query *query =
        query_of("graphprivatizer strategy=threshold alpha=0.5 epsilon=1", NULL);
    pvg_perturber *perturber = NULL;
    const pvg_graphprivatizer_config config = {
        .size = sizeof config, .strategy = PVG_GP_STRATEGY_THRESHOLD, .alpha = 0.5};
    const pvg_target target = {.size = sizeof target, .epsilon = 1, .allow_seeded = 1};
    pvg_input in = {.size = sizeof in, .graph = w.graph[1], .features = w.features};
    pvg_release *release = NULL, *old = NULL;
    double epsilon;
    PVGT_FAILS(PVG_E_UNDECLARED, "does not hide them",
               pvg_release_draw(&release, query, &in, NULL, NULL, NULL));
    in.open = PVG_DATA_FEATURES;
    PVGT_OK(pvgt_perturber_new_graphprivatizer(&perturber, &config, &target, w.features));
    for (int i = 0; i < 2; i++) {
        pvg_rng_free(w.rng);
        PVGT_OK(pvg_rng_new_seeded(&w.rng, 9));
        if (i == 0)
            PVGT_OK(pvg_release_draw(&release, query, &in, w.rng, NULL, NULL));
        else
            PVGT_OK(pvgt_release_draw_graph(&old, perturber, w.graph[1], 0, w.rng, NULL,
                                            NULL));
    }
    same_json(old, release, "graphprivatizer");
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 0.5));
    TEST_ASSERT_TRUE(isinf(epsilon));
    pvg_release_free(release);
    pvg_release_free(old);
    pvgt_perturber_free(perturber);
    pvg_query_free(query);
    free_world(&w);
}

/* --- what is asked of what --------------------------------------------------------- */

static void wrong_inputs(void) {
    world w = make_world();
    pvg_release *release = NULL;
    pvg_query *stars = query_of("stars epsilon=1", NULL);
    pvg_query *passing =
        query_of("message-passing columns=5 order=24 max-degree=4 epsilon=1", NULL);
    pvg_query *nodes = query_of("message-passing columns=5 order=24 hide=node "
                                "operator=sum method=hops degrees=promised max-degree=4 "
                                "layers=1 epsilon=1",
                                NULL);
    pvg_release *made = NULL;
    const pvg_input plain = {.size = sizeof plain, .graph = w.graph[0]};
    PVGT_OK(pvg_release_draw(&made, stars, &plain, NULL, NULL, NULL));
    const pvg_release *some = made;
    const struct {
        int32_t status;
        const char *part;
        const pvg_query *query;
        pvg_input in;
    } cases[] = {
        {PVG_E_ARGUMENT,
         "stars reads the graph; input->graph is NULL",
         stars,
         {.size = sizeof(pvg_input)}},
        {PVG_E_ARGUMENT,
         "does not read the features",
         stars,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .features = w.features}},
        {PVG_E_ARGUMENT,
         "are both given",
         stars,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .set = w.set[0]}},
        {PVG_E_ARGUMENT,
         "input->open names the graph, which stars hides",
         stars,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .open = PVG_DATA_GRAPH}},
        {PVG_E_ARGUMENT,
         "which stars does not read",
         stars,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .open = PVG_DATA_LABELS}},
        {PVG_E_UNDECLARED,
         "message-passing reads the features and does not hide them",
         passing,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .features = w.features}},
        {PVG_E_ARGUMENT,
         "not for sets",
         passing,
         {.size = sizeof(pvg_input),
          .set = w.set[0],
          .features = w.features,
          .open = PVG_DATA_FEATURES}},
        {PVG_E_ARGUMENT,
         "input->open names the features, which",
         nodes,
         {.size = sizeof(pvg_input),
          .graph = w.graph[0],
          .features = w.features,
          .open = PVG_DATA_FEATURES}},
        {PVG_E_ARGUMENT,
         "input->sources belong to open parts",
         stars,
         {.size = sizeof(pvg_input),
          .graph = w.graph[0],
          .source_count = 1,
          .sources = &some}},
        {PVG_E_ARGUMENT,
         "do not agree",
         stars,
         {.size = sizeof(pvg_input), .graph = w.graph[0], .object_count = 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PVGT_FAILS(
            cases[i].status, cases[i].part,
            pvg_release_draw(&release, cases[i].query, &cases[i].in, NULL, NULL, NULL));
        TEST_ASSERT_NULL(release);
    }
    const pvg_input good = {
        .size = sizeof good, .graph = w.graph[0], .features = w.features};
    PVGT_OK(pvg_release_draw(&release, nodes, &good, NULL, NULL, NULL));
    pvg_release_free(release);
    pvg_release_free(made);
    pvg_query_free(stars);
    pvg_query_free(passing);
    pvg_query_free(nodes);
    free_world(&w);
}

static pvg_ledger *ledger_of(int32_t notion, double epsilon) {
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = notion, .epsilon = epsilon};
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

static double spent(pvg_ledger *ledger, const char *name) {
    double epsilon = -1.0;
    PVGT_OK(pvg_ledger_spent(&epsilon, ledger, pvg_ledger_object(name), 0.0));
    return epsilon;
}

/* Names pay; a graph of a set is NAME:i; text alone is enough. */
static void objects_by_name(void) {
    world w = make_world();
    pvg_release *release = NULL;
    pvg_ledger *ledger = ledger_of(PVG_NOTION_EDGE, 10);
    pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    PVGT_OK(pvg_release_draw_text(&release, "spectrum epsilon=1", &in, ledger, NULL));
    TEST_ASSERT_EQUAL_INT64(ORDER, pvg_release_columns(release));
    pvg_release_free(release);
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 1.0) < 1e-9);
    in = (pvg_input){.size = sizeof in, .set = w.set[0], .object = "net"};
    PVGT_OK(pvg_release_draw_text(&release, "stars epsilon=2", &in, ledger, NULL));
    pvg_release_free(release);
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 3.0) < 1e-9);
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net:2") - 2.0) < 1e-9);
    in.object = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "input->object is NULL",
               pvg_release_draw_text(&release, "stars epsilon=1", &in, ledger, NULL));
    in.objects = (const uint64_t[]){5, 6, 7};
    in.object_count = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "object_count is 2 for 3 graphs",
               pvg_release_draw_text(&release, "stars epsilon=1", &in, ledger, NULL));
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 3.0) < 1e-9);
    pvg_ledger_free(ledger);
    free_world(&w);
}

/* --- several draws ----------------------------------------------------------------- */

static void one_payment(void) {
    world w = make_world();
    pvg_ledger *ledger = ledger_of(PVG_NOTION_EDGE, 3);
    pvg_composition *all = NULL;
    pvg_query *stars = query_of("stars epsilon=1", NULL);
    pvg_query *triangles = query_of("triangles epsilon=1", NULL);
    pvg_query *dear = query_of("triangles epsilon=1.5", NULL);
    pvg_query *labels = query_of("labels classes=4 epsilon=2", NULL);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    const pvg_input other = {.size = sizeof in, .graph = w.graph[0], .object = "web"};
    const pvg_input classes = {.size = sizeof classes, .labels = w.labels};
    pvg_release *release = NULL;
    pvg_guarantee *guarantee = NULL;
    int64_t at, second, third;
    double epsilon;
    PVGT_OK(pvg_composition_new(&all));
    PVGT_OK(pvg_composition_add(&at, all, stars, &in, 2, ledger));
    PVGT_FAILS(PVG_E_ARGUMENT, "the same objects",
               pvg_composition_add(&second, all, stars, &other, 1, ledger));
    PVGT_OK(pvg_composition_add(&second, all, triangles, &in, 1, ledger));
    PVGT_OK(pvg_composition_add(&third, all, labels, &classes, 1, NULL));
    PVGT_OK(pvg_composition_guarantee(&guarantee, all, PVG_NOTION_EDGE));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, 0.0));
    TEST_ASSERT_TRUE(fabs(epsilon - 3.0) < 1e-9);
    pvg_guarantee_free(guarantee);
    PVGT_OK(pvg_composition_guarantee(&guarantee, all, PVG_NOTION_LABEL_LDP));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, 0.0));
    TEST_ASSERT_TRUE(fabs(epsilon - 2.0) < 1e-9);
    pvg_guarantee_free(guarantee);
    PVGT_FAILS(PVG_E_PRIVACY, "says nothing about",
               pvg_composition_guarantee(&guarantee, all, PVG_NOTION_NODE));
    PVGT_FAILS(PVG_E_ARGUMENT, "is not paid",
               pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL));
    PVGT_OK(pvg_composition_pay(all));
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_charge_count(ledger));
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 3.0) < 1e-9);
    PVGT_FAILS(PVG_E_ARGUMENT, "is paid", pvg_composition_pay(all));
    PVGT_FAILS(PVG_E_ARGUMENT, "is paid",
               pvg_composition_add(&at, all, stars, &in, 1, ledger));
    /* what fails before anything is read leaves the place */
    const pvg_run tight = {.size = sizeof tight, .scratch_limit = 1};
    PVGT_FAILS(PVG_E_LIMIT, "",
               pvg_composition_draw(&release, all, second, NULL, &in, NULL, &tight));
    PVGT_FAILS(PVG_E_PRIVACY, "other objects",
               pvg_composition_draw(&release, all, at, NULL, &other, NULL, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "does not promise as much",
               pvg_composition_draw(&release, all, at, dear, &in, NULL, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "other objects",
               pvg_composition_draw(&release, all, at, labels, &classes, NULL, NULL));
    for (int i = 0; i < 2; i++) { /* the second time another query that costs as much */
        PVGT_OK(pvg_composition_draw(&release, all, at, i ? triangles : NULL, &in, NULL,
                                     NULL));
        TEST_ASSERT_EQUAL_INT64(1, release->guarantee.charge);
        TEST_ASSERT_EQUAL_UINT64(pvg_ledger_object("net"), release->guarantee.numbers[0]);
        pvg_release_free(release);
    }
    PVGT_FAILS(PVG_E_PRIVACY, "is used up",
               pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL));
    PVGT_OK(pvg_composition_draw(&release, all, second, NULL, &in, NULL, NULL));
    pvg_release_free(release);
    PVGT_OK(pvg_composition_draw(&release, all, third, NULL, &classes, NULL, NULL));
    pvg_release_free(release);
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 3.0) < 1e-9);
    pvg_composition_free(all);
    /* all or none: two ledgers, of which one has not enough */
    pvg_ledger *poor = ledger_of(PVG_NOTION_EDGE, 0.5);
    pvg_ledger *rich = ledger_of(PVG_NOTION_EDGE, 5);
    PVGT_OK(pvg_composition_new(&all));
    PVGT_OK(pvg_composition_add(&at, all, stars, &in, 1, rich));
    PVGT_OK(pvg_composition_add(&at, all, stars, &in, 1, poor));
    PVGT_FAILS(PVG_E_BUDGET, "", pvg_composition_pay(all));
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(rich));
    PVGT_FAILS(PVG_E_ARGUMENT, "is not paid",
               pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL));
    pvg_composition_free(all);
    pvg_ledger_free(poor);
    pvg_ledger_free(rich);
    pvg_ledger_free(ledger);
    pvg_query_free(stars);
    pvg_query_free(triangles);
    pvg_query_free(dear);
    pvg_query_free(labels);
    free_world(&w);
}

/* Ledgers of other notions pay for as many steps as a change takes, unless a promise
 * about degrees may be broken on the way. */
static void ledgers_of_other_notions(void) {
    world w = make_world();
    pvg_ledger *lists = ledger_of(PVG_NOTION_EDGE_SET_LDP, 100);
    pvg_ledger *ends = ledger_of(PVG_NOTION_SWITCH, 100);
    pvg_ledger *nodes = ledger_of(PVG_NOTION_NODE, 100);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    pvg_release *release = NULL;
    PVGT_OK(pvg_release_draw_text(&release, "stars epsilon=1", &in, lists, NULL));
    pvg_release_free(release);
    TEST_ASSERT_TRUE(fabs(spent(lists, "net") - 2.0) < 1e-9);
    PVGT_OK(pvg_release_draw_text(&release, "stars epsilon=1", &in, ends, NULL));
    pvg_release_free(release);
    TEST_ASSERT_TRUE(fabs(spent(ends, "net") - 4.0) < 1e-9);
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged",
               pvg_release_draw_text(&release, "stars epsilon=1", &in, nodes, NULL));
    PVGT_FAILS(PVG_E_PRIVACY, "may break the promise",
               pvg_release_draw_text(&release,
                                     "embed patterns=edge,path3 max-degree=30 "
                                     "degrees=promised noise=laplace epsilon=1",
                                     &in, ends, NULL));
    TEST_ASSERT_TRUE(fabs(spent(ends, "net") - 4.0) < 1e-9);
    pvg_ledger_free(lists);
    pvg_ledger_free(ends);
    pvg_ledger_free(nodes);
    free_world(&w);
}

/* Parts of a joined one, and numbers made from releases by the host. */
static void parts_and_derived(void) {
    world w = make_world();
    pvg_release *whole = NULL, *part = NULL, *made = NULL, *second = NULL;
    pvg_query *both = query_of("scalars list=edges,leaves share=1 + stars leaves=3 "
                               "share=3 epsilon=2",
                               NULL);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0]};
    const double *values, *own;
    double epsilon;
    PVGT_OK(pvg_release_draw(&whole, both, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, whole));
    TEST_ASSERT_EQUAL_INT64(4, pvg_release_columns(whole));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(whole), 0.0));
    TEST_ASSERT_TRUE(epsilon <= 2.0 && epsilon > 1.99999);
    PVGT_OK(pvg_release_select(&part, whole, 1));
    PVGT_OK(pvg_release_view(&own, part));
    TEST_ASSERT_EQUAL_INT64(2, pvg_release_columns(part));
    TEST_ASSERT_TRUE(own[0] == values[2] && own[1] == values[3]);
    PVGT_FAILS(PVG_E_ARGUMENT, "no part 2", pvg_release_select(&made, whole, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "not of a joined", pvg_release_select(&made, part, 0));
    /* the same draw counts once */
    const double sum = own[0] + values[0];
    const pvg_release *sources[] = {whole, part};
    PVGT_OK(pvg_release_derive(&made, &sum, 1, 1, sources, 2, "a sum"));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(made), 0.0));
    TEST_ASSERT_TRUE(epsilon <= 2.0 + 1e-9);
    pvg_release_free(made);
    PVGT_OK(pvg_release_draw(&second, both, &in, NULL, NULL, NULL));
    const pvg_release *twice[] = {whole, second};
    PVGT_OK(pvg_release_derive(&made, &sum, 1, 1, twice, 2, "a sum"));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(made), 0.0));
    TEST_ASSERT_TRUE(epsilon > 3.99);
    pvg_release *none = NULL;
    PVGT_FAILS(PVG_E_ARGUMENT, "count is below 1",
               pvg_release_derive(&none, &sum, 1, 1, twice, 0, "a sum"));
    pvg_release_free(part);
    pvg_release_free(made);
    pvg_release_free(second);
    pvg_release_free(whole);
    pvg_query_free(both);
    free_world(&w);
}

/* A query made from a release: its draws are in the guarantee, and a ledger that has paid
 * for them is charged for the new one alone. */
static void queries_made_from_releases(void) {
    world w = make_world();
    pvg_ledger *ledger = ledger_of(PVG_NOTION_EDGE, 5), *other;
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    pvg_release *first = NULL, *second = NULL;
    pvg_query *query = NULL;
    double epsilon;
    int32_t groups[ORDER];
    PVGT_OK(pvg_release_draw_text(&first, "edge-histogram epsilon=1", &in, ledger, NULL));
    const double *values;
    PVGT_OK(pvg_release_view(&values, first));
    for (int i = 0; i < ORDER; i++) groups[i] = values[i] > 1.0;
    const pvg_release *sources[] = {first};
    const pvg_arguments a = {.size = sizeof a,
                             .order = ORDER,
                             .groups = groups,
                             .sources = sources,
                             .source_count = 1};
    PVGT_OK(pvg_query_new(&query, "degrees levels=2 ranks=2 groups=2 epsilon=0.5", &a,
                          NULL, NULL));
    PVGT_OK(pvg_release_draw(&second, query, &in, NULL, ledger, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(second), 0.0));
    TEST_ASSERT_TRUE(fabs(epsilon - 1.5) < 1e-9);
    TEST_ASSERT_TRUE(fabs(spent(ledger, "net") - 1.5) < 1e-9);
    pvg_release_free(second);
    /* one that has not paid for the first pays for both */
    other = ledger_of(PVG_NOTION_EDGE, 5);
    PVGT_OK(pvg_release_draw(&second, query, &in, NULL, other, NULL));
    TEST_ASSERT_TRUE(fabs(spent(other, "net") - 1.5) < 1e-9);
    pvg_release_free(second);
    pvg_release_free(first);
    pvg_query_free(query);
    pvg_ledger_free(ledger);
    pvg_ledger_free(other);
    free_world(&w);
}

/* In a composition draws behind a query must have been paid by the ledger of the place,
 * when it is added and when it is drawn. */
static void compositions_of_queries_made_from_releases(void) {
    world w = make_world();
    pvg_ledger *paid = ledger_of(PVG_NOTION_EDGE, 5);
    pvg_ledger *other = ledger_of(PVG_NOTION_EDGE, 5);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    pvg_release *first = NULL, *second = NULL;
    pvg_query *made = NULL, *plain = NULL;
    pvg_composition *all = NULL;
    int32_t groups[ORDER];
    int64_t at[2];
    for (int i = 0; i < ORDER; i++) groups[i] = i % 2;
    PVGT_OK(pvg_release_draw_text(&first, "edge-histogram epsilon=1", &in, paid, NULL));
    const pvg_release *sources[] = {first};
    pvg_arguments a = {.size = sizeof a, .order = ORDER, .groups = groups};
    const char *text = "degrees levels=2 ranks=2 groups=2 epsilon=0.5";
    PVGT_OK(pvg_query_new(&plain, text, &a, NULL, NULL));
    a.sources = sources;
    a.source_count = 1;
    PVGT_OK(pvg_query_new(&made, text, &a, NULL, NULL));
    PVGT_OK(pvg_composition_new(&all));
    PVGT_FAILS(PVG_E_PRIVACY, "was not paid by the ledger",
               pvg_composition_add(&at[0], all, made, &in, 1, other));
    PVGT_OK(pvg_composition_add(&at[0], all, plain, &in, 1, other));
    PVGT_OK(pvg_composition_add(&at[1], all, plain, &in, 1, paid));
    PVGT_OK(pvg_composition_pay(all));
    pvg_guarantee *together = NULL;
    pvg_composition *alone = NULL;
    double whole;
    int64_t only;
    PVGT_OK(pvg_composition_new(&alone));
    PVGT_OK(pvg_composition_add(&only, alone, made, &in, 1, paid));
    PVGT_OK(pvg_composition_guarantee(&together, alone, PVG_NOTION_EDGE));
    PVGT_OK(pvg_guarantee_epsilon(&whole, together, 0.0));
    TEST_ASSERT_TRUE(fabs(whole - 1.5) < 1e-9); /* with the draw it was made from */
    pvg_guarantee_free(together);
    pvg_composition_free(alone);
    PVGT_FAILS(PVG_E_PRIVACY, "was not paid by the ledger",
               pvg_composition_draw(&second, all, at[0], made, &in, NULL, NULL));
    PVGT_OK(pvg_composition_draw(&second, all, at[1], made, &in, NULL, NULL));
    double epsilon;
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(second), 0.0));
    TEST_ASSERT_TRUE(fabs(epsilon - 1.5) < 1e-9);
    TEST_ASSERT_TRUE(fabs(spent(paid, "net") - 1.5) < 1e-9);
    TEST_ASSERT_TRUE(fabs(spent(other, "net") - 0.5) < 1e-9);
    pvg_composition_free(all);
    pvg_release_free(first);
    pvg_release_free(second);
    pvg_query_free(made);
    pvg_query_free(plain);
    pvg_ledger_free(paid);
    pvg_ledger_free(other);
    free_world(&w);
}

/* A process that was forked has the places, but not what was paid for them. */
static void a_forked_composition_draws_nothing(void) {
    world w = make_world();
    pvg_composition *all = NULL;
    pvg_query *stars = query_of("stars epsilon=1", NULL);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0]};
    pvg_release *release = NULL;
    int64_t at;
    int code = -1;
    PVGT_OK(pvg_composition_new(&all));
    PVGT_OK(pvg_composition_add(&at, all, stars, &in, 1, NULL));
    PVGT_OK(pvg_composition_pay(all));
    const pid_t child = fork();
    TEST_ASSERT_TRUE(child >= 0);
    if (child == 0)
        _exit(pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL) ==
                      PVG_E_PRIVACY
                  ? 0
                  : 1);
    TEST_ASSERT_EQUAL(child, waitpid(child, &code, 0));
    TEST_ASSERT_EQUAL_INT(0, code);
    PVGT_OK(pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL));
    pvg_release_free(release);
    pvg_composition_free(all);
    pvg_query_free(stars);
    free_world(&w);
}

/* Nodes that were read off edges: refused for that reason, before their number could be
 * the reason for anything; and a query for one number of nodes is asked of no other. */
static void orders_of_graphs(void) {
    pvg_graph *read = NULL, *told = NULL;
    pvg_release *release = NULL;
    char edges[32768];
    size_t used = 0;
    for (int i = 0; i < 2500; i++) /* above what a spectrum takes */
        used += (size_t)snprintf(edges + used, sizeof edges - used, "%d %d\n", i, i + 1);
    const pvg_io_options options = {.size = sizeof options,
                                    .format = PVG_FORMAT_EDGE_LIST};
    PVGT_OK(pvg_graph_parse(&read, edges, used, &options, NULL));
    const pvg_input in = {.size = sizeof in, .graph = read};
    PVGT_FAILS(PVG_E_ARGUMENT, "needs order",
               pvg_release_draw_text(&release, "spectrum epsilon=1", &in, NULL, NULL));
    PVGT_FAILS(
        PVG_E_UNDECLARED, "were read off the private edges",
        pvg_release_draw_text(&release, "stars order=7 epsilon=1", &in, NULL, NULL));
    told = graph_of(0);
    const pvg_input good = {.size = sizeof good, .graph = told};
    static const char *const texts[] = {
        "capped-edges cap=2 order=23 epsilon=1", "response order=23 epsilon=1",
        "embed patterns=edge order=23 epsilon=1", "stars order=23 epsilon=1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        PVGT_FAILS(PVG_E_ARGUMENT, "the query is for 23",
                   pvg_release_draw_text(&release, texts[i], &good, NULL, NULL));
    pvg_graph_free(read);
    pvg_graph_free(told);
}

/* What was selected or derived is kept in files, and read back as what it is. */
static void files_of_parts(void) {
    world w = make_world();
    const char *path = "query_part.pvgr";
    pvg_query *both = query_of("scalars list=edges + stars epsilon=2", NULL);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0]};
    pvg_release *whole = NULL, *part = NULL, *made = NULL, *loaded = NULL;
    const double number = 5;
    PVGT_OK(pvg_release_draw(&whole, both, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_release_select(&part, whole, 1));
    const pvg_release *sources[] = {whole};
    PVGT_OK(pvg_release_derive(&made, &number, 1, 1, sources, 1, "five"));
    const pvg_release *kept[] = {part, made};
    for (int i = 0; i < 2; i++) {
        double before, after;
        PVGT_OK(pvg_release_save(path, kept[i]));
        PVGT_OK(pvg_release_load(&loaded, path));
        PVGT_OK(pvg_guarantee_epsilon(&before, pvg_release_guarantee(kept[i]), 0.0));
        PVGT_OK(pvg_guarantee_epsilon(&after, pvg_release_guarantee(loaded), 0.0));
        TEST_ASSERT_TRUE(after >= before * (1 - 1e-12));
        pvg_release_free(loaded);
        remove(path);
    }
    pvg_release_free(whole);
    pvg_release_free(part);
    pvg_release_free(made);
    pvg_query_free(both);
    free_world(&w);
}

/* --- after the release ------------------------------------------------------------- */

/* From a query and its release the same comes out as from settings and numbers, also when
 * the release was read from a file; another query's is refused. */
static void estimates_from_releases(void) {
    seeds = 1;
    world w = make_world();
    seeds = 0;
    const char *path = "query_release.pvgr";
    pvg_query *degrees = query_of("degrees order=24 levels=4 ranks=all epsilon=2", NULL);
    pvg_query *other = query_of("degrees order=24 levels=4 ranks=all epsilon=1", NULL);
    pvg_query *made = query_of("synthesis order=24 epsilon=2", NULL);
    pvg_query *response = query_of("response epsilon=2", NULL);
    pvg_query *labels = query_of("labels classes=4 epsilon=2", NULL);
    const pvg_degrees_config config = {
        .size = sizeof config, .order = ORDER, .levels = 4, .ranks = -1};
    const pvg_target target = {.size = sizeof target, .epsilon = 2};
    const pvg_input in = {.size = sizeof in, .graph = w.graph[1]};
    const pvg_input users = {.size = sizeof users, .labels = w.labels};
    pvg_release *release = NULL, *loaded = NULL;
    pvg_statistic *statistic = NULL;
    const double *values;
    int64_t one[ORDER], two[ORDER];
    double moments[2][4], x[2], variance[2], all[2][ORDER];
    PVGT_OK(pvg_release_draw(&release, degrees, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_release_save(path, release));
    PVGT_OK(pvg_release_load(&loaded, path));
    remove(path);
    PVGT_OK(pvgt_statistic_new_degrees(&statistic, &config, &target, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    PVGT_OK(pvgt_degrees_sequence(one, statistic, values, 0));
    PVGT_OK(pvg_estimate_sequence(two, degrees, loaded, 0));
    TEST_ASSERT_EQUAL_MEMORY(one, two, sizeof one);
    PVGT_OK(pvgt_degrees_moments(moments[0], 4, statistic, values, 0));
    PVGT_OK(pvg_estimate_moments(moments[1], 4, degrees, release, ORDER));
    TEST_ASSERT_EQUAL_MEMORY(moments[0], moments[1], sizeof moments[0]);
    PVGT_FAILS(PVG_E_ARGUMENT, "answers another query",
               pvg_estimate_sequence(two, other, release, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "answers another query",
               pvg_estimate_edges(x, NULL, response, release));
    char text[512];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_query(text, sizeof text, &length,
                                     pvg_release_guarantee(loaded)));
    TEST_ASSERT_EQUAL_STRING("degrees levels=4 ranks=all groups=auto order=24 epsilon=2",
                             text);
    pvg_release_free(loaded);
    pvg_release_free(release);
    pvgt_statistic_free(statistic);
    /* graphs */
    const pvg_graph *graph;
    pvg_perturber *perturber = NULL;
    PVGT_OK(pvgt_perturber_new_response(&perturber, NULL, &target));
    PVGT_OK(pvg_release_draw(&release, response, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_release_view_graph(&graph, release));
    PVGT_OK(pvgt_perturber_estimate_edges(&x[0], &variance[0], perturber, graph));
    PVGT_OK(pvg_estimate_edges(&x[1], &variance[1], response, release));
    TEST_ASSERT_TRUE(x[0] == x[1] && variance[0] == variance[1]);
    PVGT_OK(
        pvgt_perturber_estimate_triangles(&x[0], &variance[0], perturber, graph, NULL));
    PVGT_OK(pvg_estimate_triangles(&x[1], &variance[1], response, release, NULL));
    TEST_ASSERT_TRUE(x[0] == x[1] && variance[0] == variance[1]);
    PVGT_OK(pvgt_perturber_estimate_degrees(all[0], NULL, perturber, graph));
    PVGT_OK(pvg_estimate_degrees(all[1], NULL, response, release));
    TEST_ASSERT_EQUAL_MEMORY(all[0], all[1], sizeof all[0]);
    pvgt_perturber_free(perturber);
    pvg_release_free(release);
    /* labels */
    double chances[16], counts[4];
    PVGT_OK(pvg_estimate_transition(chances, labels));
    for (int c = 0; c < 4; c++)
        TEST_ASSERT_TRUE(fabs(chances[4 * c] + chances[4 * c + 1] + chances[4 * c + 2] +
                              chances[4 * c + 3] - 1.0) < 1e-12);
    PVGT_OK(pvg_release_draw(&release, labels, &users, NULL, NULL, NULL));
    PVGT_OK(pvg_estimate_labels(counts, NULL, labels, release));
    TEST_ASSERT_TRUE(fabs(counts[0] + counts[1] + counts[2] + counts[3] - (double)ORDER) <
                     1e-9);
    pvg_release_free(release);
    /* a graph made from numbers */
    pvg_graph *wired = NULL;
    pvg_rng_free(w.rng);
    PVGT_OK(pvg_rng_new_seeded(&w.rng, 5));
    PVGT_OK(pvg_release_draw(&release, made, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_synthesis_graph(&wired, made, release, NULL, w.rng, NULL));
    TEST_ASSERT_EQUAL_INT64(ORDER, pvg_graph_order(wired));
    pvg_graph_free(wired);
    PVGT_FAILS(PVG_E_ARGUMENT, "answers another",
               pvg_synthesis_graph(&wired, degrees, release, NULL, w.rng, NULL));
    pvg_release_free(release);
    pvg_query_free(degrees);
    pvg_query_free(other);
    pvg_query_free(made);
    pvg_query_free(response);
    pvg_query_free(labels);
    free_world(&w);
}

/* Every column has a name of its own, of few letters; preview, record and guarantee have
 * the same. */
static void names_of_columns(void) {
    world w = make_world();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const pair *p = &pairs[i];
        if (strstr(p->text, "groups=2")) continue;
        pvg_query *query = query_of(p->text, NULL);
        const int64_t orders[] = {ORDER};
        pvg_guarantee *guarantee = NULL;
        static char names[256][64];
        size_t length;
        PVGT_OK(pvg_query_guarantee(&guarantee, query, orders, 1));
        const int64_t columns = pvg_guarantee_columns(guarantee);
        for (int64_t k = 0; k < columns && k < 256; k++) {
            pvg_column column = {.size = sizeof column};
            PVGT_OK(pvg_guarantee_copy_column_name(names[k], sizeof names[k], &length,
                                                   guarantee, k));
            PVGT_CHECK(length > 0 && strspn(names[k], "abcdefghijklmnopqrstuvwxyz"
                                                      "0123456789.-") == length,
                       "%s: %s", p->text, names[k]);
            for (int64_t j = 0; j < k; j++)
                PVGT_CHECK(strcmp(names[j], names[k]) != 0, "%s: %s", p->text, names[k]);
            PVGT_OK(pvg_guarantee_copy_column(&column, guarantee, k, ORDER));
            PVGT_CHECK(!(column.low > column.high), "%s: %s", p->text, names[k]);
        }
        PVGT_FAILS(
            PVG_E_ARGUMENT, "no column",
            pvg_guarantee_copy_column_name(names[0], 64, &length, guarantee, columns));
        pvg_guarantee_free(guarantee);
        pvg_query_free(query);
    }
    /* the same name twice */
    pvg_query *twice = query_of("stars epsilon=1 + stars epsilon=2", NULL);
    pvg_guarantee *guarantee = NULL;
    char name[64];
    size_t length;
    PVGT_OK(pvg_query_guarantee(&guarantee, twice, NULL, 0));
    PVGT_OK(pvg_guarantee_copy_column_name(name, sizeof name, &length, guarantee, 2));
    TEST_ASSERT_EQUAL_STRING("stars2.2", name);
    pvg_guarantee_free(guarantee);
    pvg_query_free(twice);
    free_world(&w);
}

/* About another notion or object: free, refused or counted. */
static void guarantees_about(void) {
    world w = make_world();
    pvg_ledger *ledger = ledger_of(PVG_NOTION_EDGE, 10);
    const pvg_input in = {.size = sizeof in, .graph = w.graph[0], .object = "net"};
    pvg_release *release = NULL;
    pvg_guarantee *about = NULL;
    double epsilon;
    const uint64_t net = pvg_ledger_object("net"), web = pvg_ledger_object("web");
    PVGT_OK(pvg_release_draw_text(&release, "stars epsilon=1", &in, ledger, NULL));
    const pvg_guarantee *own = pvg_release_guarantee(release);
    PVGT_OK(pvg_guarantee_about(&about, own, PVG_NOTION_EDGE, &net));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, about, 0.0));
    TEST_ASSERT_TRUE(fabs(epsilon - 1.0) < 1e-9);
    pvg_guarantee_free(about);
    PVGT_FAILS(PVG_E_ARGUMENT, "no draw it was made from is about the object",
               pvg_guarantee_about(&about, own, PVG_NOTION_EDGE, &web));
    PVGT_FAILS(PVG_E_PRIVACY, "says nothing about",
               pvg_guarantee_about(&about, own, PVG_NOTION_NODE, NULL));
    PVGT_OK(pvg_guarantee_about(&about, own, PVG_NOTION_LABEL_LDP, NULL));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, about, 0.0));
    TEST_ASSERT_TRUE(epsilon == 0.0);
    pvg_guarantee_free(about);
    pvg_release_free(release);
    pvg_ledger_free(ledger);
    free_world(&w);
}

/* --- memory ------------------------------------------------------------------------ */

typedef struct {
    const char *text;
    world *w;
} job;

static int32_t make_and_draw(void *context) {
    const job *j = context;
    pvg_query *query = NULL;
    pvg_composition *all = NULL;
    pvg_release *release = NULL, *part = NULL;
    pvg_ledger *ledger = NULL;
    int64_t at;
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_EDGE, .epsilon = 100};
    const pvg_input in = {.size = sizeof in, .graph = j->w->graph[0], .object = "net"};
    int32_t status = pvg_ledger_new(&ledger, &config);
    if (status == PVG_OK) status = pvg_query_new(&query, j->text, NULL, NULL, NULL);
    if (status == PVG_OK) status = pvg_composition_new(&all);
    if (status == PVG_OK) status = pvg_composition_add(&at, all, query, &in, 1, ledger);
    if (status == PVG_OK) status = pvg_composition_pay(all);
    if (status == PVG_OK)
        status = pvg_composition_draw(&release, all, at, NULL, &in, NULL, NULL);
    if (status == PVG_OK && query->parts > 0)
        status = pvg_release_select(&part, release, 0);
    pvg_release_free(part);
    pvg_release_free(release);
    pvg_composition_free(all);
    pvg_query_free(query);
    pvg_ledger_free(ledger);
    return status;
}

/* The bound of the worst graph, before anything is paid; nothing without a limit. */
static void time_is_bounded_before_paying(void) {
    const pvg_run hasty = {.size = sizeof hasty, .time_limit = 1};
    const int64_t orders[] = {20000, 3, 20000};
    pvg_ledger *ledger = ledger_of(PVG_NOTION_EDGE, 3);
    pvg_query *any = query_of("embed patterns=wheel5 noise=laplace epsilon=1", NULL);
    pvg_query *tame =
        query_of("embed patterns=wheel5 max-degree=3 noise=laplace epsilon=1", NULL);
    pvg_query *stars = query_of("stars epsilon=1", NULL);
    pvg_release *release = NULL;
    pvg_graph *graph;
    PVGT_OK(pvg_graph_new_cycle(&graph, 20000));
    const pvg_input in = {.size = sizeof in, .graph = graph, .object = "net"};
    double large, twice, small, seconds;
    PVGT_OK(pvg_query_cost(&large, &seconds, any, orders, 1));
    TEST_ASSERT(large > 1e14 && seconds > 100.0 && seconds < large);
    PVGT_OK(pvg_query_cost(&twice, &seconds, any, orders, 3));
    TEST_ASSERT(twice > 2.0 * large && twice < 2.0001 * large);
    PVGT_OK(pvg_query_cost(&small, &seconds, tame, orders, 1));
    TEST_ASSERT(small > 0.0 && small < 1e-5 * large);
    PVGT_FAILS(PVG_E_LIMIT, "time_limit is 1; nothing was paid",
               pvg_release_draw(&release, any, &in, NULL, ledger, &hasty));
    TEST_ASSERT_NULL(release);
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(ledger));
    PVGT_OK(pvg_release_draw(&release, tame, &in, NULL, ledger, &hasty));
    pvg_release_free(release);
    PVGT_OK(pvg_release_draw(&release, any, &in, NULL, ledger, NULL));
    pvg_release_free(release);
    TEST_ASSERT_EQUAL_INT64(2, pvg_ledger_charge_count(ledger));
    const int64_t odd = -1;
    PVGT_FAILS(PVG_E_ARGUMENT, "none of embed",
               pvg_query_cost(&large, &seconds, stars, orders, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "negative",
               pvg_query_cost(&large, &seconds, any, &odd, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "orders are needed",
               pvg_query_cost(&large, &seconds, any, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "operations",
               pvg_query_cost(NULL, &seconds, any, orders, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "seconds", pvg_query_cost(&large, NULL, any, orders, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "query",
               pvg_query_cost(&large, &seconds, NULL, orders, 1));
    pvg_graph_free(graph);
    pvg_query_free(any);
    pvg_query_free(tame);
    pvg_query_free(stars);
    pvg_ledger_free(ledger);
}

typedef struct {
    const pvg_query *query;
} asked;

static int32_t ask_cost(void *context) {
    const int64_t orders[] = {9, 4};
    double operations, seconds;
    return pvg_query_cost(&operations, &seconds, ((asked *)context)->query, orders, 2);
}

static void allocations_fail(void) {
    asked a = {query_of("embed patterns=wheel5 max-degree=3 epsilon=1", NULL)};
    pvgt_oom_walk("cost", ask_cost, &a, 1);
    pvg_query_free((pvg_query *)a.query);
    world w = make_world();
    const char *const texts[] = {
        "stars epsilon=1 + scalars list=edges", "response epsilon=3",
        "embed patterns=edge,triangle max-degree=4 noise=laplace epsilon=1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        job j = {texts[i], &w};
        pvgt_oom_walk(texts[i], make_and_draw, &j, 10);
    }
    free_world(&w);
}

/* Weights that are numbers of a release carry its draws: a query with these layers pays
 * for both, one with the same weights as public numbers for itself. */
static void layers_carry_the_release_behind_them(void) {
    static const double weights[] = {.5, 0, 0, .5, .25, 0, 0, .25};
    const pvg_layers_config config = {.size = sizeof config,
                                      .operation = PVG_OPERATOR_SUM,
                                      .rows = PVG_ROWS_PROJECTED,
                                      .depth = 2};
    pvg_graph *graph = NULL;
    pvg_release *count = NULL, *made = NULL, *flat = NULL;
    pvg_layers *layers[2] = {NULL, NULL}, *refused = NULL;
    double epsilon[2];
    PVGT_OK(pvg_graph_new_cycle(&graph, 12));
    const pvg_input input = {.size = sizeof input, .graph = graph};
    PVGT_OK(pvg_release_draw_text(&count, "scalars list=edges epsilon=3", &input, NULL,
                                  NULL));
    const pvg_release *sources[] = {count};
    PVGT_OK(pvg_release_derive(&made, weights, 4, 2, sources, 1, "fitted by hand"));
    PVGT_OK(pvg_release_derive(&flat, weights, 2, 4, sources, 1, "the wrong way round"));
    PVGT_OK(pvg_layers_new(&layers[0], &config, weights, 2));
    PVGT_OK(pvg_layers_from_release(&layers[1], &config, made));
    PVGT_FAILS(PVG_E_ARGUMENT, "2 x 4", pvg_layers_from_release(&refused, &config, flat));
    PVGT_FAILS(PVG_E_ARGUMENT, "4 x 2", pvg_layers_from_release(&refused, NULL, made));
    for (int i = 0; i < 2; i++) {
        const pvg_arguments a = {.size = sizeof a, .layers = layers[i]};
        pvg_guarantee *promise = NULL;
        pvg_query *query = query_of("message-passing columns=2 order=12 max-degree=2 "
                                    "epsilon=1 delta=1e-6",
                                    &a);
        PVGT_OK(pvg_query_guarantee(&promise, query, NULL, 0));
        PVGT_OK(pvg_guarantee_epsilon(&epsilon[i], promise, 1e-6));
        pvg_guarantee_free(promise);
        pvg_query_free(query);
        pvg_layers_free(layers[i]);
    }
    PVGT_CHECK(epsilon[0] <= 1.0 && epsilon[1] > 3.0 && epsilon[1] < 4.01,
               "public weights %g, released ones %g", epsilon[0], epsilon[1]);
    pvg_release_free(flat);
    pvg_release_free(made);
    pvg_release_free(count);
    pvg_graph_free(graph);
}

/* Brief previews say the same of noise and range, and nothing that was not looked for. */
static void brief_previews_search_for_nothing(void) {
    static const char *const texts[] = {
        "embed patterns=edge,triangle epsilon=1 delta=1e-6",
        "degrees levels=2 ranks=2 epsilon=1", "response epsilon=1"};
    for (int i = 0; i < 3; i++) {
        pvg_preview_config config = {.size = sizeof config, .order = 40};
        pvg_preview *whole = NULL, *brief = NULL;
        pvg_query *query = query_of(texts[i], NULL);
        PVGT_OK(pvg_query_preview(&whole, query, &config, NULL));
        config.brief = 1;
        PVGT_OK(pvg_query_preview(&brief, query, &config, NULL));
        TEST_ASSERT_EQUAL_INT64(pvg_preview_count(whole), pvg_preview_count(brief));
        for (int64_t k = 0; k < pvg_preview_count(whole); k++) {
            pvg_preview_line a = {.size = sizeof a}, b = {.size = sizeof b};
            PVGT_OK(pvg_preview_copy_line(&a, whole, k));
            PVGT_OK(pvg_preview_copy_line(&b, brief, k));
            TEST_ASSERT_TRUE(a.range == b.range && a.noise == b.noise &&
                             a.ratio == b.ratio && a.verdict == b.verdict);
            TEST_ASSERT_TRUE(isnan(b.epsilon_min) && b.order_min == 0);
            TEST_ASSERT_FALSE(isnan(a.epsilon_min));
        }
        pvg_preview_free(whole);
        pvg_preview_free(brief);
        pvg_query_free(query);
    }
}

/* A file may say that its numbers answer a query and have fewer of them. */
static void estimates_compare_shapes(void) {
    static const double few[] = {1, 2};
    double moments[3];
    pvg_graph *graph = NULL;
    pvg_release *release = NULL;
    pvg_query *query = query_of("degrees levels=4 ranks=3 order=12 epsilon=1", NULL);
    PVGT_OK(pvg_graph_new_cycle(&graph, 12));
    const pvg_input input = {.size = sizeof input, .graph = graph};
    PVGT_OK(pvg_release_draw(&release, query, &input, NULL, NULL, NULL));
    PVGT_OK(pvg_estimate_moments(moments, 3, query, release, 0));
    pvgi_content *content = &release->content; /* as a forged file would leave it */
    const int64_t columns = content->columns;
    double *values = content->values, forged[2];
    memcpy(forged, few, sizeof forged);
    content->values = forged;
    content->columns = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "1 x 2",
               pvg_estimate_moments(moments, 3, query, release, 0));
    content->values = values;
    content->columns = columns;
    values[1] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "not finite",
               pvg_estimate_moments(moments, 3, query, release, 0));
    pvg_release_free(release);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(texts_say_what_settings_say);
    RUN_TEST(looking_at_queries);
    RUN_TEST(malformed_text);
    RUN_TEST(budgets_and_arguments);
    RUN_TEST(kinds_and_their_tables);
    RUN_TEST(sparse_features_have_no_covariance);
    RUN_TEST(rows_tell_worlds_apart);
    RUN_TEST(published_methods_promise_nothing);
    RUN_TEST(wrong_inputs);
    RUN_TEST(objects_by_name);
    RUN_TEST(one_payment);
    RUN_TEST(ledgers_of_other_notions);
    RUN_TEST(parts_and_derived);
    RUN_TEST(queries_made_from_releases);
    RUN_TEST(compositions_of_queries_made_from_releases);
    RUN_TEST(a_forked_composition_draws_nothing);
    RUN_TEST(orders_of_graphs);
    RUN_TEST(files_of_parts);
    RUN_TEST(estimates_from_releases);
    RUN_TEST(names_of_columns);
    RUN_TEST(guarantees_about);
    RUN_TEST(time_is_bounded_before_paying);
    RUN_TEST(layers_carry_the_release_behind_them);
    RUN_TEST(brief_previews_search_for_nothing);
    RUN_TEST(estimates_compare_shapes);
    RUN_TEST(allocations_fail);
    return pvgt_end(UNITY_END());
}
