import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the stand-in saw it; times are UTC ms. */
export type AskedOfDatabento = { readonly call: 'cost' | 'range'; readonly symbol: string; readonly schema: string; readonly from: number; readonly to: number; readonly fields: Readonly<Record<string, string>> }

/** How the stand-in answers in place of prices: with a status, with a status and Databento's case of it, cut in the middle, silent after the first rows, or slowly. */
export type DatabentoFault = number | { readonly status: number; readonly case: string } | 'cut' | 'short' | 'silence' | 'slow' | null

/** A stand-in for Databento's historical service. */
export type StandInDatabento = {
  readonly url: string
  readonly key: string
  readonly asked: readonly AskedOfDatabento[]
  /** In US dollars, what it charged. */
  readonly charged: () => number
  /** Contracts that it knows. */
  readonly symbols: Set<string>
  /** US dollars for each minute. */
  perMinute: number
  fault: ((asked: AskedOfDatabento) => DatabentoFault) | null
  readonly stop: () => Promise<void>
}

const nano = 1_000_000_000n

/** Starts one for the test that runs; its market is at so many quarters of a point at a time (UTC ms). */
export const startDatabento = async (ticksAt: (symbol: string, at: number) => number): Promise<StandInDatabento> => {
  const made = await listenDatabento(ticksAt)
  onTestFinished(made.stop)
  return made
}

/** The same; the caller stops it. */
export const listenDatabento = async (ticksAt: (symbol: string, at: number) => number): Promise<StandInDatabento> => {
  const key = 'db-Key7f3a9c1e5b2d4f6a8c0e1b3d5f7'
  const asked: AskedOfDatabento[] = []
  let charged = 0

  const rowsOf = ({ symbol, schema, from, to }: AskedOfDatabento): string[] => {
    const rows: string[] = []
    const price = (ticks: number): string => String((BigInt(ticks) * nano) / 4n)
    for (let at = Math.ceil(from / 1000) * 1000; at < to; at += 1000) {
      const ticks = ticksAt(symbol, at)
      if (schema === 'trades') rows.push(`${String(at)}100000,${String(at)}000000,0,1,4711,T,B,0,${price(ticks)},2,0,1000,7`, `${String(at)}300000,${String(at)}000000,0,1,4711,T,A,0,${price(ticks - 1)},1,0,1000,8`, `${String(at)}300000,${String(at + 250)}000000,0,1,4711,T,A,0,${price(ticks + 1)},1,0,1000,8`)
      // Some seconds have no trade.
      else if ((at / 1000) % 3 !== 2 || ticksAt(symbol, at - 1000) !== ticks) rows.push(`${String(at)}000000,32,1,4711,${price(ticks)},${price(ticks + 1)},${price(ticks - 1)},${price(ticks)},9`)
    }
    return rows
  }

  const answer = (one: AskedOfDatabento, authorization: string, response: ServerResponse): void => {
    const fault = standIn.fault?.(one) ?? null
    const refuse = (status: number, why = 'refused'): void => void response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '7' } : {}) }).end(JSON.stringify({ detail: { case: why, message: `not this ${authorization}`, status_code: status } }))
    if (authorization !== `Basic ${Buffer.from(`${key}:`).toString('base64')}`) return refuse(401)
    if (typeof fault === 'number') return refuse(fault)
    if (fault !== null && typeof fault === 'object') return refuse(fault.status, fault.case)
    if (!standIn.symbols.has(one.symbol) || one.fields['dataset'] !== 'GLBX.MDP3' || one.fields['stype_in'] !== 'raw_symbol') return refuse(422, 'symbology_invalid_request')
    const cost = ((one.to - one.from) / 60_000) * standIn.perMinute
    if (one.call === 'cost') return void response.writeHead(200, { 'content-type': 'application/json' }).end(String(cost))
    charged += cost
    const header = one.schema === 'trades' ? 'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence' : 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume'
    const text = `${[header, ...rowsOf(one)].join('\n')}\n`
    response.writeHead(200, { 'content-type': 'text/csv' })
    if (fault === null) return void response.end(text)
    const half = text.slice(0, Math.floor(text.length / 2) + 7)
    if (fault === 'short') return void response.end(half)
    response.write(half)
    if (fault === 'cut') setTimeout(() => { response.destroy() }, 20)
    if (fault === 'slow') setTimeout(() => { response.end(text.slice(half.length)) }, 300)
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://databento')
      const fields = Object.fromEntries(request.method === 'POST' ? new URLSearchParams(Buffer.concat(parts).toString('utf8')) : url.searchParams)
      const call = url.pathname === '/v0/metadata.get_cost' ? 'cost' : url.pathname === '/v0/timeseries.get_range' ? 'range' : null
      if (call === null) throw new Error(`Databento was asked for ${url.pathname}`)
      const one: AskedOfDatabento = { call, symbol: fields['symbols'] ?? '', schema: fields['schema'] ?? '', from: Number(BigInt(fields['start'] ?? '0') / 1_000_000n), to: Number(BigInt(fields['end'] ?? '0') / 1_000_000n), fields }
      asked.push(one)
      answer(one, request.headers.authorization ?? '', response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: StandInDatabento = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v0`,
    key, asked, charged: () => charged, symbols: new Set(['NQH6', 'MESH6']), perMinute: 0.01, fault: null,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}
