import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { diagnosticsGlobal } from '#shared/bridge/diagnostics-bridge.ts'
import { createAsk, guardRemote, type DiagnosticsCalls } from './remote-gate.ts'

const calls: DiagnosticsCalls = {
  opening: () => Promise.reject(new Error('no opening')),
  figures: () => Promise.resolve([{ pid: 1, name: 'main', memory: 2, cpu: 3 }]),
  log: () => Promise.resolve(['line']),
  'open-folder': () => Promise.resolve('opened'),
  'copy-versions': () => Promise.resolve('copied'),
  'save-bundle': () => Promise.resolve('cancelled'),
  close: () => Promise.resolve('closing'),
}
const heardFrom = (question: string): Promise<unknown> => new Promise((resolve) => { createAsk(calls, () => undefined)(question as 'log', (json) => resolve(JSON.parse(json))) })

test('every request is answered once, as JSON', async () => {
  expect(await heardFrom('figures')).toEqual([{ pid: 1, name: 'main', memory: 2, cpu: 3 }])
  expect(await heardFrom('log')).toEqual(['line'])
  expect(await heardFrom('save-bundle')).toBe('cancelled')
})

test('a failure is reported and answered with null, even if the window is gone', async () => {
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push((error as Error).message)
  expect(await new Promise((resolve) => { createAsk(calls, failed)('opening', resolve) })).toBe('null')
  await new Promise((resolve) => { createAsk(calls, (error) => { failed(error); resolve(null) })('log', () => { throw new Error('window gone') }) })
  expect(failures).toEqual(['no opening', 'window gone'])
})

test('only a request and a listener are accepted', () => {
  const ask = createAsk(calls, () => undefined) as (...given: unknown[]) => unknown
  for (const given of [[], ['log'], ['log', 'x'], ['toString', () => undefined], [{}, () => undefined], ['__proto__', () => undefined]]) expect(ask(...given)).toBeUndefined()
})

test('the function exposes nothing else', () => {
  const ask = createAsk(calls, () => undefined) as unknown as Record<string, unknown>
  for (const name of ['constructor', '__proto__', 'call', 'apply', 'bind', 'toString', 'prototype', 'caller', 'arguments', 'valueOf']) expect(ask[name], name).toBeUndefined()
  expect(Object.isFrozen(ask)).toBe(true)
  expect(Object.getOwnPropertyNames(ask).toSorted()).toEqual(['length', 'name'])
})

test('one window gets one function; everything else is refused to everybody', () => {
  const app = new EventEmitter()
  const [diagnostics, main] = [{ id: 2 }, { id: 1 }]
  const refusals: string[] = []
  const ask = createAsk(calls, () => undefined)
  guardRemote(app, { isDiagnostics: (contents) => contents === diagnostics, ask, refused: (decision, name) => void refusals.push(`${decision} ${name}`) })
  const decide = (decision: string, contents: object, name?: string): { returnValue: unknown; defaultPrevented: boolean } => {
    const event = { sender: contents, returnValue: undefined, defaultPrevented: false }
    app.emit(decision, event, contents, name)
    return event
  }
  expect(decide('remote-get-global', diagnostics, diagnosticsGlobal)).toMatchObject({ returnValue: ask, defaultPrevented: false })
  const others: [string, object, string?][] = [
    ['remote-get-global', main, diagnosticsGlobal], ['remote-get-global', diagnostics, 'process'], ['remote-require', diagnostics, 'fs'], ['remote-get-builtin', diagnostics, 'shell'],
    ['remote-get-current-window', diagnostics], ['remote-get-current-web-contents', diagnostics],
  ]
  for (const [decision, contents, name] of others) expect(decide(decision, contents, name), decision).toMatchObject({ returnValue: undefined, defaultPrevented: true })
  expect(refusals).toHaveLength(others.length)
  expect(refusals[1]).toBe('remote-get-global process')
})
