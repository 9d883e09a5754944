import { apiQuery } from '#renderer/lib/api.ts'
import { rulesQuery } from '#renderer/lib/rules.ts'
import { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import type { RuleState } from '#shared/api/rules.ts'
import { parseAmount } from '#shared/money/money.ts'
import type { ReplayTape } from '#shared/prices/replay-tape.ts'
import { createReplayLimits, type LimitsAt } from '#shared/rules/replay-limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { dayPathOf } from './chart-fills.ts'

// A frame has time for so many.
const stepsAtOnce = 20_000

/** The limits that a replay shows; null until they are known. */
export type ReplayLimitsShown = {
  /** `none` if the account has none, `apart` outside of the session of the last fill. */
  readonly limits: LimitsAt | 'none' | 'apart'
  readonly differs: boolean
  /** Whether the broker has a drawdown limit, whose past floor nobody knows. */
  readonly unknownFloor: boolean
} | null

/** The broker's own limits of an account, as it states them now. */
const brokersOf = (states: readonly RuleState[]) => {
  const daily = states.find(({ rule }) => rule === 'daily-loss')
  const limit = daily?.by === 'broker' ? daily.limit : (daily?.beside?.limit ?? null)
  const amount = limit === null ? null : parseAmount(limit, 'half-even')
  return { dailyLoss: amount?.ok === true ? amount.value : null, hasFloor: states.some(({ rule, by, beside }) => rule === 'max-loss' && (by === 'broker' || beside !== null)) }
}

/** The limits of a trade's account at a step of its replay, of which `length` steps are loaded. */
export const useReplayLimits = ({ id, account, facts, tape, length, step }: { id: string; account: string; facts: TradeChart; tape: ReplayTape | null; length: number; step: number }): ReplayLimitsShown => {
  const { data } = useQuery({ ...apiQuery(chartLimitRoutes.chartLimits, { query: { id } }), staleTime: 0 })
  const given = data?.limits
  const { data: rules, isPending } = useQuery(rulesQuery)
  const standing = rules?.standings.find((one) => one.account === account)
  const { dailyLoss, hasFloor } = brokersOf(standing?.currency === given?.set.currency ? (standing?.states ?? []) : [])
  const meter = useMemo(() => (given === undefined || given === null || tape === null ? null : createReplayLimits(given, dayPathOf(facts), facts.tickValue, dailyLoss)), [given, facts, tape, dailyLoss])
  const [noted, setNoted] = useState({ meter, count: 0 })
  useEffect(() => {
    if (meter === null || tape === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = (): void => {
      const end = Math.min(length, meter.length + stepsAtOnce)
      while (meter.length < end) {
        const { at, price } = tape.priceOf(meter.length)
        meter.note(at, price)
      }
      setNoted({ meter, count: meter.length })
      if (meter.length < length) timer = setTimeout(next)
    }
    next()
    return () => { clearTimeout(timer) }
  }, [meter, tape, length])
  return useMemo(() => {
    if (given === undefined || tape === null || isPending) return null
    const none = { limits: 'none', differs: false, unknownFloor: false } as const
    if (given === null) return none
    const { maxLoss, dailyLoss: ownDailyLoss } = given.set
    const unknownFloor = hasFloor && maxLoss === null
    if (maxLoss === null && ownDailyLoss === null && dailyLoss === null && !unknownFloor) return none
    if (meter === null || noted.meter !== meter || noted.count <= step) return null
    const { at, price } = tape.priceOf(step)
    return { limits: meter.at(step, at, price) ?? 'apart', differs: given.differs, unknownFloor }
  }, [given, isPending, dailyLoss, hasFloor, meter, tape, noted, step])
}
