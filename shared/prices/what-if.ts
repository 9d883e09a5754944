import type { Ticks } from '#shared/money/price.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { oneExit, type TradeFill } from './excursions.ts'
import { exitMoves, type ExitEnd, type ExitState } from './exit-states.ts'
import type { ExitTerms, TickRule } from './exit-rule.ts'
import { isHole } from './open-time.ts'
import type { Bar, Micros, Print, Span, Tape } from './tape.ts'

/** A trade whose exits a rule may replace: its entries in the order of time, and its real end. */
export type TradeToTry = {
  readonly side: 1 | -1
  /** `qty` is above zero for both sides; `time` in UTC ms. */
  readonly entries: readonly TradeFill[]
  /** The last fill, and the proceeds of the last exit's contracts in ticks: an order is often filled in parts. */
  readonly exit: { readonly time: number; readonly price: Ticks; readonly qty: number; readonly proceeds: number }
  /** How far a fill's true moment may lie from its `time`. */
  readonly tolerance: Micros
}

/** The result of a rule: all ends that the prices allow lie between the least and the most, by the contracts that were entered by then. */
export type WhatIf = readonly ExitEnd[]

/** A trade from flat to flat as one to try; null where an entry follows an exit: its entries cannot be assigned to the rule's exits. */
export const tradeToTry = (fills: readonly TradeFill[], tolerance: Micros): TradeToTry | null => {
  const [first, last] = [fills[0], fills.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('A trade has fills')
  const side = first.qty > 0 ? 1 : -1
  const exits = fills.findIndex(({ qty }) => qty * side < 0)
  if (fills.slice(exits).some(({ qty }) => qty * side > 0)) return null
  const entries: TradeFill[] = []
  for (const { time, qty, price } of fills.slice(0, exits)) {
    const before = entries.at(-1)
    // Fill pairs cut a fill into parts. A stamp of whole seconds may be that of several fills, with prices between them.
    if (before?.time === time && before.price === price && time % 1000 !== 0) entries[entries.length - 1] = { ...before, qty: before.qty + qty * side }
    else entries.push({ time, qty: qty * side, price })
  }
  let [qty, proceeds] = [0, 0]
  for (const part of fills.slice(exits).filter(({ time }) => (last.time - time) * 1000 <= oneExit)) {
    qty -= part.qty * side
    proceeds -= part.qty * side * part.price
  }
  return { side, entries, exit: { time: last.time, price: last.price, qty, proceeds }, tolerance }
}

/**
 * The gross result of each rule in place of a trade's real exits; null where prices end before the
 * trade would have. Prints give what would have happened, but for targets that are only touched and prints as near to a
 * fill as its tolerance; from bars the truth lies within.
 */
export const whatIf = (trade: TradeToTry, rules: readonly TickRule[], terms: ExitTerms, tape: Tape): readonly (WhatIf | null)[] => {
  const plan = planOf(trade, terms)
  const runs = rules.map((rule) => startRun(plan, rule, terms))
  for (const seen of pricesOf(plan, tape, () => quietOf(runs.map((run) => run.quiet())))) {
    if (seen === 'hole') return runs.map((run) => run.unknown())
    let isOpen = false
    const place = placeOf(plan, seen)
    for (const run of runs) isOpen = run.see(seen, place) || isOpen
    if (!isOpen) break
  }
  return runs.map((run) => run.end())
}

type Plan = {
  readonly side: 1 | -1
  readonly tolerance: Micros
  readonly entries: readonly { readonly at: Micros; readonly qty: number; readonly price: number }[]
  /** The real exit, where it ends the trade; its prices from the trade's side. */
  readonly exit: { readonly at: Micros; readonly price: number; readonly qty: number; readonly proceeds: number } | null
  /** The moment at which what is open leaves with the next print. */
  readonly leaves: Micros | null
  /** The end of the session, where what is open leaves with the last print. */
  readonly closes: Micros | null
  readonly begins: Micros
  /** Prices from here on do not matter. */
  readonly ends: Micros
}

const longestWait = 7 * 86_400_000_000

const planOf = ({ side, entries, exit, tolerance }: TradeToTry, { horizon }: ExitTerms): Plan => {
  const exited = exit.time * 1000
  const sided = entries.map(({ time, qty, price }) => ({ at: time * 1000, qty, price: side * price }))
  const closes = horizon.until === 'session' ? Math.max(sessionOf(tradingDay(exit.time)).closes * 1000, exited + 1) : null
  const leaves = horizon.until === 'minutes' ? exited + horizon.minutes * 60_000_000 : null
  const ends = closes ?? (leaves === null ? exited + tolerance + 1 : leaves + longestWait)
  return {
    side,
    tolerance,
    entries: sided,
    exit: horizon.until === 'exit' ? { at: exited, price: side * exit.price, qty: exit.qty, proceeds: side * exit.proceeds } : null,
    leaves,
    closes,
    begins: (sided[0]?.at ?? exited) - tolerance,
    ends,
  }
}

/** A print or a bar, with prices from the trade's side. If finer prices cut a bar, neither its open and close nor its extremes are sure. */
type SeenPrice = Span & { readonly open: number; readonly high: number; readonly low: number; readonly close: number; readonly isPrint: boolean; readonly isCut: boolean }

/** How a print or bar lies to the entries: how many are surely before it, may be before it, may be before its end, and are surely before its end. */
type EntryCounts = { readonly before: number; readonly early: number; readonly inside: number; readonly by: number }

const placeOf = ({ entries, tolerance }: Plan, { from, to }: Span): EntryCounts => {
  let [before, early, inside, by] = [0, 0, 0, 0]
  for (const { at } of entries) {
    if (at + tolerance < from) before += 1
    if (at - tolerance <= from) early += 1
    if (at - tolerance < to) inside += 1
    if (at + tolerance < to) by += 1
  }
  return { before, early, inside, by }
}

/** Between which prices, and until when, nothing happens; null where every print counts. */
type Quiet = { readonly above: number; readonly below: number; readonly until: Micros }

const quietOf = (runs: readonly (Quiet | null | 'ended')[]): Quiet | null => {
  let [above, below, until] = [-Infinity, Infinity, Infinity]
  for (const run of runs) {
    if (run === null) return null
    if (run === 'ended') continue
    above = Math.max(above, run.above)
    below = Math.min(below, run.below)
    until = Math.min(until, run.until)
  }
  return { above, below, until }
}

const second = 1_000_000
const longestRead = 60 * second

/** The prints of a stretch, without most of those at which nothing happens; its last one is always among them. */
function* printsOf({ from, to }: Span, side: 1 | -1, tape: Tape, quiet: () => Quiet | null): Generator<SeenPrice> {
  const seen = ({ at, price }: Print): SeenPrice => ({ from: at, to: at + 1, open: side * price, high: side * price, low: side * price, close: side * price, isPrint: true, isCut: false })
  const skipped = (begin: Micros): Micros => {
    const calm = quiet()
    if (calm === null) return begin
    const last = Math.min(to, calm.until)
    for (let [at, width] = [begin, second]; ; ) {
      if (at >= last) return at
      const end = Math.min(last, at + width)
      const range = tape.extremes({ from: at, to: end })
      const [low, high] = range === null ? [Infinity, -Infinity] : side === 1 ? [range.low, range.high] : [-range.high, -range.low]
      if (low > calm.above && high < calm.below) [at, width] = [end, width * 4]
      else if (width > second) width = Math.max(second, width / 8)
      else return at
    }
  }
  let [newest, step] = [from - 1, second]
  for (let at = from; at < to; ) {
    const next = skipped(at)
    step = next > at ? second : Math.min(longestRead, step * 2)
    at = Math.min(to, next + step)
    for (const print of tape.prints({ from: next, to: at })) {
      newest = print.at
      yield seen(print)
    }
  }
  for (let back = second; ; back *= 8) {
    const begin = Math.max(newest + 1, to - back)
    const last = [...tape.prints({ from: begin, to })].at(-1)
    if (last !== undefined) yield seen(last)
    if (last !== undefined || begin <= newest + 1) return
  }
}

function* pricesOf({ side, begins, ends, closes }: Plan, tape: Tape, quiet: () => Quiet | null): Generator<SeenPrice | 'hole'> {
  const bar = ({ at, width, open, high, low, close }: Bar, isCut: boolean): SeenPrice => ({ from: at, to: at + width, open: side * open, high: side === 1 ? high : -low, low: side === 1 ? low : -high, close: side * close, isPrint: false, isCut })
  let known = begins
  let last: Bar | null = null
  for (const { from, to, grain } of tape.coverage({ from: begins, to: ends })) {
    if (from > known) yield 'hole'
    if (grain === 'prints') yield* printsOf({ from, to }, side, tape, quiet)
    else {
      for (const found of tape.bars({ from, to })) {
        if (found.at === last?.at && found.width === last.width) continue
        last = found
        const until = found.at + found.width
        yield bar(found, (found.at < from && from > begins) || (until > to && (to < ends || closes !== null)))
      }
    }
    known = to
  }
  if (known < ends && (closes === null || isHole(known, closes))) yield 'hole'
}

const startRun = ({ entries, exit, leaves, closes, tolerance }: Plan, rule: TickRule, { slippage, insideBars }: ExitTerms) => {
  const ends: ExitEnd[] = []
  const moves = exitMoves(entries, rule, slippage, ({ contracts, least, most }) => {
    const place = ends.findIndex((end) => end.contracts === contracts)
    const same = ends[place]
    if (same === undefined) ends.push({ contracts, least, most })
    else ends[place] = { contracts, least: Math.min(same.least, least), most: Math.max(same.most, most) }
  })
  const anyPrice = insideBars === 'any-price'
  const all = entries.length
  const timed = rule.minutes === null ? null : (entries[0]?.at ?? 0) + rule.minutes * 60_000_000
  const moment = timed === null || leaves === null ? (timed ?? leaves) : Math.min(timed, leaves)
  const exitFrom = exit === null ? Infinity : exit.at - tolerance
  const momentFrom = moment === null ? Infinity : moment - tolerance
  const lastEntry = entries.at(-1)
  let states: readonly ExitState[] = moves.start
  const until = Math.min(exitFrom, momentFrom)
  let calm: { readonly above: number; readonly below: number } | null = null
  /** Where the last print was, for what the end of a session leaves open. */
  let newest = { least: lastEntry?.price ?? 0, most: lastEntry?.price ?? 0 }

  /** Whether a moment of the tape is surely, or perhaps, after the one at which the trade leaves. */
  const isLate = (at: Micros): { readonly surely: boolean; readonly perhaps: boolean } => ({ surely: moment !== null && at >= moment + tolerance, perhaps: at >= momentFrom })
  /** Each state after its next entry; none where the trade left with that print. */
  const enterNext = (from: readonly ExitState[], jumps: boolean): readonly ExitState[] =>
    from.flatMap((state) => {
      const entry = entries[state.entered]
      const late = entry === undefined || state.entered === 0 ? { surely: false, perhaps: false } : isLate(entry.at)
      if (entry !== undefined && late.perhaps) moves.leave(moves.price([state], entry.price, jumps), entry.price, entry.price)
      return late.surely ? [] : moves.enter([state], jumps)
    })
  /** The states, and those after further entries, until `count` are filled. */
  const withEntries = (from: readonly ExitState[], count: number, jumps: boolean): readonly ExitState[] => {
    let found = from
    for (let entered = 0; entered < count; entered += 1) {
      const next = found.filter((state) => state.entered === entered && !state.split)
      if (next.length > 0) found = moves.merge(found, enterNext(next, jumps))
    }
    return found
  }
  const surelyEntered = (from: readonly ExitState[], count: number): readonly ExitState[] => from.filter(({ entered, split }) => split || entered >= count)
  const enterSurely = (from: readonly ExitState[], count: number, jumps: boolean): readonly ExitState[] => (from.some(({ entered, split }) => !split && entered < count) ? surelyEntered(withEntries(from, count, jumps), count) : from)
  /** The real exit: first its own print counts, then all that is open leaves at its average price. */
  const exitReally = (from: readonly ExitState[], jumps: boolean): void => {
    if (exit === null) return
    const left = moves.price(enterSurely(from, all, jumps), exit.price, jumps)
    const late = isLate(exit.at)
    if (late.perhaps) moves.leave(left, exit.price, exit.price)
    if (!late.surely) moves.leaveAsReally(left, exit)
  }

  const seeBar = ({ from, to, open, high, low, close, isCut }: SeenPrice, { inside, by }: EntryCounts): void => {
    const opened = isCut ? states : moves.price(states, open, true)
    if (from >= momentFrom && !isCut) moves.leave(opened, open, open)
    const [mayExit, mayLeave] = [to > exitFrom, to > momentFrom]
    const mayEnter = opened.some(({ entered, split }) => !split && entered < inside)
    let entered: readonly ExitState[] = []
    if (isCut || mayExit || mayLeave || mayEnter) {
      const range = (some: readonly ExitState[]): readonly ExitState[] => moves.range(some, { high, low }, false, anyPrice)
      let within = range(opened)
      // The first target may be filled before an entry of this bar, which then is not made.
      entered = range(opened.filter((state) => !state.split && state.entered < by)).filter(({ split }) => split)
      for (let step = within; ; ) {
        step = range(enterNext(step.filter((state) => !state.split && state.entered < inside), anyPrice))
        if (step.length === 0) break
        entered = moves.merge(entered, step)
        within = moves.merge(within, step)
      }
      if (mayExit) exitReally(within, anyPrice)
      if (mayLeave) moves.leave(within, low, high)
      if (isCut) entered = within
    }
    if (exit !== null && exit.at + tolerance < to) {
      states = []
      return
    }
    const whole = isCut ? [] : moves.range(surelyEntered(opened, by), { high, low }, true, anyPrice)
    const rest = moves.merge(whole, entered)
    states = isCut ? rest : moves.price(rest, close, anyPrice)
  }

  return {
    /** Takes the next prices; false once the trade has ended. */
    see: (seen: SeenPrice, place: EntryCounts): boolean => {
      const { from, to, high, low } = seen
      if (states.length === 0) return false
      if (closes !== null) {
        // Until the last entry has surely happened, the newest print may be the entry's own.
        const entered = place.before === all ? seen.close : (lastEntry?.price ?? 0)
        newest = { least: Math.min(seen.close, entered), most: Math.max(seen.close, entered) }
      }
      if (closes !== null && to > closes) newest = { least: low, most: high }
      if (calm !== null && low > calm.above && high < calm.below && to <= until && !seen.isCut) return true
      states = enterSurely(states, place.before, true)
      if (exit !== null && exit.at + tolerance < from) {
        exitReally(states, true)
        states = []
        return false
      }
      states = withEntries(states, place.early, true)
      if (from >= exitFrom) exitReally(states, true)
      if (moment !== null && from >= moment + tolerance && !seen.isCut) {
        moves.leave(moves.price(states, seen.open, true), seen.open, seen.open)
        states = []
        return false
      }
      if (seen.isPrint) {
        states = moves.price(states, seen.open, true)
        if (to > momentFrom) moves.leave(states, seen.open, seen.open)
      } else seeBar(seen, place)
      calm = place.before === all ? moves.calm(states) : null
      return states.length > 0
    },
    /** Between which prices nothing happens next. */
    quiet: (): Quiet | null | 'ended' => (states.length === 0 ? 'ended' : calm && { ...calm, until }),
    /** The result if the rest of the prices is unknown. */
    unknown: (): WhatIf | null => (states.length === 0 ? ends : null),
    /** The result after all prices. */
    end: (): WhatIf | null => {
      if (exit === null && closes === null && states.length > 0) return null
      exitReally(states, true)
      if (closes !== null) moves.leave(enterSurely(states, all, true), newest.least, newest.most)
      states = []
      return ends
    },
  }
}
