/** A piece of text as claims are read from it; `tight`: nothing, not even a blank, lies between it and the one before. */
export type Token = {
  readonly kind: 'word' | 'number' | 'date' | 'slash-date' | 'clock' | 'symbol' | 'odd'
  /** As it stands in the text. */
  readonly raw: string
  /** In small letters; of a word without the `'s` of the possessive. */
  readonly text: string
  readonly tight: boolean
  readonly at: number
}

const pattern = /(?<date>\d{4}-\d{2}-\d{2}(?!\d))|(?<slash>\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?![\d/]))|(?<clock>\d{1,2}:\d{2}(?::\d{2})?(?!\d))|(?<number>\d+(?:[.,]\d+)*|\.\d+)|(?<word>[A-Za-z]+(?:['’][A-Za-z]+)*['’]?)|(?<space>[ \t\n\u00a0\u202f]+)|(?<symbol>[!-/:-@[-`{-~−–—‘’“”…•·×±≈≤≥→€£¥])|(?<odd>[^])/gu

/**
 * The tokens of a text, in time linear in it. Whatever is none of the letters, digits and signs that are understood (digits
 * of other scripts, letters that look alike, marks that cannot be seen) is `odd`: nothing can be proved about it.
 */
export const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  let tight = false
  for (const { 0: raw, index: at, groups = {} } of text.matchAll(pattern)) {
    const kind = kindOf(groups)
    if (kind !== null) tokens.push({ kind, raw, text: kind === 'word' ? plainWord(raw) : raw, tight, at })
    tight = kind !== null
  }
  return tokens
}

const kindOf = (groups: Record<string, string | undefined>): Token['kind'] | null => {
  if (groups['space'] !== undefined) return null
  if (groups['word'] !== undefined) return 'word'
  if (groups['number'] !== undefined) return 'number'
  if (groups['symbol'] !== undefined) return 'symbol'
  if (groups['date'] !== undefined) return 'date'
  if (groups['slash'] !== undefined) return 'slash-date'
  return groups['clock'] === undefined ? 'odd' : 'clock'
}

const plainWord = (raw: string): string => raw.toLowerCase().replaceAll('’', "'").replace(/'s$|'$/, '')

const inWord = new Set(['word', 'number', 'date', 'slash-date', 'clock', 'odd'])

/** Whether nothing that belongs to the token at `index` follows the one before it: no letter or digit, no sign that goes on with a number. */
export const endsHere = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index]
  if (token?.tight !== true) return true
  if (inWord.has(token.kind)) return false
  const after = tokens[index + 1]
  const goesOn = after?.tight === true && inWord.has(after.kind)
  return !(goesOn && "-/:.,'’^_\\&@#=*+~".includes(token.raw)) && !'%$€£¥'.includes(token.raw)
}

/** Whether the token at `index` begins something: no letter, digit or sign hangs on to its front. */
export const beginsHere = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index]
  const before = tokens[index - 1]
  if (token?.tight !== true || before === undefined) return true
  if (inWord.has(before.kind)) return false
  return before.kind === 'symbol' && '([“‘"\'—:,;|~≈='.includes(before.raw) && !(before.tight && ':,'.includes(before.raw) && tokens[index - 2]?.kind === 'number')
}

/** Whether the word at `index` is one of these. */
export const isWord = (token: Token | undefined, words: ReadonlySet<string>): boolean => token?.kind === 'word' && words.has(token.text)

/** Whether the token is one of these signs. */
export const isSign = (token: Token | undefined, signs: string): boolean => token?.kind === 'symbol' && signs.includes(token.raw)
