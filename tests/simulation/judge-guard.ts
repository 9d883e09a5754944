import { feePerContract, ticksOf, type Contract } from '#demo-broker/contracts.ts'
import type { CopierLive, FollowerRule, LiveFollower } from '#shared/api/copier.ts'
import { netOf, signed, type Lot, type Rule, type Setting } from './lots.ts'

/**
 * For so long the program may not know what an account lost: the open part comes of the broker's snapshot, of which one account is asked for
 * at most every five seconds and one login every second; and what changed since the last look is looked at twice more.
 */
const knowingMs = 12_000

/** What one follower with a daily loss came to, moments in UTC ms. */
type Watched = {
  /** Since when its day is at the loss or beyond; Infinity while it is not. */
  lostSince: number
  /** When it was last. */
  lostAt: number
  /** Whether it was, and whether manual trades exceeded its position limit, since its user last unlocked it. */
  hasLost: boolean
  wasTooLarge: boolean
  /** Since when it has to be locked. */
  lockedSince: number
}

type Parts = {
  readonly settings: () => readonly Setting[]
  readonly lots: ReadonlyMap<string, Lot>
  readonly now: () => number
  /** What a contract trades at, in ticks. */
  readonly mark: (contract: Contract) => number
  /** Whether this is still the session in which the world began. */
  readonly isSameDay: () => boolean
  /** From when on nothing kept the program from knowing an account. */
  readonly knowsSince: (account: string) => number
  /** When the user last asked for something. */
  readonly requestedAt: () => number
  readonly screen: () => CopierLive | null
  /** A loss had the program close all of a follower; false where that is known. */
  readonly closes: (setting: Setting, account: string) => boolean
  readonly breach: (rule: Rule, lot: { readonly account: string; readonly contract: string }, says: string) => void
}

/** Watches followers with a guard and a daily loss, by sums of its own from the broker's fills, fees and prices, in 1/10,000 of a dollar. */
export const openGuardJudge = ({ settings, lots, now, mark, isSameDay, knowsSince, requestedAt, screen, closes, breach }: Parts) => {
  const cash = new Map<string, number>()
  const contracts = new Map<string, Contract>()
  const watched = new Map<string, Watched>()
  /** When the program last held contracts that it made, by account. */
  const madeAt = new Map<string, number>()

  const guarded = (): { readonly setting: Setting; readonly rule: FollowerRule; readonly state: Watched }[] =>
    settings().flatMap((setting) => (setting.state === 'off' ? [] : setting.draft.followers.filter(({ on, guard, dailyLoss }) => on && guard && dailyLoss !== null).map((rule) => {
      const key = `${setting.id} ${rule.account}`
      const state = watched.get(key) ?? { lostSince: Infinity, lostAt: 0, hasLost: false, wasTooLarge: false, lockedSince: Infinity }
      watched.set(key, state)
      return { setting, rule, state }
    })))
  /** What the day of an account came to, open positions at the price that is traded, fees taken off. */
  const dayOf = (account: string): number => {
    let sum = cash.get(account) ?? 0
    for (const lot of lots.values()) {
      const contract = lot.account === account ? contracts.get(lot.contract) : undefined
      if (contract !== undefined) sum += netOf(lot) * mark(contract) * contract.product.tickValue
    }
    return sum
  }
  const lockOn = (live: CopierLive | null, setting: Setting, account: string): LiveFollower['lock'] =>
    live?.groups.find(({ id }) => id === setting.id)?.followers.find((each) => each.account === account)?.lock ?? null

  const noteMade = (): void => {
    for (const { account, made } of lots.values()) if (made !== 0) madeAt.set(account, now())
  }
  /** Records the state of every guarded follower, after each fill and at each price. */
  const note = (): void => {
    noteMade()
    if (!isSameDay()) return
    for (const { rule, state } of guarded()) {
      const isLost = dayOf(rule.account) <= Number(rule.dailyLoss) * -10_000
      state.lostSince = isLost ? Math.min(state.lostSince, now()) : Infinity
      if (isLost) state.lostAt = now()
      state.hasLost ||= isLost
      const held = [...lots.values()].reduce((sum, lot) => (lot.account === rule.account ? sum + Math.abs(netOf(lot)) : sum), 0)
      state.wasTooLarge ||= rule.maxPosition !== null && held > rule.maxPosition
    }
  }
  /** Where the screen says that a loss has locked a follower of which the program holds contracts, all of its account is closed; what its user alone lost is not the program's to close. */
  const heedLocks = (live: CopierLive | null): void => {
    noteMade()
    for (const { setting, rule } of guarded()) {
      if (lockOn(live, setting, rule.account) !== 'daily-loss' || !closes(setting, rule.account)) continue
      if ((madeAt.get(rule.account) ?? 0) < now() - knowingMs) breach('guard', { account: rule.account, contract: '' }, 'the loss of the day is its user\'s alone, and the program closes it')
    }
  }

  /**
   * The guard: a follower that has lost its day is locked as soon as the program can know of it, and the screen says so; and none is locked
   * for a loss or a size that was not there.
   */
  const look = (): void => {
    if (!isSameDay()) return
    const all = guarded()
    const live = all.length === 0 ? null : screen()
    if (live === null) return
    note()
    heedLocks(live)
    for (const { setting, rule, state } of all) {
      const lot = { account: rule.account, contract: '' }
      const lock = lockOn(live, setting, rule.account)
      const knows = Math.max(state.lostSince, requestedAt(), knowsSince(rule.account), knowsSince(setting.draft.leader), ...[...lots.values()].map(({ account, nets }) => (account === rule.account ? (nets.at(-1)?.at ?? 0) : 0)))
      if (knows < now() - knowingMs) state.lockedSince = Math.min(state.lockedSince, now())
      if (state.lockedSince < Infinity && lock === null) breach('guard', lot, `its day came to ${String(dayOf(rule.account) / 10_000)} of -${String(rule.dailyLoss)}, and it is not locked`)
      if (lock === 'daily-loss' && !state.hasLost) breach('guard', lot, `it is locked for the loss of a day that came to ${String(dayOf(rule.account) / 10_000)} of -${String(rule.dailyLoss)}`)
      if (lock === 'guard' && !state.hasLost && !state.wasTooLarge) breach('guard', lot, `its guard has locked it at ${String(dayOf(rule.account) / 10_000)} of -${String(rule.dailyLoss)}`)
      const shown = live.groups.find(({ id }) => id === setting.id)?.followers.find(({ account }) => account === rule.account)?.state
      if (lock !== null && shown !== 'locked' && shown !== 'unprotected') breach('guard', lot, `it is locked, and the row says ${String(shown)}`)
    }
  }

  return {
    look, note,
    heedLocks: (): void => {
      if (guarded().length > 0) heedLocks(screen())
    },
    filled: (account: string, contract: Contract, action: string, qty: number, price: number): void => {
      contracts.set(contract.name, contract)
      const { product } = contract
      cash.set(account, (cash.get(account) ?? 0) - signed(action, qty) * (ticksOf(product, price) ?? 0) * product.tickValue - qty * feePerContract(product))
    },
    /** No order of the program that was sent once a follower had to be locked opens anything there. */
    opened: (lot: Lot, knew: number): void => {
      for (const { rule, state } of guarded()) {
        if (rule.account === lot.account && knew > state.lockedSince) breach('guard', lot, `the program made ${String(lot.made)} after the loss of the day`)
      }
    },
    /** An unlock or a changed setting starts a new check; the program may not know yet that its line is back. */
    forget: (id: string, account: string | null): void => {
      for (const [key, state] of watched) if (key.startsWith(`${id} `) && (account === null || key === `${id} ${account}`)) Object.assign(state, { lostSince: Infinity, lockedSince: Infinity, ...(account === null ? {} : { hasLost: state.lostAt > now() - knowingMs, wasTooLarge: false }) })
      note()
    },
  }
}
