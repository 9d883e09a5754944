import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { SyncGap } from '#shared/api/brokerage.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { sessionGaps } from '#shared/sync/gaps.ts'
import { change, type Reader, type Writer } from '../database.ts'
import { daysFromHistory } from './history.ts'
import { isoTime } from '../iso-time.ts'
import type { Read, Write } from '../part.ts'
import { accounts, sessionReads as table } from '../schema/brokerage.ts'

const watched = ({ orm }: Reader, userId: string) =>
  orm.select({ key: accounts.key, name: accounts.name, since: accounts.watchedSince }).from(accounts).where(and(eq(accounts.userId, userId), isNull(accounts.removedAt), isNotNull(accounts.watchedSince))).all()

export const syncGaps: Read<'syncGaps'> = (reader, { userId, at }) => {
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

export const closeGap: Write<'closeGap'> = (writer, { userId, account, tradingDay: day }) => {
  change(writer, 'INSERT INTO session_reads (user_id, account, trading_day, closed) VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET closed = 1').run(userId, account, day)
}

/** Notes that an account's fills were read to the end as they were at `at` (UTC ms): its session is known until then. */
export const noteRead = (writer: Writer, userId: string, account: AccountKey, at: number): void => {
  const sql = `INSERT INTO session_reads (user_id, account, trading_day, read_until) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET read_until = max(COALESCE(read_until, 0), excluded.read_until)`
  change(writer, sql).run(userId, account, tradingDay(at), at)
}
