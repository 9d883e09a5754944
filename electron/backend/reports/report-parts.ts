import { privateWords } from '../journal/private-words.ts'
import { reportNotes, reportTrips } from './report-trips.ts'
import { addReport, endNarratives, keepNarrative, removeReport, report, reports, reportSettings, scheduledUsers, setReportModel, setReportSchedule } from './queries.ts'

/** What the journal answers of reports. */
export const reportReads = { reports, report, reportTrips, reportNotes, reportSettings, scheduledUsers, privateWords }

/** What of them is kept in one transaction each. */
export const reportWrites = { addReport, removeReport, keepNarrative, endNarratives, setReportModel, setReportSchedule }
