/* privgraph calibrate: from a budget to noise, and back. Needs no data. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 64 };

static const char *epsilons, *deltas, *releases, *scales;
static double sensitivity = 1.0;
static int law = -1, allocation;
static int64_t order;

static const option options[] = {
    {"epsilon", 'e', OPTION_TEXT, "LIST", &epsilons, "budgets: epsilons, as 0.5,1,2"},
    {"delta", 'd', OPTION_TEXT, "LIST", &deltas,
     "budgets: deltas (default 1e-6; 0 for pure laws)"},
    {"scale", 0, OPTION_TEXT, "LIST", &scales,
     "the other way round: noise scales, to see the epsilon they give"},
    {"noise", 0, OPTION_CHOICE, constant_noise_words, &law,
     "noise law (default: all; gaussian with --patterns)"},
    {"releases", 0, OPTION_TEXT, "LIST", &releases,
     "how many releases about the same graph share the budget (default 1)"},
    {"sensitivity", 0, OPTION_REAL, "X", &sensitivity,
     "how far one private change moves the output: L2 for gaussian, L1 for laplace "
     "(default 1)"},
    {0},
};
static const option_group calibrate_options = {"Budget and noise", options};

static const option plan[] = {
    {"order", 0, OPTION_WHOLE, "N", &order,
     "number of nodes: with --patterns, the noise 'privgraph embed' will add"},
    {"allocation", 0, OPTION_CHOICE, allocation_words, &allocation,
     "how noise is shared among columns, as for embed (default optimal)"},
    {0},
};
static const option_group plan_options = {"Embeddings", plan};

static double *field_of(pvg_curve_term *term) {
    return term->kind == PVG_CURVE_GDP    ? &term->mu
           : term->kind == PVG_CURVE_PURE ? &term->epsilon
                                          : &term->rho;
}

static const char *parameter_name(int32_t which) {
    return noise_spends(which, PVG_CURVE_GDP)    ? "mu"
           : noise_spends(which, PVG_CURVE_PURE) ? "epsilon"
                                                 : "rho";
}

/* Calls take_law for every law that is asked for. */
static void each_law(void (*take_law)(table *t, int32_t which), table *t) {
    for (int32_t which = 1; pvg_noise_name(which); which++)
        if (law < 0 ? !noise_spends(which, PVG_CURVE_SMOOTH) : law == which)
            take_law(t, which);
}

/* a / b rounded up; exact quotients stay. */
static double quotient_up(double a, double b) {
    const double q = a / b;
    return fma(q, b, -a) < 0.0 ? nextafter(q, INFINITY) : q;
}

static double quotient_down(double a, double b) {
    const double q = a / b;
    return fma(q, b, -a) > 0.0 ? nextafter(q, 0.0) : q;
}

/* Room for the few roundings where a square root is involved. */
static const double slack = 1.0 + 0x1p-48;

/* Divides a parameter among releases, rounded down. */
static double share(int32_t which, double parameter, int64_t times) {
    return times == 1                           ? parameter
           : noise_spends(which, PVG_CURVE_GDP) ? parameter / sqrt((double)times) / slack
                                                : quotient_down(parameter, (double)times);
}

/* The scale for a parameter, rounded up, and back. */
static double scale_of(int32_t which, double parameter) {
    return noise_spends(which, PVG_CURVE_ZCDP)
               ? sensitivity / sqrt(2.0 * parameter) * slack
               : quotient_up(sensitivity, parameter);
}

static double parameter_of(int32_t which, double scale) {
    const double unit = quotient_up(sensitivity, scale);
    return noise_spends(which, PVG_CURVE_ZCDP) ? unit * unit / 2.0 * slack : unit;
}

/* --- from budget to scale ----------------------------------------------------------- */

static void scale_rows(table *t, int32_t which, double epsilon, double delta,
                       int64_t times) {
    pvg_curve_term term = {.size = sizeof term, .kind = pvg_noise_curve(which)};
    double parameter = 0.0;
    /* with a delta, equal pure releases cost less than their sum */
    if (noise_spends(which, PVG_CURVE_PURE) && times > 1) term.steps = times;
    must(pvg_curve_solve(&parameter, &term, epsilon, delta));
    const double part = share(which, parameter, times);
    const double scale = scale_of(which, part);
    table_text(t, pvg_noise_name(which));
    table_real(t, epsilon);
    table_real(t, delta);
    table_whole(t, times);
    table_text(t, parameter_name(which));
    table_below(t, part);
    table_above(t, scale);
    const double deviation = pvg_noise_deviation(which, scale, sensitivity);
    table_above(t, deviation == scale ? scale : deviation * slack);
}

static void scale_rows_of(table *t, int32_t which) {
    double e[LIST_MAX], d[LIST_MAX];
    int64_t k[LIST_MAX];
    const int e_count = parse_reals(e, LIST_MAX, epsilons, "epsilon");
    const bool pure = noise_spends(which, PVG_CURVE_PURE);
    d[0] = 0.0;
    const int d_count =
        pure && !deltas ? 1 : parse_reals(d, LIST_MAX, deltas ? deltas : "1e-6", "delta");
    const int k_count = parse_counts(k, LIST_MAX, releases ? releases : "1", "releases");
    for (int i = 0; i < e_count; i++)
        for (int j = 0; j < d_count; j++)
            for (int l = 0; l < k_count; l++) scale_rows(t, which, e[i], d[j], k[l]);
}

static table *scale_table(void) {
    static const char *const keys[][2] = {
        {"noise", "noise"},         {"epsilon", "epsilon"},
        {"delta", "delta"},         {"releases", "releases"},
        {"parameter", "parameter"}, {"parameter_each", "of each"},
        {"scale", "scale"},         {"standard_deviation", "std. deviation"}};
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    each_law(scale_rows_of, t);
    return t;
}

/* --- from scale to epsilon ---------------------------------------------------------- */

static double epsilon_of(int32_t which, double scale, double delta, int64_t times) {
    pvg_curve_term term = {.size = sizeof term, .kind = pvg_noise_curve(which)};
    pvg_curve *one = NULL, *all = NULL;
    double epsilon = 0.0;
    *field_of(&term) = parameter_of(which, scale);
    must(pvg_curve_new(&one, &term));
    must(pvg_curve_repeat(&all, one, times));
    must(pvg_curve_epsilon(&epsilon, all, delta));
    pvg_curve_free(one);
    pvg_curve_free(all);
    return epsilon;
}

static void epsilon_rows_of(table *t, int32_t which) {
    double s[LIST_MAX], d[LIST_MAX];
    int64_t k[LIST_MAX];
    const int s_count = parse_reals(s, LIST_MAX, scales, "scale");
    const int d_count = parse_reals(d, LIST_MAX, deltas ? deltas : "1e-6", "delta");
    const int k_count = parse_counts(k, LIST_MAX, releases ? releases : "1", "releases");
    for (int i = 0; i < s_count; i++)
        for (int l = 0; l < k_count; l++)
            for (int j = 0; j < d_count; j++) {
                table_text(t, pvg_noise_name(which));
                table_real(t, s[i]);
                table_whole(t, k[l]);
                table_real(t, d[j]);
                table_above(t, epsilon_of(which, s[i], d[j], k[l]));
            }
}

static table *epsilon_table(void) {
    static const char *const keys[][2] = {{"noise", "noise"},
                                          {"scale", "scale"},
                                          {"releases", "releases"},
                                          {"delta", "delta"},
                                          {"epsilon", "epsilon"}};
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    each_law(epsilon_rows_of, t);
    return t;
}

/* --- embeddings ----------------------------------------------------------------- */

static double plan_number(const jsont *told, const char *key, int64_t index) {
    return json_number(json_at(told, json_get(told, told, key), index), NAN);
}

static void preview_rows(table *t, const pvg_patterns *patterns, double epsilon) {
    const int64_t count = pvg_patterns_count(patterns);
    const int32_t which = law < 0 ? PVG_NOISE_GAUSSIAN : law;
    double d = 1e-6;
    if (deltas && parse_reals(&d, 1, deltas, "delta") != 1)
        usage_error("--delta: one value with --patterns");
    pvg_target target = {.size = sizeof target,
                         .noise = which,
                         .allocation = allocation,
                         .epsilon = epsilon,
                         .delta = noise_spends(which, PVG_CURVE_PURE) ? 0.0 : d};
    pvg_query *query = embed_query(patterns, &target, false, false);
    char **names = pattern_names(patterns, 0);
    jsont *told = query_plan(query, order);
    for (int64_t i = 0; i < count; i++) {
        const double moves = plan_number(told, "sensitivities", i);
        const double range = plan_number(told, "ranges", i);
        const double scale = plan_number(told, "scales", i);
        const double noise = pvg_noise_deviation(which, scale, moves);
        table_text(t, names[i]);
        table_real(t, epsilon);
        table_above(t, moves);
        table_real(t, range);
        table_above(t, scale);
        table_real(t, noise > 0.0 ? range / noise : 0.0);
    }
    names_free(names);
    json_drop(told);
    pvg_query_free(query);
}

static table *pattern_table(void) {
    static const char *const keys[][2] = {
        {"pattern", "pattern"},         {"epsilon", "epsilon"},
        {"sensitivity", "sensitivity"}, {"range", "largest value"},
        {"scale", "noise scale"},       {"ratio", "largest / std. deviation"}};
    double e[LIST_MAX];
    if (releases || scales) /* first: with --scale there is no --epsilon to read */
        usage_error("--releases and --scale do not go with --patterns");
    const int e_count = parse_reals(e, LIST_MAX, epsilons, "epsilon");
    if (order == 0) usage_error("--patterns needs --order, the number of nodes");
    pvg_patterns *patterns = patterns_wanted();
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (int i = 0; i < e_count; i++) preview_rows(t, patterns, e[i]);
    pvg_patterns_free(patterns);
    return t;
}

static void run(int count, char **operands) {
    (void)count;
    (void)operands;
    if (!epsilons == !scales) usage_error("give --epsilon or --scale, one of them");
    if (sensitivity <= 0.0) usage_error("--sensitivity must be more than 0");
    table *t = patterns_given() ? pattern_table()
               : scales         ? epsilon_table()
                                : scale_table();
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        table_json(t, &j, "rows");
        json_end(&j, '}');
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
    table_free(t);
}

const command command_calibrate = {
    .name = "calibrate",
    .operands = "",
    .summary = "from a privacy budget to a noise scale, and back",
    .text =
        "Tells the noise scale that meets a budget, for every combination of the lists "
        "given; or the epsilon that a noise scale gives. scale is the standard deviation "
        "of the gaussian laws and sensitivity / epsilon of laplace and staircase. "
        "Everything is rounded to "
        "the "
        "sound side.\n\n"
        "With --patterns and --order it shows the noise that 'privgraph embed' will add "
        "to each column, before any budget is spent.",
    .groups = {&calibrate_options, &pattern_options, &degree_options, &plan_options,
               &unit_options, &common_options},
    .examples =
        {{"privgraph calibrate --epsilon 0.5,1,2 --delta 1e-6",
          "noise for three budgets under every law"},
         {"privgraph calibrate --epsilon 1 --releases 1,10,100 --noise gaussian",
          "what if the budget is shared by several releases?"},
         {"privgraph calibrate --scale 2 --delta 1e-5,1e-6",
          "the epsilon that noise of scale 2 gives"},
         {"privgraph calibrate -p edge,triangle --order 1000 --max-degree 20 -e 1,4",
          "noise of an embedding next to the largest possible value"}},
    .run = run,
};
