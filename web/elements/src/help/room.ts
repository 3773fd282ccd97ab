import { PmCopyButton } from '../controls/copy-button.js';
import { PmDropZone } from '../controls/drop-zone.js';
import { PmSessionHelper } from './session-helper.js';

export const help = {
  'pm-session-helper': PmSessionHelper,
  'pm-copy-button': PmCopyButton,
  'pm-drop-zone': PmDropZone,
};
