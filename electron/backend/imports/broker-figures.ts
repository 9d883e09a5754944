import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gte, ne, sql } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Assembly, DoubtfulDays } from '#shared/imports/assembly.ts'
import type { PairReading, StatedExcursions } from '#shared/imports/reading.ts'
import { atomically, type Reader, type Writer } from '../db/database.ts'
import { brokerFigures as table } from '../db/schema/imports.ts'

/** When an order known as a single fill, at its last moment, began to fill (UTC ms). */
export type SlowFill = { readonly id: string; readonly since: number }

/** What the broker's own files say of an account, over all active imports; what it shares with other accounts is not among its doubtful days. */
export type BrokerFigures = Pick<Assembly, 'pairs' | 'cash' | 'balances' | 'doubtful'> & { readonly slowFills: readonly SlowFill[] }

const kinds = ['pairs', 'cash', 'balances', 'doubtful', 'slowFills'] as const
const rowsInPart = 2_000

/** The fills that took longer than a moment. */
export const slowFillsOf = (fills: Assembly['fills']): Assembly['fills'] => fills.filter(({ since, time }) => since < time)

const emptyFigures = (): { [K in keyof BrokerFigures]: BrokerFigures[K][number][] } => ({ pairs: [], cash: [], balances: [], doubtful: [], slowFills: [] })

type Assembled = Pick<Assembly, 'pairs' | 'cash' | 'balances' | 'doubtful' | 'fills'>

const figuresByAccount = ({ pairs, cash, balances, doubtful, fills }: Assembled): ReadonlyMap<AccountKey, BrokerFigures> => {
  const accounts = new Map<AccountKey, ReturnType<typeof emptyFigures>>()
  const of = (account: AccountKey) => {
    const known = accounts.get(account) ?? emptyFigures()
    accounts.set(account, known)
    return known
  }
  for (const pair of pairs) of(pair.account).pairs.push(pair)
  for (const row of cash) of(row.account).cash.push(row)
  for (const balance of balances) of(balance.account).balances.push(balance)
  for (const days of doubtful) {
    if (days.reason === 'counted-twice') continue
    const own = of(days.account).doubtful
    // Thousands of refused rows, one after another, are mostly of the same days.
    if (!areSameDays(own.at(-1), days)) own.push(days)
  }
  for (const { account, id, since } of slowFillsOf(fills)) of(account).slowFills.push({ id, since })
  return accounts
}

const areSameDays = (one: DoubtfulDays | undefined, other: DoubtfulDays): boolean => one?.from === other.from && one.to === other.to && one.reason === other.reason

/** Saves the broker's figures of the assembled accounts, which `isWithin` says, each account in a transaction of its own; figures that no import has any more are deleted. */
export const saveBrokerFigures = async (writer: Writer, userId: string, { assembly, named }: { readonly assembly: Assembled; readonly named: ReadonlySet<AccountKey> }, isWithin: (account: AccountKey) => boolean): Promise<void> => {
  // Of an account that no import names, only the broker's own answers were assembled.
  const figures = new Map([...figuresByAccount(assembly)].filter(([account]) => named.has(account)))
  const before = writer.orm.selectDistinct({ account: table.account }).from(table).where(eq(table.userId, userId)).all().map(({ account }) => account)
  for (const account of new Set([...before, ...figures.keys()])) {
    if (!isWithin(account)) continue
    atomically(writer, () => {
      saveFigures(writer, userId, account, figures.get(account) ?? emptyFigures())
    })
    await nextTurn()
  }
}

const newContent = sql`excluded.content`

const saveFigures = ({ orm }: Writer, userId: string, account: AccountKey, figures: BrokerFigures): void => {
  for (const kind of kinds) {
    const rows = figures[kind]
    const parts = Math.ceil(rows.length / rowsInPart)
    for (let part = 0; part < parts; part += 1) {
      const content = JSON.stringify(rows.slice(part * rowsInPart, (part + 1) * rowsInPart), withoutFile)
      orm.insert(table).values({ userId, account, kind, part, content }).onConflictDoUpdate({ target: [table.userId, table.account, table.kind, table.part], set: { content: newContent }, setWhere: ne(table.content, newContent) }).run()
    }
    orm.delete(table).where(and(eq(table.userId, userId), eq(table.account, account), eq(table.kind, kind), gte(table.part, parts))).run()
  }
}

/** The file of a row does not matter for reconciling. */
const withoutFile = (key: string, value: unknown): unknown => (key === 'file' || key === 'ofFile' ? undefined : value)

/** What a file says of the excursions of a closed trade, by the fills that it is made of; null where none does. */
export const statedExcursionsOf = ({ orm }: Reader, of: { readonly userId: string; readonly account: AccountKey; readonly buyId: string; readonly sellId: string; readonly qty: number }): (StatedExcursions & Pick<PairReading, 'currency'>) | null => {
  const isOfPair = and(sql`instr(${table.content}, ${of.buyId}) > 0`, sql`row.value ->> '$.buy.fillId' = ${of.buyId}`, sql`row.value ->> '$.sell.fillId' = ${of.sellId}`)
  const found = orm
    .select({ content: sql<string>`row.value` })
    .from(table)
    .crossJoin(sql`json_each(${table.content}) AS row`)
    .where(and(eq(table.userId, of.userId), eq(table.account, of.account), eq(table.kind, 'pairs'), isOfPair))
    .get()
  if (found === undefined) return null
  const { excursions, qty, currency } = JSON.parse(found.content) as PairReading
  return excursions === undefined || qty !== of.qty ? null : { ...excursions, currency }
}

/** The broker's figures of an account, as last assembled. */
export const brokerFiguresOf = ({ orm }: Reader, userId: string, account: AccountKey): BrokerFigures => {
  const partsOf = (kind: string) => orm.select({ content: table.content }).from(table).where(and(eq(table.userId, userId), eq(table.account, account), eq(table.kind, kind))).orderBy(asc(table.part)).all()
  const rowsOf = <K extends (typeof kinds)[number]>(kind: K) => partsOf(kind).flatMap(({ content }) => JSON.parse(content) as BrokerFigures[K][number][])
  return { pairs: rowsOf('pairs'), cash: rowsOf('cash'), balances: rowsOf('balances'), doubtful: rowsOf('doubtful'), slowFills: rowsOf('slowFills') }
}
