'use client';

import { useEffect, useState } from 'react';
import { countRows } from '../program.js';

export default function Page() {
  const [line, setLine] = useState('');
  useEffect(() => {
    countRows().then(setLine, (error) => setLine(`${error.code ?? error.name}: ${error.message}`));
  }, []);
  return <output>{line}</output>;
}
