/** The file of the workers of a synthesis. */
import { serve } from '../threads/serve.js';
import { service } from './synthesis-service.js';

serve(service());
