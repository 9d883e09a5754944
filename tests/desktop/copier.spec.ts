import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { copierRoutes, type CopyGroup, type FollowerRule } from '#shared/api/copier.ts'
import type { Desktop, ElectronModule } from '#tests/helpers/electron/desktop.ts'
import { connect, postApi, readApi } from '#tests/e2e/broker-test.ts'
import { clickTray, enterDemo, test, trayLabels } from './desktop-test.ts'

type State = { readonly groups: readonly CopyGroup[]; readonly live: { readonly groups: readonly { readonly state: string }[] } }

const rule = (account: string): FollowerRule => ({ account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 3, invert: false, guard: false })
const wakes = (desktop: Desktop): readonly string[] => desktop.recorded().flatMap((one) => (one.what === 'keep-awake' ? [`${one.what} ${one.type}`] : one.what === 'let-sleep' ? [one.what] : []))
const stateOf = async (page: Page): Promise<readonly string[]> => (await readApi<State>(page, copierRoutes.copier.path)).live.groups.map(({ state }) => state)

/** A dry run of the connected accounts, armed. */
const arm = async (page: Page): Promise<string> => {
  const { accounts } = await readApi<{ accounts: readonly { id: string; environment: string }[] }>(page, brokerageRoutes.connectedAccounts.path)
  const [leader = '', follower = ''] = accounts.map(({ id }) => id)
  await postApi(page, copierRoutes.saveGroup.path, { id: null, draft: { name: 'Main', leader, followers: [rule(follower)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true } })
  const id = (await readApi<State>(page, copierRoutes.copier.path)).groups[0]?.id ?? ''
  await postApi(page, copierRoutes.arm.path, { id, onlyMachine: true })
  return id
}

test('while a group is armed the computer stays awake, and the tray pauses and resumes the copier', { tag: '@nightly' }, async ({ start }) => {
  const desktop = await start()
  const page = await desktop.page()
  await enterDemo(page)
  await connect(page)
  expect(wakes(desktop)).toEqual([])
  expect(trayLabels(desktop).filter((label) => label.includes('Copier'))).toEqual([])

  const id = await arm(page)
  await expect.poll(() => wakes(desktop)).toEqual(['keep-awake prevent-app-suspension'])
  await clickTray(desktop, 'Pause Copier')
  await expect.poll(() => stateOf(page)).toEqual(['paused'])
  // A paused group still reduces: the computer must not fall asleep on it.
  expect(wakes(desktop)).toEqual(['keep-awake prevent-app-suspension'])
  await clickTray(desktop, 'Resume Copier')
  await expect.poll(() => stateOf(page)).toEqual(['armed'])
  await expect.poll(() => trayLabels(desktop)).toContain('Pause Copier')

  await postApi(page, copierRoutes.disarm.path, { id })
  await expect.poll(() => wakes(desktop)).toEqual(['keep-awake prevent-app-suspension', 'let-sleep'])
  await expect.poll(() => trayLabels(desktop).filter((label) => label.includes('Copier'))).toEqual([])
})

test('after sleep the lines reconnect', { tag: '@nightly' }, async ({ start, dataDir }) => {
  const desktop = await start()
  const page = await desktop.page()
  await enterDemo(page)
  await connect(page)
  const id = await arm(page)
  type Live = { readonly live: { readonly groups: readonly { readonly leaderLine: string }[] } }
  const line = async (): Promise<string | undefined> => (await readApi<Live>(page, copierRoutes.copier.path)).live.groups[0]?.leaderLine
  await expect.poll(line, { timeout: 30_000 }).toBe('up')
  const slept = (): boolean => readdirSync(join(dataDir, 'logs')).some((file) => readFileSync(join(dataDir, 'logs', file), 'utf8').includes('computer slept'))
  expect(slept()).toBe(false)
  await desktop.inMain(({ powerMonitor }: ElectronModule) => { powerMonitor.emit('resume') }, null)
  await expect.poll(slept).toBe(true)
  await expect.poll(line, { timeout: 30_000 }).toBe('up')
  await postApi(page, copierRoutes.disarm.path, { id })
})
