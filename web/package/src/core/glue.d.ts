/**
 * The Emscripten glue of the modules, built from bindings/, and what is known of the .wasm files. The bundler
 * maps these names to build/wasm, and makes what `inline.ts` contains (web/package/build.mjs).
 */
declare module 'private-moments-packed' {
  /** Gzip in base64: the .wasm files, and the script of `inline-worker.ts`. */
  export const packed: Record<'core' | 'analysis' | 'synthesis' | 'worker', string>;
}

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

/** SHA-256 of the .wasm file, in hex. */
declare module 'private-moments-sha256' {
  const sha256: string;
  export default sha256;
}

/** SHA-256 of the .wasm file, in hex. */
declare module 'private-moments-analysis-sha256' {
  const sha256: string;
  export default sha256;
}

/** SHA-256 of the .wasm file, in hex. */
declare module 'private-moments-synthesis-sha256' {
  const sha256: string;
  export default sha256;
}
