import { hasEnded, openQty, type LiveOrder } from '#demo-broker/orders.ts'
import type { FollowerRule } from '#shared/api/copier.ts'
import { partsOf } from '#shared/copier/contract-match.ts'
import { isExit, isStop, netOf, signed, type Known, type Lot, type Setting } from './lots.ts'

/** Who leads whom, by the settings of a user alone. */
export type Leads = ReturnType<typeof openLeads>

type Parts = {
  readonly settings: () => readonly Setting[]
  readonly lots: ReadonlyMap<string, Lot>
  readonly orders: ReadonlyMap<number, LiveOrder>
  readonly names: ReadonlyMap<number, string>
  readonly knownBy: (account: string) => Known
}

/** Reads from settings, positions and orders what a follower should have. */
export const openLeads = ({ settings, lots, orders, names, knownBy }: Parts) => {
  /** Whether some contract of a leader leads to one of a follower's. */
  const leadsTo = ({ products, mappings }: FollowerRule, contract: string): boolean => {
    const { product } = partsOf(contract)
    const isCopied = (from: string): boolean => products === null || products.includes(from)
    return mappings.some(({ from, to }) => to === product && isCopied(from)) || (isCopied(product) && !mappings.some(({ from }) => from === product))
  }
  /** The rule that a contract of an account follows: of two groups the one that trades it there. */
  const ruleOf = (account: string, contract: string): { readonly setting: Setting; readonly rule: FollowerRule } | null => {
    const all = settings().flatMap((setting) => setting.draft.followers.filter((each) => each.account === account).map((rule) => ({ setting, rule })))
    return (all.length < 2 ? all[0] : all.find(({ rule }) => leadsTo(rule, contract))) ?? null
  }
  const followersOf = (leader: string): { readonly setting: Setting; readonly rule: FollowerRule }[] =>
    settings().filter(({ draft }) => draft.leader === leader).flatMap((setting) => setting.draft.followers.map((rule) => ({ setting, rule })))

  /** The follower's contract for one of the leader's, and how many contracts a position of the leader's comes to there without any cap, rounded toward zero. */
  const followed = (rule: FollowerRule, contract: string, net: number): { readonly contract: string; readonly target: number } | null => {
    const { product, month } = partsOf(contract)
    if (rule.products !== null && !rule.products.includes(product)) return null
    const mapping = rule.mappings.find(({ from }) => from === product)
    const factor = mapping?.factor ?? { num: 1, den: 1 }
    const target = Math.trunc((net * rule.ratio.num * factor.num) / (rule.ratio.den * factor.den)) * (rule.invert ? -1 : 1) + 0
    return { contract: mapping === undefined ? contract : mapping.to + month, target }
  }
  /** What a follower's contract follows, and where it should stand by the leader's position now. */
  const leadOf = (lot: Lot): { readonly setting: Setting; readonly rule: FollowerRule; readonly leader: Lot; readonly target: number } | null => {
    const known = ruleOf(lot.account, lot.contract)
    if (known === null) return null
    for (const leader of lots.values()) {
      if (leader.account !== known.setting.draft.leader) continue
      const match = followed(known.rule, leader.contract, netOf(leader))
      if (match?.contract === lot.contract) return { ...known, leader, target: match.target }
    }
    return null
  }

  const openOrders = (account: string, contract: string): LiveOrder[] => [...orders.values()].filter((order) => !hasEnded(order) && names.get(order.accountId) === account && order.contract.name === contract)
  /** Contracts of a position that working stops would close. */
  const covered = (account: string, contract: string, position: number): number =>
    openOrders(account, contract).filter((order) => isStop(order) && order.status === 'Working' && Math.sign(signed(order.action, 1)) === 0 - Math.sign(position)).reduce((sum, order) => sum + openQty(order), 0)

  /** Notes how far a leader's entries may bring it now, and whether its stops cover it. */
  const noteReach = (leader: Lot): void => {
    const net = netOf(leader)
    const of = (action: string): number => openOrders(leader.account, leader.contract).filter((order) => order.action === action && isExit(order)).reduce((sum, order) => sum + openQty(order), 0)
    const known = knownBy(leader.account)
    const isBare = covered(leader.account, leader.contract, net) < Math.abs(net)
    leader.reaches.push({ low: net <= 0 ? net - of('Sell') : net, high: net >= 0 ? net + of('Buy') : net, isBare, known })
    if (net === 0 || isBare) leader.coveredSince = Infinity
    else leader.coveredSince = Math.min(leader.coveredSince, known.at)
  }
  /** In order mode: what a follower may come to on one side by entries that work for the leader's, as far as the program could know at a moment. */
  const reachedAt = (lot: Lot, side: number, at: number): number => {
    const lead = leadOf(lot)
    if (lead?.setting.draft.mode !== 'orders') return 0
    const { rule, leader } = lead
    const reaches = leader.reaches.slice(Math.max(0, leader.reaches.findLastIndex(({ known }) => known.since < at)))
    return Math.max(0, ...reaches.flatMap(({ low, high }) => [low, high]).map((net) => (followed(rule, leader.contract, net)?.target ?? 0) * side))
  }

  /** Whether a follower's position has to be as protected as the leader's is. */
  const guarded = (lot: Lot): ReturnType<typeof leadOf> => {
    const lead = leadOf(lot)
    return lead !== null && lead.setting.state !== 'off' && lead.rule.on && lead.setting.draft.exits && !lead.rule.invert && lot.made !== 0 && !lot.asks ? lead : null
  }

  return { leadsTo, ruleOf, followersOf, followed, leadOf, openOrders, covered, noteReach, reachedAt, guarded }
}
