import { design } from '../elements/src/rooms/design.js';
import { open } from './main.js';

open(design);
