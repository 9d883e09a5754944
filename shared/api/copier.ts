import { z } from 'zod'
import { decimalText, identifier, moment, nameText, productName, utcMs } from './fields.ts'
import type { Route } from './route.ts'

/** Fillbook's key of a brokerage account, `tradovate:demo:700101`. */
export const accountKeyText = z.string().regex(/^tradovate:(live|demo):\d+$/)

/** An exact ratio of whole numbers: `{ num: 1, den: 2 }` is a half. */
export const exactRatio = z.strictObject({ num: z.number().int().min(1).max(1000), den: z.number().int().min(1).max(1000) })
export type ExactRatio = z.infer<typeof exactRatio>

/** The follower trades `to` where the leader trades `from`, `factor` contracts for one: NQ to MNQ at 10 to 1. */
export const symbolMapping = z.strictObject({ from: productName, to: productName, factor: exactRatio })

// A bound at zero would lock at once, and close what is open.
const boundText = decimalText.refine((text) => Number(text) >= 0.01)

/** How one account follows. Amounts are exact decimals in the account's currency, a cent or more. */
export const followerRule = z.strictObject({
  account: accountKeyText,
  /** Whether it follows at all; an account that is off keeps its place and counts against the plan. */
  on: z.boolean(),
  /** Follower's contracts for one of the leader's; the product is rounded toward zero, so that nobody ever holds more than the ratio says. */
  ratio: exactRatio,
  mappings: z.array(symbolMapping).max(50),
  /** The most contracts in any one contract; null: no cap. */
  contractCap: z.number().int().min(1).max(10_000).nullable(),
  /** The most contracts over all contracts together; null: no limit. */
  maxPosition: z.number().int().min(1).max(10_000).nullable(),
  /** The leader's products that are copied; null: all. */
  products: z.array(productName).max(200).nullable(),
  /** Locks, and flattens, once the day's net, open P&L included, is this much below zero. */
  dailyLoss: boundText.nullable(),
  /** Locks, and flattens, once the day's net, open P&L included, is this much above zero. */
  dailyProfit: boundText.nullable(),
  /** Locks against new entries after this many rejected orders of one day. */
  maxRejects: z.number().int().min(1).max(100),
  /** Trades the other side of the leader. Its exits are not mirrored: the leader's stop is no stop of the other side. */
  invert: z.boolean(),
  /** Locks the follower once trades of its user's own break its daily bounds or its largest position. */
  guard: z.boolean(),
})
export type FollowerRule = z.infer<typeof followerRule>

/** A group as its user writes it. */
export const groupDraft = z.strictObject({
  name: nameText,
  leader: accountKeyText,
  followers: z.array(followerRule).min(1).max(50),
  /** Whether the leader's working stops and targets are placed, moved and cancelled at the followers too. */
  exits: z.boolean(),
  /** `fills`: followers get market orders for the leader's fills. `orders`: the leader's working entries are placed, moved and cancelled at the followers as working entries. */
  mode: z.enum(['fills', 'orders']),
  /** What happens to a follower whose protection the broker refuses: keep the position and raise an alert, or flatten it. */
  unprotected: z.enum(['keep', 'flatten']),
  /** What happens to working exits of ours when a group is disarmed, a follower goes off or leaves: they stay as OCO, or are cancelled. */
  leftExits: z.enum(['keep', 'cancel']),
  /** Does everything but send. */
  dryRun: z.boolean(),
})
export type GroupDraft = z.infer<typeof groupDraft>

/** A group as it is kept. */
export const copyGroup = groupDraft.extend({ id: identifier })
export type CopyGroup = z.infer<typeof copyGroup>

/** Why a group was not taken as it was written, with the account that is in the way. */
export const groupFault = z.strictObject({
  /** `armed`: what a group that stands armed may not change: its leader, and whether it is a dry run. */
  code: z.enum(['armed', 'leader-follows', 'follower-leads', 'follows-twice', 'follows-itself', 'plan-limit', 'unknown-account', 'mapping-twice', 'two-brokerages', 'account-taken']),
  account: z.string().nullable(),
  /** For `plan-limit`: the accounts that the plan copies to. */
  limit: z.number().int().nullable(),
})
export type GroupFault = z.infer<typeof groupFault>

/**
 * `off`: does nothing; `armed`: follows; `out-of-step`: armed, but not where it should be, or something is refused, pending or unknown;
 * `unprotected`: a position that should have a stop has none; `locked`: reduces only, see its reason.
 */
export const followerState = z.enum(['off', 'armed', 'out-of-step', 'unprotected', 'locked'])

/** Why a follower is locked. The first three and the guard end at the next 17:00 in Chicago or by its user, the others by its user alone. */
export const lockReason = z.enum(['daily-loss', 'daily-profit', 'rejects', 'guard', 'flattened', 'account-restricted', 'permission-missing'])
export type LockReason = z.infer<typeof lockReason>

/**
 * Why a follower's contract is not where it should be, or why nothing is sent for it.
 * `exit-filled`: its own stop or target filled, the leader's has not; `by-hand`: somebody traded there; both wait for the leader to come to
 * meet them, or for the user. `asks`: positions were open at the start, and the user has not said what to do.
 */
export const waitReason = z.enum([
  'line-down', 'leader-down', 'reading', 'order-unknown', 'order-working', 'exits-cancelling', 'exit-refused', 'yours', 'budget', 'rate-limited', 'hedge', 'cap', 'max-position',
  'product-not-copied', 'no-contract', 'exit-filled', 'by-hand', 'asks', 'locked', 'paused', 'no-lease', 'elsewhere', 'plan-ended', 'rejected', 'market-closed', 'dry-run', 'off',
])
export type WaitReason = z.infer<typeof waitReason>

/** One contract of one follower, as it stands now. Contracts are signed: short is below zero. */
export const contractStance = z.object({
  leaderContract: z.string(),
  contract: z.string(),
  leader: z.number().int(),
  target: z.number().int(),
  /** What the account holds. */
  real: z.number().int(),
  /** What of it the copier did not trade: its user's own, which the copier never closes or counts. */
  yours: z.number().int(),
  /** What a dry run would have added to it; nobody holds it. */
  simulated: z.number().int(),
  /** Signed contracts of orders under way. */
  inFlight: z.number().int(),
  /** target − what the copier holds (real − yours, and what is simulated) − what is under way; 0 where it is in step. */
  difference: z.number().int(),
  why: waitReason.nullable(),
  /** Working mirrored exits at the broker, how many more are wanted, and the broker's words where it refused one. */
  exits: z.object({ working: z.number().int(), waiting: z.number().int(), refused: z.string().nullable() }),
  /** A position of ours whose leader has a stop, and which has none for longer than a round trip. */
  unprotected: z.boolean(),
  /** Orders of the leader that cannot be mirrored here, by the broker's order type, and why. */
  notMirrored: z.array(z.object({ type: z.string(), why: z.enum(['type', 'price', 'invert', 'other-prices', 'by-hand']) })),
  /** When (UTC ms) what waits is tried next, where that is known. */
  retryAt: utcMs.nullable(),
})
export type ContractStance = z.infer<typeof contractStance>

/** One follower, live. */
export const liveFollower = z.object({
  account: z.string(),
  state: followerState,
  lock: lockReason.nullable(),
  /** The most telling reason of its contracts. */
  why: waitReason.nullable(),
  line: z.enum(['up', 'connecting', 'down']),
  contracts: z.array(contractStance),
  /** Net of the day since 17:00 Chicago, open P&L included; null while unknown. Decimal in the account's currency, with the age of the open part. */
  day: z.object({ net: decimalText, currency: z.string(), openAgeMs: z.number().int().nullable() }).nullable(),
  /** Milliseconds from the leader's fill at our socket to the request on the wire, the newest copy; null before the first. */
  latencyMs: z.number().nonnegative().nullable(),
  rejects: z.number().int(),
  /** A position against another account of the user in the same product: the account and the product. */
  hedgedBy: z.object({ account: z.string(), product: z.string() }).nullable(),
  /** Open positions that the user was asked about at the start and has not answered. */
  asks: z.array(z.object({ contract: z.string(), leader: z.number().int(), follower: z.number().int() })),
})
export type LiveFollower = z.infer<typeof liveFollower>

/** One group, live. */
export const liveGroup = z.object({
  id: identifier,
  state: z.enum(['off', 'armed', 'paused']),
  dryRun: z.boolean(),
  /** Why an armed group takes no new entries, where it does not. */
  blocked: z.enum(['no-lease', 'plan-ended', 'leader-down']).nullable(),
  leaderLine: z.enum(['up', 'connecting', 'down']),
  leader: z.array(z.object({ contract: z.string(), net: z.number().int() })),
  followers: z.array(liveFollower),
  /** Exits of ours that still work although nobody follows there any more: the group is off, the follower is off, or it left the group. */
  left: z.array(z.object({ account: z.string(), contract: z.string(), side: z.enum(['buy', 'sell']), qty: z.number().int(), type: z.string(), price: z.string().nullable() })),
  /** Calls to the broker that wait for the budget, by what they do. */
  waiting: z.object({ reduce: z.number().int(), enter: z.number().int(), exits: z.number().int() }),
})
export type LiveGroup = z.infer<typeof liveGroup>

/** How much of a login's hourly calls is used. */
export const callBudget = z.object({ loginId: z.string(), used: z.number().int(), limit: z.number().int(), waiting: z.number().int() })

/** All that moves on the screen; `seq` grows with every change. */
export const copierLive = z.object({ seq: z.number().int(), at: utcMs, groups: z.array(liveGroup), budgets: z.array(callBudget) })
export type CopierLive = z.infer<typeof copierLive>

/** What of a follower raises an alert: a position without its stop, a lock by the guard, or positions that only the user can decide about. */
export const copierTrouble = z.enum(['unprotected', 'guard', 'decision'])
export type CopierTrouble = z.infer<typeof copierTrouble>

/** A follower that came into trouble. `brokerSaid` is why the broker refused its stop. */
export const copierAlert = z.object({ trouble: copierTrouble, groupId: identifier, group: z.string(), account: z.string(), accountName: z.string(), unprotected: groupDraft.shape.unprotected, brokerSaid: z.string().nullable() })
export type CopierAlert = z.infer<typeof copierAlert>

/** What Flatten all reports of one account. */
export const flattenReport = z.object({
  account: z.string(),
  outcome: z.enum(['flat', 'was-flat', 'not-flat', 'not-connected']),
  /** What is still open where it is not flat, signed. */
  left: z.array(z.object({ contract: z.string(), net: z.number().int() })),
  detail: z.string().nullable(),
})
export type FlattenReport = z.infer<typeof flattenReport>

/** What came of an arming. */
export const armOutcome = z.enum(['armed', 'consent-needed', 'only-machine-needed', 'lease-elsewhere', 'plan-limit', 'plan-needed', 'cloud-unreachable', 'nothing-on', 'accounts-taken', 'stopped'])
export type ArmOutcome = z.infer<typeof armOutcome>

/** Times of one copy in milliseconds on this computer's clock: socket in to request out, request out to acknowledgement, request out to its last fill. */
export const copyTimes = z.object({ toWire: z.number().nullable(), toAck: z.number().nullable(), toFill: z.number().nullable() })

/** What a leader's fill came to at one follower. */
export const ledgerCopy = z.object({
  follower: z.string(),
  contract: z.string(),
  clOrdId: z.string().nullable(),
  orderId: z.string().nullable(),
  side: z.enum(['buy', 'sell']).nullable(),
  qty: z.number().int(),
  filled: z.number().int(),
  /** Average price as an exact decimal; null before a fill. */
  price: z.string().nullable(),
  status: z.enum(['not-sent', 'written', 'sent', 'acknowledged', 'filled', 'part-filled', 'rejected', 'cancelled', 'unknown', 'never-arrived', 'dry-run']),
  /** Why nothing was sent, or what the broker said. */
  why: z.string().nullable(),
  times: copyTimes,
  /** Against the leader's price, whole ticks a contract × contracts (positive: worse than the leader), and in money; null where the contracts differ or nothing filled. */
  slippage: z.object({ ticks: z.number(), money: decimalText, currency: z.string() }).nullable(),
})
export type LedgerCopy = z.infer<typeof ledgerCopy>

/** One event of the ledger: a leader's fill, or a repair, an exit or a flattening, with what followed. */
export const ledgerRow = z.object({
  id: z.number().int(),
  groupId: z.string(),
  at: moment,
  kind: z.enum(['fill', 'repair', 'exit', 'flatten', 'start']),
  leader: z.object({ account: z.string(), contract: z.string(), fillId: z.string().nullable(), side: z.enum(['buy', 'sell']).nullable(), qty: z.number().int(), price: z.string().nullable() }),
  copies: z.array(ledgerCopy),
})
export type LedgerRow = z.infer<typeof ledgerRow>

/** p50, p95 and p99 in milliseconds over `count` copies. */
export const percentiles = z.object({ count: z.number().int(), p50: z.number(), p95: z.number(), p99: z.number() })

/** Latency and slippage of one follower over the asked days. */
export const followerFigures = z.object({
  follower: z.string(),
  toWire: percentiles.nullable(),
  toAck: percentiles.nullable(),
  toFill: percentiles.nullable(),
  slippage: z.array(z.object({ currency: z.string(), copies: z.number().int(), contracts: z.number().int(), ticks: z.number(), money: decimalText })),
  notSent: z.number().int(),
  rejected: z.number().int(),
})
export type FollowerFigures = z.infer<typeof followerFigures>

const wouldHave = z.object({ currency: z.string(), gross: decimalText, fees: decimalText, net: decimalText })
const wouldHaveSum = z.object({ orders: z.number().int(), contracts: z.number().int(), /** By currency. */ money: z.array(wouldHave) })

/** What dry runs would have traded: by trading day, newest first, and in sum. Fees count where an order would have traded, gross where it would have closed. */
export const dryRunAnswer = z.object({
  days: z.array(wouldHaveSum.extend({ day: z.iso.date(), lines: z.array(wouldHave.extend({ follower: z.string(), contract: z.string(), orders: z.number().int(), bought: z.number().int(), sold: z.number().int() })) })),
  total: wouldHaveSum,
  /** Simulated positions that were never closed, signed; they count with their fees alone. */
  open: z.array(z.object({ follower: z.string(), contract: z.string(), net: z.number().int() })),
  /** Orders that no fill of the leader caused: they count at the last price before them. */
  assumed: z.number().int(),
  /** Contracts closed for which no price is known. */
  unpriced: z.number().int(),
  /** Contracts whose commission nobody told: it counts as 0. */
  feesUnknown: z.array(z.string()),
})
export type DryRunAnswer = z.infer<typeof dryRunAnswer>

const groupAt = z.strictObject({ id: identifier })
const ledgerQuery = z.object({ groupId: identifier.optional(), before: z.coerce.number().int().optional(), limit: z.coerce.number().int().min(1).max(500).default(100) })

/** The trade copier. Every call wants a plan with the copier, but those that stop, reduce or only read. */
export const copierRoutes = {
  copier: {
    method: 'GET',
    path: '/api/copier',
    answer: z.object({
      groups: z.array(copyGroup),
      live: copierLive,
      /** The plan's copy accounts over all groups, and how many are in use. */
      limit: z.number().int(),
      used: z.number().int(),
      consentedAt: moment.nullable(),
      /** `cloud`: a lease holds each group; `alone`: the user confirms that no other computer runs it. */
      holder: z.enum(['cloud', 'alone']),
    }),
  },
  saveGroup: {
    method: 'POST',
    path: '/api/copier/groups',
    body: z.strictObject({ id: identifier.nullable(), draft: groupDraft }),
    answer: z.object({ group: copyGroup.nullable(), fault: groupFault.nullable() }),
  },
  removeGroup: { method: 'POST', path: '/api/copier/groups/remove', body: groupAt, answer: z.object({ removed: z.boolean() }) },
  /** The consent in plain words before the first live arming. */
  consent: { method: 'POST', path: '/api/copier/consent', body: z.strictObject({}), answer: z.object({ consentedAt: moment }) },
  arm: { method: 'POST', path: '/api/copier/arm', body: groupAt.extend({ onlyMachine: z.boolean() }), answer: z.object({ outcome: armOutcome }) },
  /** Arms nothing more and leaves positions as they are; exits of ours stay or are cancelled as the group's `leftExits` says. */
  disarm: { method: 'POST', path: '/api/copier/disarm', body: groupAt, answer: z.object({ live: copierLive }) },
  /** No new entries; reductions still follow. */
  pause: { method: 'POST', path: '/api/copier/pause', body: z.strictObject({ id: identifier.nullable() }), answer: z.object({ live: copierLive }) },
  resume: { method: 'POST', path: '/api/copier/resume', body: groupAt, answer: z.object({ live: copierLive }) },
  /** Cancels and closes everything of the group's followers and locks them; the leader stays as it is. */
  flatten: { method: 'POST', path: '/api/copier/flatten', body: groupAt, answer: z.object({ reports: z.array(flattenReport) }) },
  /** What to do with positions that were open at the start. */
  answerStart: {
    method: 'POST',
    path: '/api/copier/start',
    body: groupAt.extend({ account: accountKeyText, answer: z.enum(['adopt', 'flatten', 'leave']) }),
    answer: z.object({ live: copierLive }),
  },
  /** Brings a follower to its target again that waits for its user, or leaves it where it is until both are flat. */
  settle: { method: 'POST', path: '/api/copier/settle', body: groupAt.extend({ account: accountKeyText, answer: z.enum(['bring-back', 'leave']) }), answer: z.object({ live: copierLive }) },
  /** Cancels the exits that `left` names; positions stay as they are, without them. */
  cancelLeft: { method: 'POST', path: '/api/copier/left/cancel', body: groupAt, answer: z.object({ live: copierLive }) },
  unlock: { method: 'POST', path: '/api/copier/unlock', body: groupAt.extend({ account: accountKeyText }), answer: z.object({ live: copierLive }) },
  ledger: { method: 'GET', path: '/api/copier/ledger', query: ledgerQuery, answer: z.object({ rows: z.array(ledgerRow), more: z.boolean() }) },
  dryRun: { method: 'GET', path: '/api/copier/dry-run', query: z.object({ groupId: identifier.optional(), days: z.coerce.number().int().min(1).max(366).default(30) }), answer: dryRunAnswer },
  copierFigures: {
    method: 'GET',
    path: '/api/copier/figures',
    query: z.object({ groupId: identifier.optional(), days: z.coerce.number().int().min(1).max(366).default(30) }),
    answer: z.object({ followers: z.array(followerFigures) }),
  },
} as const satisfies Record<string, Route>

/** The whole ledger as CSV, a file rather than a call with an answer; `groupId` in its query narrows it. */
export const ledgerCsvPath = '/api/copier/ledger.csv'
