import { backupRoutes } from '#shared/api/backups.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { reportRoutes } from '#shared/api/reports.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import type { Browser } from './browser.ts'

const without = (given: object, names: readonly string[]): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))

/** Without the latest rows, which are trades by now where they were fill pairs. */
const figuresOf = (answer: StatisticsAnswer) => without(answer, ['recent'])

/** Every API answer about a journal, by the name of the call, as it was then. Answers that depend on the current day are left out. */
export const answersOf = async (browser: Browser, userId: string): Promise<Readonly<Record<string, unknown>>> => {
  const { reports } = await browser.call(reportRoutes.reports)
  const { backups } = await browser.call(backupRoutes.backups)
  const { days } = await browser.call(reconciliationRoutes.reconciliation, { query: {} })
  return {
    pairs: await browser.call(recordRoutes.getTrades, { query: { userId } }),
    finances: await browser.call(recordRoutes.getFinances, { query: { userId } }),
    trades: (await browser.call(journalRoutes.tradePage, { query: { offset: 0, limit: 200 } })).rows.map((trade) => without(trade, ['origin', 'tags', 'notes'])),
    statistics: [
      figuresOf(await browser.call(statisticsRoutes.statistics, { query: { unit: 'trades' } })),
      figuresOf(await browser.call(statisticsRoutes.statistics, { query: { unit: 'pairs', timedBy: 'exit' } })),
    ],
    choices: await browser.call(statisticsRoutes.filterChoices),
    dayNotes: await browser.call(ownDataRoutes.dayNotes, { query: {} }),
    commissions: (await browser.call(ownDataRoutes.commissions)).own,
    pointValues: await browser.call(ownDataRoutes.pointValues),
    defaultStops: await browser.call(ownDataRoutes.defaultStops),
    imports: await browser.call(importRoutes.imports),
    days,
    rules: (await browser.call(ruleRoutes.rules)).accounts,
    reports: await Promise.all(reports.map(({ id }) => browser.call(reportRoutes.report, { query: { id } }))),
    // Each migration since then leaves a backup of its own.
    backups: backups.filter(({ kind }) => kind !== 'before-update').map(({ name, kind }) => ({ name, kind })),
  }
}
