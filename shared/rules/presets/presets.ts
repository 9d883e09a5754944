import type { RulePreset } from '../../api/rules.ts'
import { alphaFuturesPresets } from './alpha-futures.ts'
import { apexPresets } from './apex.ts'
import { aquaFuturesPresets } from './aqua-futures.ts'
import { bulenoxPresets } from './bulenox.ts'
import { fundedNextFuturesPresets } from './funded-next-futures.ts'
import { lucidTradingPresets } from './lucid-trading.ts'
import { myFundedFuturesPresets } from './my-funded-futures.ts'
import { takeProfitTraderPresets } from './take-profit-trader.ts'
import { topOneFuturesPresets } from './top-one-futures.ts'
import { topstepPresets } from './topstep.ts'
import { tradeifyPresets } from './tradeify.ts'

/** Every preset, in the order of the firms; a firm without public facts has none. */
export const rulePresets: readonly RulePreset[] = [
  ...apexPresets,
  ...myFundedFuturesPresets,
  ...takeProfitTraderPresets,
  ...tradeifyPresets,
  ...alphaFuturesPresets,
  ...topOneFuturesPresets,
  ...fundedNextFuturesPresets,
  ...aquaFuturesPresets,
  ...topstepPresets,
  ...lucidTradingPresets,
  ...bulenoxPresets,
]
