/* privgraph propagate: private message passing: node features smoothed along a
 * private graph. */
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double delta = 1e-6;
static int method, hide, format;

static const option budget[] = {
    {"delta", 'd', OPTION_REAL, "X", &delta, "budget: delta in (0, 1) (default 1e-6)"},
    {"hide", 0, OPTION_CHOICE, "@CHANGE:edge|edge-directed|node-removed|node-replaced",
     &hide,
     "what is hidden (default edge). At edge level features are taken as "
     "public: the "
     "guarantee does not cover them"},
    {"method", 0, OPTION_CHOICE, "@PROPAGATION:auto|perturbed|output|hops", &method,
     "perturbed: noise after every layer, only the last state released; "
     "output: noise on "
     "the last state; hops: all states released; auto: perturbed or output, "
     "whichever "
     "has less noise (default)"},
    {0},
};
const option_group propagate_privacy_options = {"Privacy", budget};

static bool preview, l1_rows;
static int operation, activation, rows_kind;
static int64_t depth = 2, columns;
static double tau, self_weight, floor_degree, contraction, mean_weight, residual;

static const option layer[] = {
    {"layers", 'k', OPTION_WHOLE, "K", &depth, "number of layers (default 2)"},
    {"operator", 0, OPTION_CHOICE, "@OPERATOR:symmetric|floor|laplacian|row|sum",
     &operation, "how neighbours are weighted (default symmetric)"},
    {"activation", 0, OPTION_CHOICE, "@ACTIVATION:none|relu|tanh|selu", &activation,
     "applied to every number after a layer (default none)"},
    {"rows", 0, OPTION_CHOICE, "@ROWS:projected|normalised", &rows_kind,
     "rows are pulled into the unit ball (default) or onto the sphere (sum "
     "with hops)"},
    {"l1-rows", 0, OPTION_FLAG, NULL, &l1_rows,
     "rows are pulled into the L1 unit ball: one sum layer with Laplace noise, pure "
     "epsilon (delta 0), less noise than Gaussian"},
    {"tau", 0, OPTION_REAL, "X", &tau, "symmetric, row: added to degrees (default 1)"},
    {"self-weight", 0, OPTION_REAL, "X", &self_weight,
     "symmetric: weight of self loops (default 1)"},
    {"floor", 0, OPTION_REAL, "X", &floor_degree,
     "floor, laplacian: smallest degree that counts"},
    {"contraction", 0, OPTION_REAL, "X", &contraction,
     "factor of every layer (default 0.9, for sum 1); smaller forgets faster "
     "and needs "
     "less noise"},
    {"mean-weight", 0, OPTION_REAL, "X", &mean_weight,
     "share of the mean of all rows, 0 to 1 (default 0)"},
    {"residual", 0, OPTION_REAL, "X", &residual,
     "weight of the input added to every layer (default 0)"},
    {0},
};
const option_group propagate_layer_options = {"Layers (public)", layer};

static const option shape[] = {
    {"columns", 0, OPTION_WHOLE, "D", &columns,
     "number of features; public. Needed if nodes are hidden, else read off "
     "the file"},
    {"format", 'f', OPTION_CHOICE, "csv|json|npy", &format,
     "format of the data (default csv; --json is --format json)"},
    {"preview", 0, OPTION_FLAG, NULL, &preview,
     "tell the noise and spend nothing; reads no INPUT if --order and "
     "--columns are "
     "given"},
    {0},
};
static const option_group shape_options = {"Data", shape};

/* --- the public side
 * ------------------------------------------------------------ */

pvg_layers *propagate_layers_wanted(void) {
    pvg_layers *layers = NULL;
    const pvg_layers_config config = {.size = sizeof config,
                                      .operation = operation,
                                      .activation = activation,
                                      .rows = rows_kind,
                                      .depth = depth,
                                      .tau = tau,
                                      .self_weight = self_weight,
                                      .floor = floor_degree,
                                      .contraction = contraction,
                                      .mean_weight = mean_weight,
                                      .residual = residual};
    if (depth < 1) usage_error("--layers must be at least 1");
    must(pvg_layers_new(&layers, &config, NULL, 0));
    return layers;
}

static pvg_propagator *new_propagator(const pvg_layers *layers, int64_t nodes,
                                      int64_t width) {
    pvg_propagator *propagator = NULL;
    pvg_target target;
    pvg_premise premise = {.size = sizeof premise, .order = nodes};
    const pvg_propagator_config config = {
        .size = sizeof config, .method = method, .change = hide, .l1_rows = l1_rows};
    if (l1_rows && (depth != 1 || operation != PVG_OPERATOR_SUM))
        usage_error("--l1-rows goes with --layers 1 --operator sum");
    if (delta <= 0.0 || delta >= 1.0) usage_error("--delta must be between 0 and 1");
    plain_target(&target);
    target.delta = delta;
    degree_premise(&premise.degrees, &premise.degree_bound);
    must(pvg_propagator_new(&propagator, layers, &premise, width, &config, &target));
    return propagator;
}

pvg_propagator *propagate_wanted(int32_t *change, const pvg_layers *layers, int64_t nodes,
                                 int64_t width) {
    if (hide == PVG_CHANGE_EDGE_DIRECTED)
        usage_error("an audit cannot play --hide edge-directed: graphs here have no "
                    "directions, so two worlds differ in two entries");
    *change = hide;
    return new_propagator(layers, nodes, width);
}

static void show_preview(const pvg_propagator *propagator) {
    static const char *const methods[] = {"auto", "perturbed", "output", "hops"};
    pvg_propagation_preview p = {.size = sizeof p};
    must(pvg_propagator_preview(&p, propagator));
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "method", methods[p.method]);
        json_whole(&j, "columns", p.columns);
        json_real(&j, "epsilon", p.epsilon);
        json_real(&j, "mu", p.mu);
        json_real(&j, "scale", p.scale);
        json_real(&j, "output_noise", p.output_noise);
        json_real(&j, "sensitivity", p.sensitivity);
        json_real(&j, "lipschitz", p.gamma);
        json_end(&j, '}');
    } else {
        output_text(out,
                    "method: %s\ncolumns: %lld\nepsilon: %.6g\n"
                    "standard deviation of each noise draw: %.5g\n"
                    "noise in a number of the last state: %.5g (rows have norm at most "
                    "about 1)\n"
                    "sensitivity: %.5g\nLipschitz constant of a layer: %.5g\n",
                    methods[p.method], (long long)p.columns, p.epsilon, p.scale,
                    p.output_noise, p.sensitivity, p.gamma);
    }
    output_commit_one(out);
}

static int32_t plan(pvg_tradeoff **out, const void *propagator, int64_t order) {
    (void)order;
    return pvg_propagator_tradeoff(out, propagator);
}

/* --- data
 * ----------------------------------------------------------------------- */

static void load(input *in, const char *path) {
    const bool nodes_hidden =
        hide == PVG_CHANGE_NODE_REMOVED || hide == PVG_CHANGE_NODE_REPLACED;
    if (nodes_hidden && columns == 0 && !secrecy_exact)
        fail(CODE_REFUSED,
             "where nodes are hidden, the number of features must be public: "
             "give --columns D");
    input_set_columns(columns);
    input_load(in, path, WANT_FEATURES);
    if (!in->features)
        fail(CODE_FAILED, "%s: not a node-level folder with edges.txt and features.txt",
             path);
}

static char **state_names(int64_t total, int64_t width) {
    char **names = take((size_t)total + 1, sizeof *names);
    for (int64_t i = 0; i < total; i++) {
        names[i] = take(48, 1);
        if (total == width)
            snprintf(names[i], 48, "f%" PRId64, i);
        else
            snprintf(names[i], 48, "hop%" PRId64 "_f%" PRId64, i / width + 1, i % width);
    }
    return names;
}

static void run_private(const pvg_layers *layers, const input *in) {
    door d;
    pvg_release *release = NULL;
    const int64_t nodes = pvg_graph_order(in->graph);
    const int64_t width = pvg_features_columns(in->features);
    pvg_propagator *propagator = new_propagator(layers, nodes, width);
    if (preview) {
        show_preview(propagator);
        pvg_propagator_free(propagator);
        return;
    }
    visible_check(plan, propagator, &nodes, 1, NULL);
    door_open(&d, values_format(format), 1, false);
    must(pvg_release_draw_propagation(&release, propagator, in->graph, in->features,
                                      d.objects[0], d.rng, d.ledger,
                                      run_begin("propagating", (double)nodes, "nodes")));
    run_done();
    door_pass(&d, release);
    values v = {.rows = pvg_release_rows(release),
                .columns = pvg_release_columns(release),
                .names = state_names(pvg_release_columns(release), width),
                .guarantee = d.guarantee};
    must(pvg_release_view(&v.numbers, release));
    values_write(d.data, &v, values_format(format));
    door_close(&d, release);
    names_free(v.names);
    pvg_release_free(release);
    pvg_propagator_free(propagator);
}

static void run_exact(const pvg_layers *layers, const input *in) {
    static char guarantee[] = "{\"private\": false, \"epsilon\": \"infinity\", "
                              "\"reason\": \"exact values (--exact-not-private)\"}";
    door d;
    const int64_t nodes = pvg_graph_order(in->graph);
    const int64_t width = pvg_features_columns(in->features);
    door_open_exact(&d, values_format(format));
    d.guarantee = guarantee;
    double *numbers = take((size_t)(nodes * width), sizeof *numbers);
    must(pvg_propagate_features_exact(numbers, layers, in->graph, in->features,
                                      run_begin("propagating", (double)nodes, "nodes")));
    run_done();
    values v = {nodes, width, numbers, state_names(width, width), guarantee};
    values_write(d.data, &v, values_format(format));
    door_close_exact(&d);
    names_free(v.names);
    explicit_bzero(numbers, (size_t)(nodes * width) * sizeof *numbers);
    free(numbers);
}

static void run(int count, char **operands) {
    input in;
    pvg_layers *layers = propagate_layers_wanted();
    if (count == 0) {
        if (!preview || input_order() == 0 || columns == 0)
            usage_error(
                "missing operand: FOLDER (or --preview with --order and --columns)");
        pvg_propagator *propagator = new_propagator(layers, input_order(), columns);
        show_preview(propagator);
        pvg_propagator_free(propagator);
    } else {
        load(&in, operands[0]);
        if (secrecy_exact)
            run_exact(layers, &in);
        else
            run_private(layers, &in);
        input_free(&in);
    }
    pvg_layers_free(layers);
}

const command command_propagate = {
    .name = "propagate",
    .operands = "[FOLDER]",
    .least = 0,
    .most = 1,
    .summary = "private message passing: node features smoothed along a private graph",
    .text = "Reads edges.txt and features.txt of a node-level folder and "
            "writes one row per "
            "node: the features after some layers of message passing, plus "
            "noise. Rows are "
            "pulled into the unit ball first. What single edges contribute is "
            "hidden, or "
            "whole nodes with --hide.\n\n"
            "Contractive layers (a contraction below 1) forget, and what they "
            "forget is not "
            "paid for: many layers then need no more noise than a few. "
            "--preview tells the "
            "noise before anything is spent.",
    .groups = {&epsilon_options, &propagate_privacy_options, &propagate_layer_options,
               &degree_options, &shape_options, &visible_options, &ledger_options,
               &input_options, &secrecy_options, &common_options},
    .examples =
        {{"privgraph propagate people/ --epsilon 4 --layers 1 --operator sum -f npy "
          "-o smoothed.npy",
          "a matrix for NumPy, guarantee in smoothed.npy.guarantee.json"},
         {"privgraph propagate --preview --order 2708 --columns 1433 -e 4 "
          "--layers 10",
          "how much noise would that be? Reads nothing, spends nothing"}},
    .run = run,
};
