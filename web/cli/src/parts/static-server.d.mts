export declare function serve(
  mounts: Readonly<Record<string, string>>,
  port?: number,
  headersOf?: (path: string) => Readonly<Record<string, string>>,
): Promise<{ url: string; close: () => Promise<void> }>;
