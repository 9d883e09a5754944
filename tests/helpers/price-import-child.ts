import { writeFileSync } from 'node:fs'
import type { Print } from '#shared/prices/tape.ts'
import type { Ticks } from '#shared/money/price.ts'
import { writingPrices } from '#backend/prices/store/price-file.ts'
import { importPriceFile, inspectPriceFile } from '#backend/prices/price-imports.ts'
import { tickSize, tuesday } from './price-tapes.ts'
import { priceWriters } from './price-writers.ts'

/** How many prints each of its files has. */
export const printsInFile = 12_000

/** The prints of one week. */
export const weekOfPrints = (week: number): readonly Print[] => Array.from({ length: printsInFile }, (_, index) => ({ at: tuesday + week * 7 * 86_400_000_000 + index * 1009, price: (100_000 + Math.floor(900 * Math.sin(index ** 2))) as Ticks, size: 1 + (index % 7) }))

// Imports week after week from the given one, and says so after each, until it is killed.
const [file, migrationsFolder, from] = process.argv.slice(2)
if (file !== undefined && migrationsFolder !== undefined && file.endsWith('.db')) {
  const { name, write } = priceWriters['ninjatrader-ticks']
  for (let week = Number(from); ; week += 1) {
    const path = `${file}.sent`
    writeFileSync(path, write(weekOfPrints(week)))
    const sent = { path, name, contract: null, choice: { zone: 'UTC', label: 'start', scale: 0 } } as const
    const seen = inspectPriceFile(sent, 0)
    if (seen === null) throw new Error('Not a file of prices')
    writingPrices({ file, migrationsFolder }, (writer) => importPriceFile(writer, sent, seen, { tickSize, fills: [] }, { zone: 'UTC', now: 0 }))
    process.stdout.write(`${String(week)}\n`)
  }
}
