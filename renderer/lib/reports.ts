import { reportRoutes, type Narrative } from '#shared/api/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { apiQuery, invalidateRoutes } from './api.ts'

/** The query of all reports and their settings. */
export const reportsQuery = apiQuery(reportRoutes.reports)

/** The query of one report. */
export const reportQuery = (id: string) => apiQuery(reportRoutes.report, { query: { id } })

/** The newest state of a narrative, given `next`: pushes and answers can overtake each other, and an ended one stays ended. */
export const newestNarrative = (known: Narrative | null, next: Narrative): Narrative => {
  if (known === null || next.startedAt > known.startedAt) return next
  const isOlder = next.startedAt < known.startedAt || (known.endedAt !== null && next.endedAt === null) || (next.state === 'writing' && known.state === 'writing' && next.draft.length < known.draft.length)
  return isOlder ? known : next
}

/** Shows the progress of a report's narrative, wherever that report is shown. */
export const useShowNarrative = (): ((reportId: string, narrative: Narrative) => void) => {
  const client = useQueryClient()
  return (reportId, narrative) => {
    const { queryKey } = reportQuery(reportId)
    // A running fetch may be older than this event, and would undo it.
    void client.cancelQueries({ queryKey }).then(() => {
      const known = client.getQueryData(queryKey)
      const newest = newestNarrative(known?.report.narrative ?? null, narrative)
      if (known !== undefined) client.setQueryData(queryKey, { report: { ...known.report, narrative: newest } })
      client.setQueryData(reportsQuery.queryKey, (all) => all && { ...all, reports: all.reports.map((one) => (one.id === reportId ? { ...one, narrative: newest.state } : one)) })
      // A canceled first fetch left nothing in the cache.
      if (known === undefined) void invalidateRoutes(client, reportRoutes.report)
    })
  }
}
