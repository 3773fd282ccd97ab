/** The file of the workers of analyses. */
import { serve } from '../threads/serve.js';
import { service } from './analysis-service.js';

serve(service());
