// What directions of Imtiaz and Sarwate's symmetric noise capture, beside other methods, and how
// often its releases show that a row is missing (docs/experiments/symmetric-noise.md). The scatter
// matrices are those of rows.py.
//
// usage: symmetric_noise <folder of rows.py> <folder for results> full|quick
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/cholesky.hpp"
#include "core/research/published/wishart.hpp"
#include "experiments/support/parallel.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/table_file.hpp"
#include "experiments/symmetric_noise/releases.hpp"

namespace {

using experiments::Matrix;
using experiments::Method;
using experiments::Moments;
using experiments::Privacy;
using experiments::ResultsFile;
using Folder = std::filesystem::path;
using pm::Neighbours;

constexpr double kDelta = 0.01;  // the authors', in their programs for this kind of experiment
constexpr double kSmallDelta = 1e-6;

/// A scatter matrix of rows.py.
struct Sample {
  std::string set;
  std::string id;  ///< "all", "rows-..." or "split-..."
  double epsilon;  ///< at which it is compared with other numbers of rows
  pm::ComparedRows rows;
};

std::vector<Sample> samplesIn(const Folder& folder) {
  std::vector<Sample> samples;
  std::ifstream list(folder / "samples.txt");
  std::string set, id;
  double rows = 0, epsilon = 0;
  int components = 0;
  while (list >> set >> id >> rows >> components >> epsilon) {
    const Matrix mean = experiments::readTableFile(folder, set + "-" + id) / rows;
    samples.push_back(
        {set, id, epsilon, experiments::valueOf(pm::comparedRows(mean, rows, components))});
  }
  return samples;
}

/// A generator of its own for every case, so that no result depends on which others are computed.
pm::Drbg generatorOf(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char letter : name) hash = (hash ^ std::uint8_t(letter)) * 0x100000001b3;
  return experiments::seeded(hash);
}

/// How much of a study is run.
struct Extent {
  std::vector<double> epsilons;
  std::vector<double> few;  ///< for what is slow, tables and classifiers
  int runs;
  int counted;
};

const Extent kFull = {{0.01, 0.03, 0.1, 0.3, 1, 3, 10}, {0.1, 1, 10}, 20, 2000};
const Extent kQuick = {{0.1, 1}, {0.1, 1}, 4, 200};

bool isAmong(const std::vector<double>& values, double value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Runs of a method; fewer where one takes long, none where it takes minutes (times.csv).
int runsFor(const Method& method, const Sample& sample, const Privacy& privacy,
            const Extent& extent) {
  const Eigen::Index d = sample.rows.scatter.rows();
  const bool large = d > 300;
  if (method.key == "svd") return 1;
  if (method.key == "ppca-gibbs") return large ? 0 : extent.runs / (d > 150 ? 4 : 2);
  if (method.key == "ppca" && large) {
    const bool shown = sample.id == "all" && isAmong(extent.few, privacy.epsilon) &&
                       privacy.neighbours == Neighbours::kAddRemove;
    return shown ? 2 : 0;
  }
  return large ? extent.runs / 2 : extent.runs;
}

/// Repeated releases of one method from one sample.
struct Case {
  const Sample* sample;
  const pm::ComparedRows* all;  ///< the rows whose energy counts
  const Method* method;
  Privacy privacy;
  int runs;
  std::string what = {};  ///< for tables that name cases otherwise

  pm::Drbg generator() const {
    return generatorOf(sample->set + "/" + sample->id + "/" + std::string(method->key) + "/" +
                       pm::name(privacy.neighbours) + "/" + std::to_string(privacy.epsilon));
  }

  Matrix directions(const pm::EstimateRun& run, pm::Drbg& random) const {
    return experiments::directionsOf(run(random), sample->rows.components);
  }

  Moments energy() const {
    pm::Drbg random = generator();
    const pm::EstimateRun run = experiments::runsOf(*method, sample->rows, privacy);
    Moments energy;
    for (int i = 0; i < runs; ++i) {
      energy.add(experiments::capturedEnergy(directions(run, random), *all));
    }
    return energy;
  }
};

std::vector<Moments> energiesOf(const std::vector<Case>& cases) {
  std::vector<Moments> energies(cases.size());
  experiments::inParallel(cases.size(), [&](std::size_t i) { energies[i] = cases[i].energy(); });
  return energies;
}

void writeEnergies(const Folder& file, const std::vector<Case>& cases) {
  ResultsFile results(file, {"set", "method", "neighbours", "epsilon", "delta", "rows", "columns",
                             "components", "energy", "energy_low", "energy_high", "repetitions"});
  const std::vector<Moments> energies = energiesOf(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [sample, all, method, privacy, runs, what] = cases[i];
    results.line(sample->set, method->key, pm::name(privacy.neighbours), privacy.epsilon,
                 method->pure ? 0 : privacy.delta, sample->rows.rows, int(all->scatter.rows()),
                 all->components, energies[i], energies[i].count());
  }
}

/// Adds a case for each method that runs there; under replace-one those of this library.
void addMethods(std::vector<Case>& cases, const Sample& sample, const pm::ComparedRows& all,
                double epsilon, Neighbours neighbours, const Extent& extent) {
  for (const Method& method : experiments::kMethods) {
    const Privacy privacy = {epsilon, kDelta, neighbours};
    const int runs = runsFor(method, sample, privacy, extent);
    if (runs == 0 || (neighbours == Neighbours::kReplaceOne && !method.own)) continue;
    cases.push_back({&sample, &all, &method, privacy, runs});
  }
}

void compareByEpsilon(const std::vector<Sample>& samples, const Extent& extent, const Folder& out) {
  std::vector<Case> cases;
  for (const Sample& sample : samples) {
    if (sample.id != "all") continue;
    for (const double epsilon : extent.epsilons) {
      addMethods(cases, sample, sample.rows, epsilon, Neighbours::kAddRemove, extent);
    }
    for (const double epsilon : extent.few) {
      addMethods(cases, sample, sample.rows, epsilon, Neighbours::kReplaceOne, extent);
    }
  }
  writeEnergies(out / "energy-epsilon.csv", cases);
}

void compareByRows(const std::vector<Sample>& samples, const Extent& extent, const Folder& out) {
  std::map<std::string, const Sample*> all;
  std::vector<Case> cases;
  for (const Sample& sample : samples) {
    if (sample.id == "all") all[sample.set] = &sample;
    if (!sample.id.starts_with("rows-")) continue;
    addMethods(cases, sample, all.at(sample.set)->rows, sample.epsilon, Neighbours::kAddRemove,
               extent);
  }
  writeEnergies(out / "energy-rows.csv", cases);
}

/// Gaussian noise at a delta below 1/n.
void compareSmallDelta(const std::vector<Sample>& samples, const Extent& extent,
                       const Folder& out) {
  std::vector<Case> cases;
  for (const Sample& sample : samples) {
    if (sample.id != "all") continue;
    for (const double epsilon : extent.few) {
      for (const char* key : {"ag", "gaussian"}) {
        const Privacy privacy = {epsilon, kSmallDelta, Neighbours::kAddRemove};
        cases.push_back(
            {&sample, &sample.rows, experiments::findMethod(key), privacy, extent.runs / 2});
      }
    }
  }
  writeEnergies(out / "small-delta.csv", cases);
}

/// Symmetric noise with each scale in use. With a deviation where the paper has a variance, the
/// scale matrix is I/(2 epsilon)^2, which symmetric noise has at 2 epsilon^2; if C is divided by n
/// before, it is I/(2 n epsilon)^2 on C/n, as at 2 n epsilon^2.
void compareScales(const std::vector<Sample>& samples, const Extent& extent, const Folder& out) {
  ResultsFile results(out / "scales.csv", {"set", "scale", "epsilon", "energy", "energy_low",
                                           "energy_high", "repetitions"});
  std::vector<Case> cases;
  std::vector<double> epsilons;
  for (const Sample& sample : samples) {
    if (sample.id != "all") continue;
    for (const double epsilon : extent.few) {
      const double squared = 2 * epsilon * epsilon;
      for (const auto& [used, what] : {std::pair{epsilon, "variance"},
                                       {squared, "deviation"},
                                       {squared * sample.rows.rows, "deviation of C/n"}}) {
        const Privacy privacy = {used, 0, Neighbours::kAddRemove};
        cases.push_back(
            {&sample, &sample.rows, experiments::findMethod("sn"), privacy, extent.runs, what});
        epsilons.push_back(epsilon);
      }
    }
  }
  const std::vector<Moments> energies = energiesOf(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    results.line(cases[i].sample->set, cases[i].what, epsilons[i], energies[i],
                 energies[i].count());
  }
}

/// The chain of `ppca-gibbs` after different numbers of sweeps.
void compareSweeps(const std::vector<Sample>& samples, const Extent& extent, const Folder& out) {
  ResultsFile results(out / "sweeps.csv", {"set", "epsilon", "sweeps", "energy", "energy_low",
                                           "energy_high", "repetitions"});
  for (const Sample& sample : samples) {
    if (sample.id != "all" || sample.set != "synthetic") continue;
    for (const int sweeps : {5, experiments::kSweeps, 4 * experiments::kSweeps}) {
      pm::Drbg random = generatorOf(sample.set + "/sweeps/" + std::to_string(sweeps));
      Moments energy;
      for (int i = 0; i < extent.runs / 2; ++i) {
        energy.add(experiments::capturedEnergy(
            pm::gibbsFrame(sample.rows.scatter, sample.rows.components, 0.5, sweeps, random),
            sample.rows));
      }
      results.line(sample.set, 1, sweeps, energy, energy.count());
    }
  }
}

/// Processor time of one release with its directions; for the chain, of one sweep.
void measureTimes(const std::vector<Sample>& samples, const Folder& out) {
  ResultsFile results(out / "times.csv", {"set", "method", "columns", "components", "seconds"});
  for (const Sample& sample : samples) {
    if (sample.id != "all") continue;
    for (const Method& method : experiments::kMethods) {
      const Privacy privacy = {1, kDelta, Neighbours::kAddRemove};
      const Case timed = {&sample, &sample.rows, &method, privacy, 1};
      pm::Drbg random = timed.generator();
      const std::clock_t start = std::clock();
      if (method.key == "ppca-gibbs") {
        pm::gibbsFrame(sample.rows.scatter, sample.rows.components, 0.5, 1, random);
      } else {
        timed.directions(experiments::runsOf(method, sample.rows, privacy), random);
      }
      results.line(sample.set, method.key, int(sample.rows.scatter.rows()), sample.rows.components,
                   double(std::clock() - start) / CLOCKS_PER_SEC);
    }
  }
}

/// Counts releases that the data with one more row, or with another row in place of one, cannot
/// have.
void countImpossible(const Extent& extent, const Folder& out) {
  ResultsFile results(out / "impossible.csv",
                      {"columns", "epsilon", "added", "added_low", "added_high", "replaced",
                       "replaced_low", "replaced_high", "repetitions"});
  for (const int d : {2, 20, 100}) {
    Matrix added = Matrix::Zero(d, d), replaced = added;
    added(0, 0) = replaced(0, 0) = 1;
    replaced(1, 1) = -1;
    for (const double epsilon : {0.01, 0.1, 1.0, 4.0}) {
      pm::Drbg random =
          generatorOf("impossible/" + std::to_string(d) + "/" + std::to_string(epsilon));
      Moments without, instead;
      for (int i = 0; i < extent.counted; ++i) {
        // C cancels: what is left of the release is the noise.
        const Matrix noise =
            pm::symmetricNoise(Matrix::Zero(d, d), {epsilon, 0, Neighbours::kAddRemove, 1}, random);
        without.add(!pm::choleskyAbove(noise - added, 0));
        instead.add(!pm::choleskyAbove(noise - replaced, 0));
      }
      results.line(d, epsilon, without, instead, without.count());
    }
  }
}

/// Directions for the classifiers of rows.py, as tables of k rows, and their list.
void releaseForClasses(const std::vector<Sample>& samples, const Extent& extent,
                       const Folder& work) {
  std::vector<Case> cases;
  for (const Sample& sample : samples) {
    if (!sample.id.starts_with("split-")) continue;
    for (const double epsilon : extent.few) {
      addMethods(cases, sample, sample.rows, epsilon, Neighbours::kAddRemove, extent);
    }
  }
  const auto fileOf = [](std::size_t i) { return "directions-" + std::to_string(i); };
  experiments::inParallel(cases.size(), [&](std::size_t i) {
    const Case& released = cases[i];
    pm::Drbg random = released.generator();
    const pm::EstimateRun run =
        experiments::runsOf(*released.method, released.sample->rows, released.privacy);
    experiments::writeTableFile(work, fileOf(i), released.directions(run, random).transpose());
  });
  std::ofstream list(work / "directions.txt");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [sample, all, method, privacy, runs, what] = cases[i];
    list << sample->set << ' ' << sample->id << ' ' << method->key << ' ' << privacy.epsilon << ' '
         << (method->pure ? 0 : kDelta) << ' ' << fileOf(i) << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: symmetric_noise <folder of rows.py> <results> full|quick\n");
    return 2;
  }
  const Folder work = argv[1], out = argv[2];
  const Extent& extent = std::string(argv[3]) == "quick" ? kQuick : kFull;
  const std::vector<Sample> samples = samplesIn(work);
  compareByEpsilon(samples, extent, out);
  compareByRows(samples, extent, out);
  compareSmallDelta(samples, extent, out);
  compareScales(samples, extent, out);
  compareSweeps(samples, extent, out);
  countImpossible(extent, out);
  measureTimes(samples, out);
  releaseForClasses(samples, extent, work);
}
