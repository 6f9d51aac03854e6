/* A folder for the ledger files of each test, with one path in it: defines setUp and
 * tearDown. */
#ifndef PVGT_LEDGER_FOLDER_H
#define PVGT_LEDGER_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

static char folder[64], path[128];

void setUp(void) {
    snprintf(folder, sizeof folder, "/tmp/pvgt-ledger-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ledger", folder);
}

void tearDown(void) {
    unlink(path);
    rmdir(folder);
}

#endif
