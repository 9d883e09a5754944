const maxAnswerBytes = 16 * 1024 * 1024

/** The body exceeded the limit. */
export class AnswerTooLarge extends Error {}

const bounded = (): TransformStream<Uint8Array, Uint8Array> => {
  let size = 0
  return new TransformStream({
    transform: (part, controller) => {
      size += part.length
      if (size > maxAnswerBytes) controller.error(new AnswerTooLarge('The answer is too large'))
      else controller.enqueue(part)
    },
  })
}

/** A `fetch` for the SDK that sends only the endpoint's own key: it drops the SDK's headers about this computer and its environment, follows no redirect, and bounds the answer. */
export const leanFetch =
  (key: string | null): typeof fetch =>
  async (address, init = {}) => {
    const wanted = new Headers(init.headers)
    const headers = new Headers({ 'user-agent': 'Fillbook' })
    for (const name of ['accept', 'content-type']) {
      const value = wanted.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    const answer = await fetch(address, { ...init, headers, redirect: 'manual' })
    if (answer.body === null) return answer
    const { status, statusText } = answer
    return new Response(answer.body.pipeThrough(bounded()), { status, statusText, headers: answer.headers })
  }
