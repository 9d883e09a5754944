const segmenter = new Intl.Segmenter()
const gap = '…'

/** Ways to shorten a name to `most` characters: its beginning and end, with more of one or the other, and then a part from the middle. */
const waysOf = (most: number, longest: number): readonly ((graphemes: readonly string[]) => string)[] => {
  const kept = most - 1
  // A firm's accounts begin alike and differ at the end, so the end gets the larger part first.
  const heads = [Math.floor(kept / 2), ...Array.from({ length: kept }, (_, at) => kept - at).filter((head) => head !== Math.floor(kept / 2))]
  const ends = heads.map((head) => (graphemes: readonly string[]) => `${graphemes.slice(0, head).join('')}${gap}${head === kept ? '' : graphemes.slice(head - kept).join('')}`)
  const within = Array.from({ length: longest }, (_, from) => (graphemes: readonly string[]) => `${gap}${graphemes.slice(from, from + most - 2).join('')}${gap}`)
  return [...ends, ...within]
}

/**
 * Short forms of names in at most `most` characters, at least 4, by name. A short name stays whole; names that would
 * look alike keep the part in which they differ; if none fits, the name stays whole. No two names have the same form,
 * and no form equals another name.
 */
export const shortNames = (names: readonly string[], most: number): ReadonlyMap<string, string> => {
  const graphemes = new Map(names.map((name) => [name, [...segmenter.segment(name)].map(({ segment }) => segment)]))
  const isTaken = new Set(graphemes.keys())
  const forms = new Map<string, string>()
  let left = [...graphemes].filter(([, one]) => one.length > most)
  for (const way of waysOf(most, Math.max(0, ...left.map(([, one]) => one.length)))) {
    const found = new Map<string, string[]>()
    for (const [name, one] of left) {
      const form = way(one)
      found.set(form, [...(found.get(form) ?? []), name])
    }
    // All that look alike continue together: what one of them keeps must distinguish it from the others.
    for (const [form, [name, ...more]] of found) {
      if (name === undefined || more.length > 0 || isTaken.has(form)) continue
      forms.set(name, form)
      isTaken.add(form)
    }
    left = left.filter(([name]) => !forms.has(name))
    if (left.length === 0) break
  }
  return new Map([...graphemes.keys()].map((name) => [name, forms.get(name) ?? name]))
}
