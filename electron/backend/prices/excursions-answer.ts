import type { StatedExcursionsShown, TradeExcursions } from '#shared/api/prices.ts'
import type { StatedExcursions } from '#shared/imports/reading.ts'
import { amountOf, exactMoney, type Amount, type Currency } from '#shared/money/money.ts'
import type { BestExit, Bounds, Excursion, Excursions, ExtremeTimes, Ratio } from '#shared/prices/excursions.ts'
import type { Span } from '#shared/prices/tape.ts'
import { ratioUnits, unitsText } from './ratio-units.ts'

const ratioText = (ratio: Ratio, round: 'down' | 'up'): string => unitsText(ratioUnits(ratio, round))

const ratios = ({ least, most }: Bounds<Ratio>) => ({ least: least && ratioText(least, 'down'), most: most && ratioText(most, 'up') })
const amounts = ({ least, most }: Bounds<Amount>) => ({ least: least === null ? null : exactMoney(least), most: most === null ? null : exactMoney(most) })
const each = ({ least, most }: Bounds<Ratio>) => ({ least: least && exactMoney(amountOf(Math.floor(least.num / least.den))), most: most && exactMoney(amountOf(Math.ceil(most.num / most.den))) })
const excursion = ({ amount, ticks, perContract, r }: Excursion) => ({ amount: amounts(amount), ticks: ratios(ticks), perContract: each(perContract), r: r && ratios(r) })
const times = (span: Span | null) => span && { from: Math.floor(span.from / 1000), to: Math.ceil(span.to / 1000) }

/** Excursions as the API states them. */
export const excursionsAnswer = (currency: Currency, { found, times: { toMfe, toMae }, exits }: { readonly found: Excursions; readonly times: ExtremeTimes; readonly exits: readonly { readonly minutes: number; readonly best: BestExit | null }[] }): TradeExcursions => ({
  ...{ currency, result: exactMoney(found.result), mfe: excursion(found.mfe), mae: excursion(found.mae), drawdown: amounts(found.drawdown) },
  ...{ capture: found.capture && ratios(found.capture), entry: found.entry && ratios(found.entry), exit: found.exit && ratios(found.exit), total: found.total && ratios(found.total) },
  ...{ toMfe: times(toMfe), toMae: times(toMae) },
  bestExits: exits.flatMap(({ minutes, best }) => (best === null ? [] : [{ minutes, qty: best.qty, amount: amounts(best.amount), ticks: best.ticks }])),
})

const isWithin = (amount: Amount, { least, most }: Bounds<Amount>): boolean => (least === null || amount >= least) && (most === null || amount <= most)

/** What a file says of a trade's excursions, and whether it lies within Fillbook's bounds where there are any. */
export const statedAnswer = ({ by, currency, mfe, mae }: StatedExcursions & { readonly currency: Currency }, found: Pick<Excursions, 'mfe' | 'mae'> | null): StatedExcursionsShown => {
  const amountJson = (amount: Amount | null, of: 'mfe' | 'mae') => (amount === null ? null : { amount: exactMoney(amount), within: found === null ? null : isWithin(amount, found[of].amount) })
  return { by, currency, mfe: amountJson(mfe, 'mfe'), mae: amountJson(mae, 'mae') }
}
