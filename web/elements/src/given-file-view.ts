import type { Study } from 'private-moments';
import { html, nothing, type TemplateResult } from 'lit';
import { bytes, count, plural, seconds } from './format.js';
import type { AboutFile } from './given-file.js';
import { file as fileIcon } from './icons.js';
import { matchTable } from './match-table.js';
import { completeMatching } from './matching.js';
import { notice } from './notice.js';
import { names, previewNumbers, previewWords } from './preview.js';
import { progressBar } from './progress.js';
import type { FilesDetail } from './public.js';

interface Given {
  study: Study;
  about: AboutFile;
  /** In place of a file, while there is none. */
  none: () => TemplateResult;
  /** Whether what was sent was made of it: then nothing is matched anew. */
  isSent: boolean;
  onCancel: () => void;
  onAgain: () => void;
  onMatch: (column: string, from: string | undefined) => void;
  another: (kind: '' | 'primary' | 'small') => TemplateResult | typeof nothing;
}

/** What has come of the participant's file: its progress, its preview, or why it cannot be used. */
export function fileState(given: Given): TemplateResult {
  const { file, reading, isStopped, error, header } = given.about;
  if (reading !== undefined) return progressBar(reading, given.onCancel);
  if (file === undefined) return given.none();
  if (isStopped) {
    return html`<div class="box">
      ${notice({
        kind: 'stopped',
        title: 'Stopped. Nothing was made and nothing left.',
        body: `${file.name} was not read to its end.`,
        actions: html`<button class="button primary" type="button" @click=${given.onAgain}>
            Read it again
          </button>
          ${given.another('')}`,
      })}
    </div>`;
  }
  if (error !== '' && header.length === 0) {
    return html`<div class="box">${refusal(given, file)}</div>`;
  }
  return preview(given, file);
}

/** Where a file is dropped. */
export function fileDrop({
  isSample,
  onFile,
  onSample,
}: {
  isSample: boolean;
  onFile: (file: File | undefined) => void;
  onSample: () => void;
}): TemplateResult {
  return html`<pm-drop-zone
    heading="Drop a file here"
    help="CSV, Parquet or Arrow. It stays on this computer."
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
  </pm-drop-zone>`;
}

function refusal({ about: { failed, error }, another }: Given, file: File): TemplateResult {
  return notice({
    kind: 'bad',
    title: {
      file: `${file.name} cannot be used.`,
      ledger: 'This browser keeps no ledger here.',
      page: 'This page is not complete.',
    }[failed],
    body: error,
    actions: another('primary'),
  });
}

function preview(given: Given, file: File): TemplateResult {
  const { study, about, isSent, onMatch, another } = given;
  const { header, matching, counts, took, error } = about;
  return html`<div class="file" part="file">
      ${fileIcon}
      <div>
        <p class="title">${file.name}</p>
        <p class="help">
          ${bytes(file.size)}${
            counts === undefined ? nothing : `, read on this computer in ${seconds(took)}`
          }
        </p>
      </div>
      ${another('small')}
    </div>
    ${
      error === '' && completeMatching(study, matching) !== undefined
        ? previewNumbers(counts)
        : unmatched(given, file)
    }
    ${matchTable({ study, header, matching, counts, isFixed: isSent, onMatch })}
    ${counts === undefined ? nothing : html`<p class="help note">${previewWords(study, counts)}</p>`}`;
}

function unmatched(given: Given, file: File): TemplateResult {
  const { study, about } = given;
  const { matching, header, error } = about;
  if (error !== '') return html`<div class="above">${refusal(given, file)}</div>`;
  const missing = study.columns.map(({ name }) => name).filter((name) => !matching[name]);
  const found = study.columns.length - missing.length;
  const used = new Set(Object.values(matching));
  const unused = header.filter((name) => !used.has(name));
  return html`<div class="above">
    ${notice({
      kind: 'bad',
      title: `This file has ${count(found)} of the ${plural(study.columns.length, 'column')}.`,
      body: html`Missing: ${names(missing)}.
      ${
        // Where nothing fits, the first line may be a row of data, which no message may quote.
        found === 0
          ? 'The first line of the file must name its columns.'
          : unused.length === 0
            ? nothing
            : html`Found but not asked for: ${names(unused)}.`
      }
      Match them below, or choose another file.`,
    })}
  </div>`;
}
