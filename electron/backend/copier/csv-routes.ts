import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Express } from 'express'
import { z } from 'zod'
import { ledgerCsvPath } from '#shared/api/copier.ts'
import { identifier } from '#shared/api/fields.ts'
import type { CopierLedger } from './copier-ledger.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, readSent, type Admission } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'
import { ignoreReceiverDisconnect } from '../http/sent-file.ts'

type Piece = Awaited<ReturnType<CopierLedger['csv']>>

const ledgerCsvQuery = z.object({ groupId: identifier.optional() })

/** Streams the copier's ledger as CSV in chunks; events during the download come at its end. */
export const mountLedgerCsv = (app: Express, ledger: CopierLedger, admission: Admission<Browser, Caller>): void => {
  app.get(ledgerCsvPath, async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const query = readSent(ledgerCsvQuery, request.query)
    if (!query.ok) return sendProblem(response, { code: 'invalid-request', fields: query.error })
    const read = (after: number | null): Promise<Piece> => ledger.csv(caller.value.userId, { groupId: query.value.groupId, after })
    // Read before sending the head, so an immediate failure is an ordinary error response.
    const first = await read(null)
    response.attachment('fillbook-copier-ledger.csv')
    await pipeline(Readable.from(piecesFrom(read, first)), response).catch(ignoreReceiverDisconnect)
  })
}

async function* piecesFrom(read: (after: number) => Promise<Piece>, first: Piece): AsyncGenerator<Buffer> {
  yield Buffer.from(first.text)
  for (let after = first.next; after !== null; ) {
    const piece = await read(after)
    yield Buffer.from(piece.text)
    after = piece.next
  }
}
