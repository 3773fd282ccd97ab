#pragma once

#include <span>
#include <vector>

#include "bindings/fields/guarantee.hpp"
#include "core/synthesis/fit/gaussian.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/rows/figures.hpp"
#include "core/synthesis/rows/rows.hpp"

namespace pm {

inline constexpr SynthesisNoise kEverySynthesisNoise[] = {
    SynthesisNoise::kLaplace, SynthesisNoise::kGaussian, SynthesisNoise::kFrobenius,
    SynthesisNoise::kTwoSidedWishart};

template <class Field>
void fields(Field& field, const RowFigures& figures) {
  field("means", figures.means);
  field("meanErrors", figures.mean_errors);
  field("deviations", figures.deviations);
  field("deviationErrors", figures.deviation_errors);
  field("correlations", figures.correlations, "Features x features.");
  field("correlationErrors", figures.correlation_errors);
  field("canonical", figures.canonical, "For each pair of views.");
  field("canonicalErrors", figures.canonical_errors);
}

template <class Field>
void fields(Field& field, const ReleasedGaussian& gaussian) {
  field("level", gaussian.level, "Index of the label's level; -1 without classes.");
  field("rows", gaussian.rows);
  field("mean", gaussian.mean,
        "In the coordinates of the projection, with a numeric label last; units of the unit ball.");
  field("covariance", gaussian.covariance);
}

template <class Field>
void fields(Field& field, const Step& step) {
  field("what", step.what);
  field.oneOf("noise", step.kind, kEverySynthesisNoise);
  field("sd", step.sd());
  field("sdOffDiagonal", step.sdOff());
}

}  // namespace pm

namespace pm::js {

/// Drawn rows and their figures.
struct DrawnRows {
  SyntheticRows rows;
  RowFigures figures;
};

template <class Field>
void fields(Field& field, const DrawnRows& drawn) {
  field("values", drawn.rows.cells,
        "Rows x columns, in original units. For the task spectrum: coordinates in scaled units.");
  field("narrowed", drawn.rows.narrowed,
        "Columns whose variance was reduced to what their bounds allow.");
  field.base(drawn.figures);
}

/// The model that a synthesis releases, and rows drawn from it.
struct SynthesisResult {
  DrawnRows drawn;
  RowFigures released;
  double unit = 0, radius = 0;
  Synthesis synthesis;
  std::vector<Step> steps;
};

template <class Field>
void fields(Field& field, const SynthesisResult& result) {
  const Synthesis& synthesis = result.synthesis;
  field("drawn", result.drawn);
  field("released", result.released);
  field("rows", synthesis.rows);
  field("unit", result.unit, "Radius of the unit ball, in scaled units.");
  field("radius", result.radius);
  field("variances", synthesis.variances, "Scaled units; empty except for the task spectrum.");
  field("projection", synthesis.projection,
        "(Features without the label) x components; empty without a projection.");
  field("shared", synthesis.shared, "One covariance for all classes.");
  field("gaussians", synthesis.gaussians);
  field("steps", result.steps);
  field("guarantee", synthesis.guarantee);
}

}  // namespace pm::js
