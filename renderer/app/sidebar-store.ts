import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type Sidebar = {
  readonly minimised: boolean
  /** The same where the window leaves little room for it, as where a page is magnified. */
  readonly minimisedWhereTight: boolean
  readonly toggle: (tight: boolean) => void
}

/** Whether the sidebar is minimised; expanded until the user says otherwise, and remembered. In a tight window it begins minimised each time. */
export const useSidebar = create<Sidebar>()(
  persist(
    (set) => ({
      minimised: false,
      minimisedWhereTight: true,
      toggle: (tight) => {
        set((was) => (tight ? { minimisedWhereTight: !was.minimisedWhereTight } : { minimised: !was.minimised }))
      },
    }),
    { name: 'fillbook-sidebar', partialize: ({ minimised }) => ({ minimised }) },
  ),
)
