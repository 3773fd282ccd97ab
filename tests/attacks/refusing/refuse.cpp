// An allocator that can be refused any one block, by count. It takes the place of the modules' own,
// which emmalloc defines weakly, and gives what that gives unless the page's script refuses.
#include <emscripten.h>
#include <emscripten/heap.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

extern "C" {
void* emmalloc_malloc(std::size_t size);
void* emmalloc_calloc(std::size_t count, std::size_t size);
void* emmalloc_realloc(void* block, std::size_t size);
void* emmalloc_memalign(std::size_t alignment, std::size_t size);
}

// What `refusals.mjs` decides.
// clang-format off
EM_JS(int, pm_next_refusal, (), {
  return globalThis.__refusals.next();
});
// clang-format on

namespace {

constexpr int kNone = 0;
constexpr int kNull = 1;

// More than any engine gives.
constexpr std::size_t kTooMuch = SIZE_MAX - 0xffff;

// Whether a block is refused: the allocator says so or, as in a page without memory, the engine
// does.
bool isRefused() {
  const int refusal = pm_next_refusal();
  if (refusal == kNone) return false;
  if (refusal != kNull) emscripten_resize_heap(kTooMuch);
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void* malloc(std::size_t size) {
  return isRefused() ? nullptr : emmalloc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return isRefused() ? nullptr : emmalloc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  return isRefused() ? nullptr : emmalloc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  return isRefused() ? nullptr : emmalloc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

}  // extern "C"
