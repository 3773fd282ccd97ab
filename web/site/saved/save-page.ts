import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { bytes as byteCount } from 'private-moments/words';
import { segmentStyles } from '../../elements/src/analyse/result-styles.js';
import { takeFiles } from '../../elements/src/controls/input-values.js';
import { codeStyles } from '../../elements/src/controls/code-sample.js';
import { notice, noticeStyles } from '../../elements/src/controls/notice.js';
import { down, file as fileIcon, tick, up } from '../../elements/src/look/icons.js';
import { stepNumberStyles } from '../../elements/src/controls/step-rail.js';
import { styles } from '../../elements/src/look/styles.js';
import { RULES } from './policy.js';
import { saveStyles } from './save-styles.js';
import { sheetHead, sheetPromise, sheetStyles } from './sheet.js';
import { systemsFor } from './systems.js';

/** The file that the page offers, once it is read. `hash` is undefined on pages over plain http: browsers compute none. */
interface Offered {
  bytes: Uint8Array<ArrayBuffer>;
  hash: string | undefined;
}

const SYSTEMS = systemsFor(navigator.userAgent);

const ANOTHER = 'This is not the file that the site was built with.';
const ANOTHER_REMEDY =
  'Do not use it. If it is the same after a while, tell the people who run this site: its files are of two versions, or one was changed.';

/**
 * Offers the saved copy of `version` at the address `file`, with how to check it. `hash` is its SHA-256, which the build
 * writes into the page; a file with another one is not offered.
 */
export class PmSavePage extends LitElement {
  static override properties = {
    file: {},
    hash: {},
    version: {},
    offered: { state: true },
    problem: { state: true },
    system: { state: true },
    compared: { state: true },
    isOver: { state: true },
  };

  static override styles = [
    styles,
    stepNumberStyles,
    segmentStyles,
    codeStyles,
    noticeStyles,
    saveStyles,
    sheetStyles,
  ];

  declare file: string;
  declare hash: string;
  declare version: string;
  declare offered: Offered | undefined;
  /** Why the file could not be read. */
  declare problem: string | undefined;
  /** Index of the chosen system. */
  declare system: number;
  /** Whether the copy that somebody gave is the same. */
  declare compared: 'same' | 'different' | undefined;
  declare isOver: boolean;

  constructor() {
    super();
    this.file = '';
    this.hash = '';
    this.version = '';
    this.offered = undefined;
    this.problem = undefined;
    this.system = 0;
    this.compared = undefined;
    this.isOver = false;
  }

  protected override firstUpdated(): void {
    // The file is large: the page is drawn before it is fetched.
    requestAnimationFrame(() => {
      setTimeout(() => void this.#read());
    });
  }

  async #read(): Promise<void> {
    this.problem = undefined;
    try {
      const response = await fetch(this.file);
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.offered = { bytes, hash: await sha256(bytes) };
    } catch {
      this.problem = 'Check your connection, then try again.';
    }
  }

  get #name(): string {
    return this.file.replace(/.*\//, '');
  }

  protected override render(): TemplateResult {
    return html`${sheetHead(this.version)}
      <h1 class="on-screen">Save this page</h1>
      <p class="lead on-screen">
        For hospital IT: one file to check, to keep, and to open where there is no network.
      </p>
      <div class="box">
        <div class="top">
          <div>
            <h2>Take part, in one HTML file</h2>
            <p class="prose">
              The page and its engine. It runs from a share, a USB stick or a mail attachment.
            </p>
          </div>
          ${this.#size()}
        </div>
        <div class="columns">
          <div>${this.#offer()} ${needs()}</div>
          <div>${rules()}</div>
        </div>
        ${sheetPromise()} ${steps()}
      </div>`;
  }

  #size(): TemplateResult {
    const [value = '', unit = ''] = this.offered
      ? byteCount(this.offered.bytes.length).split(' ')
      : [];
    return html`<p class="size">${value} <small>${unit}</small></p>`;
  }

  #offer(): TemplateResult {
    const isAnother = this.#isAnother;
    return html`<div class="file">
        ${fileIcon}
        <div>
          <p class="file-name">${this.#name}</p>
          ${isAnother ? nothing : html`<p class="label">Version ${this.version}, the same bytes from the same source</p>`}
        </div>
        ${
          isAnother
            ? nothing
            : html`<a class="button primary on-screen" href=${this.file} download=${this.#name}
                >${down}Save</a
              >`
        }
      </div>
      ${this.#state()} ${this.#check()}`;
  }

  #state(): TemplateResult {
    if (this.problem !== undefined)
      return this.#failed('The file could not be read.', this.problem);
    return this.#isAnother ? this.#failed(ANOTHER, ANOTHER_REMEDY) : this.#hash();
  }

  /** Whether the file is not the one that the site was built with. */
  get #isAnother(): boolean {
    return this.offered?.hash !== undefined && this.offered.hash !== this.hash;
  }

  #failed(title: string, body: string): TemplateResult {
    return html`<div class="failed">
      ${notice({
        kind: 'bad',
        title,
        body,
        actions: html`<button class="button" type="button" @click=${() => void this.#read()}>
          Try again
        </button>`,
      })}
    </div>`;
  }

  #hash(): TemplateResult {
    return html`<div class="head">
        <h3>SHA-256</h3>
        <pm-copy-button class="on-screen" small .text=${this.hash}></pm-copy-button>
      </div>
      <p class="hash">${this.hash.match(/.{8}/g)?.map((part) => html`<span>${part}</span>`)}</p>
      <p class="label">
        Written into this page when the site was built. Over https your browser compares it with the
        file above. A page cannot vouch for itself: compare with a hash from elsewhere, such as your
        organiser’s, that of the release, or what <code>make site</code> prints for this version.
        <a class="on-screen" href="./docs/how-to/check-what-you-run.html">Where to find one</a>
      </p>`;
  }

  #check(): TemplateResult {
    const system = SYSTEMS[this.system];
    return html`<div class="head">
        <h3>Check your copy</h3>
        <div class="segments on-screen" role="group" aria-label="Operating system">
          ${SYSTEMS.map(
            ({ name }, i) =>
              html`<button
                type="button"
                aria-pressed=${i === this.system ? 'true' : 'false'}
                @click=${() => {
                  this.system = i;
                }}
              >
                ${name}
              </button>`,
          )}
        </div>
      </div>
      <p class="sheet label">On ${system?.name}:</p>
      <pre class="code" tabindex="0" role="region" aria-label="Command"><span class="quiet">${
        system?.prompt
      }</span> ${system?.command(this.#name)}
<span class="quiet">${this.#expected()}</span></pre>
      <div
        class="drop on-screen ${this.isOver ? 'over' : ''}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.isOver = true;
        }}
        @dragleave=${() => {
          this.isOver = false;
        }}
        @drop=${this.#dropped}
      >
        ${up}
        <p>Or drop your copy here. It stays on this computer.</p>
        <button
          class="button small"
          type="button"
          ?disabled=${this.offered === undefined}
          @click=${this.#choose}
        >
          Choose a file
        </button>
        <input
          type="file"
          hidden
          aria-label="Copy to check"
          accept=".html"
          @change=${(event: Event) => void this.#compare(takeFiles(event)[0])}
        />
        <p class="outcome" role="status">${this.#outcome()}</p>
      </div>`;
  }

  /** What the command prints. */
  #expected(): string {
    const isUnknown = this.problem !== undefined || this.#isAnother;
    return isUnknown ? '' : (SYSTEMS[this.system]?.output(this.#name, this.hash) ?? '');
  }

  #outcome(): TemplateResult | typeof nothing {
    if (this.compared === undefined) return nothing;
    return this.compared === 'same'
      ? html`<span class="tag">${tick} Same as published</span>`
      : html`<span class="tag bad">Different: do not use it</span>`;
  }

  readonly #choose = (): void => {
    this.renderRoot.querySelector('input')?.click();
  };

  readonly #dropped = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = false;
    void this.#compare(event.dataTransfer?.files[0]);
  };

  /** Compares the bytes themselves, which works without a hash too. */
  async #compare(copy: File | undefined): Promise<void> {
    const { offered } = this;
    if (copy === undefined || offered === undefined) return;
    const own = new Uint8Array(await copy.arrayBuffer());
    const isOwn = !this.#isAnother && isSame(own, offered.bytes);
    this.compared = isOwn ? 'same' : 'different';
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** Undefined where the browser has no hashes: on pages that came over plain http. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  const digest = await subtle?.digest('SHA-256', bytes);
  if (digest === undefined) return undefined;
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function rules(): TemplateResult {
  return html`<h3>The rules inside the file</h3>
    <p class="help">They stand in its first lines, and the browser enforces them.</p>
    <table class="rules">
      <tbody>
        ${RULES.map(
          ({ name, value, meaning }) =>
            html`<tr class=${name === 'connect-src' ? 'main-rule' : ''}>
              <th scope="row">
                ${name}
                ${value ?? (name === 'script-src' ? "'sha256-…' 'wasm-unsafe-eval'" : "'sha256-…'")}
              </th>
              <td>${meaning}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="limit">
      <b>What a rule cannot rule out.</b> A page could still open another page, use WebRTC, or
      connect to a site ahead of a request. Airplane mode stops that too, so it is the stronger
      test.
    </p>`;
}

function needs(): TemplateResult {
  const needed = [
    ['Nothing installed.', 'No administrator rights, no service, no open port.'],
    ['It reads', 'the study and the file somebody chooses, and nothing else.'],
    ['It writes', 'the files you save and, in the browser, a ledger and past releases.'],
    ['It is updated', 'by you: a saved file never changes.'],
  ];
  return html`<h3 class="needs-title">What it needs from you</h3>
    <ul class="needs">
      ${needed.map(
        ([what, how]) =>
          html`<li>
            ${tick}<span><b>${what}</b> ${how}</span>
          </li>`,
      )}
    </ul>`;
}

function steps(): TemplateResult {
  const all = [
    {
      what: 'Turn the network off',
      how: 'Open the file in airplane mode, give it the study file and your rows. Everything works.',
    },
    {
      what: 'Watch it',
      how:
        'With the network on, open the browser’s network panel and drop a file. It lists no address but ' +
        'blob: and data:, which are inside the tab.',
    },
    {
      what: 'Keep it where it is',
      how:
        'Firefox has a ledger for each place of the file. In Chromium and WebKit every HTML file on this ' +
        'computer shares one, and can read it. Save the whole ledger before you move the file.',
    },
    {
      what: 'Print the sheet',
      how: html`Hash, rules and limits on one page, for your records.
        <button class="link" type="button" @click=${print}>
          For the data protection officer
        </button>`,
    },
  ];
  return html`<ol class="steps on-screen">
    ${all.map(
      ({ what, how }, i) =>
        html`<li>
          <span class="mark" aria-hidden="true">${i + 1}</span>
          <span><b>${what}</b>${how}</span>
        </li>`,
    )}
  </ol>`;
}

function print(): void {
  window.print();
}
