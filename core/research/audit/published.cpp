#include "core/research/audit/published.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/analysis/noise/normal.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/research/audit/laws.hpp"
#include "core/research/audit/tails.hpp"
#include "core/research/published/additive.hpp"
#include "core/research/published/eigenvectors.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "core/research/published/registry.hpp"
#include "core/research/published/wishart.hpp"

namespace pm {
namespace {

using Eigen::MatrixXd;
using Uniforms = std::vector<double>;

constexpr int kColumns = 2;
// The penalty of ridge regression.
constexpr double kPenalty = 0.5;

MatrixXd productsOf(const AuditRows& rows) {
  MatrixXd scatter = MatrixXd::Zero(kColumns, kColumns);
  for (std::size_t i = 0; i + 1 < rows.values.size(); i += kColumns) {
    const Eigen::Vector2d row(rows.values[i], rows.values[i + 1]);
    scatter += row * row.transpose();
  }
  return scatter;
}

// A published mechanism at the claim's parameters. Mutants with less noise get a larger epsilon, as
// the noise of all mechanisms is inversely proportional to epsilon.
struct Run {
  const Published* mechanism;
  PublishedParams params;
  double noise;

  MatrixXd operator()(const MatrixXd& scatter, Drbg& random) const {
    return withNoise(noise, scatter, random);
  }
  MatrixXd withNoise(double factor, const MatrixXd& scatter, Drbg& random) const {
    PublishedParams mutant = params;
    mutant.epsilon /= factor;
    return mechanism->run(scatter, mutant, random);
  }
};

AuditSubject subjectOf(const Run& run, AuditRows first, AuditRows second) {
  AuditSubject subject;
  const bool pure = run.mechanism->claim == "pure epsilon";
  if (pure || run.mechanism->claim == "(epsilon, delta)") subject.epsilon = run.params.epsilon;
  subject.delta = pure ? 0 : run.params.delta;
  subject.guarantee = run.mechanism->guarantee(run.params);
  subject.neighbours = run.params.neighbours;
  subject.first = std::move(first);
  subject.second = std::move(second);
  subject.sums = productsOf;
  return subject;
}

// Attacks by a score of the mechanism's output.
template <class Score>
void attackWith(AuditSubject& subject, const Run& run, Score score) {
  subject.attack = [run, score, one = productsOf(subject.first),
                    other = productsOf(subject.second)](bool of_first, Drbg& random) {
    return score(run(of_first ? one : other, random), one, other);
  };
}

// Neighbours with a common row, and one row at `angle` replaced by one at `angle` + 90 degrees, or
// removed.
void facing(AuditRows& first, AuditRows& second, double angle, Neighbours neighbours) {
  const double c = std::cos(angle), s = std::sin(angle);
  first = {kColumns, {0.6, 0, c, s}};
  second = {kColumns, {0.6, 0}};
  if (neighbours == Neighbours::kReplaceOne) {
    second.values.push_back(-s);
    second.values.push_back(c);
  }
}

AuditSubject facingSubject(const Run& run, double angle) {
  AuditRows first, second;
  facing(first, second, angle, run.params.neighbours);
  return subjectOf(run, std::move(first), std::move(second));
}

double upperSum(const MatrixXd& a) { return a(0, 0) + a(0, 1) + a(1, 1); }

AuditSubject nothingAdded(const Run& run) {
  AuditSubject subject = facingSubject(run, 0);
  attackWith(subject, run, [](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    return (out - other).norm() - (out - one).norm();
  });
  subject.sensitivity = 0;
  return subject;
}

// Normal or Laplace noise in three entries: one uniform from each.
template <class Below>
auto entryLaw(const Run& run, double scale, Below below) {
  return [=](double noise, std::size_t count, Drbg& random, Uniforms& uniforms) {
    const MatrixXd zero = MatrixXd::Zero(kColumns, kColumns);
    while (uniforms.size() < count) {
      const MatrixXd out = run.withNoise(noise, zero, random);
      for (const double entry : {out(0, 0), out(0, 1), out(1, 1)}) {
        uniforms.push_back(below(entry / scale));
      }
    }
  };
}

AuditSubject laplaceSubject(const Run& run) {
  // The point of the ellipse (cos 2a, sin 2a / 2) with the largest norm.
  const bool replace = run.params.neighbours == Neighbours::kReplaceOne;
  const double angle = replace ? std::atan(0.5) / 2 : std::numbers::pi / 4;
  AuditSubject subject = facingSubject(run, angle);
  const double calibrated = 2.0 * kColumns;
  const double scale = calibrated / run.params.epsilon;
  attackWith(
      subject, run, [scale](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
        return (upperSum((out - other).cwiseAbs()) - upperSum((out - one).cwiseAbs())) / scale;
      });
  subject.norm = AuditNorm::kUpperL1;
  subject.sensitivity = calibrated;
  subject.uniforms = entryLaw(run, scale, laplaceBelow);
  subject.law_draws = 100'000;
  return subject;
}

AuditSubject gaussSubject(const Run& run, double assumed) {
  AuditSubject subject = facingSubject(run, 0);
  const double sigma = assumed * classicalDeviation(run.params.epsilon, run.params.delta);
  attackWith(subject, run, [](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    // Only the diagonal changes.
    const MatrixXd moved = one - other, from = out - (one + other) / 2;
    return (moved(0, 0) * from(0, 0) + moved(1, 1) * from(1, 1)) / moved.norm();
  });
  subject.curve = AuditCurve::kNormal;
  subject.threshold = 0;
  subject.gdp = gdpOfEpsilonDelta(run.params.epsilon, run.params.delta);
  subject.norm = AuditNorm::kUpperL2;
  subject.sensitivity = assumed;
  subject.uniforms = entryLaw(run, sigma, [](double z) { return normalBelow(z); });
  subject.law_draws = 60'000;
  return subject;
}

// One Wishart matrix: outputs below the data are impossible.
AuditSubject wishartSubject(const Run& run, double freedom, double scale, double centre,
                            AuditNorm norm, double calibrated) {
  AuditSubject subject = facingSubject(run, std::numbers::pi / 3);
  const MatrixXd lift = centre * MatrixXd::Identity(kColumns, kColumns);
  attackWith(subject, run, [=](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    return wishartScore(out - one + lift, out - other + lift, freedom, scale);
  });
  subject.norm = norm;
  subject.sensitivity = calibrated;
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Uniforms& uniforms) {
    const MatrixXd zero = MatrixXd::Zero(kColumns, kColumns);
    while (uniforms.size() < count) {
      const MatrixXd out = run.withNoise(noise, zero, random);
      for (const double entry : {out(0, 0), out(1, 1)}) {
        uniforms.push_back(chiSquareTail((entry + centre) / scale, freedom));
      }
    }
  };
  subject.law_draws = 60'000;
  return subject;
}

// Rows along the axes: directions differ most if one of the data sets is isotropic.
AuditSubject axesSubject(const Run& run) {
  AuditRows second = {kColumns, {0, 1}};
  if (run.params.neighbours == Neighbours::kReplaceOne) second.values = {0, 1, 0, 1};
  AuditSubject subject = subjectOf(run, {kColumns, {1, 0, 0, 1}}, std::move(second));
  subject.norm = AuditNorm::kRange;
  subject.sensitivity = run.params.neighbours == Neighbours::kReplaceOne ? 2 : 1;
  return subject;
}

// v^T (C - C') v for a released direction v.
double along(const MatrixXd& v, const MatrixXd& one, const MatrixXd& other) {
  return v.cwiseProduct((one - other) * v).sum();
}

AuditSubject kapralovSubject(const Run& run) {
  AuditSubject subject = axesSubject(run);
  const KapralovTalwarStep step = kapralovTalwarStep(run.params);
  attackWith(subject, run, [step](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    const double value = out.trace();
    if (!(value > 0)) return 0.0;  // a value clamped to 0 removes the direction
    const MatrixXd v = spectrum(out).vectors.col(0);
    const double in_one = v.cwiseProduct(one * v).sum(), in_other = v.cwiseProduct(other * v).sum();
    return step.kappa * (in_one - in_other) +
           (std::fabs(value - in_other) - std::fabs(value - in_one)) / step.value_scale;
  });
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Uniforms& uniforms) {
    // Isotropic, and far from the clamp.
    const double each = std::ceil(60 * step.value_scale);
    Run far = run;
    far.params.rows = 2 * each;
    const MatrixXd scatter = each * MatrixXd::Identity(kColumns, kColumns);
    while (uniforms.size() < count) {
      const double value = far.withNoise(noise, scatter, random).trace();
      uniforms.push_back(laplaceBelow((value - each) / step.value_scale));
    }
  };
  subject.law_draws = 60'000;
  return subject;
}

AuditSubject aminSubject(const Run& run) {
  AuditSubject subject = axesSubject(run);
  attackWith(subject, run, [](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    return out.cwiseProduct(one - other).sum();
  });
  subject.uniforms = [run](double noise, std::size_t count, Drbg& random, Uniforms& uniforms) {
    const MatrixXd zero = MatrixXd::Zero(kColumns, kColumns);
    while (uniforms.size() < count) {
      const double trace = run.withNoise(noise, zero, random).trace();
      uniforms.push_back(gammaDifferenceTail(kColumns, trace * run.params.epsilon / 4));
    }
  };
  subject.law_draws = 60'000;
  return subject;
}

// Mechanisms that release directions without values.
AuditSubject alongSubject(const Run& run) {
  AuditSubject subject = axesSubject(run);
  attackWith(subject, run, &along);
  return subject;
}

AuditSubject outputSubject(const Run& run) {
  // The best pair in a search over single rows: 0.44 of the calibrated sensitivity.
  AuditSubject subject = subjectOf(run, {kColumns, {0.6, 0.8}}, {kColumns, {0.6, -0.8}});
  const double distance = ridgeSensitivity(run.params.rows, kPenalty).distance;
  const double scale = distance / run.params.epsilon;
  const double rows = run.params.rows;
  const auto weight = [rows](const MatrixXd& scatter) {
    return ridgeWeights(scatter, rows, kPenalty)(0, 0);
  };
  attackWith(subject, run, [=](const MatrixXd& out, const MatrixXd& one, const MatrixXd& other) {
    return (std::fabs(out(0, 0) - weight(other)) - std::fabs(out(0, 0) - weight(one))) / scale;
  });
  subject.sums = [weight](const AuditRows& audit_rows) {
    return MatrixXd::Constant(1, 1, weight(productsOf(audit_rows)));
  };
  subject.sensitivity = distance;
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Uniforms& uniforms) {
    const MatrixXd zero = MatrixXd::Zero(kColumns, kColumns);
    while (uniforms.size() < count) {
      uniforms.push_back(laplaceBelow(run.withNoise(noise, zero, random)(0, 0) / scale));
    }
  };
  subject.law_draws = 100'000;
  return subject;
}

}  // namespace

Result<AuditSubject> publishedSubject(std::string_view name, const AuditParams& params) {
  Run run{findPublished(name), {}, params.noise};
  if (run.mechanism == nullptr) {
    return Error{Code::kInvalidMechanism,
                 "this mechanism does not exist; choose one of those listed", "mechanism"};
  }
  const double epsilon = params.epsilon;
  run.params = {epsilon, params.delta, params.neighbours, 2, 1, 1, kPenalty};
  if (const Status wrong = checkPublished(run.params, MatrixXd::Identity(kColumns, kColumns))) {
    return *wrong;
  }
  if (run.mechanism->claim == "(epsilon, delta)" && !(params.delta > 0)) {
    return Error{Code::kInvalidDelta, "this mechanism needs a delta above 0", "delta"};
  }
  if (name == "non-private") return nothingAdded(run);
  if (name == "laplace-2d") return laplaceSubject(run);
  if (name == "analyze-gauss-classical") return gaussSubject(run, std::numbers::sqrt2);
  if (name == "analyze-gauss-one-over-n") return gaussSubject(run, 1);
  if (name == "symmetric-noise")
    return wishartSubject(run, kColumns + 1, 0.5 / epsilon, 0, AuditNorm::kTrace, 1);
  if (name == "jiang-wishart")
    return wishartSubject(run, kColumns + 1, 1.5 / epsilon, 0, AuditNorm::kTrace, 3);
  if (name == "sheffet-wishart") {
    const double freedom = sheffetShape(epsilon, params.delta) + kColumns - 1;
    return wishartSubject(run, freedom, 1, freedom, AuditNorm::kNuclear, 1);
  }
  if (name == "kapralov-talwar") return kapralovSubject(run);
  if (name == "amin-iterative") return aminSubject(run);
  if (name == "ppca-gibbs" || name == "hardt-price") return alongSubject(run);
  if (name == "output-perturbation") {
    if (params.neighbours != Neighbours::kReplaceOne) {
      return Error{Code::kInvalidNeighbours, "this mechanism's claim is for replace-one",
                   "neighbours"};
    }
    run.params.rows = 1;
    return outputSubject(run);
  }
  return Error{Code::kInvalidMechanism, "there is no attack on this mechanism", "mechanism"};
}

}  // namespace pm
