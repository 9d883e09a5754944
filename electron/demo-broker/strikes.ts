import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bearerOf, empty, isJson, json, redirect, text, type Answer, type Call } from './answers.ts'
import type { Faults } from './faults.ts'
import type { Moves } from './moves.ts'
import { userOf, type Grants } from './oauth.ts'

/** How a fault ends a request that it does not answer: the line stays silent, or is cut. */
export type NoAnswer = 'silence' | 'cut'

/** The faults at work on requests and answers. */
export type Strikes = {
  /** Refuses a request before it is done; null where no fault strikes. */
  readonly before: (call: Call) => Answer | NoAnswer | null
  /** After how many milliseconds a request is done whose line is cut at once; null where no fault strikes. */
  readonly putOff: (call: Call) => number | null
  /** Spoils the answer to a request that was done. */
  readonly after: (call: Call, answer: Answer) => Answer | NoAnswer
}

const rowSchema = z.record(z.string(), z.unknown())
const rowsSchema = z.array(rowSchema)

type Parts = {
  readonly faults: Faults
  readonly grants: Grants
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
    grants.pushOutToken(token, fault.status)
    return empty(fault.status)
  }

  const killToken = (call: Call): Answer | null => {
    const token = bearerOf(call)
    if (token === null || faults.take('token-dead', call.path) === null) return null
    grants.killToken(token)
    return text(401, 'Access is denied')
  }

  const moved = (call: Call): Answer | null => {
    const target = moves.elsewhere({ host: call.host, path: call.path, userId: userOf(grants, bearerOf(call)) })
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
