import { takePart } from '../elements/src/rooms/take-part.js';
import { open } from './main.js';

open(takePart);
