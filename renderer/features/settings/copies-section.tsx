import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { AddAccountLink } from '#renderer/ui/ways-in.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { statisticsRoutes, type FilterChoices } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'

const { filterChoices, statistics } = statisticsRoutes
const choicesQuery = apiQuery(filterChoices)
type Account = FilterChoices['accounts'][number]

/** Which accounts only repeat another's trades, so that statistics can count the leader alone. */
export const CopiesSection = () => {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = useQuery(choicesQuery)
  const accounts = data?.accounts ?? null
  return (
    <Card title={t('copies')} note={t('copies-note')}>
      {accounts === null && error !== null ? (
        <ErrorState failure={error} onRetry={() => void refetch()} />
      ) : accounts?.length === 0 ? (
        <EmptyState
          Icon={Copy}
          title={t('no-accounts')}
          text={t('no-accounts-text')}
          action={<AddAccountLink variant="outline" />}
        />
      ) : (
        <>
          <div className="flex max-w-3xl flex-col gap-1 px-4 py-3 text-muted">
            <p>{t('copies-text')}</p>
            <p>{t('leader-only-text')}</p>
          </div>
          <div className="overflow-x-auto border-t border-hairline">
            <Table>
              <thead>
                <tr>
                  <HeaderCell className="w-1/2">{t('account')}</HeaderCell>
                  <HeaderCell>{t('firm')}</HeaderCell>
                  <HeaderCell>{t('copy-of')}</HeaderCell>
                </tr>
              </thead>
              <tbody>{accounts === null ? <SkeletonRows rows={4} columns={3} /> : accounts.map((account) => <CopyRow key={account.key} account={account} accounts={accounts} />)}</tbody>
            </Table>
          </div>
        </>
      )}
    </Card>
  )
}

const noCopy = '-'

const CopyRow = ({ account, accounts }: { account: Account; accounts: readonly Account[] }) => {
  const { t } = useTranslation('settings')
  const words = useProblemText()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (leaderId: string | null) => callApi(ownDataRoutes.setCopyOf, { body: { accountId: account.key, leaderId } }),
    onSuccess: () => invalidateRoutes(client, filterChoices, statistics, brokerageRoutes.connectedAccounts, journalRoutes.pairPage, journalRoutes.tradePage),
  })
  const copies = accounts.filter(({ copyOf }) => copyOf === account.key)
  const leaders = accounts.filter(({ key, copyOf }) => key !== account.key && copyOf === null)
  // A mark whose leader is gone does not count, and can be removed or changed.
  const gone = account.copyOf !== null && !leaders.some(({ key }) => key === account.copyOf) ? [{ value: account.copyOf, label: t('leader-gone') }] : []
  return (
    <tr className="[&>td]:py-1.5">
      <Cell className="proportional-nums">{account.name}</Cell>
      <Cell quiet>{account.firm ?? t('none')}</Cell>
      <Cell className="whitespace-normal!">
        {copies.length > 0 ? (
          <span className="flex h-8 items-center text-muted">{t('leads', { count: copies.length })}</span>
        ) : (
          <Select
            aria-label={t('copy-of-for', { account: account.name })}
            className="w-64"
            disabled={isPending}
            value={account.copyOf ?? noCopy}
            onChange={(leader) => { mutate(leader === noCopy ? null : leader) }}
            options={[{ value: noCopy, label: t('no-copy') }, ...leaders.map(({ key, name }) => ({ value: key, label: t('copy-of-name', { account: name }) })), ...gone]}
          />
        )}
        {error !== null && (
          <p role="alert" className="mt-1 text-sm text-loss">
            {words(error)}
          </p>
        )}
      </Cell>
    </tr>
  )
}
