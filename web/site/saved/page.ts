import { load } from 'private-moments';
import { useScripts } from 'private-moments/internal';
import wasm from 'private-moments.wasm';
import script from 'virtual:worker';
import { PmParticipate } from '../../elements/src/take-part/participant.js';
import { open } from '../main.js';

// Pages opened from a disk can start neither modules nor other files.
useScripts(() => script);
// The room reports a failure when it needs the module.
load({ wasm }).catch(() => undefined);
open({ 'pm-participate': PmParticipate });
