import type { RulePreset } from '../../api/rules.ts'
import { freePayout, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Take Profit Trader'
const slug = 'take-profit-trader'

/** Read of the firm's help center by its public interface. */
const read: Source = {
  url: 'https://github.com/SadraShameli/sadra.nl/tree/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/tpt/test-pro.md',
  named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26',
}

const firmWide: Source = { ...read, url: read.url.replace('test-pro.md', 'README.md') }

/** A second reading of the same help center. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/cae58564d84a4b33250c8926595d9d3c74421e51/libs/shared/src/prop-firm-rules/takeprofittrader.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-03',
}

const sizes = [
  { size: 25_000, target: 1500, loss: 1500, all: 3 },
  { size: 50_000, target: 3000, loss: 2000, all: 6 },
  { size: 75_000, target: 4500, loss: 2500, all: 9 },
  { size: 100_000, target: 6000, loss: 3000, all: 12 },
  { size: 150_000, target: 9000, loss: 4500, all: 15 },
] as const

const shared = [cited('Flat by 16:55 in New York, when the firm closes positions itself', firmWide), cited('Hedging: no counter positions across own accounts, micros and minis being one', firmWide)]

const tests = sizes.map(({ size, target, loss, all }) =>
  preset({
    firm,
    slug,
    plan: 'Test',
    size,
    phase: 'evaluation',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '0', withOpen: true },
      profitTarget: usd(target),
      consistency: { percent: 50, of: 'total' },
      minimumDays: 3,
      contracts: minis(all),
      flatBy: newYork('16:55'),
      noHedging: true,
    },
    facts: [
      cited(`Drawdown limit: ${money(loss)} under the highest closing balance, watched in real time; locks at the start`, read),
      cited(`Profit target: ${money(target)}; no daily loss limit`, read),
      cited('Consistency rule: best day under 50 % of the net profit', read),
      cited('Min trading days: 3 for tests bought from 17 August 2026 on, 5 before', read),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      ...shared,
    ],
    leftOut: ['Tests bought before 17 August 2026 need five days.', 'A best day of 50 % or more raises the target to over twice that day; it does not fail the test.', 'No bots; approved products only.'],
  }),
)

const pros = sizes.map(({ size, loss, all }) =>
  preset({
    firm,
    slug,
    plan: 'PRO',
    size,
    phase: 'funded',
    rules: {
      maxLoss: { amount: usd(loss), trail: 'intraday', locksAt: '0' },
      contracts: minis(all),
      flatBy: newYork('16:55'),
      noHedging: true,
      payout: { ...freePayout, buffer: usd(loss) },
    },
    facts: [
      cited(`Drawdown limit: ${money(loss)} under the highest equity, open profit included; locks at the start`, read),
      cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      cited(`Payout: from the first day on, of what lies over a buffer of ${money(loss)}; no cap`, listed),
      ...shared,
    ],
    leftOut: [
      'The buffer itself is paid out in part when the account is closed.',
      'News: flat one minute before to one minute after FOMC, payrolls and CPI.',
      'At least one day of trading in each calendar week.',
      'PRO+ is by invitation and has rules of its own.',
    ],
  }),
)

/** Take Profit Trader's Test and the PRO account that follows it. */
export const takeProfitTraderPresets: readonly RulePreset[] = [...tests, ...pros]
