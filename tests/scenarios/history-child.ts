import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHistory } from '#backend/sync/history.ts'
import { createImports } from '#backend/imports/imports.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import type { ReportQuery } from '#backend/brokers/tradovate/reports.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { migrationsFolder } from './import-order.ts'
import { accountNames, at, since, userId, type HistoryOrder } from './history-order.ts'
import { allRights } from '#tests/helpers/rights.ts'

// The body of a process that is made to be killed: it fetches a year of two accounts, and resumes where it was.
const { folder, killAt, killAfterReports } = JSON.parse(process.env['HISTORY_ORDER'] ?? '') as HistoryOrder
const nothing = (): void => undefined
const fail = (fields: object, message: string): void => {
  throw new Error(message, { cause: fields })
}
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: fail }
const now = (): number => at

const header = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'

const rowsOf = (account: string, day: number): string[] =>
  (['Buy', 'Sell'] as const).map((side, index) => {
    const id = String((day * 10 + accountNames.indexOf(account)) * 10 + index)
    const [date, price] = [isoDate(day), side === 'Buy' ? '6000.00' : '6001.25']
    return `${id},${id},1,${date} 15:0${String(index)}:00.000Z,${date},${String(index)},1,${price},true,9,${id},${id},,,${account}, ${side},1,${price},-2,0,0.25,MESM6,MES,Micro,0.62`
  })

const fillsReport = ({ account, from, to }: ReportQuery): string => {
  const rows: string[] = []
  for (let day = dayOfDate(from); day <= dayOfDate(to); day += 1) if (![0, 6].includes(new Date(day * 86_400_000).getUTCDay())) rows.push(...rowsOf(account, day))
  return `${[header, ...rows].join('\r\n')}\r\n`
}

const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log, killAt })
await journal.write.ensureProfile({ id: userId, email: null, displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: at })
const loginId = 'login'
await journal.write.saveLogin({ userId, at, id: loginId, brokerUserId: '1', name: 'ava', hosts: null })
const accounts = accountNames.map((name, index) => ({ key: `tradovate:demo:${String(index + 1)}` as AccountKey, environment: 'demo' as const, brokerAccountId: String(index + 1), name }))
await journal.write.saveAccounts({ userId, at, loginId, accounts, reconnect: true })

let reports = 0
const history = createHistory({
  journal, imports: createImports({ journal, now }), now, rights: allRights, idle: () => Promise.resolve(), changed: nothing, added: nothing, log,
  report: ({ name, account, from, to }) => {
    if (name !== 'Fills') return Promise.resolve(err({ kind: 'not-given', detail: null }))
    appendFileSync(join(folder, 'asked'), `${account} ${from} ${to}\n`)
    reports += 1
    if (reports === killAfterReports) process.kill(process.pid, 'SIGKILL')
    return Promise.resolve(ok(fillsReport({ environment: 'demo', name, account, from, to })))
  },
})
const { requests } = await journal.read.history({ userId })
if (requests.length === 0) await history.start(userId, { loginId, since })
else await history.resume()
await history.settled()
await history.close()
await journal.close()
