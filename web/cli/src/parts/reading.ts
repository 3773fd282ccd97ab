import type { CsvDecimal, CsvDelimiter, InspectOptions } from 'private-moments';
import { UsageError } from 'private-moments/internal';
import { choiceOf, numberOf } from '../../../command/src/arguments.js';

/** The options of commands that read rows. */
export const READING_OPTIONS = {
  map: { type: 'string', multiple: true },
  'csv-decimal': { type: 'string' },
  'csv-delimiter': { type: 'string' },
  'missing-value': { type: 'string', multiple: true },
  workers: { type: 'string' },
} as const;

export const READING_HELP = `  --map COLUMN=NAME    a column of the study, and its name in the data; may be repeated
  --csv-decimal MARK   the decimal mark: . or , (.)
  --csv-delimiter MARK the delimiter: , ; | or tab (the one that fits the header)
  --missing-value TEXT what stands for a missing value, such as -999; may be repeated
  --workers N          threads that read a large CSV file`;

interface ReadingValues {
  map?: string[] | undefined;
  'csv-decimal'?: string | undefined;
  'csv-delimiter'?: string | undefined;
  'missing-value'?: string[] | undefined;
  workers?: string | undefined;
}

/** @throws UsageError */
export function readingOptions(values: ReadingValues): InspectOptions {
  const decimal: CsvDecimal | undefined = choiceOf('--csv-decimal', values['csv-decimal'], [
    '.',
    ',',
  ]);
  const mark = choiceOf('--csv-delimiter', values['csv-delimiter'], [',', ';', '|', 'tab']);
  const delimiter: CsvDelimiter | undefined = mark === 'tab' ? '\t' : mark;
  const workers = numberOf('--workers', values.workers);
  const { map, 'missing-value': missingValues } = values;
  return {
    ...(map === undefined ? {} : { columns: mapping(map) }),
    csv: {
      ...(decimal === undefined ? {} : { decimal }),
      ...(delimiter === undefined ? {} : { delimiter }),
    },
    ...(missingValues === undefined ? {} : { missingValues }),
    ...(workers === undefined ? {} : { workers }),
  };
}

function mapping(pairs: readonly string[]): Record<string, string> {
  const found = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1 || at === pair.length - 1) throw new UsageError('--map must be COLUMN=NAME');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  const names = found.map(([column]) => column);
  if (new Set(names).size < names.length) throw new UsageError('--map names a column twice');
  return Object.fromEntries(found);
}
