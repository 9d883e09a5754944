import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { allow as allowAt, loginsOffered } from '#cli/headless-user.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import type { Finance } from '#shared/api/records.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { goTo, send, test as base } from './app-test.ts'

/** The settings that make the stand-in this program's brokerage. */
export const brokerSettings = ({ clientId, clientSecret, origins }: TestBroker): Record<string, string> => ({
  FILLBOOK_TRADOVATE_CLIENT_ID: clientId,
  FILLBOOK_TRADOVATE_CLIENT_SECRET: clientSecret,
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: origins.consentUrl,
  FILLBOOK_TRADOVATE_TOKEN_URL: origins.tokenUrls[0],
  FILLBOOK_TRADOVATE_LIVE_URL: origins.liveApi,
  FILLBOOK_TRADOVATE_DEMO_URL: origins.demoApi,
  FILLBOOK_TRADOVATE_REPORTS_LIVE_URL: origins.reports.live,
  FILLBOOK_TRADOVATE_REPORTS_DEMO_URL: origins.reports.demo,
  FILLBOOK_TRADOVATE_QUOTES_URL: origins.quotes,
  FILLBOOK_TIMEZONE: 'America/Chicago',
})

/** Tests against the real program with its own brokerage, whose consent page is another site. */
export const test = base.extend<{ broker: TestBroker }>({
  broker: async ({}, use) => {
    const broker = await startTestBroker({ anchor: '2026-02-13' })
    await use(broker)
    await broker.stop()
  },
  app: async ({ dataDir, broker }, use) => {
    const app = await startApp({ dataDir, gates: 'open', env: brokerSettings(broker) })
    await use(app)
    await app.stop()
  },
})

/** Opens the connect dialog of AutoSync and continues to the consent page; history is skipped unless `history` is set. */
export const goToConsent = async (page: Page, { history = false } = {}): Promise<void> => {
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })
  await expect(dialog.getByText('Tradovate and NinjaTrader accounts connect via the same infrastructure: one login connects all of its accounts.', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Your data updates once a day at market close. Sync Trades updates it immediately.', { exact: true })).toBeVisible()
  const past = dialog.getByRole('checkbox', { name: 'Also import the past year' })
  await expect(past).toBeChecked()
  if (!history) await past.uncheck()
  await dialog.getByRole('button', { name: '+ Add Account here', exact: true }).click()
  await expect(page).toHaveURL(/^http:\/\/localhost:/)
}

/** The dialog that asks for an account's type and firm. */
export const labelDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Set Tradovate Account Type & Firm' })

/** Chooses an option of a select by its label. */
export const choose = async (page: Page, select: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: select }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** The dialog that asks for the types and firms of several accounts. */
export const labelsDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Label your accounts' })

/** The type and firm that are asked for an account, in the table of several. */
export const labelOfAccount = (page: Page, account: string): { readonly type: Locator; readonly firm: Locator } => {
  const select = (name: string): Locator => labelsDialog(page).getByRole('combobox', { name: `${name} of ${account}`, exact: true })
  return { type: select('Account Type'), firm: select('Firm') }
}

const chooseIn = async (page: Page, select: Locator, option: string): Promise<void> => {
  if (((await select.textContent()) ?? '').endsWith(option)) return
  await select.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Gives all accounts that are asked about their types and firms, and waits until nothing is asked any more. */
export const labelAccounts = async (page: Page, labels: readonly { readonly account: string; readonly type: string; readonly firm: string }[]): Promise<void> => {
  const dialog = labelDialog(page).or(labelsDialog(page))
  await expect(dialog).toBeVisible()
  const [first] = labels
  if (first !== undefined && labels.length === 1) {
    await expect(dialog.getByText(first.account, { exact: true })).toBeVisible()
    await choose(page, 'Account Type', first.type)
    await choose(page, 'Firm', first.firm)
  } else {
    for (const { account, type, firm } of labels) {
      const asked = labelOfAccount(page, account)
      await chooseIn(page, asked.type, type)
      await chooseIn(page, asked.firm, firm)
    }
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
}

/** The finances of the signed-in user, as the program gives them. */
export const financesOf = async (page: Page): Promise<Finance[]> => {
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  return (await readApi<{ finances: Finance[] }>(page, `/api/firestore-get-finances?userId=${currentUser.uid}`)).finances
}

/** Gives every account that has no type yet one past the dialog, for tests that are not about it. */
const labelAtOnce = async (page: Page, firm: Finance['firm']): Promise<void> => {
  const waiting = (await financesOf(page)).filter(({ type }) => type === 'Account')
  for (const finance of waiting) await postApi(page, '/api/firestore-add-finance', { userId: finance.userId, finance: { ...finance, type: 'Evaluation Account', firm } })
  if (waiting.length > 0) await page.reload()
  await expect(labelDialog(page).or(labelsDialog(page))).toHaveCount(0)
}

/** Answers the dialog for every account that has no type yet. */
export const labelAll = async (page: Page): Promise<void> => {
  const waiting = (await financesOf(page)).filter(({ type }) => type === 'Account')
  if (waiting.length > 0) await labelAccounts(page, waiting.map(({ name }) => ({ account: name, type: 'Evaluation Account', firm: 'Other' })))
}

/** Allows access on the consent page for a login, also where another one is remembered, and waits until AutoSync shows again. */
export const allow = async (page: Page, login?: string): Promise<void> => {
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  const other = page.getByRole('link', { name: 'Use another login' })
  if (login !== undefined && (await other.isVisible())) await other.click()
  if (login !== undefined) await page.getByLabel(login).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/dashboard\/AutoSync$/)
}

/** As `connectOf`, with accounts of another firm than those that Fillbook knows. */
export const connect = (page: Page, ...logins: readonly string[]): Promise<void> => connectOf('Other', page, ...logins)

/** Connects logins of the brokerage, the first one where none is named, past the screens, labels their accounts as evaluations at a firm, and goes to AutoSync, where a first sync has ended. */
export const connectOf = async (firm: Finance['firm'], page: Page, ...logins: readonly string[]): Promise<void> => {
  const { beginConsent, tradovate } = brokerageRoutes
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  for (const named of logins.length === 0 ? [null] : logins) {
    const begun = await send(page, beginConsent.path, { returnTo: 'autosync', anotherLogin: true })
    const { url } = beginConsent.answer.parse(await begun.json())
    const [first = ''] = await loginsOffered(url)
    await postApi(page, tradovate.path, { userId: currentUser.uid, ...(await allowAt(url, named ?? first)) })
  }
  await goTo(page, '/dashboard/AutoSync')
  await labelAtOnce(page, firm)
  await expect(page.getByRole('region', { name: 'Last sync' })).toBeVisible()
}

/** Reads a call of the program with the page's own session. */
export const readApi = <T>(page: Page, path: string): Promise<T> => page.evaluate(async (asked) => (await (await fetch(asked, { headers: { 'x-fillbook-key': localStorage.getItem('fillbook-key') ?? '' } })).json()) as T, path)

/** Makes a call of the program with the page's own session; throws where it is refused. */
export const postApi = (page: Page, path: string, body: object): Promise<void> =>
  page.evaluate(async ([asked, json]) => {
    const { ok, status } = await fetch(asked, { method: 'POST', headers: { 'content-type': 'application/json', 'x-fillbook-key': localStorage.getItem('fillbook-key') ?? '' }, body: json })
    if (!ok) throw new Error(`${asked} answered ${String(status)}`)
  }, [path, JSON.stringify(body)] as const)

/** The same where its answer matters, whatever it says. */
export const askApi = <T>(page: Page, path: string, body: object): Promise<T> =>
  page.evaluate(async ([asked, json]) => (await (await fetch(asked, { method: 'POST', headers: { 'content-type': 'application/json', 'x-fillbook-key': localStorage.getItem('fillbook-key') ?? '' }, body: json })).json()) as T, [path, JSON.stringify(body)] as const)
