import { expect, onTestFinished, test } from 'vitest'
import type { PositionsLive } from '#shared/api/positions.ts'
import { liveAccount, positionsOf, ruleState } from '#tests/helpers/positions-live.ts'
import { allRights } from '#tests/helpers/rights.ts'
import { account, openStore, user } from '#tests/helpers/store.ts'
import { createEvents } from '../events.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { startRuling } from './service.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

test('limits of the broker that come again after a page was given none are told again, and only then', async () => {
  const store = openStore()
  const events = createEvents()
  const told: string[] = []
  events.watch((_userId, { type }) => void told.push(type))
  const ruling = startRuling({ journal: { read: store.read, write: store.write } as unknown as JournalCalls, events, rights: allRights, log: quiet, now: Date.now })
  onTestFinished(ruling.stop)
  const line: { on: boolean; hear: (live: PositionsLive) => void } = { on: true, hear: () => undefined }
  ruling.follow({ watch: () => undefined, keepLive: () => Promise.resolve(), isOn: () => line.on, recompute: () => Promise.resolve(), onLive: (hear) => { line.hear = (live) => { hear(user.userId, live) } } })
  const live = positionsOf(1, { accounts: [liveAccount(account, { states: [ruleState('max-loss', { by: 'broker' })] })] })
  const changes = (): number => told.filter((type) => type === 'rules-changed').length

  line.hear(live)
  line.hear(live)
  expect(changes()).toBe(1)
  await ruling.rules.read(user.userId)
  line.hear(live)
  expect(changes()).toBe(1)
  // The line is closed while nobody looks; the next page is given the journal's standings, and the line comes again.
  line.on = false
  await ruling.rules.read(user.userId)
  line.on = true
  line.hear(live)
  expect(changes()).toBe(2)
})
