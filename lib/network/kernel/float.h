/* What the templates of this folder ask for, for floats. */
#ifndef PVGI_NETWORK_KERNEL_FLOAT_H
#define PVGI_NETWORK_KERNEL_FLOAT_H

#define REAL         float
#define WHOLE        int32_t
#define LANES        8
#define SQRT         sqrtf
#define FABS         fabsf
#define COPYSIGN     copysignf
#define EXP_TERMS    7
#define EXP_HIGH     88.0
#define EXP_LOW      -87.0
#define EXP_ROUND    0x1.8p23
#define EXP_LN2_HIGH 0x1.62e4p-1
#define EXP_LN2_LOW  0x1.7f7d1cf79abcap-20
#define EXP_BIAS     127
#define EXP_SHIFT    23

#endif
