import type { Guarantee, Study } from 'private-moments';
import type { Session, SplitHelper } from 'private-moments/federation';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { takeFiles } from '../controls/input-values.js';
import { disclosureStyles } from '../controls/disclosure.js';
import { count, plural } from 'private-moments/words';
import { down } from '../look/icons.js';
import { persistStorage } from '../base/browser-store.js';
import { saveKeys, loadKeys, loadRole, type SavedKeys } from '../session/saved-roles.js';
import { dayOf } from '../session/ledger-words.js';
import { linkBox, linkBoxStyles } from '../controls/link-box.js';
import { notice } from '../controls/notice.js';
import type { FilesDetail } from '../contract/elements.js';
import { save } from '../base/save.js';
import { fileList } from '../session/session-file-list.js';
import { federation, filesOf, type SessionFile } from '../session/session-files.js';
import { SessionRole, type ReadMessage } from '../session/session-role.js';
import { messageTable, type AddedFile } from '../session/session-table.js';
import { floorWords, trustWords, shareOfNoise } from '../session/session-words.js';
import { splitLanes, type SplitStep } from '../session/split-lanes.js';
import { studyDetails, studyStyles } from '../session/study-view.js';
import { PmCopyButton } from '../controls/copy-button.js';
import { PmDropZone } from '../controls/drop-zone.js';

interface Notes {
  /** The seeds received. */
  taken: AddedFile[];
  /** The first pair of signed requests that contradict each other. */
  evidence: Uint8Array[];
}

/** The session as the page shows it. */
interface Shown {
  /** The session link. */
  link: string;
  study: Study;
  session: Session;
  /** The guarantee of the sum, with its floor. */
  guarantee: Guarantee;
  state: SplitHelper['state'];
  taken: AddedFile[];
  /** The file for the analyst: the sum of the masks, or a message that there are too few seeds. */
  answer: SessionFile | undefined;
  evidence: SessionFile[];
}

/** A request that waits for an answer: releases asked about, and seeds received for them. */
interface Request {
  bytes: Uint8Array;
  asked: number;
  here: number;
}

/**
 * The helper's side of sessions by hand: it makes and keeps keys in this browser, takes in seeds, and
 * gives out one answer. `study` takes a session link; `analyse` is the address that opens the key link.
 */
export class PmSessionHelper extends SessionRole {
  static readonly parts = {
    'pm-copy-button': PmCopyButton,
    'pm-drop-zone': PmDropZone,
  };

  static override properties = {
    study: {},
    analyse: {},
    saved: { state: true },
    words: { state: true },
    link: { state: true },
    shown: { state: true },
    request: { state: true },
    ready: { state: true },
    vouched: { state: true },
  };

  static override styles = [
    SessionRole.styles,
    linkBoxStyles,
    disclosureStyles,
    studyStyles,
    css`
      section {
        margin-top: 56px;
      }

      .begin {
        margin-top: 28px;
      }

      .beside {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 28px 56px;
        margin-top: 24px;
      }

      .beside .help {
        margin-top: 4px;
      }

      .beside .actions {
        margin-top: 12px;
      }

      .six {
        margin-top: 8px;
        font-size: 22px;
        line-height: 30px;
        font-weight: 600;
        letter-spacing: -0.012em;
        overflow-wrap: anywhere;
      }

      .session {
        margin-top: 6px;
      }

      .vouch {
        display: flex;
        gap: 12px;
        align-items: flex-start;
        margin-top: 12px;
        color: var(--_ink);
      }

      .vouch input {
        flex: none;
        width: 18px;
        height: 18px;
        margin: 3px 0 0;
        accent-color: var(--_accent);
      }

      @media (max-width: 999px) {
        .beside {
          grid-template-columns: minmax(0, 1fr);
        }
      }

      @media (max-width: 759px) {
        section {
          margin-top: 44px;
        }

        .begin .button {
          width: 100%;
        }
      }
    `,
  ];

  declare study: string | undefined;
  declare analyse: string;
  declare saved: SavedKeys | undefined;
  declare words: string;
  declare link: string;
  declare shown: Shown | undefined;
  declare request: Request | undefined;
  declare ready: boolean;
  /** Whether the helper confirmed that restored keys have answered no request of this session elsewhere. */
  declare vouched: boolean;

  constructor() {
    super();
    this.study = undefined;
    this.analyse = '';
    this.saved = undefined;
    this.words = '';
    this.link = '';
    this.shown = undefined;
    this.request = undefined;
    this.ready = false;
    this.vouched = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.attempt(async () => {
      await this.#useKeys(await loadKeys());
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined && this.ready) void this.#open(this.study);
  }

  protected override render(): TemplateResult {
    const { saved, shown } = this;
    return html`<h1 tabindex="-1">Hold the keys</h1>
      <p class="lead">
        Help sites add up their sums without anyone reading a single one. You get what unmasks the
        total, and no data. The analyst gets the masked sums. You and the analyst must never share
        files.
      </p>
      ${splitLanes('helper', this.#step(), shown?.session.least)}
      ${this.ready ? (saved === undefined ? this.#noKeys() : this.#yourKeys(saved)) : nothing}
      ${this.failed()}
      ${saved === undefined || !this.ready ? nothing : shown === undefined ? this.#noSession() : this.#session(shown, saved)}`;
  }

  /** Where the session stands, as far as the helper can see. */
  #step(): SplitStep {
    const { saved, shown } = this;
    if (saved === undefined) return 'keys';
    if (shown === undefined) return 'start';
    if (shown.state === 'done') return 'read';
    if (this.request !== undefined) return 'answer';
    return shown.taken.length < shown.session.least ? 'mask' : 'close';
  }

  // The keys

  #noKeys(): TemplateResult {
    return html`<section aria-labelledby="keys">
      <h2 id="keys" tabindex="-1">Your keys</h2>
      <p class="prose">
        Made and kept in this browser. The public halves go to the analyst; the secret halves stay
        here.
      </p>
      <div class="actions begin">
        <button class="button primary" type="button" @click=${() => void this.#make()}>
          Make keys
        </button>
        <button class="button" type="button" @click=${this.#choose}>Restore from a backup</button>
        <input
          type="file"
          hidden
          aria-label="Backup of keys"
          accept=".json,application/json"
          @change=${this.#restore}
        />
      </div>
    </section>`;
  }

  #yourKeys({ keys, made, restored }: SavedKeys): TemplateResult {
    return html`<section aria-labelledby="keys">
      <h2 id="keys" tabindex="-1">Your keys</h2>
      <p class="prose">
        ${restored ? 'Restored' : 'Made'} in this browser on ${dayOf(made)}, and kept in it.
      </p>
      <div class="beside">
        <div>
          <h3>For the analyst</h3>
          <p class="help">Public halves only. Anyone with them can send you sealed files.</p>
          ${linkBox('Link with your public keys', this.link)}
          <div class="actions">
            <button
              class="button"
              type="button"
              @click=${async () => {
                const { keysToText } = await federation();
                save(json(keysToText(keys)), 'helper.keys.json');
              }}
            >
              ${down} Public keys as a file
            </button>
          </div>
        </div>
        <div>
          <h3>Your six words</h3>
          <p class="six">${this.words}</p>
          <p class="help">
            Tell them to the analyst and to every participant who asks, preferably by telephone. If
            their page shows other words, the keys there are not yours.
          </p>
          <div class="actions">
            <button
              class="button"
              type="button"
              @click=${async () => {
                const { secretKeysToText } = await federation();
                save(json(secretKeysToText(keys)), 'helper.secret-keys.json');
              }}
            >
              ${down} Backup with the secret halves
            </button>
          </div>
          <p class="help">
            Anyone with the backup can act as you. Without a backup, the only copy is in this
            browser.
          </p>
        </div>
      </div>
    </section>`;
  }

  async #useKeys(saved: SavedKeys | undefined): Promise<void> {
    if (saved !== undefined) {
      const { keysToLink, keyWords } = await federation();
      this.words = keyWords(saved.keys);
      this.link = keysToLink(saved.keys, new URL(this.analyse, document.baseURI));
    }
    this.saved = saved;
    this.ready = true;
    if (this.study !== undefined) await this.#open(this.study);
  }

  async #make(): Promise<void> {
    await this.attempt(async () => {
      const { newRoleKeys } = await federation();
      // Participants may use any browser, and every browser has P-256.
      await this.#persist({ keys: await newRoleKeys('p256'), restored: false });
    });
  }

  readonly #choose = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  };

  readonly #restore = async (event: Event): Promise<void> => {
    const [file] = takeFiles(event);
    if (file === undefined) return;
    await this.attempt(async () => {
      const { parseSecretKeys } = await federation();
      await this.#persist({ keys: await parseSecretKeys(await file.text()), restored: true });
    });
  };

  async #persist(keys: Omit<SavedKeys, 'made'>): Promise<void> {
    const saved = await saveKeys({ ...keys, made: new Date().toISOString() });
    await persistStorage();
    await this.#useKeys(saved);
    await this.focusOn('#keys');
  }

  // The session

  #noSession(): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">The session</h2>
      <p class="prose">
        The analyst starts a session with your keys and sends you its link. Open that link in this
        browser. Participants then send you their files, and the analyst sends you one request.
      </p>
    </section>`;
  }

  #session(shown: Shown, saved: SavedKeys): TemplateResult {
    const { study, session, state, taken } = shown;
    const isOwn = session.helper?.sign === saved.keys.sign.public;
    const isOver = state === 'done' || state === 'aborted';
    return html`<section aria-labelledby="session">
      <p class="label">
        Session${session.attempt === 1 ? '' : `, attempt ${count(session.attempt)}`}
      </p>
      <h2 id="session" tabindex="-1">${study.title}</h2>
      ${
        isOwn
          ? html`<p class="prose" role="status">${stateWords(shown)}</p>
              <p class="prose session">
                With the analyst’s files you could read what each site sent, which carries
                ${shareOfNoise(study)}: ${floorWords(shown.guarantee)}. Neither of you may.
                ${trustWords(study)}
              </p>
              <div class="step">${studyDetails(study)}</div>
              ${this.#answer(shown)}
              ${
                state === 'aborted'
                  ? nothing
                  : html`<pm-drop-zone
                      heading=${isOver ? 'Drop a request here' : 'Drop the seeds and the request here'}
                      help="Files that end in .pmr. They stay on this computer."
                      action="Choose files"
                      accept=".pmr"
                      multiple
                      @pm-files=${(event: CustomEvent<FilesDetail>) =>
                        void this.#added(shown, event.detail.files)}
                    ></pm-drop-zone>`
              }
              ${this.#evidence(shown)} ${this.#asked(shown, saved)}
              ${
                taken.length + this.refused.length === 0
                  ? nothing
                  : html`<div class="table">
                      ${messageTable([...taken, ...this.refused], { rows: false })}
                    </div>`
              }`
          : html`<div class="step">
              ${notice({
                kind: 'bad',
                title: 'This session names another helper.',
                body: 'Its keys are not the ones in this browser. Open the link in the browser that has them, or restore them here from a backup.',
              })}
            </div>`
      }
    </section>`;
  }

  #answer({ answer, state }: Shown): TemplateResult | typeof nothing {
    const isSum = state === 'done';
    return this.outgoing(answer, {
      heading: 'For the analyst',
      words: isSum
        ? 'The sum of the masks, sealed so that only the analyst can open it, and whose masks they are.'
        : 'A message that too few seeds have arrived. It unmasks nothing.',
      action: 'Save the answer',
    });
  }

  #evidence({ evidence }: Shown): TemplateResult | typeof nothing {
    if (evidence.length === 0) return nothing;
    return html`<div class="step">
      ${notice({
        kind: 'bad',
        title: 'The analyst asked about a second set, and the request was refused.',
        body: 'Two sums that differ in one site would reveal what that site sent. Both requests are signed, so they prove that they were made.',
      })}
      <div class="step">
        ${fileList(
          evidence.map((file, i) => ({
            file,
            heading: i === 0 ? 'The request that was answered' : 'The request that was refused',
            words: 'Keep it with your records.',
            action: i === 0 ? 'Save the first request' : 'Save the second request',
            primary: false,
          })),
        )}
      </div>
    </div>`;
  }

  #asked(shown: Shown, { restored }: SavedKeys): TemplateResult | typeof nothing {
    const { request } = this;
    if (request === undefined) return nothing;
    const { asked, here } = request;
    const enough = here >= shown.session.least;
    const missing = asked - here;
    const vouch = html`<label class="vouch">
      <input
        type="checkbox"
        .checked=${this.vouched}
        @change=${(event: Event) => {
          this.vouched = (event.target as HTMLInputElement).checked;
        }}
      />
      These keys were restored from a backup. They have answered no request of this session
      elsewhere.
    </label>`;
    return html`<div class="step">
      ${notice({
        kind: 'warn',
        title: enough
          ? `The analyst asks about ${plural(asked, 'release')}. You have ${missing === 0 ? 'all' : count(here)} of their seeds.`
          : `The analyst asks about ${plural(asked, 'release')}. You have ${count(here)} of their seeds and need at least ${count(shown.session.least)}.`,
        body: enough
          ? html`You can answer only once. ${missing === 0 ? nothing : stayMasked(missing)} After
            that, all seeds are deleted and no other set is answered. ${restored ? vouch : nothing}`
          : 'Nothing is unmasked now. Drop the missing seeds below, or tell the analyst, who can ask again.',
        actions: html`<button
            class="button ${enough ? 'primary' : ''}"
            type="button"
            ?disabled=${enough && restored && !this.vouched}
            @click=${() => void this.#respond(shown, request)}
          >
            ${enough ? `Answer with the sum of ${count(here)}` : 'Tell the analyst'}
          </button>
          <button
            class="button"
            type="button"
            @click=${() => {
              this.request = undefined;
            }}
          >
            Not now
          </button>`,
      })}
    </div>`;
  }

  async #open(link: string): Promise<void> {
    this.shown = undefined;
    this.request = undefined;
    this.refused = [];
    this.vouched = false;
    await this.attempt(
      async () => {
        const { guaranteeOf, sessionFromLink, restoreHelper } = await federation();
        const { study, session } = sessionFromLink(link);
        const guarantee = await guaranteeOf(study);
        const saved = await loadRole<Notes>('helper', session.id);
        if (link !== this.study) return;
        if (saved !== undefined) {
          await this.#show({ link, study, guarantee }, restoreHelper(saved.role), saved.notes);
        } else {
          const state = 'collecting';
          const none = { taken: [], answer: undefined, evidence: [] };
          this.shown = { link, study, session, guarantee, state, ...none };
        }
      },
      () => link === this.study,
    );
  }

  /** Shows the session, unless another has been opened meanwhile. */
  async #show(
    { link, study, guarantee }: Pick<Shown, 'link' | 'study' | 'guarantee'>,
    role: SplitHelper,
    { taken, evidence }: Notes,
  ): Promise<void> {
    const { session, state } = role;
    const about = { id: session.id, study: study.title };
    const sent = await filesOf(about, role.resend());
    const proof = evidence.map((message) => ({ to: 'helper', message }));
    const saved = await filesOf(about, proof);
    if (link !== this.study) return;
    this.shown = {
      ...{ link, study, session, guarantee, state, taken },
      answer: state === 'aborted' ? undefined : sent.at(-1),
      evidence: saved,
    };
  }

  async #attempt(
    shown: Shown,
    work: (role: SplitHelper, notes: Notes) => Promise<void>,
  ): Promise<void> {
    const { study, session } = shown;
    const keys = this.saved?.keys;
    if (keys === undefined) return;
    const show = (role: SplitHelper, notes: Notes): Promise<void> => this.#show(shown, role, notes);
    await this.attempt(
      async () => {
        const { createHelper, restoreHelper: restore } = await federation();
        const create = async (): Promise<{ role: SplitHelper; notes: Notes }> => ({
          role: await createHelper(session, keys),
          notes: { taken: [], evidence: [] },
        });
        await this.work({ name: 'helper', study, session, restore, create, show }, work);
      },
      () => this.isOpen(session),
    );
  }

  async #added(shown: Shown, files: readonly File[]): Promise<void> {
    this.refused = [];
    this.request = undefined;
    await this.#attempt(shown, async (role, notes) => {
      // Seeds come before requests, whatever the order of the files.
      const requests: ReadMessage[] = [];
      for await (const message of this.readMessages(shown.session, ['helper', 'all'], files)) {
        if (message.type === 'close') requests.push(message);
        else await this.#take(role, notes, message);
      }
      for (const request of requests) await this.#consider(shown, role, notes, request);
    });
  }

  async #take(
    role: SplitHelper,
    notes: Notes,
    { file, bytes, type, pid }: ReadMessage,
  ): Promise<void> {
    const before = role.seeds;
    const { refused } = await role.receive(bytes);
    if (refused !== null) this.refuse(role.session, file, refused.reason, { pid });
    else if (role.seeds > before) notes.taken.push({ name: file.name, bytes: file.size, pid });
    else if (type === 'seed')
      this.refuse(role.session, file, 'already added', { pid, again: true });
  }

  /** A request that can be answered waits for the helper's decision; any other is refused at once. */
  async #consider(
    { link }: Shown,
    role: SplitHelper,
    notes: Notes,
    { file, bytes }: ReadMessage,
  ): Promise<void> {
    const weighed = await role.weigh(bytes);
    if (weighed !== null) {
      if (link === this.study) this.request = { bytes, ...weighed };
      return;
    }
    const { refused } = await role.receive(bytes);
    if (refused === null) return;
    this.refuse(role.session, file, refused.reason);
    if (refused.evidence !== undefined && notes.evidence.length === 0) {
      notes.evidence = refused.evidence;
    }
  }

  async #respond(shown: Shown, { bytes }: Request): Promise<void> {
    this.request = undefined;
    const { session } = shown;
    await this.#attempt(shown, async (role, notes) => {
      const { refused } = await role.receive(bytes);
      if (refused !== null && this.isOpen(session)) this.problem = refused.reason;
      if (refused?.evidence !== undefined) notes.evidence = refused.evidence;
    });
    if (this.isOpen(session)) await this.focusOn('#session');
  }
}

function stateWords({ state, session, taken, answer }: Shown): string {
  if (state === 'aborted') return 'The analyst has aborted this session. All seeds are deleted.';
  if (state === 'done') {
    return 'Answered. All seeds are deleted, and no other set of this session is answered.';
  }
  const received = `${plural(taken.length, 'seed')} received, from up to ${count(session.sites)} sites.`;
  return answer === undefined
    ? `${received} The analyst sends the request once it has the releases.`
    : `${received} The answer tells the analyst that they are too few.`;
}

function stayMasked(missing: number): string {
  return missing === 1
    ? 'The other release stays masked for good: if its seed is still to come, add it first.'
    : `The other ${count(missing)} stay masked for good: if their seeds are still to come, add them first.`;
}

function json(text: string): Blob {
  return new Blob([text], { type: 'application/json' });
}
