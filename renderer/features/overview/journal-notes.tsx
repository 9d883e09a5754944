import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useMissedSessions } from '#renderer/lib/use-gaps.ts'
import { useSyncState } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

const WarnNote = ({ to, label, children }: { to: string; label: string; children: ReactNode }) => (
  <Notice
    tone="warn"
    className="shrink-0"
    action={
      <Button asChild variant="link" size="sm">
        <Link to={to}>{label}</Link>
      </Button>
    }
  >
    {children}
  </Notice>
)

/** Says quietly that figures may lack a missed session, and leads to what can be done. Nothing shows where none was missed. */
const MissedSessionsNote = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const days = [...new Set(useMissedSessions().map(({ tradingDay }) => tradingDay))]
  const [latest] = days
  if (latest === undefined) return null
  return (
    <WarnNote to={paths.autoSync} label={t('see-missed')}>
      {t('missed', { count: days.length, day: format.fullDay(latest) })}
    </WarnNote>
  )
}

/** Says that the last sync found other positions or fill pairs at the broker, and leads to what can be done. Nothing shows where both agree. */
const DifferencesNote = () => {
  const { t } = useTranslation('overview')
  const contracts = new Set((useSyncState()?.last?.holdings ?? []).map(({ accountId, contract }) => `${accountId} ${contract}`)).size
  if (contracts === 0) return null
  return (
    <WarnNote to={paths.autoSync} label={t('see-missed')}>
      {t('differs', { count: contracts })}
    </WarnNote>
  )
}

/** Asks for the point value of unknown products while fill pairs count it as 1 or by a guess. */
const UncertainProductsNote = () => {
  const { t } = useTranslation('overview')
  const { data } = useQuery(apiQuery(ownDataRoutes.pointValues))
  const open = (data?.products ?? []).filter(({ pairs, pointValue }) => pairs > 0 && pointValue === null)
  if (open.length === 0) return null
  return (
    <WarnNote to={`${paths.settings}?section=points`} label={t('point-values-say')}>
      {t('point-values', { count: open.reduce((sum, { pairs }) => sum + pairs, 0), products: open.map(({ product }) => product).join(', ') })}
    </WarnNote>
  )
}

/** Reminds of a recovery code that was shown and not confirmed as saved, for as long as it is not. */
const RecoveryNote = () => {
  const { t } = useTranslation('overview')
  const { session } = useSession()
  if (session?.recoveryCodeUnsaved !== true) return null
  return (
    <WarnNote to={`${paths.settings}?section=account`} label={t('recovery-show')}>
      {t('recovery-unsaved')}
    </WarnNote>
  )
}

/** Notices above the figures: an unsaved recovery code, accounts that were matched again, unknown products, missed sessions, and differences from the broker's books. */
export const JournalNotes = () => (
  <>
    <RecoveryNote />
    <RematchedNote />
    <UncertainProductsNote />
    <MissedSessionsNote />
    <DifferencesNote />
  </>
)

const { rematched, dismissRematched } = ownDataRoutes

/** Says which accounts came to other figures once positions were matched across midnight, until the user has read it. */
const RematchedNote = () => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const client = useQueryClient()
  const { data } = useQuery(apiQuery(rematched))
  const { mutate, isPending } = useMutation({ mutationFn: () => callApi(dismissRematched), onSettled: () => invalidateRoutes(client, rematched) })
  if (data === undefined || data.accounts.length === 0) return null
  return (
    <Notice
      className="shrink-0"
      action={
        <Button variant="link" size="sm" busy={isPending} onClick={() => { mutate() }}>
          {t('rematched-dismiss')}
        </Button>
      }
    >
      <p>{t('rematched')}</p>
      <ul className="mt-1 text-muted">
        {data.accounts.map(({ name, currency, pairsBefore, netBefore, pairs, net }) => (
          <li key={`${name} ${currency}`}>
            {t('rematched-account', { account: name, before: format.fullMoney(netBefore, currency), now: format.fullMoney(net, currency), pairsBefore: format.count(pairsBefore), pairs: format.count(pairs) })}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
