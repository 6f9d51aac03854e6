/* Counts of trees modulo 2^64, and what they are if doubles tell about how large.
 *
 * The same loops as for doubles on integers that wrap around: sums and products commute
 * with taking residues. A count N known up to |N - x| <= 2^62 and modulo 2^64 is known:
 * N = x + d with d the residue of N - x that is nearest to 0. Costs as much as doubles do
 * (a product of vectors is a few instructions more). */
#define ELEMENT  uint64_t
#define INTEGERS true
#define SELECT   pvgi_density_tree_residue_kernels
#include "kernel.inc"

/* error: relative, of value. */
bool pvgi_density_tree_is_told(double value, double error) {
    return value < 0x1p126 && error < 0.25 && value * error < 0x1p61;
}

pvgi_u128 pvgi_density_tree_complete(double value, uint64_t residue) {
    const pvgi_u128 near = (pvgi_u128)value;
    const uint64_t off = residue - (uint64_t)near;
    return off >> 63 ? near - (uint64_t)-off : near + off;
}

void pvgi_density_tree_set_ones(pvgi_tree_scratch *scratch) {
    element *ones = (element *)scratch->ones;
    for (int64_t i = 0; i < scratch->stride; i++) ones[i] = 1;
}
