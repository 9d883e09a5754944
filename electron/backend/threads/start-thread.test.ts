import { expect, test } from 'vitest'
import type { Log } from '#shared/base/log.ts'
import { startThread } from './start-thread.ts'

const bodyOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(`import { threadBody } from '${new URL('./thread-body.ts', import.meta.url).href}'\n${code}`)}`)

test('a thread whose stop throws ends all the same, and the error is logged', async () => {
  const errors: unknown[] = []
  const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (fields, message) => void errors.push([message, fields]) }
  const thread = startThread(bodyOf("threadBody().serve({ stop: () => { throw new Error('the disk is gone') } })"), { name: 'failing' })
  thread.watch(log, () => undefined)
  await thread.calls.stop()
  expect(errors).toMatchObject([['thread stop failed', { thread: 'failing', error: { message: 'the disk is gone' } }]])
})

test('the first call to a thread that died while nobody waited gets the reason', async () => {
  const thread = startThread<{ look: () => string }>(bodyOf("throw new Error('no such module')"), { name: 'dead' })
  await thread.exited
  await expect(thread.calls.look()).rejects.toThrow('no such module')
  await expect(thread.calls.look()).rejects.toThrow('The thread ended')
})
