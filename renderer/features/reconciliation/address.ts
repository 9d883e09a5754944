import { calendarDay } from '#shared/api/fields.ts'
import { useSearch } from '#renderer/lib/use-search.ts'
import { withFilter } from '#renderer/lib/trade-filter.ts'
import { dayState, type DayState } from '#shared/api/reconciliation.ts'
import { everyTrade, readFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { useMemo } from 'react'

/** The selected days. */
export type SelectedDays = Pick<TradeFilter, 'from' | 'to' | 'accounts'>

/** The open day of an account. */
export type OpenDay = { readonly account: string; readonly day: string }

/** What the address says: the selected days, their state, and the open day. Opening a day adds a history entry. */
export const useReconciliationAddress = () => {
  const [params, setParams] = useSearch()
  const selected = useMemo((): SelectedDays => {
    const { from, to, accounts } = readFilter(params)
    return { from, to, accounts }
  }, [params])
  const day = calendarDay.safeParse(params.get('day')).data ?? null
  const state = dayState.safeParse(params.get('state')).data ?? null
  const open: OpenDay | null = day === null ? null : { account: params.get('of') ?? '', day }
  const change = (part: Partial<SelectedDays>): void => {
    setParams((now) => {
      const { from, to, accounts } = readFilter(now)
      return withFilter(now, { ...everyTrade, from, to, accounts, ...part })
    })
  }
  const showState = (next: DayState | null): void => {
    setParams((now) => withState(now, next), { replace: true })
  }
  const show = (next: OpenDay | null): void => {
    setParams((now) => {
      const rest = [...now].filter(([name]) => name !== 'day' && name !== 'of')
      return new URLSearchParams(next === null ? rest : [...rest, ['day', next.day], ['of', next.account]])
    })
  }
  return { selected, change, state, showState, open, show }
}

/** The address of days of one state, or of all; keeps its other parameters. */
export const withState = (params: URLSearchParams, state: DayState | null): URLSearchParams =>
  new URLSearchParams([...[...params].filter(([name]) => name !== 'state'), ...(state === null ? [] : [['state', state]])])
