import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import type { GroupDraft } from '#shared/api/copier.ts'
import { localRoutes } from '#shared/api/contract.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import { brokerSettings, connect } from '#tests/helpers/own-broker.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { listenLoopback } from '#tests/helpers/loopback.ts'
import { startModelEndpoint, type ModelEndpoint } from '#tests/helpers/model-endpoint.ts'
import { reportedWeek } from '#tests/helpers/reported-trades.ts'
import { rule } from '#tests/helpers/copier-live.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

/** Where and when the trades of a stage were made. */
export const at = { symbol: 'MESZ6', qty: 1, entryPrice: 5_000, exitPrice: 5_001, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
/** The leader of the groups, and who follows. */
export const [leader, follower] = ['tradovate:demo:700101', 'tradovate:demo:700102']
/** An account that only Bob has, and what the brokerage calls it. */
export const [bobsAccount, bobsAccountName, bobsLogin] = ['tradovate:demo:700111', 'DEMO7001250', 'ben.keller']
export const password = 'correct horse'

/** The program with data for every call: Mallory's, who makes them, and as much of Bob's, which no one else may see. */
export type LocalStage = {
  readonly app: App
  readonly broker: TestBroker
  readonly model: ModelEndpoint
  readonly mallory: Browser
  readonly userId: string
  readonly bob: Browser
  readonly bobsId: string
  /** A marker in everything of Bob's. */
  readonly marker: string
  /** A browser in which the demo profile is signed in. */
  readonly demo: Browser
  /** Lets enough time pass for another try to sign in. */
  readonly later: () => void
  readonly stop: () => Promise<void>
}

/** A group of copied accounts that sends nothing. */
export const draft = (name: string): GroupDraft => ({ name, leader, followers: [rule(follower)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true })

const fill = async (browser: Browser, userId: string, word: string): Promise<void> => {
  await connect(browser, userId, 'ava.morgan')
  await browser.call(localRoutes.addTrade, { body: { userId, trade: { ...at, id: `${word}-trade`, notes: word, tags: [word], screenshotHeadline: word } } })
  await browser.call(localRoutes.addFinance, { body: { userId, finance: { id: `${word}-finance`, type: 'earning', amount: 1, name: word, note: word, balance: 0, platform: 'other' } } })
  await browser.call(localRoutes.setDayNote, { body: { tradingDay: '2026-11-02', notes: word, tags: [word] } })
  await browser.call(localRoutes.saveGroup, { body: { id: null, draft: draft(word) } })
  await browser.call(localRoutes.makeReport, { body: { period: reportedWeek, accounts: [] } })
}

/** Starts it; whoever does stops it. */
export const openLocalStage = async (): Promise<LocalStage> => {
  const broker = await startTestBroker({ anchor: '2026-11-20', clientId: 'own-app', clientSecret: 'own-secret-5f1c' })
  const model = await startModelEndpoint()
  let passed = 0
  const keys = await listenLoopback(() => ({ json: { success: false, errorCode: 3, errorMessage: null } }))
  const app = await startSharedApp({ env: { ...brokerSettings(broker), FILLBOOK_TOPSTEPX_URL: keys.url }, now: () => Date.now() + passed })
  const mallory = app.browser
  const { userId } = await mallory.signUp('mallory@example.com')
  const bob = await app.newBrowser()
  const { userId: bobsId } = await bob.signUp('bob@example.com')
  const marker = 'only-bob-may-read-this'
  await fill(mallory, userId, 'mallorys')
  await fill(bob, bobsId, marker)
  await connect(bob, bobsId, bobsLogin)
  await bob.call(localRoutes.addImport, { body: importRequest(await uploadAll(bob, { [`${marker}.csv`]: threeFiles().fills })) })
  const demo = await app.newBrowser()
  const { currentUser } = await demo.call(localRoutes.signInDemo)
  await connect(demo, currentUser.uid, 'ava.morgan')
  const stop = async (): Promise<void> => {
    await app.stop()
    await model.stop()
    await broker.stop()
    await keys.stop()
  }
  return { app, broker, model, mallory, userId, bob, bobsId, marker, demo, later: () => void (passed += 60_000), stop }
}
