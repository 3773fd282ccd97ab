/// <reference types="vite/client" />

declare module 'virtual:tokens.css';
declare module 'virtual:look.css';

/** The text of the worker inside the saved copy. */
declare module 'virtual:worker' {
  const script: string;
  export default script;
}

declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
