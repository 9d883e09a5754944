import type { AccountKey } from '#shared/fills/fill.ts'
import { positionDoubts, type Doubt } from '#shared/pnl/known-position.ts'
import { query, type Reader } from '../db/database.ts'

type PositionRow = { time: number; net: number }
type Step = { time: number; side: 'buy' | 'sell'; qty: number }

/** The moments at which the count of a contract is in doubt, from its fills and all that is known of its positions. */
export const doubtsOf = (reader: Reader, userId: string, account: AccountKey, contract: string): readonly Doubt[] => {
  const place = [userId, account, contract] as const
  const positions = query<PositionRow>(reader, 'SELECT time, net FROM known_positions WHERE user_id = ? AND account = ? AND contract = ?').all(...place)
  const missing = query<{ time: number | null }>(reader, 'SELECT time FROM missing_fills WHERE user_id = ? AND account = ? AND (contract = ? OR contract IS NULL)').all(...place)
  if (positions.length === 0 && missing.length === 0) return []
  const fills = query<Step>(reader, 'SELECT time, side, qty FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND active = 1 ORDER BY time').iterate(...place)
  return positionDoubts(fills, positions, missing.map(({ time }) => time))
}
