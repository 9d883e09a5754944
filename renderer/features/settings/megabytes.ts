/** Bytes in megabytes, of a million each. */
export const megabytes = (bytes: number): number => bytes / 1_000_000
