import { UsageError } from 'private-moments/internal';
import { jsonText } from './json.js';

/** The options of commands that print a result: tables for people, or one of two forms for programs. */
export const FORMAT_OPTIONS = {
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

export const FORMAT_HELP = `  --json, --csv        for programs, in place of tables
  --out FILE           write to a file instead of standard output
  --force              replace files that exist`;

interface FormatValues {
  json?: boolean | undefined;
  csv?: boolean | undefined;
}

/** A result in its three forms, each made when it is asked for. */
export interface Forms {
  text: () => string;
  json: () => unknown;
  csv: () => string;
}

/** @throws UsageError */
export function checkFormat({ json, csv }: FormatValues): void {
  if (json && csv) throw new UsageError('--json and --csv are alternatives: choose one');
}

export function inFormat({ json, csv }: FormatValues, forms: Forms): string {
  if (json) return jsonText(forms.json());
  return csv ? forms.csv() : forms.text();
}
