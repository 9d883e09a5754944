import { z } from 'zod'
import { bearerOf, empty, json, text, type Answer, type Call } from './answers.ts'
import type { Granted, Grants } from './grants.ts'
import type { Hooks } from './hooks.ts'
import type { World } from './world.ts'

/** Dependencies of the login calls. */
export type Counter = {
  readonly world: World
  readonly grants: Grants
  readonly hooks: Pick<Hooks, 'issue'>
  readonly clientId: string
  readonly clientSecret: string
  readonly wallNow: () => number
}

const tokenRequestSchema = z.object({
  grant_type: z.string(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  refresh_token: z.string().optional(),
})
type TokenRequest = z.infer<typeof tokenRequestSchema>

/** `POST /auth/oauthtoken`, form or JSON: business errors are HTTP 200 with `error`, and only the live host accepts the client. */
export const answerToken = (counter: Counter, call: Call): Answer => {
  if (call.method !== 'POST') return empty(404)
  if (call.environment !== 'live') return text(200, 'Wrong client_id')
  const request = tokenRequestSchema.safeParse({ ...call.body, ...clientOf(call) })
  if (!request.success) return refusal('invalid_request', 'grant_type is missing')
  if (request.data.client_id !== counter.clientId || request.data.client_secret !== counter.clientSecret) return WRONG_CLIENT
  switch (request.data.grant_type) {
    case 'authorization_code':
      return exchange(counter, call, request.data)
    case 'refresh_token':
      return refresh(counter, call, request.data)
    default:
      return refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
}

/** `renewaccesstoken`, by any method and on either host: a new access token in the same session. */
export const answerRenew = (counter: Counter, call: Call): Answer => {
  const granted = counter.grants.renew(bearerOf(call) ?? '', counter.hooks.issue(call, true).seconds)
  if (granted === null) return text(401, 'Access is denied')
  const login = counter.world.logins.find(({ userId }) => userId === granted.userId)
  return json({
    accessToken: granted.accessToken,
    expirationTime: new Date(counter.wallNow() + granted.expiresIn * 1000).toISOString(),
    userStatus: 'Active',
    userId: granted.userId,
    name: login?.name,
    hasLive: counter.world.accounts.some((each) => each.traderId === granted.userId && each.environment === 'live'),
    outdatedTaC: false,
    hasFunded: false,
    hasMarketData: false,
    orgName: login?.organization ?? '',
  })
}

/** `auth/me`, which only the live host answers. */
export const answerMe = (counter: Counter, call: Call, userId: number): Answer => {
  if (call.environment !== 'live') return json({ errorText: 'This endpoint should be called on live.tradovateapi.com' })
  const login = counter.world.logins.find((each) => each.userId === userId)
  if (login === undefined) return empty(404)
  return json({
    userId, name: login.name, fullName: login.fullName, email: login.email, emailVerified: true, isTrial: false,
    ...(login.organization === null ? {} : { organizationName: login.organization }),
    currentMDSubs: [], currentBalance: 0, activePlugins: [],
  })
}

const exchange = (counter: Counter, call: Call, { code, redirect_uri: redirectUri, client_id: clientId }: TokenRequest): Answer => {
  const granted = counter.grants.exchange(code ?? '', clientId ?? '', redirectUri ?? '', counter.hooks.issue(call, false))
  return granted === null ? refusal('invalid_grant', 'The code is unknown, used or expired, or redirect_uri differs') : tokens(granted)
}

const refresh = (counter: Counter, call: Call, { refresh_token: token }: TokenRequest): Answer => {
  const granted = counter.grants.refresh(token ?? '', counter.hooks.issue(call, false))
  return granted === null ? INVALID_TOKEN : tokens(granted)
}

const tokens = (granted: Granted): Answer =>
  json({
    access_token: granted.accessToken,
    token_type: 'bearer',
    expires_in: granted.expiresIn,
    ...(granted.refreshToken === null ? {} : { refresh_token: granted.refreshToken, refresh_token_expires_in: granted.refreshExpiresIn }),
  })

const refusal = (error: string, description: string): Answer => json({ error, error_description: description })
/** The answer to an unregistered client. */
export const WRONG_CLIENT = refusal('invalid_client', 'client_id, redirect_uri and client_secret do not match existing setup')
/** The answer to an invalid refresh token. */
export const INVALID_TOKEN = refusal('invalid_token', 'The refresh token is not valid')

/** The client credentials of a token request, from its body or Basic authorization. */
export const clientOf = (call: Call): { readonly client_id?: unknown; readonly client_secret?: unknown } => {
  const encoded = /^Basic (\S+)$/i.exec(call.authorization ?? '')?.[1]
  if (encoded === undefined) return call.body
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret.join(':')) }
}
