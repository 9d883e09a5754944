import type { AlertSettings, RuleAlert } from '#shared/api/rules.ts'
import type { PositionsLive } from '#shared/api/positions.ts'
import type { Log } from '#shared/base/log.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { dueAlerts, markKey } from './alert-levels.ts'
import type { Events } from '../events.ts'
import { endsAccount } from './rule-standings.ts'
import type { AlertMark, SeenBreach } from './rows.ts'

/** Alerts of rules: their settings, their log, and pushing them to pages. */
export type Alerts = {
  readonly page: (userId: string, before: number | undefined) => Promise<{ alerts: RuleAlert[]; more: boolean; unseen: number; settings: AlertSettings }>
  readonly settings: (userId: string) => Promise<AlertSettings>
  readonly saveSettings: (userId: string, settings: AlertSettings) => Promise<AlertSettings>
  /** Returns how many are still unseen. */
  readonly seen: (userId: string, upTo: number) => Promise<number>
  /** Takes the states of a user's accounts: raises due alerts, and saves what ended an account. While it writes, only the latest states count. */
  readonly receive: (userId: string, live: PositionsLive) => void
  /** Settles once everything received is processed; drops what waits for its line to settle. */
  readonly settled: () => Promise<void>
}

/** Saves the first event that ended an account live; not if it was seen (UTC ms) before the user changed rules. */
export type KeepBreach = (userId: string, account: string, breach: SeenBreach, seenAt: number) => Promise<void>

type Deps = {
  readonly journal: JournalCalls
  readonly rules: { readonly breached: KeepBreach }
  readonly events: Pick<Events, 'push' | 'watch'>
  /** A user's accounts that the journal has only in part: their limits would name figures of that part, so they wait. */
  readonly partly: (userId: string) => Promise<ReadonlySet<string>>
  /** Gives a user's states once more, after some had to wait. */
  readonly again: (userId: string) => void
  /** Called when a user's settings changed. */
  readonly changed: (userId: string) => void
  readonly log: Pick<Log, 'error'>
  /** How long a line must be up before its facts count, ms: the broker's own limits arrive a moment after balances. */
  readonly settleMs?: number
}

/** Until the user changes them. */
const standard: AlertSettings = { on: true, at: [50, 80, 95], toast: true, system: true, sound: false }
const alertsOnPage = 50
const usualSettleMs = 3_000

type AlertState = {
  readonly settings: AlertSettings
  readonly marks: Map<string, AlertMark>
  /** Breaches that were handed on. */
  readonly breaches: Set<string>
}

/** Alerts over the journal, which stores those that were raised. */
export const createAlerts = ({ journal: { read, write }, rules, events, partly, again, changed, log, settleMs = usualSettleMs }: Deps): Alerts => {
  const known = new Map<string, Promise<AlertState>>()
  const latest = new Map<string, PositionsLive>()
  const working = new Map<string, Promise<void>>()

  const settingsOf = async (userId: string): Promise<AlertSettings> => (await read.alertSettings({ userId })) ?? standard
  const load = async (userId: string): Promise<AlertState> => {
    const [settings, marks] = await Promise.all([settingsOf(userId), read.alertMarks({ userId })])
    return { settings, marks: new Map(marks.map((mark) => [markKey(mark), mark])), breaches: new Set() }
  }
  const knownOf = (userId: string): Promise<AlertState> => {
    const there = known.get(userId) ?? load(userId)
    known.set(userId, there)
    return there
  }
  /** By user: the accounts that the journal is known to have whole, so that a push of prices asks for nothing. */
  const whole = new Map<string, ReadonlySet<string>>()
  /** Users of whom an account had to wait. */
  const held = new Set<string>()
  const wholeOf = async (userId: string, live: PositionsLive): Promise<PositionsLive> => {
    let known = whole.get(userId)
    if (known === undefined || live.accounts.some(({ account }) => known?.has(account) !== true)) {
      const waits = await partly(userId)
      known = new Set(live.accounts.map(({ account }) => account).filter((account) => !waits.has(account)))
      whole.set(userId, known)
    }
    const accounts = live.accounts.filter(({ account }) => known.has(account))
    if (accounts.length < live.accounts.length) held.add(userId)
    return { ...live, accounts }
  }
  events.watch((userId, { type }) => {
    // With other rules, breaches of the old ones no longer count.
    if (type === 'rules-changed') known.delete(userId)
    // A sync or a history may begin, or bring more.
    if (type === 'sync-progress' || type === 'sync-ended' || type === 'history-changed') whole.delete(userId)
    if ((type === 'sync-ended' || type === 'history-changed') && held.delete(userId)) again(userId)
  })

  /** `performance.now()`: a computer's clock that is set back must not hold up alerts. */
  const upSince = new Map<string, number>()
  const settling = new Map<string, NodeJS.Timeout>()
  /** The accounts whose facts are complete; the others are checked again a little later. */
  const readyOf = (userId: string, live: PositionsLive): PositionsLive => {
    let waits = false
    const isReady = ({ account, line }: PositionsLive['accounts'][number]): boolean => {
      const key = `${userId} ${account}`
      if (line !== 'up') {
        upSince.delete(key)
        return line === 'none'
      }
      const since = upSince.get(key) ?? performance.now()
      upSince.set(key, since)
      const ready = performance.now() - since >= settleMs
      waits ||= !ready
      return ready
    }
    const accounts = live.accounts.filter(isReady)
    clearTimeout(settling.get(userId))
    const again = (): void => {
      // What arrived meanwhile is newer.
      if (!latest.has(userId)) receive(userId, live)
    }
    if (waits) settling.set(userId, setTimeout(again, settleMs).unref())
    return { ...live, accounts }
  }

  const recordBreaches = async (userId: string, { at, accounts }: PositionsLive, { breaches }: AlertState): Promise<void> => {
    for (const { account, from, states } of accounts) {
      const broken = from === 'live' ? states?.find(endsAccount) : undefined
      if (broken === undefined || breaches.has(account)) continue
      breaches.add(account)
      const { tradingDay: day = tradingDay(at), at: moment = null } = broken.since ?? {}
      await rules.breached(userId, account, { rule: broken.rule, tradingDay: day, at: moment === null ? at : Date.parse(moment) }, at)
    }
  }
  const raise = async (userId: string, live: PositionsLive): Promise<void> => {
    const knows = await knownOf(userId)
    const { settings, marks } = knows
    if (settings.on) {
      const due = dueAlerts(live, settings, marks, tradingDay(live.at))
      for (const mark of due.dropped) marks.delete(markKey(mark))
      for (const mark of due.marks) marks.set(markKey(mark), mark)
      const isAny = due.alerts.length + due.marks.length + due.dropped.length > 0
      for (const alert of isAny ? await write.addAlerts({ userId, ...due }) : []) events.push(userId, { type: 'rule-alert', alert })
    }
    await recordBreaches(userId, live, knows)
  }
  const work = async (userId: string): Promise<void> => {
    for (let live = latest.get(userId); live !== undefined; live = latest.get(userId)) {
      latest.delete(userId)
      try {
        await raise(userId, await wholeOf(userId, readyOf(userId, live)))
      } catch (error) {
        // An alert that was not saved is not pushed either: the next evaluation starts from the journal.
        known.delete(userId)
        log.error({ error }, 'storing alerts failed')
      }
    }
    working.delete(userId)
  }
  const receive = (userId: string, live: PositionsLive): void => {
    latest.set(userId, live)
    if (!working.has(userId)) working.set(userId, work(userId))
  }

  return {
    receive,
    page: async (userId, before) => {
      const [{ alerts, more, unseen }, settings] = await Promise.all([read.ruleAlerts({ userId, before, limit: alertsOnPage }), settingsOf(userId)])
      return { alerts, more, unseen, settings }
    },
    settings: settingsOf,
    saveSettings: async (userId, { at, ...rest }) => {
      const settings = { ...rest, at: [...new Set(at)].sort((one, other) => one - other) }
      await write.setAlertSettings({ userId, settings })
      known.delete(userId)
      changed(userId)
      return settings
    },
    seen: (userId, upTo) => write.markAlertsSeen({ userId, upTo }),
    settled: async () => {
      for (const timer of settling.values()) clearTimeout(timer)
      await Promise.all(working.values())
    },
  }
}
