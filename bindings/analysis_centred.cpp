// The sum of releases with private centring.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "bindings/analysis_input.hpp"
#include "bindings/fields/release.hpp"
#include "bindings/object.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/moments/within_sites.hpp"

namespace pm::js {
namespace {

/// Sums are high 2^53 + low, |low| <= 2^53, so that no digit is lost.
constexpr int kLowBits = 53;

/// So few that 2^23 of them add up to less than 2^63.
constexpr int kWordBits = 40;

/// The scale of a release: { centre, scale, radius, unit, constant, mean, sdDiagonal,
/// sdOffDiagonal, present?, columns? }.
struct ScaleOf {
  explicit ScaleOf(const val& scale)
      : centre(numbers(scale["centre"])), of(numbers(scale["scale"])) {
    map.radius = number(scale, "radius");
    map.unit = number(scale, "unit");
    map.constant = number(scale, "constant");
    map.mean = number(scale, "mean");
    map.diagonal = number(scale, "sdDiagonal");
    map.off_diagonal = number(scale, "sdOffDiagonal");
    map.centre = centre;
    map.scale = of;
    if (scale["present"].isUndefined()) return;
    present = numbers(scale["present"]);
    columns = indicesIn(scale["columns"]);
    map.present = present;
    map.columns = columns;
  }

  std::vector<double> centre;
  std::vector<double> of;
  std::vector<double> present;
  std::vector<int> columns;
  CentredScale map;
};

val statusOf(const Status& status) { return status ? failure(*status) : success(); }

class CentredAssemblyHandle {
 public:
  explicit CentredAssemblyHandle(CentredAssembly assembly) : assembly_(std::move(assembly)) {}

  // `scale` is that of ScaleOf, `rows` null if their number is private, `clipped`
  // { shortened, counts, lost, countSd }.
  val add(const val& values, const val& scale, const val& rows, const val& clipped) {
    const ScaleOf own(scale);
    const ClippedRows did{number(clipped, "shortened"), integer(clipped, "counts"),
                          number(clipped, "lost"), number(clipped, "countSd")};
    return statusOf(assembly_.add(numbers(values), own.map, countIn(rows), did));
  }

  val addSum(const val& high, const val& low, const val& reach, double releases, const val& rows) {
    const std::vector<double> highs = numbers(high), lows = numbers(low);
    const std::vector<double> reaches = numbers(reach);
    std::vector<Int128> sums(std::min(highs.size(), lows.size()));
    const auto fits = [](double v) { return std::fabs(v) <= 0x1p53; };
    bool all = std::all_of(reaches.begin(), reaches.end(), fits);
    for (std::size_t k = 0; all && k < sums.size(); ++k) {
      all = fits(highs[k]) && fits(lows[k]);
      if (all) sums[k] = Int128(highs[k]) * (Int128(1) << kLowBits) + Int128(lows[k]);
    }
    if (!all) return failure({Code::kNotFinite, "a sum is not a number within range", "values"});
    const std::vector<std::int64_t> widest(reaches.begin(), reaches.end());
    const std::uint64_t count = releases >= 1 && releases <= 0x1p53 ? std::uint64_t(releases) : 0;
    return statusOf(assembly_.addSum(sums, widest, count, countIn(rows)));
  }

  // What was added so far, as words of 64 bits to be added up elsewhere: of each number the lowest
  // kWordBits bits, then what is above them, which may be negative.
  val summands() const {
    const std::vector<Int128>& all = assembly_.summands().numbers();
    std::vector<std::uint64_t> words;
    words.reserve(2 * all.size());
    for (const Int128 each : all) {
      words.push_back(std::uint64_t(each) & ((std::uint64_t(1) << kWordBits) - 1));
      words.push_back(std::uint64_t(each >> kWordBits));
    }
    // WebAssembly is little-endian.
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
    const std::vector<std::int64_t>& reach = assembly_.summands().reach();
    val result = success();
    put(result, "words", uint8Array({bytes, bytes + 8 * words.size()}));
    put(result, "reach", float64Array(std::vector<double>(reach.begin(), reach.end())));
    return result;
  }

  val sum() const { return resultOf(assembly_.sum()); }

 private:
  CentredAssembly assembly_;
};

// `sd` is the noise of an entry off the diagonal, of the study at its whole radius.
class WithinSitesHandle {
 public:
  explicit WithinSitesHandle(WithinSites sites) : sites_(std::move(sites)) {}

  // `scale` is that of ScaleOf, `rows` null if their number is private.
  val add(const val& values, const val& scale, const val& rows) {
    const ScaleOf own(scale);
    return statusOf(sites_.add(numbers(values), own.map, countIn(rows)));
  }

  val sum() const { return resultOf(sites_.sum()); }

 private:
  WithinSites sites_;
};

val createWithinSites(int dimension) {
  Result<WithinSites> sites = WithinSites::create(dimension);
  if (!sites.ok()) return failure(sites.error());
  val result = success();
  put(result, "sites", val(std::make_shared<WithinSitesHandle>(std::move(sites).value())));
  return result;
}

val createCentredAssembly(int dimension, double sd) {
  Result<CentredAssembly> assembly = CentredAssembly::create(dimension, sd);
  if (!assembly.ok()) return failure(assembly.error());
  val result = success();
  put(result, "assembly",
      val(std::make_shared<CentredAssemblyHandle>(std::move(assembly).value())));
  return result;
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(centred) {
  using pm::js::CentredAssemblyHandle;
  emscripten::class_<CentredAssemblyHandle>("CentredAssembly")
      .smart_ptr<std::shared_ptr<CentredAssemblyHandle>>("CentredAssemblyPointer")
      .function("add", &CentredAssemblyHandle::add)
      .function("addSum", &CentredAssemblyHandle::addSum)
      .function("summands", &CentredAssemblyHandle::summands)
      .function("sum", &CentredAssemblyHandle::sum);
  emscripten::function("createCentredAssembly", &pm::js::createCentredAssembly);
  using pm::js::WithinSitesHandle;
  emscripten::class_<WithinSitesHandle>("WithinSites")
      .smart_ptr<std::shared_ptr<WithinSitesHandle>>("WithinSitesPointer")
      .function("add", &WithinSitesHandle::add)
      .function("sum", &WithinSitesHandle::sum);
  emscripten::function("createWithinSites", &pm::js::createWithinSites);
}
