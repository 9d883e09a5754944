/** How wide a text is in points, in the font and size that it is drawn with. */
export type WidthOf = (text: string) => number

// What has no shape, and would be drawn as a box.
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/g

/** A text as it is drawn: without what has no shape. */
export const drawable = (text: string): string => text.replace(/\t/g, ' ').replace(controls, '')

/** Measures words once each: a table repeats them. */
export const measuredOnce = (widthOf: WidthOf): WidthOf => {
  const known = new Map<string, number>()
  return (text) => {
    const width = known.get(text) ?? widthOf(text)
    known.set(text, width)
    return width
  }
}

/** The pieces of a word that fit a width, at least one character each. */
const brokenWord = (word: string, width: number, widthOf: WidthOf): string[] => {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const character of word) {
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

/** Breaks a text into lines of at most `width` points, at spaces, and within a word that is wider than that; its own line breaks stay. At least one line. */
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

/** The widths of columns that together fill `width`: each as its widest cell wants, where there is room, else what is left over is shared among those that want more than their part. */
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
