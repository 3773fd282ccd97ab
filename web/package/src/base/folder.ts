import { builtin, codeOf } from './host.js';

/** Error codes where a folder cannot be opened or synchronised: Windows, some network file systems. */
const NO_FOLDER_SYNC: readonly unknown[] = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'];

/** Makes the new name of a file survive a loss of power, where the system lets programs open folders. For Node. */
export async function syncFolder(file: string): Promise<void> {
  const files = builtin('node:fs/promises');
  const folder = builtin('node:path')?.dirname(file) ?? '.';
  try {
    const opened = await files?.open(folder, 'r');
    if (opened !== undefined) await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw error;
  }
}
