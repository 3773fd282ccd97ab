import type { NumberColumn } from 'private-moments';

/** The columns of the game's study. Their bounds are narrow, so that some patients stand out. */
export const COLUMNS: readonly NumberColumn[] = [
  { name: 'age', type: 'number', min: 20, max: 80, unit: 'years' },
  { name: 'sleep', type: 'number', min: 4, max: 10, unit: 'h' },
  { name: 'glucose', type: 'number', min: 3, max: 9, unit: 'mmol/L' },
  { name: 'bmi', type: 'number', min: 16, max: 40, unit: 'kg/m²' },
];

/** The patients, all made up: age, sleep, glucose and BMI of each. */
export const PATIENTS: readonly (readonly number[])[] = [
  [34, 7.2, 5.1, 22.8],
  [61, 6.1, 6.4, 29.3],
  [47, 6.8, 5.6, 26],
  [72, 5.9, 6.9, 27.7],
  [29, 7.9, 4.8, 21.4],
  [55, 6.4, 6.1, 31.2],
  [38, 5.2, 8.3, 38.6],
  [66, 6.6, 5.9, 25.1],
  [43, 7.1, 5.3, 24.4],
  [51, 6, 6, 28.9],
  [26, 8.1, 4.7, 20.7],
  [58, 6.7, 5.8, 27],
  [69, 5.7, 7.2, 30.4],
  [40, 7.4, 5.2, 23.6],
  [33, 7, 5, 25.8],
  [64, 6.2, 6.6, 32.1],
  [49, 6.9, 5.5, 24.9],
  [45, 7.6, 5.1, 22.2],
  [57, 6.3, 6.3, 28],
  [36, 7.3, 4.9, 23.1],
];
