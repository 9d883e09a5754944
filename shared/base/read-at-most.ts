/** Reads a decompressed body; null if it exceeds `largest` bytes, and then it stops reading. */
export const readAtMost = async (body: AsyncIterable<Uint8Array> | null, largest: number): Promise<Uint8Array | null> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > largest) return null
    parts.push(part)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
