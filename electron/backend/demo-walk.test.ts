import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anchorBefore, progressOfWalk, readMemory, stopsOf, writeMemory } from './demo-walk.ts'

test.each([
  ['the first connection walks to the middle of the last session', 'connect', 0, [0, 1, 2, 3]],
  ['a second connection walks the same way again', 'connect', 4, [0, 1, 2, 3]],
  ['a connection after the end walks to the end', 'connect', 5, [0, 1, 2, 3, 4]],
  ['each request takes the next stop', 'manual', 4, [4]],
  ['a request after the end stays there', 'manual', 5, [4]],
  ['a walk that was cut short goes on', 'manual', 2, [2, 3]],
] as const)('%s', (_, trigger, walked, expected) => {
  expect(stopsOf(trigger, walked, 5)).toEqual(expected)
})

test('the last session is over: the weekday before today', () => {
  expect(anchorBefore(Date.UTC(2026, 10, 20, 15))).toBe('2026-11-19')
  expect(anchorBefore(Date.UTC(2026, 10, 21, 15))).toBe('2026-11-20')
  expect(anchorBefore(Date.UTC(2026, 10, 23, 15))).toBe('2026-11-20')
})

test('progress counts the whole walk, never goes back, and is done once', () => {
  const step = (phase: 'tokens' | 'done', overall: number) => ({ runId: 'r', phase, done: 0, total: 1, overall })
  const progress = [0, 1, 2, 3].flatMap((index) => [progressOfWalk(step('tokens', 0), index, 4), progressOfWalk(step('done', 1), index, 4)])
  expect(progress.map(({ overall }) => overall)).toEqual([0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1])
  expect(progress.filter(({ phase }) => phase === 'done')).toHaveLength(1)
})

test('saved progress is restored; damaged progress counts as none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-walk-'))
  onTestFinished(() => { rmSync(folder, { recursive: true }) })
  const file = join(folder, 'demo', 'walk.json')
  expect(readMemory(file)).toBeNull()
  writeMemory(file, { anchor: '2026-11-20', walked: 3, port: 4_000 })
  expect(readMemory(file)).toEqual({ anchor: '2026-11-20', walked: 3, port: 4_000 })
  writeFileSync(file, '{"anchor"')
  expect(readMemory(file)).toBeNull()
})
