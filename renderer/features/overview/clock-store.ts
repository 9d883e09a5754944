import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** By which clock weekdays and hours are told, and of which moment of a trade. */
export type StatisticsClock = {
  /** An IANA name; null is the profile's zone. */
  readonly zone: string | null
  readonly timedBy: 'entry' | 'exit'
}

/** The clock that the user chose, remembered in this browser; the profile's zone and entries until then. */
export const useStatisticsClock = create<StatisticsClock & { readonly choose: (clock: Partial<StatisticsClock>) => void }>()(
  persist(
    (set) => ({
      zone: null,
      timedBy: 'entry',
      choose: (clock) => { set(clock) },
    }),
    { name: 'fillbook-statistics-clock', partialize: ({ zone, timedBy }) => ({ zone, timedBy }) },
  ),
)
