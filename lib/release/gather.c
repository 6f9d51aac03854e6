/* A release whose rows are in several processes, as one: numbers go to process 0 as the
 * words of sums to which all others add nothing, a bounded number at a time. */
#include "release_internal.h"

#include <string.h>

enum { VALUES_AT_ONCE = 1 << 16 };

/* Values first .. first + own - 1 of all are those of this process. */
static int32_t collect(double *all, const pvg_parts *parts, const pvg_release *release,
                       int64_t columns) {
    const int64_t total = parts->config.order * columns;
    const int64_t first = parts->config.first * columns,
                  end = first + parts->config.own * columns;
    const double *values = release->content.values;
    int64_t *words = pvgi_alloc(VALUES_AT_ONCE, sizeof *words);
    int32_t status = words ? PVG_OK : pvgi_fail_nomem();
    for (int64_t at = 0; at < total && status == PVG_OK; at += VALUES_AT_ONCE) {
        const int64_t count = total - at < VALUES_AT_ONCE ? total - at : VALUES_AT_ONCE;
        const int64_t from = at > first ? at : first;
        const int64_t to = at + count < end ? at + count : end;
        memset(words, 0, (size_t)count * sizeof *words);
        if (from < to)
            memcpy(words + (from - at), values + (from - first),
                   (size_t)(to - from) * sizeof *words);
        status = pvgi_graph_parts_combine(parts, words, count, PVG_COMBINE_SUM);
        if (all && status == PVG_OK) memcpy(all + at, words, (size_t)count * sizeof *all);
    }
    pvgi_free(words);
    return status;
}

/* Only process 0 has room for it. */
static int32_t gather(pvg_release **out, const char *name, const pvg_release *release,
                      const pvg_parts *parts) {
    const pvgi_content *c = &release->content;
    const int64_t rows = release->scattered ? parts->config.order : c->rows;
    uint64_t id[2];
    PVGI_REQUIRE(c->values, "%s: the release holds no numbers", name);
    PVGI_REQUIRE(!release->scattered || c->rows == parts->config.own,
                 "%s: the release has %lld rows, the part %lld nodes", name,
                 (long long)c->rows, (long long)parts->config.own);
    memcpy(id, release->guarantee.id, sizeof id);
    const uint64_t words[] = {id[0], id[1], release->scattered, (uint64_t)c->columns};
    PVGI_TRY(pvgi_graph_parts_same(parts, words, 4, "pvg_release_gather: the draw"));
    pvg_release *made = NULL;
    const size_t cells = pvgi_size_mul((size_t)rows, (size_t)c->columns);
    if (parts->config.process == 0) {
        made = pvgi_alloc_zero(1, sizeof *made);
        if (!made) return pvgi_fail_nomem();
        made->content.rows = rows;
        made->content.columns = c->columns;
        made->content.values = pvgi_alloc(cells, sizeof(double));
        *out = made;
        if (!made->content.values) return pvgi_fail_nomem();
        PVGI_TRY(pvgi_guarantee_copy(&made->guarantee, &release->guarantee));
    }
    if (release->scattered)
        PVGI_TRY(collect(made ? made->content.values : NULL, parts, release, c->columns));
    else if (made)
        memcpy(made->content.values, c->values, cells * sizeof(double));
    if (!made) return PVG_OK;
    made->guarantee.rows = rows;
    made->guarantee.columns = c->columns;
    made->query = release->query ? pvgi_query_share_handle(release->query) : NULL;
    pvgi_release_digest(made->guarantee.digest, &made->content);
    return PVG_OK;
}

int32_t pvgi_release_gather(pvg_release **out, const char *name,
                            const pvg_release *release, const pvg_parts *parts) {
    pvg_release *made = NULL;
    pvgi_graph_parts_begin(parts);
    int32_t status =
        release ? gather(&made, name, release, parts) : pvgi_fail_null(name, "release");
    status = pvgi_graph_parts_finish(parts, status);
    if (status == PVG_OK)
        *out = made;
    else
        pvg_release_free(made);
    return status;
}
