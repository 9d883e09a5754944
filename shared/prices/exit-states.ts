import type { TickRule } from './exit-rule.ts'

/** A possible state of a trade under a rule: how many entries were filled, whether the first target was, whether the stop is at break-even, and between which prices the best so far lies. */
export type ExitState = { readonly entered: number; readonly split: boolean; readonly armed: boolean; readonly bestLeast: number; readonly bestMost: number }

/** The trade after some of its entries: contracts, what they cost in ticks, and the levels of the rule. Without a level it is infinitely far. */
type Levels = { readonly qty: number; readonly cost: number; readonly stop: number; readonly even: number; readonly arm: number; readonly target: number; readonly first: number; readonly firstQty: number }

/** An end of the trade: contracts entered, and between which sums of ticks × contracts its gross result lies. */
export type ExitEnd = { readonly contracts: number; readonly least: number; readonly most: number }

/** An entry; its price is written from the trade's side: a short's is negated, so that up is in favor. */
export type SidedEntry = { readonly qty: number; readonly price: number }

/** Prices of a bar, or of a print, written from the trade's side. */
export type SidedBar = { readonly open: number; readonly high: number; readonly low: number; readonly close: number }

/**
 * All prices are written as for a long. States that differ in their best price alone are merged, so that lists stay short
 * however many paths there are; the merged bounds contain the truth.
 */
export const exitMoves = (entries: readonly SidedEntry[], rule: TickRule, slippage: number, ended: (end: ExitEnd) => void) => {
  const levels = levelsOf(entries, rule)
  const { trail } = rule
  const levelsAt = (state: ExitState): Levels => levels[state.entered] ?? none
  const stopAt = (of: Levels, armed: boolean, best: number): number => Math.max(of.stop, armed ? of.even : -Infinity, trail === null ? -Infinity : best - trail)

  /** Ends the trade by an exit of all open contracts between two prices, each a sum over `qty` contracts. */
  const leave = (of: Levels, split: boolean, least: number, most: number, qty = 1): void => {
    const open = of.qty - (split ? of.firstQty : 0)
    const booked = (split ? of.firstQty * of.first : 0) - of.cost
    ended({ contracts: of.qty, least: booked + Math.floor((open * least) / qty), most: booked + Math.ceil((open * most) / qty) })
  }

  /** A print. With `jumps`, a stop fills at the print, otherwise at its own price. */
  const seePrice = (into: ExitState[], state: ExitState, price: number, jumps: boolean): void => {
    if (state.entered === 0) return put(into, state)
    const of = levelsAt(state)
    const [stopLeast, stopMost] = [stopAt(of, state.armed, state.bestLeast), stopAt(of, state.armed, state.bestMost)]
    if (price <= stopMost) leave(of, state.split, (jumps ? price : Math.max(price, stopLeast)) - slippage, (jumps ? price : stopMost) - slippage)
    if (price <= stopLeast) return
    const splits = !state.split && price >= of.first
    // A target that is only touched may be filled.
    if (price >= of.target) leave(of, state.split || splits, of.target, of.target)
    if (price > of.target) return
    const armed = state.armed || price >= of.arm
    const [bestLeast, bestMost] = [Math.max(state.bestLeast, price), Math.max(state.bestMost, price)]
    if (splits) put(into, { ...state, split: true, armed, bestLeast, bestMost })
    if (!splits || price === of.first) put(into, armed === state.armed && bestLeast === state.bestLeast && bestMost === state.bestMost ? state : { ...state, armed, bestLeast, bestMost })
  }

  /** Prices between two extremes, in any order; `sure`: both extremes were reached. */
  const seeRange = (into: ExitState[], state: ExitState, { high, low }: Pick<SidedBar, 'high' | 'low'>, sure: boolean, anyPrice: boolean): void => {
    if (state.entered === 0) return put(into, state)
    const of = levelsAt(state)
    const stop = stopAt(of, state.armed, state.bestLeast)
    const canSplit = !state.split && high >= of.first
    const canArm = !state.armed && high >= of.arm
    const best = Math.max(state.bestMost, high)
    const top = Math.min(stopAt(of, state.armed || canArm, best), high)
    if (low <= top) {
      const least = anyPrice ? low : Math.max(low, stop)
      leave(of, state.split, least - slippage, top - slippage)
      if (canSplit) leave(of, true, least - slippage, top - slippage)
    }
    if (high >= of.target) leave(of, state.split || canSplit, of.target, of.target)
    if (sure && (low <= stop || high > of.target)) return
    const bestLeast = sure ? Math.max(state.bestLeast, high) : state.bestLeast
    for (const split of [false, true]) {
      if (split ? !state.split && !canSplit : state.split || (sure && high > of.first)) continue
      for (const armed of [false, true]) {
        if (armed ? !state.armed && !canArm : state.armed || (sure && canArm)) continue
        put(into, { entered: state.entered, split, armed, bestLeast, bestMost: best })
      }
    }
  }

  /** Fills the next entry. Its own print counts for the position before it; after the rule's first exit there are no entries. */
  const enter = (into: ExitState[], state: ExitState, jumps: boolean): void => {
    const price = entries[state.entered]?.price
    if (state.split || price === undefined) return
    const seen: ExitState[] = []
    seePrice(seen, state, price, jumps)
    for (const each of seen) {
      if (each.split) put(into, each)
      // More contracts may have a first target where fewer had none: if the entry's print passed it, it is filled with it.
      else seePrice(into, { ...each, entered: each.entered + 1, bestLeast: Math.max(each.bestLeast, price), bestMost: Math.max(each.bestMost, price) }, price, jumps)
    }
  }

  return {
    start: [{ entered: 0, split: false, armed: false, bestLeast: -Infinity, bestMost: -Infinity }] as readonly ExitState[],
    price: (states: readonly ExitState[], price: number, jumps: boolean): ExitState[] => over(states, (into, state) => { seePrice(into, state, price, jumps) }),
    range: (states: readonly ExitState[], bar: Pick<SidedBar, 'high' | 'low'>, sure: boolean, anyPrice: boolean): ExitState[] => over(states, (into, state) => { seeRange(into, state, bar, sure, anyPrice) }),
    enter: (states: readonly ExitState[], jumps: boolean): ExitState[] => over(states, (into, state) => { enter(into, state, jumps) }),
    /** All that is open leaves between two prices, below its target. */
    leave: (states: readonly ExitState[], least: number, most: number): void => {
      for (const state of states) if (state.entered > 0) leave(levelsAt(state), state.split, least - slippage, most - slippage)
    },
    /** All that is open leaves at the average price of an exit. */
    leaveAsReally: (states: readonly ExitState[], { qty, proceeds }: { readonly qty: number; readonly proceeds: number }): void => {
      for (const state of states) if (state.entered > 0) leave(levelsAt(state), state.split, proceeds, proceeds, qty)
    },
    /** Between which prices nothing happens to any of the states. */
    calm: (states: readonly ExitState[]): { readonly above: number; readonly below: number } => {
      let [above, below] = [-Infinity, Infinity]
      for (const state of states) {
        const of = levelsAt(state)
        above = Math.max(above, stopAt(of, state.armed, state.bestMost))
        below = Math.min(below, of.target, state.split ? Infinity : of.first, state.armed ? Infinity : of.arm, trail === null ? Infinity : state.bestLeast + 1)
      }
      return { above, below }
    },
    merge: (states: readonly ExitState[], more: readonly ExitState[]): ExitState[] => over([...states, ...more], put),
  }
}

const none: Levels = { qty: 0, cost: 0, stop: -Infinity, even: -Infinity, arm: Infinity, target: Infinity, first: Infinity, firstQty: 0 }

/** Levels are whole ticks: stops are rounded away from the entry, and so are targets. */
const levelsOf = (entries: readonly SidedEntry[], { stop, target, breakEven, first }: TickRule): readonly Levels[] => {
  const all: Levels[] = [none]
  let [qty, cost] = [0, 0]
  for (const entry of entries) {
    qty += entry.qty
    cost += entry.qty * entry.price
    const [under, over] = [Math.floor(cost / qty), Math.ceil(cost / qty)]
    const firstQty = first === null ? 0 : Math.floor((qty * first.percent) / 100)
    // A first target at or beyond the target does not count.
    const splits = first !== null && firstQty > 0 && firstQty < qty && (target === null || first.at < target)
    all.push({
      qty,
      cost,
      stop: stop === null ? -Infinity : under - stop,
      even: under,
      arm: breakEven === null ? Infinity : over + breakEven,
      target: target === null ? Infinity : over + target,
      first: splits ? over + first.at : Infinity,
      firstQty: splits ? firstQty : 0,
    })
  }
  return all
}

const over = (states: readonly ExitState[], each: (into: ExitState[], state: ExitState) => void): ExitState[] => {
  const into: ExitState[] = []
  for (const state of states) each(into, state)
  return into
}

/** Adds a state, as one with those that differ from it by their best price alone. */
const put = (into: ExitState[], state: ExitState): void => {
  const place = into.findIndex(({ entered, split, armed }) => entered === state.entered && split === state.split && armed === state.armed)
  const same = into[place]
  if (same === undefined) into.push(state)
  else if (same !== state) into[place] = { ...same, bestLeast: Math.min(same.bestLeast, state.bestLeast), bestMost: Math.max(same.bestMost, state.bestMost) }
}
