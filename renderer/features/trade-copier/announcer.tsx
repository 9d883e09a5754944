import type { CopierLive, CopyGroup, LiveFollower, LiveGroup } from '#shared/api/copier.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { statusOf, type FollowerStatus } from './follower-status.ts'
import { useAccountNames } from './use-account-names.ts'

const mostAnnounced = 3

/** Politely announces changed states to screen readers; many at once are announced as a number. */
export const Announcer = ({ groups, live }: { groups: readonly CopyGroup[]; live: CopierLive }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const [words, setWords] = useState('')
  const known = useRef(live)

  const groupName = (id: string): string => groups.find((group) => group.id === id)?.name ?? ''
  const sentence = (announced: Announcement): string => {
    switch (announced.kind) {
      case 'group':
        return t('says', { name: groupName(announced.groupId), state: t(`group-state.${announced.state}`) })
      case 'blocked':
        return t('says-why', { name: groupName(announced.groupId), why: t(`blocked.${announced.blocked}`) })
      case 'follower':
        return t('says', { name: nameOf(announced.account), state: t(`standing.${announced.status}`) })
    }
  }
  const announce = useEffectEvent((next: CopierLive) => {
    const announced = announcementsOf(known.current, next)
    known.current = next
    if (announced.length === 0) return
    setWords(announced.length > mostAnnounced ? t('says-many', { count: announced.length }) : announced.map(sentence).join(' '))
  })
  useEffect(() => {
    announce(live)
  }, [live])

  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}

/** A change of state worth announcing to a user who does not look at the screen. */
type Announcement =
  | { readonly kind: 'group'; readonly groupId: string; readonly state: LiveGroup['state'] }
  | { readonly kind: 'blocked'; readonly groupId: string; readonly blocked: NonNullable<LiveGroup['blocked']> }
  | { readonly kind: 'follower'; readonly account: string; readonly status: FollowerStatus }

// A momentary activity is not announced, and neither is its end.
const announcedStanding = (follower: LiveFollower): FollowerStatus => {
  const status = statusOf(follower)
  return status === 'pending' ? 'in-sync' : status
}

// Nor is opening a connection.
const blockedOf = ({ blocked, leaderLine }: LiveGroup): LiveGroup['blocked'] => (blocked === 'leader-down' && leaderLine === 'connecting' ? null : blocked)

/** What changed between two states, groups first; followers are left out if their group as a whole was armed or disarmed. */
export const announcementsOf = (before: CopierLive, after: CopierLive): Announcement[] =>
  after.groups.flatMap((group): Announcement[] => {
    const old = before.groups.find(({ id }) => id === group.id)
    if (old === undefined) return []
    const blocked = blockedOf(group)
    const turned = (old.state === 'off') !== (group.state === 'off')
    return [
      ...(old.state === group.state ? [] : [{ kind: 'group', groupId: group.id, state: group.state } as const]),
      ...(blocked === null || blocked === blockedOf(old) ? [] : [{ kind: 'blocked', groupId: group.id, blocked } as const]),
      ...(turned ? [] : changedFollowers(old.followers, group.followers)),
    ]
  })

const changedFollowers = (before: readonly LiveFollower[], after: readonly LiveFollower[]): Announcement[] => {
  const known = new Map(before.map((follower) => [follower.account, announcedStanding(follower)]))
  return after.flatMap((follower): Announcement[] => {
    const old = known.get(follower.account)
    const status = announcedStanding(follower)
    return old === undefined || old === status ? [] : [{ kind: 'follower', account: follower.account, status }]
  })
}
