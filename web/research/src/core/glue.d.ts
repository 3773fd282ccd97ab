/**
 * The Emscripten glue of the module, built from bindings/research. The bundler maps this name to
 * build/wasm (web/research/build.mjs).
 */
declare module 'private-moments-research-glue' {
  const factory: import('private-moments/internal/core').Factory;
  export default factory;
}
