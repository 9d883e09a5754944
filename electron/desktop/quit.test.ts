import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { delayQuit } from './quit.ts'

/** Electron's app, as far as it ends. */
class App extends EventEmitter {
  ended: number | null = null
  readonly through = Promise.withResolvers<number>()
  quit(): void {
    let prevented = false
    this.emit('before-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) this.exit(0)
  }
  exit(code: number): void {
    this.ended ??= code
    this.through.resolve(code)
  }
}
const errors: string[] = []
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: (_fields: unknown, message: string) => void errors.push(message) }

test('a quit waits for the shutdown, however often it is requested', async () => {
  const app = new App()
  const stopping = Promise.withResolvers<undefined>()
  let stops = 0
  const quitting = delayQuit(app, () => { stops += 1; return stopping.promise }, log)
  expect(quitting()).toBe(false)
  app.quit()
  app.quit()
  expect([quitting(), app.ended, stops]).toEqual([true, null, 1])
  stopping.resolve(undefined)
  expect(await app.through.promise).toBe(0)
  expect(stops).toBe(1)
})

test('a failed shutdown is logged, and the program still exits', async () => {
  const app = new App()
  errors.length = 0
  delayQuit(app, () => Promise.reject(new Error('no')), log)
  app.quit()
  expect(await app.through.promise).toBe(0)
  expect(errors).toHaveLength(1)
})

test('a shutdown that never finishes times out', async () => {
  const app = new App()
  errors.length = 0
  delayQuit(app, () => new Promise(() => undefined), log, 5)
  app.quit()
  expect(await app.through.promise).toBe(1)
  expect(errors).toHaveLength(1)
})
