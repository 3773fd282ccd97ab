import { PmStudyDesigner } from '../elements/src/design/study-designer.js';
import { start } from './main.js';

await start({ 'pm-study-designer': PmStudyDesigner });
