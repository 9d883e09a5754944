import { callApi } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useTakeOverRules } from '#renderer/lib/use-set-stage.ts'
import { ruleRoutes, type AccountRules, type AccountStanding, type RulePreset, type RuleSet, type Stage } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm, type FieldPath, type FieldPathByValue, type FieldPathValue } from 'react-hook-form'
import { emptyRules, rulesFields, typedRules, type TypedRules } from './rules-form-schema.ts'
import { draftKey, dropDraft, keepDraft, useDrafts } from './unsaved-rules.ts'

/** One choice of how to save rules: from which day they count, null being the first trade, with their starting balance then, and what they would make of the account. */
export type SaveChoice = { readonly since: string | null; readonly set: RuleSet; readonly standing: AccountStanding }

/** Rules that would end the account's stage, with the choices of how to save them; the first one is as typed. */
type Question = { readonly presetId: string | null; readonly choices: readonly [SaveChoice, ...SaveChoice[]]; readonly of: Draft }

/** What was typed when rules were sent: once they are saved, only that is dropped. */
type Draft = TypedRules | null
type Sent = { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }

const resolver = resolverOf(rulesFields)

/** What `useRulesDraft` gives. */
export type RulesDraft = ReturnType<typeof useRulesDraft>

/** A text field of the form. */
export type RuleField = FieldPathByValue<TypedRules, string>

/** The number of fields with an error. */
const countErrors = (errors: object): number => Object.values(errors).reduce((sum: number, error: object) => sum + ('message' in error ? 1 : countErrors(error)), 0)

/** Whether rules would turn an account from its stage to breached or passed. */
const wouldEnd = (now: Stage, { stage }: AccountStanding): boolean => stage !== now && (stage === 'breached' || stage === 'passed')

/**
 * The rules of an account being edited, until they are saved or dropped; `typed` is null if it has none and none were
 * begun. Rules that would end its `stage` are a `question` first, and saved only by its answer.
 */
export const useRulesDraft = (rules: AccountRules, currency: string, stage: Stage) => {
  const takeOver = useTakeOverRules()
  const key = draftKey(useUserId(), rules.account)
  const draft = useDrafts(({ drafts }) => drafts.get(key)) ?? null
  const saved = rules.set === null ? null : { ...typedRules(rules.set), presetId: rules.presetId, since: rules.since ?? '' }
  const { register, reset, setValue, watch, getValues, getFieldState, clearErrors, handleSubmit, formState } = useForm({
    resolver, reValidateMode: 'onSubmit', shouldFocusError: false,
    defaultValues: draft ?? saved ?? emptyRules(currency),
  })
  const changed = draft !== null
  const showSaved = useEffectEvent(() => { reset(saved ?? emptyRules(currency)) })
  useEffect(() => {
    if (!changed) showSaved()
  }, [changed, rules])
  const save = useMutation({
    mutationFn: ({ sent }: { readonly sent: Sent; readonly of: Draft }) => callApi(ruleRoutes.saveRules, { body: { account: rules.account, ...sent } }),
    onSuccess: async (answer, { of }) => {
      await takeOver(answer.rules)
      dropDraft(key, of)
    },
  })
  const [question, setQuestion] = useState<Question | null>(null)
  const checking = useMutation({
    mutationFn: async ({ sent: { set, presetId, since }, of }: { readonly sent: Sent & { readonly set: RuleSet }; readonly of: Draft }): Promise<Question | null> => {
      const tried = async (from: string | null, as: RuleSet): Promise<SaveChoice> => ({ since: from, set: as, standing: (await callApi(ruleRoutes.tryRules, { body: { account: rules.account, set: as, since: from } })).standing })
      // From a later day on the rules start with the balance of that day.
      const triedFrom = async (from: string): Promise<SaveChoice> => {
        const choice = await tried(from, set)
        return choice.standing.begins === undefined ? choice : tried(from, { ...set, startingBalance: choice.standing.begins })
      }
      const asTyped = await tried(since, set)
      if (!wouldEnd(stage, asTyped.standing)) return null
      const later = [...new Set([rules.resetDay, tradingDay(Date.now())])].filter((day): day is string => day !== null && day > (since ?? ''))
      return { presetId, of, choices: [asTyped, ...(await Promise.all(later.map(triedFrom)))] }
    },
    onSuccess: (asks, checked) => {
      if (asks === null) save.mutate(checked)
      else setQuestion(asks)
    },
  })
  const typed = changed || saved !== null ? watch() : null
  const edited = (): void => {
    // The answer of the last try is out of date; one that is still to come is not.
    for (const step of [save, checking]) if (!step.isPending) step.reset()
    clearErrors()
    keepDraft(key, structuredClone(getValues()))
  }
  const begin = (next: TypedRules): void => {
    reset(next)
    edited()
  }
  return {
    typed,
    register: (name: RuleField) => register(name, { onChange: edited }),
    errorOf: (name: RuleField): string | undefined => getFieldState(name, formState).error?.message,
    set: <Name extends FieldPath<TypedRules>>(name: Name, value: FieldPathValue<TypedRules, Name>): void => {
      setValue(name, value)
      edited()
    },
    /** The first day after a reset that is within the days that count now. */
    resetDay: rules.resetDay !== null && (typed?.since ?? '') < rules.resetDay ? rules.resetDay : null,
    changed,
    wrong: countErrors(formState.errors),
    submitCount: formState.submitCount,
    busy: save.isPending || checking.isPending,
    error: checking.error ?? save.error,
    question,
    /** Answers the question: saves the rules as one of its choices, or not at all. */
    answer: (choice: SaveChoice | null): void => {
      setQuestion(null)
      if (question !== null && choice !== null) save.mutate({ sent: { set: choice.set, presetId: question.presetId, since: choice.since }, of: question.of })
    },
    saved: save.isSuccess && !changed,
    fill: (preset: RulePreset): void => { begin({ ...typedRules(preset.set), presetId: preset.id, since: typed?.since ?? '' }) },
    beginOwn: (): void => { begin(emptyRules(currency)) },
    discard: (): void => {
      save.reset()
      checking.reset()
      dropDraft(key)
    },
    remove: (): void => { save.mutate({ sent: { set: null, presetId: null, since: null }, of: draft }) },
    submit: handleSubmit((read) => {
      save.reset()
      checking.mutate({ sent: read, of: draft })
    }),
  }
}
