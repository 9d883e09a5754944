import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { alertsQuery } from '#renderer/lib/rules.ts'
import { ruleRoutes, type AlertSettings } from '#shared/api/rules.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Saves the alert settings; they show once the program has them. */
export const useSaveAlertSettings = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (settings: AlertSettings) => callApi(ruleRoutes.saveAlertSettings, { body: settings }),
    onSuccess: async ({ settings }) => {
      // A pending answer may be from before the save.
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
