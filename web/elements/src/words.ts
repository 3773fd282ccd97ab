export * from '../../package/src/report/words.js';
