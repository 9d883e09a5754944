/** The width of a text in points, in its font and size. */
export type WidthOf = (text: string) => number

// Characters without a glyph: they would be drawn as boxes. Malayalam writes with joiners, and they have one there.
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\ufeff]|(?<!\p{Script=Malayalam})[\u200c\u200d]/gu

/** The text without the characters that have no glyph. */
export const drawable = (text: string): string => text.replace(/\t/g, ' ').replace(controls, '')

/** Caches the widths of words: a table repeats them. */
export const measuredOnce = (widthOf: WidthOf): WidthOf => {
  const known = new Map<string, number>()
  return (text) => {
    const width = known.get(text) ?? widthOf(text)
    known.set(text, width)
    return width
  }
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits a word into pieces that fit a width, at least one character each. */
const brokenWord = (word: string, width: number, widthOf: WidthOf): string[] => {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const { segment: character } of characters.segment(word)) {
    const more = widthOf(character)
    if (piece !== '' && used + more > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += character
    used += more
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** Wraps a text to lines of at most `width` points: at spaces, or within a word that is wider. Keeps its own line breaks. Returns at least one line. */
export const linesOf = (text: string, width: number, widthOf: WidthOf): string[] => {
  const space = widthOf(' ')
  const lines: string[] = []
  for (const paragraph of drawable(text).split('\n')) {
    let line = ''
    let used = 0
    for (const word of paragraph.split(' ').filter((part) => part !== '')) {
      for (const piece of widthOf(word) > width ? brokenWord(word, width, widthOf) : [word]) {
        const more = widthOf(piece)
        if (line !== '' && used + space + more > width) {
          lines.push(line)
          line = ''
          used = 0
        }
        used += (line === '' ? 0 : space) + more
        line += (line === '' ? '' : ' ') + piece
      }
    }
    lines.push(line)
  }
  return lines
}

/** The widths of columns that together fill `width`. Each gets the width of its widest cell if all fit; otherwise the wide columns share what the narrow ones leave. */
export const columnWidths = (wanted: readonly number[], width: number): number[] => {
  const sum = wanted.reduce((total, one) => total + one, 0)
  if (sum <= width) return wanted.map((one) => one + (width - sum) / wanted.length)
  const widths = wanted.map(() => 0)
  let open = wanted.map((_, index) => index)
  let left = width
  for (;;) {
    const part = left / open.length
    const small = open.filter((index) => (wanted[index] ?? 0) <= part)
    if (small.length === 0) {
      for (const index of open) widths[index] = part
      return widths
    }
    for (const index of small) {
      widths[index] = wanted[index] ?? 0
      left -= wanted[index] ?? 0
    }
    open = open.filter((index) => !small.includes(index))
  }
}
