/* Kernels for floats, for any processor. */
#include "network/kernel/common.h"

#include "network/kernel/float.h"
#define TARGET
#define NAME(x) x##_float_portable
#include "network/kernel/all.inc"

const pvgi_kernels *pvgi_network_float_portable(void) {
    return &kernels_float_portable;
}
