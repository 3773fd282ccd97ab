import type { BuildOptions, Plugin as BundlePlugin } from 'esbuild';
import type { Plugin } from 'vite';

/** What is run from its sources. */
export interface Parts {
  modules: readonly string[];
  imports: readonly string[];
  workers: readonly string[];
  sources: readonly string[];
}

export const PRODUCT: Parts;
export const WITH_RESEARCH: Parts;
export const aliases: Record<string, string>;
export const bundling: BuildOptions & { plugins: BundlePlugin[] };
export function requireModules(parts?: Parts): void;
export function bundleSources(parts?: Parts): Promise<string[]>;
export function beside(base?: string): Plugin;
