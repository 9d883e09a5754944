import { expect, type Page } from '@playwright/test'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { devUserId, startCloud } from '#tests/helpers/cloud.ts'
import { queryRows, startPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { financesOf, readApi, test as base } from './broker-test.ts'

/** A journal as far as its user sees it, from wherever it is read; in the order of the ids. */
export type View = {
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly type: string; readonly firm: string | null; readonly balance: string }[]
  readonly pairs: readonly ({ readonly id: string; readonly net: string } & Pick<FillPairRecord, 'notes' | 'tags' | 'screenshot' | 'screenshotHeadline'>)[]
}

/** A record as it lies in PostgreSQL. */
export type StoredRecord = { readonly id: string; readonly content: Record<string, unknown> }

/** A cloud on a PostgreSQL server, which has the application's secret; what it holds is read past it. */
export type TestCloud = {
  readonly url: string
  /** Ends it as a power cut does. */
  readonly kill: () => Promise<void>
  /** Starts it again at the same address. */
  readonly start: () => Promise<void>
  /** What it holds of the user with this e-mail. */
  readonly of: (email: string) => Promise<{
    readonly view: () => Promise<View>
    readonly records: (entity: 'profile' | 'account' | 'finance' | 'edit' | 'trade') => Promise<StoredRecord[]>
    /** The pictures' names, and the SHA-256 of the bytes that are kept under each. */
    readonly pictures: () => Promise<{ name: string; sha256: string }[]>
  }>
}

/** The settings of a program whose cloud has the application's secret. */
export const mirroredSettings = ({ origins }: TestBroker, cloudUrl: string, timeZone = 'America/Chicago'): Record<string, string> => ({
  FILLBOOK_CLOUD_URL: cloudUrl,
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: origins.consentUrl,
  FILLBOOK_TRADOVATE_LIVE_URL: origins.liveApi,
  FILLBOOK_TRADOVATE_DEMO_URL: origins.demoApi,
  FILLBOOK_TIMEZONE: timeZone,
})

/** Tests against the real program that mirrors to a real cloud, on a PostgreSQL server that a worker's tests share. */
export const test = base.extend<{ cloud: TestCloud }, { postgres: PostgresServer }>({
  postgres: [
    async ({}, use) => {
      const postgres = await startPostgres()
      await use(postgres)
      await postgres.stop()
    },
    { scope: 'worker' },
  ],
  cloud: async ({ postgres, broker: { clientId, clientSecret, origins } }, use) => {
    const databaseUrl = await postgres.newDatabase()
    // The user of these tests passes all gates, as the cloud says.
    const env = { FILLBOOK_CLOUD_ADMIN_USER_ID: devUserId('nina@example.com'), FILLBOOK_CLOUD_TRADOVATE_CLIENT_ID: clientId, FILLBOOK_CLOUD_TRADOVATE_CLIENT_SECRET: clientSecret, FILLBOOK_CLOUD_TRADOVATE_TOKEN_URL: origins.tokenUrls[0] }
    let running = await startCloud({ databaseUrl, env })
    const { url } = running
    await use({
      url,
      kill: () => running.kill(),
      start: async () => {
        running = await startCloud({ databaseUrl, env, port: Number(new URL(url).port) })
      },
      of: async (email) => {
        const { userId } = await running.tokenOf(email)
        return {
          view: async () => ({ accounts: await queryRows(databaseUrl, accountsInView, [userId]), pairs: await queryRows(databaseUrl, pairsInView, [userId]) }),
          records: (entity) => queryRows(databaseUrl, 'SELECT id, content FROM records WHERE user_id = $1 AND entity = $2 ORDER BY id', [userId, entity]),
          pictures: () => queryRows(databaseUrl, "SELECT name, encode(sha256(bytes), 'hex') AS sha256 FROM pictures WHERE user_id = $1 ORDER BY name", [userId]),
        }
      },
    })
    await running.stop()
  },
  app: async ({ dataDir, broker, cloud }, use) => {
    const app = await startApp({ dataDir, env: mirroredSettings(broker, cloud.url) })
    await use(app)
    await app.stop()
  },
})

// Money is kept in 1/10,000 and leaves in cents, half away from zero, as PostgreSQL rounds too.
const cents = (field: string): string => `round((${field})::numeric / 10000, 2)::text`

const accountsInView = `
  SELECT account.id, account.content->>'name' AS name, finance.content->>'type' AS type, finance.content->>'firm' AS firm, ${cents("coalesce(balance.content->>'balance', '0')")} AS balance
  FROM records AS account
  JOIN records AS finance ON finance.user_id = account.user_id AND finance.entity = 'finance' AND finance.id = account.id
  LEFT JOIN records AS balance ON balance.user_id = account.user_id AND balance.entity = 'balance' AND balance.id = account.id
  WHERE account.user_id = $1 AND account.entity = 'account' AND account.content->>'removedAt' IS NULL
  ORDER BY account.id`

const pairsInView = `
  SELECT pair.id, ${cents("pair.content->>'net'")} AS net,
    coalesce(edit.content#>>'{notes,value}', '') AS notes, coalesce(edit.content#>'{tags,value}', '[]') AS tags,
    coalesce(edit.content#>>'{screenshot,value}', '') AS screenshot, coalesce(edit.content#>>'{screenshotHeadline,value}', '') AS "screenshotHeadline"
  FROM records AS pair
  LEFT JOIN records AS account ON account.user_id = pair.user_id AND account.entity = 'account' AND account.id = pair.content->>'accountId'
  LEFT JOIN records AS edit ON edit.user_id = pair.user_id AND edit.entity = 'edit' AND edit.id = pair.id
  WHERE pair.user_id = $1 AND pair.entity IN ('pair', 'trade') AND pair.content->>'net' IS NOT NULL
    AND account.content->>'removedAt' IS NULL AND edit.content#>>'{removedAt,value}' IS NULL
  ORDER BY pair.id COLLATE "C"`

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)

/** The journal as this page's program answers it. */
export const viewOf = async (page: Page): Promise<View> => {
  const [finances, { total, rows }] = await Promise.all([financesOf(page), readApi<{ total: number; rows: FillPairRecord[] }>(page, '/api/fill-pairs?limit=500')])
  expect(rows).toHaveLength(total)
  return {
    accounts: finances.map(({ id, name, type, firm, balance }) => ({ id, name, type, firm, balance: balance.toFixed(2) })).sort(byId),
    pairs: rows.map(({ id, netPnl, notes, tags, screenshot, screenshotHeadline }) => ({ id, net: netPnl, notes, tags, screenshot, screenshotHeadline })).sort(byId),
  }
}

/** Waits until nothing is on its way any more and the two views are one; gives it. */
export const agreed = async (page: Page, cloud: { readonly view: () => Promise<View> }): Promise<View> => {
  let view: View = { accounts: [], pairs: [] }
  await expect(async () => {
    expect(await readApi(page, '/api/mirror')).toMatchObject({ state: 'up-to-date', waiting: 0 })
    view = await viewOf(page)
    expect(await cloud.view()).toEqual(view)
  }).toPass({ timeout: 60_000, intervals: [250] })
  return view
}
