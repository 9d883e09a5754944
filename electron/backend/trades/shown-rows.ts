import type { From, Shown, WordField } from '#shared/notes/show.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import type { shownNotes } from '../db/schema/journal.ts'

/** A trade's row of `shown_notes`: what it shows of the user's annotations. */
export type ShownRow = Readonly<Omit<typeof shownNotes.$inferSelect, 'userId'>>

const columns = `trade_id AS tradeId, account, contract, notes, tags, stop, screenshot, screenshot_headline AS screenshotHeadline, screenshot2, screenshot2_headline AS screenshot2Headline, drawings,
  removed_at AS removedAt, sources`

/** What a trade shows; undefined without annotations. In raw SQL as all here, since thousands may come at once: the benchmark `mirror` measures it. */
export const shownOf = (reader: Reader, userId: string, tradeId: string): ShownRow | undefined =>
  query<ShownRow>(reader, `SELECT ${columns} FROM shown_notes WHERE user_id = ? AND trade_id = ?`).get(userId, tradeId)

/** What the trades of an account's contract show. */
export const shownIn = (reader: Reader, userId: string, account: string, contract: string): readonly ShownRow[] =>
  query<ShownRow>(reader, `SELECT ${columns} FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ?`).all(userId, account, contract)

/** The fields of a trade that come from other records than its own. */
export const sourcesOf = (reader: Reader, userId: string, tradeId: string): Readonly<Partial<Record<WordField | 'removedAt', readonly From[]>>> => {
  const kept = JSON.parse(shownOf(reader, userId, tradeId)?.sources ?? '{}') as Record<string, [string, From['field']][]>
  return Object.fromEntries(Object.entries(kept).map(([shown, from]) => [shown, from.map(([record, field]) => ({ record, field }))]))
}

/** What a trade shows, as its row. */
export const shownRow = (tradeId: string, account: string, contract: string, { words, removedAt, from }: Shown): ShownRow => {
  const others = [...from].map(([field, list]) => [field, list.filter(({ record }) => record !== tradeId).map(({ record, field: of }) => [record, of])] as const)
  return { tradeId, account, contract, ...words, tags: JSON.stringify(words.tags), drawings: JSON.stringify(words.drawings), removedAt, sources: JSON.stringify(Object.fromEntries(others.filter(([, list]) => list.length > 0))) }
}

/** Updates the rows of some trades to what they show now, and returns the trades whose removal changed. */
export const keepShown = (writer: Writer, userId: string, before: readonly ShownRow[], after: readonly ShownRow[]): readonly string[] => {
  const put = change(writer, `INSERT OR REPLACE INTO shown_notes (user_id, trade_id, account, contract, notes, tags, stop, screenshot, screenshot_headline, screenshot2, screenshot2_headline, drawings, removed_at, sources)
    VALUES (@userId, @tradeId, @account, @contract, @notes, @tags, @stop, @screenshot, @screenshotHeadline, @screenshot2, @screenshot2Headline, @drawings, @removedAt, @sources)`)
  const drop = change(writer, 'DELETE FROM shown_notes WHERE user_id = ? AND trade_id = ?')
  const was = new Map(before.map((row) => [row.tradeId, row]))
  const toggled: string[] = []
  for (const row of after) {
    const old = was.get(row.tradeId)
    was.delete(row.tradeId)
    if ((old?.removedAt ?? null) === null ? row.removedAt !== null : row.removedAt === null) toggled.push(row.tradeId)
    if (old === undefined || Object.entries(row).some(([name, value]) => old[name as keyof ShownRow] !== value)) put.run({ userId, ...row })
  }
  for (const { tradeId, removedAt } of was.values()) {
    drop.run(userId, tradeId)
    if (removedAt !== null) toggled.push(tradeId)
  }
  return toggled
}
