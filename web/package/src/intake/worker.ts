/** The file of the workers that make releases. */
import { serve } from '../threads/serve.js';
import { service } from './release-service.js';

serve(service());
