import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Moments of the cloud's talk with PostgreSQL: a page is asked for; the records of a push are on their way; they are written and the new head is not; the push is about to be committed; it is committed, and the cloud does not know yet. */
export type LineMoment = 'page-queried' | 'records-sent' | 'records-written' | 'before-commit' | 'committed'

/** A line between a cloud and PostgreSQL that a test can cut at a moment. */
export type PostgresLine = {
  /** The database by way of this line. */
  readonly url: string
  /** Asked at each moment; after `cut` nothing of it, and nothing later, arrives at the other end. */
  decide: (moment: LineMoment) => 'through' | 'cut'
  readonly close: () => Promise<void>
}

const texts = { 'records-sent': 'insert into "records"', 'records-written': 'update "journals"', 'page-queried': 'enable_sort' } as const
const tells = Object.keys(texts) as (keyof typeof texts)[]
// The driver sends it alone, when all before it was answered.
const commit = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1')

/** Opens a line to the database at `databaseUrl`. Whoever opens it closes it. */
export const openPostgresLine = async (databaseUrl: string): Promise<PostgresLine> => {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const server = createServer((cloud) => {
    const postgres = connect({ host: target.hostname, port: Number(target.port) })
    const cut = (): void => {
      cloud.destroy()
      postgres.destroy()
    }
    for (const socket of [cloud, postgres]) {
      open.add(socket)
      socket.on('error', cut).on('close', () => {
        open.delete(socket)
        cut()
      })
    }
    let pushing = false
    let committing = false
    const momentOf = (part: Buffer): LineMoment | null => {
      const match = tells.find((moment) => part.includes(texts[moment]))
      if (match === 'records-sent') pushing = true
      if (match !== undefined || !part.equals(commit)) return match ?? null
      committing = pushing
      pushing = false
      return committing ? 'before-commit' : null
    }
    cloud.on('data', (part: Buffer) => {
      const moment = momentOf(part)
      if (moment !== null && line.decide(moment) === 'cut') cut()
      else postgres.write(part)
    })
    postgres.on('data', (part: Buffer) => {
      const committed = committing
      committing = false
      if (committed && line.decide('committed') === 'cut') cut()
      else cloud.write(part)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const line: PostgresLine = {
    url: url.href,
    decide: () => 'through',
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
  return line
}
