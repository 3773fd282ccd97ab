/**
 * For the workers of such elements, which have no document: they can load no element. Likewise without
 * a promise.
 *
 * @packageDocumentation
 */
export { closedAfter } from './base/closed.js';
export { evictOldest } from './base/evict-oldest.js';
export { describe } from './base/failure.js';
export { latest } from './base/latest.js';
