#pragma once

#include <Eigen/Core>

#include "core/research/synthesizers/synthesizers.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::testing_support {

/// Parameters for a synthesizer: labels of the last kind it supports, two classes, two directions.
inline SynthesisParams paramsFor(const PublishedSynthesizer& synthesizer, double epsilon) {
  SynthesisParams params{epsilon};
  if (synthesizer.needs_delta) params.delta = 1e-6;
  params.label = synthesizer.labels.back();
  if (params.label == LabelKind::kClass) params.classes = 2;
  params.components = 2;
  params.public_seed = 3;  // a projection that separates the groups below
  return params;
}

/// 400 rows of three columns in two groups, about (0.5, 0.5, 0) and (-0.5, -0.5, 0), alternately,
/// with labels for the group (classes 0 and 1, numbers 0.7 and -0.3); as many public ones.
inline SynthesisData twoGroups(LabelKind label) {
  UnsafeTestRandom random(31);
  const auto draw = [&] {
    LabelledRows data{Eigen::MatrixXd(400, 3), Eigen::VectorXd(400)};
    for (int i = 0; i < 400; ++i) {
      const double side = i % 2 == 0 ? 0.5 : -0.5;
      data.rows.row(i) << side + 0.3 * random.symmetric(), side + 0.3 * random.symmetric(),
          0.3 * random.symmetric();
      data.labels[i] = label == LabelKind::kClass ? i % 2 : side + 0.2;
    }
    if (label == LabelKind::kNone) data.labels.resize(0);
    return data;
  };
  const LabelledRows secret = draw();
  return {secret, draw()};
}

}  // namespace pm::testing_support
