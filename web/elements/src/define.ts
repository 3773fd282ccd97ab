import type { PmElements } from './public.js';
import { analyse } from './rooms/analyse.js';
import { audit } from './rooms/audit.js';
import { comparison } from './rooms/comparison.js';
import { design } from './rooms/design.js';
import { explore } from './rooms/explore.js';
import { help } from './rooms/help.js';
import { register, type Named } from './rooms/register.js';
import { takePart } from './rooms/take-part.js';
import { PmSeal } from './seal.js';

/** What the types of the package say of an element is so. */
type Elements = { [Name in keyof PmElements]: new () => PmElements[Name] } & Named;

const elements = {
  ...takePart,
  ...design,
  ...analyse,
  ...explore,
  ...comparison,
  ...audit,
  ...help,
  'pm-seal': PmSeal,
} satisfies Elements;

/** Registers every element of this package. A second call does nothing. */
export function defineElements(): void {
  register(elements);
}
