/* Guarantees: what they cost, how they read. Numbers are written independently of the
 * locale. */
#include "ledger/guarantee.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* How each notion reads: who may differ, and what is hidden. */
static const struct {
    const char *neighbours, *secret;
} notions[] = {
    [PVG_NOTION_EDGE] = {"differ in one edge", "Whether any single edge is present"},
    [PVG_NOTION_EDGE_DIRECTED] = {"differ in one directed edge",
                                  "Whether any single directed edge is present"},
    [PVG_NOTION_EDGE_LDP] = {"lists of one user that differ in one entry",
                             "Whether any single entry is in a user's own list"},
    [PVG_NOTION_EDGE_SET_LDP] = {"lists of one user, of the same length, that differ in "
                                 "one replaced entry",
                                 "Which node any single entry of a user's list names"},
    [PVG_NOTION_RELATIONSHIP] = {"differ in one edge, and all reports are seen",
                                 "Whether any single edge is present"},
    [PVG_NOTION_NODE] = {"differ in one node: in any of its edges and features",
                         "What any single node and its edges are"},
    [PVG_NOTION_NODE_REMOVED] = {"differ in one node, which has lost all its edges and "
                                 "has features of zero in one of them",
                                 "Whether any single node takes part, with its edges and "
                                 "features,"},
    [PVG_NOTION_FEATURE_LDP] = {"features of one user",
                                "What the features of a user are"},
    [PVG_NOTION_LABEL_LDP] = {"labels of one user", "What the label of a user is"},
    [PVG_NOTION_SWITCH] = {"differ in two edges that exchange ends, all degrees the same",
                           "Which of the four ends of any two edges are joined"},
};

void pvgi_ledger_premise(pvgi_guarantee *guarantee, const char *format, ...) {
    static const char unsaid[] = "its premises could not all be written down";
    if (guarantee->premises >= PVGI_PREMISES_MAX) {
        guarantee->broken = unsaid;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(guarantee->premise[guarantee->premises++],
                                 PVGI_PREMISE_BYTES, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PVGI_PREMISE_BYTES) guarantee->broken = unsaid;
}

bool pvgi_ledger_guarantee_holds(const pvgi_guarantee *guarantee) {
    return !guarantee->seeded && !guarantee->broken &&
           guarantee->spent.kind != PVG_CURVE_INFINITE;
}

bool pvgi_ledger_guarantee_spends(const pvgi_guarantee *guarantee) {
    return guarantee->spent.kind != 0;
}

double pvgi_ledger_guarantee_epsilon(const pvgi_guarantee *guarantee, double delta) {
    if (!pvgi_ledger_guarantee_holds(guarantee)) return INFINITY;
    if (!pvgi_ledger_guarantee_spends(guarantee)) return 0.0;
    return pvgi_mechanism_terms_epsilon(&guarantee->spent, 1, delta);
}

/* What may be added up with other releases. */
static pvg_curve_term term_of(const pvgi_guarantee *guarantee) {
    pvg_curve_term term = {.kind = PVG_CURVE_INFINITE};
    if (pvgi_ledger_guarantee_holds(guarantee)) term = guarantee->spent;
    term.size = sizeof term;
    return term;
}

int32_t pvgi_ledger_guarantee_curve(pvg_curve **out, const pvgi_guarantee *guarantee) {
    const pvg_curve_term term = term_of(guarantee);
    return pvg_curve_new(out, &term);
}

int32_t pvgi_ledger_guarantee_pay(const pvgi_guarantee *guarantee, pvg_ledger *ledger,
                                  const uint64_t *objects, int64_t count) {
    pvg_curve *curve;
    if (!ledger || !pvgi_ledger_guarantee_spends(guarantee)) return PVG_OK;
    PVGI_TRY(pvgi_ledger_guarantee_curve(&curve, guarantee));
    const int32_t status = pvg_ledger_charge(ledger, objects, count, guarantee->notion,
                                             curve, guarantee->seeded);
    pvg_curve_free(curve);
    return status;
}

static void put_field(pvgi_text *text, const char *name, double value) {
    pvgi_text_format(text, ", \"%s\": ", name);
    pvgi_text_json_number(text, value);
}

static void put_curve(pvgi_text *text, pvg_curve_term term) {
    static const char *const kinds[] = {"none", "pure",   "approximate", "zcdp",
                                        "tcdp", "smooth", "gdp",         "infinite"};
    pvgi_text_format(text, "{\"kind\": \"%s\"", kinds[term.kind]);
    if (term.epsilon > 0.0) put_field(text, "epsilon", term.epsilon);
    if (term.delta > 0.0) put_field(text, "delta", term.delta);
    if (term.rho > 0.0) put_field(text, "rho", term.rho);
    if (term.omega > 0.0) put_field(text, "omega", term.omega);
    if (term.mu > 0.0) put_field(text, "mu", term.mu);
    if (term.beta > 0.0) put_field(text, "beta", term.beta);
    if (term.dimension > 0)
        pvgi_text_format(text, ", \"dimension\": %lld", (long long)term.dimension);
    pvgi_text_append(text, "}", 1);
}

static double also_epsilon(const pvgi_guarantee *guarantee) {
    return pvgi_ledger_guarantee_holds(guarantee)
               ? pvgi_mechanism_terms_epsilon(&guarantee->also, 1, guarantee->delta)
               : INFINITY;
}

void pvgi_ledger_guarantee_json(pvgi_text *text, const pvgi_guarantee *guarantee) {
    pvgi_text_format(text, "\"notion\": \"%s\", \"neighbours\": \"%s\", \"private\": %s",
                     pvg_notion_name(guarantee->notion),
                     notions[guarantee->notion].neighbours,
                     pvgi_ledger_guarantee_holds(guarantee) ? "true" : "false");
    put_field(text, "epsilon",
              pvgi_ledger_guarantee_epsilon(guarantee, guarantee->delta));
    put_field(text, "delta", guarantee->delta);
    pvgi_text_format(text, ", \"curve\": ");
    put_curve(text, term_of(guarantee));
    if (guarantee->also_notion) {
        pvgi_text_format(text, ", \"also\": {\"notion\": \"%s\", \"neighbours\": \"%s\"",
                         pvg_notion_name(guarantee->also_notion),
                         notions[guarantee->also_notion].neighbours);
        put_field(text, "epsilon", also_epsilon(guarantee));
        pvgi_text_append(text, "}", 1);
    }
    if (guarantee->broken) {
        pvgi_text_format(text, ", \"why_not\": ");
        pvgi_text_json_string(text, guarantee->broken);
    }
    pvgi_text_format(text, ", \"noise\": \"%s\"", guarantee->noise);
    if (guarantee->allocation)
        pvgi_text_format(text, ", \"allocation\": \"%s\"", guarantee->allocation);
    if (guarantee->sensitivity > 0.0)
        put_field(text, "sensitivity", guarantee->sensitivity);
    if (guarantee->scale > 0.0) put_field(text, "scale", guarantee->scale);
    pvgi_text_format(text, ", \"assumptions\": [");
    for (int32_t i = 0; i < guarantee->premises; i++) {
        if (i > 0) pvgi_text_format(text, ", ");
        pvgi_text_json_string(text, guarantee->premise[i]);
    }
    pvgi_text_format(text, "], \"seeded\": %s", guarantee->seeded ? "true" : "false");
    if (guarantee->order > 0)
        pvgi_text_format(text, ", \"order\": %lld", (long long)guarantee->order);
    pvgi_text_format(text, ", \"claim\": \"%s\", \"library\": \"libprivgraph %s\"",
                     guarantee->claim, pvg_version_string());
}

/* For readers: four significant digits, never below the value. */
static double rounded_up(double value) {
    if (!(value > 0.0) || isinf(value)) return value;
    /* a quotient of whole numbers is the double nearest to the decimal, so it prints well
     */
    const int digits = 3 - (int)floor(log10(value));
    const double ten = pow(10.0, abs(digits));
    if (isinf(ten)) return value;
    double shown = ceil(digits >= 0 ? value * ten : value / ten);
    shown = digits >= 0 ? shown / ten : shown * ten;
    return shown < value ? value : shown;
}

static void put_factor(pvgi_text *text, const char *secret, const char *what,
                       double epsilon, double delta) {
    pvgi_text_format(text, "%s changes the chance of every %s by at most a factor e^",
                     secret, what);
    pvgi_text_json_number(text, rounded_up(epsilon));
    if (delta > 0.0) {
        pvgi_text_format(text, ", except for a probability of ");
        pvgi_text_json_number(text, delta);
    }
    pvgi_text_append(text, ". ", 2);
}

/* Beside a statement about everything, one about a user's list is about the report that
 * is made of it: others may report the same edge. */
static bool is_local(int32_t notion) {
    return notion == PVG_NOTION_EDGE_LDP || notion == PVG_NOTION_EDGE_SET_LDP;
}

void pvgi_ledger_guarantee_words(pvgi_text *text, const pvgi_guarantee *guarantee) {
    if (!pvgi_ledger_guarantee_holds(guarantee)) {
        pvgi_text_format(text,
                         "Not private: %s. epsilon is infinite; do not publish this as a "
                         "private release.\n",
                         guarantee->seeded   ? "the noise came from a seeded generator"
                         : guarantee->broken ? guarantee->broken
                                             : "nothing is guaranteed");
        return;
    }
    put_factor(text, notions[guarantee->notion].secret, "outcome",
               pvgi_ledger_guarantee_epsilon(guarantee, guarantee->delta),
               guarantee->delta);
    if (guarantee->also_notion)
        put_factor(text, notions[guarantee->also_notion].secret,
                   is_local(guarantee->also_notion) ? "report of that user" : "outcome",
                   also_epsilon(guarantee), guarantee->delta);
    pvgi_text_format(text, "Notion: %s. Noise: %s", pvg_notion_name(guarantee->notion),
                     guarantee->noise);
    if (guarantee->allocation)
        pvgi_text_format(text, ", %s allocation", guarantee->allocation);
    pvgi_text_format(text, ". Assumptions:");
    for (int32_t i = 0; i < guarantee->premises; i++)
        pvgi_text_format(text, "%s %s", i > 0 ? ";" : "", guarantee->premise[i]);
    pvgi_text_format(text, ". Claim %s in docs/guarantees.md.\n", guarantee->claim);
}
