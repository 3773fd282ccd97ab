import { countRows } from '../../program.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <output>{await countRows()}</output>;
}
