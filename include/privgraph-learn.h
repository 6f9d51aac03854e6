/* libprivgraph-learn: what is learned from releases, and what they leak.
 *
 * A library of its own on top of libprivgraph: network (networks from text, trained),
 * learn (read-outs and pipelines on released and public data), audit (does a release
 * hold). Link with privgraph-learn.pc. Statuses, messages, memory and threads are those
 * of <privgraph.h>, which this includes, and so are all conventions.
 *
 * Its ABI is not promised: a program is compiled anew for every version. It works with
 * the libprivgraph of the same build only, and another one is refused when it is loaded.
 */
#ifndef PRIVGRAPH_LEARN_ALL_H
#define PRIVGRAPH_LEARN_ALL_H

#include "privgraph.h"

#include "privgraph/network.h"

#include "privgraph/learn.h"

#include "privgraph/audit.h"

#endif
