import type { Account, Login } from './world.ts'

const DOLLAR = 10_000

/** When and what an account trades; minutes from Chicago's midnight, negative for the evening before. */
export type TradingBlock = {
  readonly products: readonly string[]
  readonly from: number
  readonly to: number
  /** Minimum and maximum number of trades. */
  readonly trades: readonly [number, number]
  /** Weekdays (1 is Monday); every day if omitted. */
  readonly weekdays?: readonly number[]
}

/** An account's trading style. */
type TradingStyle = {
  /** The intended win rate. */
  readonly skill: number
  /** The size of a loss relative to a win. */
  readonly risk: number
  /** The target's distance, as a fraction of an ordinary day's move. */
  readonly appetite: number
  readonly blocks: readonly TradingBlock[]
  /** The weekday on which the account buys a contract and holds it overnight. */
  readonly overnight?: { readonly product: string; readonly weekday: number; readonly qty: number }
  /** The weekday on which the exchange busts one fill. */
  readonly bust?: { readonly product: string; readonly weekday: number }
}

/** An account with its trading style; `past` is how it traded differently in the half year before. A new account, without it, has no such half year. */
export type SeededAccount = Account & { readonly style: TradingStyle; readonly past?: Partial<TradingStyle> }

const at = (hour: number, minute: number): number => hour * 60 + minute

const FIRM = { id: 8800 }

/** The logins of the demo brokerage. */
export const LOGINS: readonly Login[] = [
  { userId: 9001, name: 'ava.morgan', fullName: 'Ava Morgan', email: 'ava.morgan@example.com', organization: 'Northgate Funding' },
  { userId: 9002, name: 'ben.keller', fullName: 'Ben Keller', email: 'ben.keller@example.com', organization: null },
]

/** The accounts of both logins. */
export const ACCOUNTS: readonly SeededAccount[] = [
  {
    id: 700_101, name: 'NGF-EVAL50K-104233', environment: 'demo', ownerId: FIRM.id, traderId: 9001, evaluationSize: 50_000, limits: { dailyLoss: 1_250 * DOLLAR, trailing: 2_500 * DOLLAR },
    cash: [{ id: 700_201, currency: 'USD', opening: 50_000 * DOLLAR }],
    style: {
      skill: 0.53, risk: 0.72, appetite: 0.16,
      blocks: [{ products: ['MNQ', 'MES'], from: at(8, 36), to: at(15, 5), trades: [3, 5] }],
      bust: { product: 'MGC', weekday: 4 },
    },
  },
  {
    id: 700_102, name: 'NGF-EVAL150K-104871', environment: 'demo', ownerId: FIRM.id, traderId: 9001, evaluationSize: 150_000, limits: { dailyLoss: 4_500 * DOLLAR, trailing: 5_000 * DOLLAR },
    cash: [{ id: 700_202, currency: 'USD', opening: 150_000 * DOLLAR }],
    style: {
      skill: 0.48, risk: 1.2, appetite: 0.05,
      blocks: [{ products: ['NQ', 'ES', 'CL'], from: at(8, 33), to: at(14, 50), trades: [3, 5] }],
    },
  },
  {
    id: 700_103, name: 'NGF-FUNDED50K-20918', environment: 'demo', ownerId: FIRM.id, traderId: 9001, evaluationSize: 50_000, limits: { dailyLoss: 1_250 * DOLLAR, trailing: 2_500 * DOLLAR },
    began: 50_000 * DOLLAR,
    cash: [{ id: 700_203, currency: 'USD', opening: 521_405_000 }],
    // Calm enough that no firm would have ended the account.
    past: { skill: 0.6, risk: 0.5, appetite: 0.08 },
    style: {
      skill: 0.53, risk: 0.7, appetite: 0.15,
      blocks: [
        { products: ['MNQ', 'MCL'], from: at(-6, 20), to: at(-3, 0), trades: [1, 1], weekdays: [1, 4] },
        { products: ['MNQ', 'M2K', 'MCL'], from: at(8, 40), to: at(14, 55), trades: [3, 4] },
      ],
      overnight: { product: 'MES', weekday: 2, qty: 2 },
    },
  },
  {
    id: 700_111, name: 'DEMO7001250', environment: 'demo', ownerId: 9002, traderId: 9002, evaluationSize: null,
    cash: [
      { id: 700_211, currency: 'USD', opening: 25_000 * DOLLAR },
      { id: 700_212, currency: 'EUR', opening: 2_500 * DOLLAR },
    ],
    past: {},
    style: {
      skill: 0.53, risk: 0.66, appetite: 0.16,
      blocks: [
        { products: ['6E', 'MGC'], from: at(-6, 25), to: at(-3, 0), trades: [1, 1], weekdays: [1, 3] },
        { products: ['FDXS'], from: at(2, 5), to: at(8, 0), trades: [1, 2] },
        { products: ['ZN', '6E', 'MGC'], from: at(9, 0), to: at(14, 40), trades: [2, 3] },
      ],
    },
  },
  {
    id: 700_112, name: '7001251', environment: 'live', ownerId: 9002, traderId: 9002, evaluationSize: null,
    cash: [{ id: 700_213, currency: 'USD', opening: 184_203_500 }],
    past: {},
    style: {
      skill: 0.52, risk: 0.72, appetite: 0.14,
      blocks: [{ products: ['MES', 'MCL', 'RTY'], from: at(8, 34), to: at(15, 0), trades: [3, 4] }],
    },
  },
]
