export declare function serve(
  mounts: Readonly<Record<string, string>>,
  port?: number,
  headers?: Readonly<Record<string, string>>,
): Promise<{ url: string; close: () => Promise<void> }>;
