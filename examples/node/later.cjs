import('./program.js').then(({ countRows }) => countRows()).then(console.log);
