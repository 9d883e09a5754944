import type { Figure, Read } from './marks.ts'
import { about, percent, plus, readMagnitude, shownOf, times, wholeMagnitude, type Magnitude } from './shown-figure.ts'
import { beginsHere, endsHere, isSign, isWord, type Token } from './text-tokens.ts'
import { numberWords } from './vocabulary.ts'

const symbols: ReadonlyMap<string, string> = new Map([['$', 'USD'], ['€', 'EUR'], ['£', 'GBP'], ['¥', 'JPY']])
const codes = new Set(['usd', 'eur', 'gbp', 'jpy', 'chf', 'cad', 'aud', 'nzd', 'inr'])
const currencyWords: ReadonlyMap<string, string> = new Map([['dollar', 'USD'], ['dollars', 'USD'], ['euro', 'EUR'], ['euros', 'EUR'], ['pounds', 'GBP']])
const scales: ReadonlyMap<string, bigint> = new Map([['k', 1000n], ['thousand', 1000n], ['m', 1_000_000n], ['mn', 1_000_000n], ['million', 1_000_000n]])
const percentWords = new Set(['percent', 'pct'])
const approximate = new Set(['about', 'roughly', 'around', 'approximately', 'approx', 'circa', 'some'])
const [second, minute, hour] = [1000n, 60_000n, 3_600_000n]
const timeUnits: ReadonlyMap<string, bigint> = new Map([
  ...['ms', 'millisecond', 'milliseconds'].map((word): [string, bigint] => [word, 1n]),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((word): [string, bigint] => [word, second]),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((word): [string, bigint] => [word, minute]),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((word): [string, bigint] => [word, hour]),
  ['d', 24n * hour],
])

const [to, and, between, inWord, perWord, centWord] = [new Set(['to']), new Set(['and']), new Set(['between']), new Set(['in']), new Set(['per']), new Set(['cent'])]

type Amount = { readonly value: Magnitude }

/** Reads the figure that begins at a token, with its unit: money, a share, a time, or a bare number; null where none does, and where it is not wholly understood. */
export const readFigure = (tokens: readonly Token[], from: number): Read<Figure> | null => {
  if (!beginsHere(tokens, from) && !isSign(tokens[from], '-−–+')) return null
  const one = readEnd(tokens, from)
  return one === null ? null : (readRange(tokens, from, one) ?? one)
}

const readEnd = (tokens: readonly Token[], from: number): Read<Figure> | null => {
  const one = readBracketed(tokens, from) ?? readOne(tokens, from)
  return one === null || !endsHere(tokens, one.next) ? null : one
}

/** Whether 'about' or the like stands before a token. */
const isRough = (tokens: readonly Token[], from: number): boolean => isWord(tokens[from - 1], approximate) || isSign(tokens[from - 1], '~≈')

// `($50.00)`, as accountants write what is below zero.
const readBracketed = (tokens: readonly Token[], from: number): Read<Figure> | null => {
  if (!isSign(tokens[from], '(')) return null
  const inner = readOne(tokens, from + 1)
  if (inner === null || inner.found.unit !== 'money' || inner.found.sign !== 0 || !isSign(tokens[inner.next], ')')) return null
  return { found: { ...inner.found, sign: -1 }, next: inner.next + 1 }
}

// `$50 to $350`, of money alone; 'and' joins after 'between' only.
const readRange = (tokens: readonly Token[], from: number, low: Read<Figure>): Read<Figure> | null => {
  const joined = isWord(tokens[low.next], to) || isSign(tokens[low.next], '–-') || (isWord(tokens[low.next], and) && isWord(tokens[from - 1], between))
  if (low.found.unit !== 'money' || !joined) return null
  const high = readEnd(tokens, isWord(tokens[low.next + 1], approximate) ? low.next + 2 : low.next + 1)
  if (high === null || high.found.unit !== 'money' || high.found.currency !== low.found.currency) return null
  return { found: { ...low.found, to: { shown: high.found.shown, sign: high.found.sign } }, next: high.next }
}

const readOne = (tokens: readonly Token[], from: number): Read<Figure> | null => {
  const sign = readSign(tokens, from)
  if (sign === null) return null
  const rough = isRough(tokens, from)
  const before = readCurrency(tokens, sign.next)
  if (before !== null) {
    const inner = sign.found === 0 ? readSign(tokens, before.next) : { found: 0 as const, next: before.next }
    if (inner === null) return null
    const amount = readAmount(tokens, inner.next, true)
    if (amount === null || tokens[inner.next]?.kind !== 'number') return null
    // `$50 EUR` says two things.
    if ((readCurrencyBehind(tokens, amount.next)?.found ?? before.found) !== before.found) return null
    return money(amount, sign.found === 0 ? inner.found : sign.found, before.found, rough, amount.next)
  }
  const amount = readAmount(tokens, sign.next, false)
  if (amount === null) return null
  const behind = readCurrencyBehind(tokens, amount.next)
  if (behind !== null) return money(amount, sign.found, behind.found, rough, behind.next)
  const scaled = readScale(tokens, amount.next)
  if (scaled !== null) {
    const currency = readCurrencyBehind(tokens, scaled.next)
    if (currency !== null) return money({ found: { ...amount.found, value: times(amount.found.value, scaled.found) }, next: scaled.next }, sign.found, currency.found, rough, currency.next)
  }
  return readUnit(tokens, amount, sign.found, rough)
}

const money = ({ found }: Read<Amount>, sign: -1 | 0 | 1, currency: string, rough: boolean, next: number): Read<Figure> => ({
  found: { unit: 'money', shown: shownOf(rough ? about(found.value) : found.value), sign, currency, to: null },
  next,
})

// A share, a time, or a number of whatever follows.
const readUnit = (tokens: readonly Token[], amount: Read<Amount>, sign: -1 | 0 | 1, rough: boolean): Read<Figure> | null => {
  const { value } = amount.found
  const after = tokens[amount.next]
  const shown = (magnitude: Magnitude) => shownOf(rough ? about(magnitude) : magnitude)
  const plain = { sign, currency: null, to: null }
  if (isSign(after, '%') || isWord(after, percentWords)) return { found: { unit: 'share', shown: shown(percent(value)), ...plain }, next: amount.next + 1 }
  if (isWord(after, perWord) && isWord(tokens[amount.next + 1], centWord)) return { found: { unit: 'share', shown: shown(percent(value)), ...plain }, next: amount.next + 2 }
  const time = readTime(tokens, amount)
  if (time !== null) return { found: { unit: 'time', shown: shown(time.found), ...plain }, next: time.next }
  if (value.digits === 1n && value.scale === 0 && isWord(after, inWord)) {
    const many = readAmount(tokens, amount.next + 1, false)
    if (many !== null && endsHere(tokens, many.next)) return { found: { unit: 'one-in', shown: shownOf(many.found.value), ...plain }, next: many.next }
  }
  return { found: { unit: 'number', shown: shown(value), ...plain }, next: amount.next }
}

// Minus and plus stand right before what they belong to; a true minus sign may stand alone.
const readSign = (tokens: readonly Token[], at: number): Read<-1 | 0 | 1> | null => {
  const token = tokens[at]
  if (!isSign(token, '-−–+')) return { found: 0, next: at }
  const isTrue = token?.raw === '−'
  if (tokens[at + 1]?.tight !== true && !isTrue) return null
  const before = tokens[at - 1]
  const hangs = token?.tight === true && before !== undefined && !isSign(before, '([:|“"') && !isSign(before, '$€£¥')
  if (hangs || isSign(before, '-−–+±')) return null
  return { found: token?.raw === '+' ? 1 : -1, next: at + 1 }
}

const readCurrency = (tokens: readonly Token[], at: number): Read<string> | null => {
  const token = tokens[at]
  if (token?.kind === 'word' && token.text === 'us' && tokens[at + 1]?.raw === '$' && tokens[at + 1]?.tight === true) return { found: 'USD', next: at + 2 }
  const symbol = token?.kind === 'symbol' ? symbols.get(token.raw) : undefined
  if (symbol !== undefined) return token?.tight === true && tokens[at - 1]?.kind === 'word' ? null : { found: symbol, next: at + 1 }
  return isWord(token, codes) && token?.raw === token?.raw.toUpperCase() ? { found: token?.raw ?? '', next: at + 1 } : null
}

const readCurrencyBehind = (tokens: readonly Token[], at: number): Read<string> | null => {
  const token = tokens[at]
  if (token === undefined) return null
  const word = token.kind === 'word' ? (currencyWords.get(token.text) ?? (codes.has(token.text) && token.raw === token.raw.toUpperCase() ? token.raw : undefined)) : undefined
  if (word !== undefined) return { found: word, next: at + 1 }
  // A sign behind a number belongs to it where no number follows: `50 €`.
  const symbol = token.kind === 'symbol' ? symbols.get(token.raw) : undefined
  return symbol !== undefined && tokens[at + 1]?.kind !== 'number' ? { found: symbol, next: at + 1 } : null
}

const readScale = (tokens: readonly Token[], at: number): Read<bigint> | null => {
  const token = tokens[at]
  const scale = token?.kind === 'word' ? scales.get(token.text) : undefined
  // A letter stands right behind its number.
  return scale === undefined || (token?.text.length === 1 && !token.tight) ? null : { found: scale, next: at + 1 }
}

// Digits or a number word, with 'thousand' and the like where it is money.
const readAmount = (tokens: readonly Token[], at: number, isMoney: boolean): Read<Amount> | null => {
  const plain = readPlain(tokens, at)
  if (plain === null || !isMoney) return plain
  const scaled = readScale(tokens, plain.next)
  return scaled === null ? plain : { found: { ...plain.found, value: times(plain.found.value, scaled.found) }, next: scaled.next }
}

const readPlain = (tokens: readonly Token[], at: number): Read<Amount> | null => {
  const token = tokens[at]
  if (token?.kind === 'number') {
    const value = readMagnitude(token.raw)
    return value === null ? null : { found: { value }, next: at + 1 }
  }
  return readNumberWord(tokens, at)
}

const readNumberWord = (tokens: readonly Token[], at: number): Read<Amount> | null => {
  const token = tokens[at]
  const value = token?.kind === 'word' ? numberWords.get(token.text) : undefined
  if (value === undefined || !beginsHere(tokens, at)) return null
  const found = (sum: number, next: number): Read<Amount> => ({ found: { value: wholeMagnitude(sum) }, next })
  const hyphen = isSign(tokens[at + 1], '-') && tokens[at + 1]?.tight === true && tokens[at + 2]?.tight === true
  const unit = numberWords.get(tokens[at + (hyphen ? 2 : 1)]?.text ?? '')
  if (unit === 12) return hyphen ? null : found(value * 12, at + 2)
  if (value >= 20 && unit !== undefined && unit > 0 && unit < 10) return found(value + unit, at + (hyphen ? 3 : 2))
  return hyphen || unit !== undefined ? null : found(value, at + 1)
}

const readTime = (tokens: readonly Token[], amount: Read<Amount>): Read<Magnitude> | null => {
  const unit = timeUnitAt(tokens, amount.next)
  if (unit === null) return null
  let sum = { value: times(amount.found.value, unit), unit, next: amount.next + 1 }
  // `1 h 20 m`, each unit smaller than the one before.
  for (;;) {
    const joined = isWord(tokens[sum.next], and) ? sum.next + 1 : sum.next
    const token = tokens[joined]
    const value = token?.kind === 'number' ? readMagnitude(token.raw) : null
    const smaller = timeUnitAt(tokens, joined + 1)
    if (value === null || smaller === null || smaller >= sum.unit || sum.value.scale > 0) return { found: sum.value, next: sum.next }
    sum = { value: plus(sum.value, times(value, smaller)), unit: smaller, next: joined + 2 }
  }
}

const timeUnitAt = (tokens: readonly Token[], at: number): bigint | null => {
  const token = tokens[at]
  return token?.kind === 'word' ? (timeUnits.get(token.text) ?? null) : null
}
