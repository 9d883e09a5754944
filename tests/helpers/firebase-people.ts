import { secretFile } from '#backend/secrets/secret-file.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { SignedInUser } from '#shared/api/session.ts'
import type { App } from './app.ts'
import type { AuthEmulator } from './auth-emulator.ts'
import type { Browser } from './browser.ts'

/** The password of everybody in these tests. */
export const password = 'correct horse'

/** A trade for the journal of whoever wants one. */
export const ownTrade = { id: 'hand-1', symbol: 'MESZ6', qty: 2, entryPrice: 5_000, exitPrice: 5_010.25, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

let people = 0

/** Somebody whom the emulator does not know yet, and a browser that opened the program. */
export const newcomer = async (app: Pick<App, 'newBrowser'>): Promise<{ readonly email: string; readonly browser: Browser }> => ({ email: `person-${String((people += 1))}@example.com`, browser: await app.newBrowser() })

/** Signs up, which signs in. */
export const signUp = (browser: Browser, email: string): Promise<AnswerOf<typeof sessionRoutes.signUp>> => browser.call(sessionRoutes.signUp, { body: { email, password, displayName: 'Ann' } })

export const signIn = (browser: Browser, email: string, given = password): Promise<AnswerOf<typeof sessionRoutes.signIn>> => browser.call(sessionRoutes.signIn, { body: { email, password: given } })

/** Who is signed in in a browser. */
export const currentUser = async (browser: Browser): Promise<SignedInUser | null> => (await browser.call(sessionRoutes.session)).currentUser

/** What the program keeps of a user's sign-in, as the SDK writes it; null where it keeps nothing. */
export const keptSignIn = async (dataDir: string, { projectId }: AuthEmulator, uid: string): Promise<{ readonly stsTokenManager: { readonly refreshToken: string; readonly accessToken: string } } | null> =>
  JSON.parse((await secretFile(dataDir, () => undefined).get(`firebase:${projectId}:${uid}`)) ?? 'null') as never
