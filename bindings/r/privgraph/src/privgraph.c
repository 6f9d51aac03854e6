/* .Call on the C library. Every function returns list(status, message, value): R signals
 * the condition (R/privgraph.R), so that nothing of C is left open by a jump. */
#include <privgraph.h>

#include <R.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>
#include <limits.h>
#include <string.h>

/* --- results ------------------------------------------------------------------------ */

static SEXP answer(int32_t status, SEXP value) {
    const char *names[] = {"status", "message", "value", ""};
    PROTECT(value);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_mkString(pvg_status_name(status)));
    SET_VECTOR_ELT(out, 1, Rf_mkString(status == PVG_OK ? "" : pvg_error_message()));
    SET_VECTOR_ELT(out, 2, value);
    UNPROTECT(2);
    return out;
}

/* A text by (out, capacity, length). */
#define TEXT(out, status, ...)                                                           \
    do {                                                                                 \
        size_t length = 0;                                                               \
        (status) = __VA_ARGS__(NULL, 0, &length);                                        \
        if ((status) == PVG_OK) {                                                        \
            (out) = R_alloc(length + 1, 1);                                              \
            (status) = __VA_ARGS__((out), length + 1, &length);                          \
        }                                                                                \
    } while (0)

/* --- handles ------------------------------------------------------------------------ */

static void free_graph(SEXP handle) {
    pvg_graph_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}
static void free_ledger(SEXP handle) {
    pvg_ledger_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}
static void free_query(SEXP handle) {
    pvg_query_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}
static void free_release(SEXP handle) {
    pvg_release_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

/* An empty handle first: what C makes afterwards is freed whatever happens. */
static SEXP handle_new(const char *kind, R_CFinalizer_t finalizer) {
    SEXP out = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), R_NilValue));
    R_RegisterCFinalizerEx(out, finalizer, TRUE);
    UNPROTECT(1);
    return out;
}

/* What a handle holds; one that was saved or closed is empty. */
static void *held(SEXP handle, const char *kind) {
    if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(kind))
        Rf_error("not a %s", kind);
    void *out = R_ExternalPtrAddr(handle);
    if (!out) Rf_error("the %s is closed, or is from another session of R", kind);
    return out;
}

/* --- long calls --------------------------------------------------------------------- */

static void look(void *unused) {
    (void)unused;
    R_CheckUserInterrupt();
}

/* Ctrl-C cancels; nothing is half done. */
static int32_t progress(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return R_ToplevelExec(look, NULL) == FALSE;
}

static pvg_run running(SEXP threads) {
    pvg_run run = {.size = sizeof run, .progress = progress};
    run.threads = (uint32_t)Rf_asInteger(threads);
    return run;
}

/* --- graphs ------------------------------------------------------------------------- */

/* from, to: nodes from 0, as doubles; untold: they were made from the edges. */
static SEXP pvgr_graph(SEXP order, SEXP from, SEXP to, SEXP merge, SEXP untold,
                       SEXP threads) {
    const R_xlen_t count = XLENGTH(from);
    int64_t *ends = (int64_t *)R_alloc((size_t)count * 2 + 1, sizeof *ends);
    for (R_xlen_t i = 0; i < count; i++) {
        ends[i] = (int64_t)REAL(from)[i];
        ends[count + i] = (int64_t)REAL(to)[i];
    }
    uint32_t policy = Rf_asLogical(merge) ? PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS : 0;
    if (Rf_asLogical(untold) != FALSE) policy |= PVG_EDGES_INFERRED;
    SEXP handle = PROTECT(handle_new("graph", free_graph));
    const pvg_run run = running(threads);
    pvg_graph *graph = NULL;
    const int32_t status =
        pvg_graph_from_edges(&graph, (int64_t)Rf_asReal(order), ends, ends + count,
                             (int64_t)count, policy, &run);
    R_SetExternalPtrAddr(handle, graph);
    memset(ends, 0, ((size_t)count * 2 + 1) * sizeof *ends);
    SEXP out = answer(status, handle);
    UNPROTECT(1);
    return out;
}

static SEXP pvgr_graph_sizes(SEXP handle) {
    const pvg_graph *graph = held(handle, "graph");
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    REAL(out)[0] = (double)pvg_graph_order(graph);
    REAL(out)[1] = pvg_graph_order_declared(graph);
    UNPROTECT(1);
    return out;
}

static SEXP edges_of(const pvg_graph *graph) {
    const int64_t count = pvg_graph_size(graph);
    int64_t *from = (int64_t *)R_alloc((size_t)count * 2 + 1, sizeof *from);
    const int32_t status = pvg_graph_copy_edges(from, from + count, graph);
    if (status != PVG_OK) return answer(status, R_NilValue);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)(2 * count)));
    for (int64_t i = 0; i < 2 * count; i++) REAL(out)[i] = (double)(from[i] + 1);
    SEXP done = answer(status, out);
    UNPROTECT(1);
    return done;
}

/* --- ledgers ------------------------------------------------------------------------ */

/* path: NULL for one in memory; epsilon: NA opens the one that is there. */
static SEXP pvgr_ledger(SEXP path, SEXP notion, SEXP epsilon, SEXP delta, SEXP objects) {
    SEXP handle = PROTECT(handle_new("ledger", free_ledger));
    pvg_ledger *ledger = NULL;
    int64_t number = 0;
    pvg_ledger_config config = {.size = sizeof config};
    int32_t status = pvg_constant_value(&number, CHAR(STRING_ELT(notion, 0)));
    config.notion = (int32_t)number;
    config.epsilon = Rf_asReal(epsilon);
    config.delta = Rf_asReal(delta);
    config.objects = Rf_isNull(objects) ? NULL : CHAR(STRING_ELT(objects, 0));
    const char *file =
        Rf_isNull(path) ? NULL : R_ExpandFileName(CHAR(STRING_ELT(path, 0)));
    if (status == PVG_OK)
        status = !file ? pvg_ledger_new(&ledger, &config)
                 : ISNAN(Rf_asReal(epsilon))
                     ? pvg_ledger_open(&ledger, file)
                     : pvg_ledger_open_or_create(&ledger, file, &config);
    R_SetExternalPtrAddr(handle, ledger);
    SEXP out = answer(status, handle);
    UNPROTECT(1);
    return out;
}

static SEXP pvgr_ledger_close(SEXP handle) {
    if (TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install("ledger"))
        free_ledger(handle);
    return R_NilValue;
}

/* c(spent, epsilon, delta) of an object; the spent one at the ledger's delta. */
static SEXP pvgr_ledger_spent(SEXP handle, SEXP object) {
    pvg_ledger *ledger = held(handle, "ledger");
    pvg_ledger_config config = {.size = sizeof config};
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 3));
    int32_t status = pvg_ledger_copy_config(&config, ledger);
    if (status == PVG_OK)
        status = pvg_ledger_spent(REAL(out), ledger,
                                  pvg_ledger_object(CHAR(STRING_ELT(object, 0))),
                                  config.delta);
    REAL(out)[1] = config.epsilon;
    REAL(out)[2] = config.delta;
    SEXP done = answer(status, out);
    UNPROTECT(1);
    return done;
}

/* --- queries ------------------------------------------------------------------------ */

static SEXP pvgr_query(SEXP text) {
    SEXP handle = PROTECT(handle_new("query", free_query));
    pvg_query *query = NULL;
    const int32_t status =
        pvg_query_new(&query, CHAR(STRING_ELT(text, 0)), NULL, NULL, NULL);
    R_SetExternalPtrAddr(handle, query);
    SEXP out = answer(status, handle);
    UNPROTECT(1);
    return out;
}

static const pvg_query *asked;
static int32_t copy_query(char *out, size_t capacity, size_t *length) {
    return pvg_query_copy_text(out, capacity, length, asked);
}

static SEXP pvgr_query_text(SEXP handle) {
    char *text = "";
    int32_t status;
    asked = held(handle, "query");
    TEXT(text, status, copy_query);
    return answer(status, Rf_mkString(text));
}

static SEXP pvgr_kinds(void) {
    char *text = "";
    int32_t status;
    TEXT(text, status, pvg_query_copy_kinds);
    return answer(status, Rf_mkString(text));
}

/* --- releases ----------------------------------------------------------------------- */

static SEXP pvgr_draw(SEXP query, SEXP graph, SEXP object, SEXP ledger, SEXP threads) {
    pvg_input input = {.size = sizeof input};
    input.graph = held(graph, "graph");
    input.object = Rf_isNull(object) ? NULL : CHAR(STRING_ELT(object, 0));
    const pvg_query *question = held(query, "query");
    pvg_ledger *payer = Rf_isNull(ledger) ? NULL : held(ledger, "ledger");
    SEXP handle = PROTECT(handle_new("release", free_release));
    const pvg_run run = running(threads);
    pvg_release *release = NULL;
    int32_t status = PVG_OK;
    if (payer && input.object) status = pvg_ledger_name(payer, input.object, 1);
    if (status == PVG_OK)
        status = pvg_release_draw(&release, question, &input, NULL, payer, &run);
    R_SetExternalPtrAddr(handle, release);
    SEXP out = answer(status, handle);
    UNPROTECT(1);
    return out;
}

/* list(values, low, high): row by row; NULL if it holds no numbers. */
static SEXP pvgr_release_values(SEXP handle, SEXP confidence) {
    const pvg_release *release = held(handle, "release");
    const char *names[] = {"values", "low", "high", "rows", ""};
    const double *values = NULL;
    if (!(pvg_release_holds(release) & PVG_HOLDS_NUMBERS))
        return answer(PVG_OK, R_NilValue);
    int32_t status = pvg_release_view(&values, release);
    const int64_t rows = pvg_release_rows(release),
                  columns = pvg_release_columns(release);
    const R_xlen_t count = (R_xlen_t)(rows * columns);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 3; i++) SET_VECTOR_ELT(out, i, Rf_allocVector(REALSXP, count));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal((double)rows));
    if (status == PVG_OK && count > 0) {
        memcpy(REAL(VECTOR_ELT(out, 0)), values, (size_t)count * sizeof *values);
        status = pvg_release_interval(REAL(VECTOR_ELT(out, 1)), REAL(VECTOR_ELT(out, 2)),
                                      release, NULL, Rf_asReal(confidence));
    }
    SEXP done = answer(status, out);
    UNPROTECT(1);
    return done;
}

static const pvg_guarantee *promise;
static int64_t column;
static int32_t copy_name(char *out, size_t capacity, size_t *length) {
    return pvg_guarantee_copy_column_name(out, capacity, length, promise, column);
}
static int32_t copy_words(char *out, size_t capacity, size_t *length) {
    return pvg_guarantee_copy_text(out, capacity, length, promise);
}
static int32_t copy_record(char *out, size_t capacity, size_t *length) {
    return pvg_guarantee_copy_json(out, capacity, length, promise);
}

static SEXP pvgr_release_names(SEXP handle) {
    promise = pvg_release_guarantee(held(handle, "release"));
    const int64_t count = pvg_guarantee_columns(promise);
    SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    int32_t status = PVG_OK;
    for (column = 0; column < count && status == PVG_OK; column++) {
        char *text = "";
        TEXT(text, status, copy_name);
        SET_STRING_ELT(out, (R_xlen_t)column, Rf_mkCharCE(text, CE_UTF8));
    }
    SEXP done = answer(status, out);
    UNPROTECT(1);
    return done;
}

static SEXP pvgr_release_promise(SEXP handle, SEXP as_json) {
    char *text = "";
    int32_t status;
    promise = pvg_release_guarantee(held(handle, "release"));
    if (Rf_asLogical(as_json) == TRUE)
        TEXT(text, status, copy_record);
    else
        TEXT(text, status, copy_words);
    return answer(status, Rf_mkString(text));
}

static SEXP pvgr_release_edges(SEXP handle) {
    const pvg_release *release = held(handle, "release");
    const pvg_graph *graph = NULL;
    const int32_t status = pvg_release_view_graph(&graph, release);
    return status == PVG_OK ? edges_of(graph) : answer(status, R_NilValue);
}

static SEXP pvgr_version(void) {
    return Rf_mkString(pvg_version_string());
}

/* --- registration ------------------------------------------------------------------- */

#define ROW(name, count)                                                                 \
    { #name, (DL_FUNC)&name, count }
static const R_CallMethodDef calls[] = {
    ROW(pvgr_graph, 6),          ROW(pvgr_graph_sizes, 1),   ROW(pvgr_ledger, 5),
    ROW(pvgr_ledger_close, 1),   ROW(pvgr_ledger_spent, 2),  ROW(pvgr_query, 1),
    ROW(pvgr_query_text, 1),     ROW(pvgr_kinds, 0),         ROW(pvgr_draw, 5),
    ROW(pvgr_release_values, 2), ROW(pvgr_release_names, 1), ROW(pvgr_release_promise, 2),
    ROW(pvgr_release_edges, 1),  ROW(pvgr_version, 0),       {NULL, NULL, 0},
};

void R_init_privgraph(DllInfo *info) {
    R_registerRoutines(info, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
}
