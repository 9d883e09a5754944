import { and, eq } from 'drizzle-orm'
import type { EnteredTrade } from '#shared/pnl/entered-trade.ts'
import type { Reader } from '../db/database.ts'
import { trades } from '../db/schema/journal.ts'

/** An entered trade as its row, without the stamp. */
export const entryRow = (userId: string, id: string, { warnings, ...entered }: EnteredTrade): Omit<typeof trades.$inferInsert, 'ref'> => ({
  ...{ userId, id, origin: 'manual' },
  ...entered,
  warnings: JSON.stringify(warnings),
})

/** An entered trade as its row holds it; throws where there is none of that id. */
export const entryOf = ({ orm }: Reader, userId: string, id: string): EnteredTrade => {
  const row = orm.select().from(trades).where(and(eq(trades.userId, userId), eq(trades.id, id), eq(trades.origin, 'manual'))).get()
  if (row === undefined) throw new Error('An entered trade that is in view has no row')
  return { ...row, warnings: JSON.parse(row.warnings) as EnteredTrade['warnings'] } as EnteredTrade
}
