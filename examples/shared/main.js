import { countRows } from './program.js';

const output = document.createElement('output');
document.body.append(output);

countRows().then(
  (line) => {
    output.textContent = line;
  },
  (error) => {
    output.textContent = `${error.code ?? error.name}: ${error.message}`;
  },
);
