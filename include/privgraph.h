/* libprivgraph: private graphs in, publishable things with a true guarantee out.
 *
 * This is the only header a program includes for it. It reads in the order a newcomer
 * needs: base (status, memory, threads), rng (exact noise), graph, io,
 * pattern (what to count), layer (how to pass messages), density (counting),
 * propagate (passing messages), sensitivity (how far one edge moves it), mechanism
 * (noise and its price), guarantee (what is promised), ledger (who pays), perturb
 * (graphs with noise inside), release (the door out), derive (what follows from what
 * came out). Learning and attacks are another library: <privgraph-learn.h>.
 *
 * Conventions that hold everywhere:
 *  - functions that can fail return int32_t, PVG_OK (zero) or a negative PVG_E_*;
 *    pvg_error_message() then says why, for the calling thread;
 *  - on failure *out is NULL and caller buffers are untouched;
 *  - handles are opaque, immutable once built, freed in any order, free(NULL) is fine;
 *  - config structs start with uint32_t size = sizeof(struct), zero means default;
 *  - arguments: outputs, the object that works, what it works on, rng, run.
 */
#ifndef PRIVGRAPH_H
#define PRIVGRAPH_H

#include "privgraph/base.h"

#include "privgraph/rng.h"

#include "privgraph/graph.h"

#include "privgraph/io.h"

#include "privgraph/pattern.h"

#include "privgraph/layer.h"

#include "privgraph/density.h"

#include "privgraph/propagate.h"

#include "privgraph/sensitivity.h"

#include "privgraph/mechanism.h"

#include "privgraph/preview.h"

#include "privgraph/guarantee.h"

#include "privgraph/ledger.h"

#include "privgraph/query.h"

#include "privgraph/release.h"

#include "privgraph/derive.h"

#endif
