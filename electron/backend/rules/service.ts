import type { PositionsLive } from '#shared/api/positions.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import type { AccountRules, AccountStanding, OddsAnswer, RulePreset, RuleSet, Stage } from '#shared/api/rules.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerLimits, NowFacts } from '#shared/rules/day-facts.ts'
import { rulePresets } from '#shared/rules/presets/presets.ts'
import { unfitAmounts } from '#shared/rules/unfit-amounts.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Events } from '../events.ts'
import type { Rights } from '../plans/rights.ts'
import { entryOf, journalStanding, liveStanding, stageNow, type RuledEntry } from './rule-standings.ts'
import { createAlertWatch } from './alert-watch.ts'
import { createAlerts, type Alerts, type KeepBreach } from './alerts.ts'
import { createOddsThreads } from './odds-thread.ts'
import type { OddsQuestion } from './odds-worker.ts'
import { createSeenSessions, type SeenSessions } from './seen-sessions.ts'

/** The rules to evaluate: the account's, a preset's, or the given ones. */
export type WhichRules = { readonly own: true } | { readonly presetId: string } | { readonly set: RuleSet }

/** The part of an account's past to evaluate; `since` null is all of it. */
export type PastQuestion = { readonly account: string; readonly rules: WhichRules; readonly since: string | null }

/** The odds of an account, or why there are none. */
export type Odds = { readonly odds: OddsAnswer | null; readonly missing: 'rules' | 'days' | 'target' | null }

/** The rules of accounts, for a caller with live facts. */
export type RulesOfAccounts = {
  /**
   * Every connected account of a user by key; call it again for each evaluation. After a change of rules or of the day
   * it returns the new book; after a change of the journal the old one, until the new one is read.
   */
  readonly rulesFor: (userId: string) => Promise<ReadonlyMap<string, RuledEntry>>
  readonly standing: (entry: RuledEntry, now: NowFacts, broker: BrokerLimits | null) => AccountStanding
  /** The rule states of an account without live facts, at `at` (UTC ms). */
  readonly fromJournal: (entry: RuledEntry, at: number) => AccountStanding
  /** The highs and lows of accounts in this session. */
  readonly seen: Pick<SeenSessions, 'of' | 'keep'>
}

/** Rules of accounts, and their results. Every open page is notified of a change. */
export type Rules = RulesOfAccounts & {
  /** With live states if available. */
  readonly read: (userId: string) => Promise<{ accounts: AccountRules[]; standings: AccountStanding[] }>
  readonly presets: () => RulePreset[]
  readonly save: (userId: string, rules: Pick<AccountRules, 'account' | 'set' | 'presetId' | 'since'>) => Promise<Result<AccountRules, Refused>>
  /** What these rules would make of the account, with its live figures if available. */
  readonly try: (userId: string, given: Pick<AccountRules, 'account' | 'since'> & { readonly set: RuleSet }) => Promise<Result<AccountStanding, Refused>>
  readonly setStage: (userId: string, account: string, stage: Stage | null) => Promise<Result<AccountRules, Refused>>
  /** The whole answer of the call, as UTF-8 JSON. */
  readonly replay: (userId: string, question: PastQuestion) => Promise<Result<Uint8Array, Refused>>
  /** Rejects once `gone` aborts, because no one waits for the answer any more. */
  readonly odds: (userId: string, question: PastQuestion & Pick<OddsQuestion, 'runs' | 'seed'>, gone: AbortSignal) => Promise<Result<Odds, Refused>>
  readonly breached: KeepBreach
}

/** Dependencies; `now` is UTC ms. */
type Deps = {
  readonly journal: JournalCalls
  readonly events: Pick<Events, 'push' | 'watch'>
  readonly seen: RulesOfAccounts['seen']
  /** The live rule states of a user's accounts. */
  readonly live: (userId: string) => readonly AccountStanding[]
  /** A page shows standings: keeps their live figures and the broker's own limits coming. */
  readonly keepLive: (userId: string) => void
  /** Settles once positions are evaluated by the changed rules. */
  readonly refresh: (userId: string) => Promise<void>
  /** Runs a Monte Carlo on a thread; null if there is nothing to draw from. Rejects once the signal aborts. */
  readonly runOdds: (question: OddsQuestion, gone: AbortSignal) => Promise<OddsAnswer | null>
  readonly now: () => number
}

/** With fewer sessions a simulation would show no more than the sessions themselves. */
const fewestDays = 5
/** The sessions of a run without a time limit: a year. */
const longHorizon = 250

const tooLong = { 'too-precise': 'more than four places', 'too-large': 'too large' } as const

/** Why a rule set cannot be evaluated, for the field at `at`; null if it can. */
const whyUnfit = (set: RuleSet, at: string): ReturnType<typeof refuse> | null => {
  const [first] = unfitAmounts(set)
  return first === undefined ? null : wrongField(`${at}.${first.path}`, tooLong[first.why])
}

/** Rules over the journal. */
export const createRules = ({ journal: { read, write }, events, seen, live, keepLive, refresh, runOdds, now }: Deps): Rules => {
  type Book = ReadonlyMap<string, RuledEntry>
  /** A user's cached book, and the one being read after the journal changed. */
  type Kept = {
    readonly day: string
    book: Promise<Book>
    next: Promise<Book> | null
    stale: boolean
    /** Settles once positions are evaluated by `book`; null until someone asks. */
    evaluated: Promise<void> | null
  }
  const books = new Map<string, Kept>()
  const clearBook = (userId: string): void => void books.delete(userId)
  events.watch((userId, { type }) => {
    const kept = type === 'journal-changed' || type === 'finances-changed' ? books.get(userId) : undefined
    if (kept !== undefined) kept.stale = true
  })

  const readBook = async (userId: string, day: string): Promise<Book> => new Map((await read.ruledAccounts({ userId, day })).map((kept) => [kept.account, entryOf(kept)]))
  const keptOf = (userId: string): Kept => {
    const day = tradingDay(now())
    const known = books.get(userId)
    if (known?.day === day) return known
    const kept: Kept = { day, book: readBook(userId, day), next: null, stale: false, evaluated: null }
    books.set(userId, kept)
    kept.book.catch(() => {
      if (books.get(userId) === kept) clearBook(userId)
    })
    return kept
  }
  const renew = async (userId: string, kept: Kept): Promise<Book> => {
    kept.stale = false
    try {
      const book = await readBook(userId, kept.day)
      kept.book = Promise.resolve(book)
      kept.evaluated = null
      return book
    } catch (error) {
      kept.stale = true
      throw error
    } finally {
      kept.next = null
    }
  }
  /** The book of the current journal. */
  const freshFor = async (userId: string): Promise<Book> => {
    const kept = keptOf(userId)
    // The running read began before the last change.
    if (kept.stale && kept.next !== null) await kept.next.catch(() => undefined)
    if (kept.stale) kept.next ??= renew(userId, kept)
    return kept.next ?? kept.book
  }
  const rulesFor = (userId: string): Promise<Book> => {
    const kept = keptOf(userId)
    if (kept.stale) void freshFor(userId).catch(() => undefined)
    return kept.book
  }

  /** The last live facts of each account, by user and account: rules that are tried are evaluated by the same facts as saved ones. */
  const lastGiven = new Map<string, { readonly facts: NowFacts; readonly broker: BrokerLimits | null }>()
  const changedAt = new Map<string, number>()
  const changed = async (userId: string, account: string): Promise<Result<AccountRules, Refused>> => {
    changedAt.set(userId, now())
    clearBook(userId)
    await refresh(userId)
    events.push(userId, { type: 'rules-changed' })
    const entry = (await freshFor(userId)).get(account)
    return entry === undefined ? refuse('not-found') : ok(entry.rules)
  }

  /** The account and the rules to evaluate; null if the account has no rules of its own. */
  const rulesAsked = async (userId: string, { account, rules }: PastQuestion): Promise<Result<{ readonly entry: RuledEntry; readonly set: RuleSet | null }, Refused>> => {
    const entry = (await freshFor(userId)).get(account)
    if (entry === undefined) return refuse('not-found')
    if ('own' in rules) return ok({ entry, set: entry.rules.set })
    const set = 'set' in rules ? rules.set : rulePresets.find(({ id }) => id === rules.presetId)?.set
    if (set === undefined) return wrongField('rules.presetId', 'no such preset')
    return whyUnfit(set, 'rules.set') ?? ok({ entry, set })
  }

  return {
    rulesFor,
    seen,
    standing: (entry, facts, broker) => {
      lastGiven.set(`${entry.kept.userId} ${entry.rules.account}`, { facts, broker })
      return liveStanding(entry, facts, broker)
    },
    fromJournal: journalStanding,
    read: async (userId) => {
      keepLive(userId)
      const entries = [...(await freshFor(userId)).values()]
      // The last evaluation of positions may have used an older journal.
      await (keptOf(userId).evaluated ??= refresh(userId))
      const standings = new Map(live(userId).map((one) => [one.account, one]))
      const standing = (entry: RuledEntry): AccountStanding => {
        const known = standings.get(entry.rules.account)
        // The label may be newer than the line's last report.
        return known === undefined ? journalStanding(entry, now()) : { ...known, name: entry.kept.name, firm: entry.kept.firm, stage: stageNow(entry.rules, known) }
      }
      return { accounts: entries.map(({ rules }) => rules), standings: entries.map(standing) }
    },
    presets: () => [...rulePresets],
    save: async (userId, { account, set, presetId, since }) => {
      const entry = (await freshFor(userId)).get(account)
      if (entry === undefined) return refuse('not-found')
      const refused = set === null ? null : whyUnfit(set, 'set')
      if (refused !== null) return refused
      // A preset that this program no longer has may stay.
      if (presetId !== null && presetId !== entry.rules.presetId && !rulePresets.some(({ id }) => id === presetId)) return wrongField('presetId', 'no such preset')
      return (await write.setRules({ userId, at: now(), account, set, presetId, since })) ? changed(userId, account) : refuse('not-found')
    },
    try: async (userId, { account, set, since }) => {
      const refused = whyUnfit(set, 'set')
      if (refused !== null) return refused
      const [kept] = await read.ruledAccounts({ userId, day: tradingDay(now()), instead: { account, set, since } })
      if (kept === undefined) return refuse('not-found')
      const given = live(userId).some((one) => one.account === account) ? lastGiven.get(`${userId} ${account}`) : undefined
      return ok(given === undefined ? journalStanding(entryOf(kept), now()) : liveStanding(entryOf(kept), { ...given.facts, at: now() }, given.broker))
    },
    setStage: async (userId, account, stage) => ((await write.setStage({ userId, at: now(), account, stage })) ? changed(userId, account) : refuse('not-found')),
    replay: async (userId, question) => {
      const found = await rulesAsked(userId, question)
      if (!found.ok) return found
      const { set } = found.value
      if (set === null) return wrongField('rules', 'none are set')
      return ok(await read.replayJson({ userId, account: question.account, since: question.since, currency: set.currency, set, own: 'own' in question.rules, until: tradingDay(now()) }))
    },
    odds: async (userId, question, gone) => {
      const found = await rulesAsked(userId, question)
      if (!found.ok) return found
      const { set } = found.value
      if (set === null) return ok({ odds: null, missing: 'rules' })
      if (set.profitTarget === null) return ok({ odds: null, missing: 'target' })
      const { days, count } = await read.ruleDays({ userId, account: question.account, since: question.since, currency: set.currency })
      if (count < fewestDays) return ok({ odds: null, missing: 'days' })
      // A limit counts calendar days, five of seven of which are sessions.
      const horizon = set.timeLimit === null ? longHorizon : Math.ceil((set.timeLimit * 5) / 7)
      const odds = await runOdds({ set, days, seed: question.seed, runs: question.runs, horizon }, gone)
      return ok({ odds, missing: odds === null ? 'days' : null })
    },
    breached: async (userId, account, breach, seenAt) => {
      if (seenAt < (changedAt.get(userId) ?? 0)) return
      if (!(await write.recordBreach({ userId, account, ...breach }))) return
      clearBook(userId)
      events.push(userId, { type: 'rules-changed' })
    },
  }
}

/** The source of live positions. */
export type LivePositions = {
  /** Keeps a user's positions updated, whether a page reads them or not. */
  readonly watch: (userId: string, on: boolean) => void
  /** Keeps them coming for a moment, if the user's plan has them. */
  readonly keepLive: (userId: string) => Promise<void>
  /** Whether they are coming. */
  readonly isOn: (userId: string) => boolean
  /** Evaluates them again by the current rules, and pushes the result. */
  readonly recompute: (userId: string) => Promise<void>
  readonly onLive: (listener: (userId: string, live: PositionsLive) => void) => void
}

/** Everything about rules of accounts. */
export type RuleWatch = {
  readonly rules: Rules
  readonly alerts: Alerts
  /** Follows positions from now on. Call it once. */
  readonly follow: (positions: LivePositions) => void
  /** A user is active. */
  readonly inUse: (userId: string) => void
  /** A user signed out in a browser. */
  readonly signedOut: (userId: string) => void
  /** Ends everything running, and settles once every received alert is saved. */
  readonly stop: () => Promise<void>
}

type WatchDeps = {
  readonly journal: JournalCalls
  readonly events: Events
  readonly rights: Rights
  /** A user's accounts that the journal has only in part. */
  readonly partly: (userId: string) => Promise<ReadonlySet<string>>
  readonly log: Log
  /** The host's clock, UTC ms. */
  readonly now: () => number
}

/** Wires rules, alerts and the Monte Carlo threads. */
export const startRuleWatch = ({ journal, events, rights, partly, log, now }: WatchDeps): RuleWatch => {
  const liveByUser = new Map<string, PositionsLive>()
  /** The accounts with limits of the broker's own, by user, as pages last saw them. */
  const limitsShown = new Map<string, string>()
  const accountsWithLimits = (accounts: readonly Pick<AccountStanding, 'account' | 'states'>[]): string => accounts.filter(({ states }) => states?.some(({ by }) => by === 'broker') === true).map(({ account }) => account).join(' ')
  const liveOf = (userId: string): readonly AccountStanding[] => {
    const live = liveByUser.get(userId)
    // Live states are current only while positions are being watched.
    const current = live === undefined || positions?.isOn(userId) !== true ? [] : live.accounts.filter(({ from }) => from === 'live')
    // A page that got standings without limits needs an event when they come back.
    limitsShown.set(userId, accountsWithLimits(current))
    return current.map(({ account, name, firm, currency, stage, passed, states, balance, dayNet, dayNetOf, from, at, nearest }) => ({ account, name, firm, currency, stage, passed, states, balance, dayNet, dayNetOf, from, at, nearest }))
  }
  let positions: LivePositions | null = null
  const refresh = async (userId: string): Promise<void> => {
    try {
      await positions?.recompute(userId)
    } catch (error) {
      // Results of the old rules no longer count; the line's next report brings new ones.
      liveByUser.delete(userId)
      log.warn({ error }, 'live positions not evaluated by the new rules')
    }
  }
  const keepLive = (userId: string): void => void positions?.keepLive(userId).catch((error: unknown) => log.warn({ error }, 'live standings not available'))
  /** Notifies pages when the set of accounts with limits of the broker's own changed: these apply without rules of the user. */
  const pushNewLimits = (userId: string, { accounts }: PositionsLive): void => {
    const names = accountsWithLimits(accounts)
    if ((limitsShown.get(userId) ?? '') === names) return
    limitsShown.set(userId, names)
    events.push(userId, { type: 'rules-changed' })
  }
  const odds = createOddsThreads()
  const seen = createSeenSessions(journal, log)
  const rules = createRules({ journal, events, seen, live: liveOf, keepLive, refresh, runOdds: odds.run, now })
  const alerts = createAlerts({ journal, rules, events, partly, again: (userId) => void refresh(userId), changed: (userId) => watching.look(userId), log })
  const watching = createAlertWatch({ journal, alerts, rights, events, watch: (userId, on) => positions?.watch(userId, on), log, now })

  return {
    rules,
    alerts,
    follow: (followed) => {
      positions = followed
      positions.onLive((userId, live) => {
        liveByUser.set(userId, live)
        pushNewLimits(userId, live)
        alerts.receive(userId, live)
      })
      watching.begin()
    },
    inUse: watching.inUse,
    signedOut: watching.look,
    stop: async () => {
      await Promise.all([watching.stop(), seen.stop()])
      await odds.stop()
      await alerts.settled()
    },
  }
}
