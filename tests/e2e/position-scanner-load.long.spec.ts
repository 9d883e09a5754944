import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { loadScenario } from '#tests/demo-broker/load-scenario.ts'
import { expect } from '@playwright/test'
import { signUp } from './app-test.ts'
import { connect, test as base } from './broker-test.ts'
import { watchPace } from './scanner-pace.ts'
import { cellsOf, openScanner, scanner } from './scanner-test.ts'
import { traceMainThread } from './scanner-trace.ts'

const test = base.extend<{ broker: TestBroker }>({
  broker: async ({}, use) => {
    const broker = await startTestBroker({ anchor: '2026-02-13', scenario: loadScenario })
    await use(broker)
    await broker.stop()
  },
})

test.use({ begins: 'outside' })
test.setTimeout(600_000)

const watchedMs = 20_000
const lines = 1 + 50 + 200

test('50 accounts with 200 positions at 2,000 price changes a second: painted at most ten times a second, and every row is right', { tag: '@nightly' }, async ({ page, broker }) => {
  await signUp(page)
  await connect(page, ...broker.logins.map(({ name }) => name))
  await openScanner(page)
  await expect(scanner(page)).toHaveAttribute('aria-rowcount', String(lines), { timeout: 180_000 })
  await expect(page.getByText('200 positions in 50 accounts')).toBeVisible()

  broker.quotes.flow(2_000)
  const before = broker.quotes.moved()
  const pace = await watchPace(page)
  const trace = await traceMainThread(page, () => page.evaluate((ms) => new Promise((done) => { setTimeout(done, ms) }), watchedMs))
  const { seconds, paints } = await pace.end()
  const moved = broker.quotes.moved() - before
  broker.quotes.flow(0)
  const [longest] = trace.tasks
  const longestMs = Math.max(...trace.tasks.map(({ wallMs }) => wallMs))
  // How long tasks take is judged in tests/bench/scanner.ts, on a quiet machine.
  const measured = { changes: moved / seconds, paints: paints / seconds, longestMs, longestCpuMs: longest?.cpuMs ?? 0, over50: trace.tasks.filter(({ wallMs }) => wallMs > 50).length, tasks: trace.tasks.length }
  test.info().annotations.push({ type: 'pace', description: JSON.stringify(measured) })
  expect(paints / seconds).toBeLessThanOrEqual(10)
  expect(paints / seconds).toBeGreaterThan(1)
  expect(moved / seconds).toBeGreaterThan(1_000)

  // Every line, one screen after another: what it shows is what the market says now.
  const symbols = new Map(broker.floor.state().flatMap(({ name, positions }) => positions.map(({ contract, net }) => [`${name} ${contract}`, net] as const)))
  expect(symbols.size).toBe(200)
  for (const contract of new Set([...symbols.keys()].map((key) => key.split(' ')[1] ?? ''))) broker.hand.setPrice(contract, 5_000)
  const seen = new Map<string, string[]>()
  await scanner(page).locator('tbody tr[data-line]').first().focus()
  const collect = async (): Promise<void> => {
    // All at once: between two questions the lines may have moved on.
    const shown = await scanner(page).locator('tbody tr[data-line]').evaluateAll((rows) =>
      rows.map((row) => ({
        name: row.querySelector('[data-act=close]')?.getAttribute('aria-label') ?? null,
        cells: [...row.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim()),
      })),
    )
    for (const { name, cells } of shown) if (name !== null) seen.set(name, cells)
  }
  await expect.poll(async () => (await cellsOf(scanner(page).locator('tbody tr[data-line]').filter({ has: page.locator('[data-act=close]') }).first())).at(3)).toMatch(/5,000.00$/)
  await collect()
  const last = lines - 2
  for (let line = 0; line < last; ) {
    await page.keyboard.press('PageDown')
    line = Math.min(line + 15, last)
    await expect(scanner(page).locator(`tbody tr[data-line="${String(line)}"]`)).toBeFocused()
    await collect()
  }
  expect(seen.size).toBe(200)
  for (const [name, cells] of seen) {
    const [, contract = '', account = ''] = /^Close (\S+) in (\S+)$/.exec(name) ?? []
    const net = symbols.get(`${account} ${contract}`) ?? 0
    expect(cells.slice(0, 2), name).toEqual([contract, `${net > 0 ? 'Long +' : 'Short −'}${String(Math.abs(net))}`])
    expect(cells[3], name).toMatch(/5,000.00$/)
  }
})
