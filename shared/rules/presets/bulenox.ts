import type { RulePreset } from '../../api/rules.ts'
import { chicago, cited, freePayout, inSteps, minis, money, preset, type Source, usd } from './preset.ts'

const firm = 'Bulenox'

/** A reading of the firm's help center, page by page. */
const listed: Source = {
  url: 'https://github.com/kyoshiroDev/my-trading-coach/blob/43ae60deed4abc5bb3718631049e5a4414a37034/libs/shared/src/prop-firm-rules/bulenox.json',
  named: 'help center as listed by kyoshiroDev/my-trading-coach, 2026-10-09',
  readOn: '2026-11-28',
}

const sizes = [
  { size: 25_000, target: 1500, loss: 1500, daily: 500, all: 3, steps: [[0, 2], [1501, 3]], cap: 1000 },
  { size: 50_000, target: 3000, loss: 2500, daily: 1100, all: 7, steps: [[0, 2], [1501, 4], [4001, 7]], cap: 1500 },
  { size: 100_000, target: 6000, loss: 3000, daily: 2200, all: 12, steps: [[0, 3], [2001, 5], [3001, 8], [5001, 12]], cap: 1750 },
  { size: 150_000, target: 9000, loss: 4500, daily: 3300, all: 15, steps: [[0, 5], [4001, 8], [8001, 10], [12_001, 15]], cap: 2000 },
] as const

const flat = cited('Flat by 15:59 in Chicago; nothing is held overnight', listed)

const options = [
  { slug: 'bulenox-option-1', plan: 'Option 1', master: 'Option 1 Master', trail: 'intraday' },
  { slug: 'bulenox-option-2', plan: 'Option 2', master: 'Option 2 Master', trail: 'end-of-day' },
] as const

/** Bulenox's Qualification and Master accounts: the trailing drawdown (Option 1), and the one that moves at the close, with a daily loss limit and scaling (Option 2). */
export const bulenoxPresets: readonly RulePreset[] = options.flatMap(({ slug, plan, master, trail }) =>
  sizes.flatMap(({ size, target, loss, daily, all, steps, cap }) => {
    const atClose = trail === 'end-of-day'
    const under = `${money(loss)} under the ${atClose ? 'highest closing balance, watched in real time' : 'highest equity, open profit included'}`
    const rules = {
      dailyLoss: atClose ? ({ amount: usd(daily), counts: 'with-open', breach: 'pause' } as const) : null,
      contracts: atClose ? minis(steps[0][1], steps) : minis(all),
      flatBy: chicago('15:59'),
    }
    const facts = [
      ...(atClose ? [cited(`Daily loss limit: ${money(daily)}, open losses and commissions included; pauses the day`, listed)] : []),
      atClose ? cited(`Max contracts by profit: ${inSteps(steps)}; ten micros as one`, listed) : cited(`Max contracts: ${String(all)}, or ten times as many micros`, listed),
      flat,
    ]
    const maxLoss = { amount: usd(loss), trail, ...(atClose ? { withOpen: true } : {}) }
    return [
      preset({
        firm,
        slug,
        plan,
        size,
        phase: 'evaluation',
        rules: { ...rules, maxLoss: { ...maxLoss, locksAt: null }, profitTarget: usd(target), timeLimit: 30 },
        facts: [
          cited(`Drawdown limit: ${under}; no lock in the qualification`, listed),
          cited(`Profit target: ${money(target)}; no minimum of days, no consistency rule`, listed),
          cited('Time limit: 30 days of access, which a reset does not prolong', listed),
          ...facts,
        ],
        leftOut: ['A page of an earlier time sells the qualification by the month instead of for 30 days.'],
      }),
      preset({
        firm,
        slug,
        plan: master,
        size,
        phase: 'funded',
        rules: { ...rules, maxLoss: { ...maxLoss, locksAt: '100' }, payout: { ...freePayout, buffer: usd(loss + 100), minimumDays: 10, consistency: { percent: 40, of: 'total' }, cap: usd(cap) } },
        facts: [
          cited(`Drawdown limit: ${under}; locks at the start plus ${money(100)}`, listed),
          cited(`Payout: 10 days; ${money(loss + 100)} have to stay; best day at most 40 % of the profit; each of the first three at most ${money(cap)}`, listed),
          ...facts,
        ],
        leftOut: [
          ...(atClose ? ['The daily loss limit falls away for good once the drawdown limit locks.'] : []),
          'A payout is at least 1,000 USD; from the fourth on there is no cap. The ten days count from the last payout on.',
          'After three payouts the firm may move the account to live money, with rules of its own.',
        ],
      }),
    ]
  }),
)
