import type { ImportReport } from './import-report.ts'

type Day = ImportReport['byTradingDay'][number]

/** The three states of a day, in words. */
export const stateWords: Record<Day['state'], string> = { equal: 'equal', differs: 'differs', unchecked: 'cannot be checked' }

/** `2 of 2 fill pairs equal; 331 of 382 days equal, 40 differ, 11 cannot be checked`. */
export const headline = ({ pairsChecked, pairsEqual, daysEqual, daysDiffer, daysUnchecked }: ImportReport['reconciliation']): string => {
  const days = daysEqual + daysDiffer + daysUnchecked
  const pairs = pairsChecked === 0 ? "no fill pairs of the broker's in these files" : `${String(pairsEqual)} of ${String(pairsChecked)} fill pairs equal`
  const ofDays = days === 0 ? 'no trading days' : `${String(daysEqual)} of ${String(days)} ${days === 1 ? 'day' : 'days'} equal, ${String(daysDiffer)} differ, ${String(daysUnchecked)} cannot be checked`
  return `${pairs}; ${ofDays}`
}

const reasons: Record<NonNullable<Day['reason']>, string> = {
  incomplete: 'a trade rests on a missing fill, so its P&L may be wrong; import the missing fills',
  'row-refused': 'a row of it was refused, so its figures are not complete; correct that row in the file and import the file again',
  'contradicting-rows': 'rows of the files contradict each other; export them again',
  'counted-twice': 'another account has the same fills: it is one account under two names, and counts twice',
  'fees-uncertain': 'its fees are not proven: the broker charged some at moments at which no fill is known, or those of an opening in an earlier session do not agree; the Fills report and a Cash History that reaches back to the opening show them',
  'fees-uneven': 'a contract of one of its fills costs more or less than that of others, so a quantity or a fee is wrong; export the Fills again',
  'unknown-contract': 'it is not known what a point of one of its contracts is worth',
  'unknown-currency': 'a fee of it is in a currency of which only the broker\'s number is known',
  'broken-chain': 'rows of the Cash History are missing; export it again',
  'unknown-movement': 'the Cash History has a row of a type that Fillbook does not know, or a transfer that names a contract',
  'unexplained-balance': "the account's total moved by more than its trades and cash rows make; the Cash History names it",
  'ambiguous-order': 'fills of one moment could be matched in another order; the Fills report has their ids',
  approximate: "prices are only averages of orders; the Fills report has the fills'",
  'no-broker-figures': "these files have none of the broker's figures; its Account Balance History or Cash History has them",
  'cash-cut-off': 'the Cash History begins or ends in the midst of the session; export it again for whole sessions',
  'not-settled': 'the session was not settled when it was last read',
  'contradicting-balances': 'the files have different balances for it',
  'no-fills': 'the files have no fills of it; its Fills report has them',
  'several-currencies': 'its trades are in several currencies, and the broker has one balance for all',
  'other-currency': "the broker's figures are in another currency than its trades",
}

/** Why a day is not equal, what sets its nets apart, and what of its cash is no P&L that Fillbook knows, in one line that begins with its account. */
export const dayText = (day: Day): string => {
  const { state, reason, difference, brokenAt, unexplained, movements, terms } = day
  const isKnown = difference !== null && difference !== '0.00'
  const verdict = state === 'unchecked' ? `cannot be checked: ${reason === null ? '' : reasons[reason]}${isKnown ? ` (known difference ${difference})` : ''}` : state === 'differs' ? (difference === '0.00' ? 'differs in what makes it up, though the sum is the same' : `differs by ${difference ?? '-'}`) : 'equal'
  const parts = terms.map(({ of, name, amount }) => `${name ?? (of === 'openings' ? 'fees of contracts that were opened and closed in different sessions' : of)} ${amount}`)
  const named = (part: 'other' | 'transfer'): string => movements.flatMap(({ of, name, amount }) => (of === part ? [`${name ?? 'unnamed'} ${amount}`] : [])).join(', ')
  const [others, transfers] = [named('other'), named('transfer')]
  return [
    `${day.account} ${verdict}`,
    ...(parts.length === 0 ? [] : [`Fillbook less the broker: ${parts.join(', ')}`]),
    ...(others === '' ? [] : [`other cash rows: ${others}`]),
    ...(transfers === '' ? [] : [`not part of the P&L: ${transfers}`]),
    ...(brokenAt === null ? [] : [`row ${brokenAt.transactionId} begins at ${brokenAt.found}, but row ${brokenAt.after} before it left ${brokenAt.expected}`]),
    ...(unexplained === null ? [] : [`unexplained ${unexplained}`]),
  ].join('; ').concat('.')
}
