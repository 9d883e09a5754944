import fc from 'fast-check'
import { localText, shortDate, utcText } from '../helpers/exports/clock.ts'
import { minute, monday } from '../helpers/store.ts'

const who = fc.nat(9)
const pick = fc.nat(99)
/** What can be written on a trade. */
export const parts = ['notes', 'tags', 'stop', 'headline', 'picture'] as const
export type Part = (typeof parts)[number]

const mishap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.record({ from: fc.integer({ min: 1, max: 9 }), for: fc.integer({ min: 1, max: 9 }), passage: fc.constantFrom('cut', 'answer-lost', 'twice', 'half', 'web-page', 'bad-gateway', 'busy') }) },
  { weight: 1, arbitrary: fc.record({ from: fc.integer({ min: 1, max: 9 }), for: fc.constant(1), passage: fc.constant('killed' as const) }) },
  { weight: 1, arbitrary: fc.constant({ from: 1, for: 99, passage: 'too-large' as const }) },
)

const kinds = {
  enter: [4, fc.record({ who })],
  write: [7, fc.record({ who, pick, part: fc.constantFrom(...parts), clear: fc.nat(3).map((die) => die === 0) })],
  picture: [2, fc.record({ who, pick })],
  remove: [2, fc.record({ who, pick })],
  'put back': [1, fc.record({ who, pick })],
  day: [2, fc.record({ who, pick: fc.nat(1), part: fc.constantFrom('notes', 'tags'), clear: fc.nat(3).map((die) => die === 0) })],
  finance: [3, fc.record({ who, pick, isNew: fc.boolean(), clear: fc.nat(3).map((die) => die === 0) })],
  setting: [2, fc.record({ who, of: fc.constantFrom('rate', 'stop', 'rules'), clear: fc.nat(3).map((die) => die === 0) })],
  import: [4, fc.record({ who, file: fc.nat(2) })],
  undo: [5, fc.record({ who, pick })],
  'back up': [3, fc.record({ who })],
  restore: [4, fc.record({ who, pick, whole: fc.nat(3).map((die) => die === 0), killed: fc.constantFrom(null, null, null, null, 'journal-restored' as const, 'restore-committed' as const) })],
  'copy by hand': [1, fc.record({ who })],
  kill: [1, fc.record({ who })],
  speak: [16, fc.record({ who, pressed: fc.boolean(), mishap })],
  'all speak': [2, fc.record({ who })],
  compare: [1, fc.record({ who })],
  dump: [3, fc.record({})],
  'go back': [4, fc.record({ pick })],
  empty: [1, fc.record({})],
} as const
type Kinds = typeof kinds
/** One step, with its random values. */
export type Step = { [Kind in keyof Kinds]: { readonly kind: Kind } & (Kinds[Kind][1] extends fc.Arbitrary<infer T> ? T : never) }[keyof Kinds]

/** What a walk may be about: of these kinds its user and operator do so much instead. */
const themes: readonly Partial<Record<keyof Kinds, number>>[] = [
  {},
  { import: 8, undo: 10, dump: 6, 'go back': 8, empty: 2, write: 2, setting: 1, finance: 1 },
  { picture: 12, 'go back': 5, empty: 4, write: 1, setting: 1, finance: 1 },
  { restore: 12, 'back up': 6, 'go back': 1 },
  { 'copy by hand': 6, write: 14, enter: 1, import: 1, undo: 1, restore: 1, finance: 1, setting: 1 },
]
const stepAbout = (theme: Partial<Record<keyof Kinds, number>>): fc.Arbitrary<Step> =>
  fc.oneof(...Object.entries(kinds).map(([kind, [weight, arbitrary]]) => ({ weight: theme[kind as keyof Kinds] ?? weight, arbitrary: (arbitrary as fc.Arbitrary<object>).map((given) => ({ kind, ...given }) as Step) })))

/** All that is drawn of a walk. */
export const walk = fc.constantFrom(...themes).chain((theme) =>
  fc.record({
    computers: fc.integer({ min: 2, max: 3 }),
    /** By how many hours each clock is wrong. */
    clocks: fc.array(fc.constantFrom(0, 0, 0, 1, -1, -30, 30, 120), { minLength: 4, maxLength: 4 }),
    /** Whether the account of the files has a trade from the start that stays: an account of which nothing is left is out of view, whatever comes back. */
    anchored: fc.nat(2).map((die) => die > 0),
    steps: fc.array(stepAbout(theme), { minLength: 25, maxLength: 50, size: 'max' }),
  }),
)
export type Walk = typeof walk extends fc.Arbitrary<infer T> ? T : never

/** A Fills report of one trade, by its number. */
export const fileOf = (number: number): string => {
  const columns = '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,_accountId,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission'
  const rows = [0, 1].map((side) => {
    const [id, time] = [String(1_000 + 10 * number + side), monday + (10 * number + side) * minute]
    const price = (6700 + number + side).toFixed(2)
    return [id, id, '4400001', utcText(time), '2026-01-05', String(side), '1', price, 'true', '778899', id, id, localText('America/New_York', time), shortDate('2026-01-05'), 'PA-7', side === 0 ? ' Buy' : ' Sell', '1', price, '-2', '0', '0.25', 'MESM6', 'MES', 'Micro E-mini S&P 500', '0.35'].join(',')
  })
  return [columns, ...rows].join('\n')
}
/** The file whose import is never undone. */
export const anchor = 9
/** What it is called. */
export const fileName = (number: number): string => `file-${String(number)}.csv`
/** Days with notes. */
export const days = ['2026-01-05', '2026-01-06'] as const
