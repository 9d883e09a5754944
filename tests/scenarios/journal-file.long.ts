// @module-tag long
// @module-tag nightly
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { casesOf } from '#tests/helpers/cases.ts'
import { compareJournals } from '#tests/helpers/journal-differences.ts'
import { makeRichJournal, openWhole } from '#tests/helpers/rich-journal.ts'

const megabyte = 1024 * 1024
const preparationMs = 1_200_000
// Each is a commit that waits for the disk.
const trades = casesOf({ nightly: 100_000, long: 20_000 })

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fillbook-journal-file-'))
  await makeRichJournal(folder, trades)
}, preparationMs)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The most that this process holds, with its threads, while it works, in MB above what it held before. */
const growth = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage.rss()
  let most = before
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  await work()
  clearInterval(looking)
  return (most - before) / megabyte
}

/** What the main thread has computed so far, ms: other programs on the machine do not count. */
const computed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest that the main thread computed without looking at anything else, ms. */
const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let [longest, last] = [0, computed()]
  const looking = setInterval(() => {
    longest = Math.max(longest, computed() - last)
    last = computed()
  }, 1)
  await work()
  clearInterval(looking)
  return longest
}

test('a large journal exports and imports in bounded memory, row by row the same', async () => {
  const rich = await openWhole(folder)
  const file = join(folder, 'whole.fillbook')
  const written = await growth(async () => pipeline((await rich.files.write(rich.userId)).bytes, createWriteStream(file)))
  await rich.close()
  const place = mkdtempSync(join(tmpdir(), 'fillbook-journal-file-'))
  const into = await openWhole(place)
  try {
    let id = ''
    let blocked = 0
    const checked = await growth(async () => {
      blocked = await longestBlock(async () => {
        const received = await into.files.receive(into.userId, createReadStream(file))
        if (received.ok) id = received.value.id
      })
    })
    const brought = await growth(async () => {
      blocked = Math.max(blocked, await longestBlock(async () => expect(await into.files.importFile(into.userId, id)).toMatchObject({ ok: true })))
    })
    await into.close()
    expect(compareJournals(join(folder, 'journal.db'), into.file).differences.filter((one) => !one.startsWith('outbox'))).toEqual([])
    expect(written).toBeLessThan(200)
    expect(checked).toBeLessThan(100)
    // An account is derived whole, so this grows with the trades: beside what threads take for themselves by at most 4.2 kilobytes each.
    expect(brought * megabyte).toBeLessThan(60 * megabyte + trades * 4_200)
    expect(blocked).toBeLessThan(100)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
