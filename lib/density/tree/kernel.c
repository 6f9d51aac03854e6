/* Trees in doubles: exact below 2^53, then with the relative error of sums and products
 * of non-negative numbers. */
#define ELEMENT  double
#define INTEGERS false
#define SELECT   pvgi_density_tree_kernels
#include "kernel.inc"
