import { expect, type BrowserContext, type Locator, type Page, type Route } from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { ProblemCode } from '#shared/api/problems.ts'
import { sessionRoutes, type SessionAnswer, type SignedInUser } from '#shared/api/session.ts'
import { password, send } from './app-test.ts'

type Call = Exclude<keyof typeof sessionRoutes, 'session'>

/** What an identity call answers: an answer, a refusal, or either once it is known. */
export type Said = object | { readonly refused: ProblemCode; readonly status?: number; readonly fields?: readonly { path: string; message: string }[] }

/** The identity calls of a program that signs in by Firebase, answered by the test; everything else is answered by the program itself. */
export type StatedIdentity = {
  /** What differs from what the program says of its session; changed by the test, read at each call. */
  session: Partial<SessionAnswer>
  readonly answers: Partial<Record<Call, (body: unknown) => Said | Promise<Said>>>
  /** The calls that were made, in their order. */
  readonly made: { readonly call: Call; readonly body: unknown }[]
}

/** Answers the identity calls of all pages of a context; Google is offered unless `session` says otherwise. */
const stateIdentity = async (context: BrowserContext, session: Partial<SessionAnswer> = {}): Promise<StatedIdentity> => {
  const stated: StatedIdentity = { session: { identity: 'firebase', federated: ['google'], endedBecause: null, ...session }, answers: {}, made: [] }
  await context.route(`**${sessionRoutes.session.path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as SessionAnswer), ...stated.session } })
  })
  for (const call of Object.keys(sessionRoutes) as (Call | 'session')[]) {
    if (call === 'session') continue
    await context.route(`**${sessionRoutes[call].path}`, async (route) => {
      const body: unknown = route.request().postDataJSON()
      const answer = stated.answers[call]
      if (answer === undefined) {
        await route.fallback()
        return
      }
      stated.made.push({ call, body })
      await fulfil(route, await answer(body))
    })
  }
  return stated
}

const fulfil = async (route: Route, said: Said): Promise<void> => {
  if (!('refused' in said)) await route.fulfill({ json: said })
  else await route.fulfill({ status: said.status ?? 409, json: { success: false, code: said.refused, error: said.refused, ...('fields' in said && { fields: said.fields }) } })
}

/** Where the provider's own page is in these tests: another site, as in life. */
export const providerPage = 'http://provider.localhost/sign-in'

/** Answers the provider's page with a plain one. */
const stateProvider = async (context: BrowserContext): Promise<void> => {
  await context.route(`${providerPage}*`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Provider</title><h1>Sign in at the provider</h1>' }))
}

/** Makes a promise that the test settles. */
export const held = <Value>(): { readonly promise: Promise<Value>; readonly settle: (value: Value) => void } => {
  const { promise, resolve } = Promise.withResolvers<Value>()
  return { promise, settle: resolve }
}

/** Presses Tab until the keyboard is on an element; throws where it never comes there. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${target.toString()}`)
}

/** The English sentence of every reason for which a call fails. */
export const said = (JSON.parse(readFileSync(new URL('../../renderer/i18n/locales/en/problems.json', import.meta.url), 'utf8')) as { code: Record<ProblemCode, string> }).code

export const email = 'nina@example.com'

/** Signs in for real, as a profile of the program, so that the dashboard behind these screens is a real one. */
export const enter = async (page: Page): Promise<{ currentUser: SignedInUser }> => {
  const { path, answer } = sessionRoutes.signUp
  const response = await send(page, path, { email, password, displayName: 'Nina Keller' })
  const { currentUser } = answer.parse(await response.json())
  return { currentUser: { ...currentUser, providerData: [{ providerId: 'password', uid: email }] } }
}

/** A program that signs in by Firebase, its sign-in screen in front. */
export const begin = async (page: Page, session: StatedIdentity['session'] = {}): Promise<StatedIdentity> => {
  const stated = await stateIdentity(page.context(), session)
  await stateProvider(page.context())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Email me a sign-in link' })).toBeVisible()
  return stated
}

/** The same with a signed-in user whose email is not verified. */
export const beginInside = async (page: Page): Promise<StatedIdentity> => {
  const stated = await stateIdentity(page.context())
  const { currentUser } = await enter(page)
  stated.session.currentUser = currentUser
  await page.reload()
  await expect(overview(page)).toBeVisible()
  return stated
}

export const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' })
export const google = (page: Page) => page.getByRole('button', { name: 'Continue with Google' })
