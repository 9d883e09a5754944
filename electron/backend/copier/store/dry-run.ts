import { dryRunReport, type DryOrder } from '#shared/copier/dry-run.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { ownFeesFrom } from '../../own-data/own-fees.ts'
import { query, type Reader } from '../../db/database.ts'
import { groupNames } from './ledger.ts'
import type { LedgerReads } from './rows.ts'

type Row = Omit<DryOrder, 'run'> & { readonly event: number; readonly groupId: string }

// A dry run that began before the asked days is read from its beginning: what it held then is closed within them.
const orders = `SELECT events.id AS event, group_id AS groupId, events.at, account, orders.contract, orders.side, orders.qty, events.contract AS leaderContract, events.price
  FROM events CROSS JOIN orders ON event = events.id
  WHERE group_id = @group AND events.id > COALESCE((SELECT max(after) FROM armings WHERE group_id = @group AND after < (SELECT COALESCE(min(id), 0) FROM events WHERE at >= @since)), 0)
    AND dry_run = 1 AND purpose NOT IN ('exit', 'entry') ORDER BY events.id, written_at, cl_ord_id`
const armings = 'SELECT after FROM armings WHERE group_id = ? ORDER BY after DESC'

/** What a user's dry runs would have traded since a time, and what it would have come to. */
export const dryRun = (reader: Reader, { userId, groupId, sinceMs, fees }: Parameters<LedgerReads['dryRun']>[0]): ReturnType<LedgerReads['dryRun']> => {
  const all = [...groupNames(reader, userId, groupId).keys()].flatMap((group) => {
    const begins = query<{ after: number }>(reader, armings).all(group).map(({ after }) => after)
    return query<Row, [{ group: string; since: number }]>(reader, orders)
      .all({ group, since: sinceMs })
      .map(({ event, groupId: of, ...order }): DryOrder => ({ ...order, run: `${of} ${String(begins.find((after) => after < event) ?? 0)}` }))
  })
  return dryRunReport(all, { from: tradingDay(sinceMs), feeOf: ownFeesFrom(fees) })
}
