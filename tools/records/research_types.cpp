// Prints the structs that cross from core/research to JavaScript (bindings/research/fields.hpp) as
// TypeScript, and the mechanisms of studies that can be audited, for web/research
// (tools/generate.mjs).
#include <cstdio>

#include "bindings/research/fields.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/research/audit/subject.hpp"
#include "tools/records/types.hpp"

int main() {
  using namespace pm;
  using namespace pm::js;
  std::printf("import type { Guarantee, MechanismName } from 'private-moments';\n\n");
  interfaces()[typeid(Guarantee)] = "Guarantee";
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

  std::printf("/** The mechanisms of studies that can be audited. */\n");
  std::printf("export const AUDITED_IN_STUDIES: readonly MechanismName[] = [");
  for (const MechanismRecord* record : mechanismRecords()) {
    const std::string_view mechanism = record->mechanism.name;
    if (isAudited(mechanism)) std::printf("'%.*s', ", int(mechanism.size()), mechanism.data());
  }
  std::printf("];\n");
}
