/* guarantee: what is promised about something released. Include <privgraph.h>.
 *
 * A pvg_guarantee says what is hidden (notion), how well (curve), and what that rests on
 * (assumptions). A query tells it before anything is drawn, a ledger is charged with it,
 * and the release that comes out lends the same again, with what only the draw can
 * tell. */
#ifndef PRIVGRAPH_GUARANTEE_H
#define PRIVGRAPH_GUARANTEE_H

#include "base.h"
#include "mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "edge-DP undirected", "edge-LDP", ...; NULL if there is no such notion. Since 0.1. */
PRIVGRAPH_API const char *pvg_notion_name(PVG_ENUM(NOTION) int32_t notion);

/* How often a budget of notion `budget` pays for something of `notion`; 0: it may not. A
 * change of `budget` is at most so many changes of `notion`: 1 where the two are the same
 * or `notion` hides more (EDGE pays for NODE and RELATIONSHIP once), 2 where a change
 * takes two steps (EDGE for EDGE_DIRECTED, NODE for NODE_REMOVED). What several steps
 * cost pvg_curve_group tells. Since 0.1. */
PRIVGRAPH_API int64_t pvg_notion_pays(PVG_ENUM(NOTION) int32_t budget,
                                      PVG_ENUM(NOTION) int32_t notion);

/* What is promised. Immutable. Lent ones live as long as their lender. */
typedef struct pvg_guarantee pvg_guarantee;

/* New guarantee in the caller's own words, for something that is drawn by other means, to
 * charge a ledger with: its record says that this library did not draw it. words: what is
 * released and how, one line; NULL: nothing is said. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_state(pvg_guarantee **out,
                                          PVG_ENUM(NOTION) int32_t notion,
                                          const pvg_curve *curve,
                                          PVG_OPT const char *words);

/* New guarantee from the JSON of a record (`length` bytes), which is taken at its word
 * but must agree with itself. PVG_E_FORMAT if it is no record, PVG_E_VERSION if its
 * schema is another. Written again it is the same text. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_parse(pvg_guarantee **out,
                                          PVG_LEN(length) const char *json,
                                          size_t length);

/* Of those that were made new, never of lent ones. NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_guarantee_free(pvg_guarantee *guarantee);

/* PVG_NOTION_*; 0 for NULL. Since 0.1. */
PRIVGRAPH_API PVG_ENUM(NOTION) int32_t
    pvg_guarantee_notion(const pvg_guarantee *guarantee);

/* 1 if it is worth something: 0 for a seeded generator, a published method whose proof
 * does not hold, or NULL. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_guarantee_holds(const pvg_guarantee *guarantee);

/* 1 if the noise came from a seeded generator; 0 before the draw. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_guarantee_seeded(const pvg_guarantee *guarantee);

/* epsilon at any delta in [0, 1); infinite where nothing holds, as at delta 0 for
 * Gaussian noise. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_epsilon(double *out, const pvg_guarantee *guarantee,
                                            double delta);

/* Rows of the numbers that were drawn; 0 before the draw, for graphs, lists and labels,
 * or for NULL. Since 0.1. */
PRIVGRAPH_API int64_t pvg_guarantee_rows(const pvg_guarantee *guarantee);

/* The delta that was asked for; 0 if none was. Since 0.1. */
PRIVGRAPH_API double pvg_guarantee_delta(const pvg_guarantee *guarantee);

/* The guarantee as a new curve, to compose with others. PVG_E_ARGUMENT if what is
 * released moves with nothing private and spends nothing. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_curve(pvg_curve **out,
                                          const pvg_guarantee *guarantee);

/* The same for `size` changes at once, size >= 1, as a new curve: of a guarantee about
 * one edge, what any `size` edges still get. Whether a person with d edges takes part
 * is d changes; what such a person does instead, with at most d edges again, 2 d (and
 * never more than nodes - 1). Nothing is charged. PVG_E_PRIVACY where nothing is
 * proven, or if it rests on a promise about degrees that a graph on the way may break.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_group(pvg_curve **out, const pvg_guarantee *guarantee,
                                          int64_t size);

/* The 128-bit id of the draw, random, by which the same release is known again: copies of
 * a record keep it. PVG_E_ARGUMENT before the draw. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_copy_id(uint64_t *high, uint64_t *low,
                                            const pvg_guarantee *guarantee);

/* What several releases about the same object spend together, as a new curve. A draw that
 * stands there more than once counts once. PVG_E_ARGUMENT if the notion of the first does
 * not pay for that of another. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_compose(pvg_curve **out,
                                            PVG_LEN(count)
                                                const pvg_guarantee **guarantees,
                                            int64_t count);

/* What a column of the numbers is. Of one number; NaN: not told, because there is none or
 * it is private. */
typedef struct pvg_column {
    uint32_t size; /* sizeof(pvg_column) */
    int32_t reserved;
    double low, high; /* of values before noise */
    double grid;      /* values and noise are multiples of it */
    double scale;     /* of the noise, as its law has it; 0: none */
} pvg_column;

/* Columns that are described; 0 for NULL, or if it is not about numbers. Since 0.1. */
PRIVGRAPH_API int64_t pvg_guarantee_columns(const pvg_guarantee *guarantee);

/* Copies what column number `index` is for objects of `order` nodes (0: where that is the
 * same for all) into *out, whose size field the caller sets. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_copy_column(pvg_column *out,
                                                const pvg_guarantee *guarantee,
                                                int64_t index, int64_t order);

/* Its name: unique, "level1", "triangles"; and in which unit, "" if there is nothing to
 * say. (out, capacity, length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_copy_column_name(char *out, size_t capacity,
                                                     size_t *length,
                                                     const pvg_guarantee *guarantee,
                                                     int64_t index);
PRIVGRAPH_API int32_t pvg_guarantee_copy_column_unit(char *out, size_t capacity,
                                                     size_t *length,
                                                     const pvg_guarantee *guarantee,
                                                     int64_t index);

/* Error bars of one row of numbers: before noise the value of column k was between low[k]
 * and high[k], with a probability of at least `confidence` (in (0, 1)) for each column by
 * itself, computed from the law of its noise. That of a query that truncates degrees or
 * rounds is the value after that. order: nodes of the object; 0: as the guarantee says.
 * Where the law tells nothing narrower it is the public range. columns: as many as the
 * row has. Spends nothing. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_interval(PVG_LEN(columns) double *low,
                                             PVG_LEN(columns) double *high,
                                             const pvg_guarantee *guarantee,
                                             PVG_LEN(columns) const double *row,
                                             int64_t columns, int64_t order,
                                             double confidence);

/* The query that it answers, as text; "" if it answers none. (out, capacity, length) as
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_copy_query(char *out, size_t capacity, size_t *length,
                                               const pvg_guarantee *guarantee);

/* New guarantee: what all draws behind it promise together about a notion, each once, and
 * about one object (NULL: whichever it is). A draw that read nothing the notion hides is
 * free; so is one about other objects. PVG_E_PRIVACY if a draw says nothing about the
 * notion, PVG_E_ARGUMENT if none can be about the object. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_about(pvg_guarantee **out,
                                          const pvg_guarantee *guarantee,
                                          PVG_ENUM(NOTION) int32_t notion,
                                          PVG_OPT PVG_LEN(1) const uint64_t *object);

/* Id of the claim in docs/guarantees.md; NULL for NULL. Since 0.1. */
PRIVGRAPH_API const char *pvg_guarantee_claim(const pvg_guarantee *guarantee);

/* The record as JSON (docs/formats.md), and in plain words; (out, capacity, length) as in
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_guarantee_copy_json(char *out, size_t capacity, size_t *length,
                                              const pvg_guarantee *guarantee);
PRIVGRAPH_API int32_t pvg_guarantee_copy_text(char *out, size_t capacity, size_t *length,
                                              const pvg_guarantee *guarantee);

#ifdef __cplusplus
}
#endif

#endif
