import type { CopyGroup, FollowerRule, GroupDraft, GroupFault } from '#shared/api/copier.ts'
import { marketsOf } from './contract-match.ts'

/**
 * The first reason to reject a group draft; null if it is valid. An account leads or follows, never both, so no order is copied in a circle. It
 * follows in several groups only if their products are listed and never share a market. `others` are the user's other groups; `limit` is the most
 * accounts that may follow over all of them, switched-off ones included.
 */
export const checkGroup = (draft: GroupDraft, others: readonly CopyGroup[], knownAccounts: ReadonlySet<string>, limit: number): GroupFault | null => {
  const fault = (code: GroupFault['code'], account: string | null): GroupFault => ({ code, account, limit: null })
  const leaders = new Set(others.map(({ leader }) => leader))
  const followers = new Set(others.flatMap((group) => group.followers.map(({ account }) => account)))

  if (!knownAccounts.has(draft.leader)) return fault('unknown-account', draft.leader)
  if (followers.has(draft.leader)) return fault('leader-follows', draft.leader)
  const seen = new Set<string>()
  const elsewhere = (account: string): FollowerRule[] => others.flatMap((group) => group.followers.filter((other) => other.account === account))
  for (const rule of draft.followers) {
    const { account, mappings } = rule
    if (!knownAccounts.has(account)) return fault('unknown-account', account)
    if (account === draft.leader) return fault('follows-itself', account)
    if (brokerageOf(account) !== brokerageOf(draft.leader)) return fault('two-brokerages', account)
    if (leaders.has(account)) return fault('follower-leads', account)
    if (seen.has(account) || elsewhere(account).some((other) => meet(rule, other))) return fault('follows-twice', account)
    if (new Set(mappings.map(({ from }) => from)).size < mappings.length) return fault('mapping-twice', account)
    seen.add(account)
  }
  const used = new Set([...followers, ...seen]).size
  return used > limit ? { code: 'plan-limit', account: null, limit } : null
}

/** Whether two rules of one account could trade the same market. */
const meet = (one: FollowerRule, other: FollowerRule): boolean => {
  const [markets, others] = [marketsOf(one), marketsOf(other)]
  return markets === null || others === null || [...markets].some((market) => others.has(market))
}

/** Distinct followers over all groups: the number that the plan limits. */
export const accountsInUse = (groups: readonly Pick<CopyGroup, 'followers'>[]): number => new Set(groups.flatMap((group) => group.followers.map(({ account }) => account))).size

const brokerageOf = (account: string): string => account.slice(0, account.indexOf(':'))
