import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type APIResponse, type Locator, type Page } from '@playwright/test'
import { browserKeyHeader, browserKeyName, sessionRoutes } from '#shared/api/session.ts'
import { startApp, temporaryFolder, type RunningApp } from '#tests/helpers/running-app.ts'

/** Tests against the real program: `dataDir` is its empty folder, `app` runs on it with every gate open, and `page` has opened its launch address: it begins where one signs in, or, where it `begins` outside, only stands at the program's address, for tests that go somewhere first. Tests of the gates start it themselves. */
export const test = base.extend<{ begins: 'at sign-in' | 'outside'; dataDir: string; app: RunningApp }>({
  begins: ['at sign-in', { option: true }],
  dataDir: async ({}, use) => {
    const folder = await temporaryFolder()
    await use(folder.path)
    await folder.remove()
  },
  app: async ({ dataDir }, use) => {
    const app = await startApp({ dataDir, gates: 'open' })
    await use(app)
    await app.stop()
  },
  page: async ({ page, app, begins }, use) => {
    if (begins === 'outside') await openOutside(page, app)
    else {
      await page.goto(`${app.launchUrl}#/auth/signin`)
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    }
    await use(page)
  },
})

/** Gives a page both secrets of a launch address, and leaves it at the program's address, where nothing of the app runs yet. */
export const openOutside = async (page: Page, { launchUrl, origin }: Pick<RunningApp, 'launchUrl' | 'origin'>): Promise<void> => {
  const key = (await page.request.get(launchUrl)).headers()[browserKeyHeader] ?? ''
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate(([name, kept]) => { localStorage.setItem(name, kept) }, [browserKeyName, key] as const)
}

/** What the app sends with each call beside the cookie. */
const ownHeaders = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(([header, name]) => ({ origin: location.origin, [header]: localStorage.getItem(name) ?? '' }), [browserKeyHeader, browserKeyName] as const)

/** Makes a call of the program past the screens, as the app on this page would. */
export const send = async (page: Page, path: string, data: unknown = {}, headers: Record<string, string> = {}): Promise<APIResponse> =>
  page.request.post(new URL(path, page.url()).href, { data, headers: { ...(await ownHeaders(page)), ...headers } })

/** The same of a call that reads; again where the server closed the connection just as it was used once more. */
export const read = async (page: Page, path: string): Promise<APIResponse> => page.request.get(new URL(path, page.url()).href, { headers: await ownHeaders(page), maxRetries: 3 })

/** The first button of a name. */
export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).first()

/** Goes to a path inside the hash. */
export const goTo = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/#${path}`)
}

export const password = 'correct horse'

/** Creates a profile through the screens and opens the dashboard; returns its recovery code. */
export const signUpByHand = async (page: Page, email = 'nina@example.com'): Promise<string> => {
  await goTo(page, '/auth/signup')
  await page.getByLabel('Name').fill('Nina Keller')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create profile' }).click()
  const code = await page.getByTestId('recovery-code').innerText()
  await page.getByRole('button', { name: 'I saved it' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  return code
}

/** Creates a profile without the screens, and opens the dashboard; returns its recovery code. */
export const signUp = async (page: Page, email = 'nina@example.com'): Promise<string> => {
  const { path, answer } = sessionRoutes.signUp
  const response = await send(page, path, { email, password, displayName: 'Nina Keller' })
  const { recoveryCode } = answer.parse(await response.json())
  await send(page, sessionRoutes.confirmRecoveryCode.path, { email, recoveryCode })
  await page.goto(new URL('/', page.url()).href)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  return recoveryCode ?? ''
}

/** Signs out through the account menu. */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

/** Holds the screen of the moment, or what a selector finds of it, to WCAG 2.2 AA in the dark theme, and its colors, all that a theme changes, in the light one too. */
export const expectAccessible = async (page: Page, within?: string): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : '')
    // The page is one frame; the other mode opens a second page for each look. What passes is not asked for.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    if (within !== undefined) axe.include(within)
    if (colorScheme === 'dark') axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    else axe.withRules(['color-contrast', 'link-in-text-block'])
    const { violations } = await axe.analyze()
    const messages = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join('; ')}`)
    expect(messages, `${colorScheme} ${page.url()}`).toEqual([])
  }
}
