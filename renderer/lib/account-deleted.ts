import { create } from 'zustand'

/** What the user of a moment ago deletes or has deleted, an account or the demo profile: signing up or in is then where the page goes, and says so. Null where nothing was. */
export const useAccountDeleted = create<{ readonly deleted: 'account' | 'demo' | null }>(() => ({ deleted: null }))

/** Notes that an account or the demo profile is deleted, or that nothing is. */
export const setAccountDeleted = (deleted: 'account' | 'demo' | null): void => {
  useAccountDeleted.setState({ deleted })
}
