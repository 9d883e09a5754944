import type { AccountKey } from '#shared/fills/fill.ts'
import { compareText } from './assembly.ts'
import { bestAgreement, bunchesOf, factsKey, happensIn, momentsOf, type FillFacts, type Moment, type Moments } from './fill-facts.ts'
import { isBrokersId } from './fill-ids.ts'
import type { UnattributedGroup } from './unattributed.ts'
import type { PairReading, Reading } from './reading.ts'

/** A row that names its account. */
export type RowWithAccount = { readonly reading: Reading; readonly account: AccountKey }

/** An account's rows that share no ids with pairs: orders, cash movements, and fills with a platform's own ids. */
type Traces = { readonly fills: FillFacts[]; readonly cash: Moment[] }

/** A group of pairs and its account. */
export type Claim = { readonly group: UnattributedGroup; readonly account: AccountKey }

/**
 * The accounts whose orders, cash, or fills match each group of pairs by contract, side, price, and time, also under a constant zone shift. A group has
 * none if its fills fit two accounts, like a copier's; if the account has other broker fills at the time; or if another group that cannot be of that
 * account fits it too. A part that shares no fill with the rest, and fits another account completely and this one not at all, goes there: somebody
 * joined two reports in one file.
 */
export const accountsByFacts = (groups: readonly UnattributedGroup[], owned: Iterable<RowWithAccount>, { cannotBeOneAccount, partsOf }: { readonly cannotBeOneAccount: (one: UnattributedGroup, other: UnattributedGroup) => boolean; readonly partsOf: (group: UnattributedGroup) => readonly UnattributedGroup[] }): ReadonlyMap<UnattributedGroup, readonly Claim[]> => {
  const { traces, excluded } = tracesFor(groups, owned)
  const indexed = [...traces].toSorted(([one], [other]) => compareText(one, other)).map(([account, { fills, cash }]) => ({ account, fills: momentsOf([...fills, ...bunchesOf(fills)].map(momentOf)), cash: momentsOf(cash), times: { fills: fills.map(timeOf), cash: cash.map(timeOf) } }))
  const claims = new Map<UnattributedGroup, AccountKey>()
  const momentsIn = ({ pairs }: UnattributedGroup): { readonly fills: readonly Moment[]; readonly cash: readonly Moment[] } => ({ fills: bunchesOf(fillsOfPairs(pairs)).map(momentOf), cash: pairs.map(cashMoment) })
  for (const group of groups) {
    const moments = momentsIn(group)
    const fitting = indexed
      .filter(({ account }) => excluded.get(group)?.has(account) !== true)
      .flatMap(({ account, fills, cash, times }) => {
        const matched = Math.max(agreeing(moments.fills, fills, times.fills, group), agreeing(moments.cash, cash, times.cash, group))
        return matched > 0 ? [{ account, matched }] : []
      })
      .toSorted((one, other) => other.matched - one.matched)
    const [best, next] = fitting
    if (best !== undefined && (next === undefined || next.matched * 2 <= best.matched)) claims.set(group, best.account)
  }
  /** How much of a part an account has: all, some, or nothing. */
  const shareOf = (part: UnattributedGroup, { fills, cash }: (typeof indexed)[number]): 'all' | 'some' | 'nothing' => {
    const moments = momentsIn(part)
    const shares = ([[moments.fills, fills], [moments.cash, cash]] as const).map(([own, known]) => ({ of: own.length, matched: own.filter((moment) => happensIn(moment, known)).length }))
    return shares.some(({ matched, of }) => of > 1 && matched === of) ? 'all' : shares.some(({ matched }) => matched > 0) ? 'some' : 'nothing'
  }
  const claimOf = (part: UnattributedGroup, account: AccountKey): Claim => {
    const shares = indexed.map((one) => ({ account: one.account, share: shareOf(part, one) }))
    const [stranger, another] = shares.filter((one) => one.account !== account && one.share === 'all')
    const isOwn = shares.some((one) => one.account === account && one.share !== 'nothing')
    return { group: part, account: isOwn || stranger === undefined || another !== undefined ? account : stranger.account }
  }
  const rivals = [...claims]
  return new Map(
    rivals
      .filter(([group, account]) => !rivals.some(([other, claimed]) => other !== group && claimed === account && cannotBeOneAccount(group, other)))
      .map(([group, account]) => {
        const parts = indexed.length > 1 ? partsOf(group) : []
        return [group, parts.length > 1 ? parts.map((part) => claimOf(part, account)) : [{ group, account }]]
      }),
  )
}

const momentOf = (facts: FillFacts): Moment => ({ key: factsKey(facts), time: facts.time })

const timeOf = ({ time }: { readonly time: number }): number => time

const cashMoment = ({ pnl, buy, sell }: PairReading): Moment => ({ key: String(pnl), time: Math.max(buy.time, sell.time) })

const fillsOfPairs = (pairs: readonly PairReading[]): readonly FillFacts[] =>
  pairs.flatMap(({ contract, qty, tickSize, buy, sell }) => [
    { contract, qty, tickSize, side: 'buy' as const, priceSum: buy.price * qty, time: buy.time },
    { contract, qty, tickSize, side: 'sell' as const, priceSum: sell.price * qty, time: sell.time },
  ])

/** The share of a group that an account has; 0 if less than half of the group or of the account's own trading in that time. */
const agreeing = (moments: readonly Moment[], known: Moments, times: readonly number[], { span }: UnattributedGroup): number => {
  if (known.size === 0 || moments.length === 0) return 0
  const { matched, of, shift } = bestAgreement(moments, known).best
  if (matched < Math.min(2, of)) return 0
  const part = matched / of
  if (part >= 0.5) return part
  const meanwhile = times.filter((time) => time - shift >= span.first && time - shift <= span.last).length
  return part * moments.length >= meanwhile / 2 ? part : 0
}

const tracesFor = (groups: readonly UnattributedGroup[], owned: Iterable<RowWithAccount>): { readonly traces: ReadonlyMap<AccountKey, Traces>; readonly excluded: ReadonlyMap<UnattributedGroup, ReadonlySet<AccountKey>> } => {
  const traces = new Map<AccountKey, Traces>()
  const excluded = new Map<UnattributedGroup, Set<AccountKey>>(groups.map((group) => [group, new Set()]))
  const of = (account: AccountKey): Traces => {
    const known = traces.get(account)
    if (known !== undefined) return known
    const fresh: Traces = { fills: [], cash: [] }
    traces.set(account, fresh)
    return fresh
  }
  const exclude = (account: AccountKey, contract: string, time: number): void => {
    for (const [group, accounts] of excluded) {
      const span = group.spans.get(contract)
      if (span !== undefined && time >= span.first && time <= span.last) accounts.add(account)
    }
  }
  for (const { reading, account } of owned) {
    switch (reading.says) {
      case 'order': {
        const { contract, side, qty, priceSum, tickSize, filledAt } = reading
        of(account).fills.push({ contract, side, qty, priceSum, tickSize, time: filledAt })
        break
      }
      case 'fill': {
        const { fillId, contract, side, qty, price, tickSize, time } = reading
        if (isBrokersId(fillId)) exclude(account, contract, time)
        else of(account).fills.push({ contract, side, qty, priceSum: price * qty, tickSize, time })
        break
      }
      case 'pair':
        exclude(account, reading.contract, reading.buy.time)
        exclude(account, reading.contract, reading.sell.time)
        break
      case 'cash':
        if (reading.movement === 'pair') of(account).cash.push({ key: String(reading.delta), time: reading.time })
        break
      default:
    }
  }
  return { traces, excluded }
}
