import type { Plugin } from 'vite';

export const aliases: Record<string, string>;
export function requireModules(): void;
export function bundleSources(): Promise<string[]>;
export function beside(base?: string): Plugin;
