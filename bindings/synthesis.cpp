// Turns rows into one model of synthetic rows, and draws rows from it.
#include "core/synthesis/fit/synthesis.hpp"

#include <emscripten/bind.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/intake_handle.hpp"
#include "bindings/matrices.hpp"
#include "bindings/rows.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/synthesis/fit/model_figures.hpp"

namespace pm::js {
namespace {

// Nothing if the core is to choose.
std::optional<SynthesisNoise> noiseOf(const val& object) {
  const std::string wanted = text(object, "noise");
  for (const SynthesisNoise noise : kEverySynthesisNoise) {
    if (wanted == name(noise)) return noise;
  }
  return {};
}

// { columns, missing, neighbours, unit, epsilon, delta, rowNorm, label, task, components,
// projection: { source, share, fraction, noise?, seed }, noise?, covariance, sums, aboutMean,
// radius, labelsPublic }
Result<SynthesisTerms> termsOf(const val& options) {
  const auto task = named<SynthesisTask>(options, "task", Code::kInvalidSynthesis,
                                         {{"classification", SynthesisTask::kClassification},
                                          {"regression", SynthesisTask::kRegression},
                                          {"density", SynthesisTask::kDensity},
                                          {"spectrum", SynthesisTask::kSpectrum}});
  if (!task.ok()) return task.error();
  const val projection = options["projection"];
  const auto source = named<ProjectionSource>(projection, "source", Code::kInvalidSynthesis,
                                              {{"none", ProjectionSource::kNone},
                                               {"public", ProjectionSource::kPublic},
                                               {"random", ProjectionSource::kRandom},
                                               {"private", ProjectionSource::kPrivate},
                                               {"split", ProjectionSource::kSplit}});
  if (!source.ok()) return source.error();
  const auto covariance = named<CovarianceChoice>(options, "covariance", Code::kInvalidSynthesis,
                                                  {{"per-class", CovarianceChoice::kPerClass},
                                                   {"shared", CovarianceChoice::kShared},
                                                   {"chosen", CovarianceChoice::kChosen}});
  if (!covariance.ok()) return covariance.error();
  const auto sums = named<SumsForm>(options, "sums", Code::kInvalidSynthesis,
                                    {{"joint", SumsForm::kJoint}, {"steps", SumsForm::kStepwise}});
  if (!sums.ok()) return sums.error();
  const Result<MissingRule> missing = missingRuleOf(options);
  if (!missing.ok()) return missing.error();
  const Result<Neighbours> neighbours = neighboursOf(options);
  if (!neighbours.ok()) return neighbours.error();
  const Result<Unit> unit = unitOf(options);
  if (!unit.ok()) return unit.error();
  SynthesisTerms terms;
  terms.columns = columnsOf(options["columns"]);
  terms.label = integer(options, "label");
  terms.task = task.value();
  terms.components = integer(options, "components");
  terms.projection = {source.value(), number(projection, "share"), number(projection, "fraction"),
                      noiseOf(projection), std::uint64_t(number(projection, "seed"))};
  terms.noise = noiseOf(options);
  terms.covariance = covariance.value();
  terms.sums = sums.value();
  terms.about_mean = options["aboutMean"].isTrue();
  terms.radius = number(options, "radius");
  terms.labels_public = options["labelsPublic"].isTrue();
  terms.epsilon = number(options, "epsilon");
  terms.delta = number(options, "delta");
  terms.row_norm = number(options, "rowNorm");
  terms.missing = missing.value();
  terms.neighbours = neighbours.value();
  terms.unit = unit.value();
  return terms;
}

// A model over unnamed directions. `columns` receives those of its rows, with bounds at the unit,
// as no row is longer.
RowModel spectrumModel(const Synthesis& synthesis, double unit, std::vector<Column>& columns) {
  const Eigen::VectorXd variances = synthesis.variances / (unit * unit);
  columns.assign(std::size_t(variances.size()), {Column::Kind::kNumber, -unit, unit, 0});
  return {{{1, Eigen::VectorXd::Zero(variances.size()), variances.asDiagonal(), -1}}};
}

class PublicRowsHandle : public RowsHandle {
 public:
  explicit PublicRowsHandle(std::shared_ptr<SynthesisTable> table) : table_(std::move(table)) {}
  Status take(std::span<const double> rows) override { return table_->addPublic(rows); }

 private:
  std::shared_ptr<SynthesisTable> table_;
};

class TableHandle : public RowsHandle {
 public:
  TableHandle(SynthesisTable table, double bytes)
      : table_(std::make_shared<SynthesisTable>(std::move(table))) {
    const SynthesisPlan& plan = table_->plan();
    const bool projected = plan.terms.projection.source != ProjectionSource::kNone;
    // A row with its label takes features + 1 numbers, and its projection is stored as well.
    const double numbers = plan.features + 1 + (projected ? plan.components + 2 : 1);
    most_rows_ = std::uint64_t(bytes / (numbers * sizeof(std::int32_t)));
  }

  Status take(std::span<const double> rows) override {
    const std::uint64_t before = table_->counts().rows;
    if (before + rows.size() / table_->plan().terms.columns.size() > most_rows_) {
      return Error{Code::kTooManyRows,
                   "the rows are held in memory, which has room for only " +
                       std::to_string(most_rows_) + " rows of this study",
                   "", std::int64_t(most_rows_)};
    }
    return table_->add(rows);
  }

  val publicRows() const { return val(std::make_shared<PublicRowsHandle>(table_)); }

  val counts() const { return objectOf(table_->counts()); }

  val guarantee() const { return objectOf(table_->plan().guarantee); }

  /// { rows, seed, viewPairs, components, context }: `rows` to draw, or null for as many as the
  /// table has, from `seed`. The figures of the released model and of the rows include the
  /// canonical correlations of `viewPairs`. Can be called once.
  val synthesise(const val& options) {
    const SynthesisPlan plan = table_->plan();
    Result<Synthesis> made = pm::synthesise(*table_, entropyWith(text(options, "context")));
    table_.reset();
    if (!made.ok()) return failure(made.error());
    const Synthesis& synthesis = made.value();

    std::vector<Column> columns = plan.terms.columns;
    const int label = plan.classes > 0 ? plan.terms.label : -1;
    const RowModel model =
        plan.spectrum ? spectrumModel(synthesis, plan.unit, columns) : synthesis.model;
    const std::uint64_t most = std::uint64_t(kMostCells) / columns.size();
    const std::uint64_t rows = countIn(options["rows"]).value_or(std::min(synthesis.rows, most));
    const std::uint64_t seed = std::uint64_t(number(options, "seed"));
    Drbg random = simulationDrbg(seed);
    Result<SyntheticRows> rows_drawn = drawRows(model, columns, label, std::int64_t(rows), random);
    if (!rows_drawn.ok()) return failure(rows_drawn.error());
    Result<DrawnRows> drawn = drawnRows(std::move(rows_drawn).value(), columns, options);
    if (!drawn.ok()) return failure(drawn.error());
    Drbg simulated = simulationDrbg(seed, 1);
    const int components = integer(options, "components");
    Result<RowFigures> figures =
        plan.spectrum
            ? figuresOfMoments(model.components[0].mean, model.components[0].covariance, columns,
                               {}, components)
            : figuresOfModel(plan, synthesis, viewPairsOf(options), components, simulated);
    if (!figures.ok()) return failure(figures.error());
    return success(SynthesisResult{std::move(drawn).value(), std::move(figures).value(), plan.unit,
                                   plan.terms.radius, std::move(made).value(), plan.steps()});
  }

 private:
  std::shared_ptr<SynthesisTable> table_;
  std::uint64_t most_rows_;
};

// createTable({ ...terms, bytes }): { ok, table }; `bytes` limits the memory for its rows.
val createTable(const val& options) {
  Result<SynthesisTerms> terms = termsOf(options);
  if (!terms.ok()) return failure(terms.error());
  Result<SynthesisTable> table = SynthesisTable::create(std::move(terms).value());
  if (!table.ok()) return failure(table.error());
  val result = success();
  put(result, "table",
      val(std::make_shared<TableHandle>(std::move(table).value(), number(options, "bytes"))));
  return result;
}

std::string version() { return PM_VERSION; }

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(synthesis) {
  using emscripten::class_;
  using pm::js::PublicRowsHandle;
  using pm::js::RowsHandle;
  using pm::js::TableHandle;
  class_<PublicRowsHandle, emscripten::base<RowsHandle>>("PublicRows")
      .smart_ptr<std::shared_ptr<PublicRowsHandle>>("PublicRowsPointer");
  class_<TableHandle, emscripten::base<RowsHandle>>("RowTable")
      .smart_ptr<std::shared_ptr<TableHandle>>("RowTablePointer")
      .function("publicRows", &TableHandle::publicRows)
      .function("counts", &TableHandle::counts)
      .function("guarantee", &TableHandle::guarantee)
      .function("synthesise", &TableHandle::synthesise);
  emscripten::function("createTable", &pm::js::createTable);
  emscripten::function("version", &pm::js::version);
}
