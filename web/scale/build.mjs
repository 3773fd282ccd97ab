// Bundles the package into dist/. The queries in sql/ are shipped as they are.
import { buildPackage } from '../package/bundle-program.mjs';

await buildPackage('web/scale', ['private-moments', '@duckdb/node-api', 'hyparquet-writer']);
