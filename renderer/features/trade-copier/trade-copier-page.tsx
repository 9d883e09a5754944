import { apiQuery } from '#renderer/lib/api.ts'
import { copierQuery } from '#renderer/lib/copier.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OctagonX, Plus } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import type { CopierLive, copierRoutes, CopyGroup } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { Announcer } from './announcer.tsx'
import { FiguresPanel } from './figures-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { NoGroups } from './no-groups.tsx'
import { canCopy } from './candidates.ts'
import { useArming } from './use-arming.ts'
import { useFlatten } from './use-flatten.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { GroupCard, type GroupActions } from './group-card.tsx'
import { groupsByTrouble } from './follower-status.ts'
import { ArmDialog } from './arm-dialog.tsx'
import { FlattenDialog } from './flatten-dialog.tsx'
import { RemoveGroupDialog } from './remove-group-dialog.tsx'

/** The copier: its groups now, the result of every leader's fill, and the latency and slippage of the copies. */
export const TradeCopierPage = () => {
  const { t } = useTranslation('trade-copier')
  const { data, error, refetch } = useQuery(copierQuery)
  const connected = useQuery(apiQuery(brokerageRoutes.connectedAccounts))
  const [over, setOver] = useState<Over | null>(null)
  const arming = useArming()
  const flatten = useFlatten(data?.groups ?? null)
  const groups = data?.groups ?? []
  const accounts = connected.data?.accounts.filter(canCopy).length ?? null
  const foreign = [...new Set(connected.data?.accounts.filter((account) => account.loginId !== '' && !canCopy(account)).map(({ id }) => platformOf(id)))]
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
        <NoGroups accounts={accounts ?? 0} foreign={foreign} onNew={() => { setOver({ kind: 'edit', group: null }) }} />
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

/** All groups, those that need the user first, and the used share of the broker's calls. */
const GroupsPanel = ({ groups, live, armingId, ...actions }: GroupActions & { groups: readonly CopyGroup[]; live: CopierLive; armingId: string | null }) => {
  const shown = groupsByTrouble(groups.map((group) => ({ group, live: live.groups.find(({ id }) => id === group.id) ?? null })))
  return (
    <>
      {shown.map(({ group, live: one }) => (
        <GroupCard key={group.id} group={group} live={one} arming={armingId === group.id} {...actions} />
      ))}
      <BudgetsCard budgets={live.budgets} />
    </>
  )
}

/** What is open over the page: the editor of a group, or of a new one, or the confirmation of a removal. */
type Over = { readonly kind: 'edit'; readonly group: CopyGroup | null } | { readonly kind: 'remove'; readonly group: CopyGroup }

const GroupEditor = lazy(async () => ({ default: (await import('./group-editor.tsx')).GroupEditor }))

type Props = { readonly copier: AnswerOf<typeof copierRoutes.copier>; readonly over: Over | null; readonly onClose: () => void; readonly arming: ReturnType<typeof useArming>; readonly flatten: ReturnType<typeof useFlatten> }

/** The dialogs over the page. */
const OverPage = ({ copier: { groups, live, used, limit }, over, onClose, arming, flatten }: Props) => {
  const { step } = arming
  return (
    <>
      <Suspense fallback={null}>{over?.kind === 'edit' && <GroupEditor group={over.group} groups={groups} armed={live.groups.some(({ id, state }) => id === over.group?.id && state !== 'off')} used={used} limit={limit} onClose={onClose} />}</Suspense>
      {over?.kind === 'remove' && <RemoveGroupDialog group={over.group} left={live.groups.find(({ id }) => id === over.group.id)?.left.length ?? 0} onClose={onClose} />}
      {step !== null && <ArmDialog step={step} busy={arming.busy !== null} onAnswer={() => { arming.answer(step) }} onClose={arming.close} />}
      {flatten.now !== null && <FlattenDialog flattening={flatten.now} live={live} onGo={() => void flatten.go()} onClose={flatten.close} />}
    </>
  )
}

/** Actions on the whole copier: a new group, and closing everything. */
const PageActions = ({ onNew, onFlatten }: { onNew: () => void; onFlatten: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const { caps, aria } = useShortcutKeys('flatten-all')
  return (
    <>
      <Button variant="outline" onClick={onNew}>
        <Plus aria-hidden />
        {t('new-group')}
      </Button>
      <Button variant="destructive" onClick={onFlatten} aria-keyshortcuts={aria}>
        <OctagonX aria-hidden />
        {t('flatten.all')}
        {caps.length > 0 && <kbd aria-hidden className="rounded-sm border border-current px-1 font-sans text-xs">{caps.join(' ')}</kbd>}
      </Button>
    </>
  )
}

/** A placeholder while groups load. */
const Loading = () => {
  const { t } = useTranslation('trade-copier')
  return (
    <div aria-busy aria-label={t('loading')} role="status" className="flex flex-col gap-3.5">
      <Skeleton className="h-9 w-80" />
      <Skeleton className="h-72 w-full rounded-lg" />
    </div>
  )
}

const views = ['groups', 'ledger', 'figures'] as const
type View = (typeof views)[number]

/** The copier's views; the address names the current one. */
const Views = ({ panels }: { panels: Readonly<Record<View, ReactNode>> }) => {
  const { t } = useTranslation('trade-copier')
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('view')) ?? 'groups'
  const show = (next: View): void => {
    setParams(next === 'groups' ? {} : { view: next })
  }
  return <Tabs label={t('views')} value={view} onChange={show} className="flex grow flex-col" panelClassName="flex grow flex-col gap-3.5" tabs={views.map((value) => ({ value, label: t(`view.${value}`), panel: panels[value] }))} />
}
