import type { RuleSet } from '#shared/api/rules.ts'
import { parseAmount } from '#shared/money/money.ts'

/** Amounts of a rule set that cannot be computed exactly: their path, and whether they are too precise (over four decimals) or too large. */
export const unfitAmounts = (set: RuleSet): readonly { readonly path: string; readonly why: 'too-precise' | 'too-large' }[] =>
  amountsOf(set).flatMap(([path, text]) => {
    if (text === null || text === undefined) return []
    const amount = parseAmount(text)
    if (amount.ok && Math.abs(amount.value) <= largest) return []
    return [{ path, why: amount.ok || amount.error !== 'too-precise' ? ('too-large' as const) : amount.error }]
  })

// A hundred billion, so that sums stay within the safe integers.
const largest = 1e15

const amountsOf = (set: RuleSet): readonly (readonly [path: string, text: string | null | undefined])[] => [
  ['startingBalance', set.startingBalance],
  ['maxLoss.amount', set.maxLoss?.amount],
  ['maxLoss.locksAt', set.maxLoss?.locksAt],
  ['dailyLoss.amount', set.dailyLoss?.amount],
  ['profitTarget', set.profitTarget],
  ['winningDays.profit', set.winningDays?.profit],
  ...(set.contracts?.scaling ?? []).map(({ fromProfit }, index) => [`contracts.scaling.${String(index)}.fromProfit`, fromProfit] as const),
  ['payout.buffer', set.payout?.buffer],
  ['payout.winningDays.profit', set.payout?.winningDays?.profit],
  ['payout.cap', set.payout?.cap],
]
