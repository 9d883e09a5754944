// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { printsInFile, weekOfPrints } from '#tests/helpers/price-import-child.ts'
import { askTape, keepTape, pricePlace, tuesday } from '#tests/helpers/price-tapes.ts'
import { checked } from '../../db/database.ts'
import { deletePriceFile, priceFileOf, readingPrices, writingPrices } from './price-file.ts'
import { removeSeries, setPriceLimits, storedSeries } from '../queries.ts'

const child = fileURLToPath(new URL('../../../../tests/helpers/price-import-child.ts', import.meta.url))
const week = 7 * 86_400_000_000

test('a kill anywhere in an import leaves whole weeks, and the next one goes on', { tags: ['long', 'nightly'], timeout: 300_000 }, async () => {
  const paths = pricePlace()
  let [weeks, cut] = [0, 0]
  // On a busy machine an import may be through before its kill.
  for (let tries = 0; tries < 4 || (cut === 0 && tries < 30); tries += 1) {
    const wait = [3, 17, 40, 80][tries % 4]
    mkdirSync(dirname(paths.file), { recursive: true })
    const running = spawn(process.execPath, [child, paths.file, paths.migrationsFolder, String(weeks)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(running, 'exit')
    let count = weeks - 1
    running.stdout.on('data', (text: Buffer) => (count = Number(text.toString().trim().split('\n').at(-1))))
    await once(running.stdout, 'data')
    await setTimeout(wait)
    running.kill('SIGKILL')
    await exited
    // The log is gone once an import is through.
    cut += existsSync(`${paths.file}-wal`) ? 1 : 0
    expect(checked(paths.file)).toBe(true)
    const entries = readingPrices(paths, 0, (reader) => storedSeries(reader).reduce((sum, series) => sum + series.entries, 0))
    expect(entries % printsInFile).toBe(0)
    weeks = entries / printsInFile
    expect(weeks).toBeGreaterThanOrEqual(count + 1)
  }
  expect(cut).toBeGreaterThan(0)
  for (let number = 0; number < weeks; number += 1) {
    const span = { from: tuesday + number * week, to: tuesday + number * week + week - 1 }
    const prints = weekOfPrints(number)
    const prices = prints.map(({ price }) => price)
    expect(askTape(paths, (tape) => [[...tape.prints(span)], tape.extremes(span)])).toEqual([prints, { low: Math.min(...prices), high: Math.max(...prices) }])
  }
})

test('a file that cannot be made leaves nothing behind, and the next try makes it', () => {
  const paths = pricePlace()
  expect(() => { writingPrices({ ...paths, migrationsFolder: `${paths.migrationsFolder}/nowhere` }, () => undefined) }).toThrow()
  expect([readdirSync(dirname(paths.file)), readingPrices(paths, 'none', () => 'some')]).toEqual([[], 'none'])
  writingPrices(paths, () => undefined)
  expect(readingPrices(paths, 'none', () => 'some')).toBe('some')
})

test('prices that are removed, or beyond the limit, give their room back to the disk', () => {
  const paths = pricePlace()
  writingPrices(paths, () => undefined)
  const empty = statSync(paths.file).size
  for (const number of [0, 1, 2, 3]) keepTape(paths, weekOfPrints(number), { chunk: 4096 })
  const full = statSync(paths.file).size
  writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: null, days: 1 }, tuesday / 1000 + 15 * 86_400_000))
  expect(statSync(paths.file).size - empty).toBeLessThan((full - empty) * 0.7)
  writingPrices(paths, (writer) => removeSeries(writer, { contract: 'MNQ 2026-12', source: 'ninjatrader-ticks', grain: 0 }))
  expect(statSync(paths.file).size).toBeLessThan(100_000)
  expect(askTape(paths, (tape) => tape.extremes({ from: 0, to: Number.MAX_SAFE_INTEGER }))).toBeNull()
})

test('a full disk says so, and what was stored stays', () => {
  const paths = pricePlace()
  keepTape(paths, weekOfPrints(0).slice(0, 100))
  const write = (): unknown =>
    writingPrices(paths, (writer) => {
      // The file may grow by no page: SQLite says of that what it says of a full disk.
      writer.database.pragma(`max_page_count = ${String(writer.database.pragma('page_count', { simple: true }))}`)
      return writer.database.exec("INSERT INTO chunks SELECT part, place + 1000, first, last, low, high, entries, codec, randomblob(100000) FROM chunks")
    })
  expect(write).toThrow(expect.objectContaining({ code: 'disk-full', file: paths.file }) as Error)
  expect(askTape(paths, (tape) => [...tape.prints({ from: 0, to: Number.MAX_SAFE_INTEGER })])).toHaveLength(100)
})

test('a file that is no database is reported as damaged', () => {
  const paths = pricePlace()
  mkdirSync(dirname(paths.file), { recursive: true })
  writeFileSync(paths.file, 'x'.repeat(9000))
  expect(() => writingPrices(paths, () => null)).toThrow(expect.objectContaining({ code: 'damaged-database' }) as Error)
  expect(() => readingPrices(paths, null, storedSeries)).toThrow(expect.objectContaining({ code: 'damaged-database' }) as Error)
})

test('is readable only by its owner, and deleted with its side files', () => {
  const paths = pricePlace()
  keepTape(paths, weekOfPrints(0).slice(0, 100))
  const held = new SqliteDatabase(paths.file)
  held.prepare('SELECT 1 FROM parts').get()
  expect(statSync(dirname(paths.file)).mode & 0o077).toBe(0)
  deletePriceFile(paths.file)
  held.close()
  expect(readdirSync(dirname(paths.file))).toEqual([])
  expect(() => priceFileOf('/x', '../journal')).toThrow('names no file')
})
