import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { faultRows, faultFailures, faultsMade, faultsTable, filesNamed, sumFaults, withTable, type FaultRow, type ShownFault } from './fault-rows.ts'

const stated = (given: Partial<ShownFault>): ShownFault => ({ row: 'kill-sync', tried: 2, lost: 0, doubled: 0, compared: 4, sees: ['It is | gone.'], says: [], file: 'tests/a.test.ts', ...given })
const all = (Object.keys(faultRows) as FaultRow[]).map((row) => stated({ row }))

describe('the table of faults', () => {
  test('adds up what several tests state of one row, and names each once', () => {
    const [first] = sumFaults([stated({}), stated({ tried: 3, file: 'tests/b.long.ts' }), stated({ row: 'sleep' })])
    expect(first).toEqual({ row: 'kill-sync', tried: 5, lost: 0, doubled: 0, compared: 8, sees: ['It is | gone.'], says: [], files: ['tests/a.test.ts', 'tests/b.long.ts'], uncompared: [] })
    expect(faultsTable(first === undefined ? [] : [first])).toContain('| SIGKILL in a sync | 5 | 0 | 0 | It is \\| gone. | [a](../tests/a.test.ts), [b](../tests/b.long.ts) |')
  })
  test('has no failures only if every row was tried, says what its user sees, and lost and doubled nothing', () => {
    expect(faultFailures(sumFaults(all))).toEqual([])
    expect(faultFailures(sumFaults(all.slice(1)))).toEqual(['kill-sync was not tried'])
    expect(faultFailures(sumFaults([...all, stated({ lost: 1 }), stated({ row: 'sleep', doubled: 2 })]))).toEqual(['kill-sync lost 1', 'sleep doubled 2'])
    expect(faultFailures(sumFaults([...all.slice(1), stated({ sees: [] })]))).toEqual(['kill-sync does not say what its user sees'])
  })
  test('is ashamed of a test that struck and held nothing against anything, whatever others did', () => {
    expect(faultFailures(sumFaults([...all, stated({ compared: 0, file: 'tests/b.long.ts' })]))).toEqual(['kill-sync was never compared in tests/b.long.ts'])
    expect(faultFailures(sumFaults([...all, stated({ tried: 0, compared: 0 })]))).toEqual([])
  })
  test('marks what nobody looked at, unless another test saw it', () => {
    const [first] = sumFaults([stated({ sees: [], says: ['It is | gone.', 'It is | back.'] }), stated({})])
    expect(first).toMatchObject({ sees: ['It is | gone.'], says: ['It is | back.'] })
    const table = faultsTable(first === undefined ? [] : [first])
    expect(table).toContain('| It is \\| gone.<br>It is \\| back. † |')
    expect(faultsTable(first === undefined ? [] : [{ ...first, sees: ['Seen b.', 'Seen a.'], says: ['Said b.', 'Said a.'] }])).toContain('| Seen a.<br>Seen b.<br>Said a. †<br>Said b. † |')
    expect(table).toContain('\n\n† Stated, not observed')
    expect(faultsTable(sumFaults([stated({})]))).not.toContain('†')
    expect(faultFailures(sumFaults([...all.slice(1), stated({ sees: [], says: ['Gone.'] })]))).toEqual([])
  })
  test('says how it was made, and what was left out', () => {
    const files = ['tests/scenarios/kill.long.ts', 'tests/scenarios/kill-once.long.ts', 'tests/faults/time.test.ts']
    const without = filesNamed(['kill', 'time', 'kill'], files)
    expect(without).toEqual(['tests/scenarios/kill.long.ts', 'tests/faults/time.test.ts'])
    expect(() => filesNamed(['kil'], files)).toThrow('kil is no file of the set: kill, kill-once, time')
    const sums = sumFaults([stated({ tried: 1_200 })]).slice(0, 1)
    expect(faultsMade(sums, { day: '2026-11-22', minutes: 8, without: [] })).toBe('Made by `npm run faults` on 2026-11-22 in 8 min: 1,200 faults, 1 kinds.')
    expect(faultsMade(sums, { day: '2026-11-22', minutes: 8, without })).toBe('Made by `npm run faults -- --without kill --without time` on 2026-11-22 in 8 min: 1,200 faults, 1 kinds. Left out of this run: [kill](../tests/scenarios/kill.long.ts), [time](../tests/faults/time.test.ts).')
  })
  test('takes the place of the one before, also of none', () => {
    const first = withTable('Before.\n<!-- faults -->\n<!-- /faults -->\nBehind.', 'one')
    expect(first).toBe('Before.\n<!-- faults -->\none\n<!-- /faults -->\nBehind.')
    expect(withTable(first, 'two')).toBe('Before.\n<!-- faults -->\ntwo\n<!-- /faults -->\nBehind.')
    expect(() => withTable('Nothing.', 'one')).toThrow('no place')
  })
})

test('the document shows every row with its figures, none lost or doubled, and links tests that there are', () => {
  const document = readFileSync(new URL('../docs/reliability.md', import.meta.url), 'utf8')
  const [, table = ''] = document.split(/<!-- \/?faults -->\n/)
  const rows = [...table.matchAll(/^\| ([^|]+) \| ([\d,]+) \| (\d+) \| (\d+) \| (.+) \|$/gm)]
  expect(rows.map(([, what]) => what), 'npm run faults').toEqual(Object.values(faultRows))
  for (const [, what, tried, lost, doubled] of rows) expect([what, Number(tried?.replaceAll(',', '')) > 0, lost, doubled]).toEqual([what, true, '0', '0'])
  const files = [...table.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file)
  expect(files.filter((file) => statSync(new URL(`../${file}`, import.meta.url), { throwIfNoEntry: false }) === undefined)).toEqual([])
})
