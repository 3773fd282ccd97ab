/** A symmetric matrix, row by row, from its upper triangle, row by row. */
export function fromTriangle(triangle: readonly number[], dimension: number): Float64Array {
  const values = new Float64Array(dimension ** 2);
  let next = 0;
  for (let i = 0; i < dimension; i++) {
    for (let j = i; j < dimension; j++) {
      const value = triangle[next++] ?? NaN;
      values[i * dimension + j] = value;
      values[j * dimension + i] = value;
    }
  }
  return values;
}
