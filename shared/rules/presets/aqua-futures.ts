import type { RulePreset } from '../../api/rules.ts'
import { money, preset, type Source, cited } from './preset.ts'

const own: Source = { url: 'https://help.aquafutures.io/en/articles/10080194-maximum-drawdown', ofFirm: true, named: 'the firm’s help center, undated' }
const parameters: Source = { url: 'https://help.aquafutures.io/en/articles/10080201-aquafutures-trading-parameters', ofFirm: true, named: 'the firm’s help center, undated' }
const target: Source = { url: 'https://www.proptradingvibes.com/blog/aquafutures-profit-target-requirements', named: 'PropTradingVibes, 2026-01-09' }
const consistency: Source = { url: 'https://pipback.pilr.dev/firms/aquafutures', named: 'Pipback, undated' }

/** AquaFutures’ Beginner at 25K, the one account whose limits the firm’s own pages name. */
export const aquaFuturesPresets: readonly RulePreset[] = [
  preset({
    firm: 'Aqua Futures',
    slug: 'aqua-futures-beginner',
    plan: 'Beginner',
    size: 25_000,
    phase: 'evaluation',
    rules: {
      maxLoss: { amount: '1500', trail: 'end-of-day', locksAt: '100', withOpen: true },
      dailyLoss: { amount: '625', counts: 'with-open', breach: 'hard' },
      profitTarget: '1500',
      consistency: { percent: 40, of: 'total' },
    },
    facts: [
      cited(`Drawdown limit: ${money(1500)} under the highest closing balance; locks at the start plus ${money(100)}`, own),
      cited(`Daily loss limit: ${money(625)} under the balance at the close; ends the account`, parameters),
      cited(`Profit target: ${money(1500)}, 6 %`, target),
      cited('Consistency rule: no day over 40 % of the profit', consistency),
    ],
    leftOut: [
      'Whether open losses count was not found; here they do, in both limits.',
      'Contracts and the time to be flat were not found.',
      'A payout locks the drawdown limit too.',
      'News: flat from two minutes before to two minutes after releases of tier 1.',
      'At least one trade in seven days.',
    ],
  }),
]
