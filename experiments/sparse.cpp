// Sparse principal components of the scatter matrices of experiments/scatter.mjs (columns
// standardised, rows scaled to length 1), 10 releases with Gaussian noise of delta 1e-6 for each
// epsilon, replace-one. Printed for the first component are features with a weight; the share of
// these that the same programme chooses without privacy noise, with the penalty of the release and
// with that of sampling alone, and how many of the latter's are found; the captured variance,
// relative to the largest eigenvalue, of the sparse component, of the leading eigenvector cut to as
// many features with the largest loadings, and of the whole eigenvector; and the share of releases
// in which the component is below its floor. Exits with 1 if more than 5 % of the features chosen
// above the floor are ones that the programme does not choose without privacy noise.
//
// usage: sparse <folder with the .txt files>
#include "core/analysis/methods/sparse.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/privacy/gaussian.hpp"

namespace {

constexpr int kRuns = 10;
constexpr double kDelta = 1e-6;
/// Features that the programme without privacy noise does not choose, of all that releases choose.
constexpr double kMostFalse = 0.05;
/// The programme of the hundred features of the census takes minutes.
constexpr Eigen::Index kMostFeatures = 64;

struct Data {
  std::string name;
  double n = 0;
  Eigen::MatrixXd covariance;
};

Data read(const std::filesystem::path& path) {
  std::ifstream in(path);
  Data data;
  int d = 0;
  in >> data.name >> data.n >> d;
  data.covariance.resize(d, d);
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) in >> data.covariance(i, j);
  }
  data.covariance /= data.n;
  return data;
}

pm::SparsePcaInput inputOf(const Data& data, const Eigen::MatrixXd& covariance,
                           const pm::NoiseLaw& noise) {
  pm::SparsePcaInput input;
  input.covariance = covariance;
  input.noise = noise;
  input.trace_bound = 1;
  input.half = Eigen::VectorXd::Ones(covariance.rows());
  input.components = 1;
  input.rows = data.n;
  return input;
}

std::set<Eigen::Index> featuresOf(const Eigen::VectorXd& loadings) {
  std::set<Eigen::Index> features;
  for (Eigen::Index i = 0; i < loadings.size(); ++i) {
    if (loadings[i] != 0) features.insert(i);
  }
  return features;
}

double common(const std::set<Eigen::Index>& a, const std::set<Eigen::Index>& b) {
  return double(std::count_if(a.begin(), a.end(), [&](Eigen::Index i) { return b.contains(i); }));
}

Eigen::VectorXd cut(Eigen::VectorXd loadings, std::size_t count) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(loadings.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
    return std::abs(loadings[i]) > std::abs(loadings[j]);
  });
  for (std::size_t k = count; k < order.size(); ++k) loadings[order[k]] = 0;
  return loadings;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  double chosen_in_all = 0;
  double false_in_all = 0;
  std::printf("%-22s %7s %9s %13s %8s %9s %8s %8s %8s %6s\n", "data", "epsilon", "features",
              "same penalty", "plain", "of plain", "sparse", "cut", "whole", "below");
  for (const auto& file : files) {
    const Data data = read(file);
    const Eigen::Index d = data.covariance.rows();
    if (d > kMostFeatures) continue;
    const auto captured = [&](const Eigen::VectorXd& v) {
      return pm::capturedEnergy(v, data.covariance).value();
    };
    const auto plain =
        featuresOf(pm::sparsePca(inputOf(data, data.covariance, {})).value().loadings.col(0));
    for (const double epsilon : {0.5, 1.0, 3.0, 10.0}) {
      const double sd = 1 / pm::gdpOfEpsilonDelta(epsilon, kDelta) / data.n;
      const pm::NoiseLaw law{std::sqrt(2.0) * sd, sd};
      const auto same =
          featuresOf(pm::sparsePca(inputOf(data, data.covariance, law)).value().loadings.col(0));
      double features = 0, of_same = 0, of_plain = 0, found = 0, below = 0;
      double sparse = 0, thresholded = 0, whole = 0;
      for (int run = 0; run < kRuns; ++run) {
        pm::Drbg random = pm::simulationDrbg(2026, std::uint64_t(run));
        const Eigen::MatrixXd noise =
            pm::NoiseDraw(pm::SumNoise::everywhere(law), int(d)).draw(random);
        const pm::SparsePcaInput input =
            inputOf(data, data.covariance + noise.bottomRightCorner(d, d), law);
        const pm::SparsePca result = pm::sparsePca(input).value();
        pm::PcaInput all;
        static_cast<pm::NoisyCovariance&>(all) = input;
        all.components = 1;
        const Eigen::VectorXd leading = pm::pca(all).value().loadings.col(0);
        const auto chosen = featuresOf(result.loadings.col(0));
        const auto count = double(chosen.size());
        features += count;
        of_same += common(chosen, same) / count;
        of_plain += common(chosen, plain) / count;
        found += common(chosen, plain) / double(plain.size());
        below += result.explained[0].below_noise_floor ? 1 : 0;
        sparse += captured(result.loadings.col(0));
        thresholded += captured(cut(leading, chosen.size()));
        whole += captured(leading);
        if (result.explained[0].below_noise_floor) continue;
        chosen_in_all += count;
        false_in_all += count - common(chosen, plain);
      }
      std::printf("%-22s %7.1f %4.1f / %2d %13.2f %8.2f %9.2f %8.3f %8.3f %8.3f %6.2f\n",
                  data.name.c_str(), epsilon, features / kRuns, int(d), of_same / kRuns,
                  of_plain / kRuns, found / kRuns, sparse / kRuns, thresholded / kRuns,
                  whole / kRuns, below / kRuns);
      std::fflush(stdout);
    }
  }
  std::printf(
      "above the floor, chosen features that the programme without privacy noise does not "
      "choose: %.2f %%\n",
      100 * false_in_all / std::max(1.0, chosen_in_all));
  return false_in_all > kMostFalse * chosen_in_all ? 1 : 0;
}
