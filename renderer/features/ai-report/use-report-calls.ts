import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { reportQuery, reportsQuery, useShowNarrative } from '#renderer/lib/reports.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import { reportRoutes, type ReportSettings } from '#shared/api/reports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Makes a report, and caches it. */
export const useMakeReport = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyGiven<typeof reportRoutes.makeReport>) => callApi(reportRoutes.makeReport, { body }),
    onSuccess: ({ report }) => {
      client.setQueryData(reportQuery(report.id).queryKey, { report })
      return invalidateRoutes(client, reportRoutes.reports)
    },
  })
}

/** Removes a report: it disappears once the program has done it. */
export const useRemoveReport = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi(reportRoutes.removeReport, { body: { id } }),
    onSuccess: async (_, id) => {
      // A pending answer may be from before the change.
      await client.cancelQueries({ queryKey: reportsQuery.queryKey })
      client.setQueryData(reportsQuery.queryKey, (known) => known && { ...known, reports: known.reports.filter((one) => one.id !== id) })
      await invalidateRoutes(client, reportRoutes.reports)
    },
  })
}

/** Starts to write what a preview showed. */
export const useWriteNarrative = () => {
  const show = useShowNarrative()
  return useMutation({
    mutationFn: (body: BodyGiven<typeof reportRoutes.writeNarrative>) => callApi(reportRoutes.writeNarrative, { body }),
    onSuccess: ({ narrative }, { id }) => { show(id, narrative) },
  })
}

/** Cancels the writing of a narrative; the result is pushed. */
export const useCancelNarrative = () => useMutation({ mutationFn: (id: string) => callApi(reportRoutes.cancelNarrative, { body: { id } }) })

const useShowSettings = (): ((settings: ReportSettings) => Promise<void>) => {
  const client = useQueryClient()
  return async (settings) => {
    await client.cancelQueries({ queryKey: reportsQuery.queryKey })
    client.setQueryData(reportsQuery.queryKey, (known) => known && { ...known, settings })
  }
}

/** Saves or removes the endpoint that writes narratives. */
export const useSaveModel = () => {
  const show = useShowSettings()
  return useMutation({
    mutationFn: (model: BodyGiven<typeof reportRoutes.saveModel>['model']) => callApi(reportRoutes.saveModel, { body: { model } }),
    onSuccess: ({ settings }) => show(settings),
  })
}

/** Makes one short call to the saved endpoint. */
export const useTryModel = () => useMutation({ mutationFn: () => callApi(reportRoutes.tryModel, { body: {} }) })

/** Saves which reports are made automatically. */
export const useSaveSchedule = () => {
  const show = useShowSettings()
  return useMutation({
    mutationFn: (body: BodyGiven<typeof reportRoutes.saveReportSchedule>) => callApi(reportRoutes.saveReportSchedule, { body }),
    onSuccess: ({ settings }) => show(settings),
  })
}
