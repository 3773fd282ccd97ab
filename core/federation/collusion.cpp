#include "core/federation/collusion.hpp"

namespace pm {
namespace {

// The exposure of one of h sites: 1/h along the direction in which their masks cancel, the rest
// across it, where masks add `masks` to a variance of 1.
double acrossAndAlong(double h, double masks) { return 1 / h + (1 - 1 / h) / (1 + masks); }

}  // namespace

double exposure(View view, int sites, int honest, double ratio) {
  const double s = sites, h = honest;
  switch (view) {
    case View::kOneMessage: return 1 / (1 + ratio * (s - 1));
    case View::kPairMasks: return acrossAndAlong(h, ratio * h);
    case View::kGeneratedMasks: return acrossAndAlong(h, ratio * s);
    case View::kAllMasks: return 1;
    // F and G together have the variance S.
    case View::kGeneratorOnWire: return 1 / s;
    case View::kGeneratorAndPublished: return (2 - 1 / s) / s;
    case View::kWireAndPublished: return (1 + (1 - 1 / s) / (1 + ratio)) / s;
    case View::kPublished: return 1 / s;
  }
  return 1;
}

double kappa(View view, int sites, int honest, double ratio) {
  return sites * exposure(view, sites, honest, ratio);
}

}  // namespace pm
