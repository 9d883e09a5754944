import { join } from 'node:path'
import { createPictures } from '#backend/pictures/pictures.ts'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { noRules } from '#shared/rules/terms.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { mixedFills } from '../bench/fills.ts'
import { fillRow, importRows } from '../helpers/imports.ts'
import { migrationsFolder } from '../helpers/store.ts'

const at = Date.UTC(2026, 2, 4)
const day = 86_400_000
const fillsOnDay = 100
const accounts = [
  { key: 'tradovate:demo:700101' as AccountKey, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' },
  { key: 'tradovate:demo:700102' as AccountKey, environment: 'demo', brokerAccountId: '700102', name: 'EVAL-102' },
  { key: 'tradovate:live:700201' as AccountKey, environment: 'live', brokerAccountId: '700201', name: 'Fünded-201' },
] as const
const [first, second, third] = accounts

/**
 * Writes a journal that was never mirrored into `folder`: so many fills of three accounts, and something of everything
 * that a trader does with them. It is the same each time but for the computer's id.
 */
export const writeJournal = async (folder: string, userId: string, fills: number): Promise<void> => {
  const database = openDatabase(join(folder, 'journal.db'))
  migrate(database, migrationsFolder, join(folder, 'backups'))
  const writer = writerOf(database)
  const [read, write] = [readsOf(writer), writesOf({ writer, barrier: () => undefined })]
  const pictures = createPictures(join(folder, 'pictures'))
  const now = { userId, at }

  write.createProfile({ id: userId, email: 'trader@example.com', displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: at })
  write.saveLogin({ ...now, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  write.saveAccounts({ ...now, loginId: 'login', accounts, reconnect: true })
  write.saveBalances({ ...now, balances: accounts.map(({ key }, index) => ({ account: key, amount: (500_000_000 + index) as Amount, currency: 'USD' as Currency, time: at + index })) })
  const spec = { contract: 'ZZZQ9', root: 'ZZZ', rootIsWhole: true, currency: 'USD' as Currency, tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, feePerSide: 5_200 as Amount, source: 'broker', rounding: null } as const
  write.saveContracts({ ...now, contracts: [{ environment: 'demo', brokerContractId: '4400001', spec }] })
  const taken = mixedFills(fills).map((fill, index) => ({ ...fill, time: fill.time + Math.floor(index / fillsOnDay) * day, orderId: index, contractId: '4400001', tradeDate: '2026-03-02' }))
  await write.saveFills({ ...now, fills: taken, specs: [] })

  for (const [index, { id }] of read.pairPage({ userId, filter: everyTrade, offset: 0, limit: 40, sort: 'exitTime', direction: 'desc' }).rows.entries()) {
    write.updateTrade({ ...now, id, updates: { notes: `Note ${String(index)}: “kept”`, tags: [`tag ${String(index % 7)}`], ...(index % 2 === 0 ? { stop: '6700.25' } : {}) } })
    if (index % 10 === 0) write.removeTrade({ ...now, id })
    if (index % 13 !== 1) continue
    const kept = await pictures.keep(userId, Buffer.from(`\x89PNG\r\n\x1a\npicture ${String(index)}`, 'latin1'))
    if (!kept.ok) throw new Error(kept.error)
    write.addPicture({ ...now, ...kept.value })
    write.updateTrade({ ...now, id, updates: { screenshot: kept.value.name, screenshotHeadline: 'The entry' } })
  }
  // What was written on a round trip that the broker busts afterwards is left over on its day.
  const busted = taken.slice(0, 2).map((fill, index) => ({ ...fill, id: String(fills + index + 1), orderId: fills + index, account: first.key, contract: 'ESU6', side: index === 0 ? ('buy' as const) : ('sell' as const), qty: 1 }))
  await write.saveFills({ ...now, fills: busted, specs: [] })
  const [noted] = read.pairPage({ userId, filter: { ...everyTrade, symbols: ['ESU6'] }, offset: 0, limit: 1, sort: 'exitTime', direction: 'desc' }).rows
  write.updateTrade({ ...now, id: noted?.id ?? '', updates: { notes: 'Busted: “why?”', tags: ['bust'] } })
  await write.saveFills({ ...now, fills: busted.map((fill) => ({ ...fill, active: false })), specs: [] })

  const entered = { symbol: 'MESM6', account: 'Paper', accountId: 'paper', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-03-02T15:00:00Z', exitTime: '2026-03-02T16:00:00Z' }
  for (const id of ['mine', 'second', 'gone']) write.addTrade({ ...now, trade: { ...entered, id, notes: id } })
  write.removeTrade({ ...now, id: 'gone' })
  for (const id of ['payout', 'fee', 'mistake']) write.addFinance({ ...now, finance: { id, type: id === 'payout' ? 'earning' : 'expense', amount: 250.5, name: id, balance: 0, platform: 'other', firm: null } })
  write.removeFinance({ ...now, id: 'mistake' })
  write.addFinance({ ...now, finance: { id: first.key, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: 'Tradeify' } })
  await write.setCommission({ ...now, of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: '0.37' })
  await write.setPointValue({ ...now, product: 'ZZZ', pointValue: { amount: '12.5', currency: 'USD' as Currency } })
  await write.deriveStale(now)
  write.setDayNote({ ...now, tradingDay: '2026-03-02', notes: 'Chop “all day”', tags: ['fomc'] })
  write.setDefaultStops({ ...now, stops: [{ product: 'MES', distance: '2.5', unit: 'points' }, { product: 'NQ', distance: '40', unit: 'ticks' }] })
  write.setCopyOf({ ...now, account: second.key, leader: first.key })
  write.setRules({ ...now, account: first.key, set: { ...noRules('USD'), startingBalance: '50000', profitTarget: '3000' }, presetId: null, since: '2026-03-02' })
  write.setStage({ ...now, account: second.key, stage: 'passed' })
  write.removeAccount({ ...now, account: third.key })
  await importRows({ write }, 'undone', [fillRow('PA-7', 1, 'buy', 1, 6750), fillRow('PA-7', 2, 'sell', 1, 6751)], null, at, { userId })
  await write.undoImport({ ...now, importId: 'undone' })
  database.close()
}
