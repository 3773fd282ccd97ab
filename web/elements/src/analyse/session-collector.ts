import type { Study } from 'private-moments';
import type { Collector, PublicRoleKeys, Session } from 'private-moments/federation';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { textOf } from '../controls/input-values.js';
import { describe } from '../base/failure.js';
import { described, field, fieldStyles } from '../controls/field.js';
import { count, plural } from 'private-moments/words';
import { persistStorage } from '../base/browser-store.js';
import { loadRoles, withRole } from '../session/saved-roles.js';
import { linkBox, linkBoxStyles } from '../controls/link-box.js';
import { notice } from '../controls/notice.js';
import type { FilesDetail } from '../contract/elements.js';
import { federation, filesOf, isMessage, type SessionFile } from '../session/session-files.js';
import { SessionRole, type ReadMessage } from '../session/session-role.js';
import { messageTable, type AddedFile } from '../session/session-table.js';
import { trustWords, shareOfNoise } from '../session/session-words.js';
import { splitLanes, type SplitStep } from '../session/split-lanes.js';
import { minSummed } from 'private-moments/internal';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmDropZone } from '../controls/drop-zone.js';

/** A release that was accepted, as the page saves it. */
interface Taken {
  name: string;
  bytes: number;
  pid: string;
  rows: number | null;
}

interface Notes {
  taken: Taken[];
}

/** The session as the page shows it. */
interface Shown {
  study: Study;
  session: Session;
  state: Collector['state'];
  reason: string | null;
  taken: Taken[];
  /** The participants in the sum, once there is one. */
  participants: readonly string[];
  /** The file that the helper needs next: the request, or the notice that the session is over. */
  outgoing: SessionFile | undefined;
  links: { participant: string; helper: string };
  words: string;
}

/**
 * The analyst's side of a session by hand: from the helper's keys to links, and from masked releases to
 * a sum. With `summed`, when there is a sum already, it starts no session. Emits `pm-files` with the sum
 * as a file, and with dropped files that are not messages.
 */
export class PmSessionCollector extends SessionRole {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
    'pm-drop-zone': PmDropZone,
  };

  static override properties = {
    study: { attribute: false },
    helper: {},
    summed: { type: Boolean },
    takePart: { attribute: 'take-part' },
    helpPage: { attribute: 'help-page' },
    shown: { state: true },
    ready: { state: true },
    keysText: { state: true },
    keys: { state: true },
    keysError: { state: true },
    short: { state: true },
    asking: { state: true },
  };

  static override styles = [
    SessionRole.styles,
    fieldStyles,
    linkBoxStyles,
    css`
      :host {
        margin-top: 44px;
      }

      section + section {
        margin-top: 56px;
      }

      .form {
        display: grid;
        gap: 20px;
        max-width: 640px;
        margin-top: 28px;
      }

      .words {
        font-weight: 600;
      }

      .links {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 28px 56px;
        margin-top: 28px;
      }

      /* Aligns the link boxes, however long the text above them. */
      .links > div {
        display: grid;
        grid-template-rows: auto 1fr auto;
      }

      .links .help {
        margin-top: 4px;
      }

      .next {
        margin-top: 28px;
      }

      .next .help {
        flex: 1 1 320px;
      }

      .quiet {
        margin-top: 20px;
      }

      @media (max-width: 999px) {
        .links {
          grid-template-columns: minmax(0, 1fr);
        }
      }

      @media (max-width: 759px) {
        section + section {
          margin-top: 44px;
        }

        .next .button,
        .form .button {
          width: 100%;
        }
      }
    `,
  ];

  declare study: Study | undefined;
  declare helper: string;
  declare summed: boolean;
  declare takePart: string;
  declare helpPage: string;
  declare shown: Shown | undefined;
  declare ready: boolean;
  declare keysText: string;
  declare keys: { keys: PublicRoleKeys; words: string } | undefined;
  declare keysError: string | undefined;
  /** Whether the helper answered that it has too few seeds. */
  declare short: boolean;
  /** Whether the user is being asked to confirm an abort. */
  declare asking: boolean;

  /** Id of the session whose sum was emitted. */
  #summed = '';

  constructor() {
    super();
    this.study = undefined;
    this.helper = '';
    this.summed = false;
    this.takePart = '';
    this.helpPage = '';
    this.keysText = '';
    this.keys = undefined;
    this.keysError = undefined;
    this.#forget();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined) void this.#open(this.study);
    if (changed.has('helper') && this.helper !== '') void this.#readKeys(this.helper);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { study, shown } = this;
    if (study === undefined || !this.ready) return nothing;
    const problem = this.failed();
    const lanes = this.#lanes(study, shown);
    if (shown === undefined) {
      return this.summed ? nothing : html`${this.#begin(study, lanes)} ${problem}`;
    }
    if (shown.state === 'done') return html`${this.#done(shown, lanes)} ${problem}`;
    if (shown.state === 'aborted') return html`${this.#ended(study, shown)} ${problem}`;
    const isOpen = shown.state === 'collecting';
    return html`${lanes} ${isOpen ? this.#links(study, shown) : nothing} ${this.#collecting(shown)}
    ${problem}`;
  }

  // A new session

  /** Where the session stands, as far as the analyst can see. */
  #lanes(study: Study, shown: Shown | undefined): TemplateResult {
    const least = minSummed(study.federation);
    return splitLanes('analyst', this.#step(shown), least);
  }

  #step(shown: Shown | undefined): SplitStep {
    if (shown === undefined) return this.keys === undefined ? 'keys' : 'start';
    if (shown.state === 'done') return 'over';
    if (shown.state === 'closed') return 'answer';
    return shown.taken.length < shown.session.least ? 'mask' : 'close';
  }

  #begin(study: Study, lanes: TemplateResult): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">Start a session</h2>
      <p class="prose">
        In this study each site sends its masked sums to you, and what unmasks them to a helper: for
        example your data protection officer. The helper makes keys on
        <a href=${this.#page(this.helpPage)}>its own page</a>, without any data, and sends you a
        link to them. You and the helper must never share files.
      </p>
      ${lanes} ${this.#keysForm(study, 1)}
    </section>`;
  }

  #keysForm(study: Study, attempt: number): TemplateResult {
    const { keys, keysError } = this;
    return html`<div class="form">
      ${field({
        id: 'keys',
        label: 'The helper’s keys',
        control: html`<input
          class="text"
          id="keys"
          autocomplete="off"
          spellcheck="false"
          .value=${this.keysText}
          aria-invalid=${keysError === undefined ? 'false' : 'true'}
          aria-describedby=${described('keys', keysError, true)}
          @input=${(event: Event) => {
            void this.#readKeys(textOf(event));
          }}
        />`,
        hint: 'Paste the link, or the text of the key file.',
        error: keysError,
      })}
      ${
        keys === undefined
          ? nothing
          : html`<p role="status">
              The six words of these keys: <span class="words">${keys.words}</span>.
              <span class="help">Ask the helper for its six words by telephone, and compare.</span>
            </p>`
      }
      <div class="actions">
        <button
          class="button primary"
          type="button"
          ?disabled=${keys === undefined}
          @click=${() => void this.#create(study, attempt)}
        >
          Start the session
        </button>
      </div>
    </div>`;
  }

  async #readKeys(text: string): Promise<void> {
    this.keysText = text;
    this.keys = undefined;
    this.keysError = undefined;
    if (text.trim() === '') return;
    try {
      const { keyWords, parseKeys } = await federation();
      const keys = parseKeys(text.trim());
      if (text === this.keysText) this.keys = { keys, words: keyWords(keys) };
    } catch (error) {
      if (text === this.keysText) this.keysError = describe(error);
    }
  }

  async #create(study: Study, attempt: number): Promise<void> {
    const helper = this.keys?.keys;
    if (helper === undefined) return;
    await this.attempt(
      async () => {
        const { createCollector, createSession, newRoleKeys, suiteOfKeys } = await federation();
        const keys = await newRoleKeys(suiteOfKeys(helper));
        const session = createSession(study, { collector: keys, helper, attempt });
        const role = await createCollector(session, keys);
        await withRole<Notes, unknown>('collector', session.id, async (_, persist) => {
          await persist({ role: role.save(), study: study.id, notes: { taken: [] } });
        });
        await persistStorage();
        if (study === this.study) this.#forget();
        await this.#show(study, role, { taken: [] });
      },
      () => study === this.study,
    );
    if (study === this.study) await this.focusOn('#session');
  }

  // The links

  #links(study: Study, { links, session, words }: Shown): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">
        ${session.attempt === 1 ? 'Hand out the session' : `Hand out attempt ${count(session.attempt)}`}
      </h2>
      <p class="prose">
        The study and the session are inside the link; no server sees them. The keys that open the
        files sent to you are kept in this browser and nowhere else, so collect the files here.
      </p>
      <div class="links">
        <div>
          <h3>For participants</h3>
          <p class="help">
            Up to ${count(session.sites)} sites. Each opens it on the computer that holds its rows.
          </p>
          ${linkBox('Participant link', links.participant)}
        </div>
        <div>
          <h3>For the helper</h3>
          <p class="help">
            Opens the session on the helper’s page. The helper’s six words: ${words}.
          </p>
          ${linkBox('Helper link', links.helper, false)}
        </div>
      </div>
      <p class="help quiet">
        Each site adds ${shareOfNoise(study)}. ${trustWords(study)} Every attempt costs a site
        privacy again, from the moment it makes its files.
      </p>
    </section>`;
  }

  // Releases in, request out, answer in

  #collecting(shown: Shown): TemplateResult {
    const { session, taken, state, outgoing } = shown;
    const isClosed = state === 'closed';
    return html`<section aria-labelledby="collect">
      <h2 id="collect" tabindex="-1">${isClosed ? 'Ask the helper' : 'Collect the releases'}</h2>
      <p class="prose" role="status">
        ${
          isClosed
            ? `Closed with ${plural(taken.length, 'site')}. Send the helper this file, and drop its answer below.`
            : `${count(taken.length)} of up to ${count(session.sites)} releases received. At least ${count(session.least)} are needed for a sum.`
        }
      </p>
      ${
        this.short && !isClosed
          ? html`<div class="step">
              ${notice({
                kind: 'warn',
                title: 'The helper has too few seeds.',
                body: `It needs the seeds of at least ${count(session.least)} of these releases, and has unmasked nothing. Ask the sites to send the helper its files again, which costs nothing; then ask the helper again.`,
              })}
            </div>`
          : nothing
      }
      ${this.outgoing(outgoing, {
        heading: 'For the helper',
        words:
          'A list of the releases you have, by sender and digest. It holds none of their numbers.',
        action: 'Save the request',
      })}
      <pm-drop-zone
        heading=${isClosed ? 'Drop the helper’s answer here' : 'Drop the sites’ files for the analyst here'}
        help="Files that end in .pmr. They stay on this computer."
        action="Choose files"
        accept=".pmr,.json,application/json"
        multiple
        @pm-files=${(event: CustomEvent<FilesDetail>) => void this.#added(shown, event.detail.files)}
      ></pm-drop-zone>
      ${this.#table(shown)}
      ${
        isClosed
          ? nothing
          : html`<div class="actions next">
              <button
                class="button primary"
                type="button"
                ?disabled=${taken.length < session.least}
                @click=${() => void this.#close(shown)}
              >
                Close and ask the helper
              </button>
              <p class="help">
                ${
                  taken.length < session.least
                    ? `You can close with ${count(session.least)} releases or more.`
                    : 'After that, no other release can be added, and the helper answers for one set only.'
                }
              </p>
            </div>`
      }
      ${this.#giveUp(shown)}
    </section>`;
  }

  #table({ taken, participants }: Shown): TemplateResult | typeof nothing {
    const rows: AddedFile[] = taken.map((one) => ({
      ...one,
      ...(participants.length > 0 && !participants.includes(one.pid)
        ? { refusal: 'not in the sum: the helper lacks its seed' }
        : {}),
    }));
    const all = [...rows, ...this.refused];
    if (all.length === 0) return nothing;
    return html`<div class="table">${messageTable(all, { rows: true })}</div>`;
  }

  #giveUp(shown: Shown): TemplateResult {
    if (!this.asking) {
      return html`<p class="quiet">
        <button
          class="link"
          type="button"
          @click=${() => {
            this.asking = true;
          }}
        >
          Abort this session
        </button>
      </p>`;
    }
    return html`<div class="step">
      ${notice({
        kind: 'warn',
        title: 'Abort this session?',
        body: 'There will be no result. What was masked stays masked, and another attempt costs every site privacy again.',
        actions: html`<button class="button" type="button" @click=${() => void this.#abort(shown)}>
            Abort it
          </button>
          <button
            class="button"
            type="button"
            @click=${() => {
              this.asking = false;
            }}
          >
            Continue the session
          </button>`,
      })}
    </div>`;
  }

  #done(shown: Shown, lanes: TemplateResult): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">The session</h2>
      <p class="prose" role="status">
        The sum of ${plural(shown.participants.length, 'release')} is unmasked. The result below
        comes from this sum; no release can be read by itself.
      </p>
      ${lanes} ${this.#table(shown)}
    </section>`;
  }

  #ended(study: Study, { session, reason, outgoing }: Shown): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">The session has ended without a result</h2>
      <p class="prose">
        ${
          reason === 'sum-overflow'
            ? 'The total is too large for a sum of this study: masks are left in it, or a site or the helper has made up its message. Nobody can see which. Have all sites check study and version before another attempt, which costs their budgets again.'
            : 'You aborted it. What was masked stays masked.'
        }
        Tell the sites.
      </p>
      ${this.outgoing(outgoing, {
        heading: 'For the helper',
        words: 'A notice that the session is over. The helper’s page then deletes all seeds.',
        action: 'Save the notice',
      })}
      <div class="step">
        <h3>Another attempt</h3>
        <p class="prose">
          Every site makes and sends new files, which costs it privacy again. You get new keys; the
          helper’s may stay the same.
        </p>
        ${this.#keysForm(study, session.attempt + 1)}
      </div>
    </section>`;
  }

  async #open(study: Study): Promise<void> {
    this.#forget();
    this.shown = undefined;
    await this.attempt(
      async () => {
        const { restoreCollector } = await federation();
        const roles = (await loadRoles<Notes>('collector', study.id)).map(({ role, notes }) => ({
          role: restoreCollector(role),
          notes,
        }));
        roles.sort((a, b) => a.role.session.attempt - b.role.session.attempt);
        const last = roles.at(-1);
        if (study !== this.study) return;
        if (last !== undefined) await this.#show(study, last.role, last.notes);
      },
      () => study === this.study,
    );
    if (study === this.study) this.ready = true;
  }

  /** Shows the session, unless another study has been opened meanwhile. */
  async #show(study: Study, role: Collector, { taken }: Notes): Promise<void> {
    const { keyWords, sessionToLink, sumOf } = await federation();
    const { session, state, reason, outcome } = role;
    if (session.helper === undefined) throw new TypeError('a split without a helper');
    const sent = await filesOf({ id: session.id, study: study.title }, role.resend());
    // The last message for the helper: the request, or the notice that the session is over.
    const outgoing =
      state === 'closed'
        ? sent.filter(({ to }) => to === 'helper').at(-1)
        : state === 'aborted'
          ? sent.at(-1)
          : undefined;
    if (study !== this.study) return;
    this.shown = {
      ...{ study, session, state, reason, taken, outgoing },
      participants: outcome?.participants ?? [],
      words: keyWords(session.helper),
      links: {
        participant: sessionToLink(study, session, this.#page(this.takePart)),
        helper: sessionToLink(study, session, this.#page(this.helpPage)),
      },
    };
    if (outcome === null || this.#summed === session.id) return;
    this.#summed = session.id;
    const sum = await sumOf(study, role);
    if (study !== this.study) {
      this.#summed = '';
      return;
    }
    const name = `sum-of-${String(outcome.participants.length)}.json`;
    this.#emitFiles([new File([sum.toBlob()], name, { type: 'application/json' })]);
  }

  async #attempt(
    { study, session }: Shown,
    work: (role: Collector, notes: Notes) => Promise<void>,
  ): Promise<void> {
    const create = (): never => {
      throw new TypeError('the session was not saved');
    };
    const show = async (role: Collector, notes: Notes): Promise<void> => {
      if (this.isOpen(session)) await this.#show(study, role, notes);
    };
    await this.attempt(
      async () => {
        const { restoreCollector: restore } = await federation();
        await this.work({ name: 'collector', study, session, restore, create, show }, work);
      },
      () => this.isOpen(session),
    );
  }

  async #added(shown: Shown, files: readonly File[]): Promise<void> {
    const { session, state } = shown;
    const messages: File[] = [];
    const others: File[] = [];
    for (const file of files) ((await isMessage(file)) ? messages : others).push(file);
    const strangers = others.filter(({ name }) => name.endsWith('.pmr'));
    if (this.isOpen(session)) this.refused = [];
    for (const file of strangers) this.refuse(session, file, 'not a session message');
    this.#emitFiles(others.filter((file) => !strangers.includes(file)));
    if (messages.length === 0) return;
    await this.#attempt(shown, async (role, notes) => {
      for await (const message of this.readMessages(session, ['analyst', 'all'], messages)) {
        await this.#take(role, notes, message);
      }
    });
    if (this.isOpen(session) && this.shown?.state !== state) await this.focusOn('#session');
  }

  async #take(
    role: Collector,
    { taken }: Notes,
    { file, bytes, type, pid }: ReadMessage,
  ): Promise<void> {
    const before = role.releases.length;
    const step = await role.receive(bytes);
    if (step.refused !== null) {
      this.refuse(role.session, file, step.refused.reason, { pid });
      return;
    }
    if (type === 'short' && this.isOpen(role.session)) this.short = true;
    if (type !== 'masked') return;
    const accepted = role.releases.find((release) => release.pid === pid);
    if (role.releases.length > before && accepted !== undefined) {
      taken.push({ name: file.name, bytes: file.size, ...accepted });
      return;
    }
    // Adding the same file again is harmless and changes nothing.
    this.refuse(role.session, file, 'already added', { pid, again: true });
  }

  async #close(shown: Shown): Promise<void> {
    this.short = false;
    this.refused = [];
    await this.#attempt(shown, async (role) => {
      await role.close();
    });
    if (this.isOpen(shown.session)) await this.focusOn('#collect');
  }

  async #abort(shown: Shown): Promise<void> {
    this.asking = false;
    await this.#attempt(shown, async (role) => {
      await role.abort();
    });
    if (this.isOpen(shown.session)) await this.focusOn('#session');
  }

  #emitFiles(files: File[]): void {
    if (files.length === 0) return;
    const detail: FilesDetail = { files };
    this.dispatchEvent(new CustomEvent('pm-files', { detail }));
  }

  #page(address: string): string {
    return new URL(address, document.baseURI).href;
  }

  /** Forgets everything but the helper's keys, which may serve another attempt or study. */
  #forget(): void {
    this.shown = undefined;
    this.ready = this.study !== undefined && this.ready;
    this.refused = [];
    this.problem = '';
    this.short = false;
    this.asking = false;
  }
}
