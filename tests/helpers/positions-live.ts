import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import type { RuleState } from '#shared/api/rules.ts'

/** The time of the states of these helpers; `seq` is added to it. */
const statedAt = 1_770_000_000_000

/** Two NQ that were bought in an account; `more` overrides the defaults. */
export const livePosition = (account: string, more: Partial<LivePosition> = {}): LivePosition => ({
  account, contract: 'NQZ6', product: 'NQ', net: 2, averagePrice: '21598.50', currency: 'USD',
  last: { price: '21604.25', at: statedAt }, open: { amount: '230.00', from: 'prices', at: statedAt }, micros: 20, against: [], ...more,
})

/** A rule that holds; `more` overrides the defaults. */
export const ruleState = (rule: RuleState['rule'], more: Partial<RuleState> = {}): RuleState => ({
  rule, state: 'within', unit: 'money', limit: '48000.00', value: '50214.61', left: '2214.61', used: 0.1, by: 'rules', beside: null, since: null, notes: [], ...more,
})

/** An account whose line is up and that has a maximum loss; `more` overrides the defaults. */
export const liveAccount = (account: string, more: Partial<LivePositionAccount> = {}): LivePositionAccount => ({
  account, name: account, firm: 'Apex Trader Funding', currency: 'USD', stage: 'evaluation', passed: null, states: [ruleState('max-loss')], balance: '50214.61', dayNet: '142.50', dayNetOf: '2026-02-13', from: 'live', at: statedAt, nearest: 'max-loss',
  environment: 'demo', line: 'up', downSince: null, prices: 'live', dayRealized: '-87.50', open: { amount: '230.00', from: 'prices', at: statedAt }, restricted: false, ...more,
})

/** All positions as of change number `seq`: none by default. */
export const positionsOf = (seq: number, more: Partial<Omit<PositionsLive, 'seq'>> = {}): PositionsLive => ({ seq, at: statedAt + seq, positions: [], accounts: [], exposure: [], ...more })
