import { join } from 'node:path'
import { createImports } from '#backend/imports/imports.ts'
import { openJournal } from '#backend/journal/open-journal.ts'
import type { Log } from '#shared/base/log.ts'
import { migrationsFolder, userId, type ImportOrder } from './import-order.ts'

// The body of a process that is made to be killed: it imports two files, one after the other, and undoes the first.
const { folder, fills, killAt } = JSON.parse(process.env['IMPORT_ORDER'] ?? '') as ImportOrder
const nothing = (): void => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const at = Date.UTC(2026, 0, 5)
const day = 86_400_000

const header = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'
const row = (id: number): string => {
  const time = new Date(at + (id % 5) * day + id * 1_000).toISOString().replace('T', ' ')
  const [action, side] = id % 2 === 0 ? ['0', ' Buy'] : ['1', ' Sell']
  const price = (6_000 + (id % 7) * 0.25).toFixed(2)
  return `${String(id)},${String(id)},1,${time},${time.slice(0, 10)},${action},1,${price},true,9,${String(id)},${String(id)},,,PA-7,${side},1,${price},-2,0,0.25,MESH6,MES,Micro,0.62`
}

async function* file(from: number, to: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`${header}\n`)
  for (let id = from; id < to; id += 500) {
    yield await Promise.resolve(encoder.encode(`${Array.from({ length: Math.min(500, to - id) }, (_, index) => row(id + index)).join('\n')}\n`))
  }
}

const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log, killAt })
await journal.write.ensureProfile({ id: userId, email: 'a@example.org', displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: at })
const imports = createImports({ journal, now: () => at })
const options = { zone: 'America/New_York', account: null }
const names = (await journal.read.imports({ userId })).flatMap(({ files }) => files.map(({ name }) => name))
// A start after a kill continues where the last one stopped.
if (!names.includes('first.csv')) await imports.add(userId, [{ name: 'first.csv', open: () => file(1, 301) }], options)
if (!names.includes('second.csv')) await imports.add(userId, [{ name: 'second.csv', open: () => file(201, 201 + fills) }], options)
const first = (await journal.read.imports({ userId })).find(({ files, undoneAt }) => undoneAt === null && files.some(({ name }) => name === 'first.csv'))
if (first !== undefined) await journal.write.undoImport({ userId, importId: first.id, at })
await journal.close()
