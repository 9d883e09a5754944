import { browserKeyHeader } from '#shared/api/session.ts'
import type { AnswerOf, BodyGiven, Route } from '#shared/api/route.ts'

/** Calls the running program like a browser, with the session that the launch URL opens. */
export type ApiClient = <R extends Route>(route: R, ...given: undefined extends BodyGiven<R> ? [] : [body: BodyGiven<R>]) => Promise<AnswerOf<R>>

/** Opens the launch URL and keeps its cookie and key; a failed call throws with its code. */
export const openApi = async (launchUrl: string): Promise<ApiClient> => {
  const { origin } = new URL(launchUrl)
  const entered = await fetch(launchUrl, { redirect: 'manual' })
  await entered.arrayBuffer()
  const secrets = { cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '', [browserKeyHeader]: entered.headers.get(browserKeyHeader) ?? '' }
  return async (route, ...[body]) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(new URL(route.path, origin), { method: route.method, headers: { ...secrets, origin, 'content-type': 'application/json' }, ...sent })
    if (!answer.ok) throw new Error(`${route.path} answered ${String(answer.status)}: ${await answer.text()}`)
    return (await answer.json()) as never
  }
}

/** A served consent page: its form's action, its hidden fields, and the logins that it offers. */
type ConsentForm = { readonly action: URL; readonly hidden: URLSearchParams; readonly logins: readonly string[] }

/** The logins that the consent page at this URL offers. */
export const loginsOffered = async (consentUrl: string): Promise<readonly string[]> => (await openForm(consentUrl)).logins

/** Submits the consent page like its user, and follows the redirects back to the program; returns the code and the state that arrive there. */
export const allow = async (consentUrl: string, login: string): Promise<{ readonly code: string; readonly state: string }> => {
  const { action, hidden } = await openForm(consentUrl)
  const decided = await fetch(action, { method: 'POST', redirect: 'manual', body: new URLSearchParams([...hidden, ['login', login], ['decision', 'allow']]) })
  const returned = await fetch(placeAfter(decided), { redirect: 'manual' })
  const query = new URLSearchParams(placeAfter(returned).hash.split('?')[1])
  const [code, state] = [query.get('code'), query.get('state')]
  if (code === null || state === null) throw new Error(`The consent for ${login} brought no code.`)
  return { code, state }
}

const openForm = async (consentUrl: string): Promise<ConsentForm> => {
  const url = new URL(consentUrl)
  // Otherwise the page would offer only the login that it remembers.
  url.searchParams.set('another', '1')
  const answer = await fetch(url)
  const page = await answer.text()
  if (!answer.ok) throw new Error(`The consent page answered ${String(answer.status)}.`)
  const inputs = [...page.matchAll(/<input type="(hidden|radio)" name="([^"]*)" value="([^"]*)"/g)]
  return {
    action: new URL(/<form [^>]*action="([^"]*)"/.exec(page)?.[1] ?? '', url),
    hidden: new URLSearchParams(inputs.filter(([, type]) => type === 'hidden').map(([, , name = '', value = '']): [string, string] => [name, plain(value)])),
    logins: inputs.filter(([, type, name]) => type === 'radio' && name === 'login').map(([, , , value = '']) => plain(value)),
  }
}

const placeAfter = (answer: Response): URL => {
  const place = answer.headers.get('location')
  if (place === null) throw new Error(`Expected to be sent on, but the answer was ${String(answer.status)}.`)
  return new URL(place, answer.url)
}

const plain = (attribute: string): string => attribute.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
