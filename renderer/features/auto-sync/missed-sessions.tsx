import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useCloseSession, useMissedSessions, type MissedSession } from '#renderer/lib/use-gaps.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

const shownAtFirst = 3

/** Every session whose fills the journal may lack: its accounts, its hours, and what to do. Shows nothing if none was missed. */
export const MissedSessions = () => {
  const { t } = useTranslation('auto-sync')
  const sessions = useMissedSessions()
  const [all, setAll] = useState(false)
  if (sessions.length === 0) return null
  const shown = all ? sessions : sessions.slice(0, shownAtFirst)
  // Accounts may have missed different stretches of one session.
  const days = new Set(sessions.map(({ tradingDay }) => tradingDay))
  return (
    <Card title={t('gaps.title')} note={t('gaps.count', { count: days.size })} className="shrink-0">
      <div className="flex items-start gap-2 bg-warn-tint px-4 py-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <p className="grow">{t('gaps.text')}</p>
        <Button asChild variant="link" className="shrink-0">
          <Link to={paths.import}>{t('gaps.import')}</Link>
        </Button>
      </div>
      <ul aria-label={t('gaps.title')} className="divide-y divide-hairline">
        {shown.map((session) => (
          <Session key={`${session.tradingDay} ${session.from} ${session.to}`} session={session} />
        ))}
      </ul>
      {shown.length < sessions.length && (
        <div className="border-t border-hairline px-4 py-2">
          <Button variant="link" size="sm" onClick={() => { setAll(true) }}>
            {t('gaps.show-all', { count: sessions.length })}
          </Button>
        </div>
      )}
    </Card>
  )
}

const Session = ({ session }: { session: MissedSession }) => {
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const words = useProblemText()
  const { mutate, isPending } = useCloseSession((failure) => { toast({ title: t('gaps.close-failed'), text: words(failure), tone: 'error' }) })
  const day = format.fullDay(session.tradingDay)
  return (
    <li className="flex items-center gap-4 px-4 py-2">
      <div className="min-w-0 grow">
        <p>
          <span className="font-medium">{t('gaps.session', { day })}</span>
          <span className="ml-2 text-muted">{format.span(session.from, session.to)}</span>
        </p>
        <p className="text-sm break-words text-muted">{session.accounts.map(({ name }) => name).join(', ')}</p>
      </div>
      <Button variant="outline" size="sm" busy={isPending} aria-label={t('gaps.close-of', { day })} onClick={() => { mutate(session) }}>
        {t('gaps.close')}
      </Button>
    </li>
  )
}
