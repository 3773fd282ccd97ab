// What crosses from the core to JavaScript (bindings/fields/*.hpp), as the TypeScript that
// tools/generate.mjs writes.
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
        std::fprintf(stderr, "%s has no interface above the one that uses it\n", typeid(T).name());
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
  declare<Promise>("Cost", "A promise in numbers alone.");
  declare<Part>("GuaranteePart", "What one step of a release costs by itself.");
  declare<Guarantee>(
      "Guarantee",
      "What one release promises about one unit of privacy. Computed from the study, "
      "never typed in.");
  declare<NoiseEnvelope>(
      "NoiseEnvelope",
      "The public law of the noise in one release. Scaled units are squared, sums over rows.",
      NoiseEnvelope{plan, 1});
  declare<Description>(
      "Description",
      "What a release of a study is like. Behind masks the guarantee is that of a "
      "sum, and so is the noise's `unit`; its standard deviations are those of the "
      "noise in one release.",
      Description{plan, 1});
  declare<Composition>("RawComposition",
                       "What several guarantees cost together. Figures that are not known, or not "
                       "finite, are absent.");

  declare<ColumnCounts>("RawColumnCounts", "Of one column, shown to the participant only.");
  declare<IntakeCounts>("RawCounts", "Shown to the participant only.");
  declare<CsvLayout>("CsvLayout",
                     "What the header of a CSV file says of its rows; plain enough to be posted.");
  declare<CsvProgress>("RawSection", "How far the section of a file was read.");
  declare<Released>("RawReleased", "A release, in released units.");
  declare<Masked>("RawMasked", "What leaves one site behind masks.");
  declare<AssembledSums>("RawSums", "Packed sums of releases, scaled units.");

  declare<AssembledMoments>("RawMoments", "Moments put together.");
  declare<DenoisedMoments>("RawDenoisedMoments",
                           "The same denoised: how much of the trace and of what tells directions "
                           "apart was kept; see core/analysis.");
  declare<Explained>("RawExplained", "A principal component's variance, scaled units.");
  declare<Pca>("RawPca", "Principal components.");
  declare<CanonicalView>("RawView", "Of one view: features x components.");
  declare<CcaView>("RawCcaView", "The same of a canonical correlation analysis.");
  declare<CanonicalCorrelation>("RawCanonicalCorrelation", "One pair of variates.");
  declare<Cca>("RawCca", "Canonical correlations.");
  declare<SharedComponent>("RawSharedComponent", "What one variate of each view shares.");
  declare<Gcca>("RawGcca", "What several views share.");
  declare<Components>("RawComponents", "Directions put together.");
  declare<Interval>("RawInterval", "Both ends.");
  declare<FigureInterval>("RawFigureInterval", "An interval by simulation.");
  declare<ViewIntervals>("RawViewIntervals",
                         "Bounds of the matrices of a view, or of `RawPca`, of the same shape.");
  declare<SharedIntervals>("RawSharedIntervals", "Intervals of what views share.");
  declare<PcaIntervals>("RawPcaIntervals", "Intervals of principal components.");
  declare<MomentErrors>("RawStandardErrors", "Standard errors, original units.");
  declare<RegressionFigure>("RawFigure", "A figure of a regression, and its interval.");
  declare<Regression>("RawRidge", "A regression.");
  declare<CorrelationForecast>("RawCorrelation", "What to expect of one planned correlation.");
  declare<Forecast>("RawForecast", "Errors to expect.");

  declare<RowFigures>("RawFigures", "Figures as the core gives them, standard errors beside them.");
  declare<DrawnRows>("RawRows", "Synthetic rows.");
  declare<ReleasedGaussian>("RawGaussian", "A released normal distribution.");
  declare<Step>("RawStep", "One step of a synthesis.");
  declare<SynthesisResult>("RawSynthesis", "What a synthesis releases, and rows of it.");

  declare<Published>("Published", "A mechanism as its paper published it, or a paper's baseline.");
  declare<PublishedSynthesizer>("RawSynthesizer", "A synthesizer as its paper published it.");
  declare<AuditLook>("AuditLook", "What the attacks so far have shown.");
  declare<AuditRun>("RawAuditRun", "Further runs of an audit.");
  declare<LawTest>("AuditLaw", "Draws of the real code against their exact law.");
  declare<AuditRows>("RawTable", "Rows, row-major.");
  declare<AuditSubject>("RawAuditSubject", "What is audited.");
  declare<Reproduction>("RawReproduction", "What a published mechanism made of a matrix.");
  declare<CapeResult>("RawCape", "A simulated run of capeCCA.");
  declare<ComparedRuns>("RawComparedRuns", "Of each run since the last call.");
  declare<SynthesisReproduction>("RawSynthesisReproduction",
                                 "What a published synthesizer made of rows.");
}
