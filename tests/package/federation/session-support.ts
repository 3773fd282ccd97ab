import type { Data, Study } from 'private-moments';
import {
  coreArithmetic,
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  maskData,
  newRoleKeys,
  type Collector,
  type Outgoing,
  type Participant,
  type Role,
  type SplitHelper,
} from 'private-moments/federation';
import { expect } from 'vitest';

/** Delivers all messages in the order they were sent, until there are no more. */
async function converse(
  collector: Collector,
  helper: SplitHelper | undefined,
  participants: readonly Participant[],
  first: Outgoing[],
): Promise<void> {
  const queue = [...first];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { to, message } = next;
    // Only the collector sends to all.
    const everyone: (Role<never> | undefined)[] = [
      ...(to === 'analyst' || to === 'coordinator' ? [collector] : []),
      ...(to === 'helper' || to === 'all' ? [helper] : []),
      ...participants.filter(({ pid }) => to === 'all' || to === pid),
    ] as never[];
    for (const role of everyone) {
      if (role === undefined) continue;
      const step = await role.receive(message);
      expect(step.refused).toBeNull();
      queue.push(...step.send);
    }
  }
}

/** Runs a whole session on one machine, with one site for each set of rows. */
export async function collectedFrom(study: Study, sites: readonly Data[]): Promise<Collector> {
  const { mode } = study.federation;
  const [own, helping] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
  const session = createSession(study, {
    collector: own,
    ...(mode === 'split' ? { helper: helping } : {}),
  });
  const arithmetic = await coreArithmetic();
  const collector = await createCollector(session, own, { arithmetic });
  const helper =
    mode === 'split' ? await createHelper(session, helping, { arithmetic }) : undefined;
  const participants: Participant[] = [];
  const first: Outgoing[] = [];
  for (const rows of sites) {
    const { mask } = maskData(study, rows);
    const participant = await createParticipant(session, { mask });
    participants.push(participant);
    first.push(...(await participant.start()).send);
  }
  await converse(collector, helper, participants, first);
  if (collector.outcome === null) {
    await converse(collector, helper, participants, (await collector.close()).send);
  }
  return collector;
}
