import { compareImported, keyOf, type ImportedFill } from './assembly.ts'

/** What the platform itself held right after a fill, above zero where long; undefined where it does not say. */
export type NetAfter = (fill: ImportedFill) => number | undefined

/**
 * Fills of one account and contract that share a moment, as those of a grid without seconds do, in the order in which
 * the positions that the platform tells behind each of them follow one another: where ids say it otherwise, each comes a
 * millisecond after the one before it. Where the positions make no such chain the order stays that of the ids.
 */
export const inOrderOfPositions = (fills: readonly ImportedFill[], netAfter: NetAfter): readonly ImportedFill[] => {
  const moved = new Map<ImportedFill, ImportedFill>()
  for (const place of Map.groupBy(fills, ({ account, contract }) => keyOf(account, contract)).values()) {
    let before: number | undefined
    for (const moment of Map.groupBy(place.toSorted(compareImported), ({ time }) => time).values()) {
      const steps = moment.flatMap((fill) => stepOf(fill, netAfter(fill)))
      const chain = steps.length < moment.length ? null : chainOf(steps, before)
      if (chain !== null && chain.some(({ fill }, index) => fill !== moment[index])) for (const [index, { fill }] of chain.entries()) moved.set(fill, { ...fill, time: fill.time + index })
      before = chain?.at(-1)?.to ?? steps.at(-1)?.to
    }
  }
  return moved.size === 0 ? fills : fills.map((fill) => moved.get(fill) ?? fill)
}

/** A fill as a step from one position to the next. */
type Step = { readonly fill: ImportedFill; readonly from: number; readonly to: number }

const stepOf = (fill: ImportedFill, to: number | undefined): readonly Step[] => (to === undefined ? [] : [{ fill, from: to - (fill.side === 'buy' ? fill.qty : -fill.qty), to }])

/** All steps one after the other, each from where the last one led; null where they do not fit together. Of several ways the one whose ids come first. */
const chainOf = (steps: readonly Step[], before: number | undefined): readonly Step[] | null => {
  if (follow(steps)) return steps
  const leaving = Map.groupBy(steps.toReversed(), ({ from }) => from)
  const start = startOf(steps, before)
  // Hierholzer's walk over every step, from its end.
  const chain: Step[] = []
  const under: { readonly at: number; readonly by: Step | null }[] = [{ at: start, by: null }]
  for (let top = under.at(-1); top !== undefined; top = under.at(-1)) {
    const next = leaving.get(top.at)?.pop()
    if (next !== undefined) under.push({ at: next.to, by: next })
    else {
      under.pop()
      if (top.by !== null) chain.push(top.by)
    }
  }
  const ordered = chain.reverse()
  return ordered.length === steps.length && follow(ordered) ? ordered : null
}

const follow = (steps: readonly Step[]): boolean => steps.every(({ from }, index) => index === 0 || steps[index - 1]?.to === from)

/** Where a walk over all steps must begin: where more of them leave than come, else where the last moment ended. */
const startOf = (steps: readonly Step[], before: number | undefined): number => {
  const balance = new Map<number, number>()
  for (const { from, to } of steps) {
    balance.set(from, (balance.get(from) ?? 0) + 1)
    balance.set(to, (balance.get(to) ?? 0) - 1)
  }
  const more = [...balance].find(([, count]) => count > 0)
  if (more !== undefined) return more[0]
  return before !== undefined && balance.has(before) ? before : (steps[0]?.from ?? 0)
}
