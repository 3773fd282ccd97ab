/**
 * What the worker does, for a page that does it itself. A module that one file imports and another loads on demand would
 * cost both a further file, with helpers of the bundler's.
 */
export { service } from './release-service.js';
