const { countRows } = require('./program.js');

countRows().then(console.log);
