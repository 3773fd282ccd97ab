#include "core/mechanisms/clip_loss.hpp"

#include <algorithm>
#include <cmath>

#include "core/mechanisms/clipping.hpp"
#include "core/square.hpp"

namespace pm {

namespace {

int levelOf(const ClipLadder& ladder, const ClipTally& tally) {
  return std::max(0, std::min({tally.level, ladder.levels - 1, int(tally.counts.size())}));
}

}  // namespace

ClipLosses clipLosses(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally,
                      TailDoubt doubt) {
  const double sd = doubt.deviations * clipCountSd(plan) * std::sqrt(tally.releases);
  ClipLosses found;
  double sum = 0, lost = 0;
  for (int i = 1; i <= levelOf(ladder, tally); ++i) {
    const double count = std::ldexp(tally.counts[std::size_t(i) - 1], -kClipCountBits);
    sum = tally.between ? sum + count : count;
    const double least = sum - sd * (tally.between ? std::sqrt(double(i)) : 1);
    const double longer = std::max(doubt.rising ? found.beyond : 0, least);
    lost += (square(ladder.ratio(i - 1)) - square(ladder.ratio(i))) * (found.beyond + longer) / 2;
    found.lost[std::size_t(i)] = lost;
    found.beyond = longer;
  }
  return found;
}

double clipLoss(const Plan& plan, const ClipLadder& ladder, const ClipTally& tally) {
  return clipLosses(plan, ladder, tally, {1, true}).lost[std::size_t(levelOf(ladder, tally))];
}

}  // namespace pm
