import { help } from '../elements/src/help/room.js';
import { start } from './main.js';

await start(help);
