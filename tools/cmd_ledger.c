/* privgraph ledger: budgets in files. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *object_name, *object_names, *witness;
static double epsilon = NAN, delta, mu, rho, renyi_order;
static double ledger_delta = 1e-6;
static int notion = PVG_NOTION_EDGE, method;
static int64_t times = 1;

static const option create[] = {
    {"epsilon", 'e', OPTION_REAL, "X", &epsilon, "budget of each object: epsilon > 0"},
    {"delta", 'd', OPTION_REAL, "X", &ledger_delta,
     "budget of each object: delta (default 1e-6, as releases have; 0: pure only)"},
    {"notion", 0, OPTION_CHOICE,
     "@NOTION:edge|edge-directed|edge-ldp|edge-set-ldp|relationship|node|feature-ldp|"
     "label-ldp|switch|node-removed",
     &notion, "what is hidden (default edge: one undirected edge)"},
    {"method", 0, OPTION_CHOICE, "@METHOD:default|basic|gdp|renyi|mixed", &method,
     "how charges of one object add up (default: mixed, for all kinds of noise)"},
    {"renyi-order", 0, OPTION_REAL, "X", &renyi_order, "order > 1 of the method renyi"},
    {"objects", 0, OPTION_TEXT, "NAME,...", &object_names,
     "names of all objects that may be charged, NAME*COUNT for a set of graphs; any "
     "other name is refused (default: any name is an object)"},
    {"witness", 0, OPTION_TEXT, "FILE", &witness,
     "a second file, on other storage, that every charge needs: it notices older copies"},
    {0},
};
static const option_group create_options = {"Budget", create};

static const option show[] = {
    {"object", 0, OPTION_TEXT, "NAME", &object_name, "this object only"},
    {"delta", 'd', OPTION_REAL, "X", &delta, "tell what was spent at this delta"},
    {0},
};
static const option_group show_options = {"What to show", show};

static const option cost[] = {
    {"object", 0, OPTION_TEXT, "NAME", &object_name, "which object pays"},
    {"epsilon", 'e', OPTION_REAL, "X", &epsilon, "cost: epsilon, with --delta or alone"},
    {"delta", 'd', OPTION_REAL, "X", &delta, "cost: delta (default 0)"},
    {"mu", 0, OPTION_REAL, "X", &mu, "cost: Gaussian differential privacy mu"},
    {"rho", 0, OPTION_REAL, "X", &rho, "cost: zCDP rho"},
    {"times", 0, OPTION_WHOLE, "N", &times, "that many times (default 1)"},
    {0},
};
static const option_group cost_options = {"Cost", cost};

static int32_t copy_ledger(char *out, size_t capacity, size_t *length,
                           const void *ledger) {
    return pvg_ledger_copy_json(out, capacity, length, (pvg_ledger *)(uintptr_t)ledger);
}

static pvg_ledger *open_ledger(const char *path) {
    pvg_ledger *ledger = NULL;
    output_keep_path(path);
    must(pvg_ledger_open(&ledger, path));
    ledger_tell_torn(ledger, path);
    return ledger;
}

/* --- create --------------------------------------------------------------------- */

/* Commas become ends of lines. */
static char *names_by_line(const char *given) {
    char *lines = text_copy(given);
    for (char *at = lines; *at; at++)
        if (*at == ',') *at = '\n';
    return lines;
}

static void run_create(int count, char **operands) {
    pvg_ledger *ledger = NULL;
    (void)count;
    if (isnan(epsilon)) usage_error("--epsilon is missing");
    char *lines = object_names ? names_by_line(object_names) : NULL;
    const pvg_ledger_config config = {.size = sizeof config,
                                      .notion = notion,
                                      .epsilon = epsilon,
                                      .delta = ledger_delta,
                                      .method = method,
                                      .order = renyi_order,
                                      .objects = lines};
    must(pvg_ledger_create(&ledger, operands[0], &config));
    if (witness && pvg_ledger_add_witness(ledger, witness) != PVG_OK)
        fail(CODE_FAILED,
             "%s; the ledger is made, without a witness: 'privgraph ledger "
             "claim --witness FILE' gives it one",
             pvg_error_message());
    pvg_ledger_free(ledger);
    free(lines);
    note("%s: epsilon %g, delta %g for each object, %s", operands[0], epsilon,
         ledger_delta, pvg_notion_name(config.notion));
    if (object_names) note("objects: %s, and no other", object_names);
}

const command command_ledger_create = {
    .name = "ledger create",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "make a ledger: a budget that cannot be overspent",
    .text =
        "Makes a new ledger file. Every private object (every graph) gets the whole "
        "budget; what is released about the same object adds up. With --objects a "
        "name that is spelt otherwise is an error and no fresh budget. An existing file "
        "is "
        "never replaced. A copy of the file takes no charges; what a file cannot know (a "
        "copy of the whole disk, old bytes put back into it) a witness on other "
        "storage notices.",
    .groups = {&create_options, &common_but_data},
    .examples = {{"privgraph ledger create study.ledger --epsilon 2 "
                  "--objects 'friends,mutag*188'",
                  "for one network and a set of graphs, and nothing else"},
                 {"privgraph ledger create study.ledger --epsilon 2 --delta 1e-6",
                  "epsilon 2 for every graph of the study"},
                 {"privgraph ledger create study.ledger --epsilon 2 --witness w.txt",
                  "with a witness, which belongs on another disk"}},
    .run = run_create,
};

/* --- show ----------------------------------------------------------------------- */

static void show_object(table *t, pvg_ledger *ledger, uint64_t object, const char *name,
                        const pvg_ledger_config *config) {
    char text[32];
    double spent = 0.0;
    int64_t charges = 0;
    must(pvg_ledger_spent(&spent, ledger, object, delta > 0.0 ? delta : config->delta));
    must(pvg_ledger_curve(NULL, &charges, ledger, object));
    snprintf(text, sizeof text, "%llu", (unsigned long long)object);
    table_text(t, name ? name : text);
    table_whole(t, charges);
    table_above(t, spent);
    table_real(t, config->epsilon);
}

static table *object_table(pvg_ledger *ledger, const pvg_ledger_config *config) {
    table *t = table_new();
    table_column(t, "object", "object");
    table_column(t, "charges", "charges");
    table_column(t, "spent", "spent epsilon");
    table_column(t, "budget", "of");
    if (object_name) {
        show_object(t, ledger, pvg_ledger_object(object_name), object_name, config);
        return t;
    }
    for (int64_t i = 0; i < pvg_ledger_object_count(ledger); i++) {
        uint64_t object = 0;
        must(pvg_ledger_object_at(&object, ledger, i));
        char name[512];
        size_t length = 0;
        must(pvg_ledger_copy_name(name, sizeof name, &length, ledger, object));
        show_object(t, ledger, object, *name ? name : NULL, config);
    }
    return t;
}

static void run_show(int count, char **operands) {
    (void)count;
    pvg_ledger_config config = {.size = sizeof config};
    pvg_ledger *ledger = NULL;
    output_keep_path(operands[0]);
    must(pvg_ledger_open_readonly(&ledger, operands[0]));
    const int64_t torn = pvg_ledger_torn_bytes(ledger);
    if (torn > 0)
        warn("%s: ends in %lld bytes of a charge that was never finished; nothing was "
             "released for it, and the next charge drops it",
             operands[0], (long long)torn);
    must(pvg_ledger_copy_config(&config, ledger));
    output *out = output_open(common_output);
    table *t = object_table(ledger, &config);
    if (common_json && !object_name && delta == 0.0) {
        char *text = copied(copy_ledger, ledger);
        output_text(out, "%s\n", text);
        free(text);
    } else if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "notion", pvg_notion_name(config.notion));
        json_real(&j, "delta", delta > 0.0 ? delta : config.delta);
        table_json(t, &j, "objects");
        json_end(&j, '}');
    } else {
        output_text(out,
                    "%s, epsilon %g, delta %g for each object; %lld charges to %lld "
                    "objects\n",
                    pvg_notion_name(config.notion), config.epsilon, config.delta,
                    (long long)pvg_ledger_charge_count(ledger),
                    (long long)pvg_ledger_object_count(ledger));
        for (const char *at = config.objects; at && *at;) {
            const size_t length = strcspn(at, "\n");
            if (length > 0) output_text(out, "made for %.*s\n", (int)length, at);
            at += length + (at[length] == '\n');
        }
        if (object_name || pvg_ledger_object_count(ledger) > 0) table_print(t, out);
    }
    output_commit_one(out);
    table_free(t);
    pvg_ledger_free(ledger);
}

const command command_ledger_show = {
    .name = "ledger show",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "what was spent, per object",
    .text =
        "Shows the budget of a ledger and what each object has spent of it, under the "
        "names the ledger was given (numbers where it was given none). Needs no right to "
        "write the file.",
    .groups = {&show_options, &common_options},
    .examples = {{"privgraph ledger show study.ledger", "all objects"},
                 {"privgraph ledger show study.ledger --object friends --json",
                  "one object, for programs"}},
    .run = run_show,
};

/* --- check and spend ------------------------------------------------------------ */

static void check_cost(void) {
    if (!object_name) usage_error("--object is missing");
    if (!isnan(epsilon) + (mu > 0.0) + (rho > 0.0) != 1)
        usage_error("give the cost as --epsilon, --mu or --rho, one of them");
    if (isnan(epsilon) && delta > 0.0) usage_error("--delta goes with --epsilon");
    if (times < 1) usage_error("--times must be at least 1");
}

static pvg_curve *cost_curve(void) {
    pvg_curve_term term = {.size = sizeof term};
    pvg_curve *one = NULL, *all = NULL;
    term.kind = mu > 0.0      ? PVG_CURVE_GDP
                : rho > 0.0   ? PVG_CURVE_ZCDP
                : delta > 0.0 ? PVG_CURVE_APPROXIMATE
                              : PVG_CURVE_PURE;
    term.mu = mu;
    term.rho = rho;
    term.delta = delta;
    term.epsilon = isnan(epsilon) ? 0.0 : epsilon;
    must(pvg_curve_new(&one, &term));
    must(pvg_curve_repeat(&all, one, times));
    pvg_curve_free(one);
    return all;
}

/* The cost as a guarantee of the ledger's own notion. */
static pvg_guarantee *cost_wanted(pvg_ledger *ledger) {
    pvg_ledger_config config = {.size = sizeof config};
    pvg_guarantee *guarantee = NULL;
    must(pvg_ledger_copy_config(&config, ledger));
    pvg_curve *curve = cost_curve();
    must(pvg_guarantee_state(&guarantee, config.notion, curve, NULL));
    pvg_curve_free(curve);
    return guarantee;
}

static void run_check(int count, char **operands) {
    int32_t fits = 0;
    (void)count;
    check_cost();
    pvg_ledger *ledger = open_ledger(operands[0]);
    pvg_guarantee *guarantee = cost_wanted(ledger);
    const uint64_t object = pvg_ledger_object(object_name);
    must(pvg_ledger_fits(&fits, ledger, &object, 1, guarantee));
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "object", object_name);
        json_bool(&j, "fits", fits != 0);
        json_end(&j, '}');
    } else {
        output_text(out, "%s\n", fits ? "fits" : "does not fit");
    }
    output_commit_one(out);
    pvg_guarantee_free(guarantee);
    pvg_ledger_free(ledger);
    if (!fits) exit(CODE_BUDGET);
}

const command command_ledger_check = {
    .name = "ledger check",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "would a cost fit the budget? Charges nothing",
    .text = "Says whether a cost fits what is left of an object's budget, and charges "
            "nothing. Exit code 0 if it fits, 3 if not.",
    .groups = {&cost_options, &common_options},
    .examples = {{"privgraph ledger check study.ledger --object friends --epsilon 0.5",
                  "is epsilon 0.5 left for friends?"}},
    .run = run_check,
};

static void run_spend(int count, char **operands) {
    double spent = 0.0;
    (void)count;
    check_cost();
    pvg_ledger_config config = {.size = sizeof config};
    pvg_ledger *ledger = open_ledger(operands[0]);
    pvg_guarantee *guarantee = cost_wanted(ledger);
    const uint64_t object = pvg_ledger_object(object_name);
    object_warn(object_name);
    must(pvg_ledger_copy_config(&config, ledger));
    must(pvg_ledger_name(ledger, object_name, 1));
    must(pvg_ledger_charge(ledger, &object, 1, guarantee));
    must(pvg_ledger_spent(&spent, ledger, object, config.delta));
    note("%s has spent epsilon %.6g of %g", object_name, spent, config.epsilon);
    pvg_guarantee_free(guarantee);
    pvg_ledger_free(ledger);
}

const command command_ledger_spend = {
    .name = "ledger spend",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "charge a cost, for something released by other means",
    .text =
        "Charges a cost to an object, before something about it is released by other "
        "means. 'privgraph embed --ledger' charges by itself. Exit code 3, and nothing "
        "charged, if the budget would be exceeded. A charge stays for ever.",
    .groups = {&cost_options, &common_but_data},
    .examples = {{"privgraph ledger spend study.ledger --object friends --epsilon 0.5",
                  "pay epsilon 0.5"},
                 {"privgraph ledger spend study.ledger --object web --mu 0.05 "
                  "--times 10",
                  "ten Gaussian releases of mu 0.05"}},
    .run = run_spend,
};

/* --- examining, repairing, shortening ---------------------------------------------- */

typedef struct {
    const char *path;
    int32_t condition;
} examined;

static int32_t copy_findings(char *out, size_t capacity, size_t *length,
                             const void *wanted) {
    examined *e = (examined *)(uintptr_t)wanted;
    return pvg_ledger_verify(out, capacity, length, &e->condition, e->path);
}

static const char *const conditions[] = {"whole", "torn", "repairable", "lost",
                                         "superseded"};

static void run_verify(int count, char **operands) {
    examined e = {.path = operands[0]};
    (void)count;
    output_keep_path(operands[0]);
    char *found = copied(copy_findings, &e);
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "condition", conditions[e.condition]);
        json_text(&j, "findings", found);
        json_end(&j, '}');
    } else {
        output_text(out, "%s", found);
    }
    output_commit_one(out);
    free(found);
    if (e.condition == PVG_LEDGER_REPAIRABLE)
        note("'privgraph ledger repair %s' repairs it and keeps a copy", operands[0]);
    if (e.condition > PVG_LEDGER_TORN) exit(CODE_FAILED);
}

const command command_ledger_verify = {
    .name = "ledger verify",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "is the file whole? Changes nothing",
    .text = "Examines a ledger file byte by byte and says what is wrong with it and "
            "where. Exit code 0 if it is whole or ends in what a crash left of an "
            "unfinished charge (opening drops that), 1 if it is damaged.",
    .groups = {&common_options},
    .examples = {{"privgraph ledger verify study.ledger", "before it is copied away"}},
    .run = run_verify,
};

static void run_repair(int count, char **operands) {
    examined e = {.path = operands[0]};
    char copy[4096];
    (void)count;
    if (strlen(operands[0]) > 4000) usage_error("the path is too long");
    output_keep_path(operands[0]);
    char *found = copied(copy_findings, &e);
    tell("%s", found);
    free(found);
    if (e.condition == PVG_LEDGER_WHOLE || e.condition == PVG_LEDGER_TORN) return;
    snprintf(copy, sizeof copy, "%s.damaged", operands[0]);
    must(pvg_ledger_repair(operands[0], copy));
    note("%s: repaired, no charge is forgotten; as it was it is kept as %s", operands[0],
         copy);
}

const command command_ledger_repair = {
    .name = "ledger repair",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "repair a damaged file, if that forgets no charge",
    .text = "Repairs one wrong byte of a record, which its checksum identifies, and "
            "acknowledgements that are both damaged. The file as it was is kept as "
            "FILE.damaged. Where a charge cannot be known any more nothing is changed: "
            "exit code 1.",
    .groups = {&common_but_data},
    .examples = {{"privgraph ledger repair study.ledger", "after 'ledger verify'"}},
    .run = run_repair,
};

static void run_compact(int count, char **operands) {
    (void)count;
    pvg_ledger *ledger = open_ledger(operands[0]);
    must(pvg_ledger_compact(ledger));
    note("%s: %lld charges to %lld objects, one record for each object", operands[0],
         (long long)pvg_ledger_charge_count(ledger),
         (long long)pvg_ledger_object_count(ledger));
    pvg_ledger_free(ledger);
}

const command command_ledger_compact = {
    .name = "ledger compact",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "make the file small: one record for each object",
    .text = "Writes the file anew with the sums of each object in the place of its "
            "charges, reads it again, and only then puts it in the place of the old "
            "one. Every later answer is the same; the list of single charges is gone.",
    .groups = {&common_but_data},
    .examples = {{"privgraph ledger compact study.ledger", "after a million charges"}},
    .run = run_compact,
};

static const option claim[] = {
    {"witness", 0, OPTION_TEXT, "FILE", &witness,
     "a new witness, or the old one where it stands now"},
    {0},
};
static const option_group claim_options = {"Witness", claim};

static void run_claim(int count, char **operands) {
    (void)count;
    must(pvg_ledger_claim(operands[0], witness));
    note("%s: the ledger; no other copy of it may be charged any more", operands[0]);
}

const command command_ledger_claim = {
    .name = "ledger claim",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "make a copy the ledger itself, after a move; or name a witness",
    .text = "A ledger file that was copied, put back from a backup or moved to another "
            "disk takes no charges, because what was charged to the original since is "
            "not in it. Who claims it says that no charge is missing in this file, and "
            "that no other one will be charged: a claim that is not true is a second "
            "budget. Refused (exit code 3) if the witness has seen more than the file "
            "holds.",
    .groups = {&claim_options, &common_but_data},
    .examples = {{"privgraph ledger claim study.ledger", "after the disk was exchanged"},
                 {"privgraph ledger claim study.ledger --witness study.witness",
                  "from now on with a witness, or with a new one"}},
    .run = run_claim,
};
