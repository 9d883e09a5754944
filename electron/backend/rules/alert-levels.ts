import type { AlertSettings, RuleState } from '#shared/api/rules.ts'
import type { LivePositionAccount, PositionsLive } from '#shared/api/positions.ts'
import { endsAccount } from './rule-standings.ts'
import type { AlertMark, NewAlert } from './rows.ts'

/** The alerts that are due, the levels that count as alerted from now on, and those that may alert again. */
export type Due = { readonly alerts: readonly NewAlert[]; readonly marks: readonly AlertMark[]; readonly dropped: readonly AlertMark[] }

/** The key of a mark. */
export const markKey = ({ account, rule, level }: Pick<AlertMark, 'account' | 'rule' | 'level'>): string => `${rule} ${String(level)} ${account}`

const whole = 100
/** A level may alert again this many points below it. */
const backOff = 10

/**
 * The levels exceeded without an alert in the session `today`: only a rule's highest level alerts, and those below
 * count as alerted. A limit that is reached is level 100, whatever is set. A breach of an earlier day does not alert,
 * nor does anything on a lost account.
 */
export const dueAlerts = ({ at, accounts }: Pick<PositionsLive, 'at' | 'accounts'>, { at: levels }: Pick<AlertSettings, 'at'>, marks: ReadonlyMap<string, AlertMark>, today: string): Due => {
  const due: { readonly [Name in keyof Due]: Due[Name][number][] } = { alerts: [], marks: [], dropped: [] }
  const wanted = [...new Set([...levels, whole])].sort((one, other) => one - other)
  for (const account of accounts) {
    for (const state of account.states ?? []) {
      const used = percentOf(state)
      if (used === null || isOld(account, state, today)) continue
      const { rule } = state
      const markOf = (level: number): AlertMark | undefined => marks.get(markKey({ account: account.account, rule, level }))
      const hasAlerted = (level: number): boolean => {
        const mark = markOf(level)
        // Time limits only run down: their levels do not alert each day.
        return mark !== undefined && (mark.tradingDay === today || rule === 'time-limit')
      }
      const passed = wanted.filter((level) => used >= level && !hasAlerted(level))
      const highest = passed.at(-1)
      due.marks.push(...passed.map((level) => ({ account: account.account, rule, level, tradingDay: today })))
      if (highest !== undefined && !wanted.some((level) => level > highest && hasAlerted(level))) due.alerts.push(alertOf(account, state, highest, at))
      // Contracts fall with every closed trade: only too many of them alert again.
      const again = rule === 'contracts' ? [whole] : wanted
      due.dropped.push(...again.flatMap((level) => (used < level - backOff ? (markOf(level) ?? []) : [])))
    }
  }
  return due
}

/** How much of a limit is used, in percent; null if unknown, and for goals. It is 100 only once the rule's state says so. */
const percentOf = ({ state, used }: RuleState): number | null => {
  if (state === 'breached' || state === 'paused') return whole
  return state === 'within' && used !== null ? Math.min(Math.round(used * 1e6) / 1e4, 99.9999) : null
}

const isOld = ({ stage }: LivePositionAccount, state: RuleState, today: string): boolean => {
  const isBroken = state.state === 'breached' || state.state === 'paused'
  if (isBroken && state.since !== null && state.since.tradingDay < today) return true
  return stage === 'breached' && !endsAccount(state)
}

const alertOf = ({ account, name, currency }: LivePositionAccount, { rule, unit, limit, value, left }: RuleState, level: number, at: number): NewAlert => ({ at, account, accountName: name, rule, level, unit, limit, value, left, currency })
