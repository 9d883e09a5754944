import { datesOf, monthAfter, type DatePreset, type DateSpan } from '#renderer/lib/date-presets.ts'
import { dayOfCalendar, dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { Direction } from '#shared/pnl/pair.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'

/** The words with a meaning, in lower case, in the page's language. */
export type SearchWords = {
  readonly sides: Readonly<Record<Direction, string>>
  /** Long names, January first. */
  readonly months: readonly string[]
  /** Names of date ranges, of one or more words. */
  readonly presets: Readonly<Partial<Record<DatePreset, string>>>
}

/** A condition on trades; null means none. */
type Condition = { readonly symbol: string | null; readonly symbols: readonly string[] | null; readonly accounts: readonly string[] | null; readonly tags: readonly string[] | null }

const most = 4
const none: Condition = { symbol: null, symbols: null, accounts: null, tags: null }

/**
 * The filters that the typed text can mean: days (`2026-02-13`, `2026-02`, `feb 13`, `13 february 2025`, `last week`)
 * and sides by their words, every other word as a contract, an account or its firm, or a tag; a product's whole name
 * means that product alone (`CL` is not `MCL`). `today` is the trading day that determines the year of a day without one.
 */
export const tradeSearches = (typed: string, choices: FilterChoices, words: SearchWords, today: string): readonly TradeFilter[] => {
  const { span, rest } = readDays(typed.trim().toLowerCase().split(/\s+/).filter(Boolean), words, today)
  const sides = (['long', 'short'] as const).filter((side) => rest.includes(words.sides[side]))
  const texts = rest.filter((word) => !sides.some((side) => word === words.sides[side]))
  if (span === null && rest.length === 0) return []
  let meant: readonly Condition[] = [none]
  for (const text of texts) {
    const meanings = meaningsOf(text, choices)
    meant = meant.flatMap((before) => meanings.flatMap((meaning) => joined(before, meaning) ?? [])).slice(0, most)
  }
  return meant.map(({ symbol, symbols, accounts, tags }) => ({ ...everyTrade, ...span, sides, symbol: symbol ?? '', symbols: symbols ?? [], accounts: accounts ?? [], tags: tags ?? [] }))
}

const meaningsOf = (text: string, { symbols, accounts, tags }: FilterChoices): Condition[] => {
  const has = (name: string | null): boolean => name?.toLowerCase().includes(text) ?? false
  const inAccounts = accounts.filter(({ name, firm }) => has(name) || has(firm)).map(({ key }) => key)
  const inTags = tags.filter(has)
  const product = symbols.find((symbol) => symbol.toLowerCase() === text)
  const inSymbols = symbols.some((symbol) => has(symbol) || text.startsWith(symbol.toLowerCase()))
  const meant = [
    ...(product !== undefined ? [{ ...none, symbols: [product] }] : inSymbols ? [{ ...none, symbol: text }] : []),
    ...(inAccounts.length > 0 ? [{ ...none, accounts: inAccounts }] : []),
    ...(inTags.length > 0 ? [{ ...none, tags: inTags }] : []),
  ]
  // A word that no name contains may still be part of a contract, such as its month.
  return meant.length > 0 ? meant : [{ ...none, symbol: text }]
}

/** Both conditions combined; null if no filter can express that. */
const joined = (one: Condition, other: Condition): Condition | null => {
  const symbol = one.symbol === null || other.symbol === null ? (one.symbol ?? other.symbol) : one.symbol.includes(other.symbol) ? one.symbol : other.symbol.includes(one.symbol) ? other.symbol : false
  const symbols = common(one.symbols, other.symbols)
  const accounts = common(one.accounts, other.accounts)
  const tags = common(one.tags, other.tags)
  return symbol === false || symbols?.length === 0 || accounts?.length === 0 || tags?.length === 0 ? null : { symbol, symbols, accounts, tags }
}

const common = (one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null =>
  one === null || other === null ? (one ?? other) : one.filter((value) => other.includes(value))

const readDays = (words: readonly string[], { months, presets }: SearchWords, today: string): { readonly span: DateSpan | null; readonly rest: readonly string[] } => {
  for (const [at, word] of words.entries()) {
    const without = (from: number, to: number): readonly string[] => [...words.slice(0, from), ...words.slice(to)]
    for (const [preset, name] of Object.entries(presets) as [DatePreset, string][]) {
      const length = name.split(' ').length
      if (words.slice(at, at + length).join(' ') === name) return { span: datesOf(preset, today), rest: without(at, at + length) }
    }
    const iso = isoSpan(word)
    if (iso !== null) return { span: iso, rest: without(at, at + 1) }
    const month = [...word].length < 3 ? 0 : months.findIndex((name) => name.startsWith(word)) + 1
    if (month === 0) continue
    const before = number(words[at - 1], 31)
    const behind = before === null ? number(words[at + 1], 31) : null
    const end = at + (behind === null ? 1 : 2)
    const year = number(words[end], 9_999, 1_900)
    const span = spanOf(year, month, before ?? behind, today)
    if (span !== null) return { span, rest: without(before === null ? at : at - 1, year === null ? end : end + 1) }
  }
  return { span: null, rest: words }
}

const isoSpan = (word: string): DateSpan | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(word) ?? []
  return year === undefined ? null : spanOf(Number(year), Number(month), day === undefined ? null : Number(day), '')
}

/** A day, or a whole month if `day` is null; a null year means the latest one in which it is not in the future. */
const spanOf = (year: number | null, month: number, day: number | null, today: string): DateSpan | null => {
  const thisYear = Number(today.slice(0, 4))
  const ofYear = (of: number): number | null => dayOfCalendar(of, month, day ?? 1)
  const ahead = year === null && (ofYear(thisYear) ?? 0) > dayOfDate(today)
  const first = ofYear(year ?? (ahead ? thisYear - 1 : thisYear))
  if (first === null) return null
  const from = isoDate(first)
  return { from, to: day === null ? isoDate(dayOfDate(monthAfter(from)) - 1) : from }
}

const number = (word: string | undefined, largest: number, least = 1): number | null => {
  const value = word !== undefined && /^\d{1,4}$/.test(word) ? Number(word) : 0
  return value >= least && value <= largest ? value : null
}
