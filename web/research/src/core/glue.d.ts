/**
 * The Emscripten glue of the module, built from bindings/research. The bundler maps these names to what
 * is in build/wasm (web/research/build.mjs).
 */
declare module 'private-moments-research-glue' {
  const factory: import('private-moments/internal/core').Factory;
  export default factory;
}

/** SHA-256 of the .wasm file, in hex. */
declare module 'private-moments-research-sha256' {
  const sha256: string;
  export default sha256;
}
