export interface HostilePage {
  kind?: 'data' | 'dictionary' | 'v2';
  body: Uint8Array | readonly number[];
  values: number;
  encoding?: string;
  unpacked?: number;
  packed?: number;
  crc?: number;
}

export interface HostileColumn {
  name: string;
  type: string;
  codec?: string;
  length?: number;
  start?: number;
  indexed?: number;
  pages: readonly HostilePage[];
}

export declare function varint(value: number | bigint): number[];
export declare function parquetFile(file: {
  columns: readonly HostileColumn[];
  rows: number;
  groups?: number;
  extra?: readonly (readonly [name: string, children: number])[];
}): Buffer;
export declare function checksum(body: Uint8Array): number;
