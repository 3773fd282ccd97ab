import '../main.js';
