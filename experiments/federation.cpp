// Canonical correlations of rows at S sites, for each way to combine them, against epsilon, S and
// N: the error of the correlations, and how much of the true ones the subspaces found contain.
// After the experiments of Imtiaz & Sarwate's capeCCA (ICASSP 2019) on the halves of MNIST and on
// simulated fMRI + EEG.
//
// All ways use the same draws of rotation-invariant Gaussian noise (replace-one, delta 1e-5),
// scaled to the noise that each has in the sum. `cape-published` has the formula and the claim of
// the paper (core/research/comparison/consortium.hpp).
//
// usage: federation <folder>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/noise/noise_law.hpp"
#include "core/random/continuous.hpp"
#include "core/research/comparison/consortium.hpp"
#include "experiments/two_views.hpp"

namespace {

using two_views::Data;
using two_views::Estimate;
using two_views::Matrix;
using two_views::Vector;

constexpr int kRuns = 20;
constexpr double kDelta = 1e-5;

/// Two thirds of the sites, rounded up, keep their noise and masks to themselves.
pm::ConsortiumSetting settingOf(double epsilon, int sites) {
  return {epsilon, kDelta, sites, (2 * sites + 2) / 3};
}

/// The epsilon of `cape-published` at delta against an observer of all messages, if all sites are
/// honest.
double trueEpsilon(pm::ConsortiumSetting at) {
  at.honest = at.sites;
  return pm::publishedCapeEpsilon(at);
}

/// A data set, and each site's part of it: the rows of the first of this number of equal parts.
struct Source {
  std::string name;
  Matrix rows;
  int dx = 0;
  int components = 0;

  Data first(Eigen::Index count) const {
    return {name, two_views::scaledCovariance(rows.topRows(count)), dx, double(count), components};
  }
};

struct Score {
  double error = 0;
  double captured = 0;
};

/// The mean over all runs. Captured correlations are evaluated on all rows of the source.
Score judge(const Data& all, const Data& data, const Vector& truth, const pm::ConsortiumSetting& at,
            const pm::ConsortiumWay& way, const Source& source) {
  const Data own = way.alone ? source.first(Eigen::Index(data.rows) / at.sites) : data;
  const double sd = pm::consortiumDeviation(way, at, own.rows);
  const pm::NoiseLaw law{std::numbers::sqrt2 * sd, sd};
  const pm::NoiseDraw noise(pm::SumNoise::everywhere(law), int(own.covariance.rows()));
  Score score;
  for (int run = 0; run < (sd > 0 ? kRuns : 1); ++run) {
    pm::Drbg random = pm::simulationDrbg(1, std::uint64_t(run));
    Matrix noisy = own.covariance;
    if (sd > 0) noisy += noise.draw(random).bottomRightCorner(noisy.rows(), noisy.cols());
    const Estimate found = two_views::ours(own, noisy, law);
    score.error += (found.correlations - truth).cwiseAbs().mean();
    score.captured += two_views::captured(all, found);
  }
  const double runs = sd > 0 ? kRuns : 1;
  return {score.error / runs, score.captured / runs};
}

struct Step {
  std::string label;
  pm::ConsortiumSetting at;
  Eigen::Index rows;
};

/// Prints a table with a line for each way and a column for each step. Returns false if a way is
/// worse than one that it must match.
bool table(const Source& source, const char* title, std::span<const Step> steps) {
  const Data all = source.first(source.rows.rows());
  const Vector truth = two_views::truthOf(all);
  std::printf("%s; %s\n%-20s", source.name.c_str(), title, "error / captured");
  for (const Step& step : steps) std::printf("%15s", step.label.c_str());
  std::printf("\n");
  const auto& ways = pm::consortiumWays();
  std::vector<std::vector<Score>> scores;
  for (const pm::ConsortiumWay& way : ways) {
    std::printf("%-20s", way.name);
    std::vector<Score>& line = scores.emplace_back();
    for (const Step& step : steps) {
      const Data data = source.first(step.rows);
      line.push_back(judge(all, data, truth, step.at, way, source));
      std::printf("  %6.3f /%6.3f", line.back().error, line.back().captured);
    }
    std::printf("\n");
  }
  std::printf("%-20s", "published: epsilon");
  for (const Step& step : steps) std::printf("%15.3g", trueEpsilon(step.at));
  std::printf("\n\n");
  bool good = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // The draws are the same but smaller, so captured correlations can fall only by chance, and
    // only slightly.
    const double slack = 0.02 * double(source.components);
    for (std::size_t better = 0; better + 2 < ways.size(); ++better) {
      if (scores[better][i].captured < scores[better + 1][i].captured - slack) {
        std::printf("MISSED: %s is behind %s at %s\n", ways[better].name, ways[better + 1].name,
                    steps[i].label.c_str());
        good = false;
      }
    }
  }
  return good;
}

Source digits(const std::filesystem::path& file) {
  Matrix scores = two_views::digitScores(file);
  return {"digits, upper and lower halves", std::move(scores), two_views::kDigitComponents, 10};
}

/// Two random sets of centred orthonormal columns, in which the i-th columns have the i-th
/// correlation.
std::pair<Matrix, Matrix> profiles(Eigen::Index subjects, std::span<const double> correlations) {
  pm::Drbg random = pm::simulationDrbg(2);
  const auto k = Eigen::Index(correlations.size());
  Matrix columns(subjects, 2 * k);
  for (Eigen::Index i = 0; i < columns.size(); ++i) columns(i) = pm::standardNormal(random);
  columns.rowwise() -= columns.colwise().mean().eval();
  columns *= pm::flooredWhitener(pm::multiplyTransposed(columns, columns), 0);
  Matrix second(subjects, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const double r = correlations[std::size_t(i)];
    second.col(i) = r * columns.col(i) + std::sqrt(1 - r * r) * columns.col(k + i);
  }
  return {columns.leftCols(k), second};
}

/// Five smooth blobs on a grid of 50 x 50, in place of the spatial maps of fMRI, which are not
/// available.
Matrix blobs() {
  constexpr int kSide = 50;
  constexpr std::array<std::array<double, 3>, 5> kPlaces{
      {{12, 12, 5}, {12, 38, 4}, {26, 24, 7}, {38, 10, 4}, {39, 39, 6}}};
  Matrix maps(5, kSide * kSide);
  for (int k = 0; k < 5; ++k) {
    const auto [x, y, width] = kPlaces[std::size_t(k)];
    for (int i = 0; i < kSide * kSide; ++i) {
      const double dx = i % kSide - x, dy = i / kSide - y;
      maps(k, i) = std::exp(-(dx * dx + dy * dy) / (2 * width * width));
    }
  }
  return maps;
}

/// Subjects with profiles over five components of EEG, from `file`, and over five maps of fMRI.
/// Each view consists of its five leading principal components.
Source imaging(const std::filesystem::path& file) {
  constexpr Eigen::Index kSubjects = 20000;
  constexpr std::array kCorrelations{0.9, 0.7, 0.5, 0.3, 0.1};
  std::ifstream in(file);
  const std::vector<double> numbers((std::istream_iterator<double>(in)), {});
  const Matrix eeg = Eigen::Map<const Matrix>(numbers.data(), 5, Eigen::Index(numbers.size()) / 5);
  const auto [first, second] = profiles(kSubjects, kCorrelations);
  Matrix rows(kSubjects, 10);
  // The principal components of profiles x maps depend on the maps only through their products.
  const auto scores = [](const Matrix& profile, const Matrix& maps) {
    const pm::Spectrum inner =
        pm::spectrum(pm::multiplyTransposed(maps.transpose(), maps.transpose()));
    const Matrix root = inner.vectors * inner.values.cwiseMax(0).cwiseSqrt().asDiagonal();
    return two_views::principalScores(profile * root, 5);
  };
  rows.leftCols(5) = scores(first, blobs());
  rows.rightCols(5) = scores(second, eeg);
  return {"simulated fMRI and EEG", std::move(rows), 5, 3};
}

std::string written(const char* name, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%s %g", name, value);
  return text;
}

bool run(const Source& source, double epsilon, std::span<const double> epsilons) {
  const Eigen::Index n = source.rows.rows();
  std::vector<Step> steps;
  for (const double e : epsilons) steps.push_back({written("epsilon", e), settingOf(e, 10), n});
  bool good = table(source, written("10 sites, N", double(n)).c_str(), steps);
  steps.clear();
  for (const int s : {2, 5, 10, 20, 50})
    steps.push_back({written("S", s), settingOf(epsilon, s), n});
  good = table(source, written("epsilon", epsilon).c_str(), steps) && good;
  steps.clear();
  for (const double share : {0.1, 0.2, 0.5, 1.0}) {
    const auto rows = Eigen::Index(std::lround(share * double(n)));
    steps.push_back({written("N", double(rows)), settingOf(epsilon, 10), rows});
  }
  return table(source, (written("10 sites, epsilon", epsilon)).c_str(), steps) && good;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  bool good = true;
  if (std::filesystem::exists(folder / "mnist.bin")) {
    good = run(digits(folder / "mnist.bin"), 0.3, std::array{0.03, 0.1, 0.3, 1.0, 3.0}) && good;
  } else {
    std::printf("skipped: mnist.bin is not there\n");
  }
  if (std::filesystem::exists(folder / "eeg.txt")) {
    good = run(imaging(folder / "eeg.txt"), 0.3, std::array{0.03, 0.1, 0.3, 1.0, 3.0}) && good;
  } else {
    std::printf("skipped: eeg.txt is not there\n");
  }
  return good ? 0 : 1;
}
