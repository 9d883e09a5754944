import { apiQuery } from '#renderer/lib/api.ts'
import { rulesQuery } from '#renderer/lib/rules.ts'
import { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import type { TradeChart } from '#shared/api/prices.ts'
import type { ReplayTape } from '#shared/prices/replay-tape.ts'
import { createReplayLimits, type LimitsAt } from '#shared/rules/replay-limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { dayPathOf } from './chart-fills.ts'

// A frame has time for so many.
const stepsAtOnce = 20_000

/** What a replay says of limits: `none` where the account has none, `brokers` where only its broker set some, whose past is not known, `apart` outside of the session of the last fill; null until it is known. */
export type ReplayLimitsShown = { readonly limits: LimitsAt | 'none' | 'brokers' | 'apart'; readonly differs: boolean } | null

/** The limits of a trade's account at a step of its replay, of which `length` steps are loaded. */
export const useReplayLimits = ({ id, account, facts, tape, length, step }: { id: string; account: string; facts: TradeChart; tape: ReplayTape | null; length: number; step: number }): ReplayLimitsShown => {
  const { data } = useQuery({ ...apiQuery(chartLimitRoutes.chartLimits, { query: { id } }), staleTime: 0 })
  const given = data?.limits
  const { data: rules, isPending } = useQuery({ ...rulesQuery, enabled: given === null })
  const byBroker = rules?.standings.find((standing) => standing.account === account)?.states?.some(({ rule, by }) => by === 'broker' && (rule === 'max-loss' || rule === 'daily-loss')) ?? false
  const meter = useMemo(() => (given === undefined || given === null || tape === null ? null : createReplayLimits(given, dayPathOf(facts), facts.tickValue)), [given, facts, tape])
  const [noted, setNoted] = useState(0)
  useEffect(() => {
    if (meter === null || tape === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = (): void => {
      const end = Math.min(length, meter.length + stepsAtOnce)
      while (meter.length < end) {
        const { at, price } = tape.priceOf(meter.length)
        meter.note(at, price)
      }
      setNoted(meter.length)
      if (meter.length < length) timer = setTimeout(next)
    }
    next()
    return () => { clearTimeout(timer) }
  }, [meter, tape, length])
  return useMemo(() => {
    if (given === undefined || tape === null) return null
    if (given === null) return isPending ? null : { limits: byBroker ? 'brokers' : 'none', differs: false }
    if (meter === null || noted <= step) return null
    const { at, price } = tape.priceOf(step)
    return { limits: meter.at(step, at, price) ?? 'apart', differs: given.differs }
  }, [given, isPending, byBroker, meter, tape, noted, step])
}
