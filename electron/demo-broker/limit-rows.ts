import { cashStates } from './cash-rows.ts'
import type { Row } from './contract-library.ts'
import type { Ledger } from './ledger.ts'
import { wireMoney, wireTime } from './wire-rows.ts'
import type { Account } from './world.ts'

/** The limits that a broker holds an account to, in 1/10,000; a trailing one follows the highest balance at the end of a session. */
export type AccountLimits = { readonly dailyLoss: number | null; readonly trailing: number | null; /** When everything is closed, UTC ms. */ readonly flattenAt?: number }

// What the real one writes where nothing stops a trail.
const NEVER = 999_999_999

/** The settings by which an account is liquidated; none for an account without limits. */
export const autoLiqRows = (account: Account): Row[] => {
  const { limits } = account
  if (limits === undefined) return []
  return [{
    id: account.id,
    changesLocked: true,
    ...(limits.dailyLoss === null ? {} : { dailyLossAutoLiq: wireMoney(limits.dailyLoss) }),
    ...(limits.trailing === null ? {} : { trailingMaxDrawdown: wireMoney(limits.trailing), trailingMaxDrawdownLimit: NEVER, trailingMaxDrawdownMode: 'EOD' }),
    ...(limits.flattenAt === undefined ? {} : { flattenTimestamp: wireTime(limits.flattenAt) }),
    doNotUnlock: false,
  }]
}

/** How an account stands to them at a moment of a session. */
export const riskStatusRows = (account: Account, ledger: Pick<Ledger, 'cashOf'>, session: string): Row[] => {
  const { limits } = account
  if (limits === undefined) return []
  const most = limits.trailing === null ? null : highestClose(account, ledger, session)
  return [{
    id: account.id,
    adminAction: account.restricted === true ? 'LiquidateOnlyModeImmediately' : 'Normal',
    userTriggeredLiqOnly: false,
    ...(most === null || limits.trailing === null ? {} : { maxNetLiq: wireMoney(most), minNetLiq: wireMoney(most - limits.trailing) }),
  }]
}

/** The highest balance at the end of a session before this one, or what the account began with. */
const highestClose = (account: Account, ledger: Pick<Ledger, 'cashOf'>, session: string): number => {
  const [own] = account.cash
  const sessions = [...new Set((ledger.cashOf.get(account.id) ?? []).map((change) => change.session))].sort()
  return [...sessions.filter((each) => each <= session), session].reduce((most, each) => Math.max(most, cashStates(account, ledger, each)[0]?.atOpen ?? most), own?.opening ?? 0)
}
