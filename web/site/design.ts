import { design } from '../elements/src/design/room.js';
import { start } from './main.js';

await start(design);
