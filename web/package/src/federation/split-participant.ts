import { newSigningKeys } from './keys.js';
import { maskSeed } from './mask-seed.js';
import { ended, unexpected, type Message } from './message.js';
import { Participant, type Mask, type ParticipantOptions } from './participant.js';
import { freshData, requireMode, type Outgoing, type RoleData } from './role.js';
import type { Session } from './session.js';

/**
 * Masks its release with the key stream of one seed, sends the release to the analyst and the seed to
 * the helper, and is done. Other participants may then join or drop out without affecting it.
 */
export class SplitParticipant extends Participant {
  override readonly roster = null;
  static async create(session: Session, options: ParticipantOptions): Promise<SplitParticipant> {
    await requireMode(session, ['split']);
    const keys = options.keys ?? (await newSigningKeys(session.suite));
    return new SplitParticipant(session, freshData('new', keys), options.mask);
  }

  static restore(session: Session, data: unknown, mask: Mask): SplitParticipant {
    return new SplitParticipant(session, data as RoleData, mask);
  }

  protected override async begin(): Promise<Outgoing[]> {
    const { collector, helper, id } = this.session;
    if (helper === undefined) throw new TypeError('a split session without a helper');
    const mask = this.draft?.seeds[0] ?? { key: maskSeed(id, this.pid), sign: 1 };
    const { salted, rows, commitment } = await this.masked([mask]);
    const release = await this.writeSealed(collector.seal, 'masked', { commitment, rows }, salted);
    const seed = await this.writeSealed(helper.seal, 'seed', { commitment }, mask.key);
    this.data.phase = 'released';
    return [
      { to: 'analyst', message: release },
      { to: 'helper', message: seed },
    ];
  }

  protected override handle(message: Message): Promise<Outgoing[]> {
    return Promise.resolve().then(() => {
      const { phase } = this.data;
      if (phase === 'done' || phase === 'aborted') throw ended();
      if (message.type === 'result') return this.takeResult(message);
      if (message.type === 'abort') return this.takeAbort(message);
      throw unexpected(message.type);
    });
  }

  /** Accepts any set: only the analyst and the helper know whose release and seed both arrived. */
  protected override requireExpected(): void {
    return;
  }

  /** Nothing to forget: the seed was not kept. */
  protected override forget(): void {
    return;
  }
}
