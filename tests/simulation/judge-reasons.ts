import { openQty, type LiveOrder } from '#demo-broker/orders.ts'
import type { LiveFollower } from '#shared/api/copier.ts'
import { familyOf } from '#shared/copier/contract-match.ts'
import type { Leads } from './leads.ts'
import { isStop, netOf, type Lot, type Rule } from './lots.ts'

/** What reasons are held against. */
export type ReasonParts = {
  readonly leads: Leads
  readonly lots: ReadonlyMap<string, Lot>
  readonly lotOf: (account: string, contract: string) => Lot
  readonly now: () => number
  /** When anything of an account's orders changed last, by account and contract. */
  readonly ordersChanged: ReadonlyMap<string, number>
  /** Since when a running program receives an account's events. */
  readonly upSince: (account: string) => number
  readonly accounts: readonly string[]
  readonly isProgram: (orderId: number) => boolean
  /** When a request of an account's login was last lost with its answer. */
  readonly lostAt: (account: string) => number
  /** When the user last asked for something. */
  readonly requestedAt: () => number
  /** Whether the program is closing an account's contract at its user's word. */
  readonly isClosing: (account: string, contract: string) => boolean
  readonly breach: (rule: Rule, lot: { readonly account: string; readonly contract: string }, says: string) => void
}

/** For so long a reason may be one that was true a moment ago; after a start, and where a request was lost, orders may be in doubt for longer. */
const passingMs = 2_000
const doubtMs = 13_000

/** Holds the reasons that the screen gives against what the brokerage has. */
export const openReasonJudge = ({ leads, lots, lotOf, now, ordersChanged, upSince, accounts, isProgram, requestedAt, lostAt, isClosing, breach }: ReasonParts) => {
  const { ruleOf, leadOf, openOrders } = leads

  /** How far a position may go, whichever of its working orders fill: of an OCO one does, and of what a hand has working the price comes to one side. */
  const reachOf = (lot: Lot): { readonly low: number; readonly high: number } => {
    const working = openOrders(lot.account, lot.contract)
    const of = (action: string): number => {
      const sum = (all: readonly LiveOrder[]): number => all.reduce((total, order) => total + (order.oco !== null && all.includes(order.oco) ? openQty(order) / 2 : openQty(order)), 0)
      const own = working.filter((order) => order.action === action && isProgram(order.id))
      const byHand = working.filter((order) => order.action === action && !isProgram(order.id))
      return sum(own) + Math.max(sum(byHand.filter(isStop)), sum(byHand.filter((order) => !isStop(order))))
    }
    const net = netOf(lot)
    return { low: net - of('Sell'), high: net + of('Buy') }
  }
  /** Whether nothing moved there for a while, and the program received every event. */
  const isQuiet = (those: readonly Lot[]): boolean =>
    requestedAt() < now() - passingMs &&
    those.every((lot) => Math.max(lot.nets.at(-1)?.at ?? 0, ordersChanged.get(`${lot.account} ${lot.contract}`) ?? 0) < now() - passingMs) &&
    accounts.every((account) => Math.max(upSince(account), lostAt(account)) < now() - doubtMs)

  type Contract = LiveFollower['contracts'][number]
  /** What the row says is wanted there, signed. */
  const wantedOf = ({ actual, yours, inFlight, difference }: Contract): number => actual - yours + inFlight + difference

  /** Whether another account of the user has, or may get, the opposite position. */
  const isHedge = (account: string, contract: Contract, family: readonly Lot[]): boolean => {
    const side = Math.sign(wantedOf(contract))
    return family.some((lot) => {
      const { low, high } = reachOf(lot)
      return lot.account !== account && ((side >= 0 && low < 0) || (side <= 0 && high > 0))
    })
  }

  /** What is untrue of the reason that a row gives for one contract; null where nothing is. */
  const untruthOf = (account: string, lock: LiveFollower['lock'], contract: Contract): string | null => {
    const known = ruleOf(account, contract.contract)
    if (known === null) return null
    const { rule, setting } = known
    const lead = leadOf(lotOf(account, contract.contract))
    const own = [...lots.values()].filter((lot) => lot.account === account)
    const family = [...lots.values()].filter((lot) => familyOf(lot.contract) === familyOf(contract.contract))
    if (!isQuiet([...own, ...family])) return null
    const wanted = wantedOf(contract)
    switch (contract.why) {
      case 'hedge':
        return isHedge(account, contract, family) ? null : 'no other account is on the other side, or may come to be'
      case 'locked':
        // What its user has closed is held like one that is locked.
        return lock === null && !isClosing(account, contract.contract) ? 'it is not locked' : null
      case 'yours':
        return contract.yours === 0 || contract.yours * wanted > 0 ? `its user holds ${String(contract.yours)} where ${String(wanted)} are wanted` : null
      case 'paused':
        return setting.state === 'paused' ? null : `its group is ${setting.state}`
      case 'max-position': {
        const most = own.map(reachOf).reduce((sum, { low, high }) => sum + Math.max(Math.abs(low), Math.abs(high)), 0)
        return rule.maxPosition !== null && most >= rule.maxPosition ? null : `it may come to ${String(most)} of ${String(rule.maxPosition)}`
      }
      case 'cap':
        return rule.contractCap !== null && (lead === null || Math.abs(lead.target) > rule.contractCap) ? null : `its target is ${String(lead?.target)} of ${String(rule.contractCap)}`
      default:
        return null
    }
  }

  /** A reason is what keeps the follower from its target: a hedge, a size or a pause that is not there is not shown for long. */
  const judgeReasons = ({ account, lock, contracts }: LiveFollower): void => {
    for (const contract of contracts) {
      const untruth = untruthOf(account, lock, contract)
      if (untruth !== null) breach('false-reason', { account, contract: contract.contract }, `the row says ${String(contract.why)}, and ${untruth}`)
    }
  }

  return { judgeReasons }
}
