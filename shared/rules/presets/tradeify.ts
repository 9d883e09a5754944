import type { RulePreset } from '../../api/rules.ts'
import { freePayout, inSteps, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Tradeify'

const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/90a6beaa4abe4302c357bf4c33687cd10ae14fe6/libs/shared/src/prop-firm-rules/tradeify.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-07',
}

/** An earlier reading of the same help center, of the 50K accounts alone. */
const read: Source = {
  url: 'https://github.com/SadraShameli/sadra.nl/tree/13cc0b57f335713792d3f77d4aa07d646063c47d#prop-firms/tradeify/select-flex.md',
  named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-18',
}

const guide: Source = { url: 'https://blog.traderspost.io/article/how-to-get-funded-with-tradeify', named: 'as told by TradersPost’s guide' }

const always = { flatBy: newYork('16:45'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 16:45 in New York, else the firm closes positions', listed), cited('Hedging: no opposing positions across accounts', guide)]
const alwaysLeft = ['On shortened holidays flat by 12:59 in New York.', 'At least one trade a week.']
const fundedLeft = [...alwaysLeft, 'A payout request locks the drawdown limit too.', 'More than half of the trades and of the profit has to come from trades over ten seconds.']

const following = (loss: number, locks: boolean) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, watched in real time; ${locks ? `locks at the start plus ${money(100)}` : 'no lock in the evaluation'}`, listed)
const daily = (loss: number) => cited(`Daily loss limit: ${money(loss)}, open losses included; pauses the day`, listed)
const capped = (all: number) => cited(`Max contracts: ${String(all)}, ten micros as one`, listed)

const growth = [
  { size: 25_000, target: 1500, loss: 1000, pause: 600, all: 1, day: 100, from: 1500, cap: 1000 },
  { size: 50_000, target: 3000, loss: 2000, pause: 1250, all: 4, day: 150, from: 3000, cap: 1500 },
  { size: 100_000, target: 6000, loss: 3500, pause: 2500, all: 8, day: 200, from: 4500, cap: 2000 },
  { size: 150_000, target: 9000, loss: 5000, pause: 3750, all: 12, day: 250, from: 6500, cap: 2500 },
] as const

const growthPresets = growth.flatMap(({ size, target, loss, pause, all, day, from, cap }) => [
  preset({
    firm,
    slug: 'tradeify-growth',
    plan: 'Growth',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: null, withOpen: true }, dailyLoss: { amount: usd(pause), counts: 'with-open', breach: 'pause' }, profitTarget: usd(target), contracts: minis(all), ...always },
    facts: [following(loss, false), daily(pause), cited(`Profit target: ${money(target)}; no consistency rule`, listed), capped(all), ...alwaysFacts],
    leftOut: [...alwaysLeft, 'Accounts bought before 12 September 2025 have other caps.'],
  }),
  preset({
    firm,
    slug: 'tradeify-growth',
    plan: 'Growth',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true },
      dailyLoss: { amount: usd(pause), counts: 'with-open', breach: 'pause' },
      contracts: minis(all),
      payout: { ...freePayout, winningDays: { days: 5, profit: usd(day) }, consistency: { percent: 35, of: 'total' }, cap: usd(cap) },
      ...always,
    },
    facts: [
      following(loss, true),
      daily(pause),
      capped(all),
      cited(`Payout: 5 days over ${money(day)}; best day at most 35 % of the profit; first payout at most ${money(cap)}`, listed),
      ...alwaysFacts,
    ],
    leftOut: [
      ...fundedLeft,
      `A request asks for ${money(from)} of profit on the account.`,
      'From 6 % of profit on the daily loss limit rises to the maximum loss.',
      'The cap grows from payout to payout; profit and days count from the last payout on.',
      'Accounts bought before 12 September 2025 have other figures.',
    ],
  }),
])

const lightning = [
  { size: 25_000, loss: 1000, pause: null, all: 1, goal: 1500, cap: 1000 },
  { size: 50_000, loss: 2000, pause: 1250, all: 4, goal: 3000, cap: 2000 },
  { size: 100_000, loss: 4000, pause: 2500, all: 8, goal: 6000, cap: 2500 },
  { size: 150_000, loss: 5250, pause: 3000, all: 12, goal: 9000, cap: 3000 },
] as const

const lightningPresets = lightning.map(({ size, loss, pause, all, goal, cap }) =>
  preset({
    firm,
    slug: 'tradeify-lightning',
    plan: 'Lightning Funded',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true },
      dailyLoss: pause === null ? null : { amount: usd(pause), counts: 'with-open', breach: 'pause' },
      contracts: minis(all),
      payout: { ...freePayout, consistency: { percent: 20, of: 'total' }, cap: usd(cap) },
      ...always,
    },
    facts: [
      following(loss, true),
      ...(pause === null ? [] : [daily(pause)]),
      capped(all),
      cited(`Payout: best day at most 20 % of the profit for the first; at most ${money(cap)}`, listed),
      ...alwaysFacts,
    ],
    leftOut: [
      ...fundedLeft,
      `The first payout asks for ${money(goal)} of profit, later ones for less.`,
      'Consistency is 25 % for the second payout and 30 % from the third on; another page of the firm names 20 % alone.',
      ...(pause === null ? [] : ['From 6 % of profit on the daily loss limit rises to the maximum loss.']),
      ...(size === 150_000 ? ['Accounts bought before the new dashboard keep a maximum loss of 6,000 USD and a daily loss limit of 3,750 USD.'] : []),
    ],
  }),
)

const select = [
  { size: 25_000, target: 1500, loss: 1000, all: 1, steps: [[0, 1], [1500, 2]], flexDay: 100, flexCap: 1250, dailyLoss: 1000, pause: 500, dailyCap: 600 },
  { size: 50_000, target: 3000, loss: 2000, all: 4, steps: [[0, 2], [1500, 3], [2000, 4]], flexDay: 150, flexCap: 2500, dailyLoss: 2000, pause: 1000, dailyCap: 1250 },
  { size: 100_000, target: 6000, loss: 3000, all: 8, steps: [[0, 3], [1500, 4], [2000, 5], [3000, 8]], flexDay: 200, flexCap: 3500, dailyLoss: 2500, pause: 1250, dailyCap: 1750 },
  { size: 150_000, target: 9000, loss: 4500, all: 12, steps: [[0, 3], [1500, 4], [2000, 5], [3000, 8], [4500, 12]], flexDay: 250, flexCap: 4500, dailyLoss: 3500, pause: 1750, dailyCap: 2500 },
] as const

const selectEvaluations = select.map(({ size, target, loss, all }) =>
  preset({
    firm,
    slug: 'tradeify-select',
    plan: 'Select',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: null, withOpen: true }, profitTarget: usd(target), consistency: { percent: 40, of: 'total' }, minimumDays: 3, contracts: minis(all), ...always },
    facts: [
      following(loss, false),
      cited(`Profit target: ${money(target)}; no daily loss limit`, listed),
      cited('Consistency rule: no day over 40 % of the total profit', listed),
      cited('Min trading days: 3', read),
      capped(all),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, 'With the add-on consistency is 50 %, and two days are enough.', ...(size === 50_000 ? ['Accounts bought before the new dashboard keep a target of 2,500 USD.'] : [])],
  }),
)

const selectFlex = select.map(({ size, loss, steps, flexDay, flexCap }) =>
  preset({
    firm,
    slug: 'tradeify-select-flex',
    plan: 'Select Flex',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100', withOpen: true },
      contracts: minis(steps[0][1], steps),
      payout: { ...freePayout, winningDays: { days: 5, profit: usd(flexDay) }, cap: usd(flexCap) },
      ...always,
    },
    facts: [
      following(loss, true),
      cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, listed),
      cited(`Payout: 5 days of ${money(flexDay)}; at most ${money(flexCap)}; no minimum balance`, listed),
      ...alwaysFacts,
    ],
    leftOut: [
      ...fundedLeft,
      'No daily loss limit, no consistency rule.',
      'Payout: at most half of the total profit; accounts bought before September 2026 may have another cap.',
      'A step of the scaling plan that was reached stays.',
    ],
  }),
)

const selectDaily = select.map(({ size, dailyLoss, pause, steps, dailyCap }) =>
  preset({
    firm,
    slug: 'tradeify-select-daily',
    plan: 'Select Daily',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(dailyLoss), trail: 'end-of-day', locksAt: '100', withOpen: true },
      dailyLoss: { amount: usd(pause), counts: 'with-open', breach: 'pause' },
      contracts: minis(steps[0][1], steps),
      payout: { ...freePayout, buffer: usd(dailyLoss + 100), cap: usd(dailyCap) },
      ...always,
    },
    facts: [
      following(dailyLoss, true),
      daily(pause),
      cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, listed),
      cited(`Payout: each day over a buffer of ${money(dailyLoss + 100)}; at most ${money(dailyCap)}`, listed),
      ...alwaysFacts,
    ],
    leftOut: [
      ...fundedLeft,
      'Payout: at most twice the profit since the last; accounts bought before September 2026 may have another cap.',
      'A step of the scaling plan that was reached stays.',
    ],
  }),
)

/** Tradeify’s Growth, Lightning Funded and Select, Flex or Daily. */
export const tradeifyPresets: readonly RulePreset[] = [...growthPresets, ...lightningPresets, ...selectEvaluations, ...selectFlex, ...selectDaily]
