/* Runs a fuzz target over the files of a corpus folder, without libFuzzer, and then over
 * inputs drawn from seeds: fuzz_x FOLDER [COUNT [FIRST_SEED]]. PVG_SOAK in the
 * environment makes it a hundred times as many. */
#include "fuzz.h"

#include <dirent.h>

static void replay(const char *path) {
    FILE *file = fopen(path, "rb");
    PVGF_CHECK(file != NULL);
    PVGF_CHECK(fseek(file, 0, SEEK_END) == 0);
    const long bytes = ftell(file);
    PVGF_CHECK(bytes >= 0);
    rewind(file);
    uint8_t *data = malloc(bytes ? (size_t)bytes : 1);
    PVGF_CHECK(fread(data, 1, (size_t)bytes, file) == (size_t)bytes);
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)bytes);
    free(data);
}

/* Splitmix64. */
static uint64_t draw(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void run_seed(uint64_t seed) {
    uint8_t data[2048];
    uint64_t state = seed;
    const size_t bytes = 16 + (size_t)(draw(&state) % (sizeof data - 16));
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)draw(&state);
    char *talks = getenv("PVG_FUZZ_TALK");
    if (talks) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    LLVMFuzzerTestOneInput(data, bytes);
}

int main(int count, char **arguments) {
    if (count < 2 || count > 4) return 2;
    DIR *folder = opendir(arguments[1]);
    if (!folder) {
        perror(arguments[1]);
        return 1;
    }
    int files = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", arguments[1], entry->d_name);
        fprintf(stderr, "%s\n", entry->d_name);
        replay(path);
        files++;
    }
    closedir(folder);
    const uint64_t seeds = count > 2 ? strtoull(arguments[2], NULL, 10) : 0;
    const uint64_t first = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    const uint64_t more = getenv("PVG_SOAK") ? 100 * seeds : seeds;
    for (uint64_t i = 0; i < more; i++) run_seed(first + i);
    printf("%d inputs, %llu seeds\n", files, (unsigned long long)more);
    return files > 0 ? 0 : 1;
}
