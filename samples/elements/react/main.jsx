import { defineElements } from 'private-moments/elements';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { study } from '../study.js';

function App() {
  const [made, setMade] = useState('Nothing made yet.');
  const remember = ({ detail: { release, name } }) => {
    setMade(`${name} holds ${release.rows} rows, with epsilon ${release.guarantee.epsilon}.`);
  };
  return (
    <>
      <pm-participate study={study} onpm-release={remember} />
      <p id="made">{made}</p>
    </>
  );
}

// React sets properties of elements it knows, so they are defined first.
await defineElements();
createRoot(document.getElementById('root')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
