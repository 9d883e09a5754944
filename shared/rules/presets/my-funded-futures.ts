import type { RulePreset } from '../../api/rules.ts'
import { freePayout, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'MyFundedFutures'
const files = 'https://github.com/SadraShameli/sadra.nl/tree'

/** Page-by-page readings of the firm's help center. */
const readRapid: Source = { url: `${files}/daf2e68b13645eaab715a6fca8fcd203e2f169f2#prop-firms/mffu/rapid.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-20' }
const readRapidEod: Source = { url: `${files}/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/mffu/rapid-eod.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }
const readPro: Source = { url: `${files}/13cc0b57f335713792d3f77d4aa07d646063c47d#prop-firms/mffu/pro.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-18' }
const readBuilder: Source = { url: `${files}/f5ae363bf20d466beeb925e80379610875701150#prop-firms/mffu/builder.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-18' }
const firmWide: Source = { url: `${files}/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/mffu/README.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }

/** A second reading of the same help center. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/33a6445b9c9c4144d407a301d2a83709f012f9e2/libs/shared/src/prop-firm-rules/myfundedfutures.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-03',
}

const always = { flatBy: newYork('16:10'), noHedging: true } as const
const alwaysFacts = [
  cited('Flat by 16:10 in New York, when positions are closed', firmWide),
  cited('Hedging: prohibited in all forms on the same underlying, micros and minis being one', firmWide),
]
const holidays = 'On holidays positions are not closed for you; holding over the close breaks the account.'
const news = 'News: flat from two minutes before to two minutes after releases of tier 1.'
const closing = (loss: number, source: Source) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, open losses counting; locks at the start plus ${money(100)}`, source)
const zero = (source: Source) => cited('The funded account starts at 0 and shows the profit alone', source)
const firstPayout = 'The buffer is asked of the first payout; later ones ask for new profit since the last.'

const rapid = [
  { size: 25_000, target: 1500, loss: 1000, all: 3 },
  { size: 50_000, target: 3000, loss: 2000, all: 5 },
  { size: 100_000, target: 6000, loss: 3000, all: 8 },
  { size: 150_000, target: 9000, loss: 4500, all: 10 },
] as const

const rapidPresets = rapid.flatMap(({ size, target, loss, all }) => [
  preset({
    firm,
    slug: 'mffu-rapid',
    plan: 'Rapid',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, profitTarget: usd(target), consistency: { percent: 50, of: 'total' }, minimumDays: 2, contracts: minis(all), ...always },
    facts: [
      closing(loss, listed),
      cited(`Profit target: ${money(target)}; no daily loss limit`, readRapid),
      cited('Consistency rule: 50 %, in the evaluation alone', readRapid),
      cited('Min trading days: 2', readRapid),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, readRapid),
      ...alwaysFacts,
    ],
    leftOut: [holidays, 'Whether the best day is held against the profit or the target was not read; against the profit is asked here.'],
  }),
  preset({
    firm,
    slug: 'mffu-rapid',
    plan: 'Rapid',
    size,
    phase: 'funded',
    startsAt: 0,
    rules: { maxLoss: { amount: usd(loss), trail: 'intraday', locksAt: '100' }, contracts: minis(all), payout: { ...freePayout, buffer: usd(loss + 100) }, ...always },
    facts: [
      zero(listed),
      cited(`Drawdown limit: ${money(loss)} under the highest equity, open profit included; locks at ${money(100)}`, listed),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      cited(`Payout: ${money(loss + 100)} of realized profit first, then each 24 hours`, listed),
      ...alwaysFacts,
    ],
    leftOut: [holidays, news, firstPayout, 'A page of the firm says that the drawdown limit locks after the first payout; the help center and its support say by balance.'],
  }),
])

const rapidEod = [
  { size: 25_000, target: 1500, loss: 1000, all: 2 },
  { size: 50_000, target: 3000, loss: 2000, all: 3 },
] as const

const rapidEodPresets = rapidEod.flatMap(({ size, target, loss, all }) => [
  preset({
    firm,
    slug: 'mffu-rapid-eod',
    plan: 'Rapid EOD',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, profitTarget: usd(target), consistency: { percent: 30, of: 'total' }, minimumDays: 4, contracts: minis(all), ...always },
    facts: [
      closing(loss, listed),
      cited(`Profit target: ${money(target)}; no daily loss limit`, readRapidEod),
      cited('Consistency rule: 30 %, in the evaluation alone', readRapidEod),
      cited('Min trading days: 4', readRapidEod),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, readRapidEod),
      ...alwaysFacts,
    ],
    leftOut: [
      holidays,
      'The plan’s pages speak of no breach during the session; the firm’s page on end-of-day drawdown counts open losses, and so does this preset.',
      'An account without a trade for seven days may be closed.',
    ],
  }),
  preset({
    firm,
    slug: 'mffu-rapid-eod',
    plan: 'Rapid EOD',
    size,
    phase: 'funded',
    startsAt: 0,
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, contracts: minis(all), payout: { ...freePayout, buffer: usd(loss + 100) }, ...always },
    facts: [
      zero(readRapidEod),
      cited(`Drawdown limit: ${money(loss)} under the highest closing balance, open losses counting; locks at ${money(100)}`, listed),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, readRapidEod),
      cited(`Payout: ${money(loss + 100)} of profit first, then daily; no consistency rule`, readRapidEod),
      ...alwaysFacts,
    ],
    leftOut: [holidays, news, firstPayout, 'The plan’s pages speak of no breach during the session; a newer reading of the help center counts open losses, and so does this preset.', 'An account without a trade for seven days may be closed.'],
  }),
])

const pro = [
  { size: 50_000, target: 3000, loss: 2000, all: 3, funded: 5 },
  { size: 100_000, target: 6000, loss: 3000, all: 6, funded: 10 },
  { size: 150_000, target: 9000, loss: 4500, all: 9, funded: 15 },
] as const

const proPresets = pro.flatMap(({ size, target, loss, all, funded }) => [
  preset({
    firm,
    slug: 'mffu-pro',
    plan: 'Pro',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, profitTarget: usd(target), consistency: { percent: 50, of: 'total' }, minimumDays: 2, contracts: minis(all), ...always },
    facts: [
      closing(loss, listed),
      cited(`Profit target: ${money(target)}; no daily loss limit`, readPro),
      cited('Consistency rule: 50 %, in the evaluation alone', readPro),
      cited('Min trading days: 2', readPro),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, readPro),
      ...alwaysFacts,
    ],
    leftOut: [holidays, 'Whether the best day is held against the profit or the target was not read; against the profit is asked here.', 'Another reading gives the funded account’s caps for this phase too; the lower are taken.'],
  }),
  preset({
    firm,
    slug: 'mffu-pro',
    plan: 'Pro',
    size,
    phase: 'funded',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: null, withOpen: true }, contracts: { ...minis(funded), micros: 'whole' }, payout: { ...freePayout, buffer: usd(loss + 100), cap: '100000' }, ...always },
    facts: [
      cited(`Drawdown limit: ${money(loss)} under the highest closing balance until the first payout`, listed),
      cited(`Max contracts: ${String(funded)} minis or ${String(funded)} micros, as published`, listed),
      cited(`Payout: buffer ${money(loss + 100)}; at most ${money(100_000)} for a user; no daily loss limit, no consistency rule`, readPro),
      ...alwaysFacts,
    ],
    leftOut: [
      holidays,
      news,
      'With the first payout the drawdown limit moves to the start plus 100 USD and stays: set the lock then.',
      'A payout each 14 calendar days; a request is at least 1,000 USD.',
    ],
  }),
])

const builder = [
  { size: 25_000, target: 1500, loss: 1000, daily: 600, all: 2, cap: 1000 },
  { size: 50_000, target: 3000, loss: 2000, daily: 1000, all: 4, cap: 2000 },
] as const

const builderPresets = builder.flatMap(({ size, target, loss, daily, all, cap }) => {
  const shared = { dailyLoss: { amount: usd(daily), counts: 'with-open', breach: 'pause' }, contracts: minis(all), ...always } as const
  const sharedFacts = [cited(`Daily loss limit: ${money(daily)}; pauses the day`, firmWide), cited(`Max contracts: ${String(all)}, or ten times as many micros`, readBuilder), ...alwaysFacts]
  const basis = 'Whether the daily loss limit counts open losses was not found; here it does.'
  return [
    preset({
      firm,
      slug: 'mffu-builder',
      plan: 'Builder',
      size,
      phase: 'evaluation',
      rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, profitTarget: usd(target), minimumDays: 1, ...shared },
      facts: [closing(loss, readBuilder), cited(`Profit target: ${money(target)}; no consistency rule`, readBuilder), cited('Min trading days: 1', readBuilder), ...sharedFacts],
      leftOut: [holidays, basis, ...(size === 50_000 ? ['With the add-on the maximum loss is 1,500 USD.'] : [])],
    }),
    preset({
      firm,
      slug: 'mffu-builder',
      plan: 'Builder',
      size,
      phase: 'funded',
      startsAt: 0,
      rules: {
        maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true },
        payout: { ...freePayout, buffer: usd(loss + 100), minimumDays: 2, consistency: { percent: 50, of: 'total' }, cap: usd(cap) },
        ...shared,
      },
      facts: [
        zero(readBuilder),
        closing(loss, readBuilder),
        cited(`Payout: buffer ${money(loss + 100)}; 2 days; best day at most 50 % of the profit; at most ${money(cap)}`, readBuilder),
        ...sharedFacts,
      ],
      leftOut: [holidays, basis, firstPayout, 'After the fifth payout the account becomes a live one.', ...(size === 50_000 ? ['With the add-on the maximum loss is 1,500 USD.'] : [])],
    }),
  ]
})

/** MyFundedFutures’ Rapid, Rapid EOD, Pro and Builder. */
export const myFundedFuturesPresets: readonly RulePreset[] = [...rapidPresets, ...rapidEodPresets, ...proPresets, ...builderPresets]
