import type { Study } from 'private-moments';
import { periodicYield } from 'private-moments/internal';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { html, nothing, type TemplateResult } from 'lit';
import { plural } from 'private-moments/words';
import { isUsed, readText, type Entry } from './release-entries.js';
import {
  ForgottenChannel,
  removeAllStored,
  removeStored,
  storeChoices,
  storeReleases,
  storedChoices,
  storedReleases,
  type StoredChoices,
} from './stored-releases.js';

/** Whether the releases in use are stored, and if not, why. */
type Standing = 'nothing' | 'pending' | 'kept' | 'blocked' | 'forgotten';

/**
 * Keeps the releases that a page uses, by study, until they are removed or forgotten, and what is shown of
 * them. Stores nothing before a release was accepted, and nothing more of a study that this tab or another
 * one has forgotten.
 */
export class Keeping implements ReactiveController {
  readonly #host: ReactiveControllerHost & { keep: boolean };
  readonly #stored = new Set<string>();
  readonly #restored = new Set<string>();
  readonly #forgotten = new Set<string>();
  /** What this browser refused to store, or to read. */
  readonly #blocked = new Set<string>();
  #channel: ForgottenChannel | undefined;
  /** Work on the storage, one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(host: ReactiveControllerHost & { keep: boolean }) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#channel = new ForgottenChannel((study) => {
      this.#forget(study);
    });
  }

  hostDisconnected(): void {
    this.#channel?.close();
  }

  /** The entries after a study was opened: without those restored for another, with those stored for it. */
  async restore(study: Study, entries: () => readonly Entry[]): Promise<Entry[]> {
    const stored = this.#host.keep && !this.#forgotten.has(study.id) ? await this.#read(study) : [];
    const others = entries().filter(
      ({ release }) => release?.study === study.id || !this.#restored.has(release?.id ?? ''),
    );
    const present = new Set(others.map(({ release }) => release?.id));
    const restored = stored.filter(({ release }) => !present.has(release?.id));
    for (const { release } of stored) this.#stored.add(release?.id ?? '');
    for (const { release } of restored) this.#restored.add(release?.id ?? '');
    return [...others, ...restored];
  }

  async #read(study: Study): Promise<Entry[]> {
    try {
      const found = await storedReleases(study.id);
      return found
        .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        .map(({ name, bytes, saved, text }) => readText({ name, bytes, saved }, text))
        .filter(({ release }) => release !== undefined);
    } catch {
      this.#blocked.add(study.id);
      return [];
    }
  }

  /** What was shown of a study's stored releases. */
  async choices(study: Study): Promise<StoredChoices> {
    if (!this.#host.keep || this.#forgotten.has(study.id)) return {};
    return storedChoices(study.id).catch(() => ({}));
  }

  /** Stores what is shown of a study's releases, once these are stored. */
  storeChoices(study: Study, choices: StoredChoices): Promise<void> {
    return this.#next(async () => {
      if (!this.#host.keep || this.#forgotten.has(study.id) || this.#stored.size === 0) return;
      // Without it, a reload shows the same result from its beginning.
      await storeChoices(study.id, choices).catch(() => undefined);
    });
  }

  /** Stores those in use that are not stored yet. */
  store(study: Study, entries: readonly Entry[]): Promise<void> {
    return this.#next(async () => {
      const fresh = entries.filter(
        (entry) => isUsed(entry) && !this.#stored.has(entry.release?.id ?? ''),
      );
      if (!this.#host.keep || fresh.length === 0 || this.#forgotten.has(study.id)) return;
      try {
        const yieldIfDue = periodicYield();
        const releases = [];
        for (const { name, bytes, saved, release } of fresh) {
          if (release === undefined) continue;
          releases.push({
            id: release.id,
            name,
            bytes,
            saved,
            text: await release.toBlob().text(),
          });
          await yieldIfDue();
        }
        // Another tab may have forgotten them meanwhile.
        if (this.#forgotten.has(study.id)) return;
        await storeReleases(study.id, releases);
        for (const { id } of releases) this.#stored.add(id);
        this.#blocked.delete(study.id);
      } catch {
        this.#blocked.add(study.id);
      }
      this.#host.requestUpdate();
    });
  }

  /** Removes one release from the storage, so that it does not come back. */
  remove(study: Study | undefined, { release }: Entry): Promise<void> {
    return this.#next(async () => {
      if (study === undefined || release === undefined || !this.#stored.delete(release.id)) return;
      const removing =
        this.#stored.size === 0 ? removeAllStored(study.id) : removeStored(study.id, release.id);
      await removing.catch(() => undefined);
    });
  }

  /** Removes what is stored for a study whose releases are all made again. */
  clear(study: Study): Promise<void> {
    return this.#next(async () => {
      if (!this.#host.keep) return;
      this.#stored.clear();
      await removeAllStored(study.id).catch(() => undefined);
    });
  }

  /** Removes all that is stored for a study, in this tab and for the others. */
  forget(study: Study): Promise<void> {
    this.#forget(study.id);
    return this.#next(async () => {
      await removeAllStored(study.id).catch(() => undefined);
      this.#channel?.tell(study.id);
    });
  }

  /** The line that says what is kept. */
  line(
    study: Study,
    entries: readonly Entry[],
    forget: () => Promise<void>,
  ): TemplateResult | typeof nothing {
    const used = entries.filter(isUsed);
    const standing = this.#standing(study, used);
    if (standing === 'nothing') return nothing;
    const isOne = used.length === 1;
    const kept = `This browser keeps ${isOne ? 'this release' : `these ${plural(used.length, 'release')}`} for the next time the study is opened here, with what you chose to see of ${isOne ? 'it' : 'them'}, and no rows.`;
    const words = {
      kept,
      // Not shown yet, but it has its place, so that nothing moves.
      pending: kept,
      blocked: `This browser cannot keep ${isOne ? 'this release' : 'these releases'} here: a reload loses ${isOne ? 'it' : 'them'}.`,
      forgotten: `Forgotten. ${isOne ? 'It stays' : 'They stay'} on this page until it is closed or loaded again.`,
    }[standing];
    return html`<p class="kept help ${standing}">
      <span role="status">${words}</span>
      ${standing === 'kept' || standing === 'pending' ? html`<button class="link" type="button" @click=${forget}>Forget</button>` : nothing}
    </p>`;
  }

  #standing(study: Study, used: readonly Entry[]): Standing {
    if (!this.#host.keep || used.length === 0) return 'nothing';
    if (this.#forgotten.has(study.id)) return 'forgotten';
    if (this.#blocked.has(study.id)) return 'blocked';
    return used.every(({ release }) => this.#stored.has(release?.id ?? '')) ? 'kept' : 'pending';
  }

  #forget(study: string): void {
    this.#forgotten.add(study);
    this.#host.requestUpdate();
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }
}
