/** What an answer may have at most, in bytes. */
const largestAnswer = 16 * 1024 * 1024

/** The body grew beyond all measure. */
export class AnswerTooLarge extends Error {}

const bounded = (): TransformStream<Uint8Array, Uint8Array> => {
  let size = 0
  return new TransformStream({
    transform: (part, controller) => {
      size += part.length
      if (size > largestAnswer) controller.error(new AnswerTooLarge('The answer is too large'))
      else controller.enqueue(part)
    },
  })
}

/** Fetches for the SDK with nothing but the endpoint's own key: what the SDK adds about this computer, or takes from the environment, stays here, no redirect is followed, and no answer grows for ever. */
export const leanFetch =
  (key: string | null): typeof fetch =>
  async (address, given = {}) => {
    const said = new Headers(given.headers)
    const headers = new Headers({ 'user-agent': 'Fillbook' })
    for (const name of ['accept', 'content-type']) {
      const value = said.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    const answer = await fetch(address, { ...given, headers, redirect: 'manual' })
    if (answer.body === null) return answer
    const { status, statusText } = answer
    return new Response(answer.body.pipeThrough(bounded()), { status, statusText, headers: answer.headers })
  }
