import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportText } from './reports.ts'
import { masters, rowsOf, snapshotOf, type Row } from './rows.ts'
import type { Host, World } from './world.ts'

/** More ids than this in one question are answered with 404. */
const mostIds = 10

/** A broker over HTTP that knows nothing of who asks: each login has a world of its own, named by its code. */
export type Broker = {
  readonly url: string
  /** Lets a login be connected with the code `code-<key>`. */
  readonly open: (world: World) => void
  readonly close: (world: World) => void
  /** How many questions a world was asked. */
  readonly asked: (world: World) => number
  readonly stop: () => Promise<void>
}

type Answer = { readonly status: number; readonly body: string } | 'cut'

const json = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value) })
const nothing = (status: number): Answer => ({ status, body: '' })

/** Answers entity calls, the snapshot and the token calls. */
export const startBroker = async (): Promise<Broker> => {
  const worlds = new Map<string, World>()
  const questions = new Map<string, number>()

  const answer = (request: IncomingMessage, body: string): Answer => {
    const url = new URL(request.url ?? '/', 'http://broker')
    if (/^(\/v1|\/live\/v1)?\/auth\/oauthtoken$/.test(url.pathname)) return tokensOf(worlds, body)
    const world = worlds.get(/^Bearer tok-(.+)-\d+$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
    if (world === undefined) return { status: 401, body: 'Access is denied' }
    questions.set(world.key, (questions.get(world.key) ?? 0) + 1)
    const [, service = '', path = ''] = /^\/([a-z-]+)\/v1(\/.*)$/.exec(url.pathname) ?? []
    const good = service.startsWith('rpt-') ? reportOf(world, body) : entityOf(world, service === 'live' ? 'live' : 'demo', path, url.searchParams, body)
    return disturbed(world, path, good)
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => { send(response, answer(request, Buffer.concat(parts).toString('utf8'))) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    open: (world) => void worlds.set(world.key, world),
    close: ({ key }) => void worlds.delete(key),
    asked: ({ key }) => questions.get(key) ?? 0,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const send = (response: ServerResponse, answer: Answer): void => {
  if (answer === 'cut') response.destroy()
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
}

/** The enemy's fault for a call in this turn; the parts of a path are matched whole. */
const disturbed = (world: World, path: string, good: Answer): Answer => {
  const fault = world.faults.find((each) => each.times > 0 && path.endsWith(each.path))
  if (fault === undefined || good === 'cut') return good
  fault.times -= 1
  switch (fault.kind) {
    case 'error':
      return nothing(500)
    case 'cut':
      return 'cut'
    case 'half':
      return { status: good.status, body: good.body.slice(0, Math.ceil(good.body.length / 2)) }
    case 'denied':
      return { status: 401, body: 'Access is denied' }
  }
}

let grants = 0

const tokensOf = (worlds: ReadonlyMap<string, World>, body: string): Answer => {
  const fields = body.startsWith('{') ? new Map(Object.entries(JSON.parse(body) as Record<string, string>)) : new Map(new URLSearchParams(body))
  const [, key = ''] = (fields.get('grant_type') === 'refresh_token' ? /^ref-(.+)-\d+$/.exec(fields.get('refresh_token') ?? '') : /^code-(.+)$/.exec(fields.get('code') ?? '')) ?? []
  if (fields.get('client_secret') !== 'enemy-secret' || !worlds.has(key)) return json({ error: 'invalid_client', error_description: 'client_id, redirect_uri and client_secret do not match existing setup' })
  grants += 1
  return json({ access_token: `tok-${key}-${String(grants)}`, token_type: 'bearer', expires_in: 4_800, refresh_token: `ref-${key}-${String(grants)}`, refresh_token_expires_in: 93_600_000 })
}

const shuffledRows = (rows: readonly Row[]): readonly Row[] => rows.toSorted((one, other) => ((one.id * 7_919) % 1_009) - ((other.id * 7_919) % 1_009))

const entityOf = (world: World, host: Host, path: string, query: URLSearchParams, body: string): Answer => {
  if (path === '/auth/renewaccesstoken') return json({ accessToken: `tok-${world.key}-${String((grants += 1))}`, expirationTime: new Date(world.now + 4_800_000).toISOString() })
  if (path === '/auth/me') return json({ userId: world.userId, name: world.key })
  if (path === '/cashBalance/getcashbalancesnapshot') return json(snapshotOf(world, Number((JSON.parse(body) as { accountId: number }).accountId)))
  const [, entity = '', operation = ''] = path.split('/')
  const all = rowsOf(world, host, entity)
  if (all === null) return nothing(404)
  const ids = (name: string): number[] => (query.get(name) ?? '').split(',').map(Number)
  const rows = world.shuffled ? shuffledRows(all) : all
  switch (operation) {
    case 'list':
      return json(rows)
    case 'items':
      return ids('ids').length > mostIds ? nothing(404) : json(rows.filter(({ id }) => ids('ids').includes(id)))
    case 'item': {
      const row = rows.find(({ id }) => id === ids('id')[0])
      return row === undefined ? nothing(404) : json(row)
    }
    case 'deps':
    case 'ldeps': {
      const of = ids(operation === 'deps' ? 'masterid' : 'masterids')
      const field = masters[entity]
      return field === undefined || of.length > mostIds ? nothing(404) : json(rows.filter((row) => of.includes(Number(row[field]))))
    }
    default:
      return nothing(404)
  }
}

type ReportQuestion = { readonly name: string; readonly params: readonly { readonly name: string; readonly value: string }[] }

const reportOf = (world: World, body: string): Answer => {
  if (world.reports === 'down') return nothing(500)
  if (world.reports === 'denied') return { status: 401, body: 'Access is denied' }
  const { name, params } = JSON.parse(body) as ReportQuestion
  const given = (wanted: string): string => params.find((param) => param.name === wanted)?.value ?? ''
  const day = (wanted: string): string => {
    const [month = '', date = '', year = ''] = given(wanted).split('/')
    return `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  }
  const account = world.accounts.find((each) => each.name === given('account'))
  if (account === undefined) return json({ errorText: 'Account not found' })
  const [from, to] = [day('startDate'), day('endDate')]
  if (Date.parse(to) - Date.parse(from) > 63 * 86_400_000) return json({ errorText: 'Too long range' })
  const text = reportText(world, name, { account, from, to })
  return text === null ? json({ errorText: 'Report not found' }) : json({ data: text })
}
