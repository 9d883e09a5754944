import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'

/** What an account is in a group that copies for real at the moment. */
export type CopierRole = { readonly role: 'leader' | 'follower'; readonly group: string; readonly followers: number }

/** The roles of an account in the groups that are armed or paused: those that are off or send nothing do not matter to who closes by hand. */
export const copierRoles = (account: string, groups: readonly CopyGroup[], live: CopierLive): CopierRole[] =>
  groups.flatMap((group): CopierRole[] => {
    const state = live.groups.find(({ id }) => id === group.id)
    if (state === undefined || state.state === 'off' || state.dryRun) return []
    const followers = group.followers.filter(({ on }) => on)
    if (group.leader === account) return [{ role: 'leader', group: group.name, followers: followers.length }]
    return followers.some((follower) => follower.account === account) ? [{ role: 'follower', group: group.name, followers: followers.length }] : []
  })
