import { expect } from 'vitest'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { PriceFeed } from '#shared/prices/feeds.ts'
import { openFeeds, type FeedStage } from './price-feeds.ts'
import { standInContracts, startProjectx, type ProjectxBroker } from './projectx-broker.ts'
import { openSyncJournal, type SyncJournal } from './sync-journal.ts'
import { testTiming } from './test-timing.ts'

const nowhere = 'http://127.0.0.1:9'
const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
const minute = 60_000
const hour = 60 * minute
const account = 900_101
const [nasdaq, micro] = standInContracts

/** A journal that was synced from the stand-in of ProjectX, whose trades have no prices yet. */
export type FedJournal = { readonly broker: ProjectxBroker; readonly it: SyncJournal; readonly open: (more?: Parameters<typeof openFeeds>[1]) => FeedStage; readonly days: readonly string[] }

/** A journal with so many sessions of two contracts, the last of them running, connected to the stand-in. */
export const fedJournal = async (sessions = 3): Promise<FedJournal> => {
  const timing = testTiming(Date.UTC(2026, 2, 2, 17))
  const broker = await startProjectx({ now: timing.now, contracts: standInContracts })
  const it = await openSyncJournal({ brokerage: tradovate, timing, firms: { topstepx: { name: 'TopstepX', api: broker.url, hub: null } } })
  broker.addAccount({ id: account, name: 'COMBINE-900101' })
  const days: string[] = []
  for (let day = tradingDay(timing.now()); days.length < sessions; day = previousTradingDay(day)) {
    days.push(day)
    const at = sessionOf(day).opens + 16 * hour
    for (const [index, contract] of [nasdaq, micro].entries()) {
      const make = (after: number, side: 'buy' | 'sell', ticks: number): number => broker.trade({ account, contract, at: at + after * minute + 137 + index * 41_000, ticks: 24_000 + ticks, side, size: 1 })
      make(0, 'buy', 0)
      make(7, 'sell', 9)
      make(31, 'sell', 4)
      make(33, 'buy', -5)
      make(34, 'buy', 6)
      make(50, 'sell', 3)
    }
  }
  await it.connections.connectKey(it.userId, { firm: 'topstepx', userName: broker.key.userName, apiKey: broker.key.apiKey })
  expect((await it.sync('connect')).outcome).toBe('complete')
  return { broker, it, days, open: (more) => openFeeds(it, more) }
}

/** Why a feed failed last; null where it did not. */
export const failureOf = async ({ feeds }: FeedStage, { userId }: SyncJournal, wanted: PriceFeed = 'projectx') => {
  const state = await feeds.state(userId)
  return state.ok ? state.value.feeds.find(({ feed }) => feed === wanted)?.failure : state.error
}
/** How many sessions lack prices. */
export const missing = async ({ feeds }: FeedStage, { userId }: SyncJournal): Promise<number> => {
  const state = await feeds.state(userId)
  if (!state.ok) throw new Error(state.error.code)
  return state.value.missing
}
