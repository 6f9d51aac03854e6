/* privgraph plan: several releases over time under one budget, what each may spend.
 *
 * Release i alone could have the parameter p_i. In the plan it gets noise 1 / (f w_i)
 * times as large: f w_i p_i for mu and epsilon, (f w_i)^2 p_i for rho, w_i its weight.
 * f is the largest, found by bisection, at which the whole list is within the budget: by
 * the composition of curves, which is exact for Gaussian noise and equal pure terms, by
 * the lattice of pvg_pld_new where pure terms differ, and beside it by a ledger in
 * memory that is charged once for each release. Whatever comes out was verified as it
 * stands. Needs no data. At most 1000 releases: a second or two. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 64, RELEASES_MAX = 1000, HALVINGS = 52, LOSS_HALVINGS = 16 };

static const char *list_text;
static double budget = NAN, delta = NAN;

static const option options[] = {
    {"list", 0, OPTION_TEXT, "LIST", &list_text,
     "releases, as NAME:TIMES[:NOISE[:WEIGHT]] with commas between. A NAME that is a "
     "command brings its noise (embed, propagate: gaussian; stats: laplace; perturb, "
     "synthesize: pure), any other needs it: gaussian, laplace, staircase, "
     "discrete-gaussian, or pure for whatever is epsilon-DP. Noise of twice the WEIGHT "
     "is half as large (default 1)"},
    {"epsilon", 'e', OPTION_REAL, "X", &budget, "the budget of all of them together"},
    {"delta", 'd', OPTION_REAL, "X", &delta,
     "its delta in [0, 1) (default 1e-6, 0 if all of them are pure)"},
    {0},
};
static const option_group plan_options = {"Releases and budget", options};

/* --- the list ---------------------------------------------------------------------- */

typedef struct {
    char name[64];
    const char *noise; /* word */
    int32_t law;       /* PVG_NOISE_*, 0: whatever is epsilon-DP */
    int32_t curve;     /* PVG_CURVE_* */
    int64_t times;
    double weight; /* of the largest */
    double alone;  /* parameter of such a release that has the budget for itself */
} entry;

static entry entries[ENTRIES_MAX];
static int entry_count;
static int64_t release_count;

static const char *const usual[][2] = {{"embed", "gaussian"},
                                       {"propagate", "gaussian"},
                                       {"stats", "laplace"},
                                       {"perturb", "pure"},
                                       {"synthesize", "pure"}};

static const char *usual_noise(const char *name) {
    for (size_t i = 0; i < COUNT_OF(usual); i++)
        if (strcmp(usual[i][0], name) == 0) return usual[i][1];
    usage_error(
        "--list: %s is no command with noise of its own; give it, as %s:1:laplace", name,
        name);
}

static void set_noise(entry *e, const char *word) {
    e->noise = "pure";
    e->curve = PVG_CURVE_PURE;
    if (strcmp(word, "pure") == 0) return;
    for (int32_t law = 1; pvg_noise_name(law); law++)
        if (strcmp(pvg_noise_name(law), word) == 0) {
            if (noise_spends(law, PVG_CURVE_SMOOTH))
                usage_error("--list: %s: the size of smooth noise is private", e->name);
            e->noise = pvg_noise_name(law);
            e->law = law;
            e->curve = pvg_noise_curve(law);
            return;
        }
    usage_error("--list: %s: there is no noise '%s'", e->name, word);
}

/* NAME:TIMES[:NOISE[:WEIGHT]] */
static void read_entry(entry *e, char *text) {
    char *field[4] = {text, NULL, NULL, NULL};
    int fields = 1;
    for (char *at = text; (at = strchr(at, ':')) != NULL;) {
        if (fields == 4) usage_error("--list: %s: too many ':'", field[0]);
        *at++ = '\0';
        field[fields++] = at;
    }
    if (field[0][0] == '\0') usage_error("--list: a release without a name");
    if (strlen(field[0]) >= sizeof e->name) usage_error("--list: a name is too long");
    strcpy(e->name, field[0]);
    e->times = 1;
    e->weight = 1.0;
    if (fields > 1 && parse_counts(&e->times, 1, field[1], "list") != 1)
        usage_error("--list: %s: one number of releases", e->name);
    set_noise(e, fields > 2 ? field[2] : usual_noise(e->name));
    if (fields > 3) parse_reals(&e->weight, 1, field[3], "list");
    if (e->times > RELEASES_MAX - release_count)
        usage_error("--list: at most %d releases in all", RELEASES_MAX);
    release_count += e->times;
}

static void read_list(void) {
    double largest = 0.0;
    bool pure = true;
    char *text = text_copy(list_text);
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, ',');
        if (next) *next++ = '\0';
        if (entry_count == ENTRIES_MAX)
            usage_error("--list: at most %d entries", ENTRIES_MAX);
        entry *e = &entries[entry_count++];
        read_entry(e, at);
        largest = fmax(largest, e->weight);
        pure = pure && e->curve == PVG_CURVE_PURE;
    }
    free(text);
    if (isnan(delta)) delta = pure ? 0.0 : 1e-6;
    if (delta >= 1.0) usage_error("--delta must be below 1");
    if (!pure && delta <= 0.0)
        usage_error("--delta must be more than 0 where noise is gaussian");
    for (int i = 0; i < entry_count; i++) {
        entry *e = &entries[i];
        pvg_curve_term term = {.size = sizeof term, .kind = e->curve};
        e->weight /= largest;
        must(pvg_curve_solve(&e->alone, &term, budget, delta));
    }
}

/* --- what the list spends at a factor ---------------------------------------------- */

static double parameter_of(const entry *e, double factor) {
    const double part = factor * e->weight;
    return (e->curve == PVG_CURVE_ZCDP ? part * part : part) * e->alone;
}

static pvg_curve *curve_of(const entry *e, double parameter) {
    pvg_curve_term term = {.size = sizeof term, .kind = e->curve};
    pvg_curve *curve = NULL;
    *(e->curve == PVG_CURVE_GDP    ? &term.mu
      : e->curve == PVG_CURVE_PURE ? &term.epsilon
                                   : &term.rho) = parameter;
    must(pvg_curve_new(&curve, &term));
    return curve;
}

static double epsilon_by_curve(double factor) {
    pvg_curve *sum = NULL;
    double epsilon = 0.0;
    for (int i = 0; i < entry_count; i++) {
        const entry *e = &entries[i];
        pvg_curve *one = curve_of(e, parameter_of(e, factor)), *all = NULL, *both = sum;
        must(pvg_curve_repeat(&all, one, e->times));
        if (sum)
            must(pvg_curve_compose(&both, sum, all));
        else
            both = all;
        if (sum) pvg_curve_free(all);
        pvg_curve_free(sum);
        pvg_curve_free(one);
        sum = both;
    }
    must(pvg_curve_epsilon(&epsilon, sum, delta));
    pvg_curve_free(sum);
    return epsilon;
}

/* Pure ones as whatever is epsilon-DP: Laplace noise on counts is no better. */
static double epsilon_by_loss(double factor) {
    pvg_pld *sum = NULL;
    double epsilon = 0.0;
    for (int i = 0; i < entry_count; i++) {
        const entry *e = &entries[i];
        const bool gdp = e->curve == PVG_CURVE_GDP;
        const double parameter = parameter_of(e, factor);
        const pvg_pld_part part = {.size = sizeof part,
                                   .kind = gdp ? PVG_PLD_GDP : PVG_PLD_PURE,
                                   .epsilon = gdp ? 0.0 : parameter,
                                   .mu = gdp ? parameter : 0.0,
                                   .times = e->times};
        pvg_pld *one = NULL, *both = NULL;
        must(pvg_pld_new(&one, &part));
        if (sum) {
            must(pvg_pld_compose(&both, sum, one));
            pvg_pld_free(sum);
            pvg_pld_free(one);
            sum = both;
        } else {
            sum = one;
        }
    }
    must(pvg_pld_epsilon(&epsilon, sum, delta, run_begin("composing", 1.0, "lists")));
    run_done();
    pvg_pld_free(sum);
    return epsilon;
}

/* Whether pure terms differ, where curves only add up, and all laws have a lattice. */
static bool loss_helps(void) {
    double first = NAN;
    bool differ = false;
    for (int i = 0; i < entry_count; i++) {
        if (entries[i].curve == PVG_CURVE_ZCDP) return false;
        if (entries[i].curve != PVG_CURVE_PURE) continue;
        if (isnan(first)) first = entries[i].weight;
        differ = differ || entries[i].weight != first;
    }
    return differ && delta > 0.0;
}

static bool fits_curve(double factor) {
    return epsilon_by_curve(factor) <= budget;
}

static bool fits_loss(double factor) {
    return epsilon_by_loss(factor) <= budget;
}

/* Charges a new ledger for every release, one by one, as it is when they are made. */
static bool fits_ledger(double factor) {
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = PVG_NOTION_EDGE,
                                      .epsilon = budget,
                                      .delta = delta};
    const uint64_t object = 1;
    pvg_ledger *ledger = NULL;
    bool fits = true;
    check_cancelled();
    must(pvg_ledger_new(&ledger, &config));
    for (int i = 0; i < entry_count && fits; i++) {
        pvg_guarantee *guarantee = NULL;
        pvg_curve *curve = curve_of(&entries[i], parameter_of(&entries[i], factor));
        must(pvg_guarantee_state(&guarantee, config.notion, curve, NULL));
        for (int64_t k = 0; k < entries[i].times && fits; k++) {
            const int32_t status = pvg_ledger_charge(ledger, &object, 1, guarantee);
            if (status != PVG_E_BUDGET && status != PVG_E_PRIVACY) must(status);
            fits = status == PVG_OK;
        }
        pvg_guarantee_free(guarantee);
        pvg_curve_free(curve);
    }
    pvg_ledger_free(ledger);
    return fits;
}

/* The largest factor of (low, 1] that was found to fit; low, which is known to, or 0 if
 * there is none. */
static double largest(bool (*fits)(double), double low, int halvings) {
    double high = 1.0;
    if (fits(1.0)) return 1.0;
    for (int i = 0; i < halvings; i++) {
        const double middle = low > 0.0 ? sqrt(low) * sqrt(high) : high / 16.0;
        if (!(middle > low && middle < high)) break;
        if (fits(middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- telling ----------------------------------------------------------------------- */

/* What -e takes, beside -d of the plan, so that the release spends no more than that. */
static double epsilon_wanted(const entry *e, double parameter) {
    pvg_curve_term term = {.size = sizeof term, .kind = e->curve};
    double epsilon = 0.0, gets = 0.0;
    if (e->curve == PVG_CURVE_PURE) return parameter;
    pvg_curve *curve = curve_of(e, parameter);
    must(pvg_curve_epsilon(&epsilon, curve, delta));
    pvg_curve_free(curve);
    for (double less = 0x1p-50;; less *= 2.0) {
        must(pvg_curve_solve(&gets, &term, epsilon, delta));
        if (gets <= parameter) return epsilon;
        epsilon -= less * epsilon;
    }
}

static void put_cells(table *t, const entry *e, double factor) {
    if (factor <= 0.0) {
        for (int i = 0; i < 3; i++) table_text(t, NULL);
        return;
    }
    const double parameter = parameter_of(e, factor);
    table_below(t, parameter);
    table_below(t, epsilon_wanted(e, parameter));
    if (e->law == 0) {
        table_text(t, NULL);
        return;
    }
    const double scale =
        e->curve == PVG_CURVE_ZCDP ? 1.0 / sqrt(2.0 * parameter) : 1.0 / parameter;
    table_above(t, pvg_noise_deviation(e->law, scale, 1.0));
}

static table *plan_table(double fixed, double ledger) {
    static const char *const keys[][2] = {{"release", "release"},
                                          {"noise", "noise"},
                                          {"times", "times"},
                                          {"parameter", "parameter"},
                                          {"parameter_each", "each"},
                                          {"epsilon_each", "as -e"},
                                          {"standard_deviation", "deviation"},
                                          {"ledger_parameter_each", "ledger: each"},
                                          {"ledger_epsilon_each", "as -e"},
                                          {"ledger_standard_deviation", "deviation"}};
    table *t = table_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (int i = 0; i < entry_count; i++) {
        const entry *e = &entries[i];
        table_text(t, e->name);
        table_text(t, e->noise);
        table_whole(t, e->times);
        table_text(t, e->curve == PVG_CURVE_GDP    ? "mu"
                      : e->curve == PVG_CURVE_PURE ? "epsilon"
                                                   : "rho");
        put_cells(t, e, fixed);
        put_cells(t, e, ledger);
    }
    return t;
}

static void run(int count, char **operands) {
    (void)count;
    (void)operands;
    if (!list_text) usage_error("--list is missing");
    if (isnan(budget)) usage_error("--epsilon is missing");
    if (budget <= 0.0) usage_error("--epsilon must be more than 0");
    read_list();
    double fixed = largest(fits_curve, 0.0, HALVINGS);
    const double ledger = largest(fits_ledger, 0.0, HALVINGS);
    /* a ledger's answer holds for a list that is fixed beforehand as well */
    fixed = fmax(fixed, ledger);
    if (loss_helps()) fixed = largest(fits_loss, fixed, LOSS_HALVINGS);
    if (fixed <= 0.0) fail(CODE_REFUSED, "the budget is too small for such a list");
    table *t = plan_table(fixed, ledger);
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_real(&j, "epsilon", budget);
        json_real(&j, "delta", delta);
        json_whole(&j, "releases", release_count);
        json_real(&j, "noise_factor", 1.0 / fixed);
        json_real(&j, "ledger_noise_factor", 1.0 / ledger);
        table_json(t, &j, "rows");
        json_end(&j, '}');
    } else {
        table_print(t, out);
        output_text(out,
                    "%lld releases within epsilon %g, delta %g; noise %.4g times that of "
                    "a single one if\nthe whole list is fixed before the first of them, "
                    "%.4g times with a ledger, where each\nmay depend on what came "
                    "before. Deviations are per unit of sensitivity.\n",
                    (long long)release_count, budget, delta, 1.0 / fixed, 1.0 / ledger);
    }
    output_commit_one(out);
    table_free(t);
}

const command command_plan = {
    .name = "plan",
    .operands = "",
    .summary = "several releases over time under one budget: what each may spend",
    .text =
        "Takes a list of releases about one private object (a network, at all times) and "
        "a budget for all of them, and tells what each may spend: its parameter, the "
        "epsilon to give as -e (for Gaussian noise beside the same -d), and the standard "
        "deviation of its noise per unit of sensitivity (L2 for gaussian, L1 for laplace "
        "and staircase; '-' for pure, which has no law).\n\n"
        "The first three columns hold for a list that is fixed, with all its numbers, "
        "before the first release, and that is kept to: nothing is added. The next three "
        "are what a ledger with this budget allows, one charge for each release in the "
        "order of the list; releases may then be chosen in view of what came before, and "
        "'privgraph ledger' sees to it that the budget holds. A ledger made with "
        "--method gdp or renyi allows a few more where all charges are of one kind.\n\n"
        "Noise of all releases is larger by one factor than if each had the budget for "
        "itself, divided by their weights. Everything is rounded to the sound side.",
    .groups = {&plan_options, &common_options},
    .examples = {{"privgraph plan -e 4 -d 1e-6 --list embed:4",
                  "an embedding every quarter for a year"},
                 {"privgraph plan -e 4 -d 1e-6 --list embed:4,stats:12,perturb:1",
                  "mixed kinds: quarterly, monthly, once"},
                 {"privgraph plan -e 2 --list census:1:laplace:3,survey:8:laplace --json",
                  "one release with a third of the noise of the others"}},
    .run = run,
};
