import type { RulePreset } from '../../api/rules.ts'
import { chicago, freePayout, minis, money, preset, type Source, cited, usd } from './preset.ts'

const firm = 'Funded Next Futures'
const files = 'https://github.com/SadraShameli/sadra.nl/tree/1216eba04636828b14f10c21b24c951736e92e67#prop-firms/fundednext'

/** Readings of the firm's help center, page by page. */
const readPro: Source = { url: `${files}/rapid-pro.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-23' }
const readDaily: Source = { url: `${files}/rapid-daily.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-23' }
const readFlex: Source = { url: `${files}/flex.md`, named: 'help center as listed by SadraShameli/sadra.nl, 2026-09-26' }
const conduct: Source = { url: `${files}/trading-rules.md`, named: 'as listed by SadraShameli/sadra.nl, 2026-09-20' }
const own: Source = { url: 'https://helpfutures.fundednext.com/hi/articles/10725665', ofFirm: true, named: 'the firm’s help center' }

const always = { flatBy: chicago('15:10'), noHedging: true } as const
const alwaysFacts = [cited('Flat by 15:10 in Chicago, then positions are closed', own), cited('Hedging: prohibited conduct by the terms of service', conduct)]
const alwaysLeft = ['An account without a trade for 30 days ends.', 'No trading within 2 % of a price limit.']
const closed = 'After the fifth payout the account is closed.'
const mixed = 'How minis and micros held together count is not published for this plan; here ten micros are one.'
const noCap = 'Max contracts: the firm’s page names a cap for the challenge alone.'

const drawdownFact = (loss: number, source: Source) => cited(`Drawdown limit: ${money(loss)} under the highest closing balance, equity counting; locks at the start plus ${money(100)}`, source)
const follows = (amount: number) => ({ amount: usd(amount), trail: 'end-of-day', locksAt: '100', withOpen: true }) as const

const rapid = [
  { size: 25_000, target: 1500, loss: 1000, pause: 500, all: 2, cap: 800 },
  { size: 50_000, target: 3000, loss: 2000, pause: 1000, all: 4, cap: 1200 },
  { size: 100_000, target: 5000, loss: 2500, pause: 1250, all: 6, cap: 2500 },
] as const

const proPresets = rapid.flatMap(({ size, target, loss, pause, all, cap }) => {
  const addOn = `With the add-on there is a daily loss limit of ${money(pause)}.`
  return [
    preset({
      firm,
      slug: 'funded-next-rapid-pro',
      plan: 'Rapid Pro',
      size,
      phase: 'evaluation',
      rules: { maxLoss: follows(loss), profitTarget: usd(target), contracts: minis(all), ...always },
      facts: [drawdownFact(loss, readPro), cited(`Profit target: ${money(target)}; no consistency rule`, readPro), cited(`Max contracts: ${String(all)} e-minis, ten micros as one`, readPro), ...alwaysFacts],
      leftOut: [...alwaysLeft, addOn],
    }),
    preset({
      firm,
      slug: 'funded-next-rapid-pro',
      plan: 'Rapid Pro',
      size,
      phase: 'funded',
      rules: { maxLoss: follows(loss), payout: { ...freePayout, consistency: { percent: 40, of: 'total' }, cap: usd(cap) }, ...always },
      facts: [drawdownFact(loss, readPro), cited(`Payout: best day at most 40 % of the profit; at most ${money(cap)}; no buffer`, readPro), ...alwaysFacts],
      leftOut: [...alwaysLeft, addOn, noCap, closed, 'A payout every three days asks for 500 USD of profit in its cycle.'],
    }),
  ]
})

const dailyPresets = rapid.flatMap(({ size, target, loss, pause, all, cap }) => {
  const pauses = { amount: usd(pause), counts: 'with-open', breach: 'pause' } as const
  const pauseFact = cited(`Daily loss limit: ${money(pause)}, open losses and fees included; pauses the day`, readDaily)
  const trails = 'The daily loss limit is said to follow the highest closing balance; here it is counted from the session’s start.'
  return [
    preset({
      firm,
      slug: 'funded-next-rapid-daily',
      plan: 'Rapid Daily',
      size,
      phase: 'evaluation',
      rules: { maxLoss: follows(loss), dailyLoss: pauses, profitTarget: usd(target), contracts: minis(all), ...always },
      facts: [drawdownFact(loss, readDaily), pauseFact, cited(`Profit target: ${money(target)}; no consistency rule`, readDaily), cited(`Max contracts: ${String(all)} e-minis, ten micros as one`, readDaily), ...alwaysFacts],
      leftOut: [...alwaysLeft, trails],
    }),
    preset({
      firm,
      slug: 'funded-next-rapid-daily',
      plan: 'Rapid Daily',
      size,
      phase: 'funded',
      rules: { maxLoss: follows(loss), dailyLoss: pauses, payout: { ...freePayout, buffer: usd(loss + 100), cap: usd(cap) }, ...always },
      facts: [drawdownFact(loss, readDaily), pauseFact, cited(`Payout: daily, of what lies over a buffer of ${money(loss + 100)}; at most ${money(cap)}`, readDaily), ...alwaysFacts],
      leftOut: [...alwaysLeft, trails, noCap, closed, 'A payout asks for 500 USD of profit over the buffer in its cycle.'],
    }),
  ]
})

const flex = [
  { size: 50_000, target: 2500, loss: 1500, all: 3, day: 200, cap: 1500 },
  { size: 100_000, target: 5000, loss: 2500, all: 5, day: 200, cap: 2500 },
  { size: 150_000, target: 8000, loss: 4000, all: 8, day: 250, cap: 4000 },
] as const

const flexPresets = flex.flatMap(({ size, target, loss, all, day, cap }) => {
  const capped = cited(`Max contracts: ${String(all)} e-minis, or ten times as many micros`, readFlex)
  return [
    preset({
      firm,
      slug: 'funded-next-flex',
      plan: 'Flex',
      size,
      phase: 'evaluation',
      rules: { maxLoss: follows(loss), profitTarget: usd(target), consistency: { percent: 40, of: 'total' }, contracts: minis(all), ...always },
      facts: [
        drawdownFact(loss, readFlex),
        cited(`Profit target: ${money(target)}; no daily loss limit`, readFlex),
        cited('Consistency rule: 40 %; a larger day raises the profit that is asked to that day over 40 %', readFlex),
        capped,
        ...alwaysFacts,
      ],
      leftOut: [...alwaysLeft, mixed],
    }),
    preset({
      firm,
      slug: 'funded-next-flex',
      plan: 'Flex',
      size,
      phase: 'funded',
      rules: { maxLoss: follows(loss), contracts: minis(all), payout: { ...freePayout, winningDays: { days: 5, profit: usd(day) }, cap: usd(cap) }, ...always },
      facts: [drawdownFact(loss, readFlex), capped, cited(`Payout: 5 days of ${money(day)}; half of the profit, at most ${money(cap)}`, readFlex), ...alwaysFacts],
      leftOut: [...alwaysLeft, mixed, closed, 'The first payout locks the drawdown limit too. A payout asks for 500 USD of profit in its cycle.'],
    }),
  ]
})

/** FundedNext Futures’ Rapid Pro, Rapid Daily and Flex. */
export const fundedNextFuturesPresets: readonly RulePreset[] = [...proPresets, ...dailyPresets, ...flexPresets]
