/**
 * The Emscripten glue of the modules, built from bindings/. The bundler maps these names to
 * build/wasm (web/package/build.mjs).
 */
interface GlueOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  onAbort(reason: unknown): void;
}

declare module 'private-moments-glue' {
  export default function factory(options: GlueOptions): Promise<unknown>;
}

declare module 'private-moments-analysis-glue' {
  export default function factory(options: GlueOptions): Promise<unknown>;
}

declare module 'private-moments-research-glue' {
  export default function factory(options: GlueOptions): Promise<unknown>;
}

declare module 'private-moments-synthesis-glue' {
  export default function factory(options: GlueOptions): Promise<unknown>;
}
