import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { holdQuit } from './quit.ts'

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

test('a quit waits until all is stopped, however often it is asked for', async () => {
  const app = new App()
  const stopping = Promise.withResolvers<undefined>()
  let stops = 0
  const quitting = holdQuit(app, () => { stops += 1; return stopping.promise }, log)
  expect(quitting()).toBe(false)
  app.quit()
  app.quit()
  expect([quitting(), app.ended, stops]).toEqual([true, null, 1])
  stopping.resolve(undefined)
  expect(await app.through.promise).toBe(0)
  expect(stops).toBe(1)
})

test('what fails to stop is logged, and the program ends all the same', async () => {
  const app = new App()
  errors.length = 0
  holdQuit(app, () => Promise.reject(new Error('no')), log)
  app.quit()
  expect(await app.through.promise).toBe(0)
  expect(errors).toHaveLength(1)
})

test('what never stops is cut off', async () => {
  const app = new App()
  errors.length = 0
  holdQuit(app, () => new Promise(() => undefined), log, 5)
  app.quit()
  expect(await app.through.promise).toBe(1)
  expect(errors).toHaveLength(1)
})
