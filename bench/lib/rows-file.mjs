import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a CSV file of numbers with four decimals, which repeat after a thousand rows. */
export function writeRows(path, rows, columns) {
  const names = Array.from({ length: columns }, (_, i) => `x${i}`);
  let state = 1;
  const number = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state / 2 ** 32) * 2000 - 1000).toFixed(4);
  };
  const lines = Array.from({ length: 1000 }, () => `${names.map(number).join(',')}\n`);
  const file = openSync(path, 'w');
  writeSync(file, `${names.join(',')}\n`);
  for (let left = rows; left > 0; left -= lines.length) {
    writeSync(file, lines.slice(0, left).join(''));
  }
  closeSync(file);
}
