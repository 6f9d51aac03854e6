/* Kernels for doubles, for any processor. */
#include "network/kernel/common.h"

#include "network/kernel/double.h"
#define TARGET
#define NAME(x) x##_double_portable
#include "network/kernel/all.inc"

const pvgi_kernels *pvgi_network_double_portable(void) {
    return &kernels_double_portable;
}
