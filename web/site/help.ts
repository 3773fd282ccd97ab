import { PmSessionHelper } from '../elements/src/help/session-helper.js';
import { start } from './main.js';

await start({ 'pm-session-helper': PmSessionHelper });
