#include "bindings/analysis_input.hpp"

#include "bindings/matrices.hpp"

namespace pm::js {

std::vector<int> indicesIn(const val& array) {
  std::vector<int> indices;
  for (const double v : numbers(array)) indices.push_back(v >= 0 && v < 1e6 ? int(v) : -1);
  return indices;
}

SumNoise sumNoiseIn(const val& noise) {
  SumNoise law;
  law.diagonal = number(noise, "diagonal");
  law.off_diagonal = number(noise, "offDiagonal");
  law.linear = number(noise, "linear");
  law.count = number(noise, "count");
  law.releases = integer(noise, "releases");
  law.freedom = integer(noise, "freedom");
  law.family = noiseFamily(text(noise, "distribution"));
  return law;
}

Frame frameIn(const val& options) {
  Frame frame = {vectorIn(options["centre"]), vectorIn(options["units"])};
  if (const val mix = options["mix"]; !mix.isUndefined()) {
    frame.mix = squareIn(mix, integer(options, "dimension"));
    frame.unmix = squareIn(options["unmix"], integer(options, "dimension"));
  }
  return frame;
}

GapSampling gapsIn(const val& options) {
  const val excess = options["excess"];
  if (excess.isUndefined()) return {};
  return {number(options, "sampledRows"), vectorIn(excess)};
}

MomentSums momentSumsIn(const val& options) {
  MomentSums sums;
  sums.packed = numbers(options["sums"]);
  sums.dimension = integer(options, "dimension");
  sums.constant = number(options, "constant");
  if (options["rows"].isNumber()) sums.rows = number(options, "rows");
  sums.noise = sumNoiseIn(options["noise"]);
  sums.mid = vectorIn(options["mid"]);
  sums.half = vectorIn(options["half"]);
  sums.frame = frameIn(options);
  if (const val centres = options["noiseCentres"]; !centres.isUndefined()) {
    sums.noise_centres = numbers(centres);
  }
  if (const val map = options["noiseMap"]; !map.isUndefined()) {
    sums.noise_map = matrixIn(map, sums.dimension + 1);
  }
  sums.gaps = gapsIn(options);
  return sums;
}

void readNoisyCovariance(const val& options, NoisyCovariance& data) {
  data.covariance = squareIn(options["scaledCovariance"], integer(options, "dimension"));
  data.noise = {number(options, "sdDiagonal"), number(options, "sdOffDiagonal"),
                noiseFamily(text(options, "distribution")), integer(options, "releases"),
                integer(options, "freedom")};
  data.trace_bound = number(options, "bound");
  data.half = vectorIn(options["half"]);
  data.columns = indicesIn(options["columns"]);
  data.mean_noise = matrixIn(options["meanNoise"], data.covariance.rows());
  data.frame = frameIn(options);
  data.centre_spread = packedIn(options["centreSpread"], integer(options, "dimension"));
  if (options["betweenViews"].isNumber()) data.between_views = number(options, "betweenViews");
  if (options["traceLost"].isNumber()) data.trace_lost = number(options, "traceLost");
}

Rotation rotationIn(const val& options) {
  const val method = options["rotation"];
  if (!method.isString()) return Rotation::kNone;
  return method.as<std::string>() == "promax" ? Rotation::kPromax : Rotation::kVarimax;
}

PcaInput pcaInputIn(const val& options) {
  PcaInput input;
  readNoisyCovariance(options, input);
  input.components = integer(options, "components");
  input.rotation = rotationIn(options);
  return input;
}

CcaInput ccaInputIn(const val& options) {
  CcaInput input;
  readNoisyCovariance(options, input);
  input.x = indicesIn(options["x"]);
  input.y = indicesIn(options["y"]);
  input.components = integer(options, "components");
  input.rows = number(options, "rows");
  return input;
}

GccaInput gccaInputIn(const val& options) {
  GccaInput input;
  readNoisyCovariance(options, input);
  const val views = options["views"];
  for (int v = 0; v < integer(views, "length"); ++v) input.views.push_back(indicesIn(views[v]));
  input.components = integer(options, "components");
  input.rows = number(options, "rows");
  return input;
}

}  // namespace pm::js
