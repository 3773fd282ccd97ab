import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';

/** TensorFlow.js on its WebAssembly backend, with SIMD; on static hosts without threads. */
export async function startTensors() {
  setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/');
  await tf.setBackend('wasm');
  await tf.ready();
}

export { tf };
