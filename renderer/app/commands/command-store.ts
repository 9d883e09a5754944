import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type Shown = 'palette' | 'shortcuts'

/** Which of the two dialogs of commands is shown, and what was typed while the palette was being fetched. */
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

/** What a user chose last, the newest first, by the commands' ids; another user's is forgotten. */
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

// What is remembered names trades and accounts.
forgetForOthers(({ userId, first }) => {
  if (!first || useRecent.getState().userId !== userId) useRecent.setState({ userId, ids: [] })
})
