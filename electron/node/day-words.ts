import type { ImportReport } from './import-report.ts'

type Day = ImportReport['byTradingDay'][number]

/** The three states of a day in words. */
export const stateWords: Record<Day['state'], string> = { equal: 'reconciled', differs: 'differs', unchecked: 'not checked' }

/** `2 of 2 fill pairs reconciled; 331 of 382 days reconciled, 40 differ, 11 not checked`. */
export const headline = ({ pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked }: ImportReport['reconciliation']): string => {
  const days = daysEqual + daysDiffer + daysUnchecked
  const pairs = pairsChecked === 0 ? 'no fill pairs of the broker in these files' : `${String(pairsEqual)} of ${String(pairsChecked)} fill pairs reconciled`
  const ofDays = days === 0 ? 'no trading days' : `${String(daysEqual)} of ${String(days)} ${days === 1 ? 'day' : 'days'} reconciled, ${String(daysDiffer)} ${daysDiffer === 1 ? 'differs' : 'differ'}, ${String(daysUnchecked)} not checked`
  return `${pairs}; ${ofDays}`
}

const reasons: Record<NonNullable<Day['reason']>, string> = {
  incomplete: 'a trade depends on a missing fill, so its P&L may be wrong; import the missing fills',
  'row-refused': 'one of its rows was rejected, so its figures are incomplete; correct the row and import the file again',
  'contradicting-rows': 'rows of the files conflict; export them again',
  'counted-twice': 'another account has the same fills: it is one account under two names, and counts twice',
  'fees-uncertain': 'its fees are not proven: the broker charged some at times without a known fill, or the opening fees of an earlier session do not match there; import the Fills report, and a Cash History that reaches back to the opening',
  'fees-uneven': 'one fill\'s fee per contract differs from the others, so a quantity or a fee is wrong; export the Fills again',
  'unknown-contract': 'the point value of one of its contracts is unknown',
  'unknown-currency': 'one of its fees is in a currency of which only the broker\'s number is known',
  'broken-chain': 'rows of the Cash History are missing; export it again',
  'unknown-movement': 'the Cash History has a row of unknown type, or a transfer that names a contract',
  'unexplained-balance': "the account's balance changed by more than its trades and cash rows explain; the Cash History names it",
  'ambiguous-order': 'fills with the same timestamp could be matched in another order; the Fills report has their ids',
  approximate: 'prices are only order averages; the Fills report has those of the fills',
  'no-broker-figures': "the broker's figures are missing; import its Account Balance History or Cash History",
  'cash-cut-off': 'the Cash History starts or ends mid-session; export it again for whole sessions',
  'not-settled': 'the session had not settled when it was last read',
  'contradicting-balances': 'the files have conflicting balances for it',
  'no-fills': 'the files have no fills for it; import its Fills report',
  'several-currencies': 'its trades are in several currencies, but the broker has one balance for all',
  'other-currency': "the broker's figures are in a different currency than its trades",
}

/** Why a day is not reconciled, what causes the difference of its nets, and which of its cash is not P&L that Fillbook knows, in one line that begins with its account. */
export const dayText = (day: Day): string => {
  const { state, reason, difference, brokenAt, unexplained, movements, terms } = day
  const isKnown = difference !== null && difference !== '0.00'
  const verdict = state === 'unchecked' ? `not checked: ${reason === null ? '' : reasons[reason]}${isKnown ? ` (known difference ${difference})` : ''}` : state === 'differs' ? (difference === '0.00' ? 'differs in gross P&L and fees, though net P&L is the same' : `differs by ${difference ?? '-'}`) : 'reconciled'
  const parts = terms.map(({ of, name, amount }) => `${name ?? (of === 'openings' ? 'fees of contracts opened and closed in different sessions' : of)} ${amount}`)
  const named = (part: 'other' | 'transfer'): string => movements.flatMap(({ of, name, amount }) => (of === part ? [`${name ?? 'unnamed'} ${amount}`] : [])).join(', ')
  const [others, transfers] = [named('other'), named('transfer')]
  return [
    `${day.account} ${verdict}`,
    ...(parts.length === 0 ? [] : [`Fillbook minus the broker: ${parts.join(', ')}`]),
    ...(others === '' ? [] : [`other cash rows: ${others}`]),
    ...(transfers === '' ? [] : [`not part of the P&L: ${transfers}`]),
    ...(brokenAt === null ? [] : [`row ${brokenAt.transactionId} starts at ${brokenAt.found}, but row ${brokenAt.after} before it ended at ${brokenAt.expected}`]),
    ...(unexplained === null ? [] : [`unexplained ${unexplained}`]),
  ].join('; ').concat('.')
}
