import type { Barrier } from '#backend/db/barrier.ts'

/** The mistake that the kill test must catch: fills are committed before the trades that follow from them. The process dies in between. */
export const barrier: Barrier = (name, database) => {
  if (name !== 'fills-written') return
  database.exec('COMMIT')
  process.kill(process.pid, 'SIGKILL')
}
