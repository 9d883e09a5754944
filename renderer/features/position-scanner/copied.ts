import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'

/** An account's role in a group that is copying for real now. */
export type CopierRole = { readonly role: 'leader' | 'follower'; readonly group: string; readonly followers: number }

/** An account's roles in the groups that are armed or paused: those that are off or dry runs do not matter for a manual close. */
export const copierRoles = (account: string, groups: readonly CopyGroup[], live: CopierLive): CopierRole[] =>
  groups.flatMap((group): CopierRole[] => {
    const state = live.groups.find(({ id }) => id === group.id)
    if (state === undefined || state.state === 'off' || state.dryRun) return []
    const followers = group.followers.filter(({ on }) => on)
    if (group.leader === account) return [{ role: 'leader', group: group.name, followers: followers.length }]
    return followers.some((follower) => follower.account === account) ? [{ role: 'follower', group: group.name, followers: followers.length }] : []
  })
