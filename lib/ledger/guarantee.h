/* What is promised about something released: notion, price, premises. Mechanisms of
 * perturb and release fill it in from public values; release prints it. */
#ifndef PVGI_GUARANTEE_H
#define PVGI_GUARANTEE_H

#include "ledger/ledger_internal.h"

enum { PVGI_PREMISES_MAX = 6, PVGI_PREMISE_BYTES = 176 };

/* What every release of a graph rests on (docs/guarantees.md, public nodes). */
#define PVGI_PREMISE_NODES                                                               \
    "the nodes and their numbers are public: the same in every world, not made from "    \
    "edges"

/* Text fields are constants. */
typedef struct {
    int32_t notion;       /* PVG_NOTION_* */
    pvg_curve_term spent; /* kind 0: nothing in the release moves, nothing is spent */
    int32_t also_notion;  /* a second statement about the same release, or 0 */
    pvg_curve_term also;
    double delta; /* asked for; 0 if the target gave a native parameter */
    bool seeded;
    const char *broken;     /* why nothing holds: published methods; else NULL */
    const char *noise;      /* law of the noise, in words */
    const char *allocation; /* how noise is shared, or NULL */
    double sensitivity;     /* used for the noise, 0: see scale of each coordinate */
    double scale;           /* of the noise, 0: not one number */
    int64_t order;          /* nodes of each private object; 0: not the same for all */
    const char *claim;      /* id in docs/guarantees.md */
    int32_t premises;
    char premise[PVGI_PREMISES_MAX][PVGI_PREMISE_BYTES];
} pvgi_guarantee;

/* Adds a premise, in words. One that does not fit breaks the guarantee: better none than
 * one that hides what it rests on. */
void pvgi_ledger_premise(pvgi_guarantee *guarantee, const char *format, ...)
    PVGI_PRINTF(2, 3);

/* False for a seeded generator or a published method whose proof does not hold. */
bool pvgi_ledger_guarantee_holds(const pvgi_guarantee *guarantee);
/* False if nothing in the release moves with the private object. */
bool pvgi_ledger_guarantee_spends(const pvgi_guarantee *guarantee);
/* epsilon at delta, up; infinite where nothing holds. */
double pvgi_ledger_guarantee_epsilon(const pvgi_guarantee *guarantee, double delta);
/* What is spent, as a new curve; only if something is. */
int32_t pvgi_ledger_guarantee_curve(pvg_curve **out, const pvgi_guarantee *guarantee);
/* Charges it to `count` objects; does nothing without a ledger or if nothing is spent. */
int32_t pvgi_ledger_guarantee_pay(const pvgi_guarantee *guarantee, pvg_ledger *ledger,
                                  const uint64_t *objects, int64_t count);
/* The record as JSON fields without braces, and in words. */
void pvgi_ledger_guarantee_json(pvgi_text *text, const pvgi_guarantee *guarantee);
void pvgi_ledger_guarantee_words(pvgi_text *text, const pvgi_guarantee *guarantee);

#endif
