import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { ledgerCsvPath } from '#shared/api/copier.ts'
import { err, ok } from '#shared/base/result.ts'
import type { CopierLedger } from './copier-ledger.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Admission } from '../http/mount.ts'
import { mountLedgerCsv } from './csv-routes.ts'

const admission = {
  anyone: (request) => Promise.resolve(request.headers.cookie === undefined ? err({ code: 'no-session' }) : ok({} as Browser)),
  user: () => Promise.resolve(ok({ userId: 'ann', user: { id: 'ann' } as Caller })),
} satisfies Admission<Browser, Caller>

const serve = async () => {
  const asked: unknown[] = []
  const pieces: Pick<CopierLedger, 'csv'> = {
    csv: (userId, query) => {
      asked.push([userId, query])
      const { after } = query
      return Promise.resolve({ text: `${String(after)}ä\r\n`, next: after === null ? 7 : after === 7 ? 9 : null })
    },
  }
  const app = express()
  mountLedgerCsv(app, pieces as CopierLedger, admission)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const get = (query: string, headers: Record<string, string> = { cookie: 'x' }) => fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${ledgerCsvPath}${query}`, { headers })
  return { get, asked }
}

test('the CSV contains all chunks of the caller’s ledger only, or of one group if named', async () => {
  const { get, asked } = await serve()
  const answer = await get('?groupId=g1')
  expect([answer.status, answer.headers.get('content-disposition'), answer.headers.get('content-type')]).toEqual([200, 'attachment; filename=fillbook-copier-ledger.csv', 'text/csv; charset=utf-8'])
  expect(await answer.text()).toBe('nullä\r\n7ä\r\n9ä\r\n')
  expect(asked).toEqual([null, 7, 9].map((after) => ['ann', { groupId: 'g1', after }]))
})

test('requires a session and rejects an invalid id', async () => {
  const { get } = await serve()
  expect((await get('', {})).status).toBe(401)
  expect((await get('?groupId=')).status).toBe(400)
})
