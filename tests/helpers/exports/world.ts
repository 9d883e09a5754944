import { bookedOn, holidays } from './clock.ts'
import { drawOf, type Draw } from './draw.ts'
import { dollarProducts, euroProducts, strangeProduct, type Product } from './products.ts'
import { sessionDates, tradeContract, type DraftOrder, type Temper } from './trader.ts'

/** What a firm charges a contract and side, in cents for a micro; `flat` is a charge a fill, whatever its size. */
export type Firm = { readonly name: string; readonly fees: readonly (readonly [type: string, cents: number])[]; readonly flat: number }

export type TrueAccount = { readonly id: string; readonly name: string; readonly firm: Firm; readonly currency: 'USD' | 'EUR' }

export type TrueFill = {
  readonly id: string
  readonly order: TrueOrder
  readonly account: TrueAccount
  readonly product: Product
  /** UTC ms. */
  readonly time: number
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly ticks: number
  readonly busted: boolean
  /** The session that the broker books it on. */
  readonly bookedOn: string
  /** What was charged for it, by type, in cents. */
  readonly fees: readonly (readonly [type: string, cents: bigint])[]
}

export type TrueOrder = DraftOrder & { readonly id: string; readonly account: TrueAccount; readonly fills: readonly TrueFill[] }

/** Everything that happened, before it is written into files. */
export type World = {
  readonly seed: number
  readonly accounts: readonly TrueAccount[]
  readonly orders: readonly TrueOrder[]
  /** In the order in which they happened. */
  readonly fills: readonly TrueFill[]
  readonly dates: readonly string[]
}

/** How a world is generated; omitted options are random. Requested products are in dollars. */
export type WorldOptions = { readonly temper?: Temper; readonly accounts?: number; readonly products?: readonly Product[]; readonly allFlat?: boolean; readonly sessions?: number }

const firms: readonly Firm[] = [
  { name: 'by kind', fees: [['Commission', 39], ['Exchange Fee', 37], ['Clearing Fee', 9], ['Nfa Fee', 2]], flat: 0 },
  { name: 'all in', fees: [['Commission', 52]], flat: 0 },
  { name: 'flat', fees: [['Commission', 25], ['Brokerage Fee', 7], ['IP Fee', 1]], flat: 101 },
  { name: 'free', fees: [], flat: 0 },
]

// Around holidays, around the weeks in which clocks change in America and in Europe, and plain ones.
const beginnings = ['2025-11-24', '2026-01-14', '2026-02-12', '2026-03-05', '2026-03-25', '2026-05-20', '2026-07-01', '2025-10-22', '2025-10-29', '2026-06-08']

const small = new Set(['MNQ', 'MGC', 'FDXM'])

const feesOf = ({ firm }: TrueAccount, product: Product, qty: number): TrueFill['fees'] => {
  const times = BigInt(qty * (small.has(product.root) ? 1 : 3))
  const fees = firm.fees.map(([type, cents]) => [type, BigInt(cents) * times] as const)
  return firm.flat === 0 ? fees : [...fees, ['Order Routing Fee', BigInt(firm.flat)] as const]
}

type Event = { readonly time: number; readonly draft: DraftOrder; readonly account: TrueAccount; readonly piece: number }

const happen = (drafts: readonly { readonly draft: DraftOrder; readonly account: TrueAccount }[], draw: Draw): Pick<World, 'orders' | 'fills'> => {
  const events = drafts
    .flatMap(({ draft, account }): Event[] => [{ time: draft.placedAt, draft, account, piece: -1 }, ...draft.pieces.map(({ time }, piece) => ({ time, draft, account, piece }))])
    .sort((one, other) => one.time - other.time)
  let id = 536_938_980_000n
  const orders = new Map<DraftOrder, TrueOrder & { readonly fills: TrueFill[] }>()
  const fills: TrueFill[] = []
  for (const { draft, account, piece, time } of events) {
    id += BigInt(draw.between(1, 4))
    const filled = draft.pieces[piece]
    if (filled === undefined) {
      orders.set(draft, { ...draft, id: String(id), account, fills: [] })
      continue
    }
    const order = orders.get(draft)
    if (order === undefined) throw new Error('Filled before it was placed')
    const { product, side } = draft
    const { qty, ticks, busted } = filled
    const fill: TrueFill = { id: String(id), order, account, product, time, side, qty, ticks, busted, bookedOn: bookedOn(time), fees: feesOf(account, product, qty) }
    order.fills.push(fill)
    fills.push(fill)
  }
  return { orders: [...orders.values()], fills }
}

const accountOf = (draw: Draw, index: number, currency: 'USD' | 'EUR'): TrueAccount => ({ id: String(53_696_616 + index), name: `LFE05075316160${String(index).padStart(3, '0')}`, firm: draw.pick(firms), currency })

/** Draws what several traders do over some sessions, the last of several accounts in euros. */
export const drawWorld = (seed: number, options: WorldOptions = {}): World => {
  const draw = drawOf(seed)
  const count = options.accounts ?? draw.between(1, 4)
  const from = draw.pick(beginnings)
  const sessions = sessionDates(from, options.sessions ?? draw.between(1, 6))
  const accounts = Array.from({ length: count }, (_, index) => accountOf(draw, index, options.products === undefined && count > 1 && index === count - 1 ? 'EUR' : 'USD'))
  const drafts = accounts.flatMap((account) => {
    const all = options.products ?? (account.currency === 'EUR' ? euroProducts : [...dollarProducts, strangeProduct])
    return draw
      .shuffle(all)
      .slice(0, draw.between(1, 3))
      .flatMap((product) => tradeContract(draw, product, sessions, options.temper ?? 'wild', options.allFlat !== true && draw.chance(0.3)).map((draft) => ({ draft, account })))
  })
  return { seed, accounts, dates: sessions.filter((date) => !holidays.has(date)), ...happen(drafts, draw) }
}
