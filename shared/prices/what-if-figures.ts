import { leastToBelieve, type Verdict, type WhatIfPart, type WhatIfVariant } from '#shared/api/what-if.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { addAmounts, exactMoney, zero, type Amount } from '#shared/money/money.ts'
import { level } from '#shared/stats/findings/evidence.ts'
import { intervalAbout, resampleDays, type Resampled } from '#shared/stats/findings/interval.ts'
import { resamplesFor } from '#shared/stats/findings/side-by-side.ts'

/** A trade's net P&L, and the bounds of its net P&L under each rule: null if the prices do not show it, `no-risk` if the rule is in R and the risk is unknown. */
export type TriedResult = { readonly tradingDay: string; readonly tags: readonly string[]; readonly net: Amount; readonly would: readonly (TriedNet | null | 'no-risk')[] }
export type TriedNet = { readonly least: Amount; readonly most: Amount }

/** With more variants, an edge cannot be distinguished from luck: an interval would need more resamples than there is time for. */
const mostTried = 500
const mostTags = 30

type Sums = { trades: number; was: Amount; least: Amount; most: Amount; better: number; worse: number; same: number }
const nothing = (): Sums => ({ trades: 0, was: zero, least: zero, most: zero, better: 0, worse: 0, same: 0 })

const take = (sums: Sums, net: Amount, { least, most }: TriedNet): void => {
  sums.trades += 1
  sums.was = addAmounts(sums.was, net)
  sums.least = addAmounts(sums.least, least)
  sums.most = addAmounts(sums.most, most)
  if (least > net) sums.better += 1
  else if (most < net) sums.worse += 1
  else if (least === most) sums.same += 1
}

const partOf = ({ trades, was, least, most, better, worse, same }: Sums): WhatIfPart => {
  const money = (from: Amount, less: number): string => exactMoney((from - less) as Amount)
  return { trades, was: exactMoney(was), would: { least: exactMoney(least), most: exactMoney(most) }, gain: { least: money(least, was), most: money(most, was) }, better, worse, same, unclear: trades - better - worse - same }
}

/** The first day of the later half of the days; null without two days. */
const heldFromOf = (days: readonly string[]): string | null => days[Math.ceil(days.length / 2)] ?? null

/**
 * The result of each rule on trades in one currency. A gain or loss is tested on resampled days, like the sides of a
 * comparison, with the level shared among all variants tried so far. A gain counts by its lower bound and a loss by its
 * upper one, so that what prices leave open is no evidence.
 */
export const variantsOf = (results: readonly TriedResult[], rules: number, variantsTried: number): { readonly heldFrom: string | null; readonly variants: readonly WhatIfVariant[] } => {
  const days = [...new Set(results.map(({ tradingDay }) => tradingDay))].sort()
  const heldFrom = heldFromOf(days)
  const placeOfDay = new Map(days.map((day, place) => [day, place]))
  const resampled = days.length < leastToBelieve.days || variantsTried > mostTried ? null : resampleDays({ days }, resamplesFor(variantsTried))
  const variants = Array.from({ length: rules }, (_, rule): WhatIfVariant => {
    const [all, tried, held] = [nothing(), nothing(), nothing()]
    const tags = new Map<string, Sums>()
    const byDay = { least: new Float64Array(days.length), most: new Float64Array(days.length) }
    let [notKnown, noRisk] = [0, 0]
    for (const { tradingDay, net, would, tags: own } of results) {
      const found = would[rule] ?? null
      if (found === null) notKnown += 1
      if (found === 'no-risk') noRisk += 1
      if (found === null || found === 'no-risk') continue
      take(all, net, found)
      take(heldFrom !== null && tradingDay >= heldFrom ? held : tried, net, found)
      for (const tag of own) take(getOrInsert(tags, tag, nothing), net, found)
      const place = placeOfDay.get(tradingDay) ?? 0
      byDay.least[place] = (byDay.least[place] ?? 0) + found.least - net
      byDay.most[place] = (byDay.most[place] ?? 0) + found.most - net
    }
    const inOrder = [...tags].toSorted(([one, some], [other, others]) => others.trades - some.trades || (one < other ? -1 : 1)).slice(0, mostTags)
    return { all: partOf(all), tried: partOf(tried), held: partOf(held), notKnown, noRisk, verdict: verdictOf(all, held, byDay, resampled, variantsTried), tags: inOrder.map(([tag, sums]) => ({ tag, ...partOf(sums) })) }
  })
  return { heldFrom, variants }
}

const verdictOf = (all: Sums, held: Sums, byDay: { readonly least: Float64Array; readonly most: Float64Array }, resampled: Resampled | null, variantsTried: number): Verdict => {
  const changed = byDay.least.reduce((count, gain, day) => count + (gain !== 0 || byDay.most[day] !== 0 ? 1 : 0), 0)
  if (all.trades < leastToBelieve.trades || changed < leastToBelieve.days) return 'too-little'
  if (resampled === null) return variantsTried > mostTried ? 'too-many' : 'too-little'
  const [gain, loss] = [asked(byDay.least, resampled, variantsTried), asked(byDay.most, resampled, variantsTried)]
  const [heldGain, heldLoss] = [held.least - held.was, held.most - held.was]
  if (gain.value > 0 && gain.low > 0) return heldGain > 0 ? 'gain' : 'not-held'
  if (loss.value < 0 && loss.high < 0) return heldLoss < 0 ? 'loss' : 'not-held'
  return (gain.value > 0 && gain.otherSide <= level) || (loss.value < 0 && loss.otherSide <= level) ? 'possible' : 'none'
}

const asked = (byDay: Float64Array, resampled: Resampled, variantsTried: number) => {
  const value = byDay.reduce((sum, gain) => sum + gain, 0)
  const none = new Float64Array(byDay.length)
  return intervalAbout(value, Math.sign(value), { own: byDay, owned: null, other: none, others: none, count: 0, informativeDays: byDay.filter((gain) => gain !== 0).length }, resampled, level / variantsTried)
}
