import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { useAlertWords } from '#renderer/lib/use-alert-words.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pager, usePages } from '#renderer/ui/pager.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { ruleRoutes, type RuleAlert } from '#shared/api/rules.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BellRing, CheckCheck, OctagonX, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useAlertsSeen } from './use-alerts.ts'

type Page = AnswerOf<typeof ruleRoutes.alerts>

/** All alerts, newest first; unseen ones are marked. */
export const AlertsLog = ({ newest }: { newest: Page }) => {
  const { t } = useTranslation('rules')
  const words = useProblemText()
  const { before, onNewer, turn } = usePages()
  const older = useQuery({ ...apiQuery(ruleRoutes.alerts, { query: before === undefined ? {} : { before } }), enabled: before !== undefined, placeholderData: keepPreviousData })
  const page = before === undefined ? newest : older.data
  const seen = useAlertsSeen((failure) => { toast({ title: t('alerts.not-marked'), text: words(failure), tone: 'error' }) })
  const last = page?.alerts.at(-1)?.id
  const top = newest.alerts[0]?.id
  return (
    <Card
      title={t('alerts.log')}
      note={t('alerts.log-note')}
      className="shrink-0 overflow-hidden"
      actions={
        newest.unseen > 0 && (
          <>
            <Badge tone="accent">{t('alerts.unseen', { count: newest.unseen })}</Badge>
            <Button variant="outline" size="sm" busy={seen.isPending} onClick={() => { if (top !== undefined) seen.mutate(top) }}>
              <CheckCheck aria-hidden />
              {t('alerts.mark-seen')}
            </Button>
          </>
        )
      }
    >
      {newest.alerts.length === 0 ? (
        <EmptyState Icon={BellRing} title={t('alerts.empty')} text={t('alerts.empty-text')} />
      ) : page === undefined ? (
        older.error !== null && <ErrorState failure={older.error} onRetry={() => void older.refetch()} />
      ) : (
        <div className="overflow-x-auto">
          <Table className="max-xl:[&_td:not(:first-child)]:pl-0 max-xl:[&_th:not(:first-child)]:pl-0">
            <caption className="sr-only">{t('alerts.log')}</caption>
            <thead>
              <tr>
                <HeaderCell>{t('alerts.column.at')}</HeaderCell>
                <HeaderCell>{t('account')}</HeaderCell>
                <HeaderCell>{t('alerts.column.what')}</HeaderCell>
                <HeaderCell end>{t('alerts.column.left')}</HeaderCell>
                <HeaderCell>{t('alerts.column.where')}</HeaderCell>
              </tr>
            </thead>
            <tbody>
              {page.alerts.map((alert) => (
                <Line key={alert.id} alert={alert} />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {page !== undefined && <Pager label={t('alerts.pages')} onNewer={onNewer} onOlder={page.more && last !== undefined ? () => { turn(last) } : null} className="justify-end gap-2 border-t border-hairline px-4 py-2" />}
    </Card>
  )
}

const Line = ({ alert }: { alert: RuleAlert }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useAlertWords()
  const [Icon, ink] = alert.level >= 100 ? [OctagonX, 'text-loss'] as const : [TriangleAlert, 'text-warn'] as const
  return (
    <tr className={classNames('[&>td]:py-1.5', !alert.seen && 'bg-accent-tint font-medium')}>
      <Cell>
        <span className="flex items-center gap-2">
          <span className={alert.seen ? 'size-1.5' : 'size-1.5 rounded-full bg-accent'} />
          {format.fullDateTime(alert.at)}
          {!alert.seen && <span className="sr-only">{t('alerts.new')}</span>}
        </span>
      </Cell>
      <Cell className="max-w-52"><CutName name={alert.accountName} /></Cell>
      <Cell className="max-xl:whitespace-normal!">
        <span className="flex items-center gap-1.5">
          <Icon aria-hidden className={`size-3.5 shrink-0 ${ink}`} />
          {words.title(alert)}
        </span>
      </Cell>
      <Cell end>{words.left(alert) === '' ? t('none') : words.left(alert)}</Cell>
      <Cell quiet className="max-xl:whitespace-normal!">{words.where(alert)}</Cell>
    </tr>
  )
}
