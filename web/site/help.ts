import { help } from '../elements/src/rooms/help.js';
import { open } from './main.js';

open(help);
