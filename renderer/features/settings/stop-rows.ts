import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import { productName } from '#shared/api/fields.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { riskBy } from '#shared/stats/risk.ts'

type Unit = OwnDefaultStop['unit']

/** A default stop being edited; an empty `distance` means none. */
export type StopDraft = { readonly distance: string; readonly unit: Unit }

/** Edited default stops, by product: changed ones, and those whose text was changed back. */
export type StopDrafts = ReadonlyMap<string, StopDraft>

/** One product: its saved stop and the form values. */
export type StopRow = StopDraft & { readonly product: string; readonly changed: boolean; readonly problem: 'not-a-distance' | null }

/** A product's change to send; a null distance removes its stop. */
export type StopChange = { readonly product: string; readonly distance: string | null; readonly unit: Unit }

const isDistance = (text: string): boolean => /^\d{1,15}(\.\d{1,10})?$/.test(text) && /[1-9]/.test(text)

/** The rows of traded products, then of those that have or will get a stop. */
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

/** The changes to save from these rows; null while one is invalid. */
export const stopChanges = (rows: readonly StopRow[]): StopChange[] | null =>
  rows.some(({ problem }) => problem !== null) ? null : rows.filter(({ changed }) => changed).map(({ product, distance, unit }) => ({ product, distance: distance.trim() === '' ? null : distance.trim(), unit }))

/** The loss per contract at a product's default stop, in cents and its currency; null if the contract table lacks the product or the distance is invalid. */
export const worthOf = (product: string, { distance, unit }: StopDraft): { readonly amount: string; readonly currency: string } | null => {
  const spec = contractSpecOf(product)
  const price = parsePrice(0, spec.tickSize)
  if (spec.source === 'unknown' || !spec.rootIsWhole || !isDistance(distance.trim()) || !price.ok) return null
  const risk = riskBy(new Map([[product, { distance: distance.trim(), unit }]]))({ symbol: product, side: 'long', price: price.value, tickSize: spec.tickSize, qty: 1, stop: null }, spec)
  return risk === null ? null : { amount: toDecimalString(risk), currency: spec.currency }
}

/** Parsed pasted text: its stops, the last one of each product, and the words that are none. */
export type PastedStops = { readonly stops: StopDrafts; readonly unread: readonly string[] }

const units: Record<string, Unit> = { t: 'ticks', tick: 'ticks', ticks: 'ticks', p: 'points', pt: 'points', pts: 'points', point: 'points', points: 'points' }
const measured = /^(\d+(?:\.\d+)?)([a-z]*)$/

/** Parses several stops at once, as `MES 12 ticks`, `NQ 10p`, or spreadsheet columns; a distance without a unit is in ticks. */
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
