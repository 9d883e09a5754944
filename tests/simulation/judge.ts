import { currentVersion, hasEnded, openQty, type LiveOrder } from '#demo-broker/orders.ts'
import type { CopierLive } from '#shared/api/copier.ts'
import { familyOf } from '#shared/copier/contract-match.ts'
import type { Broker } from './broker.ts'
import { openBareJudge } from './judge-bare.ts'
import { openGuardJudge } from './judge-guard.ts'
import { openScreenJudge } from './judge-screen.ts'
import { openRequests } from './judge-requests.ts'
import { openLeads } from './leads.ts'
import { grantedSince, isExit, isStop, netOf, netsKnown, newLot, roundTripMs, signed, towards, unknownsTo, within, type Breach, type Known, type Lot, type Rule, type Sent, type Setting } from './lots.ts'

/**
 * Watches the brokerage alone: orders, fills and positions as they happen, and who asked for each by the request that came. Of the
 * program it knows what a user knows: the settings, the answers that were given, and the screen. It imports nothing of the copier's
 * decisions; its own sums are small on purpose.
 */

/** For so long the program may not have seen what a hand made of one of its orders: what it asked for last counts for two seconds. */
const handledMs = 3_100
/** For so long a line that came up again reads what it missed. */
const readingMs = 300
/** A cancellation of which nothing came is asked for again within this. */
const cancelAgainMs = 11_000

/** The judge of one world. */
export type Judge = ReturnType<typeof openJudge>

type Parts = {
  readonly broker: Broker
  readonly now: () => number
  readonly settings: () => readonly Setting[]
  /** Whether the program lives. */
  readonly isAlive: () => boolean
  /** What the program's screen shows now; null while it is dead. */
  readonly screen: () => CopierLive | null
  /** When the session of the world's beginning is over (UTC ms). */
  readonly overAt: number
  readonly trace: (line: string) => void
  /** Rules that are not kept an eye on. */
  readonly passOver: ReadonlySet<string>
}

/** Opens the judge's eyes; `breaches` are what it found so far. */
export const openJudge = ({ broker, now, settings, isAlive, screen, overAt, trace, passOver }: Parts) => {
  const breaches: Breach[] = []
  const lots = new Map<string, Lot>()
  const sent = new Map<number, Sent>()
  const orders = new Map<number, LiveOrder>()
  const names = new Map(broker.accounts.map(({ id, key }) => [id, key]))
  const stopsChanged = new Map<string, number>()
  const ordersChanged = new Map<string, number>()
  /** When a hand last changed an order. */
  const handled = new Map<number, number>()
  const handledIn = new Map<string, number>()
  const logins = new Map(broker.accounts.map(({ key, loginId }) => [key, loginId]))
  let unknown: Known[] = []
  const knownBy = (account: string): Known => {
    const known: Known = { login: logins.get(account) ?? '', at: now(), from: Infinity, since: Infinity }
    unknown.push(known)
    return known
  }
  broker.onHeard((login, upTo, isLast) => {
    if (unknown.length === 0) return
    for (const known of unknown) {
      if (known.login !== login || known.at > upTo) continue
      known.from = Math.min(known.from, now())
      if (isLast) known.since = now()
    }
    unknown = unknown.filter(({ since }) => since === Infinity)
  })

  const breach = (rule: Rule, lot: { readonly account: string; readonly contract: string }, says: string): void => {
    if (passOver.has(rule)) return
    breaches.push({ rule, at: now(), account: lot.account, contract: lot.contract, says })
    trace(`BREACH ${rule}: ${lot.account} ${lot.contract}: ${says}`)
  }
  const lotOf = (account: string, contract: string): Lot => {
    const key = `${account} ${contract}`
    const known = lots.get(key)
    if (known !== undefined) return known
    const lot = newLot(account, contract)
    lots.set(key, lot)
    return lot
  }
  /** `by` is the account whose line reports it. */
  const grant = (lot: Lot, granted: number, by: string | null, isTaken = false): void => {
    if (granted === lot.granted) return
    const taken = isTaken ? granted - lot.granted : 0
    lot.granted = granted
    lot.grants.push({ at: now(), granted, taken, known: by === null ? { login: '', at: now(), from: now(), since: now() } : knownBy(by) })
  }
  // Requests are counted as they come: one that the broker refuses, loses or puts off was sent all the same.
  const placed: { readonly account: string; readonly contract: string; readonly buys: boolean; readonly sentAt: number }[] = []
  const cancelAskedAt = new Map<number, number>()
  broker.onRequest(({ operation, orderId, accountId, symbol, action, sentAt }) => {
    if (operation === 'cancelorder' && orderId !== null) cancelAskedAt.set(orderId, sentAt)
    if (accountId !== null && symbol !== null) placed.push({ account: names.get(accountId) ?? '', contract: symbol, buys: action === 'Buy', sentAt })
  })
  /** Since when an order has nothing to close; for one that is too large, or an entry, since the position last changed. */
  const wrongSince = (lot: Lot, { action }: LiveOrder): number => {
    const before = lot.nets.slice(0, -1)
    if (leadOf(lot)?.setting.draft.mode === 'orders') return before.at(-1)?.at ?? 0
    const right = before.findLastIndex(({ net }) => signed(action, 1) * net < 0)
    return (right === before.length - 1 ? before.at(-1) : before[right + 1])?.at ?? 0
  }
  /** Whether an order that waits is the program's fault where it fills: it knew what changed, could cancel and did not; or another exit of its own filled. */
  const couldCancel = (lot: Lot, order: LiveOrder): boolean => {
    // One that has just arrived was right if there was something to close when it was sent.
    if (order.time > now() - roundTripMs && netsKnown(lot, sent.get(order.id)?.sentAt ?? now()).some((net) => signed(order.action, 1) * net < 0)) return false
    // One too many where another has just filled. But two of one kind that one move of the price fills had no time between them.
    const { lastExit } = lot
    if (lot.lastBy === 'exit' && (lastExit === null || lastExit.at < now() || lastExit.isStop !== isStop(order))) return true
    const line = logins.get(lot.account) ?? ''
    // A login under a penalty sends nothing, and a request counts until it is repeated.
    if (!isAlive() || broker.waitsUntil(line) > now() - roundTripMs || (handled.get(order.id) ?? 0) > now() - handledMs || (cancelAskedAt.get(order.id) ?? 0) > now() - cancelAgainMs) return false
    return Math.max(wrongSince(lot, order), broker.upSince(line) + readingMs) < now() - roundTripMs - 20
  }

  const leads = openLeads({ settings, lots, orders, names, knownBy })
  const { ruleOf, followersOf, followed, leadOf, openOrders, noteReach, reachedAt } = leads

  const { judgeCancel, lookAtBares } = openBareJudge({ leads, now, lotOf: (order) => lotOf(names.get(order.accountId) ?? '', order.contract.name), lostAt: (account) => broker.lostAt(logins.get(account) ?? ''), closesSince: ({ account, contract, made }, since) => placed.some((order) => order.account === account && order.contract === contract && order.buys === made < 0 && order.sentAt > since - roundTripMs), handledAt: ({ account, contract }) => handledIn.get(`${account} ${contract}`) ?? 0, upSince: (account) => broker.upSince(logins.get(account) ?? ''), breach })

  const requests = openRequests({ leads, lots, lotOf, now, grant, lookAtBares })

  const guards = openGuardJudge({
    settings, lots, now, screen, mark: broker.floor.mark, isSameDay: () => now() < overAt, requestedAt: requests.at, breach,
    knowsSince: (account) => {
      const line = logins.get(account) ?? ''
      return Math.max(broker.upSince(line) + readingMs, broker.waitsUntil(line))
    },
    closes: requests.lostDay,
  })
  broker.floor.hearPrices(guards.note)

  const leaderTraded = (leader: Lot, before: number, after: number): void => {
    for (const { setting, rule } of followersOf(leader.account)) {
      const match = followed(rule, leader.contract, after)
      if (match === null) continue
      const lot = lotOf(rule.account, match.contract)
      const was = followed(rule, leader.contract, before)?.target ?? 0
      const follows = setting.state === 'armed' && rule.on && !requests.isFlattened(setting.id, rule.account)
      const grows = Math.abs(match.target) > Math.abs(was) && Math.sign(match.target) === Math.sign(was === 0 ? match.target : was)
      if (after * before <= 0) lot.apart = null
      const waits = setting.state === 'paused' && rule.on && !requests.isFlattened(setting.id, rule.account)
      const missed = within(lot.missed, match.target)
      lot.missed = !waits ? missed : grows ? missed + match.target - was : Math.sign(match.target) * Math.sign(was) < 0 ? match.target : missed
      if (grows) {
        if (follows) grant(lot, within(lot.granted, match.target) + match.target - was, leader.account)
      } else if (Math.sign(match.target) * Math.sign(was) < 0) grant(lot, follows ? match.target : 0, leader.account)
      else grant(lot, within(lot.granted, match.target), leader.account)
    }
  }

  /**
   * Never doubled, never opposite: contracts that the program made are never more than the leader's fills and the user's answers ask for,
   * within rounding and caps, and never on the side against the leader.
   */
  const judgeGrowth = (lot: Lot, before: number, order: LiveOrder, by: Sent): void => {
    // The broker itself closes no more than there is.
    if (by.operation === 'liquidateposition' || knewAt(order, by) <= lot.decidedAt || isFlattened(lot, order, by)) return
    // What it could not know does not count, nor what it has no time to cancel any more.
    const at = knewAt(order, by)
    const allowed = grantedSince(lot, at)
    const isTooFar = ({ made }: { readonly made: number }): boolean => {
      const [was, is] = [before - made, lot.made - made]
      const grows = Math.abs(is) > Math.abs(was) || Math.sign(is) * Math.sign(was) < 0
      if (!grows || is === 0) return false
      const side = Math.sign(is)
      const most = Math.max(reachedAt(lot, side, at), ...allowed.map((granted) => granted * side))
      return Math.abs(is) > most
    }
    // An order that was sent later knew of what happened in between, and made up for it.
    const madeUp = placed.some(({ account, contract, buys, sentAt }) => account === lot.account && contract === lot.contract && buys === (order.action === 'Buy') && sentAt > at)
    const unknowns = [...unknownsTo(lot, order, at), ...(madeUp ? [{ hand: 0, made: 0 }] : [])]
    const [unknown] = unknowns
    if (unknown === undefined || !unknowns.every(isTooFar)) return
    const [was, side] = [before - unknown.made, Math.sign(lot.made - unknown.made)]
    if (isExit(order) && !couldCancel(lot, order)) return
    const what = `the program made ${String(lot.made)} (was ${String(before)}) by order ${String(order.id)} (${currentVersion(order).type}); granted ${JSON.stringify(allowed.slice(-4))}`
    if ((lot.hand - unknown.hand) * side < 0) breach('hands-off', lot, what)
    else breach((was !== 0 && Math.sign(was) !== side) || isExit(order) ? 'opposite' : 'doubled', lot, what)
  }
  /** The moment whose knowledge an order is judged by: when it was sent; of one that waits and has not just arrived, when it could have been canceled last. */
  const knewAt = (order: LiveOrder, { sentAt }: Sent): number => (isExit(order) && order.time <= now() - roundTripMs ? now() - roundTripMs : sentAt)

  /** Until the program says what came of an account that its user has closed whatever that holds is closed, as far as the program could know what that is; and the broker itself closes all that there is. */
  const isFlattened = (lot: Lot, order: LiveOrder, by: Sent): boolean =>
    (by.operation === 'liquidateposition' && requests.isClosing(lot.account, lot.contract, by.sentAt)) ||
    (requests.isFlattening(lot.account, by.sentAt) && [{ hand: 0, made: 0 }, ...unknownsTo(lot, order, knewAt(order, by))].some(({ hand, made }) => (netOf(lot) - hand - made) * signed(order.action, 1) <= 0))

  /** Hand-made quantity is untouched: no order of the program takes from contracts that a hand made. */
  const judgeHands = (lot: Lot, net: number, order: LiveOrder, by: Sent): void => {
    const views = unknownsTo(lot, order, knewAt(order, by)).map(({ hand, made }) => ({ hand: lot.hand - hand, was: net - hand - made, is: netOf(lot) - hand - made }))
    if (knewAt(order, by) <= lot.decidedAt || isFlattened(lot, order, by) || (isExit(order) && !couldCancel(lot, order))) return
    const isTaken = ({ hand, was, is }: (typeof views)[number]): boolean => hand !== 0 && Math.sign(was) === Math.sign(hand) && Math.abs(within(was, hand)) > Math.abs(within(is, hand))
    const [view] = views
    if (view !== undefined && views.every(isTaken)) breach('hands-off', lot, `of ${String(view.hand)} that a hand made ${String(within(view.is, view.hand))} are left by order ${String(order.id)}`)
  }

  /**
   * Never a hedge: no order of the program brings an account to the side against another account of the user, unless the other came there
   * after the order was sent. One that trades the other side of its leader stands against the leader and whoever copies it the plain way, and
   * against nobody else. An exit that waits is its fault where it could have been canceled.
   */
  const judgeHedge = (lot: Lot, net: number, madeBefore: number, order: LiveOrder, by: Sent): void => {
    // Of its market orders that were under way together the one that was sent last opened, in whichever order they fill.
    const sentAt = isExit(order) ? by.sentAt : Math.max(by.sentAt, ...[...orders.values()].filter((other) => names.get(other.accountId) === lot.account && other.contract === order.contract && other.action === order.action && !isExit(other) && other.filled > 0 && isProgram(other.id)).map(({ id }) => sent.get(id)?.sentAt ?? 0))
    const after = netOf(lot)
    // Taking off what it made itself leaves the rest to whoever made that.
    if ((isExit(order) && !couldCancel(lot, order)) || within(lot.made, madeBefore) === lot.made) return
    const opens = ({ hand, made }: { readonly hand: number; readonly made: number }): boolean => {
      const [was, is] = [net - hand - made, after - hand - made]
      return is * after > 0 && (Math.sign(is) !== Math.sign(was) || Math.abs(is) > Math.abs(was))
    }
    if (!unknownsTo(lot, order, knewAt(order, by)).every(opens)) return
    const family = familyOf(lot.contract)
    const mine = ruleOf(lot.account, lot.contract)
    for (const other of lots.values()) {
      const against = netOf(other)
      if (other.account === lot.account || familyOf(other.contract) !== family || against * after >= 0 || netsKnown(other, sentAt).some((known) => known * after >= 0)) continue
      const theirs = mine?.setting.draft.followers.find(({ account }) => account === other.account)
      const opposes = other.account === mine?.setting.draft.leader ? mine.rule.invert : theirs !== undefined && theirs.invert !== mine?.rule.invert
      if (opposes) continue
      breach('hedge', lot, `${String(after)} against ${String(against)} ${other.contract} of ${other.account}`)
    }
  }
  /**
   * Never above a cap: whatever a hand holds besides, no order of the program brings an account above its largest position or its contracts
   * above their cap, as far as the program could know, and of an order that waits as far as it had time to change it.
   */
  const judgeCap = (lot: Lot, net: number, madeBefore: number, order: LiveOrder, by: Sent): void => {
    // Taking off what it made itself leaves the rest to whoever made that.
    if (Math.abs(netOf(lot)) <= Math.abs(net) || (isExit(order) && !couldCancel(lot, order)) || within(lot.made, madeBefore) === lot.made) return
    const at = knewAt(order, by)
    const unknowns = [{ hand: 0, made: 0 }, ...unknownsTo(lot, order, at)]
    const least = (of: (unknown: (typeof unknowns)[number]) => number): number => Math.min(...unknowns.map((unknown) => Math.abs(of(unknown))))
    const rules = [...requests.rulesSince(lot.account, at), ruleOf(lot.account, lot.contract)?.rule].filter((rule) => rule !== undefined)
    const most = Math.max(0, ...rules.map(({ maxPosition }) => maxPosition ?? Infinity))
    const others = [...lots.values()].filter((each) => each.account === lot.account && each !== lot)
    const held = others.reduce((sum, each) => sum + Math.min(...[netOf(each), ...netsKnown(each, at)].map(Math.abs)), least(({ hand, made }) => netOf(lot) - hand - made))
    if (rules.length > 0 && held > most) breach('above-cap', lot, `holds ${String(held)}, largest position ${String(most)}`)
    const cap = Math.max(0, ...rules.map(({ contractCap }) => contractCap ?? Infinity))
    const made = least((unknown) => lot.made - unknown.made)
    if (rules.length > 0 && made > cap && Math.abs(lot.made) > Math.abs(madeBefore)) breach('above-cap', lot, `made ${String(made)}, contract cap ${String(cap)}`)
  }

  /** What was taken off is not asked for any more; what the leader asks for on the other side stays. */
  const takeBack = (lot: Lot, before: number): void => {
    // What is on its way there was asked for besides.
    const coming = openOrders(lot.account, lot.contract).filter((order) => isProgram(order.id) && !isExit(order)).reduce((sum, order) => sum + within(signed(order.action, openQty(order)), before * Infinity), 0)
    if (lot.granted * before > 0) grant(lot, within(lot.granted, lot.made + coming), lot.account, true)
    // Of a leader that is flat or has turned nothing is left to stand apart from.
    if ((leadOf(lot)?.target ?? 0) * before > 0) lot.apart ??= 'taken'
  }
  const filled = (order: LiveOrder, qty: number, price: number): void => {
    const account = names.get(order.accountId)
    if (account === undefined) return
    const lot = lotOf(account, order.contract.name)
    const by = sent.get(order.id) ?? { by: 'hand', operation: '', sentAt: now() }
    if (by.by === 'program') guards.heedLocks()
    const [net, made] = [netOf(lot), lot.made]
    const q = signed(order.action, qty)
    if (by.by === 'program') {
      // What was on its way when its user was given all of it closes the user's.
      const given = !isExit(order) && by.sentAt <= lot.decidedAt && lot.hand * q < 0 ? towards(q, Math.min(Math.abs(q), Math.abs(lot.hand))) : 0
      lot.hand += given
      lot.made += q - given
      if (isExit(order)) lot.hands.push({ by: 'exit', hand: 0, made: q, known: knownBy(account) })
    } else {
      // A manual trade reduces the user's own contracts first, then copied ones, and opens its own with the rest.
      const own = lot.hand * q < 0 ? towards(q, Math.min(Math.abs(q), Math.abs(lot.hand))) : 0
      const taken = lot.made * q < 0 ? towards(q, Math.min(Math.abs(q - own), Math.abs(lot.made))) : 0
      lot.made += taken
      lot.hand += q - taken
      lot.hands.push({ by: 'hand', hand: q - taken, made: taken, known: knownBy(account) })
      if (taken !== 0) takeBack(lot, made)
    }
    lot.nets.push({ at: now(), net: netOf(lot), known: knownBy(account) })
    guards.filled(account, order.contract, order.action, qty, price)
    guards.note()
    trace(`fill ${by.by} ${lot.account} ${lot.contract} ${q > 0 ? '+' : ''}${String(q)} by ${String(order.id)} (${currentVersion(order).type}) -> ${String(netOf(lot))} (made ${String(lot.made)}, hand ${String(lot.hand)})`)
    if (followersOf(account).length > 0) {
      leaderTraded(lot, net, netOf(lot))
      noteReach(lot)
    }
    if (by.by === 'program') {
      judgeGrowth(lot, made, order, by)
      judgeHands(lot, net, order, by)
      judgeHedge(lot, net, made, order, by)
      judgeCap(lot, net, made, order, by)
      if (Math.abs(lot.made) > Math.abs(made) && Math.abs(netOf(lot)) > Math.abs(net) && (!isExit(order) || couldCancel(lot, order))) guards.opened(lot, knewAt(order, by))
    }
    const isEntry = Math.abs(lot.made) > Math.abs(made) && leadOf(lot)?.setting.draft.mode === 'orders'
    lot.lastBy = by.by === 'hand' ? 'hand' : isExit(order) && !isEntry ? 'exit' : 'market'
    lot.lastExit = lot.lastBy === 'exit' ? { isStop: isStop(order), at: now() } : null
    if (by.by !== 'program') return
    // What a hand made meanwhile was closed with the rest.
    if (netOf(lot) === 0 && requests.isFlattening(account, by.sentAt)) requests.take(lot)
    // Its own exit took it off before the leader's did: only a new fill of the leader asks for more.
    if (isExit(order) && Math.abs(lot.made) < Math.abs(made)) takeBack(lot, made)
  }

  /** A position that the broker refuses to close stays. */
  const closeRefused = (lot: Lot): void => {
    const stands = within(lot.made, leadOf(lot)?.target ?? 0)
    if (Math.abs(stands) > Math.abs(lot.granted)) grant(lot, stands, lot.account)
  }

  const isProgram = (orderId: number): boolean => sent.get(orderId)?.by === 'program'

  broker.floor.listen((change) => {
    const asked = broker.asked()
    if (change.entityType === 'order') {
      const order = orders.get(change.entity.id) ?? broker.floor.orders().find(({ id }) => id === change.entity.id)
      if (order === undefined) return
      if (!orders.has(order.id)) {
        orders.set(order.id, order)
        sent.set(order.id, asked?.by === 'program' ? asked : { by: 'hand', operation: 'hand', sentAt: now() })
      }
      const account = names.get(order.accountId) ?? ''
      if (asked?.by === 'hand') {
        handled.set(order.id, now())
        handledIn.set(`${account} ${order.contract.name}`, now())
      }
      if (isExit(order) && followersOf(account).length > 0) noteReach(lotOf(account, order.contract.name))
      lotOf(account, order.contract.name)
      ordersChanged.set(`${account} ${order.contract.name}`, now())
      if (isStop(order)) stopsChanged.set(`${account} ${order.contract.name}`, now())
      const { type, qty, limit, stop } = currentVersion(order)
      trace(`order ${asked === null ? 'market' : asked.by === 'program' ? asked.operation : 'hand'}: ${account} ${order.contract.name} ${order.action} ${String(qty)} ${type}${limit === null ? '' : ` @${String(limit)}`}${stop === null ? '' : ` stop ${String(stop)}`} #${String(order.id)} ${order.status}`)
      if (order.status === 'Canceled' && asked?.by === 'program') judgeCancel(order, asked)
      if (order.status === 'Rejected' && sent.get(order.id)?.operation === 'liquidateposition') closeRefused(lotOf(account, order.contract.name))
    }
    if (change.entityType === 'fill' && change.eventType === 'Created') {
      const row = change.entity as { readonly orderId?: unknown; readonly qty?: unknown; readonly price?: unknown }
      const order = orders.get(Number(row.orderId))
      if (order !== undefined) filled(order, Number(row.qty), Number(row.price))
    }
    lookAtBares()
  })

  /** Nothing is left behind that may open a position: what the program has working closes what its account holds, both exits of an OCO counted once. */
  const judgeLeft = (): void => {
    const seen = new Set<string>()
    for (const order of orders.values()) {
      const account = names.get(order.accountId) ?? ''
      const key = `${account} ${order.contract.name}`
      if (hasEnded(order) || sent.get(order.id)?.by !== 'program' || seen.has(key)) continue
      seen.add(key)
      const working = openOrders(account, order.contract.name).filter(({ id, parentId }) => sent.get(id)?.by === 'program' && parentId === null)
      const lot = lotOf(account, order.contract.name)
      const net = netOf(lot)
      for (const action of ['Buy', 'Sell']) {
        const all = working.filter((each) => each.action === action)
        const most = all.reduce((sum, each) => sum + (each.oco !== null && all.includes(each.oco) ? openQty(each) / 2 : openQty(each)), 0)
        const side = signed(action, 1)
        const follows = ruleOf(account, order.contract.name)
        const entries = follows?.setting.state !== 'off' && follows?.rule.on === true ? Math.max(0, reachedAt(lot, side, now()) - Math.max(0, lot.made * side)) : 0
        const room = (side * net < 0 ? Math.abs(net) : 0) + entries
        if (most > room) breach('left-behind', lot, `${String(most)} ${action} of the program's work while it holds ${String(net)}: ${all.map(({ id }) => String(id)).join(', ')}`)
      }
      const known = ruleOf(account, order.contract.name)
      const goes = known === null || known.setting.state === 'off' || !known.rule.on
      if (goes && working.length > 0 && known?.setting.draft.leftExits === 'cancel') breach('left-behind', lot, `nobody follows there, exits are to be cancelled, and ${String(working.length)} work`)
    }
  }

  const { judgeScreen, glance } = openScreenJudge({ leads, settings, lots, lotOf, now, stopsChanged, ordersChanged, upSince: (account) => broker.upSince(logins.get(account) ?? ''), accounts: [...names.values()], isProgram, requestedAt: requests.at, isClosing: (account, contract) => requests.isClosing(account, contract, now()), lostAt: (account) => broker.lostAt(logins.get(account) ?? ''), breach })

  return {
    breaches,
    glance,
    requests,
    guards,
    /** Looks at what has to be over by now. */
    look: (): void => {
      lookAtBares()
      guards.look()
      },
    atRest: (live: CopierLive | null): void => {
      judgeLeft()
      if (live !== null && isAlive()) judgeScreen(live)
    },
    crashed: (error: unknown): void => {
      breach('crashed', { account: '', contract: '' }, error instanceof Error ? (error.stack ?? error.message) : String(error))
    },
    net: (account: string, contract: string): number => netOf(lotOf(account, contract)),
    working: (account: string): LiveOrder[] => [...orders.values()].filter((order) => !hasEnded(order) && names.get(order.accountId) === account && order.status === 'Working' && currentVersion(order).type !== 'Market'),
    isProgram,
  }
}
