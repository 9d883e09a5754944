import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Whether the line that leads to setting rules was put away in this browser. */
export const useHealthOffer = create<{ readonly dismissed: boolean; readonly dismiss: () => void }>()(
  persist((set) => ({ dismissed: false, dismiss: () => { set({ dismissed: true }) } }), { name: 'fillbook-rules-offer', partialize: ({ dismissed }) => ({ dismissed }) }),
)
