import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bearerOf, empty, isJson, json, redirect, text, type Answer, type Call } from '#demo-broker/answers.ts'
import { userOf, type Grants } from '#demo-broker/grants.ts'
import type { NoAnswer } from '#demo-broker/hooks.ts'
import { clientOf, INVALID_TOKEN, WRONG_CLIENT } from '#demo-broker/oauth.ts'
import type { Login } from '#demo-broker/world.ts'
import { purposes, type Fault, type Faults, type Purpose } from './faults.ts'
import { strikeGrants } from './grant-faults.ts'

/** The faults at work on requests and answers. */
export type Strikes = {
  /** Refuses a request before it is done; null where no fault strikes. */
  readonly before: (call: Call) => Answer | NoAnswer | null
  /** After how many milliseconds a request is executed whose connection is cut at once; null without a fault. */
  readonly putOff: (call: Call) => number | null
  /** Spoils the answer to a request that was done. */
  readonly after: (call: Call, answer: Answer) => Answer | NoAnswer
}

const rowSchema = z.record(z.string(), z.unknown())
const rowsSchema = z.array(rowSchema)

type Parts = {
  readonly faults: Faults
  readonly grants: () => Pick<Grants, 'standing' | 'inside'>
  readonly moves: Moves
  readonly wallNow: () => number
  /** The account that a call's body is about, or null where it names none. */
  readonly accountOf: (body: Call['body']) => number | null
}

/** Lets the faults that are set strike calls of the API and the token exchange. */
export const createStrikes = ({ faults, grants, moves, wallNow, accountOf }: Parts): Strikes => {
  const tickets = new Map<string, number>()

  const penalty = (call: Call): Answer | null => {
    const held = String(call.body['p-ticket'] ?? '')
    const until = tickets.get(held)
    if (until !== undefined) {
      const left = until - wallNow()
      if (left > 0) return json({ 'p-ticket': held, 'p-time': Math.ceil(left / 1000) })
      tickets.delete(held)
      return null
    }
    const fault = faults.take('penalty', call.path, accountOf(call.body))
    if (fault === null) return null
    const ticket = randomUUID()
    tickets.set(ticket, wallNow() + fault.seconds * 1000)
    return json({ 'p-ticket': ticket, 'p-time': fault.seconds })
  }

  // Calls without a bearer token, as the token exchange, have no session that could end: the next two pass them by.
  const pushOut = (call: Call): Answer | null => {
    const token = bearerOf(call)
    const fault = token === null ? null : faults.take('pushed-out', call.path)
    if (token === null || fault === null) return null
    strikeGrants(grants().inside).pushOutToken(token, fault.status)
    return empty(fault.status)
  }

  const killToken = (call: Call): Answer | null => {
    const token = bearerOf(call)
    if (token === null || faults.take('token-dead', call.path) === null) return null
    strikeGrants(grants().inside).killToken(token)
    return text(401, 'Access is denied')
  }

  const moved = (call: Call): Answer | null => {
    const target = moves.elsewhere({ host: call.host, path: call.path, userId: userOf(grants(), bearerOf(call)) })
    if (target === null) return null
    // A reporting host says nothing of where the organization went.
    if (call.path.endsWith('/reports/requestReport')) return empty(404)
    const query = call.query.size === 0 ? '' : `?${call.query}`
    return redirect(307, `http://${target}${call.path}${query}`)
  }

  return {
    before: (call) => {
      const account = accountOf(call.body)
      const struck = (kind: Parameters<Faults['take']>[0]) => faults.take(kind, call.path, account) !== null
      if (struck('never-answers')) return 'silence'
      if (struck('lost-request')) return 'cut'
      if (struck('html')) return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: MAINTENANCE }
      const broken = faults.take('server-error', call.path, account)
      if (broken !== null) return empty(broken.status)
      if (struck('rate-limited')) return empty(429)
      if (struck('captcha')) return json({ 'p-ticket': randomUUID(), 'p-time': 3600, 'p-captcha': true })
      if (struck('permission-missing')) return empty(401)
      const refused = moved(call) ?? penalty(call) ?? killToken(call) ?? pushOut(call)
      if (refused !== null) return refused
      const failed = faults.take('error-text', call.path, account)
      return failed === null ? null : json({ errorText: failed.text })
    },
    putOff: (call) => faults.take('late-acceptance', call.path, accountOf(call.body))?.ms ?? null,
    after: (call, answer) => {
      const spoilt = isJson(answer) && faults.active().length > 0 ? spoil(faults, call, answer) : answer
      return faults.take('lost-answer', call.path, accountOf(call.body)) === null ? spoilt : 'cut'
    },
  }
}

/** What the brokerage says to a call about logging in or to a report, where no fault strikes it. */
export const answerOfDesk = ({ faults, grants, moves, client }: Pick<Parts, 'faults' | 'grants' | 'moves'> & { readonly client: { readonly id: string; readonly secret: string } }) =>
  async (call: Call, answer: () => Promise<Answer>): Promise<Answer> => {
    const desk = call.below.replace(/^\/v1(?=\/)/, '')
    if (desk === '/rpt/v1/reports/requestReport') return reportAnswer(faults, call, userOf(grants(), bearerOf(call)) !== null, answer)
    if (desk === '/auth/oauthtoken' && call.method === 'POST' && call.environment === 'live' && typeof call.body['grant_type'] === 'string') {
      if (faults.take('wrong-client', call.path) !== null) return WRONG_CLIENT
      const { client_id: id, client_secret: secret } = clientOf(call)
      if (call.body['grant_type'] === 'refresh_token' && id === client.id && secret === client.secret && faults.take('refuse-refresh', call.path) !== null) return INVALID_TOKEN
    }
    const given = await answer()
    if (!/^\/auth\/(?:oauthtoken|renewaccesstoken)$/.test(desk) || !isJson(given)) return given
    const tokens = rowSchema.parse(JSON.parse(String(given.body)))
    const userId = userOf(grants(), String(tokens['access_token'] ?? tokens['accessToken']))
    return userId === null ? given : json({ ...tokens, ...moves.named(userId) })
  }

const reportSchema = z.object({ name: z.string(), params: z.array(z.object({ name: z.string(), value: z.string() })) })

const reportAnswer = async (faults: Faults, call: Call, isKnown: boolean, answer: () => Promise<Answer>): Promise<Answer> => {
  const report = reportSchema.safeParse(call.json).data
  const refused = faults.active().some((fault) => fault.kind === 'report-refused' && fault.name === report?.name)
  if (refused && isKnown && call.method === 'POST') return text(401, 'Access is denied')
  const given = await answer()
  const shortened = faults.active().find((fault) => fault.kind === 'report-days')
  if (shortened === undefined || report === undefined || !isJson(given) || !('data' in JSON.parse(String(given.body)))) return given
  const day = (wanted: string): number => {
    const [month = 0, date = 0, year = 0] = (report.params.find(({ name }) => name === wanted)?.value ?? '').split('/').map(Number)
    return Date.UTC(year, month - 1, date) / 86_400_000
  }
  return day('endDate') - day('startDate') > shortened.days ? json({ errorText: 'Too long range' }) : given
}

const MAINTENANCE = '<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>'

const spoil = (faults: Faults, call: Call, answer: Answer): Answer => {
  const whole = String(answer.body)
  const value: unknown = JSON.parse(whole)
  const struck = (kind: Parameters<Faults['take']>[0]) => faults.take(kind, call.path) !== null
  if (struck('truncated-json')) return { ...answer, body: whole.slice(0, Math.ceil(whole.length * 0.6)) }
  const rows = rowsSchema.safeParse(value)
  if (!rows.success) {
    const gone = rowSchema.safeParse(value)
    if (gone.success && isMissing(gone.data, faults.take('missing-rows', call.path))) return empty(404)
    return struck('unknown-fields') ? json(withNews(value)) : answer
  }
  let kept = rows.data
  if (struck('empty-list')) kept = []
  if (call.below.endsWith('/account/list') && !call.query.has('userId') && struck('accounts-need-user-id')) kept = []
  if (call.below.endsWith('/items') && struck('shorter-items')) kept = kept.slice(1)
  const malformed = kept.length > 0 ? faults.take('malformed-row', call.path) : null
  if (malformed !== null) kept = withoutField(kept, malformed.field)
  const missing = faults.take('missing-rows', call.path)
  if (missing !== null) kept = kept.slice(0, Math.max(0, kept.length - (missing.last ?? 0))).filter((row) => !isMissing(row, missing))
  const changed = faults.take('changed-rows', call.path)
  if (changed !== null) kept = kept.map((row) => (isNamed(row, changed.ids ?? null) ? withChanges(row, changed.set) : row))
  if (struck('unknown-fields')) kept = kept.map(withNews)
  return json(kept)
}

type Row = Record<string, unknown>

const isNamed = ({ id }: Row, ids: readonly number[] | null): boolean => ids === null || ids.includes(Number(id))

const isMissing = (row: Row, fault: { readonly ids?: readonly number[] | undefined } | null): boolean => fault?.ids !== undefined && isNamed(row, fault.ids)

const withChanges = (row: Row, set: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(Object.entries({ ...row, ...set }).filter(([, value]) => value !== null))

const withNews = <T>(value: T): T =>
  typeof value === 'object' && value !== null ? { ...value, settlementVenue: 'north', auditTrail: { version: 3, tags: ['a'] } } : value

const withoutField = (rows: readonly Record<string, unknown>[], field: string): Record<string, unknown>[] => {
  const unlucky = Math.floor(rows.length / 2)
  return rows.map((row, index) => (index === unlucky ? Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)) : row))
}

/** Hosts by purpose, `{ demo: '127.0.0.1:4011' }`; others stay unchanged. */
type OwnHosts = Readonly<Partial<Record<Purpose, string>>>

/** What is known of a caller at the moment: the login of its token, null without one. */
export type Caller = { readonly host: string; readonly path: string; readonly userId: number | null }

/** The organizations that moved to hosts of their own. */
export type Moves = {
  /** Where a caller is to go instead, `127.0.0.1:4011`; null where it is right. */
  readonly elsewhere: (caller: Caller) => string | null
  /** What the brokerage says with tokens. Nothing before the move, since the next start has other ports. */
  readonly named: (userId: number) => { readonly apiHosts?: OwnHosts }
}

type MoveParts = { readonly faults: Faults; readonly logins: () => readonly Login[]; readonly port: () => number }

/** Follows the fault `moved-host`. */
export const createMoves = ({ faults, logins, port }: MoveParts): Moves => {
  const hostsOf = ({ hosts }: Extract<Fault, { kind: 'moved-host' }>): OwnHosts => hosts ?? Object.fromEntries(purposes.map((purpose) => [purpose, `localhost:${port()}`]))

  const concerns = (userId: number | null) => ({ organization, login }: { readonly organization?: string | undefined; readonly login?: string | undefined }): boolean => {
    if (organization === undefined && login === undefined) return true
    const whose = logins().find((each) => each.userId === userId)
    return whose !== undefined && (organization === undefined || whose.organization === organization) && (login === undefined || whose.name === login)
  }

  const moveOf = (userId: number) => faults.active().find((fault) => fault.kind === 'moved-host' && concerns(userId)(fault))

  return {
    elsewhere: ({ host, path, userId }) => {
      const served = purposesOf(path)
      const right = (own: OwnHosts): string[] => served.flatMap((purpose) => own[purpose] ?? [])
      // Where nothing is named for it, the usual host stays right.
      const isLeft = (fault: Extract<Fault, { kind: 'moved-host' }>): boolean => concerns(userId)(fault) && right(hostsOf(fault)).length > 0 && !right(hostsOf(fault)).includes(host)
      const left = faults.take('moved-host', path, null, isLeft)
      if (left !== null) return right(hostsOf(left))[0] ?? null
      const move = userId === null ? undefined : moveOf(userId)
      const isOwn = move?.kind === 'moved-host' && right(hostsOf(move)).includes(host)
      const isUsual = host.endsWith(`:${port()}`)
      return isOwn || isUsual || userId === null ? null : `127.0.0.1:${port()}`
    },
    named: (userId) => {
      const move = moveOf(userId)
      return move?.kind === 'moved-host' ? { apiHosts: hostsOf(move) } : {}
    },
  }
}

/** Prices of both environments share one path. */
const purposesOf = (path: string): readonly Purpose[] => {
  const [, side, reports] = /^\/(live|demo|md)\/(rpt\/)?/.exec(path) ?? []
  if (side === 'md') return ['mdLive', 'mdDemo']
  if (side === 'live') return [reports === undefined ? 'live' : 'reportingLive']
  return side === 'demo' ? [reports === undefined ? 'demo' : 'reportingDemo'] : []
}
