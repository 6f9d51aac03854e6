/* Guarantees in plain words: what is hidden, how well, on which assumptions. Numbers are
 * shown with four digits, never below the value; those that a ledger may charge as they
 * are. */
#include "guarantee_internal.h"

#include <math.h>
#include <stdlib.h>

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

double pvgi_guarantee_also_epsilon(const pvg_guarantee *guarantee) {
    return pvgi_guarantee_holds(guarantee)
               ? pvgi_mechanism_terms_epsilon(&guarantee->also, 1, guarantee->delta)
               : INFINITY;
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

/* What holds where no epsilon does at delta 0: the native parameter. */
static void put_native(pvgi_text *text, const char *secret, const char *what,
                       const pvg_curve_term *terms, int64_t count) {
    if (count == 1 && terms->kind == PVG_CURVE_GDP) {
        pvgi_text_format(text,
                         "%s is as hard to tell from any %s, or harder, as to tell "
                         "one draw of a standard normal number from one shifted by ",
                         secret, what);
        pvgi_text_json_number(text, rounded_up(terms->mu));
        pvgi_text_format(text, " (mu-GDP, mu ");
        pvgi_text_json_number(text, rounded_up(terms->mu));
        pvgi_text_format(text, ")");
    } else if (count == 1 && terms->kind == PVG_CURVE_ZCDP) {
        pvgi_text_format(text,
                         "%s moves the Renyi divergence of order a between the laws "
                         "of every %s by at most a times ",
                         secret, what);
        pvgi_text_json_number(text, rounded_up(terms->rho));
        pvgi_text_format(text, " (rho-zCDP)");
    } else {
        pvgi_text_format(text, "%s is hidden in every %s as the curve of the record says",
                         secret, what);
    }
    pvgi_text_format(text, "; no epsilon holds at delta 0. ");
}

static void put_statement(pvgi_text *text, const pvgi_notion *notion, const char *what,
                          const pvg_curve_term *terms, int64_t count, double epsilon,
                          double delta) {
    if (isinf(epsilon))
        put_native(text, notion->secret, what, terms, count);
    else
        put_factor(text, notion->secret, what, epsilon, delta);
}

static const char *why_not(const pvg_guarantee *guarantee) {
    if (guarantee->seeded) return "the noise came from a seeded generator";
    return guarantee->broken ? guarantee->broken : "nothing is guaranteed";
}

/* What a draw about several objects does not say: who is the same as whom. */
static void put_objects(pvgi_text *text, const pvg_guarantee *guarantee) {
    if (!guarantee->separate || guarantee->objects <= 1) return;
    pvgi_text_format(text,
                     "This holds for each of %lld %s on its own; copies of one private "
                     "object among them add up.\n",
                     (long long)guarantee->objects,
                     guarantee->rows > 0 ? "rows" : "graphs");
    if (guarantee->repeated > 0)
        pvgi_text_format(text,
                         "Warning: %lld of the objects have the number of another one. "
                         "If they are the same, what is said about it adds up over them; "
                         "a ledger was charged for each.\n",
                         (long long)guarantee->repeated);
}

/* --- columns ----------------------------------------------------------------------- */

enum { SAID_MOST = 6 };

/* Outwards in four digits; the record has all. */
static void say_number(pvgi_text *text, const char *before, double value) {
    if (isnan(value)) return;
    pvgi_text_format(text, "%s", before);
    pvgi_text_json_number(text, value < 0.0 ? -rounded_up(-value) : rounded_up(value));
}

static void say_column(pvgi_text *text, const pvgi_column *column,
                       const pvgi_measure *measure) {
    if (column->count > 1)
        pvgi_text_format(text, "%s%lld to %s%lld", column->name, (long long)column->first,
                         column->name, (long long)(column->first + column->count - 1));
    else if (column->numbered)
        pvgi_text_format(text, "%s%lld", column->name, (long long)column->first);
    else
        pvgi_text_format(text, "%s", column->name);
    if (column->unit) pvgi_text_format(text, " (%s)", column->unit);
    if (measure && measure->high == (double)INFINITY && isfinite(measure->low)) {
        say_number(text, ", at least ", measure->low);
    } else if (measure && !isnan(measure->low) && !isnan(measure->high)) {
        say_number(text, " in [", measure->low);
        say_number(text, ", ", measure->high);
        pvgi_text_append(text, "]", 1);
    }
    if (!column->noise) {
        pvgi_text_format(text, ", no noise");
        return;
    }
    pvgi_text_format(text, ", %s", column->noise);
    if (measure) say_number(text, " of scale ", measure->scale);
}

static void put_columns(pvgi_text *text, const pvgi_columns *c) {
    const pvgi_column_table *table = c->tables == 1 ? &c->table[0] : NULL;
    pvgi_text_format(text, "Columns (%lld): ", (long long)c->columns);
    for (int64_t k = 0; k < c->kinds && k < SAID_MOST; k++) {
        if (k > 0) pvgi_text_append(text, "; ", 2);
        say_column(text, &c->kind[k],
                   table && table->measure ? &table->measure[k] : NULL);
    }
    if (c->kinds > SAID_MOST)
        pvgi_text_format(text, "; and %lld more kinds",
                         (long long)(c->kinds - SAID_MOST));
    for (int64_t i = 0; table && i < table->joints && i < SAID_MOST; i++) {
        const pvgi_joint_columns *joint = &table->joint[i];
        if (joint->norm > 0) {
            pvgi_text_format(text, "; columns %lld to %lld move together",
                             (long long)joint->first + 1,
                             (long long)(joint->first + joint->count));
            say_number(text, " by at most ", joint->change);
            pvgi_text_format(text, " in L%d", (int)joint->norm);
        }
        if (joint->covariance || joint->common)
            pvgi_text_format(text, "; the noise of columns %lld to %lld is correlated",
                             (long long)joint->first + 1,
                             (long long)(joint->first + joint->count));
    }
    pvgi_text_format(text, ".\n");
}

void pvgi_guarantee_words(pvgi_text *text, const pvg_guarantee *guarantee) {
    if (guarantee->loaded)
        pvgi_text_format(text, "Loaded from a record, which is taken at its word. ");
    const pvgi_notion *notion = pvgi_guarantee_notion(guarantee->notion);
    const pvgi_notion *also = pvgi_guarantee_notion(guarantee->also_notion);
    int64_t count;
    const pvg_curve_term *terms = pvgi_guarantee_terms(guarantee, &count);
    if (!pvgi_guarantee_holds(guarantee)) {
        pvgi_text_format(text,
                         "Not private: %s. epsilon is infinite; do not publish this as a "
                         "private release.\n",
                         why_not(guarantee));
        return;
    }
    put_statement(text, notion, "outcome", terms, count,
                  pvgi_guarantee_epsilon(guarantee, guarantee->delta), guarantee->delta);
    /* Beside a statement about everything, one about a user's list is about the report
     * that is made of it: others may report the same edge. */
    if (also)
        put_statement(text, also, also->local ? "report of that user" : "outcome",
                      &guarantee->also, 1, pvgi_guarantee_also_epsilon(guarantee),
                      guarantee->delta);
    pvgi_text_format(text, "Notion: %s. Noise: %s", notion->word, guarantee->noise);
    if (guarantee->allocation)
        pvgi_text_format(text, ", %s allocation", guarantee->allocation);
    pvgi_text_format(text, ". Assumptions:");
    for (int32_t i = 0; i < guarantee->assumptions; i++)
        pvgi_text_format(text, "%s %s", i > 0 ? ";" : "", guarantee->assumption[i]);
    pvgi_text_format(text, ". Claim %s in docs/guarantees.md.", guarantee->claim);
    if (count > 0) {
        pvgi_text_format(text, " Charged as ");
        pvgi_guarantee_bounds(text, terms, count);
        pvgi_text_append(text, ".", 1);
    }
    pvgi_text_append(text, "\n", 1);
    if (guarantee->narrowed)
        pvgi_text_format(text,
                         "This is about the object %llu alone; draws about others went "
                         "into it and are not counted.\n",
                         (unsigned long long)guarantee->about);
    put_objects(text, guarantee);
    if (guarantee->told) put_columns(text, guarantee->told);
}
