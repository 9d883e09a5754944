/** @module-tag long */

import { describe, expect, it } from 'vitest'
import type { Reading } from '#shared/imports/reading.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { hugeShapes, readHuge } from '#tests/helpers/exports/huge.ts'
import { readBytes as readAny, type ReadFile } from '#tests/helpers/exports/read.ts'
import { sampleFormats, sampleTables, sampleZone } from '#tests/helpers/exports/samples.ts'
import { csvText, encoded, type Table } from '#tests/helpers/exports/table.ts'
import { expectSound, hugeOutcomes, readingsOf } from './fuzz-laws.ts'

const readBytes = (bytes: Uint8Array, zone: string, size?: number): Promise<ReadFile> => readAny(bytes, zone, size, sampleFormats)

/** The readings by their rows in the file: a grid gives its fills out moment by moment, and ranks them by the rows behind. */
const inFileOrder = (readings: readonly Reading[], { header, rows }: Table): readonly object[] => {
  if (!header.includes('E/X')) return readings
  const place = new Map(rows.map((row, index) => [row[header.indexOf('ID')], index]))
  const placeOf = (reading: Reading): number => (reading.says === 'fill' ? (place.get(reading.fillId) ?? rows.length) : rows.length)
  return readings.toSorted((one, other) => placeOf(one) - placeOf(other)).map((reading) => ({ ...reading, rank: undefined, row: undefined }))
}

const megabytes = casesOf({ nightly: 200, long: 100, inCi: 20 })

describe(`${String(megabytes)} MB`, () => {
  it.each(hugeShapes)('%s: read or refused in memory that does not grow with it', { tags: 'nightly' }, async (shape) => {
    const huge = await readHuge(shape, megabytes)
    expect(huge.outcome).toMatchObject(hugeOutcomes[shape])
    expect(huge.peakMb).toBeLessThan(64)
    if (!huge.outcome.ok && shape !== 'line-ends') expect(huge.takenMb).toBeLessThan(8)
  })
})

describe('thousands of damaged files', () => {
  it('are read or refused, with up to 20 bytes changed, dropped, doubled or put elsewhere', async () => {
    for (let seed = 1; seed <= casesOf({ nightly: 4_000, long: 400, inCi: 100 }); seed += 1) {
      const draw = drawOf(seed)
      const [, table] = draw.pick([...sampleTables(seed % 40 + 1, 6)])
      const bytes = [...encoded(csvText(table))]
      for (let count = draw.between(1, 20); count > 0; count -= 1) {
        const at = draw.between(0, bytes.length - 1)
        const way = draw.between(0, 3)
        if (way === 0) bytes[at] = draw.pick([0x22, 0x2c, 0x0a, 0x0d, 0x3b, 0x24, 0x28, 0x2d, 0x20, 0x39, 0xff, 0xc3, 0x41, 0x01])
        else if (way === 1) bytes.splice(at, draw.between(1, 30))
        else if (way === 2) bytes.splice(at, 0, ...bytes.slice(at, at + draw.between(1, 200)))
        else bytes.splice(draw.between(0, bytes.length - 1), 0, ...bytes.splice(at, draw.between(1, 50)))
      }
      expectSound(await readBytes(Uint8Array.from(bytes), sampleZone, draw.between(1, 5_000)))
    }
  })

  // In CI at every seventh: rows have many lengths, so that each place in one is met.
  const stride = casesOf({ nightly: 1, long: 1, inCi: 7 })
  it(`cut off at any byte${stride === 1 ? '' : ` of ${String(stride)}`}, every kind, in every encoding`, async () => {
    for (const [, table] of sampleTables(11, 8)) {
      for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
        const bytes = encoded(csvText(table), { mark: true, encoding })
        const whole = inFileOrder(readingsOf(await readBytes(bytes, sampleZone)), table)
        for (let end = 0; end < bytes.length; end += stride) {
          const file = await readBytes(bytes.subarray(0, end), sampleZone)
          expectSound(file)
          // No row of these tables is without a reading.
          if (file.ok) expect(file.readings.length).toBe(file.summary.accepted)
          if (file.ok) expect(inFileOrder(readingsOf(file), table).slice(0, -1)).toEqual(whole.slice(0, Math.max(0, file.readings.length - 1)))
        }
      }
    }
  })
})
