export * from '../../package/src/report/scale.js';
