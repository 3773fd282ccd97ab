import { takePart } from '../elements/src/take-part/room.js';
import { open } from './main.js';

open(takePart);
