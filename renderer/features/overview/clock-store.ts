import { useSession } from '#renderer/lib/session.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Which clock weekdays and hours go by, and which moment of a trade. */
export type StatisticsClock = {
  /** An IANA name; null is the profile's zone. */
  readonly zone: string | null
  readonly timedBy: 'entry' | 'exit'
}

// Remembered in this browser; the profile's zone and entries until the first choice.
const useClockStore = create<StatisticsClock & { readonly choose: (clock: Partial<StatisticsClock>) => void }>()(
  persist(
    (set) => ({
      zone: null,
      timedBy: 'entry',
      choose: (clock) => { set(clock) },
    }),
    { name: 'fillbook-statistics-clock', partialize: ({ zone, timedBy }) => ({ zone, timedBy }) },
  ),
)

/** The clock of the filter where it has conditions on times, so that each line of a breakdown counts what the filter lets through; otherwise the one that the user chose last. */
export const useStatisticsClock = (): StatisticsClock & { readonly choose: (clock: Partial<StatisticsClock>) => void } => {
  const { zone, timedBy, choose } = useClockStore()
  const { filter, change } = useTradeFilter()
  const ofProfile = useSession().session?.timeZone ?? 'UTC'
  const local = filter.weekdays.length + filter.hours.length > 0
  const timed = local || filter.sessions.length > 0
  return {
    zone: local ? filter.zone : zone,
    timedBy: timed ? filter.timedBy : timedBy,
    choose: (clock) => {
      choose(clock)
      if (timed) change({ ...(clock.timedBy === undefined ? {} : { timedBy: clock.timedBy }), ...(clock.zone === undefined ? {} : { zone: clock.zone ?? ofProfile }) })
    },
  }
}
