import { callApi, apiQuery, invalidateRoutes } from '#renderer/lib/api.ts'
import { rulesQuery } from '#renderer/lib/rules.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useTakeOverRules } from '#renderer/lib/use-set-stage.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { stageFits } from '#shared/rules/stage.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

const { addFinance, getFinances } = recordRoutes
const financesReadAgainAfterMs = 1_200

/** Saves the type and firm of accounts, each on its own: saved labels show at once and are read again a little later. Returns why the others were not saved, by id. */
export const useSaveLabels = () => {
  const client = useQueryClient()
  const userId = useUserId()
  const follow = useStageFollows()
  return useMutation({
    mutationFn: async (labeled: readonly Finance[]): Promise<{ saved: Finance[]; failures: Map<string, unknown> }> => {
      const failures = new Map<string, unknown>()
      const answers = await Promise.all(labeled.map((finance) => callApi(addFinance, { body: { userId, finance } }).catch((failure: unknown) => void failures.set(finance.id, failure))))
      return { saved: answers.flatMap((answer) => (answer === undefined ? [] : [answer.finance])), failures }
    },
    onSuccess: async ({ saved }) => {
      if (saved.length === 0) return
      const { queryKey } = apiQuery(getFinances, { query: { userId } })
      // An answer that is on its way may have been given before the save.
      await client.cancelQueries({ queryKey })
      const byId = new Map(saved.map((finance) => [finance.id, finance]))
      client.setQueryData(queryKey, (known) => known && { ...known, finances: known.finances.map((one) => byId.get(one.id) ?? one) })
      setTimeout(() => void invalidateRoutes(client, getFinances), financesReadAgainAfterMs)
      void follow(saved)
    },
  })
}

/** The stage follows a new label, even if it was set by hand before. */
const useStageFollows = (): ((saved: readonly Finance[]) => Promise<void>) => {
  const { t } = useTranslation('rules')
  const client = useQueryClient()
  const words = useProblemText()
  const takeOver = useTakeOverRules()
  return async (saved) => {
    // Where rules cannot be read, the stage stays as it is, and says that it was set by hand.
    const known = await client.ensureQueryData(rulesQuery).then(({ accounts }) => accounts, () => [])
    for (const { id, name, type } of saved) {
      const before = known.find(({ account }) => account === id)
      if (before === undefined || !before.stageByHand || stageFits(type, before.stage)) continue
      try {
        const { rules } = await callApi(ruleRoutes.setStage, { body: { account: id, stage: null } })
        await takeOver(rules)
      } catch (failure) {
        toast({ title: t('stage.failed', { account: name }), text: words(failure), tone: 'error' })
      }
    }
  }
}
