import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'

type Shown = 'palette' | 'shortcuts'

/** Which of the two dialogs of commands is shown. */
export const useCommandStore = create<{ readonly shown: Shown | null; readonly show: (shown: Shown | null) => void }>()((set) => ({
  shown: null,
  show: (shown) => {
    set({ shown })
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
