import type { Guarantee, Study } from 'private-moments';
import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { packedLength, releasedFeatures } from 'private-moments/internal';
import { count, honestyInWords, otherAssumptions } from 'private-moments/words';
import { disclosure, disclosureStyles } from '../controls/disclosure.js';
import { exactBytesStyles } from './exact-bytes.js';
import { panelStyles } from './panel-styles.js';
import { inequality, populationLimit, guaranteeSection } from './guarantee-section.js';
import { fileList, fileListStyles, type ListedFile } from '../session/session-file-list.js';
import { shortId, type SessionFile } from '../session/session-files.js';
import type { Part } from './session-part.js';
import { floorWords, shareOfNoise } from '../session/session-words.js';
import { styles } from '../look/styles.js';
import { PmGuessBar } from '../figures/guess-bar.js';

/** The bytes of a message before its header, and those of its signature. */
const HEAD_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** The two files that leave a participant of a session by hand, what they hold and what they reveal. */
export class PmSessionLeaves extends LitElement {
  static readonly parts = {
    'pm-guess-bar': PmGuessBar,
  };

  static override properties = {
    study: { attribute: false },
    sent: { attribute: false },
    guarantee: { attribute: false },
    headers: { state: true },
  };

  static override styles = [
    styles,
    disclosureStyles,
    exactBytesStyles,
    fileListStyles,
    panelStyles,
    css`
      .size {
        margin: 0;
      }

      .body {
        display: grid;
        grid-template-columns: minmax(0, 584px) minmax(0, 1fr);
        gap: 48px;
        padding-bottom: 28px;
      }

      .words {
        padding-top: 20px;
      }

      .disclosed p + p,
      .disclosed p + ul,
      .disclosed li + li {
        margin-top: 10px;
      }

      .exact h3 {
        margin: 0 0 8px;
      }

      .exact .help + h3 {
        margin-top: 24px;
      }

      .foot {
        margin-top: 28px;
        color: var(--_ink-3);
        font-size: 14px;
        line-height: 20px;
      }

      @media (max-width: 999px) {
        .body {
          grid-template-columns: minmax(0, 1fr);
          gap: 12px;
        }
      }
    `,
  ];

  declare study: Study | undefined;
  declare sent: Part | undefined;
  declare guarantee: Guarantee | undefined;
  /** The header of each file, which is not encrypted. */
  declare headers: readonly string[];

  constructor() {
    super();
    this.study = undefined;
    this.sent = undefined;
    this.guarantee = undefined;
    this.headers = [];
  }

  /** The heading, for focus after the files are made. */
  get heading(): HTMLElement | null {
    return this.renderRoot.querySelector('h2');
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('sent')) void this.#read(this.sent);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { study, sent: part, guarantee } = this;
    if (study === undefined || part === undefined) return nothing;
    const total = part.files.reduce((sum, { blob }) => sum + blob.size, 0);
    return html`<section class="panel" part="panel" aria-labelledby="what-leaves">
      <header>
        <div>
          <h2 id="what-leaves" tabindex="-1">What leaves this computer</h2>
          <p>These two files, and nothing else. They leave when you send them.</p>
        </div>
        <p class="size"><strong>${count(total)}</strong> bytes</p>
      </header>
      <div class="body">
        <div>
          ${fileList(part.files.map((file) => listedFile(file, study, part)))}
          <p class="foot">
            This page does not send them. Send each to its receiver
            yourself${
              study.contact === undefined
                ? ''
                : html`, the analyst’s to <span class="contact">${study.contact}</span>`
            },
            and tell both that you are participant <strong>${shortId(part.pid)}</strong>. Sending
            the same files again costs nothing.
          </p>
        </div>
        <div class="words">
          ${
            guarantee === undefined
              ? nothing
              : guaranteeSection(study, guarantee, 'sum', {
                  definition: definition(guarantee),
                  limits: limits(study, guarantee, part),
                })
          }
          <slot name="budget"></slot>
        </div>
      </div>
      <div class="exact">${disclosure('What can be read in the files', this.#exact(part))}</div>
    </section>`;
  }

  #exact({ files }: Part): TemplateResult[] {
    return files.map(({ name, blob }, i) => {
      const header = this.headers[i] ?? '';
      const rest = blob.size - HEAD_BYTES - header.length - SIGNATURE_BYTES;
      return html`<h3 class="mono">${name}</h3>
        <pre class="bytes" tabindex="0" role="region" aria-label="What can be read in ${name}">
${header}</pre>
        <p class="help">
          Before this come ${HEAD_BYTES} bytes that give the type of file. After it come
          ${count(rest)} bytes that only the receiver can open, and a signature of
          ${SIGNATURE_BYTES} bytes.
        </p>`;
    });
  }

  async #read(part: Part | undefined): Promise<void> {
    const headers = await Promise.all((part?.files ?? []).map(({ blob }) => headerOf(blob)));
    if (part === this.sent) this.headers = headers;
  }
}

/** The header of a message, which is unencrypted JSON. */
async function headerOf(blob: Blob): Promise<string> {
  const head = await blob.slice(0, HEAD_BYTES).arrayBuffer();
  const length = new DataView(head).getUint32(4, true);
  return blob.slice(HEAD_BYTES, HEAD_BYTES + length).text();
}

function listedFile(file: SessionFile, study: Study, { rows }: Part): ListedFile {
  if (file.to === 'analyst') {
    const sums = packedLength(releasedFeatures(study));
    return {
      file,
      heading: 'For the analyst',
      words: `${count(sums)} numbers, noise and mask included, sealed so that only the analyst can open them.${
        rows === null || study.unit === 'participant'
          ? ''
          : ` Anyone who has the file can read the number of rows, ${count(rows)}.`
      }`,
      action: 'Save the analyst’s file',
    };
  }
  return {
    file,
    heading: 'For the helper',
    words:
      'The seeds of the mask, sealed so that only the helper can open them. They say nothing about your rows.',
    action: 'Save the helper’s file',
  };
}

function definition(guarantee: Guarantee): TemplateResult {
  return html`${inequality(guarantee, 'sum')}
    <p>${honestyInWords(guarantee).join(' ')}</p>
    <p>It assumes:</p>
    <ul>
      ${otherAssumptions(guarantee).map((assumption) => html`<li>${assumption}</li>`)}
    </ul>`;
}

function limits(study: Study, guarantee: Guarantee, { rows }: Part): TemplateResult {
  const rowsShow = rows !== null && guarantee.unit === 'row';
  return html`<ul>
    <li>
      Analyst and helper together. They could read your sums, which carry ${shareOfNoise(study)}:
      ${floorWords(guarantee)}.
    </li>
    ${
      rowsShow
        ? html`<li>
            The number of rows, ${count(rows)}. Anyone who handles the analyst’s file can read it.
          </li>`
        : nothing
    }
    <li>That you took part. Both files name the session, and they are signed.</li>
    ${populationLimit}
    <li>
      Another attempt. If this one fails and the analyst asks again, that is another session with
      fresh noise, and it costs privacy again.
    </li>
  </ul>`;
}
