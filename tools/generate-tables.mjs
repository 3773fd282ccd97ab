#!/usr/bin/env node
// Writes tests/vectors/block_tables.json, which describes the cumulative tables of the block16 samplers:
// the SHA-256 of a table's hex lines and some of its entries. core/random/block_table.cpp computes them
// at run time; this program computes them independently, with 512 fractional bits and other methods.
//   gaussian  F(k) = floor(2^191 sum_{i<=k} e^{-i^2/512} / sum_{i<=223} e^{-i^2/512}), k = 0 .. 223
//   laplace   F(k) = floor(2^191 (1 - e^{-(k+1)/16})), k = 0 .. 255
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const PRECISION = 512n;
const ONE = 1n << PRECISION;
const BITS = 191n;

// e^{-1/divisor} by its Taylor series.
function expMinusOneOver(divisor) {
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = -term / (n * divisor);
    sum += term;
  }
  return sum;
}

// base^exponent by repeated squaring.
function power(base, exponent) {
  let result = ONE;
  for (let square = base, left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * square) >> PRECISION;
    square = (square * square) >> PRECISION;
  }
  return result;
}

function gaussian() {
  const base = expMinusOneOver(512n);
  const masses = Array.from({ length: 224 }, (_, i) => power(base, i * i));
  const total = masses.reduce((a, b) => a + b, 0n);
  let running = 0n;
  return masses.map((mass) => {
    running += mass;
    return (running << BITS) / total;
  });
}

function laplace() {
  const base = expMinusOneOver(16n);
  return Array.from({ length: 256 }, (_, k) => (ONE - power(base, k + 1)) >> (PRECISION - BITS));
}

const hex = (f) => f.toString(16).padStart(48, '0');
const summary = (entries) => ({
  size: entries.length,
  sha256: createHash('sha256')
    .update(entries.map((f) => `${hex(f)}\n`).join(''))
    .digest('hex'),
  entries: Object.fromEntries(
    [0, 1, 15, 16, 64, 100, 128, 200, entries.length - 2, entries.length - 1].map((k) => [
      k,
      hex(entries[k]),
    ]),
  ),
});

const tables = { gaussian: summary(gaussian()), laplace: summary(laplace()) };
writeFileSync(
  new URL('../tests/vectors/block_tables.json', import.meta.url),
  `${JSON.stringify(tables, null, 2)}\n`,
);
for (const [name, table] of Object.entries(tables)) console.log(name, table.sha256);
