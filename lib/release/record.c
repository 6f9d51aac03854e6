/* The guarantee record, as JSON and in words. Numbers are written independently of the
 * locale. */
#include "release_internal.h"

#include <math.h>

bool pvgi_release_record_private(const pvgi_record *record) {
    return !record->seeded && record->spent.kind != PVG_CURVE_INFINITE;
}

bool pvgi_release_record_spends(const pvgi_record *record) {
    return record->spent.kind != 0;
}

int32_t pvgi_release_record_curve(pvg_curve **out, const pvgi_record *record) {
    pvg_curve_term term = record->spent;
    if (!pvgi_release_record_private(record))
        term = (pvg_curve_term){.kind = PVG_CURVE_INFINITE};
    term.size = sizeof term;
    return pvg_curve_new(out, &term);
}

double pvgi_release_record_epsilon(const pvgi_record *record, double delta) {
    if (!pvgi_release_record_private(record)) return INFINITY;
    if (!pvgi_release_record_spends(record)) return 0.0;
    return pvgi_mechanism_terms_epsilon(&record->spent, 1, delta);
}

static const char *noise_words(int32_t noise) {
    switch (noise) {
    case PVG_NOISE_LAPLACE:
        return "discrete Laplace";
    case PVG_NOISE_DISCRETE_GAUSSIAN:
        return "discrete Gaussian";
    case PVG_NOISE_SMOOTH:
        return "rounded Gaussian, smooth sensitivity";
    case PVG_NOISE_SMOOTH_PUBLISHED:
        return "rounded Gaussian, smooth sensitivity, published accounting";
    default:
        return "rounded Gaussian";
    }
}

static const char *allocation_words(int32_t allocation) {
    return allocation == PVG_ALLOCATION_ISOTROPIC      ? "isotropic"
           : allocation == PVG_ALLOCATION_PROPORTIONAL ? "proportional"
                                                       : "optimal";
}

static void put_field(pvgi_text *text, const char *name, double value) {
    pvgi_text_format(text, ", \"%s\": ", name);
    pvgi_text_json_number(text, value);
}

static void put_curve(pvgi_text *text, const pvg_curve_term *term) {
    static const char *const kinds[] = {"none", "pure",   "approximate", "zcdp",
                                        "tcdp", "smooth", "gdp",         "infinite"};
    pvgi_text_format(text, "{\"kind\": \"%s\"", kinds[term->kind]);
    if (term->epsilon > 0.0) put_field(text, "epsilon", term->epsilon);
    if (term->delta > 0.0) put_field(text, "delta", term->delta);
    if (term->rho > 0.0) put_field(text, "rho", term->rho);
    if (term->omega > 0.0) put_field(text, "omega", term->omega);
    if (term->mu > 0.0) put_field(text, "mu", term->mu);
    if (term->beta > 0.0) put_field(text, "beta", term->beta);
    if (term->dimension > 0)
        pvgi_text_format(text, ", \"dimension\": %lld", (long long)term->dimension);
    pvgi_text_append(text, "}", 1);
}

static void put_degrees(pvgi_text *text, const pvgi_record *record) {
    const long long bound = record->degree_bound;
    if (record->degrees == PVG_DEGREES_PROMISED)
        pvgi_text_format(
            text,
            "every possible input and its neighbours have degrees at most %lld "
            "(promised, not checked)",
            bound);
    else if (record->degrees == PVG_DEGREES_TRUNCATED)
        pvgi_text_format(text, "none on degrees: graphs were truncated to degree %lld",
                         bound);
    else
        pvgi_text_format(text, "none on degrees");
}

void pvgi_release_record_json(pvgi_text *text, const pvg_release *release) {
    const pvgi_record *record = &release->record;
    const double epsilon = pvgi_release_record_epsilon(record, record->delta);
    pvgi_text_format(text,
                     "{\"notion\": \"%s\", \"neighbours\": \"differ in one edge\", "
                     "\"private\": %s",
                     pvg_notion_name(PVG_NOTION_EDGE),
                     pvgi_release_record_private(record) ? "true" : "false");
    put_field(text, "epsilon", epsilon);
    put_field(text, "delta", record->delta);
    pvgi_text_format(text, ", \"curve\": ");
    put_curve(text, &record->spent);
    pvgi_text_format(text, ", \"noise\": \"%s\", \"allocation\": \"%s\"",
                     noise_words(record->noise), allocation_words(record->allocation));
    pvgi_text_format(text, ", \"assumptions\": [\"the set of nodes is public\", \"");
    put_degrees(text, record);
    pvgi_text_format(text, "\"], \"seeded\": %s", record->seeded ? "true" : "false");
    pvgi_text_format(text,
                     ", \"composition\": \"each row is a private object of its own; "
                     "releasing the same object again adds up\"");
    if (record->order > 0)
        pvgi_text_format(text, ", \"order\": %lld", (long long)record->order);
    pvgi_text_format(text, ", \"rows\": %lld, \"columns\": %lld, \"claim\": \"%s\"",
                     (long long)release->rows, (long long)release->columns,
                     record->claim);
    pvgi_text_format(text, ", \"library\": \"libprivgraph %s\"}", pvg_version_string());
}

void pvgi_release_record_words(pvgi_text *text, const pvg_release *release) {
    const pvgi_record *record = &release->record;
    if (!pvgi_release_record_private(record)) {
        pvgi_text_format(text,
                         "Not private: %s. epsilon is infinite; do not publish this as a "
                         "private release.\n",
                         record->seeded
                             ? "the noise came from a seeded generator"
                             : "the published proof of this method does not hold");
        return;
    }
    pvgi_text_format(text,
                     "Whether any single edge is present changes the chance of every "
                     "outcome by at most a factor e^");
    pvgi_text_json_number(text, pvgi_release_record_epsilon(record, record->delta));
    if (record->delta > 0.0) {
        pvgi_text_format(text, ", except for a probability of ");
        pvgi_text_json_number(text, record->delta);
    }
    pvgi_text_format(text, ". This holds for each of %lld rows on its own.\n",
                     (long long)release->rows);
    pvgi_text_format(text,
                     "Noise: %s, %s allocation. Assumptions: the set of nodes is "
                     "public; ",
                     noise_words(record->noise), allocation_words(record->allocation));
    put_degrees(text, record);
    pvgi_text_format(text, ". Claim %s in docs/guarantees.md.\n", record->claim);
}
