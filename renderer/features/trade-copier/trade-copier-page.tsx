import { apiQuery } from '#renderer/lib/api.ts'
import { copierQuery } from '#renderer/lib/copier.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Announcer } from './announcer.tsx'
import { FiguresPanel } from './figures-panel.tsx'
import { GroupsPanel } from './groups-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { Loading } from './loading.tsx'
import { NoGroups } from './no-groups.tsx'
import { OverPage, type Over } from './over-page.tsx'
import { PageActions } from './page-actions.tsx'
import { useArming } from './use-arming.ts'
import { useFlatten } from './use-flatten.ts'
import { Views } from './views.tsx'

/** The copier: its groups as they stand now, what became of every leader's fill, and how fast and how close the copies were. */
export const TradeCopierPage = () => {
  const { t } = useTranslation('trade-copier')
  const { data, error, refetch } = useQuery(copierQuery)
  const connected = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const [over, setOver] = useState<Over | null>(null)
  const arming = useArming()
  const flatten = useFlatten(data?.groups ?? null)
  const groups = data?.groups ?? []
  const accounts = connected.data?.accounts.filter(({ loginId }) => loginId !== '').length ?? null
  const ready = data !== undefined && (groups.length > 0 || accounts !== null)
  return (
    <Page
      title={t('title')}
      className="flex flex-col gap-3.5"
      chips={data && <Chip name={t('copy-accounts')}>{t('used', { used: data.used, limit: data.limit })}</Chip>}
      actions={groups.length > 0 && <PageActions onNew={() => { setOver({ kind: 'edit', group: null }) }} onFlatten={flatten.askAll} />}
    >
      {!ready ? (
        error !== null || connected.error !== null ? (
          <ErrorState failure={error ?? connected.error} onRetry={() => { void refetch(); void connected.refetch() }} className="grow" />
        ) : (
          <Loading />
        )
      ) : groups.length === 0 ? (
        <NoGroups accounts={accounts ?? 0} onNew={() => { setOver({ kind: 'edit', group: null }) }} />
      ) : (
        <Views
          panels={{
            groups: (
              <GroupsPanel
                groups={groups}
                live={data.live}
                armingId={arming.busy}
                onArm={arming.begin}
                onFlatten={(group) => { flatten.ask([group]) }}
                onEdit={(group) => { setOver({ kind: 'edit', group }) }}
                onRemove={(group) => { setOver({ kind: 'remove', group }) }}
              />
            ),
            ledger: <LedgerPanel groups={groups} />,
            figures: <FiguresPanel groups={groups} />,
          }}
        />
      )}
      {data && <Announcer groups={groups} live={data.live} />}
      {data && <OverPage copier={data} over={over} onClose={() => { setOver(null) }} arming={arming} flatten={flatten} />}
    </Page>
  )
}
