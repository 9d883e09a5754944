/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCloud, startCloud } from '../helpers/cloud.ts'
import { until } from '../helpers/until.ts'
import { callerAt } from './caller.ts'
import { pair } from './samples.ts'

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-cloud-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test("without DATABASE_URL the journals are in the service's folder, and survive a stop and a kill; a second service is refused", async () => {
  const dataDir = await emptyFolder()
  const first = await startCloud({ dataDir })
  const pushed = await callerAt(first.url, await first.tokenOf('ann@fillbook.test')).push(null, 0, [pair('one')])
  if (pushed.outcome !== 'taken') throw new Error(pushed.outcome)
  const { journal } = pushed
  expect(await first.stop()).toBe(0)
  const second = await startCloud({ dataDir })
  const token = await second.tokenOf('ann@fillbook.test')
  expect(await callerAt(second.url, token).state()).toEqual({ journal, head: 1, rows: { pair: 1 } })
  expect(await callerAt(second.url, token).push(journal, 1, [pair('two')])).toMatchObject({ outcome: 'taken', head: 2 })
  const beside = runCloud({ mode: 'development', dataDir })
  expect([await beside.ended, beside.stderr()]).toEqual([1, expect.stringContaining('a folder that no other Fillbook Cloud uses')])
  await second.kill()
  const third = await startCloud({ dataDir })
  expect(await callerAt(third.url, await third.tokenOf('ann@fillbook.test')).state()).toEqual({ journal, head: 2, rows: { pair: 2 } })
  expect(await third.stop()).toBe(0)
})

test('on a full disk it says so, keeps what it accepted, and continues once there is room', async ({ skip }) => {
  const dataDir = await emptyFolder()
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', dataDir]).status !== 0) return skip('no disk of its own can be mounted here')
  onTestFinished(() => void spawnSync('umount', ['-l', dataDir]))
  const cloud = await startCloud({ dataDir })
  const ann = callerAt(cloud.url, await cloud.tokenOf('ann@fillbook.test'))
  const pushed = await ann.push(null, 0, [pair('one')])
  if (pushed.outcome !== 'taken') throw new Error(pushed.outcome)
  const filler = join(dataDir, 'filler')
  await writeFile(filler, Buffer.alloc(160_000_000)).catch(() => undefined)
  const refused = await until(async () => {
    const { head } = await ann.state()
    const outcome = await ann.push(pushed.journal, head, Array.from({ length: 500 }, (_, index) => pair(`${String(head)}-${String(index)}`)))
    return outcome.outcome === 'taken' ? null : outcome
  }, 'the disk to be full', 60_000)
  expect(refused).toMatchObject({ outcome: 'failed', status: 507, code: 'disk-full' })
  const { head } = await ann.state()
  await rm(filler)
  expect(await ann.push(pushed.journal, head, [pair('room')])).toMatchObject({ outcome: 'taken', head: head + 1 })
  expect(await cloud.stop()).toBe(0)
})
