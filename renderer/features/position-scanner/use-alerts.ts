import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { alertsQuery } from '#renderer/lib/rules.ts'
import { ruleRoutes, type AlertSettings } from '#shared/api/rules.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Saves how alerts are shown; it takes effect once the program has it. */
export const useSaveAlertSettings = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (settings: AlertSettings) => callApi(ruleRoutes.saveAlertSettings, { body: settings }),
    onSuccess: async ({ settings }) => {
      // An answer that is on its way may have been given before the save.
      await client.cancelQueries({ queryKey: alertsQuery.queryKey })
      client.setQueryData(alertsQuery.queryKey, (known) => known && { ...known, settings })
    },
  })
}

/** Marks all alerts up to one as seen. */
export const useAlertsSeen = (onFailure: (failure: unknown) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (upTo: number) => callApi(ruleRoutes.alertsSeen, { body: { upTo } }),
    onSuccess: () => invalidateRoutes(client, ruleRoutes.alerts),
    onError: onFailure,
  })
}
