export const SUMS: string;
export function writeSums(folder: string, file?: string): void;
