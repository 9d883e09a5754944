import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { accountKeyText, type CopyGroup } from '#shared/api/copier.ts'

/** An account that a group may take, and the other group that has it already where one does; `foreign` names the platform of one that the copier cannot trade. */
export type Candidate = { readonly account: ConnectedAccount; readonly foreign: string | null; readonly takenBy: { readonly as: 'leader' | 'follower'; readonly group: string } | null }

/** The accounts whose login is on this computer, each with the group other than `edited` that leads or follows with it; those that the copier cannot trade come last. */
export const candidatesOf = (accounts: readonly ConnectedAccount[], groups: readonly CopyGroup[], edited: string | null): Candidate[] => {
  const others = groups.filter(({ id }) => id !== edited)
  const takenBy = (key: string): Candidate['takenBy'] => {
    const leads = others.find(({ leader }) => leader === key)
    if (leads !== undefined) return { as: 'leader', group: leads.name }
    const follows = others.find(({ followers }) => followers.some(({ account }) => account === key))
    return follows === undefined ? null : { as: 'follower', group: follows.name }
  }
  return accounts
    .filter(({ loginId }) => loginId !== '')
    .map((account) => ({ account, foreign: canCopy(account) ? null : platformOf(account.id), takenBy: takenBy(account.id) }))
    .sort((one, other) => Number(one.foreign !== null) - Number(other.foreign !== null))
}

/** Whether the copier can trade an account here: its login is on this computer, and over Tradovate. */
export const canCopy = ({ id, loginId }: Pick<ConnectedAccount, 'id' | 'loginId'>): boolean => loginId !== '' && accountKeyText.safeParse(id).success

/** Whether this account can lead a group: one that leads another group can, one that follows cannot. */
export const mayLead = ({ takenBy, foreign }: Candidate): boolean => foreign === null && takenBy?.as !== 'follower'
