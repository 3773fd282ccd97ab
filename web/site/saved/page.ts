import { load } from 'private-moments';
import wasm from 'private-moments.wasm';
import { takePart } from '../../elements/src/take-part/room.js';
import { open } from '../main.js';

// The room reports a failure when it needs the module.
load({ wasm }).catch(() => undefined);
open(takePart);
