import { browserKeyHeader, browserKeyName, pageUserHeader } from '#shared/api/session.ts'

/** Keeps the key that came with a launch address where only pages of this origin find it, and takes the token out of the address. Called once, before the first call. */
export const keepBrowserKey = (): void => {
  const brought = document.querySelector<HTMLMetaElement>(`meta[name="${browserKeyName}"]`)
  if (brought === null) return
  localStorage.setItem(browserKeyName, brought.content)
  brought.remove()
  history.replaceState(history.state, '', `/${location.hash}`)
}

const browserKey = (): string => localStorage.getItem(browserKeyName) ?? ''

let pageUser: string | null = null

/** Notes for whom the page is drawn; null where nobody is signed in. Gives who it was before. */
export const drawFor = (userId: string | null): string | null => {
  const before = pageUser
  pageUser = userId
  return before
}

/** The user for whom the page is drawn now, which changes before the screens of the one before are gone. */
export const drawnFor = (): string | null => pageUser

/** `fetch` with what the program wants of each call: the session cookie, this browser's key, and the user for whom the page is drawn. */
export const fetchAdmitted = async (address: string, request: RequestInit = {}): Promise<Response> => {
  const key = browserKey()
  const headers = new Headers(request.headers)
  headers.set(browserKeyHeader, key)
  if (pageUser !== null) headers.set(pageUserHeader, pageUser)
  const answer = await fetch(address, { ...request, credentials: 'same-origin', headers })
  // Another tab that opened a launch address meanwhile got this browser a new key.
  return answer.status === 401 && browserKey() !== key ? fetchAdmitted(address, request) : answer
}
