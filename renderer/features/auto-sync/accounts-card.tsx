import { rulesQuery } from '#renderer/lib/rules.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { Card } from '#renderer/ui/card.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import type { AnswerOf } from '#shared/api/route.ts'
import type { ruleRoutes } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { CloudDownload, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountRow } from './account-rows.ts'
import { AccountTableRow, type AccountActions, type AccountStage } from './account-table-row.tsx'

// Ten columns fit into 1024 px only without their usual air.
const tight = '[&_td:not(:first-child)]:pl-0 [&_td:not(:last-child)]:pr-2 [&_th:not(:first-child)]:pl-0 [&_th:not(:last-child)]:pr-2 xl:[&_td:not(:last-child)]:pr-4 xl:[&_th:not(:last-child)]:pr-4'

/** The table of accounts; `rows` is null while they load, `addAccount` begins a connection, `history` shows what can be brought of the past. */
export const AccountsCard = ({
  rows,
  failure,
  onRetry,
  history,
  addAccount,
  ...actions
}: AccountActions & { rows: readonly AccountRow[] | null; failure: unknown; onRetry: () => void; history: ReactNode; addAccount: ReactNode }) => {
  const { t } = useTranslation('auto-sync')
  const narrow = useNarrow()
  const { data: rules } = useQuery(rulesQuery)
  const empty = rows?.length === 0
  return (
    <Card title={t('accounts')} note={t('accounts-note')} className="shrink-0 overflow-hidden" actions={empty ? null : <>{history}{addAccount}</>}>
      {rows === null && failure !== null ? (
        <ErrorState failure={failure} onRetry={onRetry} />
      ) : empty ? (
        <NoAccounts addAccount={addAccount} />
      ) : (
        <div className="relative overflow-x-auto">
          <Table className={tight}>
            <thead>
              <tr>
                <HeaderCell>{t('pos')}</HeaderCell>
                <HeaderCell>{t('account')}</HeaderCell>
                <HeaderCell end>{t('balance')}</HeaderCell>
                <HeaderCell>{t('type')}</HeaderCell>
                <HeaderCell>{t('platform')}</HeaderCell>
                <HeaderCell>{t('firm')}</HeaderCell>
                <HeaderCell>{t('stage')}</HeaderCell>
                {!narrow && <HeaderCell>{t('sync-state')}</HeaderCell>}
                <HeaderCell>
                  <span className="sr-only">{t('actions')}</span>
                </HeaderCell>
              </tr>
            </thead>
            <tbody>{rows === null ? <SkeletonRows rows={4} columns={narrow ? 8 : 9} /> : rows.map((row, index) => <AccountTableRow key={row.finance.id} row={row} position={index + 1} narrow={narrow} stage={stageOf(rules, row)} {...actions} />)}</tbody>
          </Table>
        </div>
      )}
    </Card>
  )
}

const stageOf = (known: AnswerOf<typeof ruleRoutes.rules> | undefined, { finance }: AccountRow): AccountStage | null => {
  const rules = known?.accounts.find(({ account }) => account === finance.id)
  return rules === undefined ? null : { rules, standing: known?.standings.find(({ account }) => account === finance.id) ?? null }
}

const NoAccounts = ({ addAccount }: { addAccount: ReactNode }) => {
  const { t } = useTranslation('auto-sync')
  const restoring = useRestoring() !== null
  return restoring ? (
    <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} />
  ) : (
    <EmptyState Icon={Link2} title={t('no-accounts')} text={t('no-accounts-text')} action={addAccount} />
  )
}
