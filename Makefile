# make demo   runs the main job on the sample study, then serves the site
# make check  style, types and format, in a minute or two
# make unit   package and element tests on the sources (npm test, once make wasm has run)
# make dev    core tests while working on the core: TEST='Laplace*' runs some of them
# make test   every check and every test
# make bench  speed, compared with the alternatives, into bench/RESULTS.md (QUICK=1: a trial)
# make audit  the laws of the samplers and the privacy audits with ten times the draws, and the
#             static analyser
# make experiments  every figure and table of docs/experiments, and errors of analyses on real data (PM_DATA):
#                   hours; QUICK=1 runs each figure in miniature, within five minutes
# make fuzz   damaged files, releases, modules and ledgers, millions of them, as docs/tested.md lists them: hours.
#             ONLY=data-files,core runs some; QUICK=1 runs all in miniature
# make soak   killed processes, faults at every step, long and busy sessions: hours. ONLY and QUICK as for fuzz
# make scale  sums 10 000 releases in databases, checks the sums and measures the cost (docs/scale.md)
# make coverage  how often intervals cover the truth, by simulation and on real data (PM_DATA), and how
#                often results exceed their floors by chance
# make package   builds the npm package private-moments into dist/
# make packages  builds it and those beside it, each into its own dist/: private-moments-relay
#                (package-relay alone), private-moments-scale (package-scale alone) and
#                private-moments-research (make research)
# make pack   packs those that are built, as users install them, into build/packed
# make test-ecosystem  tries the package with bundlers, frameworks, runtimes and test runners (examples/), as
#                users install it: half an hour, with the npm registry. ONLY=vite-8,rollup tries some
# make review pictures of every page in every state, into test-results/review
# make site   builds the static site into dist/site, and prints the size and the hash of its saved copy
# make pictures  draws the pictures of README and docs from the built site
# make lighthouse  scores of the built pages, each at least 95
# make reproducible  builds the latest commit in two folders and compares every byte that users get: half an hour
# make clean  removes everything built

MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
JOBS ?= $(shell nproc)

# Emscripten's JavaScript tools look for their libraries here when node is not Debian's own.
export NODE_PATH := /usr/share/nodejs

comma := ,

# Shows only errors and warnings of a build.
QUIET := { grep -E "error:|warning:|Error|\*\*\*" || true; }

.PHONY: pack pictures demo test builds bench audit experiments experiment-figures experiment-programs experiment-analyses fuzz fuzz-programs refusing-modules soak test-attacks scale coverage site lighthouse reproducible clean package packages package-relay package-scale research wasm wasm-research modules setup-build setup-test setup-pictures setup-experiments check check-lint check-types check-format \
  check-clang-format check-tools clang-tidy clang-analyzer \
  format unit dev review test-native test-sanitizers test-wasm test-wasm-scalar test-package test-samples \
  test-build test-cli test-cpp test-docs test-relay test-research test-scale test-experiments test-browser test-engines test-ecosystem

demo: site
	node samples/demo/demo.mjs $(DEMO_FLAGS)

bench: setup-test site bench/peers/node_modules/.installed
	cmake --preset native >/dev/null
	cmake --build --preset native -j$(JOBS) --target bench | $(QUIET)
	cmake --build --preset wasm -j$(JOBS) --target bench | $(QUIET)
	node bench/run.mjs

# The libraries to compare with are installed for the benchmark only.
bench/peers/node_modules/.installed: bench/peers/package-lock.json | setup-build
	npm ci --prefix bench/peers --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

reproducible: setup-build
	node tools/reproducible.mjs

pictures: setup-pictures site
	node tools/pictures.mjs

lighthouse: setup-test site tools/lighthouse/node_modules/.installed
	node tools/lighthouse/run.mjs

# Lighthouse is installed for this target only.
tools/lighthouse/node_modules/.installed: tools/lighthouse/package-lock.json | setup-build
	npm ci --prefix tools/lighthouse --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

audit: setup-test clang-analyzer
	cmake --preset native >/dev/null
	cmake --build --preset native -j$(JOBS) --target privacy_tests statistics_tests | $(QUIET)
	PM_AUDIT=1 build/native/tests/privacy_tests
	PM_AUDIT=1 build/native/tests/statistics_tests

experiments: experiment-figures $(if $(QUICK),,experiment-analyses)

# In miniature, those of the tests.
EXPERIMENTS_PRESET := $(if $(QUICK),tests,native)
experiment-programs: build/$(EXPERIMENTS_PRESET)/CMakeCache.txt
	@cmake --build --preset $(EXPERIMENTS_PRESET) -j$(JOBS) --target figure_programs | $(QUIET)

experiment-figures: setup-experiments modules experiment-programs
	node experiments/run.mjs

experiment-analyses: setup-experiments research build/native/CMakeCache.txt
	cmake --build --preset native -j$(JOBS) --target missing masked_sites sparse forecast | $(QUIET)
	node experiments/scatter.mjs
	node experiments/real_tables.mjs
	build/native/experiments/masked_sites
	build/native/experiments/missing 12
	build/native/experiments/sparse build/experiments
	build/native/experiments/forecast
	node experiments/forecast_verdicts.mjs
	node experiments/weights.mjs
	node experiments/projection.mjs

# Attacks on what is built, and on the core with the sanitizers.
ATTACKS = node tests/attacks/run.mjs $(1) $(subst $(comma), ,$(ONLY))

fuzz: setup-test site packages fuzz-programs
	$(call ATTACKS,fuzz)

soak: setup-test site package-relay refusing-modules
	$(call ATTACKS,soak)

fuzz-programs: setup-test
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j$(JOBS) | $(QUIET)

# Modules that can be refused memory. After the target wasm-research, as both build in the same folder.
refusing-modules: setup-test | wasm-research
	@cmake --build --preset wasm -j$(JOBS) --target refusing-modules | $(QUIET)

scale: setup-test package-scale research
	node bench/scale.mjs

# Three quarters of an hour.
coverage: build/native/CMakeCache.txt
	cmake --build --preset native -j$(JOBS) --target coverage real_coverage | $(QUIET)
	build/native/experiments/coverage
	node experiments/real_tables.mjs
	build/native/experiments/real_coverage coverage 12
	build/native/experiments/real_coverage shuffled 400
	build/native/experiments/real_coverage adjusted 12
	build/native/experiments/real_coverage tests 40
	build/native/experiments/real_coverage regression 5

# What answers first comes first: rules, then tests on the sources. What runs in Node and in browsers goes
# ahead, and compilers take what it leaves of the processors. Each build folder has one writer at a time.
# At the end, a table says how long each stage took.
FRONT := check unit builds test-build test-cli test-samples test-relay test-research test-scale test-attacks \
  test-browser test-engines
BACK := clang-tidy test-native test-cpp builds test-docs test-experiments test-sanitizers test-wasm
BUILT := setup-build setup-test setup-experiments modules wasm wasm-research package package-relay package-scale \
  research packages site fuzz-programs refusing-modules
test: setup-test modules
	@BUILT='$(BUILT)' node tools/stages.mjs '$(FRONT)' '$(BACK)'

# What the tests of built things need.
builds: packages site fuzz-programs refusing-modules

# In parallel, as each has one thread.
check: modules setup-test
	$(MAKE) -j$(JOBS) --output-sync check-lint check-types check-format check-clang-format check-tools

check-lint:
	npm run --silent lint

check-types:
	npm run --silent typecheck

check-format:
	npm run --silent format:check

check-clang-format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror

check-tools:
	node tools/check-house.mjs
	node tools/check-words.mjs
	node tools/schemas.mjs --check
	node tools/elements-manifest.mjs --check
	node --test --test-reporter=spec tests/tools

# Set-up ---------------------------------------------------------------------------------------

setup-build:
	@tools/setup.sh build

setup-test:
	@tools/setup.sh test

setup-pictures:
	@tools/setup.sh pictures

setup-experiments:
	@tools/setup.sh experiments

modules: node_modules/.installed

node_modules/.installed: package-lock.json | setup-build
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

# Builds ---------------------------------------------------------------------------------------

build/%/CMakeCache.txt: CMakePresets.json | setup-build
	cmake --preset $* >/dev/null

wasm: build/wasm/CMakeCache.txt
	@echo "Building the WebAssembly modules"
	@cmake --build --preset wasm -j$(JOBS) --target private-moments private-moments-analysis private-moments-synthesis | $(QUIET)

wasm-research: wasm
	@cmake --preset wasm-research >/dev/null
	@cmake --build --preset wasm-research -j$(JOBS) --target private-moments-research | $(QUIET)

package: modules wasm
	npm run --silent build:package

packages: package package-relay package-scale research

pack: packages
	node tools/pack.mjs

package-relay package-scale: package-%: modules
	npm run --silent build --workspace private-moments-$*

# After private-moments: it is declared with the types of the built package.
research: package wasm-research
	npm run --silent build --workspace private-moments-research

site: research
	npm run --silent build:site

# Tests ----------------------------------------------------------------------------------------

test-%-suite: setup-test
	cmake --preset $* >/dev/null
	cmake --build --preset $* -j$(JOBS) | $(QUIET)
	ctest --preset $*

# Built by Clang, which takes two thirds of the time of GCC.
test-native: test-tests-suite
test-sanitizers: test-asan-ubsan-suite
test-wasm: test-wasm-research-suite test-wasm-scalar
# Runs after the target wasm-research, as both build files in the same folder.
test-wasm-research-suite: | wasm-research

# The tests of integers, which could differ without SIMD.
test-wasm-scalar: setup-test
	cmake --preset wasm-scalar >/dev/null
	cmake --build --preset wasm-scalar -j$(JOBS) --target core_tests | $(QUIET)
	ctest --preset wasm-scalar -R core_tests

unit: modules wasm
	npm test --silent

# One test after an edit: make dev TEST='LaplacePlan.*', or SUITE=privacy_tests TEST='Frobenius*'
SUITE := core_tests
dev: build/dev/CMakeCache.txt
	@cmake --build --preset dev -j$(JOBS) --target $(SUITE) | $(QUIET)
	build/dev/tests/$(SUITE) --gtest_brief=1 --gtest_filter='$(or $(TEST),*)'

test-build: setup-test package
	npm run --silent test:build

test-package: unit test-build

# The command line as built; one of its commands is about mechanisms that private-moments-research has.
test-cli: setup-test research
	npm run --silent test:cli

# The core as a CMake package, and inside another project, which compiles it once more, without optimising.
test-cpp: setup-test modules build/tests/CMakeCache.txt
	cmake --build --preset tests -j$(JOBS) --target pm_core | $(QUIET)
	npm run --silent test:cpp

# The code in README and docs, as printed.
test-docs: setup-test packages
	npm run --silent test:docs

test-samples: setup-test research
	npm run --silent test:samples

test-relay: modules
	npm run --silent test:relay

test-research: setup-test research
	node tools/mechanism-table.mjs --check
	npm run --silent test:research

# Each experiment in miniature, and whether pictures and pages are those of the results here.
test-experiments: export QUICK := 1
test-experiments: setup-test modules
	$(MAKE) experiment-programs
	npm run --silent test:experiments

# Each attack in miniature, and whether docs/tested.md says what the full ones found.
test-attacks: setup-test site packages fuzz-programs refusing-modules
	node tests/attacks/run.mjs --check
	QUICK=1 node tests/attacks/run.mjs fuzz
	QUICK=1 node tests/attacks/run.mjs soak

test-scale: setup-test package-scale research
	npm run --silent test:scale

test-browser: setup-test site package-relay
	npm run --silent test:browser

# The same tests, with pictures of every page in every state: light and dark, wide and narrow.
review: setup-test site package-relay
	PM_PICTURES=1 npm run --silent test:browser
	@echo "Pictures of every page in every state: test-results/review"

# The main job, and pages' policies in their workers, in Chromium, Firefox and WebKitGTK.
test-engines: setup-test site
	npm run --silent test:engines

# Not part of `make test`: it installs tools, and they change without us.
test-ecosystem: setup-test package
	node tools/pack.mjs .
	node examples/run.mjs

# Checks the core only; the bindings are compiled by another compiler, with warnings as errors. The
# static analyser doubles the time, so it runs in the audit. One room is compiled at a time, as most
# of the time goes into Eigen's headers.
TIDY = cmake --preset tidy >/dev/null; run-clang-tidy -quiet -j $(JOBS) -p build/tidy $(1) \
  '$(CURDIR)/(core/\w+\.cpp|build/tidy/CMakeFiles/pm_)' >build/clang-tidy.log 2>&1 || { grep -E "warning:|error:" build/clang-tidy.log; exit 1; }

clang-tidy: setup-test
	$(call TIDY,)
	@echo "clang-tidy: no findings in core/"

clang-analyzer: setup-test
	$(call TIDY,-checks='-*$(comma)clang-analyzer-*')
	@echo "clang-analyzer: no findings in core/"

format: modules setup-test
	npm run --silent format
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build dist web/*/dist demo-report test-results playwright-report
