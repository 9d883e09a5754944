// @module-tag slow
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { call, logIn, rowsOf } from '#tests/helpers/demo-client.ts'
import type { TestBroker } from './broker.ts'
import { startTestBroker } from './broker.ts'

const MAIN = new URL('main.ts', import.meta.url).pathname
const started: ChildProcess[] = []

const startProcess = (...flags: string[]): ChildProcess => {
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

describe('the stand-in as a process of its own', () => {
  it('prints one line with all that a client needs, serves, and ends on SIGTERM', async () => {
    const child = startProcess('--anchor', '2026-11-20', '--volume', '2000', '--accounts', '3', '--contracts', '2')
    if (child.stdout === null) throw new Error('no output')
    const [line] = await once(createInterface(child.stdout), 'line')
    const broker = JSON.parse(String(line)) as TestBroker
    const { access_token: token } = await logIn(broker, 'volume')
    expect(await rowsOf(broker, 'demo', token, '/fill/list')).toHaveLength(2000)
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
  })

  it('opens a floor of plain accounts, on which a hand trades through the controls', { tags: 'long' }, async () => {
    const child = startProcess('--anchor', '2026-11-20', '--floor', 'ada:1:2,bo:0:3')
    if (child.stdout === null) throw new Error('no output')
    const [line] = await once(createInterface(child.stdout), 'line')
    const broker = JSON.parse(String(line)) as TestBroker
    expect(broker.logins.map(({ name, accounts }) => [name, accounts.map((each) => each.name)])).toEqual([['ada', ['730001', 'DEMO730002', 'DEMO730003']], ['bo', ['DEMO730004', 'DEMO730005', 'DEMO730006']]])
    const order = { account: 'DEMO730004', action: 'Buy', symbol: 'MYMZ6', qty: 2 }
    expect((await fetch(`${broker.url}/_demo/order`, { method: 'POST', headers: { authorization: `Bearer ${broker.controlToken}` }, body: JSON.stringify(order) })).status).toBe(200)
    const { access_token: token } = await logIn(broker, 'bo')
    expect(await rowsOf(broker, 'demo', token, '/position/list')).toMatchObject([{ accountId: 730_004, netPos: 2, netPrice: 47_200 }])
  })

  it('refuses unknown flags, and prints the usage', async () => {
    const child = startProcess('--anchor', 'yesterday')
    const words: string[] = []
    child.stderr?.on('data', (part: Buffer) => words.push(part.toString()))
    expect((await once(child, 'close'))[0]).toBe(2)
    expect(words.join('')).toContain('main.ts [--anchor YYYY-MM-DD]')
  })
})

describe('a volume', () => {
  it('spreads its fills over accounts and contracts, each with an order and a fee', { tags: 'long' }, async () => {
    const broker = await startTestBroker({ anchor: '2026-11-20', scenario: { kind: 'volume', fills: 20_000, accounts: 4, contracts: 6 } })
    const { access_token: token } = await logIn(broker, 'volume')
    const [fills, orders, fees] = await Promise.all(['fill', 'order', 'fillFee'].map((entity) => rowsOf(broker, 'demo', token, `/${entity}/list`)))
    expect([fills?.length, orders?.length, fees?.length]).toEqual([20_000, 20_000, 20_000])
    expect(new Set(fills?.map(({ contractId }) => contractId)).size).toBe(6)
    const accounts = new Map<unknown, number>()
    for (const { accountId } of orders ?? []) accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1)
    expect([...accounts.values()]).toEqual([5000, 5000, 5000, 5000])
    expect((await call(broker, 'demo', token, `/fill/item?id=${fills?.[0]?.id}`)).status).toBe(200)
    await broker.stop()
  })
})
