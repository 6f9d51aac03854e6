/* network, inside: text to program (text.c), program to tape (tape.c), kernels for both
 * number types and each instruction set (kernel.c, kernel/), training (train.c),
 * datasets (dataset.c), models (model.c). One header for each, all of them here. */
#ifndef PVGI_NETWORK_H
#define PVGI_NETWORK_H

#include "network/dataset.h"
#include "network/model.h"
#include "network/program.h"
#include "network/tape.h"
#include "network/training.h"

#endif
