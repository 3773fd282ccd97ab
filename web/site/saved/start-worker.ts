import script from 'virtual:worker';

let address: string | undefined;

/**
 * Starts the worker that owns the rows, the only one of Take part, in place of the package's own
 * `startWithPolicy`. It is a classic script from a blob, because pages opened from a disk can start neither
 * modules nor other files.
 */
export function startWithPolicy(): Worker {
  address ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return new Worker(address);
}
