import type { LivePosition, LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import type { RuleState } from '#shared/api/rules.ts'

/** When the states of these helpers are told, but for their number. */
export const toldAt = 1_770_000_000_000

/** Two NQ that were bought in an account, but for what is told. */
export const livePosition = (account: string, more: Partial<LivePosition> = {}): LivePosition => ({
  account, contract: 'NQZ6', product: 'NQ', net: 2, averagePrice: '21598.50', tickSize: '0.25', pointValue: '20', currency: 'USD',
  last: { price: '21604.25', at: toldAt }, open: { amount: '230.00', from: 'prices', at: toldAt }, micros: 20, against: [], ...more,
})

/** A rule that holds, but for what is told. */
export const ruleState = (rule: RuleState['rule'], more: Partial<RuleState> = {}): RuleState => ({
  rule, state: 'within', unit: 'money', limit: '48000.00', value: '50214.61', left: '2214.61', used: 0.1, by: 'rules', beside: null, since: null, notes: [], ...more,
})

/** An account whose line is up and that has a maximum loss, but for what is told. */
export const liveAccount = (account: string, more: Partial<LivePositionAccount> = {}): LivePositionAccount => ({
  account, name: account, firm: 'Apex Trader Funding', currency: 'USD', stage: 'evaluation', passed: null, states: [ruleState('max-loss')], balance: '50214.61', dayNet: '142.50', dayNetOf: '2026-02-13', from: 'live', at: toldAt, nearest: 'max-loss',
  environment: 'demo', line: 'up', downSince: null, prices: 'live', dayRealised: '-87.50', open: { amount: '230.00', from: 'prices', at: toldAt }, restricted: false, ...more,
})

/** All positions as change number `seq` tells them: none, but for what is told. */
export const positionsOf = (seq: number, more: Partial<Omit<PositionsLive, 'seq'>> = {}): PositionsLive => ({ seq, at: toldAt + seq, positions: [], accounts: [], exposure: [], ...more })
