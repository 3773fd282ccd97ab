import { help } from '../elements/src/help/room.js';
import { open } from './main.js';

open(help);
