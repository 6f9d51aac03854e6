/* An oracle of counts that shares nothing with the engines: every product and sum is a
 * big integer, so nothing overflows and nothing is rounded. */
#ifndef PVGT_GMP_COUNT_H
#define PVGT_GMP_COUNT_H

#include "density_help.h"

#include <gmp.h>

typedef struct {
    int32_t order;
    bool *joined;           /* order x order */
    const uint64_t *weight; /* nodes that each stands for; NULL: itself */
} pvgt_matrix;

/* The caller frees joined. */
pvgt_matrix pvgt_to_matrix(const pvg_graph *graph);
/* Maps of any pattern, in pieces or not. */
void pvgt_count_maps(mpz_t out, const pvgi_small *pattern, const pvgt_matrix *host);

#endif
