import type { RuleInput, TermsInput } from '#shared/api/what-if.ts'
import { mostVariants } from '#shared/api/what-if.ts'
import { create } from 'zustand'

/** The variants tried since the window opened, the newest first, and what they all assume. */
type Tried = { readonly rules: readonly RuleInput[]; readonly terms: TermsInput }

const usual: TermsInput = { slippage: 1, fee: null, horizon: { until: 'exit' }, insideBars: 'any-price' }

const isSame = (one: RuleInput, other: RuleInput): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What was tried stays while other screens are open. */
export const useTriedRules = create<Tried & { readonly attempt: (rule: RuleInput, terms: TermsInput) => void; readonly drop: (rule: RuleInput) => void }>()((set) => ({
  rules: [],
  terms: usual,
  attempt: (rule, terms) => { set(({ rules }) => ({ rules: [rule, ...rules.filter((other) => !isSame(rule, other))].slice(0, mostVariants), terms })) },
  drop: (rule) => { set(({ rules }) => ({ rules: rules.filter((other) => !isSame(rule, other)) })) },
}))
