import { fromHex, hashOf, toHex } from '../base/binary.js';
import { randomSeed } from '../base/random.js';

/**
 * A seed for a participant's own mask. If the operating system's generator repeats itself, as in two
 * copies of a virtual machine, the session, the participant and the time still make another seed: with one
 * seed for two releases, the difference of what was sent would be that of the releases. They are public or
 * can be guessed, and cannot make a random seed less so.
 */
export function maskSeed(session: string, pid: string): Uint8Array {
  return fromHex(hashOf(`pm/v1|mask|${session}|${pid}|${Date.now()}|${toHex(randomSeed())}`));
}
