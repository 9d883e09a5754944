import { create } from 'zustand'

/** Whether the user of a moment ago deletes the account or has deleted it: signing up is then where the page goes, and says so. */
export const useAccountDeleted = create<{ readonly deleted: boolean }>(() => ({ deleted: false }))

/** Notes that an account is deleted, or that it is not. */
export const setAccountDeleted = (deleted: boolean): void => {
  useAccountDeleted.setState({ deleted })
}
