import type { Guarantee, Study } from 'private-moments';
import type { Session, SplitHelper } from 'private-moments/federation';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { takeFiles } from './controls.js';
import { disclosureStyles } from './disclosure.js';
import { count, plural } from './format.js';
import { down } from './icons.js';
import { keepStorage } from './kept.js';
import { keepKeys, keptKeys, keptRole, type KeptKeys } from './kept-roles.js';
import { dayOf } from './ledger-words.js';
import { linkBox, linkBoxStyles } from './link-box.js';
import { notice } from './notice.js';
import type { FilesDetail } from './public.js';
import { save } from './save.js';
import { fileList } from './session-file-list.js';
import { federation, filesOf, type SessionFile } from './session-files.js';
import { SessionRole, type Heard } from './session-role.js';
import { messageTable, type Brought } from './session-table.js';
import { floorWords, holdsIf, shareOfNoise } from './session-words.js';
import { studyDetails, studyStyles } from './study-view.js';

interface Notes {
  /** Whose seeds came. */
  taken: Brought[];
  /** Signed messages that contradict each other, as refused first. */
  evidence: Uint8Array[];
}

/** The session as the page shows it. */
interface Shown {
  /** By which it was opened. */
  link: string;
  study: Study;
  session: Session;
  /** Of the sum, with its floor. */
  guarantee: Guarantee;
  state: SplitHelper['state'];
  taken: Brought[];
  /** What the analyst gets: the sum of the masks, or word that they are too few. */
  answer: SessionFile | undefined;
  evidence: SessionFile[];
}

/** A request that waits for an answer. */
interface Request {
  bytes: Uint8Array;
  asked: number;
  here: number;
}

/**
 * The helper's side of sessions by hand: keys, which are made and kept in this browser, seeds in, and
 * one answer out. `study` takes a session link; `analyse` is the address that opens the link of keys.
 */
export class PmSessionHelper extends SessionRole {
  static override properties = {
    study: {},
    analyse: {},
    kept: { state: true },
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
  declare kept: KeptKeys | undefined;
  declare words: string;
  declare link: string;
  declare shown: Shown | undefined;
  declare request: Request | undefined;
  declare ready: boolean;
  /** That restored keys have answered nothing of this session elsewhere. */
  declare vouched: boolean;

  constructor() {
    super();
    this.study = undefined;
    this.analyse = '';
    this.kept = undefined;
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
      await this.#useKeys(await keptKeys());
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('study') && this.study !== undefined && this.ready) void this.#open(this.study);
  }

  protected override render(): TemplateResult {
    const { kept, shown } = this;
    return html`<h1 tabindex="-1">Hold the keys</h1>
      <p class="lead">
        Help sites add up their sums without anybody reading one of them. You get what unmasks the
        sum, and no data. The analyst gets the masked sums. You two must never share files.
      </p>
      ${this.ready ? (kept === undefined ? this.#noKeys() : this.#yourKeys(kept)) : nothing}
      ${this.failed()}
      ${kept === undefined || !this.ready ? nothing : shown === undefined ? this.#noSession() : this.#session(shown, kept)}`;
  }

  // The keys

  #noKeys(): TemplateResult {
    return html`<section aria-labelledby="keys">
      <h2 id="keys" tabindex="-1">Your keys</h2>
      <p class="prose">
        Made in this browser and kept here. The public halves go to the analyst; the secret halves
        stay.
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

  #yourKeys({ keys, made, restored }: KeptKeys): TemplateResult {
    return html`<section aria-labelledby="keys">
      <h2 id="keys" tabindex="-1">Your keys</h2>
      <p class="prose">
        ${restored ? 'Restored' : 'Made'} in this browser on ${dayOf(made)}, and kept here.
      </p>
      <div class="beside">
        <div>
          <h3>For the analyst</h3>
          <p class="help">Public halves only. Who has them can send you what only you can open.</p>
          ${linkBox('Link of your public keys', this.link)}
          <div class="actions">
            <button
              class="button"
              type="button"
              @click=${async () => {
                const { keysToText } = await federation();
                save(json(keysToText(keys)), 'helper.keys.json');
              }}
            >
              ${down} File of public keys
            </button>
          </div>
        </div>
        <div>
          <h3>Your six words</h3>
          <p class="six">${this.words}</p>
          <p class="help">
            Tell them to whoever asks, best over the telephone: the analyst, and everybody who takes
            part. Their pages show the same words, or the keys there are not yours.
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
            Whoever has the backup can act as you. Without it, what is in this browser is all there
            is.
          </p>
        </div>
      </div>
    </section>`;
  }

  async #useKeys(kept: KeptKeys | undefined): Promise<void> {
    if (kept !== undefined) {
      const { keysToLink, keyWords } = await federation();
      this.words = keyWords(kept.keys);
      this.link = keysToLink(kept.keys, new URL(this.analyse, document.baseURI));
    }
    this.kept = kept;
    this.ready = true;
    if (this.study !== undefined) await this.#open(this.study);
  }

  async #make(): Promise<void> {
    await this.attempt(async () => {
      const { newRoleKeys } = await federation();
      // Every browser has P-256; which ones will take part cannot be known here.
      await this.#keep({ keys: await newRoleKeys('p256'), restored: false });
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
      await this.#keep({ keys: await parseSecretKeys(await file.text()), restored: true });
    });
  };

  async #keep(keys: Omit<KeptKeys, 'made'>): Promise<void> {
    const kept = await keepKeys({ ...keys, made: new Date().toISOString() });
    await keepStorage();
    await this.#useKeys(kept);
    await this.focusOn('#keys');
  }

  // The session

  #noSession(): TemplateResult {
    return html`<section aria-labelledby="session">
      <h2 id="session" tabindex="-1">The session</h2>
      <p class="prose">
        The analyst makes a session with your keys and sends you its link. Open that link here, in
        this browser. Then the files of those who take part, and one request, come to you.
      </p>
    </section>`;
  }

  #session(shown: Shown, kept: KeptKeys): TemplateResult {
    const { study, session, state, taken } = shown;
    const isOwn = session.helper?.sign === kept.keys.sign.public;
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
                With the analyst’s files you could read what each site sent, which holds
                ${shareOfNoise(study)}: ${floorWords(shown.guarantee)}. Neither of you may.
                ${holdsIf(study)}
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
              ${this.#evidence(shown)} ${this.#asked(shown, kept)}
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
                body: 'Its keys are not those in this browser. Open the link where they are, or restore them here from their backup.',
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
        ? 'The sum of the masks, sealed so that only the analyst opens it, and whose they are.'
        : 'That too few of the seeds are here. It unmasks nothing.',
      action: 'Save the answer',
    });
  }

  #evidence({ evidence }: Shown): TemplateResult | typeof nothing {
    if (evidence.length === 0) return nothing;
    return html`<div class="step">
      ${notice({
        kind: 'bad',
        title: 'The analyst asked about a second set, which is refused.',
        body: 'Two sums that differ in one site would tell what that site sent. Both requests are signed: they prove that they were made.',
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

  #asked(shown: Shown, { restored }: KeptKeys): TemplateResult | typeof nothing {
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
      These keys were restored from a backup. No request of this session was answered with them
      elsewhere.
    </label>`;
    return html`<div class="step">
      ${notice({
        kind: 'warn',
        title: enough
          ? `The analyst asks about ${plural(asked, 'release')}. ${missing === 0 ? 'All their seeds are here.' : `${count(here)} of their seeds ${here === 1 ? 'is' : 'are'} here.`}`
          : `The analyst asks about ${plural(asked, 'release')}. ${count(here)} of their seeds ${here === 1 ? 'is' : 'are'} here; ${count(shown.session.least)} must be.`,
        body: enough
          ? html`You answer once. ${missing === 0 ? nothing : stayMasked(missing)} After that all
            seeds are forgotten, and no other set is answered. ${restored ? vouch : nothing}`
          : 'Drop the missing seeds first, or tell the analyst, who can ask again. Either way nothing is unmasked now.',
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
        const { promiseOf, sessionFromLink, restoreHelper } = await federation();
        const { study, session } = sessionFromLink(link);
        const guarantee = await promiseOf(study);
        const kept = await keptRole<Notes>('helper', session.id);
        if (link !== this.study) return;
        if (kept !== undefined) {
          await this.#show({ link, study, guarantee }, restoreHelper(kept.role), kept.notes);
        } else {
          const state = 'collecting';
          const none = { taken: [], answer: undefined, evidence: [] };
          this.shown = { link, study, session, guarantee, state, ...none };
        }
      },
      () => link === this.study,
    );
  }

  /** Shows where this session is; not where another has been opened meanwhile. */
  async #show(
    { link, study, guarantee }: Pick<Shown, 'link' | 'study' | 'guarantee'>,
    role: SplitHelper,
    { taken, evidence }: Notes,
  ): Promise<void> {
    const { session, state } = role;
    const sent = await filesOf(session.id, role.resend());
    const proof = evidence.map((message) => ({ to: 'helper', message }));
    const kept = await filesOf(session.id, proof);
    if (link !== this.study) return;
    this.shown = {
      ...{ link, study, session, guarantee, state, taken },
      answer: state === 'aborted' ? undefined : sent.at(-1),
      evidence: kept,
    };
  }

  async #attempt(
    shown: Shown,
    work: (role: SplitHelper, notes: Notes) => Promise<void>,
  ): Promise<void> {
    const { study, session } = shown;
    const keys = this.kept?.keys;
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
      // Seeds before requests, in whichever order the files were chosen.
      const requests: Heard[] = [];
      for await (const heard of this.hear(shown.session, ['helper', 'all'], files)) {
        if (heard.type === 'close') requests.push(heard);
        else await this.#take(role, notes, heard);
      }
      for (const request of requests) await this.#consider(shown, role, notes, request);
    });
  }

  async #take(role: SplitHelper, notes: Notes, { file, bytes, type, pid }: Heard): Promise<void> {
    const before = role.seeds;
    const { refused } = await role.receive(bytes);
    if (refused !== null) this.refuse(role.session, file, refused.reason, { pid });
    else if (role.seeds > before) notes.taken.push({ name: file.name, bytes: file.size, pid });
    else if (type === 'seed')
      this.refuse(role.session, file, 'already there', { pid, again: true });
  }

  /** What can be answered waits for a word; what cannot is refused at once, as is what was answered. */
  async #consider(
    { link }: Shown,
    role: SplitHelper,
    notes: Notes,
    { file, bytes }: Heard,
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
  if (state === 'aborted') return 'The analyst has given up this session. All seeds are forgotten.';
  if (state === 'done') {
    return 'Answered, and all seeds are forgotten. No other set of this session is answered.';
  }
  const here = `${plural(taken.length, 'seed is', 'seeds are')} here, of up to ${count(session.sites)} sites.`;
  return answer === undefined
    ? `${here} The request comes from the analyst once it has the releases.`
    : `${here} The analyst was told that they are too few.`;
}

function stayMasked(missing: number): string {
  return missing === 1
    ? 'The other one stays masked for good: drop its seed first if it is still to come.'
    : `The other ${count(missing)} stay masked for good: drop their seeds first if they are still to come.`;
}

function json(text: string): Blob {
  return new Blob([text], { type: 'application/json' });
}
