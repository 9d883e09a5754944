import { exitRule, exitTerms, type GivenRule, type GivenTerms } from '#shared/api/what-if.ts'

/** The form as it is typed; an empty field is no part of the rule. */
export type TypedRule = {
  readonly distances: 'ticks' | 'r'
  readonly stop: string
  readonly target: string
  readonly trail: string
  readonly breakEven: string
  readonly first: string
  readonly percent: string
  readonly minutes: string
  readonly slippage: string
  readonly fee: string
  readonly until: GivenTerms['horizon']['until']
  readonly untilMinutes: string
  readonly insideBars: GivenTerms['insideBars']
}
export type TypedField = keyof TypedRule

/** What the form begins with. */
export const startingRule: TypedRule = { distances: 'ticks', stop: '20', target: '40', trail: '', breakEven: '', first: '', percent: '50', minutes: '', slippage: '1', fee: '', until: 'exit', untilMinutes: '30', insideBars: 'any-price' }

const distanceOf = ({ distances }: TypedRule, text: string): unknown => {
  const typed = text.trim()
  if (typed === '') return null
  return { in: distances, value: distances === 'ticks' ? Number(typed) : Math.round(Number(typed) * 100) }
}
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The rule and its terms; else the fields that do not fit. A form without a part of a rule names the stop. */
export const readTyped = (typed: TypedRule): { readonly rule: GivenRule; readonly terms: GivenTerms } | { readonly wrong: readonly TypedField[] } => {
  const first = distanceOf(typed, typed.first)
  const rule = exitRule.safeParse({
    ...{ stop: distanceOf(typed, typed.stop), target: distanceOf(typed, typed.target), trail: distanceOf(typed, typed.trail), breakEven: distanceOf(typed, typed.breakEven), minutes: numberOf(typed.minutes) },
    first: first === null ? null : { at: first, percent: Number(typed.percent) },
  })
  const terms = exitTerms.safeParse({ slippage: numberOf(typed.slippage) ?? 0, fee: typed.fee.trim() === '' ? null : typed.fee.trim(), horizon: typed.until === 'minutes' ? { until: 'minutes', minutes: Number(typed.untilMinutes) } : { until: typed.until }, insideBars: typed.insideBars })
  if (rule.success && terms.success) return { rule: rule.data, terms: terms.data }
  const places = [...(rule.error?.issues ?? []), ...(terms.error?.issues ?? [])].map(({ path }) => fieldAt(path.map(String)))
  return { wrong: [...new Set(places)] }
}

const fieldAt = ([name = 'stop', part]: readonly string[]): TypedField => {
  if (name === 'first') return part === 'percent' ? 'percent' : 'first'
  if (name === 'horizon') return 'untilMinutes'
  return name as TypedField
}
