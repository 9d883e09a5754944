import { callApi } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useTakeOverRules } from '#renderer/lib/use-set-stage.ts'
import { ruleRoutes, type AccountRules, type RulePreset, type RuleSet } from '#shared/api/rules.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formOfRules, noRules, readRules, type RulesFault, type RulesForm } from './rules-draft.ts'
import { draftKey, dropDraft, keepDraft, useDrafts, type Draft } from './rules-drafts.ts'

type Sent = { readonly set: RuleSet | null; readonly presetId: string | null; readonly since: string | null }

/** What `useRulesDraft` gives. */
export type RulesDraft = ReturnType<typeof useRulesDraft>

/** The rules of an account being edited, until they are saved or dropped; `form` is null if it has none and none were begun. */
export const useRulesDraft = (rules: AccountRules, currency: string) => {
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
  const saved: Draft | null = rules.set === null ? null : { form: formOfRules(rules.set), presetId: rules.presetId, since: rules.since ?? '' }
  const shown = draft ?? saved
  const begin = (next: Draft): void => {
    save.reset()
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
    busy: save.isPending,
    error: save.error,
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
      setFaults([])
      dropDraft(key)
    },
    remove: (): void => { save.mutate({ sent: { set: null, presetId: null, since: null }, of: draft }) },
    submit: (): void => {
      if (shown === null) return
      const read = readRules(shown.form)
      setFaults(read.faults)
      if (read.set !== null) save.mutate({ sent: { set: read.set, presetId: shown.presetId, since: shown.since === '' ? null : shown.since }, of: draft })
    },
  }
}
