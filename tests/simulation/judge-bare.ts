import type { LiveOrder } from '#demo-broker/orders.ts'
import type { Leads } from './leads.ts'
import { exposed, isStop, netOf, roundTripMs, signed, type Lot, type Rule, type Sent } from './lots.ts'

/** For so long exits may be on their way to what the leader has. */
const changingMs = 5_000
/** For so long the broker may take for what it was asked for. */
const slowMs = 1_000
/** For so long the program looks up a request whose answer it did not get. */
const doubtMs = 15_000

/**
 * For so long a close may take whose stop went first, counted from the stop's end at the broker. One round trip is the least: the end has to be reported,
 * and the close has to arrive. The second one is the reading of the fills of the stop that ended, which begins once that is reported: the broker gives no
 * order in which a fill and an order's end are reported, and sends no numbers by which a gap would show, so an end alone does not say that nothing filled just
 * before it; a close sent without that reading could turn the position. The way without it, the count that execution reports may carry (`cumQty`), is
 * not known to be there where an order is canceled. The rest is the moment for which a leader's copies go before all else.
 */
const closingMs = 2 * roundTripMs + 30

type Bare = { readonly since: number; readonly until: number; readonly lot: Lot; readonly side: number; readonly says: string }

type Parts = {
  readonly leads: Leads
  readonly now: () => number
  readonly lotOf: (order: LiveOrder) => Lot
  /** When a request of an account's login was last lost with its answer. */
  readonly lostAt: (account: string) => number
  /** Whether the program asked since a moment for what closes a lot. */
  readonly closesSince: (lot: Lot, since: number) => boolean
  /** When a hand last changed an order of a lot. */
  readonly handledAt: (lot: Lot) => number
  /** Since when a running program receives an account's events. */
  readonly upSince: (account: string) => number
  readonly breach: (rule: Rule, lot: { readonly account: string; readonly contract: string }, says: string) => void
}

/** Checks that no position is without protection. */
export const openBareJudge = ({ leads, now, lotOf, lostAt, closesSince, handledAt, upSince, breach }: Parts) => {
  const { covered, guarded } = leads
  let bares: Bare[] = []

  /**
   * Never bare: the program does not cancel a stop that protects a position while the leader's stops cover the leader's, whatever their sizes become;
   * where the leader had none for a moment or turned, it leaves no more than two round trips without one: to read that nothing of the old one filled, and
   * for what closes or protects to arrive.
   */
  const judgeCancel = (order: LiveOrder, by: Sent): void => {
    if (by.operation !== 'cancelorder' || !isStop(order)) return
    const lot = lotOf(order)
    const lead = guarded(lot)
    if (lead === null || signed(order.action, 1) * lot.made >= 0 || covered(lot.account, lot.contract, lot.made) >= Math.abs(lot.made)) return
    const { leader } = lead
    const leads = netOf(leader)
    const stands = leads !== 0 && covered(leader.account, leader.contract, leads) >= Math.abs(leads)
    // The leader took its stop away, and the follower's goes with it; it may have been slow to go.
    if ((leads !== 0 && !stands) || leader.reaches.findLast(({ known }) => known.since <= by.sentAt)?.isBare === true) return
    const says = `its stop ${String(order.id)} was canceled while it held ${String(lot.made)}`
    const isSameSide = leader.nets.filter(({ at }) => at > now() - changingMs).every(({ net }) => net * leads > 0)
    // In order mode it may have been an entry on that side before.
    // What a hand took away just now the program counted on.
    if (stands && isSameSide && handledAt(lot) < now() - roundTripMs && Math.max(leader.coveredSince, upSince(leader.account)) < now() - 500 && lead.setting.draft.mode === 'fills') breach('bare', lot, says)
    else bares.push({ since: now(), until: now() + closingMs, lot, side: Math.sign(lot.made), says })
  }
  const lookAtBares = (): void => {
    bares = bares.filter((bare) => {
      const { lot } = bare
      // A position on the other side by now is another one.
      if (Math.sign(lot.made) !== bare.side || guarded(lot) === null || covered(lot.account, lot.contract, lot.made) >= exposed(lot)) return false
      // It is not yet known what a lost request closed.
      if (lostAt(lot.account) > bare.since - doubtMs && now() < lostAt(lot.account) + doubtMs + slowMs) return true
      // What was asked for in time the broker may be slow to do, or to refuse.
      const until = closesSince(lot, bare.since) ? bare.until + slowMs : bare.until
      if (now() <= Math.max(until, upSince(lot.account) + 500 + closingMs)) return true
      breach('bare', lot, `${bare.says}, and for more than two round trips there was none`)
      return false
    })
  }

  return { judgeCancel, lookAtBares }
}
