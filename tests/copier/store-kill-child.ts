import { writeSync } from 'node:fs'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import { causeOf, copierPaths, draftOf, follower, intentOf, silent } from '../helpers/copier-samples.ts'

// The body of a process that is made to be killed: it writes orders and their outcomes, and reports each write.
const [folder = '', from = '0'] = process.argv.slice(2)
const followers = 50
const store = openCopierStore({ ...copierPaths(folder), log: silent })
const say = (done: string): void => void writeSync(1, `${done}\n`)
store.saveGroup({ userId: 'u1', id: 'g1', draft: draftOf(followers) })
for (let fill = Number(from); ; fill += 1) {
  const ids = Array.from({ length: followers }, (_, index) => `${String(fill)}-${String(index)}`)
  store.writeIntents(causeOf(fill), ids.map((clOrdId, index) => intentOf(clOrdId, { account: follower(index + 1) })))
  say(`written ${String(fill)}`)
  // Every second fill gets no outcome: its orders stay as they were written.
  if (fill % 2 === 1) continue
  for (const stage of ['sent', 'acknowledged', 'filled'] as const) store.record(ids.map((clOrdId) => ({ clOrdId, stage, price: '6750.25' })))
  say(`recorded ${String(fill)}`)
}
