import { design } from '../elements/src/design/room.js';
import { open } from './main.js';

open(design);
