import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Whether the sidebar is minimised; expanded until the user says otherwise, and remembered. */
export const useSidebar = create<{ readonly minimised: boolean; readonly toggle: () => void }>()(
  persist(
    (set) => ({
      minimised: false,
      toggle: () => {
        set(({ minimised }) => ({ minimised: !minimised }))
      },
    }),
    { name: 'fillbook-sidebar', partialize: ({ minimised }) => ({ minimised }) },
  ),
)
