// Draws synthetic rows for experiments/pca_gauss/judge.py, which sends data and methods over
// standard input and reads rows from standard output. The protocol consists of text lines, each
// followed by doubles in this machine's format.
//
//   data <task> <classes> <rows> <public rows> <columns>
//     followed by rows and public rows: columns in [-1, 1], then the label (class index, number in
//     [-1, 1], or 0); no answer
//   core <option=value> ...       a synthesis of core/synthesis
//   published <option=value> ...  a synthesizer of core/research
//     answered with "rows <n> <coordinates> <columns>", the columns x coordinates projection (by
//     column), n x coordinates rows and n labels; the coordinates of a real row are its columns
//     divided by sqrt(number of columns), times the projection. Directions that no guarantee covers
//     are not told: columns is then 0, and rows are about the origin
#include "core/synthesis/fit/synthesis.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"
#include "core/research/synthesizers/synthesizers.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/table.hpp"

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

[[noreturn]] void fail(const std::string& message) {
  std::cerr << "synthesis: " << message << '\n';
  std::exit(2);
}

template <class T>
T valueOf(pm::Result<T> result) {
  if (!result.ok()) fail(std::string(result.error().field) + ": " + result.error().message);
  return std::move(result).value();
}

void check(const pm::Status& status) {
  if (status) fail(std::string(status->field) + ": " + status->message);
}

struct Data {
  pm::LabelKind label = pm::LabelKind::kNone;
  int classes = 0;
  Rows secret, open;  ///< label last
};

struct Drawn {
  Matrix projection;
  pm::LabelledRows rows;
};

/// The options of a command line, after its first word.
class Options {
 public:
  explicit Options(std::istream& line) {
    for (std::string word; line >> word;) {
      const std::size_t at = word.find('=');
      values_[word.substr(0, at)] = word.substr(at + 1);
    }
  }
  std::string text(const std::string& name, const std::string& absent) const {
    const auto found = values_.find(name);
    return found == values_.end() ? absent : found->second;
  }
  double number(const std::string& name, double absent) const {
    const auto found = values_.find(name);
    return found == values_.end() ? absent : std::stod(found->second);
  }
  bool has(const std::string& name) const { return values_.contains(name); }

  template <class T>
  T one(const std::string& name, const std::string& absent,
        const std::map<std::string, T>& of) const {
    const auto found = of.find(text(name, absent));
    if (found == of.end()) fail(name + " cannot be " + text(name, absent));
    return found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

Rows readRows(Eigen::Index rows, Eigen::Index columns) {
  Rows read(rows, columns);
  std::cin.read(reinterpret_cast<char*>(read.data()), std::streamsize(read.size() * 8));
  return read;
}

Data readData(std::istream& line) {
  const std::map<std::string, pm::LabelKind> kinds = {{"classification", pm::LabelKind::kClass},
                                                      {"regression", pm::LabelKind::kNumber},
                                                      {"density", pm::LabelKind::kNone}};
  std::string task;
  Data data;
  Eigen::Index rows = 0, open = 0, columns = 0;
  line >> task >> data.classes >> rows >> open >> columns;
  data.label = kinds.at(task);
  data.secret = readRows(rows, columns + 1);
  data.open = readRows(open, columns + 1);
  return data;
}

const std::map<std::string, pm::SynthesisNoise> kNoise = {
    {"laplace", pm::SynthesisNoise::kLaplace},
    {"gaussian", pm::SynthesisNoise::kGaussian},
    {"frobenius", pm::SynthesisNoise::kFrobenius},
    {"two-sided-wishart", pm::SynthesisNoise::kTwoSidedWishart}};

/// Numeric columns about `centre` and, if there is one, the label.
pm::SynthesisTerms termsOf(const Data& data, const Options& options, const Vector& centre) {
  pm::SynthesisTerms terms;
  for (const double c : centre) {
    terms.columns.push_back({pm::Column::Kind::kNumber, c - 1, c + 1, 0});
  }
  if (data.label != pm::LabelKind::kNone) {
    terms.label = int(terms.columns.size());
    const bool number = data.label == pm::LabelKind::kNumber;
    terms.task = number ? pm::SynthesisTask::kRegression : pm::SynthesisTask::kClassification;
    terms.columns.push_back(number ? pm::Column{pm::Column::Kind::kNumber, -1, 1, 0}
                                   : pm::Column{pm::Column::Kind::kCategory, 0, 0, data.classes});
  }
  if (options.has("spectrum")) terms.task = pm::SynthesisTask::kSpectrum;
  terms.components = int(options.number("p", 0));
  terms.projection.source =
      options.one<pm::ProjectionSource>("projection", "none",
                                        {{"none", pm::ProjectionSource::kNone},
                                         {"public", pm::ProjectionSource::kPublic},
                                         {"random", pm::ProjectionSource::kRandom},
                                         {"private", pm::ProjectionSource::kPrivate},
                                         {"split", pm::ProjectionSource::kSplit}});
  terms.projection.seed = std::uint64_t(options.number("public-seed", 0));
  if (options.has("projection-noise")) {
    terms.projection.noise = options.one("projection-noise", "", kNoise);
  }
  if (options.has("noise")) terms.noise = options.one("noise", "", kNoise);
  terms.covariance =
      options.one<pm::CovarianceChoice>("covariance", "per-class",
                                        {{"per-class", pm::CovarianceChoice::kPerClass},
                                         {"shared", pm::CovarianceChoice::kShared},
                                         {"chosen", pm::CovarianceChoice::kChosen}});
  terms.sums = options.one<pm::SumsForm>(
      "sums", "stepwise", {{"stepwise", pm::SumsForm::kStepwise}, {"joint", pm::SumsForm::kJoint}});
  terms.radius = options.number("radius", terms.radius);
  terms.epsilon = options.number("epsilon", 1);
  terms.delta = options.number("delta", 0);
  terms.row_norm = std::sqrt(double(centre.size()));
  return terms;
}

Drawn core(const Data& data, const Options& options) {
  const Eigen::Index columns = data.secret.cols() - 1;
  const bool labelled = data.label != pm::LabelKind::kNone;
  const bool centred = options.text("centre", "zero") == "public";
  const Vector centre = centred ? Vector(data.open.leftCols(columns).colwise().mean().transpose())
                                : Vector::Zero(columns);
  pm::SynthesisTable table = valueOf(pm::SynthesisTable::create(termsOf(data, options, centre)));
  const auto cells = [&](const Rows& rows) {
    const Rows used = rows.leftCols(columns + (labelled ? 1 : 0));
    return std::vector<double>(used.data(), used.data() + used.size());
  };
  check(table.add(cells(data.secret)));
  if (options.text("projection", "") == "public") check(table.addPublic(cells(data.open)));
  pm::Drbg random = pm::simulationDrbg(std::uint64_t(options.number("seed", 0)));
  pm::DrawnNoise noise(random);
  const pm::Synthesis made = valueOf(pm::synthesise(table, noise));
  const auto drawn = [&](const std::vector<pm::RowComponent>& components) {
    return pm::drawComponents(components, data.label, int(options.number("drawn", 1000)), random);
  };
  if (options.has("spectrum")) {
    const Vector variances = made.variances / double(columns);
    return {{}, drawn({{1, Vector::Zero(variances.size()), variances.asDiagonal()}})};
  }
  std::vector<pm::RowComponent> components;
  double rows = 0;
  for (const pm::ReleasedGaussian& g : made.gaussians) {
    components.push_back({g.rows, g.mean, g.covariance, g.level});
    rows += g.rows;
  }
  for (pm::RowComponent& component : components) component.weight /= rows;
  Drawn result{made.projection, drawn(components)};
  if (result.projection.size() == 0) result.projection = Matrix::Identity(columns, columns);
  const Vector offset = result.projection.transpose() * centre / std::sqrt(double(columns));
  result.rows.rows.rowwise() += offset.transpose();
  return result;
}

pm::LabelledRows labelled(const Data& data, const Rows& rows) {
  const Eigen::Index columns = rows.cols() - 1;
  return {rows.leftCols(columns),
          data.label == pm::LabelKind::kNone ? Vector() : Vector(rows.col(columns))};
}

Drawn published(const Data& data, const Options& options) {
  const pm::PublishedSynthesizer* method = pm::findSynthesizer(options.text("name", ""));
  if (!method) fail("unknown synthesizer " + options.text("name", ""));
  pm::SynthesisParams params{};
  params.epsilon = options.number("epsilon", 1);
  params.delta = options.number("delta", 0);
  params.label = data.label;
  params.classes = data.classes;
  params.components = int(options.number("p", 1));
  params.basis = options.one<pm::BasisSource>(
      "projection", "public",
      {{"public", pm::BasisSource::kPublicRows}, {"private", pm::BasisSource::kLaplace}});
  params.labels_public = options.has("labels-public");
  params.sketch_rows = int(options.number("sketch-rows", params.sketch_rows));
  params.drawn = int(options.number("drawn", 1000));
  params.public_seed = std::uint64_t(options.number("public-seed", 0));
  const pm::SynthesisData input{labelled(data, data.secret), labelled(data, data.open)};
  check(pm::checkSynthesis(*method, params, input));
  pm::Drbg random = pm::simulationDrbg(std::uint64_t(options.number("seed", 0)));
  pm::PublishedSynthesis made = method->run(input, params, random);
  made.projection *= std::sqrt(double(input.secret.rows.cols()));
  return {std::move(made.projection), std::move(made.drawn)};
}

void write(const Drawn& drawn) {
  const Eigen::Index n = drawn.rows.rows.rows(), q = drawn.rows.rows.cols();
  std::cout << "rows " << n << ' ' << q << ' ' << drawn.projection.rows() << '\n';
  const Rows rows = drawn.rows.rows;
  const Vector labels = drawn.rows.labels.size() == n ? drawn.rows.labels : Vector::Zero(n);
  const auto put = [](const double* numbers, Eigen::Index count) {
    std::cout.write(reinterpret_cast<const char*>(numbers), std::streamsize(count * 8));
  };
  put(drawn.projection.data(), drawn.projection.size());
  put(rows.data(), rows.size());
  put(labels.data(), labels.size());
  std::cout.flush();
}

}  // namespace

int main() {
  Data data;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    std::string command;
    line >> command;
    if (command == "data") {
      data = readData(line);
    } else if (command == "core") {
      write(core(data, Options(line)));
    } else if (command == "published") {
      write(published(data, Options(line)));
    } else {
      fail("unknown command " + command);
    }
  }
}
