import { and, between, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { SyncGap } from '#shared/api/brokerage.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { sessionGaps } from '#shared/sync/gaps.ts'
import type { Reader, Writer } from '../db/database.ts'
import { knownPositions } from '../db/schema/journal.ts'
import { saveEvidence } from '../fills/evidence.ts'
import { daysFromHistory } from '../imports/history-queries.ts'
import { isoTime } from '../db/iso-time.ts'
import { accounts, sessionReads as table } from '../db/schema/brokerage.ts'
import type { At, OfUser } from '../db/rows.ts'

const key = [table.userId, table.account, table.tradingDay]

const watched = ({ orm }: Reader, userId: string) =>
  orm.select({ key: accounts.key, name: accounts.name, since: accounts.watchedSince }).from(accounts).where(and(eq(accounts.userId, userId), isNull(accounts.removedAt), isNotNull(accounts.watchedSince))).all()

/** Sessions of watched accounts whose end no run of this computer has read, latest first, without those that the user closed or that came from the reporting service since. `at` is UTC ms. */
export const syncGaps = (reader: Reader, { userId, at }: OfUser & { readonly at: number }): SyncGap[] => {
  const reads = Map.groupBy(reader.orm.select().from(table).where(eq(table.userId, userId)).all(), (row) => row.account)
  const isThere = daysFromHistory(reader, userId)
  return watched(reader, userId)
    .flatMap(({ key, name, since }) =>
      sessionGaps({ watchedSince: since ?? at, reads: reads.get(key) ?? [], now: at })
        .filter(({ tradingDay: day }) => !isThere(key, day))
        .map(({ tradingDay: day, from, to }): SyncGap => ({ accountId: key, accountName: name, tradingDay: day, from: isoTime(from), to: isoTime(to) })),
    )
    .toSorted((one, other) => other.tradingDay.localeCompare(one.tradingDay) || one.accountName.localeCompare(other.accountName))
}

/** Closes a session's gap for good: the user says that nothing is missing. */
export const closeGap = (writer: Writer, { userId, at, account, tradingDay: day }: OfUser & At & { readonly account: AccountKey; readonly tradingDay: string }): void => {
  writer.orm.insert(table).values({ userId, account, tradingDay: day, closed: true }).onConflictDoUpdate({ target: key, set: { closed: true } }).run()
  clearIn(writer, { userId, account, at, from: day, to: day }, () => true)
}

/** Clears missing fills of an account in these trading days, both included: they were fetched. Known positions stay. */
export const clearMissing = (writer: Writer, window: Window): void => {
  // A report has a whole session, and the next session's opening position settles it: what the broker stated in between may have lagged.
  clearIn(writer, window, ({ time }) => time < sessionOf(tradingDay(time + 1)).opens)
}

type Window = OfUser & At & { readonly account: AccountKey; readonly from: string; readonly to: string }

const clearIn = (writer: Writer, { userId, account, at, from, to }: Window, stays: (known: { readonly time: number }) => boolean): void => {
  const span = { from: sessionOf(from).opens - 1, to: sessionOf(to).listedUntil }
  const positions = writer.orm
    .select({ contract: knownPositions.contract, time: knownPositions.time, net: knownPositions.net })
    .from(knownPositions)
    .where(and(eq(knownPositions.userId, userId), eq(knownPositions.account, account), eq(knownPositions.source, 'broker'), between(knownPositions.time, span.from, span.to)))
    .all()
  saveEvidence(writer, { userId, at, account, source: 'broker', ...span, positions: positions.filter(stays), missing: [] })
}

/**
 * Records how an account's fills were read at `at` (UTC ms). Read as a whole, its session is known until then; where fills
 * were lacking it is missing until a later reading has them. Settled means that fees were read after the session's end.
 */
export const recordRead = ({ orm }: Writer, userId: string, account: AccountKey, { at, whole, settled }: { readonly at: number; readonly whole: boolean; readonly settled: boolean }): void => {
  // What is undefined stays: what an earlier reading knew is not forgotten.
  const known = { readUntil: whole ? sql`max(COALESCE(${table.readUntil}, 0), ${at})` : undefined, lacking: !whole, settled: settled ? true : undefined }
  orm.insert(table).values({ userId, account, tradingDay: tradingDay(at), readUntil: whole ? at : null, lacking: !whole, settled }).onConflictDoUpdate({ target: key, set: known }).run()
}

/** Records that fills of a session that is over are not known: a gap until history has them or the user closes it. */
export const recordMissing = ({ orm }: Writer, { userId, account, tradingDay: day }: OfUser & { readonly account: AccountKey; readonly tradingDay: string }): void => {
  orm.insert(table).values({ userId, account, tradingDay: day, lacking: true }).onConflictDoUpdate({ target: key, set: { lacking: true } }).run()
}

/** Records that the fees of a session were read after its end. */
export const recordFeesRead = ({ orm }: Writer, { userId, account, tradingDay: day }: OfUser & { readonly account: AccountKey; readonly tradingDay: string }): void => {
  orm.update(table).set({ settled: true }).where(and(eq(table.userId, userId), eq(table.account, account), eq(table.tradingDay, day))).run()
}
