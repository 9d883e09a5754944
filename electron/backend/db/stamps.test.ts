import { expect, test } from 'vitest'
import { stampText, type Stamp } from '#shared/mirror/stamp.ts'
import { openStore } from '#tests/helpers/store.ts'
import { mintStamp, observeStamps } from './stamps.ts'

const now = Date.UTC(2026, 10, 21, 12)

test('whatever stamp a computer has seen, those that it makes are taken by others', () => {
  const { writer } = openStore()
  // The last that the edge takes, and the last that moves the clock.
  for (const seen of [Date.UTC(3000, 0) - 1, Date.UTC(3000, 0) - 366 * 86_400_000 - 1]) {
    observeStamps(writer, [stampText.parse(`${String(seen).padStart(15, '0')}-99999-ffffffff`)])
    const made: Stamp[] = [mintStamp(writer, now), mintStamp(writer, now)]
    expect(made.map((stamp) => stampText.safeParse(stamp).success)).toEqual([true, true])
    expect([...made].sort()).toEqual(made)
  }
})
