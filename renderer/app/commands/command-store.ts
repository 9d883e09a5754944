import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type Shown = 'palette' | 'shortcuts'

/** Which of the two command dialogs is open, and what was typed while the palette was loading. */
export const useCommandStore = create<{ readonly shown: Shown | null; readonly typedAhead: string; readonly show: (shown: Shown | null) => void; readonly typeAhead: (letter: string) => void }>()((set) => ({
  shown: null,
  typedAhead: '',
  show: (shown) => {
    set({ shown, typedAhead: '' })
  },
  typeAhead: (letter) => {
    set(({ typedAhead }) => ({ typedAhead: typedAhead + letter }))
  },
}))

const mostKept = 5

/** The user's recent commands by id, newest first; cleared for another user. */
export const useRecent = create<{ readonly userId: string; readonly ids: readonly string[]; readonly note: (userId: string, id: string) => void }>()(
  persist(
    (set) => ({
      userId: '',
      ids: [],
      note: (userId, id) => {
        set((was) => ({ userId, ids: [id, ...(was.userId === userId ? was.ids : []).filter((one) => one !== id)].slice(0, mostKept) }))
      },
    }),
    { name: 'fillbook-recent', partialize: ({ userId, ids }) => ({ userId, ids }) },
  ),
)

// Recent commands can name trades and accounts.
forgetForOthers(({ userId, first }) => {
  if (!first || useRecent.getState().userId !== userId) useRecent.setState({ userId, ids: [] })
})
