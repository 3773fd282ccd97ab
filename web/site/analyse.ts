import { analyse } from '../elements/src/rooms/analyse.js';
import { open } from './main.js';

open(analyse);
