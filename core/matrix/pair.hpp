#pragma once

namespace pm {

/// Two doubles, f64x2 in WebAssembly with SIMD and SSE2 or NEON natively, as in the Gram kernel:
/// Eigen has no WebAssembly packets, where its products run at 1.7 GFLOP/s and these at 15 and
/// more. Loads and stores need no alignment beyond a double's.
typedef double Pair __attribute__((vector_size(16)));
typedef double LoosePair __attribute__((vector_size(16), aligned(8), may_alias));

inline Pair loadPair(const double* p) { return *reinterpret_cast<const LoosePair*>(p); }
inline Pair bothOf(double x) { return Pair{x, x}; }
inline void storePair(double* p, Pair a) { *reinterpret_cast<LoosePair*>(p) = a; }

}  // namespace pm
