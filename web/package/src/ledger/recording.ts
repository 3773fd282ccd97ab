import { onOneLine, printable } from '../base/visible.js';
import type { Study } from '../study/study.js';
import type { Gate } from '../intake/engine.js';
import { checkDataSet } from './ledger.js';
import type { LedgerOptions } from './options.js';

/**
 * Makes a release, and records it if there is a ledger.
 * @param make makes the release; `id` is its id, null if it has none.
 */
export async function recorded<T>(
  study: Study,
  data: unknown,
  { ledger, dataSet, standing, onEntry }: LedgerOptions,
  make: (gate: Gate | undefined) => Promise<{ result: T; id: string | null }>,
): Promise<T> {
  checkDataSet(dataSet);
  if (ledger === undefined) return (await make(undefined)).result;
  const gate = await ledger.gate(study, { file: fileNameOf(data), dataSet, standing, onEntry });
  try {
    const { result, id } = await make(gate);
    await gate.confirm(id);
    return result;
  } catch (error) {
    await gate.end(error);
    throw error;
  }
}

function fileNameOf(data: unknown): string | undefined {
  if (!(data instanceof Blob) || !('name' in data)) return undefined;
  const name = printable(onOneLine(String(data.name).slice(0, 200)));
  return name.trim() === '' ? undefined : name;
}
