import { ownDataRoutes, type OwnDefaultStop } from '#shared/api/own-data.ts'
import { productName } from '#shared/api/fields.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { riskBy } from '#shared/stats/risk.ts'
import { z } from 'zod'

const { distance, unit } = ownDataRoutes.setDefaultStops.body.shape.stops.element.shape

/** The default stops of all products, as typed and as saved; an empty distance means none. */
export const stopFields = z.object({
  stops: z.array(z.object({ product: z.string(), distance: z.string().trim().transform((text) => (text === '' ? null : text)).pipe(distance), unit })),
})

/** A product's default stop as typed. */
export type TypedStop = z.input<typeof stopFields>['stops'][number]

/** A product's change to send; a null distance removes its stop. */
export type StopChange = z.output<typeof stopFields>['stops'][number]

type Unit = TypedStop['unit']

const isDistance = (text: string): boolean => distance.safeParse(text).success

/** The form's values: traded products, then others that have a stop. */
export const typedStops = (kept: readonly OwnDefaultStop[], traded: readonly string[]): TypedStop[] => {
  const known = new Map(kept.map((stop) => [stop.product, stop]))
  return [...new Set([...traded, ...known.keys()])].map((product) => known.get(product) ?? { product, distance: '', unit: 'ticks' })
}

/** The stops with others in their places, or at the end where a product has no row. */
export const withStops = (stops: readonly TypedStop[], added: readonly TypedStop[]): TypedStop[] => [...new Map([...stops, ...added].map((stop) => [stop.product, stop])).values()]

/** Those that differ from the saved ones; the unit of no stop is none. */
export const changedStops = <Stop extends TypedStop | StopChange>(kept: readonly OwnDefaultStop[], stops: readonly Stop[]): Stop[] => {
  const known = new Map(kept.map((stop) => [stop.product, stop]))
  return stops.filter(({ product, distance: typed, unit: chosen }) => {
    const [before, now] = [known.get(product), (typed ?? '').trim()]
    return now !== (before?.distance ?? '') || (now !== '' && chosen !== before?.unit)
  })
}

/** The loss per contract at a product's default stop, in cents and its currency; null if the contract table lacks the product or the distance is invalid. */
export const worthOf = ({ product, ...stop }: TypedStop): { readonly amount: string; readonly currency: string } | null => {
  const spec = contractSpecOf(product)
  const price = parsePrice(0, spec.tickSize)
  if (spec.source === 'unknown' || !spec.rootIsWhole || !isDistance(stop.distance.trim()) || !price.ok) return null
  const risk = riskBy(new Map([[product, { ...stop, distance: stop.distance.trim() }]]))({ symbol: product, side: 'long', price: price.value, tickSize: spec.tickSize, qty: 1, stop: null }, spec)
  return risk === null ? null : { amount: toDecimalString(risk), currency: spec.currency }
}

/** Parsed pasted text: its stops, the last one of each product, and the words that are none. */
export type PastedStops = { readonly stops: readonly TypedStop[]; readonly unread: readonly string[] }

const units: Record<string, Unit> = { t: 'ticks', tick: 'ticks', ticks: 'ticks', p: 'points', pt: 'points', pts: 'points', point: 'points', points: 'points' }
const measured = /^(\d+(?:\.\d+)?)([a-z]*)$/

/** Parses several stops at once, as `MES 12 ticks`, `NQ 10p`, or spreadsheet columns; a distance without a unit is in ticks. */
export const readStops = (text: string): PastedStops => {
  const words = text.split(/[\s,;:=]+/).filter((word) => word !== '')
  const stops: TypedStop[] = []
  const unread: string[] = []
  for (let at = 0; at < words.length; ) {
    const [word = '', size = '', next = ''] = words.slice(at, at + 3)
    const product = productName.safeParse(word)
    const [, measure = '', glued = ''] = measured.exec(size.toLowerCase()) ?? []
    const named = glued === '' ? units[next.toLowerCase()] : units[glued]
    if (!product.success || !/\p{L}/u.test(word) || !isDistance(measure) || (glued !== '' && named === undefined)) {
      unread.push(word)
      at += 1
    } else {
      stops.push({ product: product.data, distance: measure, unit: named ?? 'ticks' })
      at += glued === '' && named !== undefined ? 3 : 2
    }
  }
  return { stops: withStops([], stops), unread }
}
