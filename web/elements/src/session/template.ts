import type { Study } from 'private-moments';
import { csvText } from 'private-moments/internal';
import { saveCsv } from '../base/save.js';
import { exampleOf } from './example.js';

/** The header that the study asks for, and one example row. */
export function templateOf({ columns }: Study): string {
  return csvText(
    columns.map(({ name }) => name),
    [columns.map(exampleOf)],
  );
}

export function saveTemplate(study: Study): void {
  saveCsv(templateOf(study), 'template.csv');
}
