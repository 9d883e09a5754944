/** Turns the bytes of a file into text as they come. */
export type TextReader = {
  /** The text of some more bytes, as far as it is whole; null where they are no text. */
  readonly read: (bytes: Uint8Array) => string | null
  /** What was held back; a character cut off by the end of the file counts as one that cannot be read. */
  readonly end: () => string | null
}

type Decoder = InstanceType<typeof TextDecoder>

/** Reads UTF-8, or UTF-16 where the file begins with its mark; the mark itself is no part of the text, and bytes of zero are in no text. */
export const createTextReader = (): TextReader => {
  let decoder: Decoder | null = null
  let start = new Uint8Array(0)

  const decode = (bytes: Uint8Array): string | null => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
      const text = decoder.decode(bytes, { stream: true })
      return text.includes('\0') ? null : text
    } catch {
      return null
    }
  }

  return {
    read: (bytes) => {
      if (decoder !== null) return decode(bytes)
      const known = new Uint8Array(start.length + bytes.length)
      known.set(start)
      known.set(bytes, start.length)
      start = known
      return start.length < 2 ? '' : decode(start)
    },
    end: () => {
      const text = decoder === null ? decode(start) : ''
      try {
        return text === null ? null : text + (decoder?.decode() ?? '')
      } catch {
        return '\ufffd'
      }
    },
  }
}

const encodingOf = ([one, two]: Uint8Array): string => {
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  return one === 0xfe && two === 0xff ? 'utf-16be' : 'utf-8'
}
