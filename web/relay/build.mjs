// Bundles the package into dist/.
import { buildPackage } from '../package/bundle-program.mjs';

await buildPackage('web/relay', ['classic-level']);
