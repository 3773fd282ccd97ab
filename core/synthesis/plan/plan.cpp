#include "core/synthesis/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/moments/limits.hpp"
#include "core/moments/row_rules.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/synthesis/plan/selection.hpp"

namespace pm {
namespace {

// Shares of the budget after the projection. The first three are for counts, sums and scatter of
// classes, the next two for the mean and the scatter of all rows.
constexpr double kCountsShare = 0.05, kSumsShare = 0.35, kClassScatterShare = 0.6;
constexpr double kMeanShare = 0.25, kScatterShare = 0.75;
constexpr double kChoiceShare = 0.1;
constexpr double kSpectrumMeanShare = 0.3;

// Margin below the largest mu that a search finds.
constexpr double kSearchMargin = 1 - 0x1p-30;

Error misfit(const char* message, const char* field) {
  return {Code::kInvalidSynthesis, message, field};
}

// A query that has not been calibrated yet.
struct PlannedStep {
  const char* what;
  std::optional<Step> SynthesisPlan::*place;
  Query query;
  SynthesisNoise kind;
  double share;
};

// Accesses to the same rows. All shares together have sum 1.
struct Access {
  std::vector<PlannedStep> planned_steps;
  double choice = 0;  // share of the private choice
};

MechanismParams paramsOf(const SynthesisTerms& terms) {
  MechanismParams params{};
  params.epsilon = terms.epsilon;
  params.delta = terms.delta;
  params.neighbours = terms.neighbours;
  params.unit = terms.unit;
  params.dimension = 1;
  params.row_norm = terms.row_norm;
  return params;
}

Status checkLabel(const SynthesisTerms& terms) {
  const bool labelled =
      terms.task == SynthesisTask::kClassification || terms.task == SynthesisTask::kRegression;
  if (!labelled) {
    if (terms.label == -1) return {};
    return misfit("the tasks density and spectrum take no label; remove label", "label");
  }
  if (terms.label < 0 || std::size_t(terms.label) >= terms.columns.size()) {
    return misfit("classification and regression need a column of the study as label", "label");
  }
  const bool category = terms.columns[std::size_t(terms.label)].kind == Column::Kind::kCategory;
  if (category == (terms.task == SynthesisTask::kClassification)) return {};
  return misfit("the label must be a category for classification, a number for regression",
                "label");
}

Status checkOptions(const SynthesisTerms& terms) {
  if (terms.neighbours != Neighbours::kReplaceOne) {
    return Error{Code::kInvalidNeighbours, "synthetic rows need neighbours replace-one",
                 "neighbours"};
  }
  if (terms.unit != Unit::kRow) {
    return Error{Code::kInvalidUnit, "synthetic rows need unit row", "unit"};
  }
  if (terms.missing == MissingRule::kDrop) {
    return Error{Code::kInvalidMissingRule,
                 "dropping rows changes their number, which is public under replace-one; use "
                 "centre or error",
                 "missing"};
  }
  if (const Status wrong = refusePartialRows(terms.missing)) return wrong;
  if (!(terms.radius > 0 && terms.radius <= 4)) {
    return Error{Code::kInvalidRowNorm, "radius must be above 0 and at most 4", "radius"};
  }
  const ProjectionTerms& projection = terms.projection;
  if (!(projection.share > 0 && projection.share < 1)) {
    return misfit("the projection's share must be between 0 and 1", "projection.share");
  }
  if (!(projection.fraction > 0 && projection.fraction < 1)) {
    return misfit("the projection's fraction of rows must be between 0 and 1",
                  "projection.fraction");
  }
  const bool mixture = terms.task == SynthesisTask::kClassification;
  if (terms.labels_public && !mixture) {
    return misfit("labels can be public for classification only", "labelsPublic");
  }
  if (terms.covariance != CovarianceChoice::kPerClass && !mixture) {
    return misfit("a shared covariance needs the task classification", "covariance");
  }
  if (terms.about_mean && terms.task != SynthesisTask::kSpectrum) {
    return misfit("aboutMean applies to the spectrum task only", "aboutMean");
  }
  if (terms.sums == SumsForm::kJoint && terms.task == SynthesisTask::kSpectrum) {
    return misfit("the spectrum task does not support joint sums", "sums");
  }
  if (terms.task == SynthesisTask::kSpectrum && projection.source != ProjectionSource::kNone) {
    return misfit("the spectrum task takes no projection", "projection");
  }
  const bool gaussian =
      terms.noise == SynthesisNoise::kGaussian || projection.noise == SynthesisNoise::kGaussian;
  return checkParams(paramsOf(terms), gaussian ? Budget::kApproximate : Budget::kPure);
}

// Fills in features, components, classes and unit.
Status measure(SynthesisPlan& plan) {
  const SynthesisTerms& terms = plan.terms;
  const Result<RowEncoder> encoder = RowEncoder::create(terms.columns);
  if (!encoder.ok()) return encoder.error();
  plan.features = encoder.value().features();
  int columns = int(terms.columns.size());
  if (terms.label >= 0) {
    const Column& label = terms.columns[std::size_t(terms.label)];
    plan.features -= label.features();
    --columns;
    plan.label_feature = firstFeature(terms.columns, terms.label);
    if (terms.task == SynthesisTask::kClassification) plan.classes = label.levels;
  }
  if (plan.features < 1) {
    return Error{Code::kInvalidDimension, "the study needs a column besides the label", "columns"};
  }
  plan.components = terms.components == 0 ? plan.features : terms.components;
  // If a label is part of the length, R is not scaled.
  const bool labelled =
      terms.task == SynthesisTask::kRegression && terms.sums == SumsForm::kStepwise;
  if (terms.projection.source == ProjectionSource::kRandom && !labelled) {
    plan.terms.radius *= std::sqrt(double(plan.components) / plan.features);
  }
  const bool spectrum = terms.task == SynthesisTask::kSpectrum;
  const bool projected = terms.projection.source != ProjectionSource::kNone;
  if (plan.components < 1 || plan.components > plan.features ||
      (!spectrum && projected != (plan.components < plan.features))) {
    return Error{Code::kInvalidComponents,
                 "components must be a whole number from 1 to the number of features without the "
                 "label, and smaller only with a projection",
                 "components"};
  }
  plan.unit = std::min(terms.row_norm, std::sqrt(double(columns)));
  return {};
}

// The cost of all steps if the Gaussian ones have mu `t` together.
Accountant costOf(const Access& access, double epsilon, double t) {
  Accountant accountant;
  double gaussian = 0;
  for (const PlannedStep& planned : access.planned_steps) {
    if (planned.kind == SynthesisNoise::kGaussian) {
      gaussian += planned.share;
    } else {
      accountant.add(Cost::pure(planned.share * epsilon));
    }
  }
  if (access.choice > 0) accountant.add(Cost::pure(access.choice * epsilon));
  if (gaussian > 0) accountant.add(Cost::gdp(t));
  return accountant;
}

// The largest mu that the Gaussian steps can have together.
double gaussianBudget(const Access& access, double epsilon, double delta) {
  double most = gdpOfEpsilonDelta(epsilon, delta), least = 0;
  if (costOf(access, epsilon, most).deltaAt(epsilon) <= delta) return most;
  for (int i = 0; i < 50; ++i) {
    const double middle = (least + most) / 2;
    (costOf(access, epsilon, middle).deltaAt(epsilon) <= delta ? least : most) = middle;
  }
  return least * kSearchMargin;
}

// The budget of each pending step: pure epsilon, or mu.
std::vector<double> budgetsOf(const Access& access, double epsilon, double delta) {
  double gaussian = 0;
  for (const PlannedStep& planned : access.planned_steps) {
    if (planned.kind == SynthesisNoise::kGaussian) gaussian += planned.share;
  }
  const double mu = gaussian > 0 ? gaussianBudget(access, epsilon, delta) : 0;
  std::vector<double> budgets;
  for (const PlannedStep& planned : access.planned_steps) {
    budgets.push_back(planned.kind == SynthesisNoise::kGaussian
                          ? mu * std::sqrt(planned.share / gaussian)
                          : epsilon * planned.share);
  }
  return budgets;
}

// The cost of accesses to the same rows.
struct Spent {
  Accountant accountant;
  double samples = 0;
  bool pure = true;         // all accesses are pure
  bool mixed = false;       // some accesses are pure
  std::vector<Part> parts;  // Gaussian ones still without epsilon and delta
};

Part purePart(const char* what, double epsilon) {
  return {what, epsilon, 0, gdpOfPure(epsilon), productUp(epsilon, epsilon) / 2};
}

void spend(Spent& spent, const Step& step) {
  if (step.kind != SynthesisNoise::kGaussian) {
    spent.accountant.add(Cost::pure(step.budget));
    spent.mixed = true;
    spent.parts.push_back(purePart(step.what, step.budget));
    return;
  }
  const double mu = step.mu();
  const double samples = double(step.query.entries());
  spent.accountant.add(Cost::gdp(mu));
  spent.pure = false;
  spent.samples += samples;
  spent.parts.push_back({step.what, 0, 0, mu, zcdpOfGdp(mu), samplerDistance(samples)});
}

void spendOnChoice(Spent& spent, double epsilon) {
  if (epsilon == 0) return;
  spent.accountant.add(Cost::pure(epsilon));
  spent.mixed = true;
  spent.parts.push_back(purePart("choice of the covariance", epsilon));
}

// The delta at the study's epsilon.
double deltaOf(Spent& spent, double epsilon) {
  if (spent.pure) return 0;
  if (!spent.mixed) return certifiedDelta(epsilon, spent.accountant.gdp(), spent.samples);
  spent.accountant.addDistance(samplerDistance(spent.samples));
  return spent.accountant.deltaAt(epsilon);
}

void certify(SynthesisPlan& plan) {
  const SynthesisTerms& terms = plan.terms;
  const bool split = terms.projection.source == ProjectionSource::kSplit;
  Spent model, held_out;
  if (plan.projection) spend(split ? held_out : model, *plan.projection);
  for (const std::optional<Step>* step :
       {&plan.counts, &plan.means, &plan.scatter, &plan.moments, &plan.spectrum}) {
    if (*step) spend(model, **step);
  }
  spendOnChoice(model, plan.choice_epsilon);

  Guarantee& g = plan.guarantee = guaranteeFor(paramsOf(terms), Numerics::kExact);
  const bool pure = model.pure && held_out.pure;
  const double delta = std::max(deltaOf(model, terms.epsilon), deltaOf(held_out, terms.epsilon));
  g.delta = pure ? 0 : std::max(terms.delta, delta);
  g.gdp = std::max(model.accountant.gdp(), held_out.accountant.gdp());
  g.zcdp = std::max(model.accountant.zcdp(), held_out.accountant.zcdp());
  // Neighbours differ in a row of one of the two parts.
  g.total_variation = samplerDistance(std::max(model.samples, held_out.samples));
  g.parts = std::move(held_out.parts);
  g.parts.insert(g.parts.end(), model.parts.begin(), model.parts.end());
  for (Part& part : g.parts) {
    if (part.total_variation > 0) certifyPart(part, g);
  }
  if (g.delta > terms.delta) {
    g.assumes.push_back(
        "at this epsilon the sampler's tail is too short for the requested delta: treat the "
        "release as not private");
  }
  if (terms.projection.source == ProjectionSource::kPublic) {
    g.assumes.push_back("the rows that determine the projection are public");
  }
  if (split) {
    g.assumes.push_back(
        "the rows for the projection are chosen by position alone, and a replacing row takes the "
        "position of the replaced one");
  }
  if (terms.labels_public) {
    g.assumes.push_back(
        "labels are public: a replacing row has the label of the replaced one, and the number of "
        "rows in each class is revealed");
  }
}

// Assigns the budget to the steps of one synthesis.
class Planner {
 public:
  explicit Planner(SynthesisPlan& plan) : plan_(plan), terms_(plan.terms) {}

  Status run() {
    if (terms_.task == SynthesisTask::kSpectrum) {
      planSpectrum();
    } else {
      planModel();
    }
    planProjection();
    if (const Status wrong = assign(model_)) return wrong;
    return assign(held_out_);
  }

 private:
  SynthesisNoise kindOf(const Query& query, const std::optional<SynthesisNoise>& asked) const {
    if (asked) return kindFor(query, *asked);
    return terms_.delta > 0 ? SynthesisNoise::kGaussian : leastPureNoise(query);
  }

  void planSpectrum() {
    const Query query = spectrumQuery(plan_.features, plan_.components, kRowBits);
    SynthesisNoise kind = kindOf(query, terms_.noise);
    if (!terms_.noise && terms_.delta > 0) {
      const SynthesisNoise pure = leastPureNoise(query);
      const double mu = gdpOfEpsilonDelta(terms_.epsilon, terms_.delta);
      if (noiseEnergy(query, pure, terms_.epsilon) <= noiseEnergy(query, kind, mu)) kind = pure;
    }
    const double mean_share = terms_.about_mean ? kSpectrumMeanShare : 0;
    if (mean_share > 0) {
      const Query sums = sumsQuery(1, plan_.features, kRowBits);
      SynthesisNoise of_mean = kind;
      if (kind != SynthesisNoise::kGaussian) {
        of_mean = terms_.noise ? kindFor(sums, *terms_.noise) : leastPureNoise(sums);
      }
      model_.planned_steps.push_back({"means", &SynthesisPlan::means, sums, of_mean, mean_share});
    }
    model_.planned_steps.push_back(
        {"spectrum", &SynthesisPlan::spectrum, query, kind, 1 - mean_share});
  }

  Query scatterAt(int bits) const {
    const std::uint64_t length = std::uint64_t{1} << bits;
    const bool one = plan_.classes == 0 || terms_.covariance == CovarianceChoice::kShared;
    return scatterQuery(one ? 1 : plan_.classes, coordinates(), bits, length,
                        !one && !terms_.labels_public);
  }

  Query momentsAt(int bits) const {
    const bool labelled = terms_.task == SynthesisTask::kRegression;
    return momentsQuery(plan_.classes, plan_.components, labelled, bits,
                        plan_.classes > 0 && !terms_.labels_public);
  }

  // Entries of a row after projection, including a number label.
  int coordinates() const {
    return plan_.components + (terms_.task == SynthesisTask::kRegression ? 1 : 0);
  }

  void planModel() {
    const bool chosen = terms_.covariance == CovarianceChoice::kChosen;
    model_.choice = chosen ? kChoiceShare : 0;
    const double rest = 1 - model_.choice;
    if (terms_.sums == SumsForm::kJoint) {
      const Query moments = momentsAt(kRowBits);
      model_.planned_steps = {
          {"moments", &SynthesisPlan::moments, moments, kindOf(moments, terms_.noise), rest}};
      return;
    }
    const Query scatter = scatterAt(kRowBits);
    const SynthesisNoise kind = kindOf(scatter, terms_.noise);
    const auto add = [&](const char* what, std::optional<Step> SynthesisPlan::*place,
                         const Query& query, double share) {
      model_.planned_steps.push_back({what, place, query, kindFor(query, kind), share * rest});
    };
    if (plan_.classes == 0) {
      const bool labelled = terms_.task == SynthesisTask::kRegression;
      add("means", &SynthesisPlan::means,
          labelled ? labelledSumQuery(plan_.components, kRowBits)
                   : sumsQuery(1, plan_.components, kRowBits),
          kMeanShare);
      add("scatter", &SynthesisPlan::scatter, scatter, kScatterShare);
      return;
    }
    const double counts = terms_.labels_public ? 0 : kCountsShare;
    if (counts > 0) add("counts", &SynthesisPlan::counts, countsQuery(plan_.classes), counts);
    const double others = (1 - counts) / (kSumsShare + kClassScatterShare);
    add("means", &SynthesisPlan::means, sumsQuery(plan_.classes, plan_.components, kRowBits),
        kSumsShare * others);
    add("scatter", &SynthesisPlan::scatter, scatter, kClassScatterShare * others);
  }

  void planProjection() {
    const ProjectionTerms& projection = terms_.projection;
    const bool split = projection.source == ProjectionSource::kSplit;
    if (!split && projection.source != ProjectionSource::kPrivate) return;
    const Query query =
        scatterQuery(1, plan_.features, kRowBits, featureBound(kRowBits, plan_.unit), false);
    const PlannedStep planned{"projection", &SynthesisPlan::projection, query,
                              kindOf(query, projection.noise), split ? 1 : projection.share};
    if (split) {
      held_out_.planned_steps.push_back(planned);
      return;
    }
    for (PlannedStep& other : model_.planned_steps) other.share *= 1 - projection.share;
    model_.choice *= 1 - projection.share;
    model_.planned_steps.insert(model_.planned_steps.begin(), planned);
  }

  Status assign(const Access& access) {
    const std::vector<double> budgets = budgetsOf(access, terms_.epsilon, terms_.delta);
    if (access.choice > 0) {
      plan_.choice_epsilon = std::min(access.choice * terms_.epsilon, kMostChoiceEpsilon);
      if (plan_.choice_epsilon < std::ldexp(1.0, -kChoiceBits)) return noiseTooLarge();
    }
    for (std::size_t i = 0; i < budgets.size(); ++i) {
      const PlannedStep& planned = access.planned_steps[i];
      const bool moments = planned.place == &SynthesisPlan::moments;
      const bool scatter = planned.place == &SynthesisPlan::scatter;
      Result<Step> step = calibrate(planned.what, planned.query, planned.kind, budgets[i]);
      if (scatter || moments) {
        // The grid of rows clipped to R is arbitrary; take the finest that can hold the noise.
        int bits = kRowBits;
        while (!step.ok() && bits > kMinBits) {
          --bits;
          step = calibrate(planned.what, moments ? momentsAt(bits) : scatterAt(bits), planned.kind,
                           budgets[i]);
        }
        plan_.scatter_bits = bits;
      }
      if (!step.ok()) return step.error();
      if (scatter || (planned.place == &SynthesisPlan::spectrum && terms_.about_mean)) {
        step.value().query.unit *= terms_.radius * terms_.radius;
      }
      plan_.*planned.place = std::move(step).value();
    }
    return {};
  }

  SynthesisPlan& plan_;
  const SynthesisTerms& terms_;
  Access model_, held_out_;
};

}  // namespace

std::vector<Step> SynthesisPlan::steps() const {
  std::vector<Step> made;
  for (const std::optional<Step>* step :
       {&projection, &counts, &means, &scatter, &moments, &spectrum}) {
    if (*step) made.push_back(**step);
  }
  return made;
}

Result<SynthesisPlan> planSynthesis(const SynthesisTerms& terms) {
  if (const Status wrong = checkOptions(terms)) return *wrong;
  if (const Status wrong = checkLabel(terms)) return *wrong;
  SynthesisPlan plan;
  plan.terms = terms;
  if (const Status wrong = measure(plan)) return *wrong;
  if (const Status wrong = Planner(plan).run()) return *wrong;
  certify(plan);
  return plan;
}

}  // namespace pm
