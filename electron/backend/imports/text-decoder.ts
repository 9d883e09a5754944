/** Turns the bytes of a file into text as they come. */
export type TextReader = {
  /** The text of some more bytes, as far as it is whole; null where they are no text. */
  readonly read: (bytes: Uint8Array) => string | null
  /** What was held back; a character cut off by the end of the file counts as one that cannot be read. */
  readonly end: () => string | null
}

type Decoder = InstanceType<typeof TextDecoder>

/**
 * Reads UTF-8; UTF-16 where the file begins with its mark; and Latin-1, as Windows writes it, where the first character
 * beyond ASCII is no UTF-8. The mark is no part of the text, and control characters are in no text.
 */
export const createTextReader = (): TextReader => {
  let decoder: Decoder | null = null
  let start = new Uint8Array(0)
  let onlyAscii = true
  // What a decoder of UTF-8 holds back: the begun character at the end of what was read.
  let pending = new Uint8Array(0)

  const decode = (bytes: Uint8Array): string | null => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
      const text = decoder.decode(bytes, { stream: true })
      if (decoder.encoding === 'utf-8') {
        onlyAscii &&= !beyondAscii.test(text)
        pending = tailOf(pending, bytes)
      }
      return text.includes('\0') || (decoder.encoding === 'windows-1252' && control.test(text)) ? null : text
    } catch {
      return decoder?.encoding === 'utf-8' && onlyAscii ? inLatin(bytes) : null
    }
  }
  /** Null where a whole character beyond ASCII comes before the one that is broken: then it is a broken UTF-8. */
  const inLatin = (bytes: Uint8Array): string | null => {
    const all = new Uint8Array(pending.length + bytes.length)
    all.set(pending)
    all.set(bytes, pending.length)
    if (beyondAscii.exec(new TextDecoder('utf-8').decode(all))?.[0] !== '\ufffd') return null
    decoder = new TextDecoder('windows-1252', { fatal: true })
    onlyAscii = false
    return decode(all)
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
        return onlyAscii ? inLatin(new Uint8Array(0)) : '\ufffd'
      }
    },
  }
}

const control = /[\u0001-\u0008\u000e-\u001f]/
const beyondAscii = /[^\u0000-\u007f]/

const tailOf = (pending: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const ends = [...pending, ...bytes.subarray(-4)].slice(-4)
  const from = ends.findLastIndex((byte) => byte < 0x80) + 1
  return Uint8Array.from(ends.slice(from))
}

const encodingOf = ([one, two]: Uint8Array): string => {
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  return one === 0xfe && two === 0xff ? 'utf-16be' : 'utf-8'
}
