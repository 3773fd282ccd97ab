import { PmCopyButton } from '../elements/src/controls/copy-button.js';
import { start } from './main.js';
import { PmSavePage } from './saved/save-page.js';

await start({ 'pm-save-page': PmSavePage, 'pm-copy-button': PmCopyButton });
