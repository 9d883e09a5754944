import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import { openLedger, type Ledger } from '#backend/copier/store/open-ledger.ts'
import { closeReader, openReader, queryCells, type Reader } from '#backend/db/database.ts'
import { causeOf, copierPaths, draftOf, follower, intentOf, silent } from '../helpers/copier-samples.ts'
import { counted, rounded, scale, takingTurns, type BenchRow } from './row.ts'

const sizes = [400 * scale, 4_000 * scale] as const
const followers = 50
const runs = 5
const figuresLimit = 4
const pageLimit = 3
const userId = 'bench'

/**
 * What the ledger's screen asks over 200,000 copies: the figures of 50 followers, against a plain walk over the same times that adds them up; and the
 * newest page, against that of a tenth of the ledger. In turns, medians.
 */
export const benchLedger = async (): Promise<readonly BenchRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-bench-'))
  try {
    const [small, large] = [fill(join(folder, 'small'), sizes[0]), fill(join(folder, 'large'), sizes[1])]
    const reader = openReader(copierPaths(join(folder, 'large')).file)
    const copies = counted(sizes[1] * followers)
    const [figures, plain] = takingTurns(runs, () => large.figures({ userId, sinceMs: 0 }), () => addUp(reader))
    const [many, few] = takingTurns(runs, () => large.ledger({ userId, limit: 100 }), () => small.ledger({ userId, limit: 100 }))
    closeReader(reader)
    for (const ledger of [small, large]) ledger.close()
    return [
      { name: `figures of ${copies} copies`, ratio: figures / plain, limit: figuresLimit, details: { figures: rounded(figures), plain: rounded(plain), runs } },
      { name: `page of a ledger of ${copies} copies, growth from a tenth`, ratio: many / few, limit: pageLimit, details: { few: rounded(few), many: rounded(many), runs } },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fill = (folder: string, fills: number): Ledger => {
  const place = copierPaths(folder)
  const store = openCopierStore({ ...place, log: silent })
  store.saveGroup({ userId, id: 'g1', draft: draftOf(followers) })
  for (let number = 0; number < fills; number += 1) {
    const orders = Array.from({ length: followers }, (_, index) => intentOf(`${String(number)}-${String(index)}`, { account: follower(index + 1) }))
    store.writeIntents(causeOf(number), orders)
    store.record(orders.map(({ clOrdId }, index) => ({ clOrdId, stage: 'filled', filled: 1, price: '6750.5', toWireMs: 1 + ((number * 31 + index) % 97) / 10, ackMs: 20, fillMs: 40, slippage: { ticks: 1, money: 12_500, currency: 'USD' } })))
  }
  store.close()
  const ledger = openLedger(place.file)
  if (ledger === null) throw new Error('There is no ledger')
  return ledger
}

const addUp = (reader: Reader): number => {
  let sum = 0
  const times = queryCells<[account: string, toWire: number, ack: number, fill: number]>(reader, 'SELECT account, to_wire, ack, fill FROM orders')
  for (const [account, toWire, ack, filled] of times.iterate()) sum += account.length + toWire + ack + filled
  return sum
}
