import { classNames } from '#renderer/lib/class-names.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { exitRule, exitTerms, type TermsInput } from '#shared/api/what-if.ts'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useTriedRules } from './what-if-store.ts'

const fields = 'grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] items-start gap-x-3.5 gap-y-3'

type Numbers = Exclude<TypedField, 'distances' | 'until' | 'insideBars' | 'fee'>

/** The rule that replaces real exits; Enter in any field tries it. */
export const WhatIfForm = ({ busy }: { busy: boolean }) => {
  const { t } = useTranslation('what-if')
  const format = useFormat()
  const attempt = useTriedRules((state) => state.attempt)
  const { register, watch, setValues, clearErrors, handleSubmit, formState: { errors } } = useForm({ resolver, reValidateMode: 'onSubmit', shouldFocusError: false, defaultValues: startingRule })
  const typed = watch()
  const set = (part: Partial<TypedRule>): void => {
    setValues(part)
    clearErrors()
  }
  const input = (name: TypedField) => register(name, { onChange: () => { clearErrors() } })
  const inR = typed.distances === 'r'
  const number = (name: Numbers, label: string, { least = 1, most = 10_000, step = 1 } = {}) => (
    <Field label={label} error={errors[name] ? (name === 'stop' && typed.stop.trim() === '' ? t('empty-rule') : t(step < 1 ? 'number-within' : 'whole-within', { least: format.quantity(least), most: format.quantity(most) })) : null}>
      {(field) => <Input {...field} {...input(name)} type="number" inputMode="decimal" min={step < 1 ? step : least} max={most} step={step} autoComplete="off" />}
    </Field>
  )
  const distance = (name: 'stop' | 'target' | 'trail' | 'breakEven' | 'first', label: string) => number(name, label, inR ? { least: 0.01, most: 100, step: 0.25 } : {})
  return (
    <Card title={t('rule')} note={t('rule-note')} actions={<Segmented label={t('distances')} value={typed.distances} onChange={(distances) => { set({ distances, ...rescaled(typed, distances) }) }} options={[{ value: 'ticks', label: t('ticks') }, { value: 'r', label: 'R' }]} />}>
      <form
        noValidate
        className="flex flex-col gap-3.5 px-4 py-3.5"
        onSubmit={handleSubmit(({ rule, terms }) => { attempt(rule, terms) })}
      >
        <div className={fields}>
          {distance('stop', t('stop'))}
          {distance('target', t('target'))}
          {distance('trail', t('trail'))}
          {distance('breakEven', t('break-even'))}
          {distance('first', t('first'))}
          {number('percent', t('percent'), { most: 99 })}
          {number('minutes', t('minutes'))}
        </div>
        <div className={classNames(fields, 'border-t border-hairline pt-3.5')}>
          {number('slippage', t('slippage'), { least: 0, most: 1_000 })}
          <Field label={t('fee')} error={errors.fee && t('bad-fee')}>
            {(field) => <Input {...field} {...input('fee')} inputMode="decimal" autoComplete="off" maxLength={12} placeholder={t('fee-own')} />}
          </Field>
          <Field label={t('until')} className="col-span-2">
            {(field) => <Select {...field} className="w-full" value={typed.until} onChange={(until) => { set({ until }) }} options={(['exit', 'session', 'minutes'] as const).map((value) => ({ value, label: t(`until-${value}`) }))} />}
          </Field>
          {typed.until === 'minutes' && number('untilMinutes', t('until-after'))}
          <Field label={t('inside-bars')} className="col-span-2">
            {(field) => <Select {...field} className="w-full" value={typed.insideBars} onChange={(insideBars) => { set({ insideBars }) }} options={(['any-price', 'every-price'] as const).map((value) => ({ value, label: t(`inside-${value}`) }))} />}
          </Field>
          <Button type="submit" busy={busy} className="-col-end-1 self-end">{t('try')}</Button>
        </div>
      </form>
    </Card>
  )
}

const inTicks = { stop: '20', target: '40' }
const inRisk = { stop: '1', target: '2' }

/** Figures that the user left as they were follow the unit; others would mean something else, and go. */
const rescaled = (typed: TypedRule, distances: TypedRule['distances']): Partial<TypedRule> => {
  if (distances === typed.distances) return {}
  const [from, to] = distances === 'r' ? [inTicks, inRisk] : [inRisk, inTicks]
  return { stop: typed.stop === from.stop ? to.stop : '', target: typed.target === from.target ? to.target : '', trail: '', breakEven: '', first: '' }
}

/** The form as it is typed; an empty field is no part of the rule. */
type TypedRule = {
  distances: 'ticks' | 'r'
  stop: string
  target: string
  trail: string
  breakEven: string
  first: string
  percent: string
  minutes: string
  slippage: string
  fee: string
  until: TermsInput['horizon']['until']
  untilMinutes: string
  insideBars: TermsInput['insideBars']
}
type TypedField = keyof TypedRule

/** What the form begins with. */
export const startingRule: TypedRule = { distances: 'ticks', stop: '20', target: '40', trail: '', breakEven: '', first: '', percent: '50', minutes: '', slippage: '1', fee: '', until: 'exit', untilMinutes: '30', insideBars: 'any-price' }

const distanceOf = ({ distances }: TypedRule, text: string): unknown => {
  const typed = text.trim()
  if (typed === '') return null
  return { in: distances, value: distances === 'ticks' ? Number(typed) : Math.round(Number(typed) * 100) }
}
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The rule and its terms, as typed and as tried. A form without a part of a rule names the stop. */
export const ruleFields = z.custom<TypedRule>().transform((typed, { issues }) => {
  const first = distanceOf(typed, typed.first)
  const rule = exitRule.safeParse({
    stop: distanceOf(typed, typed.stop), target: distanceOf(typed, typed.target), trail: distanceOf(typed, typed.trail), breakEven: distanceOf(typed, typed.breakEven), minutes: numberOf(typed.minutes),
    first: first === null ? null : { at: first, percent: Number(typed.percent) },
  })
  const terms = exitTerms.safeParse({ slippage: numberOf(typed.slippage) ?? 0, fee: typed.fee.trim() === '' ? null : typed.fee.trim(), horizon: typed.until === 'minutes' ? { until: 'minutes', minutes: Number(typed.untilMinutes) } : { until: typed.until }, insideBars: typed.insideBars })
  if (rule.success && terms.success) return { rule: rule.data, terms: terms.data }
  for (const { path, message } of [...(rule.error?.issues ?? []), ...(terms.error?.issues ?? [])]) issues.push({ code: 'custom', input: typed, path: [fieldAt(path.map(String))], message })
  return z.NEVER
})
const resolver = resolverOf(ruleFields)

const fieldAt = ([name = 'stop', part]: readonly string[]): TypedField => {
  if (name === 'first') return part === 'percent' ? 'percent' : 'first'
  if (name === 'horizon') return 'untilMinutes'
  return name as TypedField
}
