/* What the templates of this folder ask for, for doubles. */
#ifndef PVGI_NETWORK_KERNEL_DOUBLE_H
#define PVGI_NETWORK_KERNEL_DOUBLE_H

#define REAL         double
#define WHOLE        int64_t
#define LANES        4
#define SQRT         sqrt
#define FABS         fabs
#define COPYSIGN     copysign
#define EXP_TERMS    13
#define EXP_HIGH     709.0
#define EXP_LOW      -708.0
#define EXP_ROUND    0x1.8p52
#define EXP_LN2_HIGH 0x1.62e42feep-1
#define EXP_LN2_LOW  0x1.a39ef35793c76p-33
#define EXP_BIAS     1023
#define EXP_SHIFT    52

#endif
