import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Google account of the stand-in. */
export type GoogleAccount = { readonly sub: string; readonly email: string; readonly name: string; readonly emailVerified?: boolean }

/** What the stand-in does with the next users who come: signs one in, sends the user back with a refusal, or shows its page and waits. */
export type GoogleAnswer = { readonly kind: 'account'; readonly account: GoogleAccount } | { readonly kind: 'denied' } | { readonly kind: 'page' }

/** Google's page and its token endpoint, as far as a sign-in needs them. It holds its callers to the protocol. */
export type GoogleStandIn = {
  /** On `localhost`, so that to a page on 127.0.0.1 it is another site, as in life. */
  readonly url: string
  /** The settings by which the program signs in there. */
  readonly env: Readonly<Record<string, string>>
  /** What happens from now on; at first it is a page with the buttons 'Allow' and 'Deny', for `account`. */
  answer: GoogleAnswer
  /** Whom 'Allow' on the page signs in. */
  account: GoogleAccount
  /** Changes the token that is given for the next code, for tests of a provider gone wrong. */
  spoil: ((claims: Record<string, unknown>) => Record<string, unknown>) | null
  /** Opens the page as a browser whose user agrees or refuses at once; returns the callback address. */
  readonly visit: (page: string) => Promise<string>
  readonly stop: () => Promise<void>
}

const [clientId, clientSecret] = ['fillbook-desktop.apps.example', 'not-really-secret']
const nina: GoogleAccount = { sub: '1000200030004', email: 'nina.google@example.com', name: 'Nina Keller' }

type Code = { readonly challenge: string; readonly nonce: string; readonly redirectUri: string; readonly account: GoogleAccount }

/** Starts the stand-in on a free port; whoever starts it stops it. */
export const startGoogle = async (): Promise<GoogleStandIn> => {
  const codes = new Map<string, Code>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', standIn.url)
    if (url.pathname === '/authorize') {
      const wrong = wrongAuthorize(url.searchParams)
      if (wrong !== null) return void response.writeHead(400, { 'content-type': 'text/plain' }).end(wrong)
      const chosen = url.searchParams.get('chosen') ?? { account: 'allow', denied: 'deny', page: 'ask' }[standIn.answer.kind]
      if (chosen === 'ask') return void response.writeHead(200, { 'content-type': 'text/html' }).end(consentPage(url))
      response.writeHead(302, { location: backAt(url.searchParams, chosen === 'allow', standIn, codes) }).end()
    } else if (url.pathname === '/token' && request.method === 'POST') {
      void bodyOf(request).then((body) => {
        const claims = claimsFor(new URLSearchParams(body), codes, standIn.url)
        if (claims === null) return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
        const idToken = unsigned(standIn.spoil === null ? claims : standIn.spoil(claims))
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id_token: idToken, access_token: 'unused', token_type: 'Bearer', expires_in: 3_599 }))
      })
    } else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${String((server.address() as AddressInfo).port)}`
  const standIn: GoogleStandIn = {
    url,
    env: { FILLBOOK_GOOGLE_CLIENT_ID: clientId, FILLBOOK_GOOGLE_CLIENT_SECRET: clientSecret, FILLBOOK_GOOGLE_AUTHORIZE_URL: `${url}/authorize`, FILLBOOK_GOOGLE_TOKEN_URL: `${url}/token` },
    answer: { kind: 'page' },
    account: nina,
    spoil: null,
    visit: async (page) => {
      const answer = await fetch(page, { redirect: 'manual' })
      const back = answer.headers.get('location')
      if (back === null) throw new Error(`Google's stand-in sent nobody back: ${String(answer.status)} ${await answer.text()}`)
      return back
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return standIn
}

const wrongAuthorize = (query: URLSearchParams): string | null => {
  const wanted: Record<string, string> = { client_id: clientId, response_type: 'code', code_challenge_method: 'S256' }
  const wrong = Object.entries(wanted).find(([name, value]) => query.get(name) !== value)
  const missing = ['redirect_uri', 'state', 'nonce', 'code_challenge', 'scope'].find((name) => (query.get(name) ?? '') === '')
  if (wrong !== undefined || missing !== undefined) return `invalid_request: ${wrong?.[0] ?? missing ?? ''}`
  return new URL(query.get('redirect_uri') ?? '').hostname === '127.0.0.1' ? null : 'redirect_uri_mismatch'
}

const backAt = (query: URLSearchParams, allowed: boolean, { answer, account }: GoogleStandIn, codes: Map<string, Code>): string => {
  const redirectUri = query.get('redirect_uri') ?? ''
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  if (!allowed) {
    back.searchParams.set('error', 'access_denied')
    return back.href
  }
  const code = randomUUID()
  codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '', redirectUri, account: answer.kind === 'account' ? answer.account : account })
  back.searchParams.set('code', code)
  return back.href
}

/** Null where the caller does not show that it is who asked for the code. A code works once. */
const claimsFor = (body: URLSearchParams, codes: Map<string, Code>, issuer: string): Record<string, unknown> | null => {
  const code = codes.get(body.get('code') ?? '')
  codes.delete(body.get('code') ?? '')
  const proof = createHash('sha256').update(body.get('code_verifier') ?? '').digest('base64url')
  const isCaller = body.get('client_id') === clientId && body.get('client_secret') === clientSecret && body.get('grant_type') === 'authorization_code'
  if (code === undefined || !isCaller || proof !== code.challenge || body.get('redirect_uri') !== code.redirectUri) return null
  const { sub, email, name, emailVerified = true } = code.account
  const now = Math.floor(Date.now() / 1_000)
  return { iss: issuer, aud: clientId, sub, email, email_verified: emailVerified, name, nonce: code.nonce, iat: now, exp: now + 3_600 }
}

/** As the Auth emulator takes them: unsigned. */
const unsigned = (claims: Record<string, unknown>): string => [{ alg: 'none', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.'

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

const consentPage = (url: URL): string => {
  const to = (chosen: string): string => {
    const next = new URL(url)
    next.searchParams.set('chosen', chosen)
    return `${next.pathname}${next.search}`.replaceAll('&', '&amp;')
  }
  return `<!doctype html><html lang="en"><title>Google's stand-in</title><main><h1>Choose an account</h1><p><a href="${to('allow')}">Allow</a></p><p><a href="${to('deny')}">Deny</a></p></main></html>`
}
