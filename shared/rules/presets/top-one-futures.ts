import type { RulePreset } from '../../api/rules.ts'
import { freePayout, inSteps, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Top One Futures'

/** A reading of the firm's help center. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/e9e777c5b5502b5d42a7c38138264fe4bf973e9b/libs/shared/src/prop-firm-rules/toponefutures.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-03',
}

/** The firm's page, as a public file without a known address cites it. */
const practices: Source = { url: 'https://help.toponefutures.com/en/articles/11021584-prohibited-trading-practices', ofFirm: true, named: 'help page as cited in a public rules file, 2026-08' }

const always = { flatBy: newYork('16:10'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 16:10 in New York, then positions are closed', listed), cited('Hedging: none between accounts, other firms’ included', practices)]
const news = 'News: no execution from two minutes before to two minutes after an announcement of high impact.'
const alwaysLeft = ['The firm holds the close alone against the drawdown limit; here the balance is after each trade that closes, which is stricter.', 'On Fridays the session ends at 16:00 in New York.', 'A trade has to last ten seconds.', 'At least one trade in 14 days.']

const access = [
  { size: 25_000, target: 1500, loss: 1000, fundedLoss: 1000, daily: 500, all: 1, steps: [[0, 1]], day: 200, buffer: 1500, cap: 1000 },
  { size: 50_000, target: 3000, loss: 2000, fundedLoss: 2000, daily: 1000, all: 3, steps: [[0, 1], [1500, 2], [2000, 3]], day: 250, buffer: 2000, cap: 1500 },
  { size: 100_000, target: 6000, loss: 3000, fundedLoss: 3000, daily: 1250, all: 5, steps: [[0, 2], [1500, 3], [2000, 4], [3000, 5]], day: 300, buffer: 3000, cap: 2000 },
  { size: 150_000, target: 9000, loss: 4000, fundedLoss: 3500, daily: 1750, all: 7, steps: [[0, 3], [1500, 4], [2500, 5], [3500, 6], [4500, 7]], day: 350, buffer: 4500, cap: 2500 },
] as const

const daily = [
  { size: 25_000, target: 1500, loss: 1000, fundedLoss: 1000, daily: 500, all: 1, steps: [[0, 1]], buffer: 1500, cap: 750 },
  { size: 50_000, target: 3000, loss: 2000, fundedLoss: 2000, daily: 1000, all: 3, steps: [[0, 1], [1500, 2], [2000, 3]], buffer: 2500, cap: 1000 },
  { size: 100_000, target: 6000, loss: 3000, fundedLoss: 2500, daily: 1250, all: 5, steps: [[0, 2], [1500, 3], [2000, 4], [3000, 5]], buffer: 3500, cap: 1500 },
  { size: 150_000, target: 9000, loss: 4500, fundedLoss: 3500, daily: 1850, all: 7, steps: [[0, 3], [1500, 4], [2000, 5], [3000, 6], [4500, 7]], buffer: 4500, cap: 2250 },
] as const

const lossFact = (loss: number) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, by the close alone; locks at the start plus ${money(100)}`, listed)
const dailyFact = (loss: number) => cited(`Daily loss limit: ${money(loss)}, open losses and fees included; pauses the day`, listed)
const locks = 'The first payout locks the drawdown limit too.'

const accessEvaluations = access.map(({ size, target, loss, all }) =>
  preset({
    firm,
    slug: 'top-one-elite-access',
    plan: 'Elite Access',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100' }, profitTarget: usd(target), minimumDays: 1, contracts: minis(all), timeLimit: 30, ...always },
    facts: [
      lossFact(loss),
      cited(`Profit target: ${money(target)}; no daily loss limit, no consistency rule`, listed),
      cited('Min trading days: 1', listed),
      cited('Time limit: 30 days', listed),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      ...alwaysFacts,
    ],
    leftOut: alwaysLeft,
  }),
)

const accessFunded = access.map(({ size, fundedLoss, daily: dailyLoss, steps, day, buffer, cap }) =>
  preset({
    firm,
    slug: 'top-one-elite-access',
    plan: 'Elite Access',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(fundedLoss), trail: 'end-of-day', locksAt: '100' },
      dailyLoss: { amount: usd(dailyLoss), counts: 'with-open', breach: 'pause' },
      contracts: minis(steps[0][1], steps),
      ...always,
      payout: { ...freePayout, buffer: usd(buffer), winningDays: { days: 5, profit: usd(day) }, consistency: { percent: 40, of: 'total' }, cap: usd(cap) },
    },
    facts: [
      lossFact(fundedLoss),
      dailyFact(dailyLoss),
      cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, listed),
      cited(`Payout: buffer ${money(buffer)} has to stay; 5 days of ${money(day)}; at most ${money(cap)}`, listed),
      cited('Payout: best day at most 40 % of the profit since the last payout', listed),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, locks, news, 'From the second payout on half of it has to be new profit. A request is at least 500 USD.'],
  }),
)

const dailyEvaluations = daily.map(({ size, target, loss, daily: dailyLoss, all }) =>
  preset({
    firm,
    slug: 'top-one-elite-daily',
    plan: 'Elite Daily',
    size,
    phase: 'evaluation',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '100' },
      dailyLoss: { amount: usd(dailyLoss), counts: 'with-open', breach: 'pause' },
      profitTarget: usd(target),
      consistency: { percent: 40, of: 'total' },
      contracts: minis(all),
      ...always,
    },
    facts: [
      lossFact(loss),
      dailyFact(dailyLoss),
      cited(`Profit target: ${money(target)}`, listed),
      cited('Consistency rule: no day over 40 % of the total profit', listed),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, ...(size === 150_000 ? ['The firm’s general table of daily loss limits says “n/a” for this size; the plan’s own page gives the figure.'] : [])],
  }),
)

const dailyFunded = daily.map(({ size, fundedLoss, daily: dailyLoss, steps, buffer, cap }) =>
  preset({
    firm,
    slug: 'top-one-elite-daily',
    plan: 'Elite Daily',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(fundedLoss), trail: 'end-of-day', locksAt: '100' },
      dailyLoss: { amount: usd(dailyLoss), counts: 'with-open', breach: 'pause' },
      contracts: minis(steps[0][1], steps),
      ...always,
      payout: { ...freePayout, buffer: usd(buffer), minimumDays: 1, cap: usd(cap) },
    },
    facts: [
      lossFact(fundedLoss),
      dailyFact(dailyLoss),
      cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, listed),
      cited(`Payout: buffer ${money(buffer)} has to stay; each day from the first on; at most ${money(cap)}`, listed),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, locks, news, 'From the second payout on half of it has to be new profit. A request is at least 500 USD.'],
  }),
)

/** Top One Futures’ Elite Access and Elite Daily (V2). */
export const topOneFuturesPresets: readonly RulePreset[] = [...accessEvaluations, ...accessFunded, ...dailyEvaluations, ...dailyFunded]
