import { PmCopyButton } from '../elements/src/controls/copy-button.js';
import { open } from './main.js';
import { PmSavePage } from './saved/save-page.js';

open({ 'pm-save-page': PmSavePage, 'pm-copy-button': PmCopyButton });
