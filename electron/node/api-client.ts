import type { AnswerOf, BodyGiven, Route } from '#shared/api/route.ts'

/** Calls the running program as a browser would, with the session that the launch address opens. */
export type ApiClient = <R extends Route>(route: R, ...given: undefined extends BodyGiven<R> ? [] : [body: BodyGiven<R>]) => Promise<AnswerOf<R>>

/** Opens the launch address and keeps its cookie; a call that fails throws with its code. */
export const openApi = async (launchUrl: string): Promise<ApiClient> => {
  const entered = await fetch(launchUrl, { redirect: 'manual' })
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ')
  return async (route, ...[body]) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(new URL(route.path, launchUrl), { method: route.method, headers: { cookie, 'content-type': 'application/json' }, ...sent })
    if (!answer.ok) throw new Error(`${route.path} answered ${String(answer.status)}: ${await answer.text()}`)
    return (await answer.json()) as never
  }
}
