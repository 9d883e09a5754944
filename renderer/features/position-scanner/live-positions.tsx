import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import type { LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { CloseDialog } from './close-dialog.tsx'
import { ExposureStrip } from './exposure-strip.tsx'
import { silentAfterMs } from './freshness.ts'
import { groupings, linesOf, openSums, orders, type Grouping, type Order } from './grouping.ts'
import { ScannerTable } from './scanner-table.tsx'
import { useClosing } from './use-closing.ts'

const tickMs = 1_000

/** Positions and accounts of `live`, received at `heardAt` (UTC ms), and the dialog that closes some of them. */
export const LivePositions = ({ live, heardAt }: { live: PositionsLive; heardAt: number }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const [{ by, order }, lay] = useLayout()
  const closing = useClosing()
  const now = Math.max(useNow(tickMs), heardAt)
  const { positions, accounts, exposure } = live
  const lines = useMemo(() => linesOf({ positions, accounts, exposure }, by, order), [positions, accounts, exposure, by, order])
  const open = useMemo(() => openSums(positions), [positions])
  const names = useMemo(() => new Map(accounts.map(({ account, name }) => [account, name])), [accounts])
  const silent = now - heardAt > silentAfterMs
  const held = new Set(positions.map(({ account }) => account))
  const reached = accounts.some(({ account, line }) => line === 'up' && held.has(account))
  return (
    // It fills the window, and its table scrolls separately.
    <div className="flex h-0 min-h-100 grow flex-col gap-3">
      {silent && <Notice tone="error">{t('silent', { at: format.clock(new Date(heardAt).toISOString()) })}</Notice>}
      {positions.length > 0 && <ExposureStrip open={open} exposure={exposure} now={now} dim={silent || !reached} />}
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        {positions.length > 0 && <Segmented label={t('group-by')} value={by} onChange={(next) => { lay({ by: next }) }} options={groupings.map((value) => ({ value, label: t(`by.${value}`) }))} />}
        <Segmented label={t('order-by')} value={order} onChange={(next) => { lay({ order: next }) }} options={orders.map((value) => ({ value, label: t(`order.${value}`) }))} />
        <span className="text-sm text-muted">{positions.length === 0 ? t('calm') : t('in-accounts', { positions: t('positions', { count: positions.length }), count: held.size })}</span>
        <span className="ml-auto text-sm text-faint max-xl:hidden">{t('keys')}</span>
      </div>
      <ScannerTable
        key={by}
        lines={lines}
        by={by}
        now={now}
        silent={silent}
        nameOf={(account) => names.get(account) ?? account}
        onClose={({ account, contract }) => { closing.ask({ account, contract }) }}
        onFlatten={({ account }) => { closing.ask({ account, contract: null }) }}
      />
      <Announcer accounts={accounts} />
      {closing.now !== null && (
        <CloseDialog
          closing={closing.now}
          account={accounts.find(({ account }) => account === closing.now?.account) ?? null}
          positions={positions.filter(({ account }) => account === closing.now?.account)}
          onGo={() => void closing.go()}
          onClose={closing.close}
        />
      )}
    </div>
  )
}

/** The layout of positions, named in the address. */
type Layout = { readonly by: Grouping; readonly order: Order }

/** The grouping of positions and the order of accounts, and how to change them. */
const useLayout = (): readonly [Layout, (more: Partial<Layout>) => void] => {
  const [params, setParams] = useSearchParams()
  const layout: Layout = { by: groupings.find((one) => one === params.get('by')) ?? 'account', order: orders.find((one) => one === params.get('order')) ?? 'name' }
  const change = (more: Partial<Layout>): void => {
    const { by, order } = { ...layout, ...more }
    setParams({ ...(by === 'account' ? {} : { by }), ...(order === 'name' ? {} : { order }) }, { replace: true })
  }
  return [layout, change]
}

const mostAnnounced = 3

/** Politely announces to screen readers which accounts disconnected or reconnected; many at once are announced as a number. */
const Announcer = ({ accounts }: { accounts: readonly LivePositionAccount[] }) => {
  const { t } = useTranslation('position-scanner')
  const [words, setWords] = useState('')
  const known = useRef(new Map<string, LivePositionAccount['line']>())
  const announce = useEffectEvent((next: readonly LivePositionAccount[]) => {
    const turned = next.filter(({ account, line }) => {
      const before = known.current.get(account)
      // Opening a connection is not announced.
      return before !== undefined && line !== 'connecting' && (before === 'up') !== (line === 'up')
    })
    for (const { account, line } of next) if (line !== 'connecting' || !known.current.has(account)) known.current.set(account, line)
    if (turned.length === 0) return
    setWords(turned.length > mostAnnounced ? t('says-many', { count: turned.length }) : turned.map(({ name, line }) => t(line === 'up' ? 'says-up' : 'says-down', { account: name })).join(' '))
  })
  useEffect(() => {
    announce(accounts)
  }, [accounts])
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}
