/* Hash map from non-zero 64-bit keys to numbers, linear probing, at most half full. Used
 * while a plan is compiled; keys are public. */
#include "density_internal.h"

#include <string.h>

static size_t place(const pvgi_map *map, uint64_t key) {
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 31)) * 0xD6E8FEB86659FD93u;
    size_t at = (size_t)(hash >> 20) & (map->capacity - 1);
    while (map->keys[at] != 0 && map->keys[at] != key)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

int32_t pvgi_density_map_get(const pvgi_map *map, uint64_t key) {
    if (map->capacity == 0) return -1;
    const size_t at = place(map, key);
    return map->keys[at] == key ? map->values[at] : -1;
}

static int32_t enlarge(pvgi_map *map) {
    pvgi_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64,
                       .used = map->used};
    larger.keys = pvgi_alloc_zero(larger.capacity, sizeof *larger.keys);
    larger.values = pvgi_alloc(larger.capacity, sizeof *larger.values);
    if (!larger.keys || !larger.values) {
        pvgi_density_map_free(&larger);
        return pvgi_fail_nomem();
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->keys[i] == 0) continue;
        const size_t at = place(&larger, map->keys[i]);
        larger.keys[at] = map->keys[i];
        larger.values[at] = map->values[i];
    }
    pvgi_density_map_free(map);
    *map = larger;
    return PVG_OK;
}

int32_t pvgi_density_map_put(pvgi_map *map, uint64_t key, int32_t value) {
    if (2 * (map->used + 1) > map->capacity) PVGI_TRY(enlarge(map));
    const size_t at = place(map, key);
    if (map->keys[at] == 0) map->used++;
    map->keys[at] = key;
    map->values[at] = value;
    return PVG_OK;
}

void pvgi_density_map_free(pvgi_map *map) {
    pvgi_free(map->keys);
    pvgi_free(map->values);
    memset(map, 0, sizeof *map);
}
