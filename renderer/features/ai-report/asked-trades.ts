import type { Report } from '#shared/api/reports.ts'
import type { ReportWords } from './report-words.ts'

/** The trades to show: the key of a finding or the id of a fact, and its name. */
export type LinkedTrades = { readonly of: string; readonly title: string }

/** What an address asks to show of a report; null if nothing, or if the report does not have it. */
export const askedIn = (report: Report, words: ReportWords, of: string | null): LinkedTrades | null => {
  if (of === null) return null
  const [fact, finding] = [report.facts.find(({ id }) => id === of), report.findings.find(({ key }) => key === of)]
  if (finding !== undefined) return { of, title: words.title(finding) }
  return fact === undefined ? null : { of, title: words.factTitle(fact) }
}
