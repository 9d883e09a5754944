import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import { productName } from '#shared/api/fields.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { riskBy } from '#shared/stats/risk.ts'

type Unit = OwnDefaultStop['unit']

/** A default stop as it is edited; an empty `distance` is none. */
export type StopDraft = { readonly distance: string; readonly unit: Unit }

/** Default stops under way, by product: what differs from what is kept, and what was typed and is the same again. */
export type StopDrafts = ReadonlyMap<string, StopDraft>

/** One product: what is kept and what stands in its fields. */
export type StopRow = StopDraft & { readonly product: string; readonly changed: boolean; readonly problem: 'not-a-distance' | null }

/** What is sent of one product; null as distance takes its stop back. */
export type StopChange = { readonly product: string; readonly distance: string | null; readonly unit: Unit }

const isDistance = (text: string): boolean => /^\d{1,15}(\.\d{1,10})?$/.test(text) && /[1-9]/.test(text)

/** The rows of the products that were traded, then of those that have or are about to get a stop. */
export const stopRows = (kept: readonly OwnDefaultStop[], drafts: StopDrafts, traded: readonly string[]): StopRow[] => {
  const known = new Map(kept.map((stop) => [stop.product, stop]))
  return [...new Set([...traded, ...known.keys(), ...drafts.keys()])].map((product) => {
    const before = known.get(product) ?? { distance: '', unit: 'ticks' as const }
    const { distance, unit } = drafts.get(product) ?? before
    const trimmed = distance.trim()
    const changed = trimmed !== before.distance || (trimmed !== '' && unit !== before.unit)
    return { product, distance, unit, changed, problem: trimmed === '' || isDistance(trimmed) ? null : 'not-a-distance' }
  })
}

/** What of these rows is to be saved; null while something in them is wrong. */
export const stopChanges = (rows: readonly StopRow[]): StopChange[] | null =>
  rows.some(({ problem }) => problem !== null) ? null : rows.filter(({ changed }) => changed).map(({ product, distance, unit }) => ({ product, distance: distance.trim() === '' ? null : distance.trim(), unit }))

/** What is lost at a product's default stop by one contract, in cents and its currency; null where the contract table does not know it or the distance is none. */
export const worthOf = (product: string, { distance, unit }: StopDraft): { readonly amount: string; readonly currency: string } | null => {
  const spec = contractSpecOf(product)
  const price = parsePrice(0, spec.tickSize)
  if (spec.source === 'unknown' || !spec.rootIsWhole || !isDistance(distance.trim()) || !price.ok) return null
  const risk = riskBy(new Map([[product, { distance: distance.trim(), unit }]]))({ symbol: product, side: 'long', price: price.value, tickSize: spec.tickSize, qty: 1, stop: null }, spec)
  return risk === null ? null : { amount: toDecimalString(risk), currency: spec.currency }
}

/** What was pasted, read: the stops in it, each product's last, and the words that are none. */
export type PastedStops = { readonly stops: StopDrafts; readonly unread: readonly string[] }

const units: Record<string, Unit> = { t: 'ticks', tick: 'ticks', ticks: 'ticks', p: 'points', pt: 'points', pts: 'points', point: 'points', points: 'points' }
const measured = /^(\d+(?:\.\d+)?)([a-z]*)$/

/** Reads several stops at once, as `MES 12 ticks`, `NQ 10p`, or columns of a spreadsheet; a distance without a unit is in ticks. */
export const readStops = (text: string): PastedStops => {
  const words = text.split(/[\s,;:=]+/).filter((word) => word !== '')
  const stops = new Map<string, StopDraft>()
  const unread: string[] = []
  for (let at = 0; at < words.length; ) {
    const [word = '', size = '', next = ''] = words.slice(at, at + 3)
    const product = productName.safeParse(word)
    const [, distance = '', glued = ''] = measured.exec(size.toLowerCase()) ?? []
    const unit = glued === '' ? units[next.toLowerCase()] : units[glued]
    if (!product.success || !/\p{L}/u.test(word) || !isDistance(distance) || (glued !== '' && unit === undefined)) {
      unread.push(word)
      at += 1
    } else {
      stops.set(product.data, { distance, unit: unit ?? 'ticks' })
      at += glued === '' && unit !== undefined ? 3 : 2
    }
  }
  return { stops, unread }
}
