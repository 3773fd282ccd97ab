export default {
  // On the server, the package finds its workers and WebAssembly where it is installed.
  serverExternalPackages: ['private-moments'],
};
