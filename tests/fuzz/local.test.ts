import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { localRoutes } from '#shared/api/contract.ts'
import type { Route } from '#shared/api/route.ts'
import { isNightly } from '#tests/helpers/cases.ts'
import { importRequest } from '#tests/helpers/upload.ts'
import { fuzzCall, type Sent } from './fuzz-laws.ts'
import { aliveOf, namingBob, rightCalls, rightFiles } from './local-calls.ts'
import { bobsAccount, bobsAccountName, bobsLogin, openLocalStage, type LocalStage } from './local-stage.ts'

/** Everything that Bob can read, and only he may change. */
const ofBob = async ({ bob, bobsId }: LocalStage) => {
  const userId = { query: { userId: bobsId } }
  return {
    trades: await bob.call(localRoutes.getTrades, userId),
    finances: await bob.call(localRoutes.getFinances, userId),
    days: await bob.call(localRoutes.dayNotes),
    stops: await bob.call(localRoutes.defaultStops),
    own: (await bob.call(localRoutes.commissions)).own,
    rules: (await bob.call(localRoutes.rules)).accounts,
    groups: (await bob.call(localRoutes.copier)).groups,
    reports: (await bob.call(localRoutes.reports)).reports,
    imports: (await bob.call(localRoutes.imports)).imports,
    accounts: (await bob.call(localRoutes.connectedAccounts)).accounts.map(({ id, loginId, firm, copyOf }) => ({ id, loginId, firm, copyOf })),
  }
}

/** Ids of Bob's that his own answers contain, and that no one else's may. */
const idsOf = ({ groups, reports, imports, accounts }: Awaited<ReturnType<typeof ofBob>>): readonly string[] => {
  const ids = [groups, reports, imports].map((rows) => rows.map(({ id }) => id))
  expect(ids.map((some) => some.length > 0)).toEqual([true, true, true])
  return [...ids.flat(), ...accounts.flatMap(({ loginId }) => loginId || [])]
}

const allCalls = [...Object.entries(rightCalls).map(([name, call]) => ({ name, route: localRoutes[name as keyof typeof localRoutes] as Route, ...call })), ...rightFiles]

/** Makes all calls so often in each kind, and holds what must hold after them. */
const fuzzAll = async (runs: { readonly fitting: number; readonly nearly: number; readonly hostile: number }): Promise<void> => {
  const stage = await openLocalStage()
  onTestFinished(stage.stop)
  let visitor = await stage.app.newBrowser()
  const naming = new Map<string, Sent | null>()
  for (const { name, ...call } of allCalls) naming.set(name, await namingBob(stage, call))
  const before = await ofBob(stage)
  const never = [stage.marker, stage.bobsId, 'bob@example.com', stage.app.dataDir, stage.broker.clientSecret, bobsAccountName, bobsLogin, `${bobsAccount}/`, ...idsOf(before)]
  for (const { right, by = 'mallory', ...call } of allCalls) {
    const headers = async (): Promise<Record<string, string>> => {
      if (by === 'coming' || by === 'leaving') visitor = await aliveOf(stage, visitor, by === 'leaving')
      return { mallory: stage.mallory, demo: stage.demo, coming: visitor, leaving: visitor }[by].own()
    }
    await headers()
    // The path of the journal is shown to its user, and nowhere else.
    const here = call.name === 'backups' ? never.filter((word) => word !== stage.app.dataDir) : never
    await fuzzCall({ origin: stage.mallory.origin, headers, never: here }, { ...call, right: await right(stage, visitor), naming: naming.get(call.name) ?? null }, runs)
  }
  expect(await ofBob(stage)).toEqual(before)
  // A file of his that others would have had removed is still there to be read.
  const { uploads } = z.object({ uploads: z.array(z.string()) }).parse(naming.get('dropUploads')?.body)
  expect((await stage.bob.call(localRoutes.previewImport, { body: importRequest(uploads.map((id) => ({ id, name: 'Fills.csv' }))) })).files).toHaveLength(1)
  expect((await stage.mallory.call(localRoutes.session)).currentUser?.uid).toBe(stage.userId)
  const logs = join(stage.app.dataDir, 'logs')
  const logged = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8')).join('')
  expect(logged.split('\n').filter((line) => /"level":[56]0/.test(line))).toEqual([])
}

describe('every call of the program on this computer, generated from its schema', () => {
  test("succeeds or is refused for any input: no crash, no timeout, no other user's data", { tags: 'long' }, () => fuzzAll({ fitting: 1, nearly: 1, hostile: 1 }))
  test.runIf(isNightly)('and so in many more cases', { tags: 'long' }, () => fuzzAll({ fitting: 8, nearly: 10, hostile: 6 }))
})
