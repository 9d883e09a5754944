import { expect, test } from 'vitest'
import { processFigures } from './process-figures.ts'

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
