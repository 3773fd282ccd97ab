// capeCCA (Imtiaz, Sarwate 2019): canonical correlations of rows at several sites, for each way to
// combine them, against epsilon, delta, the number of rows and the number of sites; with sites of
// unequal size or promise, and with sites that drop out. capeCCA itself is run, on the sites' own
// second moments. What it keeps private against observers of more than one message is in
// observers.csv and strict_site.csv.
//
// usage: cape_cca <folder of data sets> <folder of results> <quick: 0 or 1>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/federation/cape.hpp"
#include "core/federation/collusion.hpp"
#include "core/matrix/packed.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/research/comparison/consortium.hpp"
#include "core/research/published/additive.hpp"
#include "experiments/support/cca_sets.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/studies.hpp"
#include "experiments/support/table_file.hpp"
#include "experiments/support/two_views.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using experiments::ResultsFile;
using pm::CapeParams;
using pm::CapeRun;
using pm::CapeWeights;
using pm::NoiseLaw;
using std::filesystem::path;
using two_views::Judge;
using two_views::Scores;
using two_views::Set;

using two_views::kPaperDelta;

pm::ConsortiumSetting settingOf(double epsilon, double delta, int sites) {
  return {epsilon, delta, sites, experiments::honestOf(sites)};
}

/// Rows of a set, divided among sites.
struct Sites {
  Sites(const Set& set, const std::vector<Index>& counts) : first(counts[0]) {
    Index from = 0;
    for (const Index count : counts) {
      means.push_back(pm::packedUpper(two_views::secondMoments(set, from, count)));
      rows.push_back(double(count));
      from += count;
    }
    pooled = two_views::secondMoments(set, 0, from);
    alone = two_views::secondMoments(set, 0, first);
  }
  static Sites equal(const Set& set, Index rows, int sites) {
    return {set, std::vector<Index>(std::size_t(sites), rows / sites)};
  }

  double all() const {
    double sum = 0;
    for (const double each : rows) sum += each;
    return sum;
  }

  Index first;
  std::vector<std::vector<double>> means;
  std::vector<double> rows;
  MatrixXd pooled;
  MatrixXd alone;  ///< of the first site
};

/// A noisy matrix, and the law of its noise.
struct Released {
  MatrixXd mean;
  NoiseLaw law;
};

/// capeCCA, run on the sites' matrices.
Released runOf(const Sites& sites, const CapeParams& params, pm::Drbg& random) {
  const CapeRun run = pm::runCape(params, sites.means, random).value();
  return {pm::unpacked<double>(run.aggregate, sites.pooled.rows()),
          two_views::upperTriangle(run.sd)};
}

/// Sigma of the paper, for the sensitivity 1 / N_s of a row replaced by zero.
double publishedSigma(const pm::ConsortiumSetting& at) {
  return pm::classicalDeviation(at.epsilon, at.delta);
}

/// Sigma for one row replaced by any other, an observer of all messages, and colluding sites.
double jointSigma(const pm::ConsortiumSetting& at) {
  const double kappa = pm::kappa(pm::View::kGeneratedMasks, at.sites, at.honest, 1);
  return std::sqrt(2 * kappa) / pm::gdpOfEpsilonDelta(at.epsilon, at.delta);
}

struct Method {
  const char* name;
  std::function<Released(pm::Drbg&)> release;
  two_views::Reading read;
};

/// The release of one trusted holder, or a sum with more noise of the same law.
auto noisy(const MatrixXd& moments, NoiseLaw law) {
  return [&moments, law](pm::Drbg& random) -> Released {
    return {two_views::withNoise(moments, law, random), law};
  };
}

/// Behind uniform masks only the sum is seen, and only the noise of honest sites counts.
double splitGrowth(const pm::ConsortiumSetting& at) { return double(at.sites) / at.honest; }

/// All ways to combine equal sites.
std::vector<Method> waysOf(const Sites& sites, const pm::ConsortiumSetting& at) {
  const double n = sites.all(), sigma = publishedSigma(at);
  const CapeParams published{{sigma}, sites.rows};
  const CapeParams joint{{jointSigma(at)}, sites.rows};
  const auto cape = [&sites](const CapeParams& params) {
    return [&sites, params](pm::Drbg& random) { return runOf(sites, params, random); };
  };
  const NoiseLaw trusted = two_views::rotationInvariant(at.epsilon, at.delta, n);
  const NoiseLaw split = two_views::rotationInvariant(at.epsilon, at.delta, n, splitGrowth(at));
  const NoiseLaw conventional = two_views::upperTriangle(sigma / n * std::sqrt(at.sites));
  const NoiseLaw of_site = two_views::upperTriangle(sigma / double(sites.first));
  return {
      {"pooled-paper", noisy(sites.pooled, two_views::upperTriangle(sigma / n)),
       two_views::readPlainly},
      {"cape-published", cape(published), two_views::readPlainly},
      {"cape-aware", cape(published), two_views::readAware},
      {"conventional", noisy(sites.pooled, conventional), two_views::readPlainly},
      {"local", noisy(sites.alone, of_site), two_views::readPlainly},
      {"pooled", noisy(sites.pooled, trusted), two_views::readAware},
      {"split", noisy(sites.pooled, split), two_views::readAware},
      {"denoised", noisy(sites.pooled, split), two_views::readDenoised},
      {"cape-joint", cape(joint), two_views::readAware},
  };
}

Scores scoresOf(const Judge& judge, const Set& set, const Method& method, int runs,
                bool with_clusters = true) {
  Scores scores;
  for (int run = 0; run < runs; ++run) {
    pm::Drbg random = pm::simulationDrbg(1, std::uint64_t(run));
    const Released released = method.release(random);
    scores.add(judge.score(method.read(set, released.mean, released.law), with_clusters));
  }
  return scores;
}

/// A figure over equal sites.
class Table {
 public:
  explicit Table(const path& file)
      : file_(file, {"set", "method", "epsilon", "delta", "rows", "sites", "captured",
                     "captured_low", "captured_high", "error", "error_low", "error_high",
                     "clusters", "clusters_low", "clusters_high", "repetitions"}) {}

  void add(const Judge& judge, const Set& set, Index rows, const pm::ConsortiumSetting& at,
           int runs) {
    const Sites sites = Sites::equal(set, rows, at.sites);
    const auto exactly = [&](pm::Drbg&) -> Released { return {sites.pooled, {}}; };
    line(set, {"non-private", exactly, two_views::readPlainly}, rows, at, judge, 1);
    const auto nothing = [](pm::Drbg&) -> Released { return {}; };
    pm::Drbg chance = pm::simulationDrbg(4);
    const auto random = [&](const Set& own, const MatrixXd&, const NoiseLaw&) {
      return two_views::randomDirections(own, chance);
    };
    line(set, {"random", nothing, random}, rows, at, judge, runs);
    for (const Method& method : waysOf(sites, at)) line(set, method, rows, at, judge, runs);
  }

 private:
  void line(const Set& set, const Method& method, Index rows, const pm::ConsortiumSetting& at,
            const Judge& judge, int runs) {
    const Scores scores = scoresOf(judge, set, method, runs);
    file_.line(set.name, method.name, at.epsilon, at.delta, double(rows), at.sites, scores.captured,
               scores.error, scores.clusters, runs);
  }

  ResultsFile file_;
};

/// A figure over unequal or missing sites. `noise`: the deviation of the noise in an entry off the
/// diagonal, over that of one trusted holder of the same rows with the paper's formula.
class UnequalTable {
 public:
  UnequalTable(const path& file, const char* axis)
      : file_(file, {"set", "method", axis, "epsilon", "delta", "rows", "noise", "captured",
                     "captured_low", "captured_high", "error", "error_low", "error_high",
                     "repetitions"}) {}

  /// @param trusted the deviation to which that of the method is compared
  void add(const Judge& judge, const Set& set, const Method& method, double place, double epsilon,
           double rows, double trusted, int runs) {
    pm::Drbg random = pm::simulationDrbg(1);
    const double deviation = method.release(random).law.off_diagonal;
    const Scores scores = scoresOf(judge, set, method, runs, false);
    file_.line(set.name, method.name, place, epsilon, kPaperDelta, rows, deviation / trusted,
               scores.captured, scores.error, runs);
  }

 private:
  ResultsFile file_;
};

constexpr int kSites = 10;

struct Run {
  bool quick;
  Table epsilon, delta, rows, sites;
  UnequalTable unequal_rows, unequal_epsilons, dropouts;

  void figures(const Set& set, const two_views::Plan& plan) {
    const Judge judge(set);
    const auto on = [&](Table& table) {
      return [&, figure = &table](double e, double d, Index n) {
        figure->add(judge, set, n, settingOf(e, d, kSites), quick ? 2 : plan.runs);
      };
    };
    two_views::eachPlace(set, plan, quick, on(epsilon), on(delta), on(rows));
  }

  /// Other numbers of sites, unequal ones and missing ones.
  void otherSites(const Set& set, Index all, double at_epsilon) {
    const Judge judge(set);
    const int runs = quick ? 2 : 20;
    for (const int s : quick ? std::vector{2, 10} : std::vector{2, 5, 10, 20, 50}) {
      sites.add(judge, set, all, settingOf(at_epsilon, kPaperDelta, s), runs);
    }
    for (const double ratio :
         quick ? std::vector{1.0, 1024.0} : std::vector{1.0, 4.0, 16.0, 64.0, 256.0, 1024.0}) {
      unequalRows(judge, set, all, at_epsilon, ratio, runs);
    }
    for (const double ratio :
         quick ? std::vector{1.0, 8.0} : std::vector{1.0, 2.0, 4.0, 8.0, 16.0}) {
      unequalEpsilons(judge, set, all, at_epsilon, ratio, runs);
    }
    for (const int missing :
         quick ? std::vector{0, 2} : std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
      missingSites(judge, set, all, at_epsilon, missing, runs);
    }
  }

 private:
  /// Numbers of rows in geometric progression, the largest `ratio` times the smallest.
  static std::vector<Index> progression(Index all, double ratio) {
    std::vector<double> parts;
    double sum = 0;
    for (int s = 0; s < kSites; ++s) {
      parts.push_back(std::pow(ratio, s / (kSites - 1.0)));
      sum += parts.back();
    }
    std::vector<Index> counts;
    Index left = all;
    for (int s = 0; s + 1 < kSites; ++s) {
      counts.push_back(Index(std::lround(parts[std::size_t(s)] / sum * double(all))));
      left -= counts.back();
    }
    counts.push_back(left);
    return counts;
  }

  void unequalRows(const Judge& judge, const Set& set, Index all, double at_epsilon, double ratio,
                   int runs) {
    const pm::ConsortiumSetting at = settingOf(at_epsilon, kPaperDelta, kSites);
    const Sites parts(set, progression(all, ratio));
    const auto n = double(all);
    const double sigma = publishedSigma(at), trusted = sigma / n;
    const auto add = [&](const Method& method) {
      unequal_rows.add(judge, set, method, ratio, at_epsilon, n, trusted, runs);
    };
    const CapeParams by_sites{{sigma}, parts.rows};
    CapeParams by_rows = by_sites;
    by_rows.weights = CapeWeights::kRows;
    CapeParams joint = by_rows;
    joint.sigma = {jointSigma(at)};
    const auto cape = [&parts](const CapeParams& params) {
      return [&parts, params](pm::Drbg& random) { return runOf(parts, params, random); };
    };
    // The published weights need masks that cancel as they are; very unequal sites have none.
    pm::Drbg random = pm::simulationDrbg(1);
    if (pm::runCape(by_sites, parts.means, random).ok()) {
      add({"cape-published", cape(by_sites), two_views::readPlainly});
      add({"conventional", conventional(parts, by_sites), two_views::readPlainly});
    }
    add({"cape-rows", cape(by_rows), two_views::readPlainly});
    add({"cape-joint", cape(joint), two_views::readAware});
    add({"split",
         noisy(parts.pooled,
               two_views::rotationInvariant(at.epsilon, at.delta, n, splitGrowth(at))),
         two_views::readAware});
  }

  /// Full noise at every remaining site, weighted as in `params`.
  static std::function<Released(pm::Drbg&)> conventional(const Sites& parts,
                                                         const CapeParams& params) {
    return [&parts, params](pm::Drbg& random) -> Released {
      const std::size_t sites = parts.rows.size();
      const bool by_rows = params.weights == CapeWeights::kRows;
      std::vector<double> weights(sites, 1);
      for (std::size_t s = 0; s < sites && by_rows; ++s) weights[s] = parts.rows[s];
      for (const int s : params.dropped) weights[std::size_t(s)] = 0;
      double all = 0, variance = 0;
      for (const double weight : weights) all += weight;
      MatrixXd mean = MatrixXd::Zero(parts.pooled.rows(), parts.pooled.cols());
      for (std::size_t s = 0; s < sites; ++s) {
        const double share = weights[s] / all;
        const double sigma = params.sigma[params.sigma.size() == 1 ? 0 : s];
        mean += share * pm::unpacked<double>(parts.means[s], mean.rows());
        variance += std::pow(share * sigma / parts.rows[s], 2);
      }
      const NoiseLaw law = two_views::upperTriangle(std::sqrt(variance));
      return {two_views::withNoise(mean, law, random), law};
    };
  }

  /// Half of the sites promise epsilon, the others `ratio` times as much.
  static std::vector<double> halfStrict(double strict, double ratio) {
    std::vector<double> epsilons;
    for (int s = 0; s < kSites; ++s) epsilons.push_back(s < kSites / 2 ? strict : ratio * strict);
    return epsilons;
  }

  void unequalEpsilons(const Judge& judge, const Set& set, Index all, double strict, double ratio,
                       int runs) {
    const pm::ConsortiumSetting at = settingOf(strict, kPaperDelta, kSites);
    const Sites parts = Sites::equal(set, all, kSites);
    const double n = parts.all(), trusted = publishedSigma(at) / n;
    const auto add = [&](const Method& method) {
      unequal_epsilons.add(judge, set, method, ratio, strict, n, trusted, runs);
    };
    CapeParams own{{}, parts.rows};
    for (const double each : halfStrict(strict, ratio)) {
      own.sigma.push_back(pm::classicalDeviation(each, kPaperDelta));
    }
    const CapeParams joint{{jointSigma(at)}, parts.rows};
    add({"pooled-paper", noisy(parts.pooled, two_views::upperTriangle(trusted)),
         two_views::readPlainly});
    add({"cape-published", [&](pm::Drbg& random) { return runOf(parts, own, random); },
         two_views::readPlainly});
    add({"conventional", conventional(parts, own), two_views::readPlainly});
    add({"cape-joint", [&](pm::Drbg& random) { return runOf(parts, joint, random); },
         two_views::readAware});
    add({"split",
         noisy(parts.pooled, two_views::rotationInvariant(strict, kPaperDelta, n, splitGrowth(at))),
         two_views::readAware});
  }

  void missingSites(const Judge& judge, const Set& set, Index all, double at_epsilon, int missing,
                    int runs) {
    const pm::ConsortiumSetting at = settingOf(at_epsilon, kPaperDelta, kSites);
    const Sites parts = Sites::equal(set, all, kSites);
    const Index left = all / kSites * (kSites - missing);
    const double sigma = publishedSigma(at), trusted = sigma / double(left);
    const auto add = [&](const Method& method) {
      dropouts.add(judge, set, method, missing, at_epsilon, double(left), trusted, runs);
    };
    CapeParams published{{sigma}, parts.rows};
    for (int s = kSites - missing; s < kSites; ++s) published.dropped.push_back(s);
    CapeParams joint = published;
    joint.sigma = {jointSigma(at)};
    add({"cape-published", [&](pm::Drbg& random) { return runOf(parts, published, random); },
         two_views::readPlainly});
    add({"conventional", conventional(parts, published), two_views::readPlainly});
    add({"cape-joint", [&](pm::Drbg& random) { return runOf(parts, joint, random); },
         two_views::readAware});
    // A sum of fewer than the honest sites is not unmasked.
    if (kSites - missing < at.honest) return;
    const MatrixXd remaining = two_views::secondMoments(set, 0, left);
    const double growth = double(kSites - missing) / at.honest;
    add({"split",
         noisy(remaining, two_views::rotationInvariant(at.epsilon, at.delta, double(left), growth)),
         two_views::readAware});
  }

 public:
  /// What the strictest sites are promised, and what observers of the published scheme can tell.
  static void strictSite(const path& file, double strict) {
    ResultsFile out(file, {"method", "ratio", "epsilon", "delta", "actual"});
    for (const double ratio : {1.0, 2.0, 4.0, 8.0, 16.0}) {
      CapeParams params{{}, std::vector<double>(kSites, 1000)};
      double mean = 0;
      for (const double each : halfStrict(strict, ratio)) {
        params.sigma.push_back(pm::classicalDeviation(each, kPaperDelta));
        mean += params.sigma.back() * params.sigma.back() / kSites;
      }
      pm::Drbg random = pm::simulationDrbg(1);
      const std::vector<std::vector<double>> nothing(kSites, std::vector<double>(1));
      const double exposure = pm::runCape(params, nothing, random).value().exposure[0];
      const double sigma = params.sigma[0];
      const auto add = [&](const char* observer, double kappa) {
        out.line(observer, ratio, strict, kPaperDelta,
                 pm::epsilonOfGdp(std::sqrt(2 * kappa) / sigma, kPaperDelta));
      };
      out.line("claimed", ratio, strict, kPaperDelta, strict);
      add("one-message", 1);
      add("published-sum", sigma * sigma / mean);
      add("all-messages", exposure);
    }
  }
};

/// The epsilon that the paper's formula keeps against each observer, by what it claims.
void observers(const path& file) {
  ResultsFile out(file, {"method", "delta", "epsilon", "actual"});
  for (const double delta : {1e-5, 1e-2}) {
    for (const double epsilon : {0.01, 0.05, 0.1, 0.3, 1.0, 3.0, 5.0, 10.0}) {
      const auto with = [&](int honest) {
        return pm::publishedCapeEpsilon({epsilon, delta, kSites, honest});
      };
      const double sigma = pm::classicalDeviation(epsilon, delta);
      out.line("claimed", delta, epsilon, epsilon);
      out.line("zeroed-row", delta, epsilon, pm::epsilonOfGdp(1 / sigma, delta));
      out.line("one-message", delta, epsilon, pm::epsilonOfGdp(std::numbers::sqrt2 / sigma, delta));
      out.line("all-messages", delta, epsilon, with(kSites));
      out.line("colluding", delta, epsilon, with(settingOf(epsilon, delta, kSites).honest));
      out.line("two-honest", delta, epsilon, with(2));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const path data = arguments[1], out = arguments[2];
  const bool quick = std::string_view(arguments[3]) == "1";
  Run run{quick,
          Table(out / "epsilon.csv"),
          Table(out / "delta.csv"),
          Table(out / "rows.csv"),
          Table(out / "sites.csv"),
          UnequalTable(out / "unequal_rows.csv", "ratio"),
          UnequalTable(out / "unequal_epsilons.csv", "ratio"),
          UnequalTable(out / "dropouts.csv", "missing")};
  two_views::eachSet(data, quick, [&](const Set& set, const two_views::Plan& plan) {
    run.figures(set, plan);
    if (set.name == "mnist") run.otherSites(set, set.rows.rows(), 0.5);
    if (set.name == "synthetic") run.otherSites(set, plan.rows_by_epsilon, 1);
  });
  Run::strictSite(out / "strict_site.csv", 0.5);
  observers(out / "observers.csv");
  return 0;
}
