#include "core/mechanisms/clip_loss.hpp"

#include <algorithm>
#include <cmath>

#include "core/mechanisms/clipping.hpp"
#include "core/square.hpp"

namespace pm {

double clipLoss(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally) {
  const int last = std::min({tally.level, ladder.levels - 1, int(tally.counts.size())});
  const double sd = clipCountSd(plan) * std::sqrt(tally.releases);
  double lost = 0, sum = 0, beyond = 0;
  for (int i = 1; i <= last; ++i) {
    const double count = std::ldexp(tally.counts[std::size_t(i) - 1], -kClipCountBits);
    sum = tally.between ? sum + count : count;
    const double doubt = sd * (tally.between ? std::sqrt(double(i)) : 1);
    const double longer = std::max(beyond, sum - doubt);
    lost += (square(ladder.ratio(i - 1)) - square(ladder.ratio(i))) * (beyond + longer) / 2;
    beyond = longer;
  }
  return lost;
}

}  // namespace pm
