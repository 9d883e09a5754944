import { onTestFinished } from 'vitest'
import { startTestBroker, type TestBroker, type TestBrokerOptions } from '#tests/demo-broker/broker.ts'
import { createHistory, type History } from '#backend/sync/history.ts'
import { createImports } from '#backend/imports/imports.ts'
import { reportOf } from '#backend/sync/logins.ts'
import type { ReportQuery } from '#backend/brokers/tradovate/reports.ts'
import { ok } from '#shared/base/result.ts'
import type { LoginHistory } from '#shared/api/history.ts'
import { allRights } from './rights.ts'
import { brokerageAt } from './stand-in.ts'
import { openSyncJournal, strictLog, type SyncJournal } from './sync-journal.ts'
import { testTiming } from './test-timing.ts'

/** A journal that is synced from a stand-in and takes its past from there. */
export type HistoryJournal = SyncJournal & {
  readonly broker: TestBroker
  readonly history: History
  readonly loginId: string
  /** The reports that were asked for, in their order. */
  readonly asked: ReportQuery[]
  /** What was pushed to pages. */
  readonly pushed: LoginHistory[]
  /** The program starts again on the same journal, without anything that it kept in memory. */
  readonly restarted: () => History
  /** The history of the login. */
  readonly standing: () => Promise<LoginHistory>
}

export const ava = 'ava.morgan'

/** Connects a login of a stand-in with its clock at the end of its walk. `beforeReport` is called before each request to the reporting service, and `instead` replaces its text. */
export const openHistoryJournal = async (given: { readonly options?: Partial<TestBrokerOptions>; readonly beforeReport?: (query: ReportQuery, count: number) => void | Promise<void>; readonly instead?: (text: string, query: ReportQuery) => string } = {}): Promise<HistoryJournal> => {
  const broker = await startTestBroker({ anchor: '2026-11-20', ...given.options })
  onTestFinished(broker.stop)
  await broker.archive()
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing: testTiming(broker.clock.now()), timeoutMs: 60_000 })
  const asked: ReportQuery[] = []
  const pushed: LoginHistory[] = []
  const start = (): History => {
    const stop = new AbortController()
    const history = createHistory({
      journal: it.journal,
      imports: createImports({ journal: it.journal, now: broker.clock.now }),
      report: async ({ userId, loginId, ...query }) => {
        await given.beforeReport?.(query, asked.length)
        asked.push(query)
        const answer = await reportOf(it.logins, { userId, loginId }, query, stop.signal)
        return answer.ok && given.instead !== undefined ? ok(given.instead(answer.value, query)) : answer
      },
      now: broker.clock.now,
      idle: () => Promise.resolve(),
      rights: allRights,
      changed: (_, login) => void pushed.push(login),
      added: () => undefined,
      log: strictLog,
    })
    // A test may leave one waiting for an answer that never comes.
    onTestFinished(() => void history.close())
    return history
  }
  const loginId = await it.connect(ava)
  const history = start()
  return {
    ...it, broker, history, loginId, asked, pushed,
    restarted: start,
    standing: async () => {
      const { logins } = await history.state(it.userId)
      const login = logins.find((each) => each.loginId === loginId)
      if (login === undefined) throw new Error('The login has no history')
      return login
    },
  }
}
