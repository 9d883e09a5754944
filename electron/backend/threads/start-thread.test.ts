// @module-tag slow
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '#shared/base/log.ts'
import { createJobs, startThread } from './start-thread.ts'

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

type Counting = { count: () => number; fail: () => void; wait: () => void }

const countingJobs = () => {
  const jobs = createJobs<Counting>(bodyOf("let count = 0\nthreadBody().serve({ count: () => (count += 1), fail: () => { throw new Error('no') }, wait: () => new Promise(() => undefined) })"), 'counting')
  onTestFinished(jobs.close)
  return jobs
}

test('a call takes the thread of the call before it', async () => {
  const jobs = countingJobs()
  expect([await jobs.run('count', undefined), await jobs.run('count', undefined)]).toEqual([1, 2])
})

test('two calls at once have a thread each', async () => {
  const jobs = countingJobs()
  expect(await Promise.all([jobs.run('count', undefined), jobs.run('count', undefined)])).toEqual([1, 1])
})

test('a thread whose call failed or was cut off takes no other', async () => {
  const jobs = countingJobs()
  await jobs.run('count', undefined)
  await expect(jobs.run('fail', undefined)).rejects.toThrow('no')
  expect(await jobs.run('count', undefined)).toBe(1)
  const gone = new AbortController()
  const waiting = jobs.run('wait', undefined, gone.signal)
  gone.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(await jobs.run('count', undefined)).toBe(1)
})

test('a signal that aborts after its call leaves the thread to the next one', async () => {
  const jobs = countingJobs()
  const gone = new AbortController()
  await jobs.run('count', undefined, gone.signal)
  gone.abort()
  expect(await jobs.run('count', undefined)).toBe(2)
})

test('after the end no call is taken, though a thread was idle', async () => {
  const jobs = countingJobs()
  await jobs.run('count', undefined)
  await jobs.close()
  await expect(jobs.run('count', undefined)).rejects.toThrow('The thread ended')
})

test('an idle thread ends after twenty seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const jobs = countingJobs()
  await jobs.run('count', undefined)
  vi.advanceTimersByTime(19_999)
  expect(await jobs.run('count', undefined)).toBe(2)
  vi.advanceTimersByTime(20_000)
  expect(await jobs.run('count', undefined)).toBe(1)
})

test('an idle thread keeps no process alive', async () => {
  const body = bodyOf('threadBody().serve({ count: () => 1 })').href
  const code = `import { createJobs } from '${new URL('./start-thread.ts', import.meta.url).href}'
    const jobs = createJobs(new URL(${JSON.stringify(body)}), 'counting')
    process.stdout.write(String(await jobs.run('count')))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { timeout: 15_000 })
  expect(stdout).toBe('1')
})
