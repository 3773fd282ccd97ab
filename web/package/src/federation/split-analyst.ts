import { hashOf } from '../base/binary.js';
import {
  Collector,
  type CollectorData,
  type CollectorOptions,
  type Progress,
} from './collector.js';
import type { RoleKeys } from './keys.js';
import { ended, late, Refused, unexpected, type Message, type MessageOf } from './message.js';
import { freshData, requireMode, requireOwnKeys, type Outgoing } from './role.js';
import type { Session } from './session.js';
import { packClose, readMasks } from './split-helper.js';

interface AnalystData extends CollectorData {
  /** Digest of the last `close`; null while releases are accepted. */
  closed: string | null;
}

/** Collects masked releases, each of which is noise to it, and asks the helper for the sum of their masks. */
export class SplitAnalyst extends Collector<AnalystData> {
  /** @throws PrivateMomentsError `invalid-session`, `unsupported-suite` */
  static async create(
    session: Session,
    { sign, seal }: RoleKeys,
    options: CollectorOptions = {},
  ): Promise<SplitAnalyst> {
    await requireMode(session, ['split']);
    requireOwnKeys(session.collector.sign, sign, 'analyst.sign');
    requireOwnKeys(session.collector.seal, seal, 'analyst.seal');
    const data = { ...freshData('collecting', sign), seal, releases: new Map(), closed: null };
    return new SplitAnalyst(session, data, options);
  }

  static restore(session: Session, data: unknown, options: CollectorOptions = {}): SplitAnalyst {
    return new SplitAnalyst(session, data as AnalystData, options);
  }

  override get progress(): Progress {
    const { least, sites } = this.session;
    return { have: this.data.releases.size, least, most: sites };
  }

  protected override admit(message: Message): void {
    if (message.type === 'masked') {
      if (this.session.admits(message.key)) return;
      throw new Refused('unknown-participant', 'the session does not list this participant');
    }
    if (message.key === this.session.helper?.sign) return;
    throw new Refused('wrong-sender', 'only the helper may send this to the analyst');
  }

  /** The helper may answer `short` several times before it has enough seeds. */
  protected override keyOf(message: Message): string {
    const key = super.keyOf(message);
    return message.type === 'short' ? `${key}/${message.header.close}` : key;
  }

  protected override handle(message: Message): Promise<Outgoing[]> {
    switch (message.type) {
      case 'masked':
        return this.#takeRelease(message);
      case 'masks':
        return this.#unmask(message);
      case 'short':
        return this.#reopen(message);
      default:
        return Promise.reject(unexpected(message.type));
    }
  }

  protected override closable(): boolean {
    return this.data.phase === 'collecting';
  }

  /** Closes the set of releases and asks the helper for the sum of their masks. */
  protected override async advance(): Promise<Outgoing[]> {
    const { releases } = this.data;
    const contents = { releases: releases.size };
    const helper = this.session.helper?.seal ?? '';
    const message = await this.writeSealed(helper, 'close', contents, packClose(releases));
    this.data.closed = hashOf(message.subarray(0, -64));
    this.data.phase = 'closed';
    return [{ to: 'helper', message }];
  }

  protected override forget(): void {
    this.data.closed = null;
  }

  async #takeRelease(message: MessageOf<'masked'>): Promise<Outgoing[]> {
    const { phase, releases } = this.data;
    if (phase === 'aborted') throw ended();
    if (phase !== 'collecting') throw late();
    if (message.header.group !== undefined) {
      throw new Refused('wrong-roster', 'the release was made for a session of mode ring');
    }
    if (releases.size >= this.session.sites) {
      throw new Refused(
        'too-many-participants',
        'there are more releases than the session has sites',
      );
    }
    releases.set(message.pid, await this.hold(message));
    return [];
  }

  async #unmask(message: MessageOf<'masks'>): Promise<Outgoing[]> {
    const { session, data } = this;
    this.#requireAnswer(message.header.close);
    const payload = await this.unseal(message, data.seal);
    const { pids, masks } = readMasks(payload, message.header.releases, session);
    if (pids.length < session.least) {
      throw new Refused('too-few-releases', 'the helper summed too few masks');
    }
    const sum = this.arithmetic.sum(session.length);
    for (const pid of pids) {
      const release = data.releases.get(pid);
      if (release === undefined) {
        throw new Refused('unknown-participant', 'the helper summed a mask that was not requested');
      }
      await sum.add(release.payload, 1);
    }
    await sum.add(masks, -1);
    return this.end(pids, await sum.bytes());
  }

  /** The helper has too few seeds, so late seeds and late releases are accepted again. */
  #reopen({ header }: MessageOf<'short'>): Promise<Outgoing[]> {
    return Promise.resolve().then(() => {
      this.#requireAnswer(header.close);
      this.data.closed = null;
      this.data.phase = 'collecting';
      return [];
    });
  }

  #requireAnswer(close: string): void {
    const { phase, closed } = this.data;
    if (phase === 'done' || phase === 'aborted') throw ended();
    if (closed === close) return;
    throw new Refused('wrong-roster', 'this answers another list of releases');
  }
}
