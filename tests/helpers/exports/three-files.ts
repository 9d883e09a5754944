import { bytesOf, type ExportFile } from './exports.ts'
import { plainStyle, type Table } from './table.ts'
import { balanceTable, fillsTable, performanceTable, type Hand } from './tradovate-files.ts'
import { truthOf, type Truth } from './truth.ts'
import { drawWorld, type World } from './world.ts'

/** One trader's account in three of its exports, and the truth about it. */
export type ThreeFiles = {
  readonly world: World
  readonly truth: Truth
  readonly account: string
  readonly zone: string
  readonly fills: Uint8Array
  readonly performance: Uint8Array
  readonly balances: Uint8Array
}

const zone = 'America/New_York'
const hand: Hand = { zone, money: 'dollars', year2026: true }

/** The bytes of a table as the broker writes it. */
export const plainBytes = (table: Table): Uint8Array => bytesOf({ table, style: plainStyle } satisfies Pick<ExportFile, 'table' | 'style'>)

/** Draws one account that is flat in the end, and writes its Fills, Performance and Account Balance History. */
export const threeFiles = (seed = 11, sessions = 4): ThreeFiles => {
  const world = drawWorld(seed, { accounts: 1, sessions, allFlat: true, temper: 'calm' })
  const truth = truthOf(world)
  return {
    world, truth, zone, account: world.accounts[0]?.name ?? '',
    fills: plainBytes(fillsTable(world.fills, hand)),
    performance: plainBytes(performanceTable(truth.pairs, hand)),
    balances: plainBytes(balanceTable(truth.days, hand)),
  }
}
