import type { Finance, LabelKind } from '../api/records.ts'
import { firms, type FirmFacts } from './firms.ts'

type Firm = NonNullable<Finance['firm']>

/** An account without a label, with the broker's name for it; `loginId` and `loginName` are empty if no login reaches it. */
export type ToLabel = { readonly id: string; readonly name: string; readonly environment: 'live' | 'demo'; readonly loginId: string; readonly loginName: string }

/** What a name suggests; unknown fields are missing. */
export type LabelGuess = { readonly kind?: LabelKind; readonly firm?: Firm }

type Naming = FirmFacts & { readonly firm: Firm }

const namings: readonly Naming[] = Object.entries(firms).map(([firm, facts]) => ({ ...facts, firm: firm as keyof typeof firms }))

const evaluationWord = /^(EVAL|EVALUATION|CHALLENGE|COMBINE)$/
const fundedWord = /^(PA|FUNDED|XFA)$/

const spell = (name: string): string => name.trim().toUpperCase().replaceAll('_', ' ')

/** The words of a name: `NGF-EVAL50K-104233` has NGF, EVAL, 50, K and 104233. */
const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]+|\d+/g) ?? []

const namingOf = (name: string): Naming | undefined => namings.find(({ names }) => names.test(name))

const phaseOf = (name: string, naming: Naming | undefined): LabelKind | undefined => {
  if (naming?.funded?.test(name)) return 'Funded Account'
  if (naming?.evaluation?.test(name)) return 'Evaluation Account'
  // Some firms have FUNDED in their own names.
  const words = wordsOf(naming === undefined ? name : name.replace(naming.names, ' '))
  // A name with both words is an evaluation that names its funded account.
  if (words.some((word) => evaluationWord.test(word))) return 'Evaluation Account'
  return words.some((word) => fundedWord.test(word)) ? 'Funded Account' : undefined
}

const guessOf = ({ name, environment, loginName }: ToLabel, firmOfLogin: Firm | undefined): LabelGuess => {
  const spelled = spell(name)
  const naming = namingOf(spelled)
  const firm = naming?.firm ?? namingOf(spell(loginName))?.firm ?? firmOfLogin
  const bare = /^\d+$/.test(spelled)
  // Tradovate numbers its own customers' accounts; among the accounts of a firm's login, such a number is the firm's live money.
  if (bare && environment === 'live') return firm === undefined ? { kind: 'own' } : { kind: 'Funded Account', firm }
  if (firm === undefined && /^DEMO\d+$/.test(spelled)) return { kind: 'own' }
  const kind = phaseOf(spelled, naming)
  return { ...(kind === undefined ? {} : { kind }), ...(firm === undefined ? {} : { firm }) }
}

/**
 * Guesses labels for accounts without one from names and logins, by id. A firm comes from the account's name, else from
 * its login's name, else from the login's other accounts, `labelled` or named by a firm, if they are all of one firm.
 * What nothing suggests stays open: a wrong guess costs more than a choice.
 */
export const guessLabels = (waiting: readonly ToLabel[], labeled: readonly { readonly loginId: string; readonly firm: Firm | null }[]): ReadonlyMap<string, LabelGuess> => {
  const firms = new Map<string, Set<Firm>>()
  const note = (loginId: string, firm: Firm | null | undefined): void => {
    if (loginId !== '' && firm) firms.set(loginId, (firms.get(loginId) ?? new Set()).add(firm))
  }
  for (const { loginId, firm } of labeled) note(loginId, firm)
  for (const { loginId, name } of waiting) note(loginId, namingOf(spell(name))?.firm)
  const onlyFirm = (loginId: string): Firm | undefined => {
    const [firm, another] = firms.get(loginId) ?? []
    return another === undefined ? firm : undefined
  }
  return new Map(waiting.map((account) => [account.id, guessOf(account, onlyFirm(account.loginId))]))
}
