/* Lanes: what a model has seen, and what that promises.
 *
 * Released parts are draws of mechanisms; a prediction that reads nothing else is
 * post-processing of all of them together. About a notion and an object it promises the
 * composition of the draws of that notion about that object. Other draws are free there
 * only if they cannot move between the two worlds of the notion: they are about another
 * object, or hide another part (edges, features, labels) and were made by a perturber
 * that reads that part alone. */
#include "network_internal.h"

#include <string.h>

/* --- what was seen ---------------------------------------------------------------- */

int32_t pvgi_network_note(pvg_dataset *data, const pvg_release *release, int32_t role,
                          uint64_t object) {
    if (data->seen_count == PVGI_PARTS_MAX)
        return pvgi_fail(PVG_E_LIMIT, "pvg_dataset_builder_add_released: more than %d",
                         (int)PVGI_PARTS_MAX);
    pvgi_seen *seen = &data->seen[data->seen_count];
    PVGI_TRY(pvgi_guarantee_copy(&seen->guarantee, &release->guarantee));
    seen->role = role;
    seen->object = object;
    data->seen_count++;
    return PVG_OK;
}

int32_t pvgi_network_note_model(pvg_dataset *data, const pvg_model *model) {
    if (model->seen_count > PVGI_PARTS_MAX - data->seen_count)
        return pvgi_fail(PVG_E_LIMIT, "pvg_dataset_builder_add_seen: more than %d draws",
                         (int)PVGI_PARTS_MAX);
    for (int32_t i = 0; i < model->seen_count; i++) {
        pvgi_seen *seen = &data->seen[data->seen_count];
        PVGI_TRY(pvgi_guarantee_copy(&seen->guarantee, &model->seen[i].guarantee));
        seen->role = model->seen[i].role;
        seen->object = model->seen[i].object;
        data->seen_count++;
    }
    return PVG_OK;
}

void pvgi_network_seen_drop(pvgi_seen *seen, int32_t count) {
    for (int32_t i = 0; i < count; i++) pvgi_guarantee_drop(&seen[i].guarantee);
}

static bool is_among(const pvgi_seen *seen, int32_t count, const pvgi_seen *one) {
    static const uint8_t none[PVGI_ID_BYTES] = {0};
    if (memcmp(one->guarantee.id, none, PVGI_ID_BYTES) == 0) return false;
    for (int32_t i = 0; i < count; i++)
        if (seen[i].object == one->object &&
            memcmp(seen[i].guarantee.id, one->guarantee.id, PVGI_ID_BYTES) == 0)
            return true;
    return false;
}

int32_t pvgi_network_seen_join(pvgi_seen **seen, int32_t *count, const pvgi_seen *more,
                               int32_t more_count) {
    if (more_count == 0) return PVG_OK;
    if (*count + more_count > PVGI_SEEN_MAX)
        return pvgi_fail(PVG_E_LIMIT, "pvg_model: more than %d released parts were seen",
                         (int)PVGI_SEEN_MAX);
    pvgi_seen *larger = pvgi_grow(*seen, (size_t)(*count + more_count), sizeof **seen);
    if (!larger) return pvgi_fail_nomem();
    *seen = larger;
    for (int32_t i = 0; i < more_count; i++) {
        if (is_among(larger, *count, &more[i])) continue;
        pvgi_seen *one = &larger[*count];
        *one = more[i];
        PVGI_TRY(pvgi_guarantee_copy(&one->guarantee, &more[i].guarantee));
        ++*count;
    }
    return PVG_OK;
}

/* --- what it promises ------------------------------------------------------------- */

typedef enum { EDGES = 1, FEATURES = 2, LABELS = 4, EVERYTHING = 7 } hidden;

static hidden hidden_by(int32_t notion) {
    switch ((enum pvg_notion)notion) {
    case PVG_NOTION_EDGE:
    case PVG_NOTION_EDGE_DIRECTED:
    case PVG_NOTION_EDGE_LDP:
    case PVG_NOTION_EDGE_SET_LDP:
    case PVG_NOTION_RELATIONSHIP:
    case PVG_NOTION_SWITCH:
        return EDGES;
    case PVG_NOTION_FEATURE_LDP:
        return FEATURES;
    case PVG_NOTION_LABEL_LDP:
        return LABELS;
    case PVG_NOTION_NODE:
    case PVG_NOTION_NODE_REMOVED:
        break;
    }
    return EVERYTHING; /* what this version does not know hides all */
}

/* What the mechanism of a part may have read: perturbers of graphs and lists read edges,
 * reports of users what they hide; anything else, as states made from edges and features,
 * may have read all. */
static hidden read_by(const pvgi_seen *seen) {
    if (seen->role == PVG_ROLE_GRAPH || seen->role == PVG_ROLE_LISTS) return EDGES;
    if (seen->role == PVGI_ROLE_WEIGHTS) return FEATURES | LABELS;
    const hidden own = hidden_by(seen->guarantee.notion);
    return own == FEATURES || own == LABELS ? own : EVERYTHING;
}

static int32_t add_curve(pvg_guarantee *out, const pvg_guarantee *more) {
    pvg_curve *curve = NULL, *sum = NULL;
    PVGI_TRY(pvgi_guarantee_curve(&curve, more));
    if (!out->joint) {
        out->joint = curve;
        return PVG_OK;
    }
    const int32_t status = pvg_curve_compose(&sum, out->joint, curve);
    pvg_curve_free(curve);
    if (status != PVG_OK) return status;
    pvg_curve_free(out->joint);
    out->joint = sum;
    return PVG_OK;
}

/* Premises of a part, each once. */
static void add_premises(pvg_guarantee *out, const pvg_guarantee *more) {
    for (int32_t i = 0; i < more->premises; i++) {
        bool there = false;
        for (int32_t j = 0; j < out->premises; j++)
            there = there || strcmp(out->premise[j], more->premise[i]) == 0;
        if (!there) pvgi_guarantee_premise(out, "%s", more->premise[i]);
    }
}

int32_t pvgi_network_promise(pvg_guarantee *out, const char *function,
                             const pvgi_seen *seen, int32_t count, int32_t notion,
                             uint64_t object) {
    int32_t status;
    bool loaded = false;
    *out = (pvg_guarantee){.notion = notion,
                           .noise = "that of the releases it was made from",
                           .claim = "learn.postprocessing"};
    for (int32_t i = 0; i < count; i++) {
        const pvg_guarantee *one = &seen[i].guarantee;
        /* rows of objects of their own: whichever it is, it is among them */
        if (seen[i].object != object && !one->separate) continue;
        if (one->separate && one->repeated > 0) {
            status =
                pvgi_fail(PVG_E_PRIVACY,
                          "%s: a release it was made from has an object twice", function);
            goto failed;
        }
        if (!pvg_notion_pays(notion, one->notion)) {
            /* private training never reads edges, though it hides nodes */
            const hidden other = seen[i].role == PVGI_ROLE_WEIGHTS
                                     ? read_by(&seen[i])
                                     : hidden_by(one->notion);
            if ((other & hidden_by(notion)) == 0 &&
                (read_by(&seen[i]) & hidden_by(notion)) == 0) {
                add_premises(out, one);
                continue;
            }
            status = pvgi_fail(
                PVG_E_PRIVACY, "%s: a part released under %s says nothing about %s",
                function, pvg_notion_name(one->notion), pvg_notion_name(notion));
            goto failed;
        }
        if (!pvgi_guarantee_holds(one))
            out->broken = "a release it was made from promises nothing";
        if (one->delta > out->delta) out->delta = one->delta;
        add_premises(out, one);
        loaded = loaded || one->loaded;
        if (pvgi_guarantee_spends(one) || !pvgi_guarantee_holds(one)) {
            status = add_curve(out, one);
            if (status != PVG_OK) goto failed;
        }
    }
    if (loaded)
        pvgi_guarantee_premise(out, "records that were read from files are those of the "
                                    "draws");
    pvgi_guarantee_premise(out, "parts of the data set that were called public are: "
                                "nothing hidden went into them");
    return PVG_OK;
failed:
    pvgi_guarantee_drop(out);
    return status;
}

/* --- predictions ------------------------------------------------------------------ */

int32_t pvgi_network_check_lane(const char *function, const pvg_model *model,
                                const pvg_dataset *data) {
    if (model->saw_private)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the model was trained on private parts; only functions "
                         "ending in _exact answer",
                         function);
    if (data && pvg_dataset_is_private(data))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the dataset has private parts; release them first, or ask "
                         "a function ending in _exact",
                         function);
    return PVG_OK;
}

typedef struct {
    const pvg_model *model;
    const pvg_dataset *data;
    const char *function;
    int32_t kind, notion;
    uint64_t object;
    int64_t columns;
    double *values;
    pvg_guarantee guarantee;
} job;

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    job *j = context;
    pvgi_seen *seen = NULL;
    int32_t count = 0;
    (void)run;
    j->columns = pvgi_network_predict_columns(j->model, j->kind);
    int32_t status =
        pvgi_network_seen_join(&seen, &count, j->model->seen, j->model->seen_count);
    if (status == PVG_OK)
        status =
            pvgi_network_seen_join(&seen, &count, j->data->seen, j->data->seen_count);
    if (status == PVG_OK)
        status = pvgi_network_promise(&j->guarantee, function, seen, count, j->notion,
                                      j->object);
    pvgi_network_seen_drop(seen, count);
    pvgi_free(seen);
    if (status != PVG_OK) return status;
    j->values = pvgi_alloc((size_t)(j->data->outputs * j->columns), sizeof *j->values);
    return j->values ? PVG_OK : pvgi_fail_nomem();
}

static int32_t draw(pvgi_content *out, void *context, const pvgi_stream *call,
                    pvgi_run *run) {
    job *j = context;
    (void)call;
    PVGI_TRY(pvgi_network_predict(j->values, j->model, j->data, j->kind, run));
    out->rows = j->data->outputs;
    out->columns = j->columns;
    out->values = j->values;
    j->values = NULL;
    return PVG_OK;
}

static void drop(void *context) {
    job *j = context;
    pvgi_free(j->values);
    pvgi_guarantee_drop(&j->guarantee);
}

int32_t pvgi_network_release(pvg_release **out, const char *function,
                             const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, int32_t notion, uint64_t object,
                             const pvg_run *run) {
    static const pvgi_row row = {"prediction", prepare, draw, drop};
    job j = {
        .model = model, .data = data, .kind = kind, .notion = notion, .object = object};
    pvg_rng none = {.secure = true}; /* nothing is drawn */
    const pvgi_draw one = {.row = &row, .job = &j, .guarantee = &j.guarantee};
    const pvgi_payer payer = {.rng = &none, .run = run};
    PVGI_TRY(pvgi_network_check_lane(function, model, data));
    return pvgi_release_draw(out, function, &one, &payer);
}
