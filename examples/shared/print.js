import { countRows } from './program.js';

console.log(await countRows());
