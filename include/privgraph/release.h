/* release: the only door out. Include <privgraph.h>.
 *
 * A pvg_release holds numbers that may be published and the guarantee under which they
 * were made. Here the private side (graphs, exact densities) meets the public one
 * (sensitivities, noise); nowhere else. */
#ifndef PRIVGRAPH_RELEASE_H
#define PRIVGRAPH_RELEASE_H

#include "base.h"
#include "graph.h"
#include "guarantee.h"
#include "layer.h"
#include "ledger.h"
#include "mechanism.h"
#include "query.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- releases ---------------------------------------------------------------------- */

/* Numbers, a graph, lists or labels, and their guarantee. Immutable.
 *
 * The nodes and their numbers are public in all of them: the same in every world, not
 * made from edges (graph.h). A graph whose nodes were read off its edges
 * (pvg_graph_order_declared) is refused with PVG_E_UNDECLARED, before a ledger pays. So
 * are hidden features whose number of columns was read off them (io.h). */

/* --- drawing ----------------------------------------------------------------------- */

/* Answers a query. In this order: inputs are checked, all memory of public size is taken,
 * the ledger pays (all objects or none), private values are read. rng NULL: secure; a
 * seeded one only if the target allows it. The release knows its objects for ever;
 * without a name or number it may be about any. A charge stays. Does not depend on
 * run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw(pvg_release **out, const pvg_query *query,
                                       const pvg_input *input, PVG_OPT pvg_rng *rng,
                                       PVG_OPT pvg_ledger *ledger, const pvg_run *run);

/* The common case: query and budget as text. Where noise is above the range of every
 * column the log is warned. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_text(pvg_release **out, const char *text,
                                            const pvg_input *input,
                                            PVG_OPT pvg_ledger *ledger,
                                            const pvg_run *run);

/* --- several draws, one payment ---------------------------------------------------- */

/* Draws that are paid before the first; later queries may be chosen in view of earlier
 * outcomes. Mutable, one thread at a time. */
typedef struct pvg_composition pvg_composition;

/* An empty one. Since 0.1. */
PRIVGRAPH_API int32_t pvg_composition_new(pvg_composition **out);

/* Sets `times` draws of that guarantee aside; of input only sizes and objects are looked
 * at. Ledgers may differ, one for each notion. *place: for pvg_composition_draw. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_composition_add(int64_t *place, pvg_composition *composition,
                                          const pvg_query *query, const pvg_input *input,
                                          int64_t times, PVG_OPT pvg_ledger *ledger);

/* New guarantee of all of it together, about a notion. Since 0.1. */
PRIVGRAPH_API int32_t pvg_composition_guarantee(pvg_guarantee **out,
                                                const pvg_composition *composition,
                                                PVG_ENUM(NOTION) int32_t notion);

/* All ledgers pay or none. Once; nothing can be added afterwards. Since 0.1. */
PRIVGRAPH_API int32_t pvg_composition_pay(pvg_composition *composition);

/* Draws at a place. query NULL: the one added; another one must promise as much, term by
 * term (PVG_E_PRIVACY). What fails before private values are read leaves the place.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_composition_draw(pvg_release **out,
                                           pvg_composition *composition, int64_t place,
                                           PVG_OPT const pvg_query *query,
                                           const pvg_input *input, PVG_OPT pvg_rng *rng,
                                           const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_composition_free(pvg_composition *composition);

/* --- what came out ----------------------------------------------------------------- */

/* Numbers made from releases and public numbers, by the host: nothing is paid. The
 * guarantee composes the draws behind the sources, each once. words: how, one line.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_derive(pvg_release **out,
                                         PVG_LEN(rows, columns) const double *values,
                                         int64_t rows, int64_t columns,
                                         PVG_LEN(count) const pvg_release **sources,
                                         int64_t count, const char *words);

/* New layers (layer.h) whose weights are the numbers of a release: config->depth square
 * matrices one below the other, as many columns as each has rows. They carry the draws
 * behind it: a query with these layers composes them with its own curve, whatever object
 * they were about, and is PVG_E_PRIVACY if they say nothing about its notion. A ledger is
 * charged for both, but not for draws that it has charged to the object before. Models:
 * pvg_layers_from_model. Since 0.1. */
PRIVGRAPH_API int32_t pvg_layers_from_release(pvg_layers **out,
                                              PVG_OPT const pvg_layers_config *config,
                                              const pvg_release *release);

/* New release of part number `part` of a joined one: the same draw. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_select(pvg_release **out, const pvg_release *release,
                                         int64_t part);

/* Numbers that processes drew together from parts of a graph (pvg_input.parts), as one
 * release: all processes call it with what each was given. *out: of all rows in process
 * 0, which needs memory for them, NULL in the others. The same draw; only rows and
 * digest of the record are those of the whole. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_gather(pvg_release **out, const pvg_release *release,
                                         const pvg_parts *parts);

/* --- one query, asked in several processes ----------------------------------------- */

/* Pays for a query about `count` graphs, which other processes will draw: for each its
 * public number of nodes and its object, all different. All objects pay or none. *out:
 * new guarantee, of all rows together, for pvg_release_stack. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_pay(pvg_guarantee **out, const pvg_query *query,
                                      PVG_LEN(count) const int64_t *orders,
                                      PVG_LEN(count) const uint64_t *objects,
                                      int64_t count, PVG_OPT pvg_ledger *ledger);

/* New release of the rows of draws, which were made elsewhere without a ledger: about the
 * objects that were paid for, in that order (pvg_input.objects), each of them once.
 * PVG_E_PRIVACY if they are others, or promise less. A second draw about the same objects
 * is one too many: who has two, after a process failed and was asked again, keeps one and
 * drops the other unseen. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_stack(pvg_release **out, const pvg_guarantee *paid,
                                        PVG_LEN(count) const pvg_release **parts,
                                        int64_t count);

/* PVG_HOLDS_*; 0 for NULL. Since 0.1. */
PRIVGRAPH_API PVG_FLAGS(HOLDS) uint32_t pvg_release_holds(const pvg_release *release);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_release_free(pvg_release *release);

/* Shape of the numbers; 0 for NULL or if there are none. Since 0.1. */
PRIVGRAPH_API int64_t pvg_release_rows(const pvg_release *release);
PRIVGRAPH_API int64_t pvg_release_columns(const pvg_release *release);

/* Lends the numbers, row by row; PVG_E_ARGUMENT if the release holds something else. What
 * is lent lives as long as the release. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view(PVG_LEN(rows, columns) const double **values,
                                       const pvg_release *release);

/* Error bars (pvg_guarantee_interval) of all numbers, row by row. orders: nodes of the
 * graph of each row, of a set of graphs of different orders; else NULL. PVG_E_ARGUMENT if
 * the release holds something else. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_interval(PVG_LEN(rows, columns) double *low,
                                           PVG_LEN(rows, columns) double *high,
                                           const pvg_release *release,
                                           PVG_OPT PVG_LEN(rows) const int64_t *orders,
                                           double confidence);

/* Lends the graph: what was released is all of it, and it may be used as any graph. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_graph(const pvg_graph **graph,
                                             const pvg_release *release);

/* Lends the graphs of a set, in its order. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_graphs(const pvg_graphset **set,
                                              const pvg_release *release);

/* Lends the lists of *count users, those of a set one graph after the other, with numbers
 * within the graph as entries: that of user i is targets[offsets[i] ..
 * offsets[i + 1] - 1], ascending, an entry may repeat. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_lists(PVG_LEN(*count + 1) const int64_t **offsets,
                                             PVG_LEN((*offsets)[*count])
                                                 const int32_t **targets,
                                             int64_t *count, const pvg_release *release);

/* Lends the labels of *count users. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_labels(PVG_LEN(*count) const int32_t **labels,
                                              int64_t *count, const pvg_release *release);

/* Lends the sparse features of a query that asked for them: differences to the middle of
 * the range of each column. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_features(const pvg_features **features,
                                                const pvg_release *release);

/* Lends the guarantee under which it was drawn: that of the query, and what the draw
 * adds. NULL for NULL. Since 0.1. */
PRIVGRAPH_API const pvg_guarantee *pvg_release_guarantee(const pvg_release *release);

/* Values that are said to be those of a release: what it holds, the rest NULL. */
typedef struct pvg_released {
    uint32_t size; /* sizeof(pvg_released) */
    uint32_t reserved;
    int64_t rows, columns; /* of values */
    const double *values;
    const pvg_graph *graph;
    const pvg_graphset *set;
    const pvg_features *features;
    const pvg_labels *labels;
    int64_t users; /* of lists, as pvg_release_view_lists lends them */
    const int64_t *offsets;
    const int32_t *targets;
} pvg_released;

/* *out = 1 if these are the values that were drawn under the guarantee, bit by bit, as
 * its digest tells; else 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_verify(int32_t *out, const pvg_guarantee *guarantee,
                                         const pvg_released *values);

/* Writes values and record as one file (docs/guide/formats.md), which appears complete or
 * not at all. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_save(const char *path, const pvg_release *release);

/* Reads such a file. PVG_E_FORMAT if it is damaged or values and record do not belong
 * together, PVG_E_VERSION if the record has another schema. The record is taken at its
 * word: who can write the file can write anything. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_load(pvg_release **out, const char *path);

/* 1 if the release was loaded, 0 if it was drawn here or for NULL. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_release_loaded(const pvg_release *release);

#ifdef __cplusplus
}
#endif

#endif
