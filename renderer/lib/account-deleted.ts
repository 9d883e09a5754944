import { create } from 'zustand'

/** What the previous user is deleting or has deleted, an account or the demo profile: the page then goes to the sign-up or the sign-in, and says so. Null without a deletion. */
export const useAccountDeleted = create<{ readonly deleted: 'account' | 'demo' | null }>(() => ({ deleted: null }))

/** Notes a deleted account or demo profile; null for none. */
export const setAccountDeleted = (deleted: 'account' | 'demo' | null): void => {
  useAccountDeleted.setState({ deleted })
}
