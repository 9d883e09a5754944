import type { PlatformKind } from '../export-kind.ts'
import { atas } from './atas.ts'
import { mappedFills, mappedTrades } from './mapped.ts'
import { ninjaTraderTrades } from './ninjatrader-trades.ts'
import type { Platform } from './platform.ts'
import { quantower } from './quantower.ts'
import { rithmic, rithmicLocal } from './rithmic.ts'
import { sierraActivity } from './sierra-activity.ts'
import { topstepx, topstepxLocal } from './topstepx.ts'
import { tradingView } from './tradingview.ts'

/** The readers of other platforms' reports: a new one is a file here and its name in `platformNames`. */
export const platforms: Readonly<Record<PlatformKind, Platform>> = {
  'topstepx-trades': topstepx,
  'topstepx-local-trades': topstepxLocal,
  'ninjatrader-trades': ninjaTraderTrades,
  'rithmic-orders': rithmic,
  'rithmic-local-orders': rithmicLocal,
  'sierra-activity': sierraActivity,
  'tradingview-orders': tradingView,
  'quantower-trades': quantower,
  'atas-journal': atas,
  'mapped-fills': mappedFills,
  'mapped-trades': mappedTrades,
}
