import { isOverTradovate, namesPlatforms, receiptParts } from '#renderer/lib/receipt-words.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortMoment, useSyncState } from '#renderer/lib/use-sync.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { platformOf } from '#shared/fills/platform.ts'
import type { HoldingDifference, RefusedRow, SyncReceipt, SyncTrouble } from '#shared/api/sync.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'

const tones = { complete: 'gain', partial: 'warn', failed: 'loss' } as const
const mostRowsShown = 100

/** How the last run ended: its counts, what stopped it and what to do, and every row that was left out. */
export const LastRunCard = ({ onFetchHistory }: { onFetchHistory: () => void }) => {
  const { t } = useTranslation('sync')
  const shortMoment = useShortMoment()
  const last = useSyncState()?.last ?? null
  if (last === null) return null
  return (
    <Card
      title={t('last-run')}
      note={t(`trigger.${last.trigger}`, { time: shortMoment(last.endedAt) })}
      className="shrink-0 overflow-hidden"
      actions={<Badge tone={tones[last.outcome]}>{t(`outcome.${last.outcome}`)}</Badge>}
    >
      <Counts receipt={last} />
      {last.troubles.length > 0 && (
        <div className="flex flex-col gap-2 px-4 pb-4">
          {last.troubles.map((trouble) => (
            <Trouble key={`${trouble.loginId} ${trouble.environment ?? ''} ${trouble.code}`} trouble={trouble} named={namesPlatforms(last)} />
          ))}
        </div>
      )}
      <Differences rows={last.holdings} onFetchHistory={onFetchHistory} />
      {last.refused.length > 0 && <RefusedRows rows={last.refused} total={last.refusedTotal} />}
    </Card>
  )
}

const Counts = ({ receipt }: { receipt: SyncReceipt }) => {
  const { t } = useTranslation('sync')
  const seconds = (Date.parse(receipt.endedAt) - Date.parse(receipt.startedAt)) / 1_000
  const format = useFormat()
  return (
    <p className="px-4 py-3 text-muted">
      {[...receiptParts(receipt).map(({ key, count, platform }) => t(`part.${key}`, { count, platform })), t('took', { seconds: format.ratio(seconds) })].join(' · ')}
    </p>
  )
}

// Failures that mean something else for a login with a key than for one by consent: by code, or by the detail of a refusal.
const keyTroubles = ['login-needed', 'permission-missing', 'wrong-host', 'agreements-not-signed', 'no-api-subscription', 'key-login-off'] as const

const Trouble = ({ trouble, named }: { trouble: SyncTrouble; named: boolean }) => {
  const { t } = useTranslation('sync')
  const { code, detail, environment, loginName, platform } = trouble
  const login = named && platform !== undefined ? t('login-of', { login: loginName, platform }) : loginName
  const ofKey = platform !== 'TopstepX' ? undefined : keyTroubles.find((one) => one === code || one === detail)
  return (
    <Notice tone="warn">
      <span className="font-semibold">{t(`login.${environment ?? 'both'}`, { login })}</span> {ofKey === undefined ? t(`trouble.${code}`) : t(`key-trouble.${ofKey}`, { platform })}
      {detail !== null && ofKey === undefined && <span className="block text-sm text-muted">{t('broker-said', { text: detail })}</span>}
    </Notice>
  )
}

const RefusedRows = ({ rows, total }: { rows: readonly RefusedRow[]; total: number }) => {
  const { t } = useTranslation('sync')
  const format = useFormat()
  const hidden = total - Math.min(rows.length, mostRowsShown)
  return (
    <div className="overflow-x-auto border-t border-hairline">
      <p className="px-4 pt-3 pb-1 text-muted">{t('refused-text')}</p>
      <Table>
        <thead>
          <tr>
            <HeaderCell>{t('entity')}</HeaderCell>
            <HeaderCell>{t('id')}</HeaderCell>
            <HeaderCell>{t('account')}</HeaderCell>
            <HeaderCell>{t('why')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRowsShown).map((row) => (
            <Refused key={`${row.entity} ${row.id} ${row.reason}`} row={row} />
          ))}
        </tbody>
      </Table>
      {hidden > 0 && <p className="px-4 py-2 text-sm text-faint">{t('more-rows', { count: hidden, shown: format.count(hidden) })}</p>}
    </div>
  )
}

const Refused = ({ row }: { row: RefusedRow }) => {
  const { t } = useTranslation('sync')
  // A reason may name the field that was not in its shape: `unreadable:price`.
  const [reason = '', field] = row.reason.split(':')
  const why = t(`reason.${reason}`, { defaultValue: row.reason })
  return (
    <tr>
      <Cell>{row.entity}</Cell>
      <Cell quiet>{row.id}</Cell>
      <Cell quiet className="proportional-nums">{row.account ?? t('no-account')}</Cell>
      <Cell className="whitespace-normal">{field === undefined ? why : t('with-field', { why, field })}</Cell>
    </tr>
  )
}

/** Whether account history can be fetched; the sync of other platforms reads the past year itself. */
const hasHistory = (accountId: string): boolean => isOverTradovate(platformOf(accountId))

const namesHistory = (kind: HoldingDifference['kind']): kind is 'carried' | 'fills-missing' | 'position-differs' => kind === 'carried' || kind === 'fills-missing' || kind === 'position-differs'

/** Where the journal differs from the broker's own positions and fill pairs, contract by contract, and how to resolve it. */
const Differences = ({ rows, onFetchHistory }: { rows: readonly HoldingDifference[]; onFetchHistory: () => void }) => {
  const { t } = useTranslation('sync')
  const format = useFormat()
  if (rows.length === 0) return null
  return (
    <div className="px-4 pb-4">
      <Notice
        tone="warn"
        action={
          <span className="flex shrink-0 gap-3">
            {rows.some(({ accountId }) => hasHistory(accountId)) && (
              <Button variant="link" size="sm" onClick={onFetchHistory}>
                {t('bring-history')}
              </Button>
            )}
            <Button asChild variant="link" size="sm">
              <Link to={paths.import}>{t('import-files')}</Link>
            </Button>
          </span>
        }
      >
        <p>{t('differs')}</p>
        <ul aria-label={t('differs')} className="mt-1">
          {rows.map(({ accountId, accountName, contract, kind, broker, ours }) => (
            <li key={`${accountId} ${contract} ${kind}`}>
              <span className="font-semibold">{t('contract-of', { account: accountName, contract })}</span> {t(hasHistory(accountId) || !namesHistory(kind) ? `difference.${kind}` : `difference-without-history.${kind}`, { platform: platformOf(accountId), broker: format.count(broker), ours: format.count(ours) })}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
