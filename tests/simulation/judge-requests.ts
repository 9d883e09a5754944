import type { FollowerRule } from '#shared/api/copier.ts'
import type { Leads } from './leads.ts'
import { netKnown, netOf, type Lot, type Setting } from './lots.ts'

/** For so long the program closes a follower at its daily loss limit. */
const losingMs = 120_000

type Parts = {
  readonly leads: Leads
  readonly lots: ReadonlyMap<string, Lot>
  readonly lotOf: (account: string, contract: string) => Lot
  readonly now: () => number
  readonly grant: (lot: Lot, granted: number, by: string | null) => void
  readonly lookAtBares: () => void
}

/** Keeps the user's settings, answers and button presses, and what they allow and forbid. */
export const openRequests = ({ leads, lots, lotOf, now, grant, lookAtBares }: Parts) => {
  const { leadsTo, ruleOf, followed, leadOf } = leads
  const caps: { readonly at: number; readonly account: string; readonly rule: FollowerRule }[] = []
  /** Followers whose group was flattened and that were not unlocked since. */
  const flattened = new Set<string>()
  let requestedAt = 0
  /** Closes by the user, until the program reported their outcome or died. */
  const flattenings: { readonly account: string; readonly from: number; until: number }[] = []
  const closings: { readonly account: string; readonly contract: string | null; readonly from: number; until: number }[] = []

  /** By the user's decision a whole lot belongs to the program, or to the user: also manual trades that the program has not received yet. */
  const take = (lot: Lot): void => {
    lot.hands = lot.hands.map(({ hand, made, ...rest }) => ({ ...rest, hand: 0, made: hand + made }))
    Object.assign(lot, { hand: 0, made: netOf(lot), decidedAt: now() })
  }
  const closed = (lot: Lot): void => {
    requestedAt = now()
    grant(lot, 0, null)
    take(lot)
    lot.apart = 'requested'
  }
  const leave = (lot: Lot): void => {
    lot.hands = lot.hands.map(({ hand, made, ...rest }) => ({ ...rest, hand: hand + made, made: 0 }))
    Object.assign(lot, { hand: netOf(lot), made: 0, decidedAt: now() })
  }

  /** Target changes of leader fills that the program has not received yet: for the user they are the leader's next trades. */
  const unheardOf = ({ rule, leader, target }: NonNullable<ReturnType<typeof leadOf>>): number => {
    const knew = followed(rule, leader.contract, netKnown(leader, now()))?.target ?? 0
    if (knew * target < 0) return target
    return Math.abs(target) > Math.abs(knew) ? target - knew : 0
  }

  /** Grants where the leader stands: by what the program knows of it, and by what it will. */
  const grantTarget = (lot: Lot, lead: ReturnType<typeof leadOf>): void => {
    if (lead !== null) grant(lot, followed(lead.rule, lead.leader.contract, netKnown(lead.leader, now()))?.target ?? 0, null)
    grant(lot, lead?.target ?? 0, lead?.leader.account ?? null)
  }

  return {
    /** When the user last made a request. */
    at: (): number => requestedAt,
    take,
    /** Rules of an account that stood at a moment or later, and were changed since. */
    rulesSince: (account: string, at: number): FollowerRule[] => caps.filter((each) => each.account === account && each.at >= at).map(({ rule }) => rule),
    /** Whether a follower's group was flattened, and the follower not unlocked since. */
    isFlattened: (id: string, account: string): boolean => flattened.has(`${id} ${account}`),
    /** Whether the program was closing all of an account at a moment: until it reported the outcome, or died. */
    isFlattening: (account: string, at: number): boolean => flattenings.some((each) => each.account === account && each.from <= at && at <= each.until),
    /** The user changed a setting: what it allows by itself, and what it forbids. */
    set: (before: Setting | null, after: Setting): void => {
      requestedAt = now()
      for (const rule of before?.draft.followers ?? []) caps.push({ at: now(), account: rule.account, rule })
      const led = [...lots.values()].filter(({ account }) => account === after.draft.leader)
      for (const rule of after.draft.followers) for (const leader of led) {
        const match = followed(rule, leader.contract, 0)
        if (match !== null) lotOf(rule.account, match.contract)
      }
      for (const lot of lots.values()) {
        const lead = leadOf(lot)
        const was = before?.draft.followers.find(({ account }) => account === lot.account)
        const is = after.draft.followers.find(({ account }) => account === lot.account)
        if (was === undefined && is === undefined) continue
        // Of two groups of an account the other one trades there.
        if (![was, is].some((rule) => rule !== undefined && leadsTo(rule, lot.contract)) && ruleOf(lot.account, lot.contract)?.setting !== after) continue
        const began = is?.on === true && after.state !== 'off' && (was?.on !== true || before?.state === 'off')
        // The program's position and the user's opposite one have closed each other.
        if (began && netOf(lot) === 0) leave(lot)
        // A follower that begins copies from there on, as far as the program knew of the leader; a larger ratio or cap is the user's request.
        if (lead === null) grant(lot, lot.made, null)
        else if (began) grant(lot, lot.made + unheardOf(lead), null)
        else if (after.state === 'armed') grant(lot, lot.granted === 0 && lot.made === 0 && lot.apart !== null ? lot.missed : lead.target, null)
        if (after.state !== 'paused') lot.missed = 0
        if (began) Object.assign(lot, { apart: lead === null || netOf(lead.leader) !== 0 || netKnown(lead.leader, now()) !== 0 || netOf(lot) !== 0 ? 'requested' : null, asks: lot.made !== 0 })
      }
      lookAtBares()
    },
    /** The user answered for a follower what the screen asked about these contracts: adopting and bringing back asks for the target, and only adopting makes a hand's contracts the copier's. */
    answered: (account: string, answer: 'adopt' | 'flatten' | 'leave' | 'bring-back', contracts: readonly string[]): void => {
      requestedAt = now()
      for (const contract of contracts) {
        const lot = Object.assign(lotOf(account, contract), { asks: false })
        const lead = leadOf(lot)
        if (answer === 'bring-back') {
          grantTarget(lot, lead)
          lot.apart = null
        } else if (answer === 'adopt') {
          take(lot)
          grantTarget(lot, lead)
          lot.apart = null
        } else {
          if (answer === 'leave') leave(lot)
          else take(lot)
          grant(lot, lead === null ? 0 : unheardOf(lead), null)
          lot.apart = 'requested'
        }
      }
    },
    /** Whether the user had an account's contract closed that was not said to be done at a moment: what a hand makes meanwhile goes with it. */
    isClosing: (account: string, contract: string, at: number): boolean => closings.some((each) => each.account === account && (each.contract ?? contract) === contract && each.from <= at && at <= each.until),
    /** The program died. */
    died: (): void => {
      for (const closing of [...closings, ...flattenings]) closing.until = Math.min(closing.until, now())
    },
    /** The user has an account closed, or one contract of it: what a hand made there too. Returns a function that records that the program reported the outcome. */
    closes: (account: string, contract: string | null): (() => void) => {
      requestedAt = now()
      const closing = { account, contract, from: now(), until: Infinity }
      closings.push(closing)
      for (const lot of lots.values()) {
        if (lot.account === account && (contract === null || lot.contract === contract)) closed(lot)
      }
      return () => {
        closing.until = Math.min(closing.until, now())
      }
    },
    /** The user has all followers of a group closed: they stay locked until they are unlocked. Returns a function that records that the program reported the outcome. */
    flattens: ({ id, draft }: Setting): (() => void) => {
      const began = draft.followers.filter(({ on }) => on).map(({ account }) => ({ account, from: now(), until: Infinity }))
      for (const { account } of began) {
        flattened.add(`${id} ${account}`)
        for (const lot of lots.values()) if (lot.account === account) closed(lot)
      }
      flattenings.push(...began)
      return () => {
        for (const each of began) each.until = Math.min(each.until, now())
      }
    },
    /** A loss had the program close all of a follower and lock it; its user set it up so. False where that is known. */
    lostDay: ({ id }: Setting, account: string): boolean => {
      if (flattened.has(`${id} ${account}`)) return false
      flattened.add(`${id} ${account}`)
      flattenings.push({ account, from: now(), until: now() + losingMs })
      for (const lot of lots.values()) if (lot.account === account) closed(lot)
      return true
    },
    /** The user unlocked a follower: what the leader of a flattened group holds by now is not copied. */
    unlocked: ({ id }: Setting, account: string): void => {
      requestedAt = now()
      if (!flattened.delete(`${id} ${account}`)) return
      for (const each of flattenings) if (each.account === account) each.until = Math.min(each.until, now())
      for (const lot of lots.values()) {
        const lead = leadOf(lot)
        if (lot.account !== account || lead?.setting.id !== id) continue
        const asks = lot.made !== 0
        leave(lot)
        grant(lot, unheardOf(lead), null)
        Object.assign(lot, { apart: 'requested', asks })
      }
    },
  }
}
