// Prints the structs that cross from the core to JavaScript (bindings/fields/*.hpp) as TypeScript,
// for tools/generate.mjs.
#include <Eigen/Core>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "bindings/fields/analysis.hpp"
#include "bindings/fields/release.hpp"
#include "bindings/fields/research.hpp"
#include "bindings/fields/synthesis.hpp"

namespace {

using namespace pm;

// The interfaces written so far.
std::map<std::type_index, std::string>& interfaces() {
  static std::map<std::type_index, std::string> all;
  return all;
}

template <class T>
struct TypeOf {
  static std::string name() {
    if constexpr (std::is_same_v<T, bool>) {
      return "boolean";
    } else if constexpr (std::is_arithmetic_v<T>) {
      return "number";
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return "string";
    } else {
      const auto found = interfaces().find(typeid(T));
      if (found == interfaces().end()) {
        std::fprintf(stderr, "%s is used before its interface is declared\n", typeid(T).name());
        std::exit(1);
      }
      return found->second;
    }
  }
};

template <>
struct TypeOf<Eigen::MatrixXd> {
  static std::string name() { return "Float64Array"; }
};
template <>
struct TypeOf<Eigen::VectorXd> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<double>> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<int>> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<std::uint8_t>> {
  static std::string name() { return "Uint8Array"; }
};
template <>
struct TypeOf<std::vector<Fact>> {
  static std::string name() { return "Record<string, number | string>"; }
};
template <class T>
struct TypeOf<std::vector<T>> {
  static std::string name() { return TypeOf<T>::name() + "[]"; }
};
template <class T>
struct TypeOf<std::optional<T>> {
  static std::string name() { return TypeOf<T>::name() + " | null"; }
};

class TypeFields {
 public:
  template <class T>
  void operator()(const char* key, const T&, const char* words = nullptr) {
    line(key, "", TypeOf<T>::name(), words);
  }

  template <class T>
  void base(const T&) {
    bases_ += (bases_.empty() ? " extends " : ", ") + TypeOf<T>::name();
  }

  template <class T>
  void when(bool, const char* key, const T&, const char* words = nullptr) {
    line(key, "?", TypeOf<T>::name(), words);
  }

  template <class T, class All>
  void oneOf(const char* key, const T&, const All& all, const char* words = nullptr) {
    line(key, "", unionOf(all), words);
  }

  template <class List, class All>
  void listOf(const char* key, const List&, const All& all, const char* words = nullptr) {
    line(key, "", std::string("(").append(unionOf(all)).append(")[]"), words);
  }

  const std::string& text() const { return text_; }
  const std::string& bases() const { return bases_; }

 private:
  template <class All>
  static std::string unionOf(const All& all) {
    std::string choices;
    for (const auto& one : all) {
      const std::string named = name(one);
      choices += choices.empty() ? "'" : " | '";
      choices += named == "\t" ? "\\t" : named;
      choices += '\'';
    }
    return choices;
  }

  void line(const char* key, const char* mark, const std::string& type, const char* words) {
    if (words != nullptr) text_.append("/** ").append(words).append(" */\n");
    text_.append(key).append(mark).append(": ").append(type).append(";\n");
  }

  std::string text_, bases_;
};

template <class T>
void declare(const char* name, const char* words, const T& sample = T{}) {
  TypeFields out;
  fields(out, sample);
  interfaces()[typeid(T)] = name;
  std::printf("/** %s */\nexport interface %s%s {\n%s}\n\n", words, name, out.bases().c_str(),
              out.text().c_str());
}

}  // namespace

int main() {
  using namespace pm::js;
  const Plan plan{};
  declare<Promise>("Cost", "The parameters of a guarantee.");
  declare<Part>("GuaranteePart", "The cost of one step of a release.");
  declare<Guarantee>(
      "Guarantee",
      "The guarantee of one release for one unit of privacy. Computed from the study, never typed "
      "in.");
  declare<NoiseEnvelope>(
      "NoiseEnvelope",
      "The public law of the noise in one release. Values are sums over rows, in scaled units "
      "squared.",
      NoiseEnvelope{plan, 1});
  declare<Description>(
      "Description",
      "Public properties of a study's releases. With masks, the guarantee and the noise's `unit` "
      "are those of the sum; the standard deviations are those of the noise in one release.",
      Description{plan, 1});
  declare<Composition>("RawComposition",
                       "The total cost of several guarantees. Values that are unknown or infinite "
                       "are absent.");

  declare<ColumnCounts>("RawColumnCounts", "Counts for one column; private to the participant.");
  declare<IntakeCounts>("RawCounts", "Counts of rows; private to the participant.");
  declare<CsvLayout>("CsvLayout",
                     "The layout of a CSV file, from its header. Can be cloned for a worker.");
  declare<CsvProgress>("RawSection", "The part of a file's section that was read.");
  declare<Released>("RawReleased", "A release, in released units.");
  declare<Masked>("RawMasked", "The masked release of one site.");
  declare<AssembledSums>("RawSums", "Packed sums of releases, scaled units.");

  declare<AssembledMoments>("RawMoments", "Moments assembled from releases.");
  declare<DenoisedMoments>("RawDenoisedMoments",
                           "Denoised moments, with the shares of the trace and of the differences "
                           "between directions that were kept; see core/analysis/noise.");
  declare<Explained>("RawExplained", "A principal component's variance, scaled units.");
  declare<Pca>("RawPca", "Principal components.");
  declare<CanonicalView>("RawView", "Results for one view: features x components.");
  declare<CcaView>("RawCcaView", "Results for one view of a canonical correlation analysis.");
  declare<CanonicalCorrelation>("RawCanonicalCorrelation", "One pair of variates.");
  declare<Cca>("RawCca", "Canonical correlations.");
  declare<SharedComponent>("RawSharedComponent", "A component shared by one variate of each view.");
  declare<Gcca>("RawGcca", "Components shared by several views.");
  declare<Components>("RawComponents", "Directions combined from releases.");
  declare<Interval>("RawInterval", "The ends of an interval.");
  declare<FigureInterval>("RawFigureInterval", "An interval by simulation.");
  declare<ViewIntervals>("RawViewIntervals",
                         "Bounds for the matrices of a view or of `RawPca`, in the same shape.");
  declare<SharedIntervals>("RawSharedIntervals", "Intervals of shared components.");
  declare<PcaIntervals>("RawPcaIntervals", "Intervals of principal components.");
  declare<MomentErrors>("RawStandardErrors", "Standard errors, original units.");
  declare<RegressionFigure>("RawFigure", "A figure of a regression with its interval.");
  declare<Regression>("RawRidge", "A regression.");
  declare<CorrelationForecast>("RawCorrelation", "The forecast for one planned correlation.");
  declare<Forecast>("RawForecast", "Expected errors.");

  declare<RowFigures>("RawFigures", "Figures and their standard errors.");
  declare<DrawnRows>("RawRows", "Synthetic rows.");
  declare<ReleasedGaussian>("RawGaussian", "A released normal distribution.");
  declare<Step>("RawStep", "One step of a synthesis.");
  declare<SynthesisResult>("RawSynthesis",
                           "The model that a synthesis releases, and rows drawn from it.");

  declare<Published>("Published", "A mechanism as its paper published it, or a paper's baseline.");
  declare<PublishedSynthesizer>("RawSynthesizer", "A synthesizer as its paper published it.");
  declare<AuditLook>("AuditLook", "The result of the attacks so far.");
  declare<AuditRun>("RawAuditRun", "Further runs of an audit.");
  declare<LawTest>("AuditLaw", "Draws of the real code against their exact law.");
  declare<AuditRows>("RawTable", "Rows, row-major.");
  declare<AuditSubject>("RawAuditSubject", "The subject of an audit.");
  declare<Reproduction>("RawReproduction", "The output of a published mechanism.");
  declare<CapeResult>("RawCape", "A simulated run of capeCCA.");
  declare<ComparedRuns>("RawComparedRuns", "Figures of each run since the last call.");
  declare<SynthesisReproduction>("RawSynthesisReproduction",
                                 "The output of a published synthesizer.");
}
