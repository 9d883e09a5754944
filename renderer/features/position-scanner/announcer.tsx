import type { LivePositionAccount } from '#shared/api/positions.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const mostSaid = 3

/** Tells a screen reader politely which accounts are no longer reached, and which are again; many at once are told by their number. */
export const Announcer = ({ accounts }: { accounts: readonly LivePositionAccount[] }) => {
  const { t } = useTranslation('position-scanner')
  const [words, setWords] = useState('')
  const known = useRef(new Map<string, LivePositionAccount['line']>())
  const tell = useEffectEvent((next: readonly LivePositionAccount[]) => {
    const turned = next.filter(({ account, line }) => {
      const before = known.current.get(account)
      // That a line is being opened is no news.
      return before !== undefined && line !== 'connecting' && (before === 'up') !== (line === 'up')
    })
    for (const { account, line } of next) if (line !== 'connecting' || !known.current.has(account)) known.current.set(account, line)
    if (turned.length === 0) return
    setWords(turned.length > mostSaid ? t('says-many', { count: turned.length }) : turned.map(({ name, line }) => t(line === 'up' ? 'says-up' : 'says-down', { account: name })).join(' '))
  })
  useEffect(() => {
    tell(accounts)
  }, [accounts])
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}
