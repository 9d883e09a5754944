import { dirname, join } from 'node:path'
import { and, asc, getTableColumns, gte, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import { exactMoney, parseAmount, type Amount } from '#shared/money/money.ts'
import type { ListedExcursions } from '#shared/api/records.ts'
import type { ExcursionBounds } from '#shared/prices/excursion-bounds.ts'
import type { ExcursionFigure, FigureSpan } from '#shared/stats/filter.ts'
import { isAmong } from '../../db/among.ts'
import { fileOf, type Reader } from '../../db/database.ts'
import { isStoreFault } from '../../db/fault.ts'
import { priceFileOf, readingPrices } from './price-file.ts'
import { unitsText } from './ratio-units.ts'
import { excursions } from './schema.ts'

/** The kept excursions of a trade or a fill pair. */
export type StoredExcursions = ExcursionBounds & { readonly id: string }

const { trade: _trade, ended: _ended, stamp: _stamp, ...columns } = getTableColumns(excursions)

/** The folder of all users' prices, beside the journal. */
export const pricesFolder = (journalFolder: string): string => join(journalFolder, 'prices')

/** The user's prices, beside the journal that `journal` reads; `none` without any, and where their file is damaged: lists show trades without them. */
const besideJournal = <T>(journal: Reader, userId: string, none: T, work: (prices: Reader) => T): T => {
  const file = fileOf(journal)
  if (file === null) return none
  try {
    return readingPrices({ file: priceFileOf(pricesFolder(dirname(file)), userId) }, none, work)
  } catch (error) {
    // An older program's file lacks the table, and one that is just being removed cannot be opened.
    if (isStoreFault(error) && (error.code === 'damaged-database' || error.code === 'unwritable')) return none
    throw error
  }
}

/** Whether excursions of any trade are kept. */
export const hasKeptExcursions = (journal: Reader, userId: string): boolean => besideJournal(journal, userId, false, ({ orm }) => orm.select({ id: excursions.id }).from(excursions).limit(1).get() !== undefined)

/** What is kept of some trades or fill pairs, by id. */
export const keptExcursions = (journal: Reader, userId: string, ids: readonly string[]): ReadonlyMap<string, StoredExcursions> =>
  besideJournal<ReadonlyMap<string, StoredExcursions>>(journal, userId, new Map(), (prices) => byId(prices, isAmong(excursions.id, ids)))

/** What is kept of all trades and fill pairs, by id. */
export const allKeptExcursions = (journal: Reader, userId: string): ReadonlyMap<string, StoredExcursions> =>
  besideJournal<ReadonlyMap<string, StoredExcursions>>(journal, userId, new Map(), (prices) => byId(prices))

type Cells = readonly [id: string, ...mfe: [Amount, Amount | null], ...mae: [Amount, Amount | null], ...entry: [number | null, number | null], ...exit: [number | null, number | null]]

// As cells in the order of the columns: there may be a million.
const byId = ({ orm }: Reader, condition?: SQL): ReadonlyMap<string, StoredExcursions> => {
  const rows = orm.select(columns).from(excursions).where(condition).values() as unknown as readonly Cells[]
  return new Map(rows.map(([id, mfeLeast, mfeMost, maeLeast, maeMost, entryLeast, entryMost, exitLeast, exitMost]) => [id, { id, mfeLeast, mfeMost, maeLeast, maeMost, entryLeast, entryMost, exitLeast, exitMost }]))
}

// How many of a filter's 1/10,000 a stored unit is: a filter has efficiencies in percent, and they are stored as shares.
const stored = {
  mae: { least: excursions.maeLeast, most: excursions.maeMost, unit: 1 },
  mfe: { least: excursions.mfeLeast, most: excursions.mfeMost, unit: 1 },
  entryEfficiency: { least: excursions.entryLeast, most: excursions.entryMost, unit: 100 },
  exitEfficiency: { least: excursions.exitLeast, most: excursions.exitMost, unit: 100 },
} as const satisfies Record<ExcursionFigure, unknown>

/** The ids of the trades and fill pairs that surely meet every span: of a range, all of it. Without a span all that have prices. */
export const idsWithExcursions = (journal: Reader, userId: string, spans: readonly (FigureSpan & { readonly figure: ExcursionFigure })[]): readonly string[] =>
  besideJournal<readonly string[]>(journal, userId, [], ({ orm }) => {
    const meets = spans.flatMap(({ figure, from, to }) => {
      const { least, most, unit } = stored[figure]
      return [from === null ? undefined : gte(sql`${least} * ${unit}`, unitsOf(from)), to === null ? undefined : lte(sql`${most} * ${unit}`, unitsOf(to))]
    })
    return orm.select({ id: excursions.id }).from(excursions).where(and(...meets)).all().map(({ id }) => id)
  })

const unitsOf = (text: string): Amount => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new RangeError('A filter has an amount that is none')
  return amount.value
}

/** The ids of all that have a figure, from its lowest to its highest; of a range its lower end counts first. */
export const idsByExcursion = (journal: Reader, userId: string, figure: ExcursionFigure): readonly string[] =>
  besideJournal<readonly string[]>(journal, userId, [], ({ orm }) => {
    const { least, most } = stored[figure]
    return orm.select({ id: excursions.id }).from(excursions).where(isNotNull(least)).orderBy(asc(least), sql`${most} NULLS LAST`, asc(excursions.id)).all().map(({ id }) => id)
  })

/** Excursions as a row of a list states them; nothing where none are kept. */
export const excursionsIn = (kept: StoredExcursions | undefined): { readonly excursions?: ListedExcursions } => (kept === undefined ? {} : { excursions: listed(kept) })

const listed = ({ mfeLeast, mfeMost, maeLeast, maeMost, entryLeast, entryMost, exitLeast, exitMost }: StoredExcursions): ListedExcursions => {
  const amount = (units: Amount | null): string | null => (units === null ? null : exactMoney(units))
  const ratio = (units: number | null): string | null => (units === null ? null : unitsText(units))
  return {
    mfe: { least: amount(mfeLeast), most: amount(mfeMost) },
    mae: { least: amount(maeLeast), most: amount(maeMost) },
    entryEfficiency: { least: ratio(entryLeast), most: ratio(entryMost) },
    exitEfficiency: { least: ratio(exitLeast), most: ratio(exitMost) },
  }
}
