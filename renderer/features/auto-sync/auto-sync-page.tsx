import { useLinkRequest } from '#renderer/lib/link-request.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useRemoveAccount } from '#renderer/lib/use-remove-account.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import { History, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { accountRows, summaryOf, unlabeled, type AccountRow } from './account-rows.ts'
import { AccountsCard } from './accounts-card.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { EditLabelDialog } from './edit-label-dialog.tsx'
import { HistoryCard } from './history-card.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { LastRunCard } from './last-run-card.tsx'
import { MissedSessions } from './missed-sessions.tsx'

/** The connected accounts, what they hold, and how their syncing goes. */
export const AutoSyncPage = () => {
  const { t } = useTranslation('auto-sync')
  const [connecting, setConnecting] = useState(false)
  const [leaving, setLeaving] = useState<string | null>(null)
  const [edited, setEdited] = useState<AccountRow | null>(null)
  /** How often the history was asked for since it was last closed. */
  const [historyAsked, setHistoryAsked] = useState(0)
  const askForHistory = (): void => { setHistoryAsked((times) => times + 1) }
  const { rows, failure, retry } = useAccounts()
  // Accounts that are still on their way count as unknown, not as none.
  const restoring = useRestoring() !== null
  const counted = restoring && rows?.length === 0 ? null : rows
  const remove = useRemoveAccount()
  const connect = (): void => {
    setConnecting(true)
  }
  useLinkRequest('add-account', connect)
  const disconnect = ({ finance }: AccountRow): void => {
    setLeaving(finance.name)
    void remove({ accountId: finance.id })
  }
  return (
    <Page title={t('title')} className="flex flex-col gap-3.5" actions={<SyncControls quiet={rows?.length === 0} />}>
      <Summary rows={counted} />
      <LabelDialog rows={rows ?? []} />
      <MissedSessions />
      {/* The offer waits until every account has its type and firm. */}
      <HistoryCard ready={rows !== null && !rows.some(({ finance }) => unlabeled(finance))} asked={historyAsked} onClose={() => { setHistoryAsked(0) }} />
      <AccountsCard
        rows={rows}
        failure={failure}
        onRetry={retry}
        onConnect={connect}
        onEdit={setEdited}
        onDelete={disconnect}
        history={
          <Button variant="outline" size="sm" onClick={askForHistory}>
            <History aria-hidden />
            {t('history:button')}
          </Button>
        }
        addAccount={
          <Button {...(rows?.length === 0 ? {} : { variant: 'outline', size: 'sm' })} onClick={connect}>
            <Plus aria-hidden />
            {t('add-account')}
          </Button>
        }
      />
      <LastRunCard onFetchHistory={askForHistory} />
      <ConnectDialog open={connecting} onClose={() => { setConnecting(false) }} another={(rows?.length ?? 0) > 0} />
      {leaving !== null && <DisconnectDialog name={leaving} onClose={() => { setLeaving(null) }} />}
      {edited !== null && <EditLabelDialog row={edited} onClose={() => { setEdited(null) }} />}
    </Page>
  )
}

const Summary = ({ rows }: { rows: readonly AccountRow[] | null }) => {
  const { t } = useTranslation('auto-sync')
  const format = useFormat()
  const evaluation = rows && summaryOf(rows, 'Evaluation Account')
  const funded = rows && summaryOf(rows, 'Funded Account')
  const worth = (summary: typeof funded): string | null => summary && summary.balances.map(({ balance, currency }) => format.wholeMoney(balance, currency)).join(' · ')
  return (
    <StatStrip className="shrink-0 max-xl:grid max-xl:grid-cols-2">
      <Stat label={t('evaluation-count')} value={evaluation && format.count(evaluation.count)} />
      <Stat label={t('evaluation-worth')} value={worth(evaluation)} />
      <Stat label={t('funded-count')} value={funded && format.count(funded.count)} />
      <Stat label={t('funded-worth')} value={worth(funded)} />
    </StatStrip>
  )
}

/** The accounts of the user, which the dashboard reads at start and every hour; `rows` is null until they are there. */
const useAccounts = (): { readonly rows: readonly AccountRow[] | null; readonly failure: unknown; readonly retry: () => void } => {
  const userId = useUserId()
  const finances = useQuery(apiQuery(recordRoutes.getFinances, { query: { userId } }))
  const connected = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  return {
    rows: finances.data && connected.data ? accountRows(finances.data.finances, connected.data.accounts) : null,
    failure: finances.error ?? connected.error,
    retry: () => {
      void finances.refetch()
      void connected.refetch()
    },
  }
}
