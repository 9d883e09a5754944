import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { LivePositionAccount } from '#shared/api/positions.ts'

/** An account's day P&L, like the copier's figure: realized since the session began, plus open P&L; null while a part is unknown. */
export const dayPnlOf = ({ dayRealised, open }: Pick<LivePositionAccount, 'dayRealised' | 'open'>, flat: boolean): string | null => {
  if (dayRealised === null) return null
  if (open !== null) return sumDecimals([dayRealised, open.amount])
  return flat ? dayRealised : null
}
