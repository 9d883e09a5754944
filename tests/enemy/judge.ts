import type { FillPairRecord } from '#shared/api/records.ts'
import type { Shown } from './journal.ts'
import { priceText, type Fill } from './market.ts'
import { centsOf, dayGross, feesOf, truePairs, type TruePair } from './oracle.ts'
import { booked, isListed, listedFeeCents, today, type World } from './world.ts'

/** A thing that the journal shows wrong and does not mark. */
export type Silent = { readonly kind: 'money' | 'missing' | 'fee' | 'total' | 'removal' | 'lost' | 'equal' | 'note' | 'tag' | 'stop' | 'left-marked' | 'left-gap'; readonly what: string }

/** A fill pair that its user took out: what it was then. */
export type Removal = { readonly pair: TruePair }

/** What the judge knows beside the market. */
export type Evidence = {
  /** Fill pairs that the user removed: their P&L does not count. */
  readonly removals: readonly Removal[]
  /** The pairs as the broker had them at the last sync in which nothing failed. */
  readonly before: readonly TruePair[]
  /** The first session of which the program can know all. */
  readonly since: string
  /** Fills that the program was given in a sync without trouble. */
  readonly received: ReadonlySet<Fill>
  /** Everything was delivered: nothing may be wrong, marked or not. */
  readonly final: boolean
}

/** An account's key as the program's calls name it. */
export const keyOf = (world: World, account: number): string => `tradovate:${world.accounts.find(({ id }) => id === account)?.host ?? ''}:${String(account)}`

/** An amount like `-12.50`, or `-12.505`, in cents. */
const centsIn = (text: string): number => Math.round(Number(text) * 10_000) / 100

const sideOf = (long: boolean): string => (long ? 'long' : 'short')
const iso = (time: number): string => new Date(time).toISOString()

const sayTrue = (world: World, { account, contract, long, qty, entry, exit, gross }: TruePair): string =>
  [keyOf(world, account), contract.name, sideOf(long), qty, iso(entry.time), priceText(contract, entry.ticks), iso(exit.time), priceText(contract, exit.ticks), (centsOf(gross) / 100).toFixed(2)].join(' ')

const sayShown = ({ accountId, symbol, side, qty, entryTime, entryPrice, exitTime, exitPrice, grossPnl, warnings }: FillPairRecord): string =>
  `${[accountId, symbol, side, qty, entryTime, entryPrice, exitTime, exitPrice, grossPnl].join(' ')}${warnings.length === 0 ? '' : ` [${warnings.join()}]`}`

/** `known` is the first session whose fills were listed: before it, pairs give prices and no times. */
const isShownAs = (world: World, pair: TruePair, row: FillPairRecord, known: string): boolean =>
  row.accountId === keyOf(world, pair.account) &&
  row.symbol === pair.contract.name &&
  row.side === sideOf(pair.long) &&
  row.qty === pair.qty &&
  (Date.parse(row.entryTime) === pair.entry.time || pair.entry.day < known) &&
  Date.parse(row.exitTime) === pair.exit.time &&
  row.entryPrice === Number(priceText(pair.contract, pair.entry.ticks)) &&
  row.exitPrice === Number(priceText(pair.contract, pair.exit.ticks)) &&
  centsIn(row.grossPnl) === centsOf(pair.gross) &&
  row.currency === pair.contract.product.currency

/** Every shown fill pair with the true one; null without one. */
export const pairUp = (world: World, rows: readonly FillPairRecord[], pairs: readonly TruePair[], known = ''): { readonly shown: readonly (readonly [FillPairRecord, TruePair | null])[]; readonly missing: readonly TruePair[] } => {
  const left = [...pairs]
  const shown = rows.map((row) => {
    const index = left.findIndex((pair) => isShownAs(world, pair, row, known))
    return [row, index < 0 ? null : (left.splice(index, 1)[0] ?? null)] as const
  })
  return { shown, missing: left }
}

const marks: readonly string[] = ['incomplete', 'approximate', 'ambiguous-order']
const isMarked = ({ warnings }: FillPairRecord): boolean => warnings.some((warning) => marks.includes(warning))

const isSame = (one: TruePair, other: TruePair): boolean => one.entry.id === other.entry.id && one.exit.id === other.exit.id
const sharesOrder = (one: TruePair, other: TruePair): boolean => one.entry.orderId === other.entry.orderId || one.exit.orderId === other.exit.orderId

/** The fills that the journal can know: a fill that neither a list nor a lagging position shows yet has not happened for it. */
const knownFills = (world: World, { received, final }: Evidence): Fill[] =>
  booked(world).filter((fill) => final || fill.time <= (world.positionsUntil ?? Infinity) || isListed(world, fill) || received.has(fill))

/** Compares everything that a journal shows with what happened. */
export const judge = (world: World, shown: Shown, evidence: Evidence): Silent[] => {
  const fills = knownFills(world, evidence)
  const pairs = truePairs(fills)
  const isDue = ({ exit }: TruePair): boolean => evidence.final || exit.day >= evidence.since
  const known = evidence.final ? '' : evidence.since
  const paired = pairUp(world, shown.pairs, pairs, known)
  const failed = shown.receipt.troubles.length > 0
  const stale = failed ? pairUp(world, paired.shown.flatMap(([row, pair]) => (pair === null ? [row] : [])), evidence.before, known).shown.flatMap(([row, pair]) => (pair === null ? [] : [row.id])) : []
  const found: Silent[] = []
  const add = (kind: Silent['kind'], what: string): void => void found.push({ kind, what })

  const isNamed = (account: number, contract: string, days: readonly string[]): boolean =>
    shown.gaps.some((gap) => gap.accountId === keyOf(world, account) && days.includes(gap.tradingDay)) ||
    shown.receipt.holdings.some((each) => each.accountId === keyOf(world, account) && each.contract === contract) ||
    shown.receipt.refused.some(({ entity, id }) => entity === 'fill' && fills.some((fill) => String(fill.id) === id && fill.account === account && fill.contract.name === contract))

  for (const [row, pair] of paired.shown) {
    if (pair === null) {
      const account = world.accounts.find(({ id }) => keyOf(world, id) === row.accountId)?.id ?? 0
      const marked = isMarked(row) || stale.includes(row.id) || isNamed(account, row.symbol, [row.tradingDay])
      if (evidence.final || !marked) add('money', `shown, but wrong: ${sayShown(row)}`)
      continue
    }
    if (evidence.removals.some((removal) => isSame(removal.pair, pair))) add('removal', `removed, and shown: ${sayShown(row)}`)
    if (evidence.final && isMarked(row)) add('left-marked', sayShown(row))
  }
  for (const pair of paired.missing) {
    if (!isDue(pair) || evidence.removals.some((removal) => isSame(removal.pair, pair) || sharesOrder(removal.pair, pair))) continue
    const near = shown.pairs.some((row) => isMarked(row) && row.accountId === keyOf(world, pair.account) && row.symbol === pair.contract.name && Date.parse(row.exitTime) >= pair.entry.time)
    if (!evidence.final && (failed || near || isNamed(pair.account, pair.contract.name, [pair.entry.day, pair.exit.day]))) continue
    add('missing', `not shown: ${sayTrue(world, pair)}`)
  }
  if (!failed) for (const [row, pair] of paired.shown) if (pair !== null) judgeFees(world, evidence, row, pair, add)
  for (const { id, fills: count } of shown.accounts) {
    const given = [...evidence.received].filter(({ account }) => keyOf(world, account) === id).length
    if (count < given) add('lost', `${id} keeps ${String(count)} fills of ${String(given)} that it was given`)
  }
  judgeTotals(shown, add)
  judgeDays(world, shown, fills, evidence, add)
  if (evidence.final) for (const gap of shown.gaps) add('left-gap', `${gap.accountId} ${gap.tradingDay}`)
  return found
}

type Add = (kind: Silent['kind'], what: string) => void

/** The broker's final fees, as far as they can still be read. */
const judgeFees = (world: World, { final }: Evidence, row: FillPairRecord, pair: TruePair, add: Add): void => {
  const word = (fill: Fill): number | null => (final ? fill.feeCents : isListed(world, fill) ? listedFeeCents(world, fill) : fill.day < today(world) ? null : listedFeeCents(world, fill))
  const fees = [pair.entry, pair.exit].map(word)
  if (fees.includes(null)) return
  const expected = feesOf(pair, (fill) => word(fill) ?? 0)
  // A share of a fill may lie between two cents.
  const slack = Number.isInteger(expected) ? 0 : 1
  if (!final && !['broker', 'file'].includes(row.feeSource)) return
  if (Math.abs(centsIn(row.commission) - expected) > slack) add('fee', `${sayShown(row)} costs ${row.commission} by ${row.feeSource}, the broker says ${(expected / 100).toFixed(3)}`)
}

const sums = (rows: readonly { readonly currency: string; readonly netPnl: string }[]): string =>
  JSON.stringify([...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => [currency, own.reduce((sum, { netPnl }) => sum + centsIn(netPnl), 0)]).sort())

/** Totals are those of the shown fill pairs, without removed ones. */
const judgeTotals = ({ pairs, trades, statistics }: Shown, add: Add): void => {
  const near = (one: string, other: string): boolean => {
    const [a, b] = [one, other].map((text) => new Map(JSON.parse(text) as [string, number][]))
    // To the last place, but for what a sum of floating numbers loses.
    return [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].every((currency) => Math.abs((a?.get(currency) ?? 0) - (b?.get(currency) ?? 0)) < 0.001)
  }
  const [listed, counted, whole] = [sums(pairs), sums(statistics.all.money), sums(trades)]
  if (!near(listed, counted)) add('total', `fill pairs ${listed}, statistics ${counted}`)
  if (!near(listed, whole)) add('total', `fill pairs ${listed}, trades ${whole}`)
}

/** A reconciled day has the broker's P&L; removed fill pairs are not in its sum. */
const judgeDays = (world: World, { days, pairs }: Shown, fills: readonly Fill[], { removals }: Evidence, add: Add): void => {
  for (const { account, tradingDay, currency, fillbook, state, removed } of days) {
    if (state !== 'equal' || currency === null || removed > 0 || removals.length > 0) continue
    const number = world.accounts.find(({ id }) => keyOf(world, id) === account)?.id ?? 0
    const gross = dayGross(fills, number, tradingDay, currency)
    if (gross !== centsIn(fillbook.grossPnl)) add('equal', `${account} ${tradingDay} is called equal with ${fillbook.grossPnl}, and is ${(gross / 100).toFixed(2)}`)
    const marked = pairs.filter((pair) => pair.accountId === account && pair.tradingDay === tradingDay && isMarked(pair))
    if (marked.length > 0) add('equal', `${account} ${tradingDay} is called equal, and ${String(marked.length)} of its fill pairs are marked`)
  }
}
