import { callApi } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useTakeOverRules } from '#renderer/lib/use-set-stage.ts'
import { ruleRoutes, type AccountRules, type AccountStanding, type RulePreset, type RuleSet, type Stage } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formOfRules, noRules, readRules, type RulesFault, type RulesForm } from './rules-draft.ts'
import { draftKey, dropDraft, keepDraft, useDrafts, type Draft } from './rules-drafts.ts'

/** A day from which the rules could count, null being the first trade, the rules with their starting balance then, and what they would make of the account. */
export type Way = { readonly since: string | null; readonly set: RuleSet; readonly standing: AccountStanding }

/** Rules that would end the account's stage, with the ways to save them; the first one is as typed. */
type Question = { readonly presetId: string | null; readonly ways: readonly [Way, ...Way[]] }

type Sent = { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }

/** What `useRulesDraft` gives. */
export type RulesDraft = ReturnType<typeof useRulesDraft>

/** Whether rules would turn an account from its stage to breached or passed. */
const wouldEnd = (now: Stage, { stage }: AccountStanding): boolean => stage !== now && (stage === 'breached' || stage === 'passed')

/**
 * The rules of an account being edited, until they are saved or dropped; `form` is null if it has none and none were
 * begun. Rules that would end its `stage` are a `question` first, and saved only by its answer.
 */
export const useRulesDraft = (rules: AccountRules, currency: string, stage: Stage) => {
  const takeOver = useTakeOverRules()
  const key = draftKey(useUserId(), rules.account)
  const draft = useDrafts(({ drafts }) => drafts.get(key)) ?? null
  const [faults, setFaults] = useState<readonly RulesFault[]>([])
  const save = useMutation({
    mutationFn: ({ sent }: { readonly sent: Sent; readonly of: Draft | null }) => callApi(ruleRoutes.saveRules, { body: { account: rules.account, ...sent } }),
    onSuccess: async (answer, { of }) => {
      await takeOver(answer.rules)
      dropDraft(key, of)
    },
  })
  const [question, setQuestion] = useState<Question | null>(null)
  const checking = useMutation({
    mutationFn: async ({ set, presetId, since }: Sent & { readonly set: RuleSet }): Promise<Question | null> => {
      const tried = async (from: string | null, as: RuleSet): Promise<Way> => ({ since: from, set: as, standing: (await callApi(ruleRoutes.tryRules, { body: { account: rules.account, set: as, since: from } })).standing })
      // From a later day on the rules start with the balance of that day.
      const triedFrom = async (from: string): Promise<Way> => {
        const way = await tried(from, set)
        return way.standing.begins === undefined ? way : tried(from, { ...set, startingBalance: way.standing.begins })
      }
      const asTyped = await tried(since, set)
      if (!wouldEnd(stage, asTyped.standing)) return null
      const later = [...new Set([rules.resetDay, tradingDay(Date.now())])].filter((day): day is string => day !== null && day > (since ?? ''))
      return { presetId, ways: [asTyped, ...(await Promise.all(later.map(triedFrom)))] }
    },
    onSuccess: (asks, sent) => {
      if (asks === null) save.mutate({ sent, of: draft })
      else setQuestion(asks)
    },
  })
  const saved: Draft | null = rules.set === null ? null : { form: formOfRules(rules.set), presetId: rules.presetId, since: rules.since ?? '' }
  const shown = draft ?? saved
  const begin = (next: Draft): void => {
    save.reset()
    checking.reset()
    setFaults([])
    keepDraft(key, next)
  }
  return {
    form: shown?.form ?? null,
    presetId: shown?.presetId ?? null,
    since: shown?.since ?? '',
    /** The first day after a reset that is within the days that count now. */
    resetDay: rules.resetDay !== null && (shown?.since ?? '') < rules.resetDay ? rules.resetDay : null,
    changed: draft !== null,
    faults,
    busy: save.isPending || checking.isPending,
    error: checking.error ?? save.error,
    question,
    /** Answers the question: saves the rules as one of its choices, or not at all. */
    answer: (way: Way | null): void => {
      setQuestion(null)
      if (question !== null && way !== null) save.mutate({ sent: { set: way.set, presetId: question.presetId, since: way.since }, of: draft })
    },
    saved: save.isSuccess,
    change: (more: Partial<RulesForm>): void => {
      if (shown !== null) begin({ ...shown, form: { ...shown.form, ...more } })
    },
    changeSince: (since: string): void => {
      if (shown !== null) begin({ ...shown, since })
    },
    fill: (preset: RulePreset): void => { begin({ form: formOfRules(preset.set), presetId: preset.id, since: shown?.since ?? '' }) },
    beginOwn: (): void => { begin({ form: noRules(currency), presetId: null, since: '' }) },
    discard: (): void => {
      save.reset()
      checking.reset()
      setFaults([])
      dropDraft(key)
    },
    remove: (): void => { save.mutate({ sent: { set: null, presetId: null, since: null }, of: draft }) },
    submit: (): void => {
      if (shown === null) return
      const read = readRules(shown.form)
      setFaults(read.faults)
      save.reset()
      if (read.set !== null) checking.mutate({ set: read.set, presetId: shown.presetId, since: shown.since === '' ? null : shown.since })
    },
  }
}
