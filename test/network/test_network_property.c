/* Tapes against a slow interpreter and against finite differences: random programs,
 * shapes, graphs with isolated nodes, and every word of the grammar. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "network/network_internal.h"
#include "network_slow.h"
#include "support.h"

#include <privgraph-learn.h>

void setUp(void) {}
void tearDown(void) {}

enum { TEXT = 512 };

typedef struct {
    pvg_dataset *data;
    slow_matrix x;
    double *arc;
    bool weighted;
    double *links;
    int64_t inputs, classes;
} world;

static double unit(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-52 - 1;
}

/* Some arcs go: what is left need not point both ways, as lists of neighbours do not. */
static void thin_arcs(pvg_dataset *data, uint64_t *state) {
    int64_t kept = 0, from = 0;
    for (int64_t v = 0; v < data->order; v++) {
        const int64_t end = data->offsets[v + 1];
        for (int64_t e = from; e < end; e++)
            if (pvgt_below(state, 4)) data->columns[kept++] = data->columns[e];
        from = end;
        data->offsets[v + 1] = kept;
    }
    data->symmetric = false;
}

/* A dataset of a few small graphs, or of one; rows without neighbours happen. */
static world make_world(uint64_t *state, bool graphs, int64_t inputs, int64_t classes,
                        int64_t order) {
    world w = {.inputs = inputs, .classes = classes};
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_labels *labels;
    pvg_graph *graph;
    int64_t sources[400], targets[400], starts[32], count = 0, cut = 1;
    double *dense = calloc((size_t)(order * inputs), sizeof *dense);
    int32_t classes_of[256];
    int32_t split[256];
    starts[0] = 0;
    if (graphs)
        for (; cut < 6; cut++)
            starts[cut] = starts[cut - 1] + pvgt_below(state, order / 5);
    starts[cut] = order;
    for (int64_t g = 0; g < cut; g++)
        for (int64_t u = starts[g]; u < starts[g + 1]; u++)
            for (int64_t v = u + 1; v < starts[g + 1]; v++)
                if (count < 400 && pvgt_below(state, 10) < 3) {
                    sources[count] = u;
                    targets[count++] = v;
                }
    for (int64_t i = 0; i < order * inputs; i++)
        dense[i] = pvgt_below(state, 3) ? unit(state) : 0;
    const int64_t rows = graphs ? cut : order;
    for (int64_t i = 0; i < rows; i++) {
        classes_of[i] = (int32_t)(i < classes ? i : pvgt_below(state, classes));
        split[i] = (int32_t)(i < classes ? 0 : pvgt_below(state, 3));
    }
    PVGT_OK(pvg_graph_from_edges(&graph, order, sources, targets, count, 0, NULL));
    PVGT_OK(pvg_features_from_dense(&features, order, inputs, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes_of, rows));
    PVGT_OK(pvg_dataset_builder_new(&builder, order));
    if (graphs) {
        pvg_graphset *set;
        pvg_graphset_builder *sets;
        PVGT_OK(pvg_graphset_builder_new(&sets, 0));
        for (int64_t g = 0; g < cut; g++) {
            pvg_graph *part;
            int64_t nodes[256];
            for (int64_t v = starts[g]; v < starts[g + 1]; v++) nodes[v - starts[g]] = v;
            PVGT_OK(
                pvg_graph_induce(&part, graph, nodes, starts[g + 1] - starts[g], NULL));
            PVGT_OK(pvg_graphset_builder_add(sets, part, classes_of[g], NULL, NULL));
            pvg_graph_free(part);
        }
        PVGT_OK(pvg_graphset_builder_finish(&set, sets));
        pvg_graphset_builder_free(sets);
        PVGT_OK(pvg_dataset_builder_add_public_graphset(builder, set));
        pvg_graphset_free(set);
    } else {
        PVGT_OK(pvg_dataset_builder_add_public_graph(builder, graph));
        PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    }
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    PVGT_OK(pvg_dataset_builder_set_split(builder, split, rows));
    PVGT_OK(pvg_dataset_builder_finish(&w.data, builder));
    pvg_dataset_builder_free(builder);
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_graph_free(graph);
    w.x = (slow_matrix){order, inputs, dense};
    if (!graphs && pvgt_below(state, 3) == 0) thin_arcs(w.data, state);
    const int64_t arcs = w.data->offsets[order];
    w.arc = malloc((size_t)(arcs + 1) * sizeof *w.arc);
    for (int64_t e = 0; e < arcs; e++) w.arc[e] = 1;
    return w;
}

/* Windows of a few nodes, rows or pairs of them with a class, a graph over all. */
static world make_windows(uint64_t *state, bool pairs, int64_t inputs, int64_t classes) {
    const int64_t size = 2 + pvgt_below(state, 6),
                  order = size * (3 + pvgt_below(state, 3));
    const int64_t rows = pairs ? order / size * (size * (size - 1) / 2) : order;
    world w = make_world(state, false, inputs, classes, order);
    pvg_dataset *old = w.data;
    pvg_dataset_builder *builder;
    int32_t classes_of[256], split[256];
    w.links = malloc((size_t)(order * size) * sizeof *w.links);
    for (int64_t i = 0; i < order * size; i++) w.links[i] = unit(state);
    for (int64_t i = 0; i < rows; i++) {
        classes_of[i] = (int32_t)(i < classes ? i : pvgt_below(state, classes));
        split[i] = (int32_t)(i < classes ? 0 : pvgt_below(state, 3));
    }
    pvg_features *features;
    pvg_labels *labels;
    PVGT_OK(pvg_features_from_dense(&features, order, inputs, w.x.at));
    PVGT_OK(pvg_labels_from_array(&labels, classes_of, rows));
    PVGT_OK(pvg_dataset_builder_new(&builder, order));
    PVGT_OK(pvgi_network_builder_arcs(builder, old->offsets, old->columns, old->symmetric,
                                      PVGI_ORIGIN_PUBLIC));
    PVGT_OK(pvg_dataset_builder_add_public_windows(builder, size, pairs, w.links,
                                                   order * size));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    PVGT_OK(pvg_dataset_builder_set_split(builder, split, rows));
    PVGT_OK(pvg_dataset_builder_finish(&w.data, builder));
    TEST_ASSERT_EQUAL_INT64(rows, pvg_dataset_rows(w.data));
    pvg_dataset_builder_free(builder);
    pvg_features_free(features);
    pvg_labels_free(labels);
    pvg_dataset_free(old);
    return w;
}

/* Weights of arcs, of a weighted graph or as masks. */
static void weigh_arcs(world *w, uint64_t *state) {
    pvg_dataset_builder builder = {.data = *w->data};
    w->weighted = pvgt_below(state, 2);
    for (int64_t e = 0; e < w->data->offsets[w->data->order]; e++)
        w->arc[e] = fabs(unit(state)) + .05;
    PVGT_OK(pvg_dataset_builder_set_arc_weights(
        &builder, w->arc, w->data->offsets[w->data->order],
        w->weighted ? PVG_ARCS_WEIGHTS : PVG_ARCS_MASKS));
    *w->data = builder.data;
}

static void free_world(world *w) {
    free(w->links);
    pvg_dataset_free(w->data);
    free(w->x.at);
    free(w->arc);
}

static void say(char *text, const char *format, long long a, long long b) {
    char part[96];
    snprintf(part, sizeof part, format, a, b);
    if (*text) strcat(text, " | ");
    strcat(text, part);
}

static void random_modifiers(char *text, uint64_t *state, bool drops) {
    static const char *const norms[] = {"", "", "", " bn", " ln", " rownorm", " project"};
    static const char *const acts[] = {"", " relu", " selu", " tanh", " elu", " sigmoid"};
    strcat(text, norms[pvgt_below(state, 7)]);
    strcat(text, acts[pvgt_below(state, 6)]);
    if (drops && pvgt_below(state, 3) == 0) strcat(text, " drop .3");
}

/* A text that compiles for 6 inputs. */
static void random_text(char *text, uint64_t *state, bool graphs, bool drops) {
    const int64_t stages = pvgt_below(state, 4);
    int64_t columns = 6;
    bool alike = true; /* jk max needs stages of one width */
    bool made = false; /* a stage before is more than the features going round */
    int64_t first = 0;
    *text = '\0';
    if (drops && pvgt_below(state, 2)) strcat(text, "drop .4");
    for (int64_t i = 0; i < stages; i++) {
        const int64_t width = 1 + pvgt_below(state, 11), before = columns;
        const int64_t even = 2 * (1 + pvgt_below(state, 5));
        columns = width;
        const int64_t kind = pvgt_below(state, 16);
        switch (kind) {
        case 0:
            say(text, "dense %lld", width, 0);
            break;
        case 1:
            say(text, pvgt_below(state, 2) ? "gcn %lld" : "gcn %lld tau=2.5", width, 0);
            break;
        case 2:
            say(text, "sage %lld", width, 0);
            break;
        case 3:
            say(text, "gin %lld hidden=%lld", width, 1 + pvgt_below(state, 9));
            break;
        case 4:
            say(text, "gin %lld eps=learn", width, 0);
            break;
        case 5:
            /* columns of a head: any, whole vectors, more heads than a vector has lanes
             */
            if (pvgt_below(state, 2)) {
                static const int64_t shared[][2] = {{12, 3}, {24, 3},  {32, 2}, {30, 10},
                                                    {4, 4},  {32, 16}, {32, 4}, {64, 8}};
                const int64_t *pick = shared[pvgt_below(state, 8)];
                say(text, "gat %lld heads=%lld", columns = pick[0], pick[1]);
            } else {
                say(text, "gat %lld heads=2", columns = even, 0);
            }
            break;
        case 6:
            say(text, "gat %lld", width, 0);
            break;
        case 7:
            say(text, "kprop %lld", 1 + pvgt_below(state, 3), 0);
            columns = before;
            break;
        case 8:
            say(text, "pcmp %lld c=.8 a=.3 b=.2 tau=1.5", 1 + pvgt_below(state, 2), 0);
            columns = before;
            break;
        case 9:
            say(text, "sum debias=.1", 0, 0);
            columns = before;
            break;
        case 10:
            say(text, "pcmp 2", 0, 0);
            columns = before;
            break;
        case 11:
            if (before % 2 == 0) {
                say(text, "hops 2 %lld", width, 0);
                columns = 2 * width;
            } else {
                say(text, "sum", 0, 0);
                columns = before;
            }
            break;
        case 12:
            say(text, "graphconv %lld", width, 0);
            break;
        case 13:
        case 14: {
            static const int64_t shared[][2] = {{5, 1}, {12, 3}, {32, 8}, {30, 10}};
            const int64_t *pick = shared[pvgt_below(state, 4)];
            say(text,
                kind == 13 ? "gatv2 %lld heads=%lld" : "transformer %lld heads=%lld",
                columns = pick[0], pick[1]);
            break;
        }
        default:
            say(text, "dense %lld", columns = before, 0);
            if (made) strcat(text, " tanh skip");
        }
        if (!strstr(text + (strlen(text) > 5 ? strlen(text) - 5 : 0), "skip"))
            random_modifiers(text, state, drops);
        made = made || kind != 7;
        if (first == 0) first = columns;
        if (columns != first) alike = false;
    }
    if (stages > 0 && pvgt_below(state, 4) == 0) {
        say(text, alike && pvgt_below(state, 2) ? "jk max" : "jk cat", 0, 0);
        random_modifiers(text, state, drops);
    }
    if (graphs) {
        static const char *const pools[] = {"pool sum", "pool mean", "pool max"};
        say(text, pools[pvgt_below(state, 3)], 0, 0);
    }
    static const char *const last[] = {
        "dense classes",         "gcn classes",
        "sage classes",          "gat classes heads=3",
        "gin classes",           "graphconv classes",
        "gatv2 classes heads=3", "transformer classes heads=2",
        "gatv2 classes",         "transformer classes"};
    say(text, graphs ? last[0] : last[pvgt_below(state, 10)], 0, 0);
}

/* The same for windows. */
static void random_window_text(char *text, uint64_t *state, bool pairs, bool cosine) {
    static const char *const looks[] = {"attend", "attend heads=2", "attend links",
                                        "attend heads=4 links"};
    *text = '\0';
    if (pvgt_below(state, 3))
        say(text, "dense %lld tanh", 4 * (1 + pvgt_below(state, 3)), 0);
    else
        say(text, "gcn 8 relu", 0, 0);
    for (int64_t i = pvgt_below(state, 3); i >= 0; i--) {
        say(text, looks[pvgt_below(state, 4)], 0, 0);
        strcat(text, pvgt_below(state, 2) ? " relu skip ln" : " tanh");
    }
    if (pairs) {
        const int64_t given = pvgt_below(state, 4);
        say(text, "pairs %lld", 1 + pvgt_below(state, 9), 0);
        if (given & 1) strcat(text, " links");
        if (given & 2 && cosine) strcat(text, " cosine");
        strcat(text, " tanh");
    }
    say(text, "dense classes", 0, 0);
}

/* World and text number i: of one graph, of several, of windows, with weights of arcs. */
static world draw(char *text, uint64_t *state, int i, int64_t order, bool cosine) {
    if (i % 7 == 3) {
        const bool pairs = pvgt_below(state, 2);
        random_window_text(text, state, pairs, cosine);
        return make_windows(state, pairs, 6, 3);
    }
    const bool graphs = i % 5 == 4;
    world w = make_world(state, graphs, 6, 3, order);
    if (i % 6 == 2) weigh_arcs(&w, state);
    random_text(text, state, graphs, true);
    return w;
}

static slow_matrix slow_logits(const char *text, const world *w, const double *weights) {
    const slow_world slow = {.order = w->data->order,
                             .graphs = w->data->graphs,
                             .classes = w->classes,
                             .offsets = w->data->offsets,
                             .starts = w->data->starts,
                             .columns = w->data->columns,
                             .arc = w->arc,
                             .weighted = w->weighted,
                             .window = w->data->window,
                             .links = w->links,
                             .weights = weights};
    return slow_run(text, w->x, slow);
}

static double *random_weights(const pvg_network *network, uint64_t *state) {
    const pvgi_program *p = &network->program;
    double *weights = malloc((size_t)(network->parameters + 1) * sizeof *weights);
    int64_t at = 0;
    for (int32_t i = 0; i < p->param_count; i++)
        for (int64_t k = 0; k < p->params[i].rows * p->params[i].columns; k++)
            weights[at++] = p->params[i].trained ? unit(state) : .5 + fabs(unit(state));
    return weights;
}

static pvgi_tape *new_tape(const pvg_network *network, const world *w,
                           const pvg_training_config *config, const double *weights,
                           pvgi_run *run) {
    const pvgi_tape_wish wish = {.learn = true,
                                 .input_gradient = !strstr(network->text, "cosine"),
                                 .arc_gradient = true,
                                 .keep_gradient = true};
    pvgi_tape *tape = NULL;
    double train[256], validate[256];
    PVGT_OK(pvgi_network_tape_new(&tape, network, w->data, config, &wish, run));
    for (int64_t i = 0; i < w->data->outputs; i++) {
        tape->labels[i] = w->data->labels[i];
        if (tape->drop_labels) tape->drop_labels[i] = w->data->labels[(i + 1) % 3];
        train[i] = w->data->split[i] == 0 ? 1 + .1 * (double)i : 0;
        validate[i] = 1;
    }
    if (config->transition) {
        tape->transition = tape->transition_scratch;
        memcpy(tape->transition, config->transition,
               (size_t)(w->classes * w->classes) * sizeof(double));
    }
    pvgi_network_tape_restart(tape, 12345, train, validate);
    pvgi_network_tape_set_weights(tape, weights);
    return tape;
}

/* --- against the interpreter ------------------------------------------------------ */

static void tapes_are_what_the_text_says(void) {
    uint64_t state = 7;
    const int programs = pvgt_soak() ? 4000 : 1000;
    for (int i = 0; i < programs; i++) {
        char text[TEXT];
        const bool graphs = i % 5 == 4;
        const int64_t order = graphs ? 10 + pvgt_below(&state, 20)
                                     : (i % 50 == 0 ? 3 : 4 + pvgt_below(&state, 14));
        world w = draw(text, &state, i, order, true);
        pvg_network *network;
        pvgi_run run;
        pvg_training_config config = {.size = sizeof config,
                                      .precision = i % 2 ? PVG_PRECISION_DOUBLE
                                                         : PVG_PRECISION_FLOAT};
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_network_check_config(&config));
        PVGT_OK(pvg_network_from_text(&network, text, 6, 3));
        double *weights = random_weights(network, &state);
        pvgi_tape *tape = new_tape(network, &w, &config, weights, &run);
        slow_matrix slow = slow_logits(text, &w, weights);
        double *fast = malloc((size_t)(slow.rows * 3) * sizeof *fast);
        PVGT_OK(pvgi_network_tape_forward(NULL, NULL, tape, &run));
        pvgi_network_tape_read(fast, tape, tape->program.output);
        double largest = 1, apart = 0;
        for (int64_t k = 0; k < slow.rows * 3; k++) {
            largest = fmax(largest, fabs(slow.at[k]));
            apart = fmax(apart, fabs(slow.at[k] - fast[k]));
        }
        const double allowed = config.precision ? 1e-11 : 2e-3;
        PVGT_CHECK(apart <= allowed * largest, "i=%d \"%s\": %g of %g", i, text, apart,
                   largest);
        free(fast);
        free(slow.at);
        free(weights);
        pvgi_network_tape_free(tape);
        pvg_network_free(network);
        free_world(&w);
    }
}

/* --- gradients -------------------------------------------------------------------- */

/* Tensors share buffers: what is read in an epoch must have been written in it. */
static void spoil(void *rows, const pvgi_tape *tape, int32_t tensor) {
    for (int64_t v = 0; rows && v < tape->rows[tensor]; v++)
        for (int64_t j = 0; j < tape->program.tensors[tensor].columns; j++)
            ((double *)rows)[v * tape->stride[tensor] + j] = NAN;
}

static double loss_at(pvgi_tape *tape, const double *weights, pvgi_run *run) {
    double loss;
    for (int32_t i = 0; i < tape->program.tensor_count; i++) {
        if (tape->program.tensors[i].constant) continue;
        spoil(tape->value[i], tape, i);
        spoil(tape->grad[i], tape, i);
    }
    pvgi_network_tape_set_weights(tape, weights);
    PVGT_OK(pvgi_network_tape_learn(&loss, tape, 3, 1, run));
    return loss;
}

/* Second differences say whether a kink is near: then the number is no derivative. One
 * that they hardly see moves the first differences by half of them. */
static void compare(double gradient, double up, double middle, double down, double h,
                    int i, const char *text, const char *what) {
    const double slope = (up - down) / (2 * h), bend = (up - 2 * middle + down) / h;
    if (fabs(bend) > 1e-3 * (1 + fabs(slope))) return;
    PVGT_CHECK(fabs(slope - gradient) <= 1e-5 * (1 + fabs(slope)) + .51 * fabs(bend),
               "i=%d \"%s\" %s: %.9g, differences %.9g", i, text, what, gradient, slope);
}

/* Of the loss of training, dropout and moments of the batch included. */
static void gradients_are_those_of_the_loss(void) {
    static const double transition[] = {.7, .2, .1, .1, .8, .1, .25, .25, .5};
    uint64_t state = 99;
    const int programs = pvgt_soak() ? 1500 : 250;
    for (int i = 0; i < programs; i++) {
        char text[TEXT];
        const bool graphs = i % 5 == 4;
        const int64_t order = graphs ? 24 : 5 + pvgt_below(&state, 12);
        world w = draw(text, &state, i, order, true);
        pvg_network *network;
        pvgi_run run;
        pvg_training_config config = {.size = sizeof config,
                                      .precision = PVG_PRECISION_DOUBLE,
                                      .loss = i % 4 == 3 ? (int32_t)(i % 3) : 0,
                                      .smoothing = i % 2 ? .2 : 0};
        if (config.loss == 0 && i % 3 == 0) config.transition = transition;
        if (config.loss == 0 && !graphs && i % 7 == 0) config.target_rounds = 2;
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_network_check_config(&config));
        PVGT_OK(pvg_network_from_text(&network, text, 6, 3));
        double *weights = random_weights(network, &state);
        double *gradient = malloc((size_t)network->parameters * sizeof *gradient);
        pvgi_tape *tape = new_tape(network, &w, &config, weights, &run);
        const double middle = loss_at(tape, weights, &run);
        int64_t at = 0;
        const double h = 1e-5;
        memset(gradient, 0, (size_t)network->parameters * sizeof *gradient);
        for (int32_t p = 0; p < network->program.param_count; p++) {
            const pvgi_param *param = &network->program.params[p];
            if (param->trained)
                tape->kernels->read(gradient + at,
                                    (double *)tape->gradient + tape->param_start[p],
                                    tape->param_stride[p], param->rows, param->columns);
            at += param->rows * param->columns;
        }
        at = 0;
        for (int32_t p = 0; p < network->program.param_count; p++) {
            const pvgi_param *param = &network->program.params[p];
            const int64_t size = param->rows * param->columns;
            for (int tries = 0; tries < 4 && param->trained; tries++) {
                const int64_t k = at + pvgt_below(&state, size);
                const double old = weights[k];
                weights[k] = old + h;
                const double up = loss_at(tape, weights, &run);
                weights[k] = old - h;
                const double down = loss_at(tape, weights, &run);
                weights[k] = old;
                compare(gradient[k], up, middle, down, h, i, text, "weight");
            }
            at += size;
        }
        free(gradient);
        free(weights);
        pvgi_network_tape_free(tape);
        pvg_network_free(network);
        free_world(&w);
    }
}

/* Of one logit to features and arcs; the differences are the interpreter's. */
static void gradients_reach_features_and_arcs(void) {
    uint64_t state = 5;
    const int programs = pvgt_soak() ? 1500 : 250;
    for (int i = 0; i < programs; i++) {
        char text[TEXT];
        const bool graphs = i % 5 == 4;
        const int64_t order = graphs ? 24 : 5 + pvgt_below(&state, 12);
        world w = draw(text, &state, i, order, false);
        pvg_network *network;
        pvgi_run run;
        pvg_training_config config = {.size = sizeof config,
                                      .precision = PVG_PRECISION_DOUBLE};
        PVGT_OK(pvgi_run_begin(&run, NULL));
        PVGT_OK(pvgi_network_check_config(&config));
        PVGT_OK(pvg_network_from_text(&network, text, 6, 3));
        double *weights = random_weights(network, &state);
        pvgi_tape *tape = new_tape(network, &w, &config, weights, &run);
        const int64_t row = pvgt_below(&state, w.data->outputs);
        const int64_t arcs = w.data->offsets[w.data->order];
        PVGT_OK(pvgi_network_tape_seed(tape, row, 1, &run));
        const double h = 1e-5, *to_x = tape->input_gradient,
                     *to_arcs = tape->arc_gradient;
        for (int tries = 0; tries < 8; tries++) {
            double *number = &w.x.at[pvgt_below(&state, w.x.rows * 6)], seen[3];
            double gradient = to_x[(number - w.x.at) / 6 * 8 + (number - w.x.at) % 6];
            const bool arc = tries >= 5 && arcs > 0 && !w.weighted;
            if (arc) {
                number = &w.arc[pvgt_below(&state, arcs)];
                gradient = to_arcs[number - w.arc];
            }
            const double old = *number;
            for (int side = 0; side < 3; side++) {
                *number = old + (side - 1) * h;
                slow_matrix slow = slow_logits(text, &w, weights);
                seen[side] = slow.at[row * 3 + 1];
                free(slow.at);
            }
            *number = old;
            compare(gradient, seen[2], seen[1], seen[0], h, i, text,
                    arc ? "arc" : "feature");
        }
        free(weights);
        pvgi_network_tape_free(tape);
        pvg_network_free(network);
        free_world(&w);
    }
}

/* --- threads ---------------------------------------------------------------------- */

static void threads_change_no_bit(void) {
    static const char *const texts[] = {
        "drop .5 | gcn 16 relu | drop .5 | gcn classes",
        "drop .2 | gin 8 bn relu drop .3 | sage 8 elu | jk cat | gat classes heads=2",
        "kprop 3 | dense 12 ln tanh | pcmp 2 a=.2 | dense classes",
        "gat 32 heads=4 elu | gat 30 heads=10 drop .2 | gat classes",
        "drop .2 | gat 64 heads=8 elu | gat classes",
        "gatv2 12 heads=3 elu | transformer 8 heads=2 relu | graphconv classes"};
    uint64_t state = 31;
    enum { ORDER = 3000, INPUTS = 40 };
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
    pvg_dataset_builder *builder;
    pvg_dataset *data;
    pvg_rng *rng;
    int64_t *ends = malloc(2 * 9000 * sizeof *ends);
    double *dense = calloc(ORDER * INPUTS, sizeof *dense);
    int32_t *classes = malloc(ORDER * sizeof *classes);
    int32_t *split = malloc(ORDER * sizeof *split);
    for (int64_t i = 0; i < 2 * 9000; i++) ends[i] = pvgt_below(&state, ORDER);
    for (int64_t i = 0; i < ORDER * INPUTS; i++)
        if (pvgt_below(&state, 4) == 0) dense[i] = unit(&state);
    for (int64_t i = 0; i < ORDER; i++) {
        classes[i] = (int32_t)pvgt_below(&state, 5);
        split[i] = (int32_t)pvgt_below(&state, 3);
    }
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, ends, ends + 9000, 9000,
                                 PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    PVGT_OK(pvg_features_from_dense(&features, ORDER, INPUTS, dense));
    PVGT_OK(pvg_labels_from_array(&labels, classes, ORDER));
    PVGT_OK(pvg_dataset_builder_new(&builder, ORDER));
    PVGT_OK(pvg_dataset_builder_add_public_graph(builder, graph));
    PVGT_OK(pvg_dataset_builder_add_public_features(builder, features));
    PVGT_OK(pvg_dataset_builder_add_public_labels(builder, labels));
    PVGT_OK(pvg_dataset_builder_set_split(builder, split, ORDER));
    PVGT_OK(pvg_dataset_builder_finish(&data, builder));
    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        pvg_network *network;
        PVGT_OK(pvg_network_from_text(&network, texts[i], INPUTS, 5));
        const int64_t size = pvg_network_parameters(network);
        double *first = NULL;
        for (uint32_t threads = 1; threads <= 3; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            const pvg_training_config config = {
                .size = sizeof config, .epochs = 7, .precision = i % 2, .clip = 1};
            pvg_model *model;
            double *weights = malloc((size_t)size * sizeof *weights);
            PVGT_OK(pvg_rng_new_seeded(&rng, 8));
            PVGT_OK(pvg_model_train(&model, network, data, &config, NULL, rng, &run));
            PVGT_OK(pvg_model_copy_weights_exact(weights, model, 0));
            pvg_rng_free(rng);
            pvg_model_free(model);
            if (!first) {
                first = weights;
                continue;
            }
            PVGT_CHECK(memcmp(first, weights, (size_t)size * sizeof *weights) == 0,
                       "\"%s\" with %u threads", texts[i], threads);
            free(weights);
        }
        free(first);
        pvg_network_free(network);
    }
    pvg_dataset_free(data);
    pvg_dataset_builder_free(builder);
    pvg_labels_free(labels);
    pvg_features_free(features);
    pvg_graph_free(graph);
    free(ends);
    free(dense);
    free(classes);
    free(split);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(tapes_are_what_the_text_says);
    RUN_TEST(gradients_are_those_of_the_loss);
    RUN_TEST(gradients_reach_features_and_arcs);
    RUN_TEST(threads_change_no_bit);
    return pvgt_end(UNITY_END());
}
