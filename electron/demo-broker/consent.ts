import { z } from 'zod'
import { empty, page, redirect, type Answer, type Call } from './answers.ts'
import type { Grants } from './grants.ts'
import type { DemoLogin } from './world.ts'

/** Dependencies of the consent page. */
type ConsentDeps = {
  readonly grants: Grants
  readonly logins: readonly DemoLogin[]
  readonly clientId: string
  readonly redirectUris: readonly string[]
}

const COOKIE = 'demo_brokerage_login'

const requestSchema = z.object({ client_id: z.string(), redirect_uri: z.url(), state: z.string().optional() })
const decisionSchema = z.object({ decision: z.enum(['allow', 'deny']), login: z.string() })

/** `GET /oauth` shows the page, `POST /oauth` takes the decision and redirects back with `code` or `error=access_denied`. */
export const answerConsent = (deps: ConsentDeps, call: Call): Answer => {
  if (call.method !== 'GET' && call.method !== 'POST') return empty(404)
  const request = readRequest(deps, call)
  if (typeof request === 'string') return page(400, refusedPage(request))
  if (call.method === 'GET') return page(200, consentPage(request, deps.logins, call.query.has('another') || call.query.get('prompt') === 'login' ? null : rememberedLogin(deps, call)))

  const decision = decisionSchema.safeParse(call.body)
  const login = deps.logins.find(({ name }) => name === decision.data?.login)
  if (!decision.success || login === undefined) return page(400, refusedPage('Choose a login first.'))
  if (decision.data.decision === 'deny') return sendBack(request, { error: 'access_denied' })
  const code = deps.grants.giveCode({ clientId: request.clientId, redirectUri: request.redirectUri, userId: login.userId })
  return sendBack(request, { code }, { 'set-cookie': `${COOKIE}=${encodeURIComponent(login.name)}; Path=/oauth; HttpOnly; SameSite=Lax` })
}

const readRequest = (deps: ConsentDeps, call: Call): ConsentRequest | string => {
  const given = requestSchema.safeParse(call.method === 'GET' ? Object.fromEntries(call.query) : call.body)
  if (!given.success) return 'The request lacks client_id or redirect_uri.'
  if (call.method === 'GET' && call.query.get('response_type') !== 'code') return 'response_type must be code.'
  if (given.data.client_id !== deps.clientId) return 'The client_id is not registered.'
  const redirectUri = given.data.redirect_uri
  if (!isLoopback(redirectUri) && !deps.redirectUris.includes(redirectUri)) return 'The redirect_uri is not registered.'
  return { clientId: given.data.client_id, redirectUri, state: given.data.state ?? null }
}

const rememberedLogin = (deps: ConsentDeps, call: Call): DemoLogin | null => {
  const name = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(call.cookie)?.[1]
  return deps.logins.find((login) => login.name === name) ?? null
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

/** The application's authorization request, which the page carries through unchanged. */
type ConsentRequest = { readonly clientId: string; readonly redirectUri: string; readonly state: string | null }

const STYLE = `
:root { color-scheme: light dark; --back: #f3f5f8; --card: #fff; --ink: #16202e; --soft: #56657a; --line: #c9d2de; --act: #1d5fd1; --on-act: #fff }
@media (prefers-color-scheme: dark) { :root { --back: #10151d; --card: #19212d; --ink: #e8edf4; --soft: #9dabbe; --line: #36435a; --act: #7fb0ff; --on-act: #0b1a33 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(27rem, 100%); padding: 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
.mark { margin: 0 0 1rem; padding: .4rem .75rem; border: 1px dashed var(--line); border-radius: .4rem; color: var(--soft); font-size: .875rem }
h1 { margin: 0 0 .5rem; font-size: 1.3rem; line-height: 1.3 }
p { margin: 0 0 1rem }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0 }
legend { padding: 0; margin-bottom: .5rem; font-weight: 600 }
label { display: flex; gap: .75rem; align-items: start; padding: .7rem .8rem; margin-bottom: .5rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
label:has(:checked) { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act) }
input { margin: .3rem 0 0; accent-color: var(--act) }
small { display: block; color: var(--soft) }
.buttons { display: flex; gap: .75rem; flex-direction: row-reverse }
button { flex: 1; padding: .65rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button[value=allow] { background: var(--act); border-color: var(--act); color: var(--on-act) }
:is(a, button, input):focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
a { color: var(--act) }
.other { margin: 1rem 0 0; text-align: center }
`

/** The page on which a user chooses a login and allows or denies; shows only the remembered login until the user wants another. */
const consentPage = (request: ConsentRequest, logins: readonly DemoLogin[], remembered: DemoLogin | null): string =>
  shell('Connect an application', `
<h1>${escape(request.clientId)} would like to read your accounts</h1>
<p>It will see balances, orders and fills. It cannot see your password.</p>
<form method="post" action="/oauth">
${hidden('client_id', request.clientId)}${hidden('redirect_uri', request.redirectUri)}${request.state === null ? '' : hidden('state', request.state)}
<fieldset><legend>${remembered === null ? 'Choose a login' : 'You are logged in as'}</legend>
${(remembered === null ? logins : [remembered]).map(choice).join('\n')}
</fieldset>
<div class="buttons"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form>
${remembered === null ? '' : `<p class="other"><a href="${escape(otherLoginUrl(request))}">Use another login</a></p>`}`)

/** The page for a request without a valid redirect URI. */
const refusedPage = (reason: string): string =>
  shell('Cannot connect', `<h1>This application cannot be connected</h1><p>${escape(reason)}</p>`)

const choice = (login: DemoLogin, index: number): string => `
<label><input type="radio" name="login" value="${escape(login.name)}"${index === 0 ? ' checked' : ''} required>
<span>${escape(login.name)}<small>${login.accounts.map(({ name, environment }) => `${escape(name)} (${environment})`).join('<br>')}</small></span></label>`

const otherLoginUrl = ({ clientId, redirectUri, state }: ConsentRequest): string =>
  `/oauth?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, ...(state === null ? {} : { state }), another: '1' })}`

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${escape(value)}">`

const shell = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – demo brokerage</title><style>${STYLE}</style></head>
<body><main><p class="mark">Demo brokerage: invented accounts, no real money.</p>${content}</main></body></html>`

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
