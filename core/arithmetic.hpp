#pragma once

// Proofs are about IEEE arithmetic, and infinity is a value of guarantees. A function of a header
// may be compiled with the flags of any file that includes it and then serve the whole program, so
// no file may include one otherwise. Fused multiply-add is harmless here: no such function has a
// use for it.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math breaks the guarantees of private-moments: compile this with -fno-fast-math"
#endif
