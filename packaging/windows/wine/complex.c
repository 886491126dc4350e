/* Complex functions of the C runtime, of which Wine 10 has stubs that end the process: numpy calls
   them. Windows passes a complex number as a structure, which is not how GCC passes its own. */
#include <complex.h>

typedef struct { double re, im; } Double;
typedef struct { float re, im; } Float;

#define IN(kind, a) ({ kind _Complex z; __real__ z = (a).re; __imag__ z = (a).im; z; })
#define OUT(shape, z) ((shape){__real__(z), __imag__(z)})
#define UNARY(name, suffix, kind, shape, own) \
    shape e_##name##suffix(shape a) { return OUT(shape, name##own(IN(kind, a))); }
#define REAL(name, suffix, kind, shape, own) \
    kind e_##name##suffix(shape a) { return name##own(IN(kind, a)); }
#define ALL(suffix, kind, shape, own) \
    UNARY(csqrt, suffix, kind, shape, own) UNARY(cexp, suffix, kind, shape, own) \
    UNARY(clog, suffix, kind, shape, own) UNARY(csin, suffix, kind, shape, own) \
    UNARY(ccos, suffix, kind, shape, own) UNARY(ctan, suffix, kind, shape, own) \
    UNARY(csinh, suffix, kind, shape, own) UNARY(ccosh, suffix, kind, shape, own) \
    UNARY(ctanh, suffix, kind, shape, own) UNARY(casin, suffix, kind, shape, own) \
    UNARY(cacos, suffix, kind, shape, own) UNARY(catan, suffix, kind, shape, own) \
    UNARY(casinh, suffix, kind, shape, own) UNARY(cacosh, suffix, kind, shape, own) \
    UNARY(catanh, suffix, kind, shape, own) UNARY(conj, suffix, kind, shape, own) \
    UNARY(cproj, suffix, kind, shape, own) \
    REAL(cabs, suffix, kind, shape, own) REAL(carg, suffix, kind, shape, own) \
    REAL(creal, suffix, kind, shape, own) REAL(cimag, suffix, kind, shape, own) \
    shape e_cpow##suffix(shape a, shape b) { \
        return OUT(shape, cpow##own(IN(kind, a), IN(kind, b))); \
    }

ALL(, double, Double, )
ALL(f, float, Float, f)
ALL(l, double, Double, )  /* Microsoft's long double is a double */
