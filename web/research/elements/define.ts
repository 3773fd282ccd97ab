import { register, type ElementClasses } from 'private-moments/internal/elements';
import { audit } from './audit/audit-room.js';
import { comparison } from './comparison/comparison-room.js';
import type { ExplorerElements } from './contract.js';
import { findMe } from './find-me/find-me-room.js';
import { explore } from './room.js';

/** Holds the classes to the public types of their elements. */
type Elements = {
  [Name in keyof ExplorerElements]: new () => ExplorerElements[Name];
} & ElementClasses;

const elements = { ...explore, ...comparison, ...audit, ...findMe } satisfies Elements;

/** Registers every element of this package. A second call does nothing. */
export function defineExplorer(): void {
  register(elements);
}
