import type { Unit } from '#shared/api/statistics.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** What lists and statistics count on every screen, saved in this browser; trades until the user changes it. A unit in the address wins (`useUnit`). */
export const useUnitStore = create<{ readonly unit: Unit; readonly keep: (unit: Unit) => void }>()(
  persist((set) => ({ unit: 'trades', keep: (unit) => { set({ unit }) } }), {
    name: 'fillbook-unit',
    partialize: ({ unit }) => ({ unit }),
    merge: (stored, now) => ({ ...now, unit: (stored as { readonly unit?: unknown } | undefined)?.unit === 'pairs' ? 'pairs' : 'trades' }),
  }),
)
