/* Runs a fuzz target over the files of a corpus folder, without libFuzzer. */
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

int main(int count, char **arguments) {
    if (count != 2) return 2;
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
    printf("%d inputs\n", files);
    return files > 0 ? 0 : 1;
}
