import type { RulePreset } from '../../api/rules.ts'
import { chicago, cited, freePayout, inSteps, minis, money, preset, type Source, usd } from './preset.ts'

const firm = 'Topstep'
const readOn = '2026-11-28'

/** Two readings of the firm's help center, two weeks apart, which agree in every limit. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/293b52aa8725690b2f495df7d9c48b3336511685/libs/shared/src/prop-firm-rules/topstep.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-03',
  readOn,
}
const read: Source = {
  url: 'https://github.com/SadraShameli/sadra.nl/tree/2bc4d5944a447b4a5d31febc2494d74573fc56fc#prop-firms/topstep/consistency.md',
  named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-19',
  readOn,
}

const hedging: Source = { url: 'https://help.topstep.com/en/articles/13747047-understanding-hedging', ofFirm: true, named: 'the firm’s help center, in a copy of April 2026', readOn }

// The plan's steps are open below and closed above: 2,000 USD itself is still on the step before.
const sizes = [
  { size: 50_000, target: 3000, loss: 2000, daily: 1000, all: 5, steps: [[0, 2], [1500, 3], [2000.01, 5]], cap: 2000, consistentCap: 3000 },
  { size: 100_000, target: 6000, loss: 3000, daily: 2000, all: 10, steps: [[0, 3], [1500, 4], [2000.01, 5], [3000.01, 10]], cap: 3000, consistentCap: 4000 },
  { size: 150_000, target: 9000, loss: 4500, daily: 3000, all: 15, steps: [[0, 3], [1500, 4], [2000.01, 5], [3000.01, 10], [4500.01, 15]], cap: 5000, consistentCap: 6000 },
] as const

const always = { flatBy: chicago('15:10'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 15:10 in Chicago; positions are closed from 15:08 on', listed), cited('Hedging: no opposite positions across accounts', hedging)]
const alwaysLeft = (daily: number): string[] => [
  `A daily loss limit of ${money(daily)}, which pauses the day, is an option at purchase: add it if you chose it.`,
  'Products that close earlier have to be flat by then; before an early close of the market by 15 minutes.',
  'Hedging: products that move together count too, such as ES and NQ.',
  'News: the full size may not be traded into a major announcement.',
]

const combines = sizes.map(({ size, target, loss, daily, all }) =>
  preset({
    firm,
    slug: 'topstep-combine',
    plan: 'Trading Combine',
    size,
    phase: 'evaluation',
    rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '0', withOpen: true }, profitTarget: usd(target), consistency: { percent: 55, of: 'total' }, contracts: minis(all), ...always },
    facts: [
      cited(`Drawdown limit: ${money(loss)} under the highest closing balance, watched in real time; locks at the start`, listed),
      cited(`Profit target: ${money(target)}; no time limit`, listed),
      cited('Consistency rule: best day at most 55 % of the profit; a better day raises the target', read),
      cited(`Max contracts: ${String(all)}, ten micros as one`, listed),
      ...alwaysFacts,
    ],
    leftOut: [...alwaysLeft(daily), 'No minimum of days is stated; the consistency rule asks for two.'],
  }),
)

const paths = [
  { slug: 'topstep-xfa-standard', plan: 'Express Funded, Standard', capOf: 'cap', terms: { winningDays: { days: 5, profit: usd(150) } }, asks: `5 days of ${money(150)}` },
  { slug: 'topstep-xfa-consistency', plan: 'Express Funded, Consistency', capOf: 'consistentCap', terms: { minimumDays: 3, consistency: { percent: 40, of: 'total' } }, asks: '3 days with a trade; best day at most 40 % of the profit' },
] as const

const expressFunded = paths.flatMap(({ slug, plan, capOf, terms, asks }) =>
  sizes.map(({ size, loss, daily, steps, ...caps }) =>
    preset({
      firm,
      slug,
      plan,
      size,
      phase: 'funded',
      startsAt: 0,
      rules: { maxLoss: { amount: usd(loss), trail: 'end-of-day', locksAt: '0', withOpen: true }, contracts: minis(steps[0][1], steps), payout: { ...freePayout, ...terms, cap: usd(caps[capOf]) }, ...always },
      facts: [
        cited('The funded account starts at 0 and shows the profit alone', listed),
        cited(`Drawdown limit: ${money(loss)} under the highest closing balance, watched in real time; locks at 0`, listed),
        cited(`Max contracts by profit: ${inSteps(steps)}; ten micros as one`, listed),
        cited(`Payout: ${asks}; at most ${money(caps[capOf])}`, read),
        ...alwaysFacts,
      ],
      leftOut: [
        ...alwaysLeft(daily),
        'The steps of contracts go by the profit at the close before.',
        'A payout is at most half of the balance and at least 125 USD. Days and consistency count from the last payout on.',
        'The first payout sets the drawdown limit to 0 for good.',
        'Accounts with a daily loss limit from their purchase have twice the cap for a limited time.',
        'Micro silver, bitcoin and ether count as more than a tenth.',
        'Inactivity: an account without a trade for 30 days may be closed.',
      ],
    }),
  ),
)

/** Topstep's Trading Combine and the Express Funded Account that follows it, by its two paths to a payout. */
export const topstepPresets: readonly RulePreset[] = [...combines, ...expressFunded]
