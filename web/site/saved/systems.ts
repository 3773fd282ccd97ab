/** How a file's SHA-256 is computed on an operating system, with what the command prints. */
export interface System {
  name: string;
  prompt: string;
  command(file: string): string;
  output(file: string, hash: string): string;
}

const WINDOWS: System = {
  name: 'Windows',
  prompt: 'PS>',
  command: (file) => `(Get-FileHash ${file}).Hash`,
  output: (_, hash) => hash.toUpperCase(),
};

const MACOS: System = {
  name: 'macOS',
  prompt: '$',
  command: (file) => `shasum -a 256 ${file}`,
  output: (file, hash) => `${hash}  ${file}`,
};

const LINUX: System = {
  name: 'Linux',
  prompt: '$',
  command: (file) => `sha256sum ${file}`,
  output: (file, hash) => `${hash}  ${file}`,
};

const SYSTEMS: readonly System[] = [WINDOWS, MACOS, LINUX];

/** The systems, the one of this browser first. */
export function systemsFor(userAgent: string): readonly System[] {
  const own = /Mac OS|Macintosh/.test(userAgent)
    ? MACOS
    : /Linux|X11|CrOS/.test(userAgent)
      ? LINUX
      : WINDOWS;
  return [own, ...SYSTEMS.filter((system) => system !== own)];
}
