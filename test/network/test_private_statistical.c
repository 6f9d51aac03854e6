/* Private training under audit. One record whose gradient is always clipped, in the same
 * direction, is there or not; the adversary knows the weights before and looks at the
 * weights after. The trainer passes against its curve; with half the noise, without
 * clipping, or with everybody in every step the same game finds more than the curve
 * allows. */
#include "support.h"
#include "training.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { RECORDS = 8, INPUTS = 2, RUNS = 20000 };
#define CONFIDENCE (1 - 1e-9)
#define DELTA      .01

typedef struct {
    pvg_dataset *world[2];
    pvg_model *start;
    pvg_query *query;
    pvg_network *network;
    pvg_rng *rng;
    double before[INPUTS + 1];
} game;

static pvg_dataset *world_of(int there, int private) {
    const double x[RECORDS * INPUTS] = {1, 0}; /* the canary, then rows of zeros */
    int32_t classes[RECORDS];
    pvg_dataset_builder *b;
    pvg_dataset *data;
    pvg_features *features;
    pvg_labels *labels;
    for (int v = 0; v < RECORDS; v++) classes[v] = private ? -1 : v % 2;
    if (there) classes[0] = 1;
    PVGT_OK(pvg_features_from_dense(&features, RECORDS, INPUTS, x));
    PVGT_OK(pvg_labels_from_array(&labels, classes, RECORDS));
    PVGT_OK(pvg_dataset_builder_new(&b, RECORDS));
    PVGT_OK(pvg_dataset_builder_add_public_features(b, features));
    if (private)
        PVGT_OK(pvg_dataset_builder_add_private_labels(b, labels));
    else
        PVGT_OK(pvg_dataset_builder_add_public_labels(b, labels));
    PVGT_OK(pvg_dataset_builder_finish(&data, b));
    pvg_dataset_builder_free(b);
    pvg_features_free(features);
    pvg_labels_free(labels);
    return data;
}

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    game *g = context;
    pvg_model *model;
    double after[INPUTS + 1];
    (void)run;
    PVGT_OK(pvgt_train(&model, g->query, g->world[world], 1, g->rng, NULL, NULL));
    PVGT_OK(pvg_model_copy_weights_exact(after, model, 0));
    /* weight of the canary's column and bias: its gradient is (-1, 0, -1) / sqrt 2 */
    *score = after[0] - g->before[0] + after[2] - g->before[2];
    pvg_model_free(model);
    return 0;
}

typedef struct {
    double batch, mu, clip;
    int64_t steps;
} plan;

static pvg_query *query_of(const pvg_network *network, const pvg_model *start, plan p) {
    static const double weights[] = {1, 1e9}; /* a gradient that no step outlives */
    const pvg_dpsgd_config config = {.size = sizeof config,
                                     .optimiser = PVG_OPTIMISER_SGD,
                                     .loss = PVG_LOSS_SQUARES,
                                     .momentum = -1,
                                     .steps = p.steps,
                                     .batch = p.batch,
                                     .clip = p.clip,
                                     .rate = 1e-6,
                                     .class_weights = weights};
    const pvg_target target = {
        .size = sizeof target, .parameter = p.mu, .allow_seeded = 1};
    pvg_query *query;
    PVGT_OK(pvg_query_new_training(&query, network, RECORDS, &config, start, &target));
    return query;
}

/* Plays `played` and judges it against the promise of `promised`. */
static void judge(double *found, double *allowed, plan promised, plan played) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 1, .rate = 1e-9};
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    pvg_dataset *open = world_of(1, 0);
    game g = {.world = {world_of(0, 1), world_of(1, 1)}};
    PVGT_OK(pvg_rng_new_seeded(&g.rng, 11));
    PVGT_OK(pvg_network_from_text(&g.network, "dense classes", INPUTS, 1));
    do { /* begin where the canary's residual is negative */
        pvg_model_free(g.start);
        PVGT_OK(pvg_model_train(&g.start, g.network, open, &config, NULL, g.rng, NULL));
        PVGT_OK(pvg_model_copy_weights_exact(g.before, g.start, 0));
    } while (g.before[0] + g.before[2] > .5);
    pvg_guarantee *promise;
    g.query = query_of(g.network, g.start, promised);
    PVGT_OK(pvg_query_guarantee(&promise, g.query, NULL, 0));
    PVGT_OK(pvg_guarantee_epsilon(allowed, promise, DELTA));
    pvg_guarantee_free(promise);
    pvg_query_free(g.query);
    g.query = query_of(g.network, g.start, played);
    PVGT_OK(pvg_audit_game(&verdict, play, &g, played.steps > 4 ? 2 * RUNS : RUNS, DELTA,
                           CONFIDENCE, NULL));
    *found = verdict.epsilon_lower;
    printf(
        "batch %.1f of %d, mu %.1f, clip %g, %d steps: epsilon at least %.3f, promised "
        "%.3f, AUC %.3f\n",
        played.batch, RECORDS, played.mu, played.clip, (int)played.steps, *found,
        *allowed, verdict.auc);
    pvg_query_free(g.query);
    pvg_model_free(g.start);
    pvg_network_free(g.network);
    pvg_dataset_free(open);
    pvg_dataset_free(g.world[0]);
    pvg_dataset_free(g.world[1]);
    pvg_rng_free(g.rng);
}

static void passes(plan p, double at_least) {
    double found, allowed;
    judge(&found, &allowed, p, p);
    PVGT_CHECK(found <= allowed, "found %g, promised %g", found, allowed);
    PVGT_CHECK(found >= at_least * allowed, "the game is blind: %g of %g", found,
               allowed);
}

static void caught(plan promised, plan played) {
    double found, allowed;
    judge(&found, &allowed, promised, played);
    PVGT_CHECK(found > allowed, "found %g, promised %g", found, allowed);
}

static void the_trainer_passes(void) {
    passes((plan){RECORDS, 1, 1, 1}, .3);
    passes((plan){RECORDS, .5, .01, 4}, .35);
    passes((plan){RECORDS / 2., 1, 1, 1}, .3);
    passes((plan){RECORDS / 2., 1, 2, 4}, .3);
}

static void mutants_are_caught(void) {
    /* half the noise */
    caught((plan){RECORDS, 1, 1, 1}, (plan){RECORDS, 2, 1, 1});
    caught((plan){RECORDS / 2., .7, 1, 8}, (plan){RECORDS / 2., 1.4, 1, 8});
    /* no clipping: a record of three clips in noise for one */
    caught((plan){RECORDS, 1, 1, 1}, (plan){RECORDS, 3, 3, 1});
    /* everybody joins, and the account believes in sampling */
    caught((plan){RECORDS / 4., 1, 1, 4}, (plan){RECORDS, 1, 1, 4});
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(the_trainer_passes);
    RUN_TEST(mutants_are_caught);
    return pvgt_end(UNITY_END());
}
