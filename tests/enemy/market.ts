/** Which way a fill went. */
export type Side = 'Buy' | 'Sell'

/** One product of the broker's library; money in 1/10,000 of its currency. */
export type Product = {
  readonly id: number
  readonly name: string
  readonly currency: 'USD' | 'EUR'
  /** What one point is worth, and one tick in points. */
  readonly perPoint: number
  readonly tick: string
  /** What one tick of one contract is worth. */
  readonly tickValue: number
}

/** One listed contract. */
export type Contract = { readonly id: number; readonly maturityId: number; readonly name: string; readonly product: Product; /** Where its price begins, in ticks. */ readonly near: number }

const product = (id: number, name: string, perPoint: number, tick: string, tickValue: number, currency: Product['currency'] = 'USD'): Product => ({ id, name, perPoint, tick, tickValue, currency })

/** All contracts that this broker lists; the third is of a product that no table outside knows. */
export const contracts: readonly Contract[] = [
  { id: 4_400_001, maturityId: 52_001, name: 'MESZ6', product: product(902, 'MES', 5, '0.25', 12_500), near: 24_000 },
  { id: 4_400_002, maturityId: 52_002, name: 'CLZ6', product: product(903, 'CL', 1_000, '0.01', 100_000), near: 6_500 },
  { id: 4_400_003, maturityId: 52_003, name: 'QXQZ6', product: product(904, 'QXQ', 30, '0.05', 15_000), near: 900 },
  { id: 4_400_004, maturityId: 52_004, name: 'FDXMZ6', product: product(905, 'FDXM', 5, '1', 50_000, 'EUR'), near: 18_000 },
]

/** How the broker's rows of one fill are disturbed; turns are counted by syncs, the first is 1. */
export type Disturbance = {
  /** From which turn on anything at the broker knows of it, its position too. */
  bookedFrom: number
  /** From which turn on it is listed. */
  listedFrom: number
  /** Never listed: only the reports have it. */
  unlisted: boolean
  /** From which turn on its order is listed or found. */
  orderFrom: number
  /** Before this turn its fee row is missing, 0, or partial. */
  feeFrom: number
  feeBefore: 'none' | 'zero' | 'part'
  /** Before this turn a field of its row cannot be read. */
  readableFrom: number
  spoilt: 'price' | 'action' | 'qty' | 'timestamp'
}

/** One execution as it happened; what the broker corrects later changes it in place. */
export type Fill = {
  readonly id: number
  readonly orderId: number
  /** The broker's number of the account. */
  readonly account: number
  readonly contract: Contract
  /** UTC ms. */
  time: number
  /** The exchange's session, `YYYY-MM-DD`. */
  readonly day: string
  readonly side: Side
  qty: number
  /** The price in whole ticks. */
  ticks: number
  /** False once it was busted. */
  active: boolean
  /** Of the whole fill, in cents of the contract's currency: the broker's last word. */
  feeCents: number
  readonly rows: Disturbance
}

/** A row that the broker lists at once and correctly. */
export const undisturbed = (): Disturbance => ({ bookedFrom: 0, listedFrom: 0, unlisted: false, orderFrom: 0, feeFrom: 0, feeBefore: 'none', readableFrom: 0, spoilt: 'price' })

/** A price as a decimal text, `6000.25`. */
export const priceText = ({ product: { tick } }: Contract, ticks: number): string => {
  const [whole = '0', part = ''] = tick.split('.')
  const unit = BigInt(whole + part) * BigInt(ticks)
  const digits = String(unit).padStart(part.length + 1, '0')
  return part === '' ? digits : `${digits.slice(0, -part.length)}.${digits.slice(-part.length)}`
}

const chicago = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago', hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The wall clock of Chicago as if it were UTC, ms. */
const wallOf = (time: number): number => {
  const part = Object.fromEntries(chicago.formatToParts(time).map(({ type, value }) => [type, value]))
  return Date.parse(`${String(part['year'])}-${String(part['month'])}-${String(part['day'])}T${String(part['hour'])}:${String(part['minute'])}:${String(part['second'])}Z`)
}

/** UTC ms of a wall-clock moment in Chicago, `2026-03-02` and hours after its midnight. */
export const inChicago = (day: string, hours: number): number => {
  const wall = Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000
  const guess = wall + 6 * 3_600_000
  return guess + (wall - wallOf(guess))
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The session that a moment belongs to: from 17:00 in Chicago on the next day, and the weekend is Monday's. */
export const sessionOf = (time: number): string => {
  let day = Date.parse(`${isoDay(wallOf(time) + 7 * 3_600_000)}T00:00:00Z`)
  while ([0, 6].includes(new Date(day).getUTCDay())) day += 86_400_000
  return isoDay(day)
}

/** The session after one. */
export const nextSession = (day: string): string => sessionOf(inChicago(day, 17.5))
