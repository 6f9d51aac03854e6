/* What a model has seen, and what that promises.
 *
 * Released parts are draws of mechanisms; a prediction that reads nothing else is
 * post-processing of all of them together (guarantee/provenance.c). */
#include "network_internal.h"

int32_t pvgi_network_note(pvg_dataset *data, const pvg_release *release) {
    return pvgi_guarantee_sources_add(&data->sources, &release->guarantee);
}

int32_t pvgi_network_note_model(pvg_dataset *data, const pvg_model *model) {
    return pvgi_guarantee_sources_join(&data->sources, model->sources);
}

int32_t pvgi_network_promise(pvg_guarantee *out, const char *function,
                             pvgi_provenance *sources, int32_t notion,
                             const uint64_t *object) {
    PVGI_TRY(pvgi_guarantee_about(out, function, sources, notion, object));
    pvgi_guarantee_assumption(out, "parts of the data set that were called public are: "
                                   "nothing hidden went into them");
    return PVG_OK;
}

/* --- predictions ------------------------------------------------------------------ */

int32_t pvgi_network_check_private(const char *function, const pvg_model *model,
                                   const pvg_dataset *data) {
    if (model->saw_private)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the model was trained on private parts; only functions "
                         "ending in _exact answer",
                         function);
    if (data && pvg_dataset_holds_secrets(data))
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
    const uint64_t *object;
    int64_t columns;
    double *values;
    pvg_guarantee guarantee;
} job;

static int32_t prepare(void *context, pvgi_run *run, const char *function) {
    job *j = context;
    pvgi_provenance *sources = NULL;
    (void)run;
    j->columns = pvgi_network_predict_columns(j->model, j->kind);
    int32_t status = pvgi_guarantee_sources_join(&sources, j->model->sources);
    if (status == PVG_OK)
        status = pvgi_guarantee_sources_join(&sources, j->data->sources);
    if (status == PVG_OK)
        status =
            pvgi_network_promise(&j->guarantee, function, sources, j->notion, j->object);
    pvgi_guarantee_sources_drop(sources);
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
                             int32_t kind, int32_t notion, const uint64_t *object,
                             const pvg_run *run) {
    static const pvgi_row row = {
        .kind = "prediction", .prepare = prepare, .draw = draw, .drop = drop};
    job j = {
        .model = model, .data = data, .kind = kind, .notion = notion, .object = object};
    pvg_rng none = {.secure = true}; /* nothing is drawn */
    const pvgi_draw one = {.row = &row,
                           .job = &j,
                           .guarantee = &j.guarantee,
                           .notion = notion,
                           .reads = PVGI_PART_TOLD}; /* nothing hidden by itself */
    const pvgi_payer payer = {.rng = &none, .run = run};
    PVGI_TRY(pvgi_network_check_private(function, model, data));
    return pvgi_release_draw(out, function, &one, &payer);
}
