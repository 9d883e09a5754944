import { z } from 'zod'
import { empty, page, redirect, type Answer, type Call } from './answers.ts'
import type { DemoLogin } from './world.ts'
import { consentPage, refusedPage, type ConsentRequest } from './consent-page.ts'
import type { Grants } from './grants.ts'

/** What the consent page needs of the brokerage. */
export type ConsentDesk = {
  readonly grants: Grants
  readonly logins: readonly DemoLogin[]
  readonly clientId: string
  readonly redirectUris: readonly string[]
}

const COOKIE = 'demo_brokerage_login'

const requestSchema = z.object({ client_id: z.string(), redirect_uri: z.url(), state: z.string().optional() })
const decisionSchema = z.object({ decision: z.enum(['allow', 'deny']), login: z.string() })

/** `GET /oauth` shows the page, `POST /oauth` takes the decision and sends the browser back with `code` or `error=access_denied`. */
export const answerConsent = (desk: ConsentDesk, call: Call): Answer => {
  if (call.method !== 'GET' && call.method !== 'POST') return empty(404)
  const request = readRequest(desk, call)
  if (typeof request === 'string') return page(400, refusedPage(request))
  if (call.method === 'GET') return page(200, consentPage(request, desk.logins, call.query.has('another') || call.query.get('prompt') === 'login' ? null : rememberedLogin(desk, call)))

  const decision = decisionSchema.safeParse(call.body)
  const login = desk.logins.find(({ name }) => name === decision.data?.login)
  if (!decision.success || login === undefined) return page(400, refusedPage('Choose a login first.'))
  if (decision.data.decision === 'deny') return sendBack(request, { error: 'access_denied' })
  const code = desk.grants.giveCode({ clientId: request.clientId, redirectUri: request.redirectUri, userId: login.userId })
  return sendBack(request, { code }, { 'set-cookie': `${COOKIE}=${encodeURIComponent(login.name)}; Path=/oauth; HttpOnly; SameSite=Lax` })
}

const readRequest = (desk: ConsentDesk, call: Call): ConsentRequest | string => {
  const given = requestSchema.safeParse(call.method === 'GET' ? Object.fromEntries(call.query) : call.body)
  if (!given.success) return 'The request lacks client_id or redirect_uri.'
  if (call.method === 'GET' && call.query.get('response_type') !== 'code') return 'response_type must be code.'
  if (given.data.client_id !== desk.clientId) return 'The client_id is not registered.'
  const redirectUri = given.data.redirect_uri
  if (!isLoopback(redirectUri) && !desk.redirectUris.includes(redirectUri)) return 'The redirect_uri is not registered.'
  return { clientId: given.data.client_id, redirectUri, state: given.data.state ?? null }
}

const rememberedLogin = (desk: ConsentDesk, call: Call): DemoLogin | null => {
  const name = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(call.cookie)?.[1]
  return desk.logins.find((login) => login.name === name) ?? null
}

const sendBack = (request: ConsentRequest, outcome: Record<string, string>, headers: Record<string, string> = {}): Answer => {
  const back = new URL(request.redirectUri)
  for (const [name, value] of Object.entries(outcome)) back.searchParams.set(name, value)
  if (request.state !== null) back.searchParams.set('state', request.state)
  return redirect(303, back.href, headers)
}

const isLoopback = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}
