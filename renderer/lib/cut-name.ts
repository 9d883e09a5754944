const signsOf = new Intl.Segmenter()
const shortest = 9
const kept = 6

const widthOf = (sign: string): number => (/^[\d\s.,:;_()/-]$/.test(sign) ? 0.62 : /^[\u0020-\u024f]$/u.test(sign) ? 0.85 : 1.4)

/** Splits a name into its beginning, which may be cut, and its last six characters, which distinguish accounts; does not split a short name. */
export const shownEnd = (name: string): readonly [begin: string, end: string] => {
  // By grapheme: cutting between a letter and its marks would change both.
  const signs = [...signsOf.segment(name)].map(({ segment }) => segment)
  return signs.length < shortest ? [name, ''] : [signs.slice(0, -kept).join(''), signs.slice(-kept).join('')]
}

/** The room that the end of a name needs at most, in em; slightly more than it takes, because fonts differ. */
export const roomOf = (end: string): number => Math.round([...signsOf.segment(end)].reduce((sum, { segment }) => sum + widthOf(segment), 0) * 100) / 100
