import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { pushed, type Pushed } from '#shared/api/sync.ts'
import { liveAccount, livePosition, positionsOf, ruleState } from '#tests/helpers/positions-live.ts'
import type { Page } from '@playwright/test'
import { takePushes } from './pushes.ts'
import { copierAccounts } from './stated-copier.ts'
import { finance, state } from './stated.ts'

const key = (at: number): string => copierAccounts[at]?.id ?? ''
const nameOf = (at: number): string => copierAccounts[at]?.name ?? ''

const loss = ruleState('max-loss', { limit: '148500.00', value: '151286.40', left: '2786.40', used: 0.38 })
const day = ruleState('daily-loss', { limit: '3300.00', value: '1213.60', left: '2086.40', used: 0.37 })
const caps = ruleState('contracts', { unit: 'contracts', limit: '15', value: '3', left: '12', used: 0.2 })
const target = ruleState('profit-target', { state: 'open', limit: '159000.00', value: '151286.40', left: '7713.60', used: 0.14 })
const hedging = ruleState('hedging', { unit: 'contracts', limit: '0', value: '0', left: null, used: 0 })

/** What the scanner reads of accounts in every state: calm, near a limit, broken, without prices, not connected, only in the journal, flat. */
export const scannerReading = (now: number, seq = 1, more: Partial<PositionsLive> = {}): PositionsLive => {
  const at = now - 400
  const open = (amount: string, age = 400): LivePosition['open'] => ({ amount, from: 'prices', at: now - age })
  const account = (number: number, given: Partial<LivePositionAccount>): LivePositionAccount =>
    liveAccount(key(number), { name: nameOf(number), firm: number < 4 ? 'MyFundedFutures' : 'Apex Trader Funding', at, ...given })
  return positionsOf(seq, {
    at: now,
    accounts: [
      account(0, { states: [loss, { ...day, by: 'broker' }, caps, target, hedging, ruleState('minimum-days', { state: 'met', unit: 'days', limit: '5', value: '7', left: '-2', used: 1 })], balance: '151056.40', dayRealized: '-1213.60', open: open('230.00') }),
      account(1, { states: [ruleState('max-loss', { limit: '48120.50', value: '48236.75', left: '116.25', used: 0.942 }), ruleState('daily-loss', { limit: '1100.00', value: '983.75', left: '116.25', used: 0.894 }), { ...caps, limit: '5', value: '4', left: '1', used: 0.8 }, { ...target, limit: '53000.00', value: '48236.75', left: '4763.25', used: 0 }], nearest: 'max-loss', balance: '48611.75', dayRealized: '-608.75', open: open('-375.00') }),
      account(2, { prices: 'denied', open: { amount: '87.50', from: 'snapshot', at: now - 3_200 }, dayRealized: '0.00', states: [ruleState('max-loss'), ruleState('daily-loss', { state: 'paused', limit: '1100.00', value: '1104.00', left: '-4.00', used: 1, since: { tradingDay: '2026-02-13', at: new Date(now - 60_000).toISOString() } })], nearest: 'daily-loss' }),
      account(3, { stage: 'funded', line: 'down', downSince: now - 42_000, dayRealized: '512.50', open: open('1245.00', 43_000) }),
      account(4, { stage: 'funded', environment: 'live', restricted: true, dayRealized: '-87.50', states: [ruleState('max-loss', { state: 'breached', left: '-12.50', used: 1, since: { tradingDay: '2026-02-12', at: null } })], open: open('-40.00', 9_000) }),
      account(5, { stage: 'breached', states: [ruleState('max-loss', { state: 'breached', left: '-212.00', used: 1 })], open: null }),
      account(6, { stage: 'passed', line: 'none', prices: 'none', from: 'journal', states: null, nearest: null, open: null, dayRealized: null }),
    ],
    positions: [
      livePosition(key(0), { last: { price: '21604.25', at }, open: open('230.00'), against: [key(4)] }),
      livePosition(key(0), { contract: 'ESZ6', product: 'ES', net: 1, averagePrice: '6052.25', last: { price: '6052.25', at: now - 12_400 }, open: open('0.00', 12_400), micros: 10 }),
      livePosition(key(1), { net: -3, averagePrice: '21598.00', last: { price: '21604.25', at }, open: open('-375.00'), micros: -30, against: [key(0), key(3)] }),
      livePosition(key(1), { contract: 'MGCG7', product: 'MGC', net: 1, averagePrice: '2651.40', last: null, open: null, micros: 1 }),
      livePosition(key(2), { contract: 'MNQZ6', product: 'MNQ', net: 5, averagePrice: '21600.00', last: null, open: { amount: '87.50', from: 'snapshot', at: now - 3_200 }, micros: 5 }),
      livePosition(key(3), { net: 4, averagePrice: '21573.125', last: { price: '21604.25', at: now - 43_000 }, open: open('1245.00', 43_000), micros: 40 }),
      livePosition(key(4), { net: -1, averagePrice: '21602.25', last: { price: '21604.25', at: now - 9_000 }, open: open('-40.00', 9_000), micros: -10, against: [key(0)] }),
    ],
    exposure: [{ market: 'ES', net: 10, long: 10, short: 0, accounts: 1 }, { market: 'GC', net: 1, long: 1, short: 0, accounts: 1 }, { market: 'NQ', net: 25, long: 65, short: -40, accounts: 5 }],
    ...more,
  })
}

/** Many accounts of several logins, each with the same positions, whose prices all move with `tick`. */
export const crowdedReading = (now: number, tick: number, accounts = 50, each = 4): PositionsLive => {
  const markets = [['NQZ6', 'NQ', 21_604, 20], ['ESZ6', 'ES', 6_052, 50], ['MGCG7', 'MGC', 2_651, 10], ['MCLF7', 'MCL', 71, 100], ['M2KZ6', 'M2K', 2_412, 5]] as const
  const keys = Array.from({ length: accounts }, (_, at) => `tradovate:demo:${String(1_000 + at)}`)
  return positionsOf(tick, {
    at: now,
    accounts: keys.map((account, at) =>
      liveAccount(account, { name: `LOAD-${String(at + 1)}`, states: [loss, day, caps, target, hedging].map((one) => ({ ...one, left: one.unit === 'money' ? (2_000 + at + tick / 4).toFixed(2) : one.left })), balance: '151056.40', open: { amount: (tick + at).toFixed(2), from: 'prices', at: now } }),
    ),
    positions: keys.flatMap((account, at) =>
      markets.slice(0, each).map(([contract, product, price, value], which) =>
        livePosition(account, { contract, product, net: (at + which) % 2 === 0 ? 2 : -1, averagePrice: price.toFixed(2), last: { price: (price + (tick % 40) / 4).toFixed(2), at: now }, open: { amount: (((tick % 40) / 4) * value).toFixed(2), from: 'prices', at: now }, micros: 20 }),
      ),
    ),
    exposure: markets.slice(0, each).map(([, product]) => ({ market: product, net: tick % 90, long: 100, short: (tick % 90) - 100, accounts })),
  })
}

/** Answers the scanner's calls in the program's place. */
export const stubPositions = async (page: Page, reading: () => PositionsLive): Promise<void> => {
  await state(page, { accounts: () => copierAccounts, finances: () => copierAccounts.map(({ id, name }) => finance(id, { name })) })
  await page.route(/\/api\/positions$/, (route) => route.fulfill({ json: reading() }))
}

type Pushes = { readonly pushStated: (data: string) => void }

/** Takes the program's pushes away from the page, and gives what pushes in its place; before the page is loaded. */
export const takePositionPushes = async (page: Page) => {
  const push = await takePushes(page, { alone: true })
  return {
    push: (event: Pushed): Promise<void> => push(pushed.parse(event)),
    /** Pushes these states of the positions in turn, `times` in all and one every `everyMs`, each with a number of its own; gives the number that the last one had before. */
    flood: async (events: readonly Extract<Pushed, { type: 'positions' }>[], times: number, everyMs: number): Promise<number> => {
      const texts = events.map((event) => JSON.stringify(pushed.parse(event)))
      await page.evaluate(
        ([given, most, every]) =>
          new Promise<void>((done) => {
            let at = 0
            const timer = setInterval(() => {
              const text = (given[at % given.length] ?? '').replace(/"seq":\d+/, `"seq":${String(1_000 + at)}`)
              ;(window as unknown as Pushes).pushStated(text)
              at += 1
              if (at < most) return
              clearInterval(timer)
              done()
            }, every)
          }),
        [texts, times, everyMs] as const,
      )
      return events[(times - 1) % events.length]?.live.seq ?? 0
    },
  }
}
