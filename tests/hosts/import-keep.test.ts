/** @module-tag long */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepFiles } from '#cli/import-command.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { runDoor } from '#tests/helpers/run-door.ts'

const header = 'symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'
const pair = (buy: number, sell: number): string => `MESM6,-2,0,0.25,${String(buy)},${String(sell)},1,6100.00,6101.00,$5.00,06/10/2026 10:00:00,06/10/2026 10:01:00,1min `

const exported = (...lines: readonly string[]): string => {
  const file = join(testFolder(), 'Performance.csv')
  writeFileSync(file, [header, ...lines].join('\n'))
  return file
}

const keep = async (dataDir: string, ...args: readonly string[]) => {
  const door = runDoor('fillbook', ['import', ...args, '--account', 'PA-7', '--timezone', 'America/New_York', '--data-dir', dataDir])
  return { code: await door.ended, ...door.output() }
}

const serve = async (dataDir: string) => {
  const door = runDoor('serve', ['--port', '0', '--data-dir', dataDir])
  const address = /http\S+/.exec((await door.line()) ?? '')?.[0] ?? ''
  const stop = async (): Promise<void> => {
    door.kill('SIGTERM')
    await door.ended
  }
  return { browser: await openBrowser(address), stop }
}

test('the command saves files in the journal of the only profile, once however often they are imported', { tags: 'long' }, async () => {
  const dataDir = testFolder()
  const first = await serve(dataDir)
  const { userId } = await first.browser.signUp()

  const file = exported(pair(1, 2), pair(3, 4))
  const busy = await keep(dataDir, file)
  expect(busy.code).toBe(1)
  expect(busy.stdout).not.toContain('Saved to')
  expect(busy.stderr).toMatch(/^Nothing was imported\.\n[^]*Stop the other program that has it open/)
  await first.stop()

  const kept = await keep(dataDir, file)
  expect(kept).toMatchObject({ code: 0, stderr: '' })
  expect(kept.stdout).toContain('fills 4 added, 0 changed, 0 removed; fill pairs 2 added, 0 changed, 0 removed.')
  expect((await keep(dataDir, file)).stdout).toContain('fills 0 added, 0 changed, 0 removed;')

  const second = await serve(dataDir)
  await second.browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  const { trades } = await second.browser.call(recordRoutes.getTrades, { query: { userId } })
  expect(trades.map(({ id, account, grossPnl }) => [id, account, grossPnl]).sort()).toEqual([['file:PA-7/1/2', 'PA-7', '5.00'], ['file:PA-7/3/4', 'PA-7', '5.00']])
  await second.stop()
})

test('the readable files are saved, and if none is readable, nothing is', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const first = await serve(dataDir)
  await first.browser.signUp()
  await first.stop()
  const broken = join(testFolder(), 'failed.csv')
  writeFileSync(broken, 'undefined')
  expect((await keep(dataDir, broken)).stdout).not.toContain('Saved to')
  const some = await keep(dataDir, broken, exported(pair(1, 2)))
  expect(some.code).toBe(2)
  expect(some.stdout).toContain('fills 2 added, 0 changed, 0 removed;')
  expect(some.stderr).toContain('failed.csv was refused')
})

test('a new folder gets a journal, which the first user who signs up takes over', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const broken = join(testFolder(), 'failed.csv')
  writeFileSync(broken, 'undefined')
  expect(await keep(dataDir, broken)).toMatchObject({ code: 2 })
  expect(readdirSync(dataDir)).toEqual([])

  const file = exported(pair(1, 2))
  expect(await keep(dataDir, file)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('fills 2 added, 0 changed') as unknown })
  expect(await keep(dataDir, file)).toMatchObject({ code: 0, stdout: expect.stringContaining('fills 0 added, 0 changed') as unknown })

  const first = await serve(dataDir)
  expect(await first.browser.call(sessionRoutes.session)).toMatchObject({ hasProfiles: false, currentUser: null })
  const { userId } = await first.browser.signUp()
  const { trades } = await first.browser.call(recordRoutes.getTrades, { query: { userId } })
  expect(trades.map(({ id }) => id)).toEqual(['file:PA-7/1/2'])
  await first.browser.call(sessionRoutes.signOut)
  const second = await first.browser.call(sessionRoutes.signUp, { body: { email: 'ben@example.com', password: 'correct horse', displayName: 'Ben' } })
  expect(second.currentUser.uid).not.toBe(userId)
  await first.stop()
})

test('with several profiles the command does not guess', { tags: ['long', 'nightly'] }, async () => {
  const dataDir = testFolder()
  const first = await serve(dataDir)
  await first.browser.signUp()
  await first.browser.call(sessionRoutes.signOut)
  await first.browser.call(sessionRoutes.signUp, { body: { email: 'ben@example.com', password: 'correct horse', displayName: 'Ben' } })
  await first.stop()
  expect(await keep(dataDir, exported(pair(1, 2)))).toMatchObject({ code: 2, stderr: expect.stringContaining('several profiles') as unknown })
})

test.each([
  ['has one row less', (file: string) => writeFileSync(file, [header, pair(1, 2)].join('\n'))],
  ['has another price in the same room', (file: string) => writeFileSync(file, [header, pair(1, 2), pair(3, 4).replace('6101.00', '6102.00').replace('$5.00', '$10.00')].join('\n'))],
  ['can be read no more', (file: string) => writeFileSync(file, 'nothing')],
  ['is gone', (file: string) => rmSync(file)],
] as const)('a file that %s when it is read again for saving is not saved at all', async (_, change) => {
  const dataDir = testFolder()
  const file = exported(pair(1, 2), pair(3, 4))
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
  // The program knows no setting of the tests.
  vi.stubEnv('FILLBOOK_REAL_EXPORTS', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const keeping = { dataDir, files: [{ path: file, digest, account: 'PA-7', dates: null }], zone: 'America/New_York' }
  const whole = readFileSync(file)
  change(file)
  expect(await keepFiles(keeping)).toEqual({ exitCode: 1, refusal: 'Nothing was imported. The files were changed or moved while they were read: try again.' })
  writeFileSync(file, whole)
  expect(await keepFiles(keeping)).toEqual({ line: `Saved to ${dataDir}: fills 4 added, 0 changed, 0 removed; fill pairs 2 added, 0 changed, 0 removed.` })
})
