/**
 * The Emscripten glue of the modules, built from bindings/. The bundler maps these names to
 * build/wasm (web/package/build.mjs).
 */
declare module 'private-moments-glue' {
  const factory: import('./loader.js').Factory;
  export default factory;
}

declare module 'private-moments-analysis-glue' {
  const factory: import('./loader.js').Factory;
  export default factory;
}

declare module 'private-moments-synthesis-glue' {
  const factory: import('./loader.js').Factory;
  export default factory;
}
