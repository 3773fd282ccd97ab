#include "core/synthesis/fit/synthesis.hpp"

#include <array>
#include <optional>
#include <utility>

#include "core/matrix/packed.hpp"
#include "core/random/drbg.hpp"
#include "core/random/sha256.hpp"
#include "core/synthesis/fit/mixture.hpp"
#include "core/synthesis/fit/projection.hpp"
#include "core/synthesis/fit/spectrum.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Maps the coordinates of a released Gaussian to the study's features.
class Lift {
 public:
  Lift(const SynthesisPlan& plan, const Eigen::MatrixXd& projection) {
    const int p = plan.components;
    const bool number = plan.terms.task == SynthesisTask::kRegression;
    lift_ = Eigen::MatrixXd::Zero(plan.features + number, p + number);
    for (int i = 0; i < plan.features; ++i) {
      const int feature = number && i >= plan.label_feature ? i + 1 : i;
      for (int m = 0; m < p; ++m) {
        lift_(feature, m) = plan.unit * (projection.size() > 0 ? projection(i, m) : i == m);
      }
    }
    if (number) lift_(plan.label_feature, p) = 1;
  }

  RowComponent operator()(const ReleasedGaussian& gaussian, double weight) const {
    return {weight, lift_ * gaussian.mean, lift_ * gaussian.covariance * lift_.transpose(),
            gaussian.level};
  }

 private:
  Eigen::MatrixXd lift_;
};

Result<Eigen::MatrixXd> publicDirections(SynthesisTable& table) {
  const SynthesisPlan& plan = table.plan();
  Result<GramSums> sums = table.publicSums();
  if (!sums.ok()) return sums.error();
  const std::span<const Int128> packed = sums.value().packed;
  const double unit = 1 / double(sums.value().rows);
  return leadingDirections(
      unpacked(packed.subspan(std::size_t(plan.features)), plan.features, unit), plan.components);
}

Status fit(Synthesis& synthesis, const SynthesisPlan& plan, const IntegerRows& rows,
           const IntegerRows& classes, NoiseSource& noise) {
  if (plan.classes == 0) {
    Result<ReleasedGaussian> gaussian = fitGaussian(plan, rows, noise);
    if (!gaussian.ok()) return gaussian.error();
    synthesis.gaussians.push_back(std::move(gaussian).value());
    return {};
  }
  Result<ReleasedMixture> mixture = fitMixture(plan, rows, classes, noise);
  if (!mixture.ok()) return mixture.error();
  synthesis.gaussians = std::move(mixture.value().gaussians);
  synthesis.shared = mixture.value().shared;
  return {};
}

// Noise depends on the plan's public terms and on the rows that it will hide (see Drbg::stir).
void stirRows(const SynthesisPlan& plan, const SynthesisTable::Rows& rows, Drbg& random) {
  const std::array<double, 4> terms = {plan.terms.epsilon, plan.terms.delta,
                                       double(plan.components), double(plan.features)};
  random.stir<double>(terms);
  Sha256 digest;
  for (const IntegerRows* integers : {&rows.values, &rows.classes}) {
    for (std::size_t i = 0; i < integers->rows(); ++i) {
      const std::span<const std::int32_t> row = integers->row(i);
      digest.add({reinterpret_cast<const std::uint8_t*>(row.data()), row.size_bytes()});
    }
  }
  Digest of_rows = digest.digest();
  random.stir<std::uint8_t>(of_rows);
  wipe(of_rows.data(), of_rows.size());
}

// `random`: what `noise` draws from, or nothing if it is not to depend on the rows.
Result<Synthesis> synthesise(SynthesisTable& table, NoiseSource& noise, Drbg* random) {
  const SynthesisPlan& plan = table.plan();
  Synthesis synthesis;
  const ProjectionSource source = plan.terms.projection.source;
  if (source == ProjectionSource::kPublic) {
    Result<Eigen::MatrixXd> directions = publicDirections(table);
    if (!directions.ok()) return directions.error();
    synthesis.projection = std::move(directions).value();
  }
  if (source == ProjectionSource::kRandom) {
    synthesis.projection =
        randomDirections(plan.features, plan.components, plan.terms.projection.seed);
  }
  Result<SynthesisTable::Rows> taken = table.take();
  if (!taken.ok()) return taken.error();
  SynthesisTable::Rows rows = std::move(taken).value();
  if (random != nullptr) stirRows(plan, rows, *random);
  synthesis.rows = rows.values.rows();
  synthesis.guarantee = plan.guarantee;

  if (plan.spectrum) {
    Result<Eigen::VectorXd> variances = releaseSpectrum(plan, rows.values, noise);
    if (!variances.ok()) return variances.error();
    synthesis.variances = variances.value() * (plan.unit * plan.unit);
    return synthesis;
  }
  if (plan.projection) {
    Result<Eigen::MatrixXd> directions = privateDirections(plan, rows.values, noise);
    if (!directions.ok()) return directions.error();
    synthesis.projection = std::move(directions).value();
  }
  Status status;
  if (synthesis.projection.size() == 0) {
    status = fit(synthesis, plan, rows.values, rows.classes, noise);
  } else {
    const double held_out = source == ProjectionSource::kSplit ? plan.terms.projection.fraction : 0;
    const IntegerRows classes = remaining(std::move(rows.classes), held_out);
    const IntegerRows reduced = projected(synthesis.projection, rows.values, held_out);
    status = fit(synthesis, plan, reduced, classes, noise);
  }
  if (status) return *status;
  synthesis.model = modelOf(plan, synthesis.projection, synthesis.gaussians);
  return synthesis;
}

}  // namespace

RowModel modelOf(const SynthesisPlan& plan, const Eigen::MatrixXd& projection,
                 const std::vector<ReleasedGaussian>& gaussians) {
  const Lift lift(plan, projection);
  double rows = 0;
  for (const ReleasedGaussian& gaussian : gaussians) rows += gaussian.rows;
  RowModel model;
  for (const ReleasedGaussian& gaussian : gaussians) {
    model.components.push_back(lift(gaussian, gaussian.rows / rows));
  }
  return model;
}

Result<Synthesis> synthesise(SynthesisTable& table, EntropySource source) {
  std::optional<Drbg> random;
  if (const Status failed = seedDrbg(source, random)) return *failed;
  DrawnNoise noise(*random);
  return synthesise(table, noise, &*random);
}

Result<Synthesis> synthesise(SynthesisTable& table, NoiseSource& noise) {
  return synthesise(table, noise, nullptr);
}

}  // namespace pm
