import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';

/** TensorFlow.js on its WebAssembly backend: with vectors, and without threads on static hosts. */
export async function startTensors() {
  setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/');
  await tf.setBackend('wasm');
  await tf.ready();
}

export { tf };
