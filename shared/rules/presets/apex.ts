import type { RulePreset } from '../../api/rules.ts'
import { freePayout, inSteps, minis, money, newYork, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Apex Trader Funding'

/** A page-by-page reading of Apex's help center. */
const read: Source = {
  url: 'https://github.com/SadraShameli/sadra.nl/tree/1216eba04636828b14f10c21b24c951736e92e67#prop-firms/apex/eod.md',
  named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-23',
}

const readIntraday: Source = { url: 'https://github.com/SadraShameli/sadra.nl/tree/daf2e68b13645eaab715a6fca8fcd203e2f169f2#prop-firms/apex/intraday.md', named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-19' }

/** A second reading of the same help center, two weeks later. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/43ae60deed4abc5bb3718631049e5a4414a37034/libs/shared/src/prop-firm-rules/apex.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-07',
}

const sizes = [
  { size: 25_000, target: 1500, loss: 1000, evaluationDaily: 500, daily: 500, all: 4, steps: [[0, 1], [1000, 2]], eodDay: 100, intradayDay: 100, eodCap: 1000, intradayCap: 1000 },
  { size: 50_000, target: 3000, loss: 2000, evaluationDaily: 1000, daily: 1000, all: 6, steps: [[0, 2], [1500, 3], [3000, 4]], eodDay: 250, intradayDay: 200, eodCap: 1500, intradayCap: 1500 },
  { size: 100_000, target: 6000, loss: 3000, evaluationDaily: 1500, daily: 1750, all: 8, steps: [[0, 3], [2000, 4], [3000, 5], [5000, 6]], eodDay: 300, intradayDay: 250, eodCap: 2000, intradayCap: 2000 },
  { size: 150_000, target: 9000, loss: 4000, evaluationDaily: 2000, daily: 2500, all: 12, steps: [[0, 4], [2000, 5], [3000, 7], [5000, 10]], eodDay: 350, intradayDay: 300, eodCap: 2500, intradayCap: 2500 },
] as const

const plans = [
  { trail: 'end-of-day', watched: { withOpen: true }, slug: 'apex-eod', plan: 'EOD Trail' },
  { trail: 'intraday', watched: {}, slug: 'apex-intraday', plan: 'Intraday Trail' },
] as const

const flat = cited('Flat by 16:59 in New York; a position at the close is prohibited', listed)
const trails = { 'end-of-day': 'the highest closing balance, watched in real time', intraday: 'the highest equity, open profit included' } as const

const evaluations = plans.flatMap(({ trail, watched, slug, plan }) =>
  sizes.map(({ size, target, loss, evaluationDaily, all }) =>
    preset({
      firm,
      slug,
      plan,
      size,
      phase: 'evaluation',
      rules: {
        maxLoss: { amount: usd(loss), trail, locksAt: null, ...watched },
        dailyLoss: trail === 'end-of-day' ? { amount: usd(evaluationDaily), counts: 'with-open', breach: 'pause' } : null,
        profitTarget: usd(target),
        contracts: minis(all),
        flatBy: newYork('16:59'),
        noHedging: true,
        timeLimit: 30,
      },
      facts: [
        cited(`Drawdown limit: ${money(loss)} under ${trails[trail]}; on Tradovate it never locks`, listed),
        ...(trail === 'end-of-day' ? [cited(`Daily loss limit: ${money(evaluationDaily)}, fixed; pauses the day`, read)] : []),
        cited(`Profit target: ${money(target)}; no minimum of days, no consistency rule`, listed),
        cited(`Max contracts: ${String(all)}, ten micros as one`, listed),
        cited('Time limit: 30 calendar days of access', listed),
        cited('Hedging: evaluations may not be passed by hedging them against each other', read),
        flat,
      ],
      leftOut: [
        'On Rithmic and WealthCharts the drawdown limit locks at the profit target’s balance; this preset is Tradovate’s.',
        'Agricultural products and holidays close earlier.',
        'News: no orders on both sides of an announcement.',
      ],
    }),
  ),
)

const performance = plans.flatMap(({ trail, watched, slug, plan }) =>
  sizes.map(({ size, loss, daily, steps, eodDay, intradayDay, eodCap, intradayCap }) => {
    const [day, cap, source] = trail === 'end-of-day' ? [eodDay, eodCap, read] : [intradayDay, intradayCap, size === 50_000 ? readIntraday : listed]
    return preset({
      firm,
      slug,
      plan: `${plan} PA`,
      size,
      phase: 'funded',
      rules: {
        maxLoss: { amount: usd(loss), trail, locksAt: '100', ...watched },
        dailyLoss: { amount: usd(daily), counts: 'with-open', breach: 'pause' },
        contracts: minis(steps[0][1], steps),
        flatBy: newYork('16:59'),
        payout: { ...freePayout, buffer: usd(loss + 100), winningDays: { days: 5, profit: usd(day) }, consistency: { percent: 50, of: 'total' }, cap: usd(cap) },
      },
      facts: [
        cited(`Drawdown limit: ${money(loss)} under ${trails[trail]}; locks at the start plus ${money(100)}`, listed),
        cited(`Daily loss limit: ${money(daily)} at level 1, open losses included; pauses the day`, listed),
        cited(`Max contracts by profit at the close: ${inSteps(steps)}; ten micros as one`, read),
        cited(`Payout: safety net ${money(loss + 100)} has to stay; 5 days of ${money(day)}; first payout at most ${money(cap)}`, source),
        cited('Payout: best day under 50 % of the profit since the last payout', listed),
        flat,
      ],
      leftOut: [
        'The daily loss limit grows with the levels of the scaling plan; level 1 is the strictest.',
        'A best day of exactly 50 % already blocks a payout; profit and days count from the last payout on.',
        'The cap grows from payout to payout; after the sixth the account is closed. A request is at least 500 USD.',
        'Inactivity: two days of 50 USD in every 30 days. Whether positions may be hedged across PAs was not found.',
      ],
    })
  }),
)

/** Apex Trader Funding's plans since March 2026: end-of-day and intraday trail, evaluation and Performance Account. */
export const apexPresets: readonly RulePreset[] = [...evaluations, ...performance]
