import type { PlatformKind } from '../export-kind.ts'
import { ninjaTraderTrades } from './ninjatrader-trades.ts'
import type { Platform } from './platform.ts'
import { topstepx, topstepxLocal } from './topstepx.ts'

/** The readers of other platforms' reports: a new one is a file here and its name in `platformNames`. */
export const platforms: Readonly<Record<PlatformKind, Platform>> = {
  'topstepx-trades': topstepx,
  'topstepx-local-trades': topstepxLocal,
  'ninjatrader-trades': ninjaTraderTrades,
}
