// Unpacks the data sets of PM_DATA for cca_table and federation: MNIST's training images as bytes,
// mmreg and the EEG components as numbers. Reports missing ones.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('../', import.meta.url));
const data = process.env.PM_DATA ?? path.join(root, '../shared/data');
const out = path.join(root, 'build/experiments/cca');
mkdirSync(out, { recursive: true });

const HEADER = 16;
const files = [
  ['mnist.bin', 'mnist/train-images-idx3-ubyte.gz', (bytes) => gunzipSync(bytes).subarray(HEADER)],
  ['mmreg.txt', 'mmreg/mmreg.csv', (bytes) => numbers(bytes.toString())],
  ['eeg.txt', 'eeg_erp_components/EEGIFT_ica.mat', (bytes) => components(bytes)],
];

/**
 * 600 students, 3 psychological variables and 5 on school results; the first line has the names.
 */
function numbers(text) {
  return text.trim().split('\n').slice(1).join('\n').replaceAll(',', ' ') + '\n';
}

/** `icasig`, 5 x 6360 doubles by column, from an uncompressed MATLAB 5 file. */
function components(bytes) {
  const DATA = 9;
  const at = bytes.indexOf('icasig');
  const start = bytes.indexOf(Buffer.from(Uint32Array.of(DATA, 8 * 5 * 6360).buffer), at) + 8;
  const values = Array.from({ length: 5 * 6360 }, (_, i) => bytes.readDoubleLE(start + 8 * i));
  return values.join('\n') + '\n';
}

for (const [name, file, unpack] of files) {
  const source = path.join(data, file);
  if (existsSync(source)) writeFileSync(path.join(out, name), unpack(readFileSync(source)));
  else console.log(`${name}: skipped, ${file} is not in ${data} (PM_DATA)`);
}
