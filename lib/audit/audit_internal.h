/* audit, inside. Nothing includes this but audit. */
#ifndef PVGI_AUDIT_H
#define PVGI_AUDIT_H

#include "base/base_internal.h"
#include "privgraph/audit.h"

/* P(Beta(a, b) <= x), the regularised incomplete beta function; a, b > 0, x in [0, 1]. */
double pvgi_audit_beta(double x, double a, double b);
/* One-sided Clopper-Pearson bounds that each miss with probability `miss`, rounded
 * outwards. */
double pvgi_audit_lower(double hits, double trials, double miss);
double pvgi_audit_upper(double hits, double trials, double miss);

int32_t pvgi_audit_judge(pvg_audit_verdict *out, const double *first,
                         const double *second, int64_t runs, double delta,
                         double confidence);
int32_t pvgi_audit_nearest(double *share, const double *released, const double *known,
                           int64_t rows, int64_t columns, int64_t top, pvgi_run *run);

#endif
