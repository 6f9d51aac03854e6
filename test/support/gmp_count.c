/* Counts of any pattern in big integers; see gmp_count.h. Elimination over tables written
 * out in full, in the order of the pattern module. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "gmp_count.h"

#include <stdlib.h>

enum { M = PVGI_PATTERN_ORDER };

pvgt_matrix pvgt_to_matrix(const pvg_graph *graph) {
    pvgt_matrix out = {.order = (int32_t)pvg_graph_order(graph)};
    const size_t n = (size_t)out.order;
    out.joined = calloc(n * n + 1, sizeof *out.joined);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            out.joined[u * n + v] =
                pvg_graph_has_edge(graph, (int64_t)u, (int64_t)v) == 1;
    return out;
}

/* A table over the vertices of scope, lowest first; one entry per map of them. */
typedef struct {
    uint32_t scope;
    size_t size;
    mpz_t *value;
} table;

static table new_table(uint32_t scope, int32_t n) {
    table out = {.scope = scope, .size = 1};
    for (uint32_t s = scope; s; s &= s - 1) out.size *= (size_t)n;
    out.value = malloc(out.size * sizeof *out.value);
    for (size_t i = 0; i < out.size; i++) mpz_init(out.value[i]);
    return out;
}

static void free_table(table *used) {
    for (size_t i = 0; i < used->size; i++) mpz_clear(used->value[i]);
    free(used->value);
}

static mpz_ptr entry(const table *from, const int32_t *image, int32_t n) {
    size_t at = 0;
    for (uint32_t s = from->scope; s; s &= s - 1)
        at = at * (size_t)n + (size_t)image[pvgi_mask_lowest(s)];
    return from->value[at];
}

typedef struct {
    const pvgi_small *pattern;
    const pvgt_matrix *host;
    table table[M + 1];
    int32_t tables;
    uint32_t alive;
    mpz_t product;
} elimination;

/* The product of all edges and tables at v, for one map of v and the scope. */
static bool multiply_at(elimination *all, int32_t v, const int32_t *image) {
    const int32_t n = all->host->order;
    for (uint32_t s = all->pattern->adjacency[v] & all->alive; s; s &= s - 1)
        if (!all->host->joined[image[v] * n + image[pvgi_mask_lowest(s)]]) return false;
    mpz_set_ui(all->product, all->host->weight ? all->host->weight[image[v]] : 1);
    for (int32_t t = 0; t < all->tables; t++) {
        if (!(all->table[t].scope >> v & 1)) continue;
        mpz_mul(all->product, all->product, entry(&all->table[t], image, n));
        if (mpz_sgn(all->product) == 0) return false;
    }
    return true;
}

/* Replaces all tables at v by their sum over the images of v. */
static void eliminate(elimination *all, int32_t v) {
    const int32_t n = all->host->order;
    int32_t image[M] = {0}, kept = 0;
    uint32_t scope = all->pattern->adjacency[v] & all->alive;
    for (int32_t t = 0; t < all->tables; t++)
        if (all->table[t].scope >> v & 1) scope |= all->table[t].scope;
    scope &= ~pvgi_mask_of(v);
    table made = new_table(scope, n);
    for (size_t at = 0; at < made.size; at++) {
        size_t rest = at;
        for (int32_t u = all->pattern->order - 1; u >= 0; u--) {
            if (!(scope >> u & 1)) continue;
            image[u] = (int32_t)(rest % (size_t)n);
            rest /= (size_t)n;
        }
        for (image[v] = 0; image[v] < n; image[v]++)
            if (multiply_at(all, v, image))
                mpz_add(made.value[at], made.value[at], all->product);
    }
    for (int32_t t = 0; t < all->tables; t++) {
        if (all->table[t].scope >> v & 1)
            free_table(&all->table[t]);
        else
            all->table[kept++] = all->table[t];
    }
    all->table[kept] = made;
    all->tables = kept + 1;
    all->alive &= ~pvgi_mask_of(v);
}

/* Any pattern, in pieces or not; a table over no vertex is a factor of the count. */
void pvgt_count_maps(mpz_t out, const pvgi_small *pattern, const pvgt_matrix *host) {
    int32_t width, order[M];
    elimination all = {
        .pattern = pattern, .host = host, .alive = pvgi_mask_first(pattern->order)};
    PVGT_OK(pvgi_pattern_width(&width, order, pattern, "oracle"));
    mpz_init(all.product);
    for (int32_t i = 0; i < pattern->order; i++) eliminate(&all, order[i]);
    mpz_set_ui(out, 1);
    for (int32_t t = 0; t < all.tables; t++) {
        mpz_mul(out, out, all.table[t].value[0]);
        free_table(&all.table[t]);
    }
    mpz_clear(all.product);
}
