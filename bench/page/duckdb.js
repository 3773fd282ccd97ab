import { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm';

const files = new URL('/peers/@duckdb/duckdb-wasm/dist/', location.href).href;

/** The build without threads, which is what browsers run on static hosts. */
export async function startDuckdb() {
  const worker = new Worker(`${files}duckdb-browser-eh.worker.js`);
  const db = new AsyncDuckDB(new VoidLogger(), worker);
  await db.instantiate(`${files}duckdb-eh.wasm`);
  return db;
}
