import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { HeaderCell, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { CopyGroup, LiveFollower, LiveGroup } from '#shared/api/copier.ts'
import { EllipsisVertical, OctagonX, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DemoMarket } from './demo-market.tsx'
import { followerColumns, FollowerRows } from './follower-rows.tsx'
import { LeaderLine } from './leader-line.tsx'
import { LeftExits } from './left-exits.tsx'
import { byTrouble, tally } from './follower-status.ts'
import { StartQuestions } from './start-questions.tsx'
import { DryRunMark, GroupMark } from './state-mark.tsx'
import { useCopierAct, type CopierActs } from './use-copier-acts.ts'

const figureColumns: readonly string[] = ['target', 'actual', 'pending', 'difference', 'day', 'latency']

const widths: Record<(typeof followerColumns)[number], string> = { account: 'w-[17.4%]', state: 'w-[14.9%]', contract: 'w-[13%]', target: 'w-[7%]', actual: 'w-[8.5%]', pending: 'w-[9.1%]', difference: 'w-[10.5%]', day: 'w-[10.5%]', latency: 'w-[9.1%]' }

const explained = ['target', 'actual', 'pending', 'difference'] as const
const isExplained = (column: string): column is (typeof explained)[number] => explained.some((one) => one === column)

/** The actions on a group, beyond those of its own state. */
export type GroupActions = { readonly onArm: (group: CopyGroup) => void; readonly onFlatten: (group: CopyGroup) => void; readonly onEdit: (group: CopyGroup) => void; readonly onRemove: (group: CopyGroup) => void }

/** One group: its leader, its state, and each follower against its target. */
export const GroupCard = ({ group, live, arming, ...actions }: GroupActions & { group: CopyGroup; live: LiveGroup | null; arming: boolean }) => {
  const { t } = useTranslation('trade-copier')
  const { session } = useSession()
  const { act, busy } = useCopierAct()
  const state = live?.state ?? 'off'
  const rules = useMemo(() => new Map(group.followers.map((rule) => [rule.account, rule])), [group.followers])
  const followers = byTrouble(live?.followers ?? group.followers.map(({ account }) => idleFollower(account)))
  const dryRun = live?.dryRun ?? group.dryRun
  const opening = live?.blocked === 'leader-down' && live.leaderLine === 'connecting'
  return (
    <section aria-label={group.name} className="min-w-0 shrink-0 rounded-lg border border-line bg-surface">
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-2">
        <h2 className="font-semibold break-words">{group.name}</h2>
        <GroupMark state={state} />
        {dryRun && <DryRunMark />}
        {state !== 'off' && <span className="text-sm text-muted">{tally(followers).map(({ status, count }) => t(`tally.${status}`, { count })).join(' · ')}</span>}
        <div className="ml-auto flex items-center gap-2">
          <StateButtons group={group} state={state} dryRun={dryRun} arming={arming} busy={busy} act={act} onArm={actions.onArm} />
          <Menu
            align="end"
            trigger={
              <Button variant="ghost" size="icon" className="-mr-2" aria-label={t('more-of', { group: group.name })}>
                <EllipsisVertical aria-hidden />
              </Button>
            }
          >
            <MenuItem onSelect={() => { actions.onEdit(group) }}>
              <Pencil aria-hidden />
              {t('edit')}
            </MenuItem>
            <MenuItem onSelect={() => { actions.onFlatten(group) }}>
              <OctagonX aria-hidden />
              {t('flatten.group')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem onSelect={() => { actions.onRemove(group) }} disabled={state !== 'off'}>
              <Trash2 aria-hidden />
              {state === 'off' ? t('remove') : t('remove-armed')}
            </MenuItem>
          </Menu>
        </div>
      </header>
      <LeaderLine group={group} live={live} />
      {session?.demo === true && state !== 'off' && <DemoMarket leader={group.leader} />}
      {live !== null && (live.unsaved || live.blocked !== null || state === 'paused') && (
        <div className="flex flex-col gap-2 border-b border-hairline px-4 py-3">
          {live.unsaved && <Notice tone="warn">{t('unsaved-text')}</Notice>}
          {live.blocked !== null && <Notice tone={opening ? 'info' : 'warn'}>{t(opening ? 'blocked.leader-connecting' : `blocked.${live.blocked}`)}</Notice>}
          {state === 'paused' && <Notice tone="warn">{t('paused-text')}</Notice>}
        </div>
      )}
      {live !== null && <LeftExits group={group} left={live.left} busy={busy} act={act} />}
      {live !== null && <StartQuestions group={live} busy={busy} act={act} />}
      <ScrollArea label={t('followers-of', { group: group.name })} className="edge-shades rounded-b-lg">
        <Table className="min-w-176 max-md:min-w-212 table-fixed max-xl:[&_td]:px-1 max-xl:[&_th]:px-1">
          <caption className="sr-only">{t('followers-of', { group: group.name })}</caption>
          {/* Constantly changing figures must not move the columns, and groups align with each other. */}
          <colgroup>
            {followerColumns.map((column) => (
              <col key={column} className={widths[column]} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {followerColumns.map((column) => (
                <HeaderCell key={column} end={figureColumns.includes(column)} {...(isExplained(column) ? { title: t(`column-text.${column}`) } : {})} className={column === 'account' ? 'pl-4!' : column === 'latency' ? 'pr-3! min-[75rem]:pr-4!' : ''}>
                  {t(`column.${column}`)}
                </HeaderCell>
              ))}
            </tr>
          </thead>
          {followers.map((follower) => (
            <FollowerRows key={follower.account} group={group} rule={rules.get(follower.account) ?? null} follower={follower} busy={busy} act={act} />
          ))}
        </Table>
      </ScrollArea>
    </section>
  )
}

type Steered = { readonly group: CopyGroup; readonly state: LiveGroup['state']; readonly dryRun: boolean; readonly arming: boolean; readonly busy: boolean; readonly act: CopierActs['act']; readonly onArm: (group: CopyGroup) => void }

/** Arm and disarm share one button, pause and resume another: neither is replaced while it works, so it keeps the focus. */
const StateButtons = ({ group, state, dryRun, arming, busy, act, onArm }: Steered) => {
  const { t } = useTranslation('trade-copier')
  const { id, name } = group
  const off = state === 'off'
  const paused = state === 'paused'
  const Hold = paused ? Play : Pause
  return (
    <>
      {!off && (
        <Button variant={paused ? 'default' : 'outline'} size="sm" aria-disabled={busy} onClick={() => { if (!busy) act({ do: paused ? 'resume' : 'pause', id }) }} aria-label={paused ? t('resume-of', { group: name }) : t('pause-of', { group: name })}>
          <Hold aria-hidden />
          {paused ? t('resume') : t('pause')}
        </Button>
      )}
      <Button
        key="power"
        variant={off ? 'default' : 'outline'}
        size="sm"
        aria-disabled={off ? arming : busy}
        title={off || dryRun ? undefined : t(`disarm-text.${group.leftExits}`)}
        onClick={({ detail }) => {
          // The second half of a double click is not meant for what the first one turned the button into.
          if (detail > 1 || arming || busy) return
          if (off) onArm(group)
          else act({ do: 'disarm', id }, { onSuccess: () => { toast({ title: t('disarmed-toast', { group: name }), text: dryRun ? t('disarmed-dry') : t(`disarmed-text.${group.leftExits}`) }) } })
        }}
        aria-label={off ? t(dryRun ? 'arm-dry-of' : 'arm-of', { group: name }) : t('disarm-of', { group: name })}
      >
        {arming ? <Spinner /> : <Power aria-hidden />}
        {off ? (dryRun ? t('arm-dry') : t('arm')) : t('disarm')}
      </Button>
    </>
  )
}

/** A follower without a reported state: off, with no known positions. */
const idleFollower = (account: string): LiveFollower => ({ account, state: 'off', lock: null, why: null, line: 'up', contracts: [], day: null, latencyMs: null, rejects: 0, hedgedBy: null, undecided: [] })
