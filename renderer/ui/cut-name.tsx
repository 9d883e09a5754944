/** An account's name, cut in the middle if there is no room: a firm's accounts differ at the end, and begin with the firm. The whole name is its title. */
export const CutName = ({ name }: { name: string }) => {
  const [begin, end] = shownEnd(name)
  const room = `${String(roomOf(end))}em`
  return (
    <span title={name} className="block overflow-hidden text-left text-ellipsis whitespace-pre proportional-nums">
      <bdi>
        {end === '' ? (
          begin
        ) : (
          // Inline boxes, so that copying gives the name in one piece. A screen reader may pause between them, so do not use it as the name of a link or button.
          <>
            <span className="inline-block overflow-hidden align-bottom text-ellipsis" style={{ maxWidth: `calc(100% - ${room})` }}>
              {begin}
            </span>
            <span className="inline-block align-bottom" style={{ minWidth: room }}>
              {end}
            </span>
          </>
        )}
      </bdi>
    </span>
  )
}

const segmenter = new Intl.Segmenter()
const shortest = 9
const kept = 6

const widthOf = (grapheme: string): number => (/^[\d\s.,:;_()/-]$/.test(grapheme) ? 0.62 : /^[\u0020-\u024f]$/u.test(grapheme) ? 0.85 : 1.4)

/** Splits a name into its beginning, which may be cut, and its last six characters, which distinguish accounts; does not split a short name. */
export const shownEnd = (name: string): readonly [begin: string, end: string] => {
  // By grapheme: cutting between a letter and its marks would change both.
  const graphemes = [...segmenter.segment(name)].map(({ segment }) => segment)
  return graphemes.length < shortest ? [name, ''] : [graphemes.slice(0, -kept).join(''), graphemes.slice(-kept).join('')]
}

/** The room that the end of a name needs at most, in em; slightly more than it takes, because fonts differ. */
export const roomOf = (end: string): number => Math.round([...segmenter.segment(end)].reduce((sum, { segment }) => sum + widthOf(segment), 0) * 100) / 100
