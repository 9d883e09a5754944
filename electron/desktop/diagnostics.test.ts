import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processFigures, readLogTail } from './diagnostics.ts'

let folder: string
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'fillbook-tail-')) })
afterEach(() => { rmSync(folder, { recursive: true }) })

const file = (name: string, text: string, at: number): void => {
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), at, at)
}
const most = { lines: 200, bytes: 100_000 }

test('the last lines come oldest first and continue into the previous file', async () => {
  file('fillbook.9.log', 'a\nb\nc\n', 1_000)
  file('fillbook.10.log', 'd\n\ne\n', 1_000)
  file('fillbook.2.log', '', 2_000)
  file('notes.txt', 'nothing of the log', 3_000)
  expect(await readLogTail(folder, most)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await readLogTail(folder, { ...most, lines: 3 })).toEqual(['c', 'd', 'e'])
})

test('the limits hold, and no line is cut', async () => {
  file('fillbook.1.log', 'first line\nsecond ü\nthird\n', 1_000)
  expect(await readLogTail(folder, { ...most, bytes: 18 })).toEqual(['second ü', 'third'])
  expect(await readLogTail(folder, { ...most, bytes: 8 })).toEqual(['third'])
  expect(await readLogTail(folder, { ...most, bytes: 3 })).toEqual([])
})

test('lines of several logs are merged by time', async () => {
  const at = (minute: number, msg: string): string => JSON.stringify({ level: 30, time: `2026-11-21T10:0${String(minute)}:00.000Z`, msg })
  file('fillbook.1.log', `${at(1, 'a')}\n${at(4, 'd')}\nwithout a time\n`, 2_000)
  file('desktop.1.log', `${at(2, 'b')}\n${at(3, 'c')}\n${at(5, 'e')}\n`, 1_000)
  expect((await readLogTail(folder, { ...most, lines: 5 })).map((line) => /"msg":"(\w)"/.exec(line)?.[1] ?? line)).toEqual(['b', 'c', 'd', 'without a time', 'e'])
})

test('a missing folder has no lines', async () => {
  expect(await readLogTail(join(folder, 'none'), most)).toEqual([])
})

const metric = (pid: number, type: string, kib: number, name?: string) => ({ pid, type, name, cpu: { percentCPUUsage: pid / 2 }, memory: { workingSetSize: kib } })

test('processes are sorted by memory in bytes and labeled by kind', () => {
  const metrics = [metric(1, 'Browser', 100), metric(2, 'Tab', 300), metric(3, 'Utility', 200, 'Network Service'), metric(4, 'Pepper Plugin', 100), metric(5, 'toString', 50, '')]
  expect(processFigures(metrics, (kind) => kind.toUpperCase())).toEqual([
    { pid: 2, name: 'WINDOW', memory: 307_200, cpu: 1 },
    { pid: 3, name: 'SERVICE: Network Service', memory: 204_800, cpu: 1.5 },
    { pid: 1, name: 'MAIN', memory: 102_400, cpu: 0.5 },
    { pid: 4, name: 'OTHER', memory: 102_400, cpu: 2 },
    { pid: 5, name: 'OTHER', memory: 51_200, cpu: 2.5 },
  ])
})
