// Prints the plan for a million participants in docs/scale.md, from the measurements in that page.
//   node bench/scale-plan.mjs
import { readFileSync } from 'node:fs';
import { planOf } from './lib/scale-tables.mjs';

const page = readFileSync(new URL('../docs/scale.md', import.meta.url), 'utf8');
const { plain, masked } = planOf(page);
console.log(`**Plain releases**\n\n${plain}\n\n**Masked releases (\`split\`)**\n\n${masked}`);
