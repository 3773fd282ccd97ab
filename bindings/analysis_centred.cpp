// The sum of releases with private centring.
#include <emscripten/bind.h>

#include <memory>
#include <vector>

#include "bindings/fields/release.hpp"
#include "bindings/object.hpp"
#include "core/moments/centred_assembly.hpp"

namespace pm::js {
namespace {

class CentredAssemblyHandle {
 public:
  explicit CentredAssemblyHandle(CentredAssembly assembly) : assembly_(std::move(assembly)) {}

  // `scale` is { centre, scale, radius, unit, constant, mean, sdDiagonal, sdOffDiagonal }, `rows`
  // null if their number is private, `clipped` { rows, lost }.
  val add(const val& values, const val& scale, const val& rows, const val& clipped) {
    const std::vector<double> centre = numbers(scale["centre"]), of = numbers(scale["scale"]);
    CentredScale map;
    map.radius = number(scale, "radius");
    map.unit = number(scale, "unit");
    map.constant = number(scale, "constant");
    map.mean = number(scale, "mean");
    map.diagonal = number(scale, "sdDiagonal");
    map.off_diagonal = number(scale, "sdOffDiagonal");
    map.centre = centre;
    map.scale = of;
    const ClippedRows of_rows{number(clipped, "rows"), number(clipped, "lost")};
    if (const Status status = assembly_.add(numbers(values), map, countIn(rows), of_rows)) {
      return failure(*status);
    }
    return success();
  }

  val sum() const { return resultOf(assembly_.sum()); }

 private:
  CentredAssembly assembly_;
};

val createCentredAssembly(int dimension) {
  Result<CentredAssembly> assembly = CentredAssembly::create(dimension);
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
      .function("sum", &CentredAssemblyHandle::sum);
  emscripten::function("createCentredAssembly", &pm::js::createCentredAssembly);
}
