/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createDemoCloud } from '#backend/demo-cloud.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { cleanEnv } from '#tests/helpers/clean-env.ts'
import { programFile } from '#tests/helpers/program.ts'

const root = new URL('../..', import.meta.url).pathname
const entry = programFile('cloud/main.ts')
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const isThere = (url: string): Promise<boolean> => fetch(`${url}/health`).then(({ ok }) => ok, () => false)

/** A program that starts the demo's cloud, says where it is, and lives on. */
const program = `
  import { createDemoCloud } from '#backend/demo-cloud.ts'
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const cloud = createDemoCloud({ entry: process.argv[1], folder: process.argv[2], log })
  const url = await cloud.url()
  console.log(url.ok ? url.value : 'none')
  setInterval(() => undefined, 1_000)
`
const start = async (folder: string): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, entry, folder], { cwd: root, env: { ...cleanEnv(), NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, url }
}
const gone = async (url: string): Promise<void> => {
  const deadline = performance.now() + 60_000
  while (await isThere(url)) {
    if (performance.now() > deadline) throw new Error('The cloud outlived its program')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test("the demo's cloud ends with a killed program, and starts again on its data", async () => {
  const folder = testFolder()
  const { child, url } = await start(folder)
  expect(await isThere(url)).toBe(true)
  const database = readdirSync(folder).find((name) => name.startsWith('database-'))
  child.kill('SIGKILL')
  await gone(url)

  const cloud = createDemoCloud({ entry, folder, log: quiet })
  onTestFinished(cloud.stop)
  const again = await cloud.url()
  if (!again.ok) throw new Error('It did not start again')
  expect(await isThere(again.value)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith('database-'))).toEqual([database])
  await cloud.stop()
  expect(await isThere(again.value)).toBe(false)
  expect(await cloud.url()).toMatchObject({ ok: false })
})

test('forgetting deletes the database, and the next call starts an empty cloud', async () => {
  const folder = testFolder()
  const cloud = createDemoCloud({ entry, folder, log: quiet })
  onTestFinished(cloud.stop)
  const before = await cloud.url()
  const databases = (): string[] => readdirSync(folder).filter((name) => name.startsWith('database-'))
  const [database] = databases()
  // A page that asks meanwhile waits for the new one.
  const [, after] = await Promise.all([cloud.forget(), cloud.url()])
  if (!before.ok || !after.ok) throw new Error('It did not start')
  expect([await isThere(before.value), await isThere(after.value), databases().length, databases().includes(database ?? '')]).toEqual([false, true, 1, false])
})

test('a token is valid only for the program that started the cloud, though every program on the computer can reach its port', async () => {
  const cloud = createDemoCloud({ entry, folder: testFolder(), log: quiet })
  onTestFinished(cloud.stop)
  const url = await cloud.url()
  if (!url.ok) throw new Error('It did not start')
  const token = async (given: object): Promise<number> => (await fetch(`${url.value}/dev/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'demo@example.com', ...given }) })).status
  expect([await token({}), await token({ secret: 'a guess' }), await token({ secret: cloud.secret })]).toEqual([401, 401, 200])
})

test('an interrupted start leaves nothing that breaks the next one; a stop does not wait for it', async () => {
  const folder = testFolder()
  const cloud = createDemoCloud({ entry, folder, log: quiet })
  const starting = cloud.url()
  await cloud.stop()
  expect(await starting).toMatchObject({ ok: false })
  const [left] = readdirSync(folder)
  const next = createDemoCloud({ entry, folder, log: quiet })
  onTestFinished(next.stop)
  expect(await next.url()).toMatchObject({ ok: true })
  expect(readdirSync(folder)).not.toContain(left)
})

test('another program on the port counts as unreachable', async () => {
  const cloud = createDemoCloud({ entry: join(root, 'cloud', 'no-such-file.ts'), folder: testFolder(), log: quiet })
  onTestFinished(cloud.stop)
  expect(await cloud.url()).toEqual({ ok: false, error: expect.objectContaining({ kind: 'unreachable' }) })
})
