/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import { casesOf } from '../helpers/cases.ts'
import { copierPaths, silent } from '../helpers/copier-samples.ts'
import { fault } from '../helpers/fault.ts'
import { temporaryFolder } from '../helpers/store.ts'

const child = fileURLToPath(new URL('./store-kill-child.ts', import.meta.url))
const rounds = casesOf({ nightly: 16, long: 16, inCi: 8 })

/** Runs until so many lines were printed and so many milliseconds more, kills, and returns all lines. */
const killAfter = async (folder: string, from: number, lines: number, moreMs: number): Promise<string[]> => {
  const running = spawn(process.execPath, [child, folder, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(running, 'close')
  let output = ''
  let isKilled = false
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (isKilled || output.split('\n').length < lines) return
    isKilled = true
    // No timer is fine enough for these moments.
    for (const until = performance.now() + moreMs; performance.now() < until; );
    running.kill('SIGKILL')
  })
  const [, signal] = (await closed) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  return output.split('\n').slice(0, -1)
}

type Found = { fill: number; orders: number; stages: number; stage: string }

test('killed anywhere, every write reported as done is complete, and no write is partial', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-copier')
  const folder = temporaryFolder()
  const { file } = copierPaths(folder)
  let from = 0
  let waiting = 0
  for (let round = 0; round < rounds; round += 1) {
    const output = await killAfter(folder, from, 5 + ((round * 37) % 160), round * 0.4)
    const numbers = (word: string): number[] => output.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]))
    const [written, recorded] = [numbers('written'), new Set(numbers('recorded'))]

    const left = new Sqlite(file, { readonly: true })
    waiting += left.prepare('SELECT count(*) FROM intents').pluck().get() as number
    left.close()
    const store = openCopierStore({ ...copierPaths(folder), log: silent })
    const open = store.openOrders()
    store.close()

    const database = new Sqlite(file, { readonly: true })
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const sql = `SELECT CAST(fill_id AS INTEGER) AS fill, count(cl_ord_id) AS orders, count(DISTINCT stage) AS stages, min(stage) AS stage
      FROM events LEFT JOIN orders ON event = events.id GROUP BY events.id ORDER BY fill`
    const events = database.prepare(sql).all() as Found[]
    database.close()
    // The last line may not have been printed yet.
    const last = written.at(-1) ?? from - 1
    count.tried()
    count.compare(events.map(({ fill, orders }) => [fill, orders]), Array.from({ length: Math.max(events.length, last + 1) }, (_, each) => [each, 50]))
    expect([last + 1, last + 2]).toContain(events.length)
    expect(events.map(({ fill }) => fill)).toEqual(events.map((_, index) => index))
    expect(events.filter(({ orders, stages }) => orders !== 50 || stages !== 1)).toEqual([])
    expect([...recorded].filter((fill) => events[fill]?.stage !== 'filled')).toEqual([])
    expect(open.length).toBe(events.filter(({ stage }) => stage !== 'filled').length * 50)
    from = events.length
  }
  // It was killed while orders were written down and not yet taken apart: otherwise this shows little.
  expect(waiting).toBeGreaterThan(0)
})
