import type { CsvDecimal, Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { bytes, count, plural, seconds } from 'private-moments/words';
import type { FileState } from './participant-file.js';
import { file as fileIcon } from '../look/icons.js';
import { matchTable } from './match-table.js';
import { completeMatching } from './matching.js';
import { notice } from '../controls/notice.js';
import { names, previewNumbers, previewWords } from './preview.js';
import { progressBar } from '../controls/progress.js';
import type { FilesDetail } from '../contract/elements.js';

interface FileView {
  study: Study;
  state: FileState;
  /** Shown while no file is chosen. */
  none: () => TemplateResult;
  /** Whether the participant's part in a session was made from this file; its matching is then final. */
  isSent: boolean;
  onCancel: () => void;
  onAgain: () => void;
  onMatch: (column: string, from: string | undefined) => void;
  /** The participant said whether the first line holds names. */
  onNames: (hasNames: boolean) => void;
  onInOrder: () => void;
  onDecimal: (decimal: CsvDecimal) => void;
  /** Shows the field to paste rows into, in place of the file. */
  onPaste: () => void;
  /** The participant said that the text is, or is not, of an older Excel. */
  onOldText: (isOldText: boolean) => void;
  onForget: () => void;
  onCode: (code: string) => void;
  onNoCode: (code: string) => void;
  /** Codes that the participant or the study has decided on, which are not asked for. */
  decided: readonly string[];
  another: (kind: '' | 'primary' | 'small') => TemplateResult | typeof nothing;
}

/** Shows the participant's file: its progress, its preview, or why it cannot be used. */
export function fileView(view: FileView): TemplateResult {
  const { file, reading, isStopped, error, header } = view.state;
  if (reading !== undefined) return progressBar(reading, view.onCancel);
  if (file === undefined) return view.none();
  if (isStopped) {
    return html`<div class="box">
      ${notice({
        kind: 'stopped',
        title: 'Stopped. Nothing left this computer.',
        body: `${file.name} was read only in part.`,
        actions: html`<button class="button primary" type="button" @click=${view.onAgain}>
            Read it again
          </button>
          ${view.another('')}`,
      })}
    </div>`;
  }
  if (view.state.hasNames === undefined) {
    return html`<div class="box">
      ${view.state.words?.namesQuestion(file, view.onNames, view.another(''))}
    </div>`;
  }
  const { found, chosen } = view.state;
  if (chosen === undefined && found !== undefined && 'unclear' in found) {
    return html`<div class="box">
      ${view.state.words?.decimalQuestion(file, found, view.onDecimal, view.another)}
    </div>`;
  }
  if (error !== '' && header.length === 0) {
    return html`<div class="box">${refusal(view, file)}</div>`;
  }
  return preview(view, file);
}

/** The box that a data file is dropped into. */
export function fileDrop({
  isSample,
  isPasting,
  onPasting,
  onFile,
  onSample,
}: {
  isSample: boolean;
  /** Whether there is a field to paste rows into. */
  isPasting: boolean;
  onPasting: () => void;
  onFile: (file: File | undefined) => void;
  onSample: () => void;
}): TemplateResult {
  return html`<pm-drop-zone
      heading="Drop a file here"
      help="CSV, Parquet or Arrow, decimal point or comma. It stays on this computer."
      accept=".csv,.tsv,.txt,text/csv,.gz,.parquet,.arrow,.arrows,.feather"
      @pm-files=${(event: CustomEvent<FilesDetail>) => {
        onFile(event.detail.files[0]);
      }}
    >
      ${
        isSample
          ? html`<button class="button" type="button" @click=${onSample}>Try a sample file</button>`
          : nothing
      }
      <button
        class="button"
        type="button"
        aria-expanded=${isPasting ? 'true' : 'false'}
        @click=${onPasting}
      >
        Paste rows
      </button>
    </pm-drop-zone>
    ${isPasting ? pasteField(onFile) : nothing}`;
}

/** Rows as a spreadsheet copies them become a file, and are read as one. */
function pasteField(onFile: (file: File | undefined) => void): TemplateResult {
  return html`<div class="paste">
    <label for="rows">Rows from a spreadsheet</label>
    <textarea
      id="rows"
      rows="3"
      spellcheck="false"
      autocomplete="off"
      aria-describedby="rows-hint"
      @paste=${(event: ClipboardEvent) => {
        event.preventDefault();
        onFile(pastedFile(event.clipboardData));
      }}
      @change=${(event: Event) => {
        onFile(fileOf((event.target as HTMLTextAreaElement).value));
      }}
    ></textarea>
    <p class="hint" id="rows-hint">
      Copy them with the line of column names, and paste here. Tabs, commas or semicolons between
      the cells. They stay on this computer.
    </p>
  </div>`;
}

/** The text in a clipboard as a file; undefined if there is none. */
export function pastedFile(clipboard: DataTransfer | null): File | undefined {
  return fileOf(clipboard?.getData('text/plain') ?? '');
}

function fileOf(text: string): File | undefined {
  if (text.trim() === '') return undefined;
  return new File([text], 'pasted-rows.csv', { type: 'text/csv' });
}

function refusal(view: FileView, file: File): TemplateResult {
  const { another } = view;
  const { failed, error, hasComma, isOtherText, isExcel } = view.state;
  return notice({
    kind: 'bad',
    title: {
      file: `${file.name} cannot be used.`,
      ledger: 'This browser cannot keep a ledger here.',
      page: 'Part of this page did not load.',
      unexpected: `This page failed while it read ${file.name}.`,
    }[failed],
    body: error,
    actions: html`${
      isExcel
        ? html`<button class="button" type="button" @click=${view.onPaste}>
            Paste its rows instead
          </button>`
        : nothing
    }
    ${
      isOtherText
        ? html`<button
            class="button"
            type="button"
            @click=${() => {
              view.onOldText(true);
            }}
          >
            Read it as older Excel text
          </button>`
        : nothing
    }
    ${
      hasComma
        ? html`<button
            class="button"
            type="button"
            @click=${() => {
              view.onDecimal(',');
            }}
          >
            Commas are decimal marks
          </button>`
        : nothing
    }
    ${another('primary')}`,
  });
}

function preview(view: FileView, file: File): TemplateResult {
  const { study, state, isSent, onMatch, another } = view;
  const { header, matching, counts, elapsed, error } = state;
  return html`<div class="file" part="file">
      ${fileIcon}
      <div>
        <p class="title">${file.name}</p>
        <p class="help">
          ${bytes(file.size)}${
            counts === undefined ? nothing : `, read on this computer in ${seconds(elapsed)}`
          }
        </p>
        ${state.words?.writingWords(state, view.onDecimal, view.onOldText)}
        ${
          state.isRemembered && !isSent
            ? html`<p class="help">
                Matched as you matched a file with these columns before.
                <button class="link" type="button" @click=${view.onForget}>Forget that</button>
              </p>`
            : nothing
        }
      </div>
      ${another('small')}
    </div>
    ${
      error === '' && completeMatching(study, matching) !== undefined
        ? previewNumbers(counts)
        : unmatched(view, file)
    }
    ${matchTable({
      ...{ study, header, matching, counts, onMatch },
      isFixed: isSent,
      hasNames: state.hasNames !== false,
    })}
    ${counts === undefined || isSent ? nothing : state.words?.codeQuestions({ ...view, counts })}
    ${counts === undefined ? nothing : html`<p class="help note">${previewWords(study, counts)}</p>`}`;
}

function unmatched(view: FileView, file: File): TemplateResult {
  const { study, state } = view;
  const { matching, header, error } = state;
  if (error !== '') return html`<div class="above">${refusal(view, file)}</div>`;
  if (state.hasNames === false) {
    return html`<div class="above">${state.words?.positionsQuestion(view)}</div>`;
  }
  const missing = study.columns.map(({ name }) => name).filter((name) => !matching[name]);
  const found = study.columns.length - missing.length;
  const used = new Set(Object.values(matching));
  const unused = header.filter((name) => !used.has(name));
  return html`<div class="above">
    ${notice({
      kind: found === 0 ? 'warn' : 'bad',
      title:
        found === 0
          ? `Match the ${plural(study.columns.length, 'column')} below.`
          : `This file has ${count(found)} of the ${plural(study.columns.length, 'column')}.`,
      body: html`${found === 0 ? 'None has the study’s name:' : 'Missing:'} ${names(missing)}.
      ${
        // If no column matches, the first line of text may be a row of data, which no message may quote.
        found === 0 && state.schema === undefined
          ? 'The first line of the file must name its columns. Match them below, or choose another file.'
          : unused.length === 0
            ? html`Your file has no column left for ${missing.length === 1 ? 'it' : 'them'}. Add
              ${missing.length === 1 ? 'the column' : 'the columns'} to your file, or ask the
              organiser.`
            : html`Also in your file (not used): ${names(unused)}. Match them below, or choose
              another file.`
      }`,
    })}
  </div>`;
}
