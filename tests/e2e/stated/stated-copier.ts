import type { AnswerOf } from '#shared/api/route.ts'
import type { copierRoutes, DryRunAnswer, LedgerCopy, LedgerRow, LiveFollower } from '#shared/api/copier.ts'
import { copierLive, follower, group, liveGroup, rule, stance } from '#tests/helpers/copier-live.ts'
import type { Page } from '@playwright/test'
import { connection, finance, state } from './stated.ts'

type Reading = AnswerOf<typeof copierRoutes.copier>
type Figures = AnswerOf<typeof copierRoutes.copierFigures>

const key = (number: number): string => `tradovate:${number < 20 ? 'demo' : 'live'}:${String(number)}`
const names = ['NGF-EVAL150K-104871', 'NGF-EVAL50K-104233', 'NGF-EVAL50K-104234', 'NGF-EVAL50K-104235', 'KELLER-FUNDED-2', 'KELLER-FUNDED-3', 'PA-APEX-778120-04']

/** Seven accounts of two logins, as the program gives them. */
export const copierAccounts = names.map((name, at) =>
  connection(key(11 + at), {}, { name, loginId: at < 4 ? 'ava' : 'ben', loginName: at < 4 ? 'ava.morgan' : 'ben.keller', firm: at < 4 ? 'MyFundedFutures' : 'Apex Trader Funding' }),
)

const micro = [{ from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }, { from: 'ES', to: 'MES', factor: { num: 10, den: 1 } }]
const day = (net: string, openAgeMs = 400): LiveFollower['day'] => ({ net, currency: 'USD', openAgeMs })

/** Two groups in all the states that a follower can be in. */
export const copierReading = (more: Partial<Reading> = {}): Reading => ({
  groups: [
    group('g1', key(11), [rule(key(12), { mappings: micro }), rule(key(13), { ratio: { num: 1, den: 2 } }), rule(key(14)), rule(key(15)), rule(key(16), { ratio: { num: 2, den: 1 } })], { name: 'Morning NQ' }),
    group('g2', key(11), [rule(key(17), { on: false })], { name: 'Gold, to try', dryRun: true, exits: false }),
  ],
  live: copierLive(
    7,
    [
      liveGroup('g1', [
        follower(key(12), { contracts: [stance({ exits: { working: 2, waiting: 0, refused: null } }), stance({ leaderContract: 'ESZ6', contract: 'MESZ6', leader: -1, target: -10, actual: -10 })], day: day('412.50'), latencyMs: 3.42 }),
        follower(key(13), { contracts: [stance({ contract: 'NQZ6', target: 1, actual: 0, inFlight: 1, why: 'order-working', exits: { working: 0, waiting: 1, refused: null } })], day: day('-86.25'), latencyMs: 4.1 }),
        follower(key(14), { state: 'out-of-step', why: 'by-hand', contracts: [stance({ contract: 'NQZ6', target: 2, actual: 1, difference: 1, why: 'by-hand' })], day: day('120.00', 42_000), latencyMs: 12.7, hedgedBy: { account: key(17), product: 'NQ' } }),
        follower(key(15), { state: 'locked', lock: 'daily-loss', day: day('-1012.75'), latencyMs: 5.02 }),
        follower(key(16), { line: 'connecting', why: 'line-down', state: 'out-of-step', contracts: [stance({ contract: 'NQZ6', target: 4, actual: 2, difference: 2, why: 'line-down' })], day: null, latencyMs: 1204 }),
      ], { leader: [{ contract: 'NQZ6', net: 2 }, { contract: 'ESZ6', net: -1 }], waiting: { reduce: 0, enter: 1, exits: 3 } }),
      liveGroup('g2', [follower(key(17), { state: 'off' })], { state: 'off', dryRun: true }),
    ],
    [{ loginId: 'ava', used: 312, limit: 5_000, waiting: 0 }, { loginId: 'ben', used: 4_610, limit: 5_000, waiting: 4 }],
  ),
  limit: 10,
  used: 6,
  ...more,
})

/** The states in which money is at risk, and exits left behind by a group that is off. */
export const troubledReading = (): Reading => {
  const refused = { working: 0, waiting: 1, refused: 'Stop price is above the market' }
  return copierReading({
    groups: [
      group('g1', key(11), [rule(key(12)), rule(key(13)), rule(key(14), { invert: true }), rule(key(15)), rule(key(16))], { name: 'Morning NQ' }),
      group('g2', key(11), [rule(key(17))], { name: 'Gold', exits: true }),
    ],
    live: copierLive(
      7,
      [
        liveGroup('g1', [
          follower(key(12), { contracts: [stance({ leaderContract: 'GCZ6', contract: 'GCZ6', leader: 0, target: 0, actual: 2, yours: 2, why: 'yours' })], day: day('35.00') }),
          follower(key(13), { state: 'out-of-step', why: 'rejected', contracts: [stance({ contract: 'NQZ6', leader: 0, target: 0, actual: 2, difference: -2, why: 'rejected', exits: { working: 1, waiting: 0, refused: null } })], day: day('-86.25'), latencyMs: 4.1 }),
          follower(key(14), { state: 'unprotected', why: 'exit-refused', contracts: [stance({ contract: 'NQZ6', target: -2, actual: -2, why: 'exit-refused', unprotected: true, exits: refused, retryAt: Date.now() + 90_000 })], day: day('120.00'), latencyMs: 12.7 }),
          follower(key(15), { contracts: [stance({ contract: 'NQZ6', target: 2, actual: 2, notMirrored: [{ type: 'TrailingStop', why: 'type' }] })], day: day('412.50'), latencyMs: 5.02 }),
          follower(key(16), { undecided: [{ contract: 'NQZ6', leader: 2, follower: 0 }, { contract: 'MESZ6', leader: -1, follower: 3 }], contracts: [stance({ contract: 'NQZ6', target: 2, actual: 0, difference: 2, why: 'asks' }), stance({ leaderContract: 'ESZ6', contract: 'MESZ6', leader: -1, target: -10, actual: 3, difference: -13, why: 'asks' })] }),
        ], { leader: [{ contract: 'NQZ6', net: 2 }] }),
        liveGroup('g2', [follower(key(17), { state: 'off' })], { state: 'off', left: [{ account: key(17), contract: 'GCZ6', side: 'sell', qty: 2, type: 'Stop', price: '4012.5' }, { account: key(17), contract: 'GCZ6', side: 'sell', qty: 2, type: 'Limit', price: '4060.0' }] }),
      ],
      [{ loginId: 'ava', used: 17, limit: 5_000, waiting: 0 }, { loginId: 'ben', used: 18, limit: 5_000, waiting: 3 }],
    ),
  })
}

const copy = (number: number, more: Partial<LedgerCopy> = {}): LedgerCopy => ({
  follower: key(number), contract: 'NQZ6', clOrdId: `fb-g1-9z-${String(number)}-1`, orderId: '81', side: 'buy', qty: 2, filled: 2, price: '21604.50', status: 'filled', why: null,
  times: { toWire: 3.42, toAck: 41, toFill: 66 }, slippage: { ticks: 2, money: '10.00', currency: 'USD' }, ...more,
})

const row = (id: number, more: Partial<LedgerRow> = {}): LedgerRow => ({
  id, groupId: 'g1', at: new Date(Date.UTC(2026, 1, 13, 15, 41, id)).toISOString(), kind: 'fill',
  leader: { account: key(11), contract: 'NQZ6', fillId: String(9_000 + id), side: 'buy', qty: 2, price: '21604.25' },
  copies: [
    copy(12, { contract: 'MNQZ6', qty: 20, filled: 20, slippage: null }),
    copy(13, { status: 'part-filled', filled: 1, why: 'order-working', slippage: { ticks: 1, money: '5.00', currency: 'USD' } }),
    copy(14, { status: 'not-sent', why: 'by-hand', clOrdId: null, filled: 0, price: null, times: { toWire: null, toAck: null, toFill: null }, slippage: null }),
    copy(15, { status: 'rejected', why: 'Account is in liquidation only mode', filled: 0, price: null, times: { toWire: 3.6, toAck: 38, toFill: null }, slippage: null }),
    copy(16, { slippage: { ticks: -1, money: '-5.00', currency: 'USD' } }),
  ], ...more,
})

/** A page of the ledger with an event of every kind. */
const ledgerRows: LedgerRow[] = [
  row(9), row(8, { kind: 'exit', leader: { account: key(11), contract: 'NQZ6', fillId: null, side: 'sell', qty: 2, price: '21590.00' }, copies: [copy(12), copy(16)] }),
  row(7, { kind: 'repair', leader: { account: key(11), contract: 'NQZ6', fillId: null, side: null, qty: 0, price: null }, copies: [copy(16, { qty: 4, filled: 4 })] }),
  row(6, { groupId: 'g2', copies: [copy(17, { status: 'dry-run', slippage: null })] }), row(5, { kind: 'flatten', copies: [copy(15, { side: 'sell' })] }), row(4, { kind: 'start', copies: [] }),
]

/** Latency and slippage of five followers. */
export const copierFigures: Figures = {
  followers: [12, 13, 14, 15, 16].map((number, at) => ({
    follower: key(number),
    toWire: { count: 412 - at, p50: 1.9 + at / 3, p95: 6.4 + at, p99: 14.2 + at * 3 },
    toAck: { count: 410, p50: 38, p95: 92, p99: 180 + at },
    toFill: { count: 398, p50: 61, p95: 140, p99: 310 + at * 20 },
    slippage: at === 4 ? [] : [{ currency: 'USD', copies: 380, contracts: 690, ticks: [214, -60, 0, 480][at] ?? 0, money: ['1070.00', '-300.00', '0.00', '2400.00'][at] ?? '0.00' }],
    notSent: at * 3,
    rejected: at === 3 ? 5 : 0,
  })),
}

const would = { currency: 'USD', gross: '412.50', fees: '18.36', net: '394.14' }

const noDryRun: DryRunAnswer = { days: [], total: { orders: 0, contracts: 0, money: [] }, open: [], assumed: 0, unpriced: 0, feesFrom: { own: [], account: [], related: [], table: [], unknown: [] } }

/** What a dry run of two followers would have come to. */
const statedDryRun: DryRunAnswer = {
  days: [
    {
      day: '2026-02-13', orders: 6, contracts: 44, money: [would],
      lines: [
        { follower: key(16), contract: 'NQZ6', orders: 2, bought: 2, sold: 2, currency: 'USD', gross: '200.00', fees: '9.16', net: '190.84' },
        { follower: key(17), contract: 'MNQZ6', orders: 4, bought: 20, sold: 20, currency: 'USD', gross: '212.50', fees: '9.20', net: '203.30' },
      ],
    },
    { day: '2026-02-12', orders: 1, contracts: 2, money: [{ currency: 'USD', gross: '0.00', fees: '4.58', net: '-4.58' }], lines: [{ follower: key(16), contract: 'GCZ6', orders: 1, bought: 0, sold: 2, currency: 'USD', gross: '0.00', fees: '4.58', net: '-4.58' }] },
  ],
  total: { orders: 7, contracts: 46, money: [{ currency: 'USD', gross: '412.50', fees: '22.94', net: '389.56' }] },
  open: [{ follower: key(16), contract: 'GCZ6', net: -2, runEnded: false }], assumed: 1, unpriced: 2, feesFrom: { own: ['MNQZ6'], account: ['MNQZ6', 'GCZ6'], related: ['GCZ6'], table: ['MNQZ6'], unknown: ['XQZZ6'] },
}

/** Answers the copier's calls in the program's place. */
export const stubCopier = async (page: Page, reading: () => Reading, { rows = ledgerRows, figures = copierFigures, dryRun = rows.length === 0 ? noDryRun : statedDryRun }: { rows?: LedgerRow[]; figures?: Figures; dryRun?: DryRunAnswer } = {}): Promise<void> => {
  await state(page, { accounts: () => copierAccounts, finances: () => copierAccounts.map(({ id, name }) => finance(id, { name })) })
  await page.route(/\/api\/copier$/, (route) => route.fulfill({ json: reading() }))
  await page.route(/\/api\/copier\/ledger\?/, (route) => route.fulfill({ json: { rows, more: rows.length > 0 } }))
  await page.route(/\/api\/copier\/dry-run\?/, (route) => route.fulfill({ json: dryRun }))
  await page.route(/\/api\/copier\/figures\?/, (route) => route.fulfill({ json: figures }))
}
