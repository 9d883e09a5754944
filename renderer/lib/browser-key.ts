import { browserKeyHeader, browserKeyName, pageUserHeader } from '#shared/api/session.ts'

/** Stores the key from a launch URL where only pages of this origin can find it, and removes the token from the address. Called once, before the first call. */
export const keepBrowserKey = (): void => {
  const brought = document.querySelector<HTMLMetaElement>(`meta[name="${browserKeyName}"]`)
  if (brought === null) return
  localStorage.setItem(browserKeyName, brought.content)
  brought.remove()
  history.replaceState(history.state, '', `/${location.hash}`)
}

const browserKey = (): string => localStorage.getItem(browserKeyName) ?? ''

let pageUser: string | null = null

/** Sets the user whom the page is rendered for; null if no one is signed in. Returns the previous one. */
export const drawFor = (userId: string | null): string | null => {
  const before = pageUser
  pageUser = userId
  return before
}

/** The user whom the page is rendered for now, which changes before the previous user's screens are gone. */
export const drawnFor = (): string | null => pageUser

/** `fetch` with what the program requires of each call: the session cookie, this browser's key, and the user whom the page is rendered for. */
export const fetchAdmitted = async (address: string, request: RequestInit = {}): Promise<Response> => {
  const key = browserKey()
  const headers = new Headers(request.headers)
  headers.set(browserKeyHeader, key)
  if (pageUser !== null) headers.set(pageUserHeader, pageUser)
  const answer = await fetch(address, { ...request, credentials: 'same-origin', headers })
  // Another tab that opened a launch URL meanwhile gave this browser a new key.
  return answer.status === 401 && browserKey() !== key ? fetchAdmitted(address, request) : answer
}
