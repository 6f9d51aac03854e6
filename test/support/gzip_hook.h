/* The load hook of pvg_io_options over zlib: PATH.gz if it exists, else PATH, unpacked.
 */
#ifndef PVGT_GZIP_HOOK_H
#define PVGT_GZIP_HOOK_H

#include <privgraph.h>

/* Sets load, unload and load_context of options. */
void pvgt_gzip_hook(pvg_io_options *options);

#endif
