/** The content of one line of the logbook: a row of the server's list, or a part of an opened row. */
export type Line = { readonly kind: 'row'; readonly index: number } | { readonly kind: 'part'; readonly index: number; readonly part: number }

/** A row of the server's list that takes other than one line. */
type Mark = {
  /** Position in the server's list, from 0. */
  readonly index: number
  /** Lines below the row; -1 takes the row itself away. */
  readonly extra: number
}

/** The lines of a list of which only some rows are known: the content of a line, and where a row begins. */
export type Outline = {
  readonly count: number
  /** `line` is from 0 to `count` - 1. */
  readonly at: (line: number) => Line
  /** The line of a row that is not hidden. */
  readonly lineOf: (index: number) => number
}

/** Lays out `total` rows, of which some are `hidden` and some are `open` with that many parts below them. */
export const outlineOf = (total: number, hidden: ReadonlySet<number>, open: ReadonlyMap<number, number>): Outline => {
  const opened = [...open].filter(([index]) => !hidden.has(index)).map(([index, extra]): Mark => ({ index, extra }))
  const marks = [...opened, ...[...hidden].map((index): Mark => ({ index, extra: -1 }))].filter((mark) => mark.index < total).sort((a, b) => a.index - b.index)

  const at = (line: number): Line => {
    let shift = 0
    for (const { index, extra } of marks) {
      const start = index + shift
      if (line < start || (line === start && extra >= 0)) break
      if (line <= start + extra) return { kind: 'part', index, part: line - start - 1 }
      shift += extra
    }
    return { kind: 'row', index: line - shift }
  }

  return {
    count: total + marks.reduce((sum, mark) => sum + mark.extra, 0),
    at,
    lineOf: (index) => index + marks.reduce((sum, mark) => (mark.index < index ? sum + mark.extra : sum), 0),
  }
}
