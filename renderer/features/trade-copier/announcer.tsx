import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { announcementsOf, type Announcement } from './announcements.ts'
import { useAccountNames } from './use-account-names.ts'

const mostSaid = 3

/** Tells a screen reader politely what changed its state; many changes at once are told by their number. */
export const Announcer = ({ groups, live }: { groups: readonly CopyGroup[]; live: CopierLive }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const [words, setWords] = useState('')
  const known = useRef(live)

  const groupName = (id: string): string => groups.find((group) => group.id === id)?.name ?? ''
  const sentence = (told: Announcement): string => {
    switch (told.kind) {
      case 'group':
        return t('says', { name: groupName(told.groupId), state: t(`group-state.${told.state}`) })
      case 'blocked':
        return t('says-why', { name: groupName(told.groupId), why: t(`blocked.${told.blocked}`) })
      case 'follower':
        return t('says', { name: nameOf(told.account), state: t(`standing.${told.standing}`) })
    }
  }
  const tell = useEffectEvent((next: CopierLive) => {
    const told = announcementsOf(known.current, next)
    known.current = next
    if (told.length === 0) return
    setWords(told.length > mostSaid ? t('says-many', { count: told.length }) : told.map(sentence).join(' '))
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
