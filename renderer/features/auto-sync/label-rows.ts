import type { Finance, LabelKind } from '#shared/api/records.ts'
import { guessLabels, type LabelGuess } from '#shared/sync/guess-labels.ts'
import { unlabeled, type AccountRow } from './account-rows.ts'

export type Firm = NonNullable<Finance['firm']>

/** What the trader chose for an account so far. */
export type LabelChoice = { readonly kind?: LabelKind; readonly firm?: Firm }

/** One line of the table that labels accounts; `suggested` says which of the two nobody has confirmed yet. */
export type LabelRow = {
  readonly row: AccountRow
  readonly kind: LabelKind | undefined
  readonly firm: Firm | undefined
  readonly suggested: { readonly kind: boolean; readonly firm: boolean }
}

/** The accounts that wait for a label, each with what was chosen for it or, until then, what names suggest; `all` are the known accounts. */
export const labelRows = (waiting: readonly AccountRow[], all: readonly AccountRow[], choices: ReadonlyMap<string, LabelChoice>): LabelRow[] => {
  const accounts = waiting.map(({ finance: { id, name }, connection }) => ({ id, name, environment: connection?.environment ?? 'demo', loginId: connection?.loginId ?? '', loginName: connection?.loginName ?? '' }))
  const labeled = all.filter(({ finance }) => !unlabeled(finance)).map(({ finance, connection }) => ({ loginId: connection?.loginId ?? '', firm: finance.firm }))
  const guesses = guessLabels(accounts, labeled)
  return waiting.map((row) => {
    const guess: LabelGuess = guesses.get(row.finance.id) ?? {}
    const choice = choices.get(row.finance.id) ?? {}
    const [kind, firm] = [choice.kind ?? guess.kind, choice.firm ?? guess.firm]
    return { row, kind, firm, suggested: { kind: kind !== undefined && choice.kind === undefined, firm: firm !== undefined && choice.firm === undefined } }
  })
}

/** The finance that a line makes; null while something of it is open. An own account has no firm, whatever was chosen before. */
export const labeledFinance = ({ row: { finance }, kind, firm }: LabelRow): Finance | null => {
  if (kind === 'own') return { ...finance, type: 'Funded Account', firm: null }
  return kind === undefined || firm === undefined ? null : { ...finance, type: kind, firm }
}
