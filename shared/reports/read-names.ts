import { contractTable } from '#shared/market/contract-table.ts'
import { readDay, readMonth, readWeekday } from './read-dates.ts'
import { readHour } from './read-hours.ts'
import type { Mark, Name, Read } from './marks.ts'
import { isSign, type Token } from './text-tokens.ts'

/** What names there are to be known: pseudonyms (in small letters) with the keys of their accounts, and the products of the report. */
export type KnownNames = { readonly accounts: ReadonlyMap<string, string>; readonly products: ReadonlySet<string> }

// Codes with a usual commission are the ones that traders write of; many of the others are words.
const tableProducts = new Set(contractTable.filter(({ commission }) => commission !== null).map(({ root }) => root))
// Product codes that are words as well: they count in capitals only, unless the report has them.
const everyday = new Set(['he', 'le', 'met', 'pa', 'si', 'es', 'pl', 'ho', 'ct', 'cc', 'cl', 'gc', 'hg', 'kc', 'ke', 'tn', 'ub', 'vx', 'sb', 'eth', 'sil'])
// What is written in capitals and says nothing to the check. Zones are read with their hours.
const capitals = new Set(['I', 'AI', 'P', 'L', 'PL', 'PNL', 'OK', 'CSV', 'PDF', 'AM', 'PM', 'US', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'NZD', 'INR', 'FIFO', 'TL', 'DR'])
// After these a capital A is a name, not an article.
const verbs = new Set(['made', 'lost', 'earned', 'gained', 'was', 'is', 'had', 'has', 'did', 'cost', 'gave', 'at', 'and', 'with', 'on', 'took', 'won', 'traded', 'in', 'over', 'by', 'of', 'held', 'to', 'for', 'or', 'against', 'versus', 'vs'])
const sides: ReadonlyMap<string, 'long' | 'short'> = new Map([['long', 'long'], ['longs', 'long'], ['short', 'short'], ['shorts', 'short']])

/** Reads what names a time at a token: a day, a month, a weekday, an hour. */
export const readWhen = (tokens: readonly Token[], at: number): Read<Mark> | null => {
  const dated = readDay(tokens, at) ?? readMonth(tokens, at) ?? readWeekday(tokens, at) ?? readHour(tokens, at)
  return dated === null ? null : { found: named(tokens, dated.found, at, dated.next), next: dated.next }
}

/** Reads what names trades otherwise: a product, a side, an account. Null where nothing does; what looks like a name and is none that is known cannot be read. */
export const readName = (tokens: readonly Token[], at: number, known: KnownNames): Read<Mark> | null => {
  const token = tokens[at]
  if (token === undefined) return null
  if (token.kind === 'word' && (token.text === 'account' || token.text === 'accounts')) return readAccount(tokens, at, known)
  const side = token.kind === 'word' ? sides.get(token.text) : undefined
  if (side !== undefined && standsAlone(tokens, at)) return { found: named(tokens, { field: 'side', value: side }, at, at + 1), next: at + 1 }
  return readCode(tokens, at, known)
}

const named = (tokens: readonly Token[], name: Name, from: number, next: number): Mark => ({ is: 'name', name, text: textOf(tokens, from, next) })

/** The words of a stretch of tokens, as they stand. */
export const textOf = (tokens: readonly Token[], from: number, next: number): string =>
  tokens
    .slice(from, next)
    .map(({ raw, tight }, index) => (tight || index === 0 ? raw : ` ${raw}`))
    .join('')

const standsAlone = (tokens: readonly Token[], at: number): boolean => {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  return !(tokens[at]?.tight === true && (before?.kind === 'number' || before?.kind === 'odd')) && !(after?.tight === true && (after.kind === 'number' || after.kind === 'odd'))
}

const readAccount = (tokens: readonly Token[], at: number, known: KnownNames): Read<Mark> | null => {
  const end = endOfCode(tokens, at + 1)
  const code = tokens.slice(at + 1, end).map(({ raw }) => raw).join('')
  if (code === '') return null
  const account = known.accounts.get(`account ${code.toLowerCase()}`)
  const isName = tokens[at + 1]?.kind === 'number' || code === code.toUpperCase()
  if (account !== undefined && tokens[at]?.text === 'account' && (isName || end === at + 2)) return { found: named(tokens, { field: 'account', value: account }, at, end), next: end }
  return isName ? { found: { is: 'unreadable', text: textOf(tokens, at, end) }, next: end } : null
}

// Letters and digits that stand together, as in `MESH6`.
const endOfCode = (tokens: readonly Token[], from: number): number => {
  const isPart = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'number'
  if (!isPart(tokens[from])) return from
  let end = from + 1
  while (isPart(tokens[end]) && tokens[end]?.tight === true) end += 1
  return end
}

const readCode = (tokens: readonly Token[], at: number, known: KnownNames): Read<Mark> | null => {
  const end = endOfCode(tokens, at)
  if (end === at || (tokens[at]?.tight === true && (tokens[at - 1]?.kind === 'word' || tokens[at - 1]?.kind === 'number'))) return null
  const code = tokens.slice(at, end).map(({ raw }) => raw).join('').replace(/['’]s?$/u, '')
  const product = code.toUpperCase()
  const hyphened = isSign(tokens[end], '-/_.') && tokens[end]?.tight === true && tokens[end + 1]?.tight === true && tokens[end + 1]?.kind !== 'symbol'
  if (known.products.has(product) || (tableProducts.has(product) && (code === product || !everyday.has(code.toLowerCase())))) {
    if (hyphened) return { found: { is: 'unreadable', text: textOf(tokens, at, end) }, next: end }
    return { found: named(tokens, { field: 'product', value: product }, at, end), next: end }
  }
  // Letters with digits in them are a code, or a number that is not understood.
  const mixed = end > at + 1
  if (tokens[at]?.kind !== 'word' || (!mixed && !isCapitals(tokens, at, code))) return mixed ? { found: { is: 'unreadable', text: code }, next: end } : null
  return { found: { is: 'unreadable', text: code }, next: end }
}

const isCapitals = (tokens: readonly Token[], at: number, code: string): boolean => {
  if (code !== code.toUpperCase() || capitals.has(code)) return false
  if (code !== 'A') return true
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  const opens = before === undefined || isSign(before, '.:!?“"(—–-')
  return !(opens && after?.kind === 'word' && !verbs.has(after.text) && after.raw === after.raw.toLowerCase())
}
