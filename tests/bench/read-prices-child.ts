import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { writingPrices } from '#backend/prices/store/price-file.ts'
import { importPriceFile, inspectPriceFile } from '#backend/prices/price-imports.ts'
import { pricesMigrations, tickSize } from '../helpers/price-tapes.ts'
import type { FillsRead } from './read-fills-child.ts'

const bytesInMb = 1_000_000

const byFillbook = (file: string): Promise<number> => {
  const sent = { path: file, name: 'MNQ 12-26.Last.txt', contract: null, choice: { zone: 'UTC', label: 'start', scale: 0 } } as const
  const seen = inspectPriceFile(sent, Date.UTC(2026, 10, 28))
  if (seen === null) throw new Error('Not a file of prices')
  const done = writingPrices({ file: `${file}.db`, migrationsFolder: pricesMigrations }, (writer) => importPriceFile(writer, sent, seen, { tickSize, fills: [] }, { zone: 'UTC', now: 0 }))
  if (done.problem !== null || done.bad.length > 0) throw new Error('Not every row was stored')
  return Promise.resolve(done.contracts.reduce((sum, { added }) => sum + added, 0))
}

const byLibrary = async (file: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const rows = createReadStream(file).pipe(parse({ delimiter: ';' }))
  let read = 0
  rows.on('readable', () => {
    while (rows.read() !== null) read += 1
  })
  rows.on('end', () => {
    resolve(undefined)
  })
  rows.on('error', reject)
  await promise
  return read
}

const [, , how, file = ''] = process.argv
const before = process.memoryUsage.rss()
const used = process.cpuUsage()
const from = performance.now()
const rows = await (how === 'library' ? byLibrary : byFillbook)(file)
const ms = performance.now() - from
const { user, system } = process.cpuUsage(used)
// The import is one piece of work: only the system saw its peak, in kB.
const result: FillsRead = { rows, ms, cpuMs: (user + system) / 1_000, grownMb: (process.resourceUsage().maxRSS * 1024 - before) / bytesInMb }
process.stdout.write(JSON.stringify(result))
