import { apiQuery } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { copierRoutes, ledgerCsvPath, type CopyGroup } from '#shared/api/copier.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DryRunCard } from './dry-run-card.tsx'
import { GroupChoice, useGroupChoice } from './group-choice.tsx'
import { LedgerLine, ledgerColumns } from './ledger-line.tsx'

const pageSize = 50
const newestAgainAfterMs = 3_000

/** Every fill of a leader, and every repair, exit and flatten, with its result at each follower; newest first. */
export const LedgerPanel = ({ groups }: { groups: readonly CopyGroup[] }) => {
  const { t } = useTranslation('trade-copier')
  const choice = useGroupChoice(groups)
  /** The first row of each page opened so far; empty on the newest page. */
  const [turned, setTurned] = useState<readonly number[]>([])
  const before = turned.at(-1)
  const query = { limit: pageSize, ...choice.query, ...(before === undefined ? {} : { before }) }
  const { data, error, refetch } = useQuery({ ...apiQuery(copierRoutes.ledger, { query }), placeholderData: keepPreviousData, staleTime: 0, refetchInterval: before === undefined ? newestAgainAfterMs : false })
  const last = data?.rows.at(-1)?.id
  return (
    <>
      <DryRunCard query={choice.query} />
      <Card
        title={t('ledger.title')}
        note={t('ledger.note')}
        className="shrink-0 overflow-hidden"
        actions={
          <>
            <GroupChoice groups={groups} {...choice} onChange={(id) => { setTurned([]); choice.onChange(id) }} />
            <Button asChild variant="ghost" size="sm">
              <DownloadLink path={ledgerCsvPath} query={new URLSearchParams(choice.query)}>
                <Download aria-hidden />
                {t('ledger.csv')}
              </DownloadLink>
            </Button>
          </>
        }
      >
        {data === undefined && error !== null ? (
          <ErrorState failure={error} onRetry={() => void refetch()} />
        ) : data?.rows.length === 0 ? (
          <EmptyState Icon={ScrollText} title={t('ledger.empty')} text={t('ledger.empty-text')} />
        ) : (
          <div className="overflow-x-auto">
            <Table className="max-xl:[&_td:not(:first-child)]:pl-0 max-xl:[&_th:not(:first-child)]:pl-0">
              <caption className="sr-only">{t('ledger.title')}</caption>
              <thead>
                <tr>
                  {ledgerColumns.map((column) => (
                    <HeaderCell key={column} end={column === 'qty' || column === 'price' || column === 'slowest'}>
                      {t(`ledger.column.${column}`)}
                    </HeaderCell>
                  ))}
                </tr>
              </thead>
              {data === undefined ? (
                <tbody>
                  <SkeletonRows rows={8} columns={ledgerColumns.length} />
                </tbody>
              ) : (
                data.rows.map((row) => <LedgerLine key={row.id} row={row} group={groups.find(({ id }) => id === row.groupId) ?? null} />)
              )}
            </Table>
          </div>
        )}
        {data !== undefined && (turned.length > 0 || data.more) && (
          <nav aria-label={t('ledger.pages')} className="flex items-center justify-end gap-2 border-t border-hairline px-4 py-2">
            <Button variant="outline" size="sm" disabled={turned.length === 0} onClick={() => { setTurned(turned.slice(0, -1)) }}>
              {t('ledger.newer')}
            </Button>
            <Button variant="outline" size="sm" disabled={!data.more || last === undefined} onClick={() => { if (last !== undefined) setTurned([...turned, last]) }}>
              {t('ledger.older')}
            </Button>
          </nav>
        )}
      </Card>
    </>
  )
}
