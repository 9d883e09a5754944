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
