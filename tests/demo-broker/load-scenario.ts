import type { FloorScenario } from './floor-world.ts'

const LOGINS = ['load.one', 'load.two', 'load.three', 'load.four', 'load.five'] as const
const ACCOUNTS_A_LOGIN = 10
const FIRST_ACCOUNT = 730_001
const PRODUCTS = ['ES', 'MES', 'NQ', 'MNQ', 'RTY', 'M2K', 'CL', 'MCL', 'YM', 'MYM', 'GC', 'MGC'] as const
const POSITIONS_AN_ACCOUNT = 4

/** Fifty simulated accounts over five logins with two hundred open positions in twelve contracts, long and short: what a screen of positions has to bear. */
export const loadScenario: FloorScenario = {
  kind: 'floor',
  logins: LOGINS.map((name) => ({ name, live: 0, demo: ACCOUNTS_A_LOGIN })),
  openPositions: Array.from({ length: LOGINS.length * ACCOUNTS_A_LOGIN * POSITIONS_AN_ACCOUNT }, (_, index) => {
    const account = Math.floor(index / POSITIONS_AN_ACCOUNT)
    const product = PRODUCTS[(account + index) % PRODUCTS.length] ?? 'ES'
    return { account: `DEMO${String(FIRST_ACCOUNT + account)}`, product, net: (index % 3 === 0 ? -1 : 1) * (1 + (index % 4)) }
  }),
}
