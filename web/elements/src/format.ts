export * from '../../package/src/report/format.js';
