import type { RulePreset } from '../../api/rules.ts'
import { freePayout, inSteps, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Alpha Futures'
const files = 'https://github.com/SadraShameli/sadra.nl/tree'

/** Readings of the firm's help center, page by page, of the 50K accounts alone. */
const readStandard: Source = { url: `${files}/bba625d6c6bdefff23ebd904c36c4e2b83b6dc5f#prop-firms/alphafutures/standard.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-20' }
const readZero: Source = { url: `${files}/3b271831942eb7efe8077013b5e9aaa97f8d8b54#prop-firms/alphafutures/zero.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-20' }
const readAdvanced: Source = { url: `${files}/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/alphafutures/advanced.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }
const readDirect: Source = { url: `${files}/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/alphafutures/direct.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }
const firmWide: Source = { url: `${files}/29619eca6616b935d1b3540da70034833cd0d903#prop-firms/alphafutures/README.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }

const size = 50_000
const always = { flatBy: newYork('16:20'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 16:20 in New York; the firm closes positions', firmWide), cited('Hedging: hedging and reverse trading across accounts are prohibited', firmWide)]
const alwaysLeft = ['At least one trade every ten trading days.', 'No trading within 2 % of a price limit.', 'MBT and MET count as whole contracts.']
const news = 'News: no orders from two minutes before to two minutes after an event of high impact.'
const half = 'Payout: at most half of the account’s profit; a best day of exactly 40 % already blocks it.'

const drawdownFact = (loss: number, source: Source) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, open losses counting; locks at the start`, source)
const guard = (source: Source) => cited(`Daily loss limit: ${money(1000)}, open losses and fees included; pauses the day`, source)
const follows = (amount: number) => ({ amount: usd(amount), trail: 'end-of-day', locksAt: '0', withOpen: true }) as const
const pauses = { amount: '1000', counts: 'with-open', breach: 'pause' } as const
const standardSteps = [[0, 2], [1500, 3], [2000, 5]] as const
const zeroSteps = [[0, 1], [1500, 2], [2000, 3]] as const

/** Alpha Futures’ Standard, Zero, Advanced and Direct at 50K, the size that was read. */
export const alphaFuturesPresets: readonly RulePreset[] = [
  preset({
    firm,
    slug: 'alpha-futures-standard',
    plan: 'Standard',
    size,
    phase: 'evaluation',
    rules: { maxLoss: follows(2000), profitTarget: '3000', consistency: { percent: 50, of: 'total' }, minimumDays: 2, contracts: minis(5), ...always },
    facts: [
      drawdownFact(2000, readStandard),
      cited(`Profit target: ${money(3000)}; no daily loss guard`, readStandard),
      cited('Consistency rule: no day over 50 % of the net profit', readStandard),
      cited('Min trading days: 2', readStandard),
      cited('Max contracts: 5 minis, 50 micros', readStandard),
      ...alwaysFacts,
    ],
    leftOut: alwaysLeft,
  }),
  preset({
    firm,
    slug: 'alpha-futures-standard',
    plan: 'Standard',
    size,
    phase: 'funded',
    rules: {
      maxLoss: follows(2000),
      dailyLoss: pauses,
      contracts: minis(standardSteps[0][1], standardSteps),
      payout: { ...freePayout, winningDays: { days: 5, profit: '200' }, consistency: { percent: 40, of: 'total' }, cap: '3000' },
      ...always,
    },
    facts: [
      drawdownFact(2000, readStandard),
      guard(readStandard),
      cited(`Max contracts by profit: ${inSteps(standardSteps)}; ten micros as one`, readStandard),
      cited(`Payout: 5 days of ${money(200)}; best day under 40 % since the last; at most ${money(3000)}`, readStandard),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, news, half],
  }),
  preset({
    firm,
    slug: 'alpha-futures-zero',
    plan: 'Zero',
    size,
    phase: 'evaluation',
    rules: { maxLoss: follows(2000), dailyLoss: pauses, profitTarget: '3000', minimumDays: 1, contracts: minis(3), ...always },
    facts: [
      drawdownFact(2000, readZero),
      guard(readZero),
      cited(`Profit target: ${money(3000)}; no consistency rule`, readZero),
      cited('Min trading days: 1', readZero),
      cited('Max contracts: 3 minis, 30 micros', readZero),
      ...alwaysFacts,
    ],
    leftOut: alwaysLeft,
  }),
  preset({
    firm,
    slug: 'alpha-futures-zero',
    plan: 'Zero',
    size,
    phase: 'funded',
    rules: {
      maxLoss: follows(2000),
      dailyLoss: pauses,
      contracts: minis(zeroSteps[0][1], zeroSteps),
      payout: { ...freePayout, winningDays: { days: 5, profit: '200' }, consistency: { percent: 40, of: 'total' }, cap: '1500' },
      ...always,
    },
    facts: [
      drawdownFact(2000, readZero),
      guard(readZero),
      cited(`Max contracts by profit: ${inSteps(zeroSteps)}; ten micros as one`, readZero),
      cited(`Payout: 5 days of ${money(200)}; best day under 40 % since the last; at most ${money(1500)}`, readZero),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, news, half],
  }),
  preset({
    firm,
    slug: 'alpha-futures-advanced',
    plan: 'Advanced',
    size,
    phase: 'evaluation',
    rules: { maxLoss: follows(1750), profitTarget: '4000', consistency: { percent: 40, of: 'total' }, minimumDays: 3, contracts: minis(5), ...always },
    facts: [
      drawdownFact(1750, readAdvanced),
      cited(`Profit target: ${money(4000)}; no daily loss guard`, readAdvanced),
      cited('Consistency rule: no day over 40 % of the net profit', readAdvanced),
      cited('Min trading days: 3', readAdvanced),
      cited('Max contracts: 5 minis, 50 micros', readAdvanced),
      ...alwaysFacts,
    ],
    leftOut: alwaysLeft,
  }),
  preset({
    firm,
    slug: 'alpha-futures-advanced',
    plan: 'Advanced',
    size,
    phase: 'funded',
    rules: { maxLoss: follows(1750), contracts: minis(5), payout: { ...freePayout, cap: '15000' }, ...always },
    facts: [
      drawdownFact(1750, readAdvanced),
      cited('Max contracts: 5 minis, 50 micros; no scaling plan', readAdvanced),
      cited(`Payout: at most ${money(15_000)}; no consistency rule, no daily loss guard`, firmWide),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, 'The firm’s terms name a maximum loss of 2,000 USD, its product page and overview 1,750 USD; the lower is taken.', 'Which days a payout asks for was not read. A request is at least 1,000 USD.'],
  }),
  preset({
    firm,
    slug: 'alpha-futures-direct',
    plan: 'Direct',
    size,
    phase: 'funded',
    rules: { maxLoss: follows(2000), dailyLoss: pauses, contracts: minis(4), payout: { ...freePayout, consistency: { percent: 20, of: 'total' }, cap: '2000' }, ...always },
    facts: [
      drawdownFact(2000, readDirect),
      guard(readDirect),
      cited('Max contracts: 4 minis, 40 micros', readDirect),
      cited(`Payout: best day under 20 % of the profit since the last; at most ${money(2000)}`, readDirect),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft, news, 'A best day of exactly 20 % already blocks a payout.', 'The first payout asks for 3,000 USD of profit, later ones for 2,000 USD.', 'One page of the firm names a cap of 1,500 USD.'],
  }),
]
