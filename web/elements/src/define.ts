import type { PmElements } from './contract/elements.js';
import { analyse } from './analyse/room.js';
import { design } from './design/room.js';
import { help } from './help/room.js';
import { register, type ElementClasses } from './base/register.js';
import { takePart } from './take-part/room.js';
import { PmSeal } from './controls/seal.js';

/** Holds the classes to the public types of their elements. */
type Elements = { [Name in keyof PmElements]: new () => PmElements[Name] } & ElementClasses;

const elements = {
  ...takePart,
  ...design,
  ...analyse,
  ...help,
  'pm-seal': PmSeal,
} satisfies Elements;

/** Registers every element of this package. A second call does nothing. */
export function defineElements(): void {
  register(elements);
}
