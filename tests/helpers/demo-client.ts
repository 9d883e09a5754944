import { z } from 'zod'
import type { Environment } from '#demo-broker/world.ts'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'

/** The redirect URI of the test's application. */
export const REDIRECT_URI = 'http://127.0.0.1:5055/oauth/callback'

const tokensSchema = z.object({
  access_token: z.string(), refresh_token: z.string().optional(), expires_in: z.number(), token_type: z.literal('bearer'),
})
const rowsSchema = z.array(z.looseObject({ id: z.number() }))

/** Tokens as the stand-in hands them out. */
export type Tokens = z.infer<typeof tokensSchema>

/** One row of an answered list. */
export type WireRow = z.infer<typeof rowsSchema>[number]

/** Fields of a token request with the application's own id and secret. */
export const tokenFields = (broker: TestBroker, fields: Record<string, string>): URLSearchParams =>
  new URLSearchParams({ client_id: broker.clientId, client_secret: broker.clientSecret, redirect_uri: REDIRECT_URI, ...fields })

/** Asks for tokens with a form; the raw answer. */
export const askTokens = (broker: TestBroker, fields: Record<string, string>): Promise<Response> =>
  fetch(broker.origins.tokenUrls[0], { method: 'POST', body: tokenFields(broker, fields) })

/** A fresh code from the consent page. */
export const codeFor = async (broker: TestBroker, login: string): Promise<string> => {
  const back = await giveConsent({
    consentUrl: broker.origins.consentUrl, clientId: broker.clientId, redirectUri: REDIRECT_URI, state: 'state-1', login, decision: 'allow',
  })
  return back.searchParams.get('code') ?? ''
}

/** Logs in by consent and code exchange. */
export const logIn = async (broker: TestBroker, login: string): Promise<Tokens> => {
  const answer = await askTokens(broker, { grant_type: 'authorization_code', code: await codeFor(broker, login) })
  return tokensSchema.parse(await answer.json())
}

/** Swaps a refresh token. */
export const refreshTokens = async (broker: TestBroker, refreshToken: string): Promise<Tokens> =>
  tokensSchema.parse(await (await askTokens(broker, { grant_type: 'refresh_token', refresh_token: refreshToken })).json())

/** Calls `/v1<path>` of a host with a token; the raw answer, redirects not followed. */
export const call = (broker: TestBroker, environment: Environment, token: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${environment === 'live' ? broker.origins.liveApi : broker.origins.demoApi}${path}`, {
    redirect: 'manual', ...init, headers: { authorization: `Bearer ${token}`, ...init.headers },
  })

/** Calls a path that answers rows. */
export const rowsOf = async (broker: TestBroker, environment: Environment, token: string, path: string): Promise<WireRow[]> =>
  rowsSchema.parse(await (await call(broker, environment, token, path)).json())
