import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import { accountKeyText, type CopyGroup } from '#shared/api/copier.ts'

/** An account that a group may take, and the other group that has it already where one does. */
export type Candidate = { readonly account: ConnectedAccount; readonly takenBy: { readonly as: 'leader' | 'follower'; readonly group: string } | null }

/** The accounts that this computer can trade, each with the group other than `edited` that leads or follows with it. */
export const candidatesOf = (accounts: readonly ConnectedAccount[], groups: readonly CopyGroup[], edited: string | null): Candidate[] => {
  const others = groups.filter(({ id }) => id !== edited)
  const takenBy = (key: string): Candidate['takenBy'] => {
    const leads = others.find(({ leader }) => leader === key)
    if (leads !== undefined) return { as: 'leader', group: leads.name }
    const follows = others.find(({ followers }) => followers.some(({ account }) => account === key))
    return follows === undefined ? null : { as: 'follower', group: follows.name }
  }
  return accounts.filter(({ id, loginId }) => loginId !== '' && accountKeyText.safeParse(id).success).map((account) => ({ account, takenBy: takenBy(account.id) }))
}

/** Whether a group's leader can be this account: one that leads another group may, one that follows may not. */
export const mayLead = ({ takenBy }: Candidate): boolean => takenBy?.as !== 'follower'
