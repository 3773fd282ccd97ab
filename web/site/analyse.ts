import { analyse } from '../elements/src/analyse/room.js';
import { open } from './main.js';

open(analyse);
