import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announcementsOf, type Announcement } from './announcements.ts'
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
        return t('says', { name: nameOf(announced.account), state: t(`standing.${announced.standing}`) })
    }
  }
  const tell = useEffectEvent((next: CopierLive) => {
    const announced = announcementsOf(known.current, next)
    known.current = next
    if (announced.length === 0) return
    setWords(announced.length > mostAnnounced ? t('says-many', { count: announced.length }) : announced.map(sentence).join(' '))
  })
  useEffect(() => {
    tell(live)
  }, [live])

  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}
