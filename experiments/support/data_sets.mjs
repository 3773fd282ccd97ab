// The data sets of PM_DATA that experiments use: where they come from, what they are checked by, and
// how they are read. Nothing here is part of the package.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder with the data sets. */
export const DATA = process.env.PM_DATA ?? path.join(root, '../shared/data');
/** The folder for the sets as C++ and Python programs read them. */
export const PREPARED = path.join(root, 'build/experiments/data');

const lines = (bytes) => bytes.toString().trim().split(/\r?\n/);
const numbers = (rows, separator = ',') =>
  rows.map((line) => line.trim().split(separator).map(Number));

/** 48 842 people; six numbers and eight categories, `?` being one; the last field is the income. */
function adultRecords(train, test) {
  return [...lines(train), ...lines(test)]
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 15);
}

/** Categories as columns of 0 and 1. */
function adult(train, test) {
  const numeric = new Set([0, 2, 4, 10, 11, 12]);
  const records = adultRecords(train, test);
  const columns = [];
  for (let c = 0; c < 14; ++c) {
    if (numeric.has(c)) {
      columns.push(records.map((cells) => Number(cells[c])));
      continue;
    }
    for (const level of [...new Set(records.map((cells) => cells[c]))].sort()) {
      columns.push(records.map((cells) => (cells[c] === level ? 1 : 0)));
    }
  }
  return records.map((_, i) => columns.map((column) => column[i]));
}

/** The same with whether the income is above 50 000 dollars. */
function adultIncome(train, test) {
  const records = adultRecords(train, test);
  return adult(train, test).map((row, i) => [...row, records[i][14].startsWith('>') ? 1 : 0]);
}

function diabetes(measured, target) {
  const progress = numbers(lines(target), /\s+/);
  return numbers(lines(measured), /\s+/).map((row, i) => [...row, ...progress[i]]);
}

/** Pixels and then the digit, as bytes. */
function mnist(images, labels) {
  const [imageHeader, labelHeader, pixels] = [16, 8, 784];
  const count = labels.length - labelHeader;
  const cells = new Uint8Array(count * (pixels + 1));
  for (let i = 0; i < count; ++i) {
    const at = imageHeader + i * pixels;
    cells.set(images.subarray(at, at + pixels), i * (pixels + 1));
    cells[(i + 1) * (pixels + 1) - 1] = labels[labelHeader + i];
  }
  return { rows: count, columns: pixels + 1, cells };
}

/** Time and 300 coordinates, and then which of nine expressions the video shows. */
function gfe(bytes) {
  const records = lines(bytes)
    .slice(1)
    .map((line) => line.split(','));
  const shown = records.map(([video]) => video.slice(2));
  const expressions = [...new Set(shown)].sort();
  return records.map((cells, i) => [...cells.slice(2).map(Number), expressions.indexOf(shown[i])]);
}

/** `icasig`, 5 x 6360 doubles by column, from an uncompressed MATLAB 5 file. */
function eeg(bytes) {
  const DATA_ELEMENT = 9;
  const at = bytes.indexOf('icasig');
  const start = bytes.indexOf(Buffer.from(Uint32Array.of(DATA_ELEMENT, 8 * 5 * 6360).buffer), at);
  return Array.from({ length: 6360 }, (_, i) =>
    Array.from({ length: 5 }, (__, k) => bytes.readDoubleLE(start + 8 + 8 * (5 * i + k))),
  );
}

const ADULT_FILES = {
  'adult/adult.data.gz': 'fb9b6b419c38dd70d75d31f014b7f0905bf76e9625473c593455e31679a93184',
  'adult/adult.test.gz': '5dd8e51005f6a86e42f058d66a957721196362cf8e8dde3efc8508532af4a083',
};

const table =
  (skip, columns = undefined) =>
  (bytes) =>
    numbers(lines(bytes).slice(skip)).map((row) => row.slice(0, columns));

/**
 * For each set: what it is, where our copy is from, its files with the SHA-256 of the copies that
 * the results come from, its shape, and the reader, which takes the unpacked files.
 */
export const SETS = {
  wine: {
    what: 'chemical analysis of wines; three cultivars as labels',
    source: 'Forina and others (UCI); file of scikit-learn 1.2.1',
    shape: [178, 13],
    label: true,
    files: {
      'wine/wine_data.csv': '10e8a802908b34f86e5da8ce962f3c806694bc98450a18f61851af59f324bede',
    },
    read: table(1),
  },
  adult: {
    what: 'extract of the census of 1994; categories as 0 and 1, `?` is one; without income',
    source: 'Kohavi, Becker (UCI)',
    shape: [48842, 108],
    files: ADULT_FILES,
    read: adult,
  },
  adult_income: {
    what: 'the same; whether the income is above 50 000 dollars as label',
    source: 'Kohavi, Becker (UCI)',
    shape: [48842, 108],
    label: true,
    files: ADULT_FILES,
    read: adultIncome,
  },
  digits: {
    what: 'images of digits, 8 x 8 pixels; the digit as label',
    source: 'Alpaydin, Kaynak (UCI); file of scikit-learn 1.2.1',
    shape: [1797, 64],
    label: true,
    files: {
      'digits/digits.csv.gz': '46abec6b12486ad9e51943373abcf22bbea1b5a51a1619b361570d8893f1464a',
    },
    read: table(0),
  },
  breast_cancer: {
    what: 'measurements of cell nuclei; diagnosis as label',
    source: 'Street, Wolberg, Mangasarian (UCI); file of scikit-learn 1.2.1',
    shape: [569, 30],
    label: true,
    files: {
      'breast_cancer/breast_cancer.csv':
        'fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed',
    },
    read: table(1),
  },
  diabetes: {
    what: 'patients at the start; progression after a year as label',
    source: 'Efron, Hastie, Johnstone, Tibshirani; file of scikit-learn 1.2.1',
    shape: [442, 10],
    label: true,
    files: {
      'diabetes/diabetes_data_raw.csv.gz':
        'fc08fc59c1cbfe65550d9ebb36321d505de9e8f004bf92c1566d2908962f08ff',
      'diabetes/diabetes_target.csv.gz':
        'bf1ddd1f9d377278450a5f02c24b5e77b1501f2ad673fe9fdf4c4090d27eb5cc',
    },
    read: diabetes,
  },
  mnist: {
    what: 'images of handwritten digits, 28 x 28 pixels, for training; the digit as label',
    source: 'LeCun, Bottou, Bengio, Haffner; from github.com/rasbt/mnist-pngs, packed again',
    shape: [60000, 784],
    label: true,
    files: {
      'mnist/train-images-idx3-ubyte.gz':
        '71524e2cd1ad2968737f7f2f2ff69cbfc32df8ccddff51593f7cb2d4e0eb5b64',
      'mnist/train-labels-idx1-ubyte.gz':
        'fe03b8bd7915f70bf5aa08be480aa413fbd85afcaa58b35d230d335f284fd88e',
    },
    read: mnist,
  },
  gfe: {
    what: 'faces of two signers of Brazilian Sign Language, 16 of 18 videos; nine expressions as labels',
    source: 'Freitas, Peres, Lima, Barbosa (UCI); from github.com/poojahagawane/first',
    shape: [23572, 301],
    label: true,
    files: {
      'gfe/gfe_16videos.csv.gz': '5818633d1a89d8ab1ae0be9e6047a53dc1e6c9c433da12b92479807cdf52bd57',
    },
    read: gfe,
  },
  buzz: {
    what: 'attention to topics on Twitter, a part of 583 250 rows; number of annotations as label',
    source: 'Kawala, Douzal, Gaussier, Diemert (UCI); from github.com/hafizimtiaz/capeFM',
    shape: [20000, 77],
    label: true,
    files: {
      'buzz/buzz_20000.csv.gz': '18133ca35f0cb08540a192a9b7949aa79e41681349fea956502b571c9f84e3bd',
    },
    read: table(1),
  },
  eeg: {
    what: 'five components of an electroencephalogram',
    source: 'Correa and others; from github.com/hafizimtiaz/capeCCA',
    shape: [6360, 5],
    files: {
      'eeg_erp_components/EEGIFT_ica.mat':
        '456df3febe7907c5df7ba3ecbea690ff400ecc19997da39b35b243dd03bdffc2',
    },
    read: eeg,
  },
  mmreg: {
    what: 'students: three psychological variables, four tests and sex',
    source: 'UCLA statistical consulting; from github.com/RWorkshop/workshopdatasets',
    shape: [600, 8],
    files: {
      'mmreg/mmreg.csv': 'c9c561199b1c6855a169efd514ecebc70a13ad97c111e9fa993a0df59d728df0',
    },
    read: table(1),
  },
  iris: {
    what: 'measurements of flowers; three species as labels',
    source: 'Fisher; file of scikit-learn 1.2.1',
    shape: [150, 4],
    label: true,
    files: { 'iris/iris.csv': 'f13ffa8fdd56fd8e6c8d16d4081a3fbd3114bcd0aae4256c43205169cd9d1449' },
    read: table(1),
  },
};

export const have = (name) =>
  Object.keys(SETS[name].files).every((file) => existsSync(path.join(DATA, file)));

/** The bytes of a set's files, unpacked. Throws if a file is not the one that the results come from. */
function unpacked(name) {
  return Object.entries(SETS[name].files).map(([file, digest]) => {
    const bytes = readFileSync(path.join(DATA, file));
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== digest) {
      throw new Error(`${file} has SHA-256 ${found}, but results here come from ${digest}`);
    }
    return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  });
}

/** The rows of a set as arrays of numbers; labels are the last number. */
export function rowsOf(name) {
  const read = SETS[name].read(...unpacked(name));
  if (Array.isArray(read)) return read;
  const { rows, columns, cells } = read;
  return Array.from({ length: rows }, (_, i) => [
    ...cells.subarray(i * columns, (i + 1) * columns),
  ]);
}

/** The rows of a set without labels. */
export const featuresOf = (name) => rowsOf(name).map((row) => row.slice(0, SETS[name].shape[1]));

/**
 * Writes a set for programs, unless it is there: rows, columns and bytes in a cell (1 or 8) as three
 * integers of 64 bits, and then the cells row by row.
 */
export function prepare(name) {
  const file = path.join(PREPARED, `${name}.bin`);
  if (existsSync(file)) return;
  const read = SETS[name].read(...unpacked(name));
  const small = !Array.isArray(read);
  const [rows, columns] = small ? [read.rows, read.columns] : [read.length, read[0].length];
  const { shape, label } = SETS[name];
  if (rows !== shape[0] || columns !== shape[1] + (label ? 1 : 0)) {
    throw new Error(`${name} has ${rows} x ${columns} cells`);
  }
  const cells = small ? read.cells : new Float64Array(rows * columns);
  if (!small) read.forEach((row, i) => cells.set(row, i * columns));
  const head = BigInt64Array.of(BigInt(rows), BigInt(columns), small ? 1n : 8n);
  mkdirSync(PREPARED, { recursive: true });
  writeFileSync(file, Buffer.concat([head, cells].map((part) => Buffer.from(part.buffer))));
}
