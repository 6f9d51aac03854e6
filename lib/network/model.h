/* Models: what they have seen, training, predictions, moved rows, weights as layers,
 * files. */
#ifndef PVGI_NETWORK_MODEL_H
#define PVGI_NETWORK_MODEL_H

#include "network/dataset.h"
#include "network/program.h"
#include "release/release_internal.h"
#include "rng/rng_internal.h"

/* --- what was seen (seen.c) ------------------------------------------------------- */

/* Notes that a release went into a dataset. */
int32_t pvgi_network_note(pvg_dataset *data, const pvg_release *release);
/* And all that a model has seen. */
int32_t pvgi_network_note_model(pvg_dataset *data, const pvg_model *model);
/* pvgi_guarantee_about, with what models assume. */
int32_t pvgi_network_promise(pvg_guarantee *out, const char *function,
                             pvgi_provenance *sources, int32_t notion,
                             const uint64_t *object);
/* PVG_E_PRIVACY if a private part is in the model or in the dataset. */
int32_t pvgi_network_check_private(const char *function, const pvg_model *model,
                                   const pvg_dataset *data);
int32_t pvgi_network_release(pvg_release **out, const char *function,
                             const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, int32_t notion, const uint64_t *object,
                             const pvg_run *run);

/* --- training and models (train.c, model.c) -------------------------------------- */

typedef struct {
    double train_loss, loss, accuracy; /* loss, accuracy: validation; NaN without */
    int64_t epoch;
} pvgi_history;

struct pvg_model {
    PVGI_HANDLE;
    pvg_network *network; /* own copy */
    pvg_training_config config;
    int64_t member_count; /* averages x folds */
    double *weights;      /* member_count x parameters */
    int64_t order;        /* of the dataset it was trained on */
    int8_t *folds;        /* outputs of it: fold of each trained row, -1; NULL: none */
    double temperature;
    pvgi_history *history; /* of the first member */
    int64_t history_count;
    bool saw_private;
    bool loaded;              /* from a file, taken at its word */
    pvgi_provenance *sources; /* draws behind it; its own, if it has one, is the last */
};

/* Fills in defaults and checks what does not depend on a dataset. */
/* The second for one that was made here. */
int32_t pvgi_network_read_config(pvg_training_config *out, const char *name,
                                 const pvg_training_config *config);
int32_t pvgi_network_check_config(pvg_training_config *config);
/* Draws weights as training begins with them. */
void pvgi_network_draw_weights(double *out, const pvgi_program *program,
                               pvgi_stream *stream);
int32_t pvgi_network_train(pvg_model **out, const pvg_network *network,
                           const pvg_dataset *data, const pvg_training_config *config,
                           const pvg_model *start, pvg_rng *rng, pvgi_run *run);
/* Adds what batches hold. */
int32_t pvgi_network_batch_bytes(size_t *bytes, const pvg_network *network,
                                 const pvg_dataset *data,
                                 const pvg_training_config *config);
int64_t pvgi_network_predict_columns(const pvg_model *model, int32_t kind);
int32_t pvgi_network_predict(double *out, const pvg_model *model, const pvg_dataset *data,
                             int32_t kind, pvgi_run *run);
int32_t pvgi_network_score(double *accuracy, double *loss, const pvg_model *model,
                           const pvg_dataset *data, int32_t part, pvgi_run *run);
int32_t pvgi_network_gradient(double *features, double *arcs, const pvg_model *model,
                              const pvg_dataset *data, int64_t row, int64_t column,
                              pvgi_run *run);
/* Row of sums over `count` members to what is asked for; row is used up. */
void pvgi_network_finish_row(double *out, double *row, double count,
                             const pvg_model *model, int32_t kind);
void pvgi_network_model_free(pvg_model *model);
int32_t pvgi_network_copy(pvg_network **out, const pvg_network *network);

/* --- one row of features moved (incremental.c) ------------------------------------ */

/* A kept forward pass in doubles of a single model. */
typedef struct pvgi_incremental pvgi_incremental;
/* Whether there is such a thing: one member, rows are nodes, no mean over all rows. */
bool pvgi_network_incremental_fits(const pvg_model *model, const pvg_dataset *data);
int32_t pvgi_network_incremental_new(pvgi_incremental **out, const pvg_model *model,
                                     const pvg_dataset *data, pvgi_run *run);
void pvgi_network_incremental_free(pvgi_incremental *ball);
/* Features of a node times a factor; of the clean pass, whatever moved before. */
void pvgi_network_incremental_move(pvgi_incremental *ball, int64_t node, double factor);
void pvgi_network_incremental_back(pvgi_incremental *ball);
/* Logits of a row, moved or clean. */
void pvgi_network_incremental_read(double *out, const pvgi_incremental *ball, int64_t row,
                                   bool clean);

/* --- weights as layers (layers.c) --------------------------------------------------- */

int32_t pvgi_network_layers(pvg_layers **out, const char *function,
                            const pvg_layers_config *config, const pvg_model *model);

/* --- model files (store.c) -------------------------------------------------------- */

int32_t pvgi_network_save(const char *path, const pvg_model *model);
int32_t pvgi_network_load(pvg_model **out, const char *path);
/* From the bytes of a file. */
int32_t pvgi_network_read(pvg_model **out, const uint8_t *bytes, size_t count);
void pvgi_network_seen_json(pvgi_text *text, const pvg_model *model);

#endif
