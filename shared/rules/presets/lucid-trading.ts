import type { RulePreset } from '../../api/rules.ts'
import { cited, freePayout, inSteps, minis, money, newYork, preset, type Source, usd } from './preset.ts'

const firm = 'Lucid Trading'
const slug = 'lucid-flex'
const plan = 'LucidFlex'
const readOn = '2026-11-28'

/** Two readings of the firm's help center, two weeks apart, which agree in every limit. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/08acf09fd9b4cae4687ac21a3dc2ce8b32c3e9ba/libs/shared/src/prop-firm-rules/lucid.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-02',
  readOn,
}
const files = 'https://github.com/SadraShameli/sadra.nl/tree'
const read: Source = { url: `${files}/3b271831942eb7efe8077013b5e9aaa97f8d8b54#prop-firms/lucid/flex.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-20', readOn }
const firmWide: Source = { url: `${files}/f4f5af61a8151ed322c6d7081fa4d9c547d112f1#prop-firms/lucid/README.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-20', readOn }

const sizes = [
  { size: 25_000, target: 1250, loss: 1000, all: 2, steps: [[0, 1], [1000, 2]], day: 100, cap: 1000 },
  { size: 50_000, target: 3000, loss: 2000, all: 4, steps: [[0, 2], [1000, 3], [2000, 4]], day: 150, cap: 2000 },
  { size: 100_000, target: 6000, loss: 3000, all: 6, steps: [[0, 3], [1000, 4], [2000, 5], [3000, 6]], day: 200, cap: 2500 },
  { size: 150_000, target: 9000, loss: 4500, all: 10, steps: [[0, 4], [1000, 5], [2000, 6], [3000, 8], [4500, 10]], day: 250, cap: 3000 },
] as const

const always = { flatBy: newYork('16:45'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 16:45 in New York, when the firm closes positions', listed), cited('Hedging: no opposite positions across accounts', firmWide)]
const following = (loss: number) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, watched in real time; locks at the start plus ${money(100)}`, listed)
const alwaysLeft = [
  'A daily loss limit, which pauses the day, is an option at purchase: add it if you chose it.',
  'On holidays flat before the early close.',
  'Hedging: products that move together count too, across accounts.',
  'Inactivity: at least one trade in 30 days.',
]

/** Lucid Trading's LucidFlex, bought without a daily loss limit: evaluation and funded account. */
export const lucidTradingPresets: readonly RulePreset[] = sizes.flatMap(({ size, target, loss, all, steps, day, cap }) => [
  preset({
    firm,
    slug,
    plan,
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true }, profitTarget: usd(target), consistency: { percent: 50, of: 'total' }, contracts: minis(all), ...always },
    facts: [
      following(loss),
      cited(`Profit target: ${money(target)}`, listed),
      cited('Consistency rule: best day at most 50 % of the profit', read),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, 'The firm grants a small cushion over 50 %, and names no figure for it.', 'No minimum of days is stated; the consistency rule asks for two.'],
  }),
  preset({
    firm,
    slug,
    plan,
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true },
      contracts: minis(steps[0][1], steps),
      payout: { ...freePayout, winningDays: { days: 5, profit: usd(day) }, cap: usd(cap) },
      ...always,
    },
    facts: [
      following(loss),
      cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, read),
      cited(`Payout: 5 days of ${money(day)}; at most ${money(cap)}; no buffer`, read),
      ...alwaysFacts,
    ],
    leftOut: [
      ...alwaysLeft,
      'A payout is at most half of the profit and at least 500 USD. Days count from the last payout on, and the profit since then has to be above 0.',
      'A payout request sets the drawdown limit to where it locks.',
      'After five payouts the account moves to live money, with rules of its own.',
    ],
  }),
])
