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

// A limit of zero would lock and flatten at once.
const dailyLimitText = decimalText.refine((text) => Number(text) >= 0.01)

/** The settings of one follower. Amounts are exact decimals in the account's currency, at least a cent. */
export const followerRule = z.strictObject({
  account: accountKeyText,
  /** Whether it follows. A follower that is off stays in the group and counts against the plan. */
  on: z.boolean(),
  /** The follower's contracts per leader contract. The result is rounded toward zero, so a follower never holds more than the ratio allows. */
  ratio: exactRatio,
  mappings: z.array(symbolMapping).max(50),
  /** The most contracts in any single contract; null: no cap. */
  contractCap: z.number().int().min(1).max(10_000).nullable(),
  /** The most contracts in total; null: no limit. */
  maxPosition: z.number().int().min(1).max(10_000).nullable(),
  /** The leader's products that are copied; null: all. */
  products: z.array(productName).max(200).nullable(),
  /** Locks and flattens once the net P&L realized since 17:00 in Chicago and all open P&L, of carried positions since their entry, are a loss of this much. */
  dailyLoss: dailyLimitText.nullable(),
  /** Locks and flattens once the same P&L has made this much. */
  dailyProfit: dailyLimitText.nullable(),
  /** Locks new entries after this many rejected orders in a day. */
  maxRejects: z.number().int().min(1).max(100),
  /** Trades against the leader. Exits are not mirrored: the leader's stop cannot protect the opposite side. */
  invert: z.boolean(),
  /** Locks the follower once the user's own trades in it exceed its daily limits or max position. */
  guard: z.boolean(),
})
export type FollowerRule = z.infer<typeof followerRule>

/** A group as the user enters it. */
export const groupDraft = z.strictObject({
  name: nameText,
  leader: accountKeyText,
  followers: z.array(followerRule).min(1).max(50),
  /** Whether to mirror the leader's working stops and targets. */
  exits: z.boolean(),
  /** `fills`: send market orders for the leader's fills. `orders`: mirror the leader's working entry orders as working orders. */
  mode: z.enum(['fills', 'orders']),
  /** If the broker refuses a follower's stop: keep the position and raise an alert, or flatten it. */
  unprotected: z.enum(['keep', 'flatten']),
  /** What happens to mirrored exits when the group is disarmed, or a follower is switched off or removed: they keep working as OCO, or are canceled. */
  leftExits: z.enum(['keep', 'cancel']),
  /** Decides everything but sends nothing. */
  dryRun: z.boolean(),
})
export type GroupDraft = z.infer<typeof groupDraft>

/** A stored group. */
export const copyGroup = groupDraft.extend({ id: identifier })
export type CopyGroup = z.infer<typeof copyGroup>

/** Why a group was not saved, with the account in question. */
export const groupFault = z.strictObject({
  /** `armed`: the leader and the dry run cannot change while the group is armed. */
  code: z.enum(['armed', 'leader-follows', 'follower-leads', 'follows-twice', 'follows-itself', 'plan-limit', 'unknown-account', 'mapping-twice', 'two-brokerages', 'account-taken']),
  account: z.string().nullable(),
  /** For `plan-limit`: the number of copy accounts in the plan. */
  limit: z.number().int().nullable(),
})
export type GroupFault = z.infer<typeof groupFault>

/**
 * `off`: does nothing; `armed`: follows, in sync; `out-of-step`: armed but out of sync, or an order is refused, pending or unknown;
 * `unprotected`: a position lacks its stop; `locked`: may only reduce, see its reason.
 */
export const followerState = z.enum(['off', 'armed', 'out-of-step', 'unprotected', 'locked'])

/** Why a follower is locked. The first three and `guard` end at the next 17:00 Chicago time or when the user unlocks; the others only when the user unlocks. */
export const lockReason = z.enum(['daily-loss', 'daily-profit', 'rejects', 'guard', 'flattened', 'account-restricted', 'permission-missing'])
export type LockReason = z.infer<typeof lockReason>

/**
 * Why a follower's contract is out of sync, or why no order is sent for it.
 * `exit-filled`: its own stop or target filled, the leader's has not; `by-hand`: the account was traded by hand; both wait until the
 * leader reaches the same position or the user decides. `asks`: positions were open at the start and need the user's decision.
 * `not-saved`: the order could not be written to disk, so it was not sent.
 */
export const waitReason = z.enum([
  'line-down', 'leader-down', 'reading', 'order-unknown', 'order-working', 'exits-cancelling', 'exit-refused', 'yours', 'budget', 'rate-limited', 'hedge', 'cap', 'max-position',
  'product-not-copied', 'no-contract', 'exit-filled', 'by-hand', 'asks', 'locked', 'paused', 'no-lease', 'elsewhere', 'plan-ended', 'rejected', 'market-closed', 'not-saved', 'dry-run', 'off',
])
export type WaitReason = z.infer<typeof waitReason>

/** The state of one contract of one follower. Quantities are signed: short is negative. */
export const contractStance = z.object({
  leaderContract: z.string(),
  contract: z.string(),
  leader: z.number().int(),
  target: z.number().int(),
  /** The actual position. */
  actual: z.number().int(),
  /** The part of it that the user traded; the copier never closes or counts it. */
  yours: z.number().int(),
  /** What a dry run would have added. */
  simulated: z.number().int(),
  /** Signed contracts of pending orders. */
  inFlight: z.number().int(),
  /** target − (real − yours + simulated) − inFlight; 0 if in sync. */
  difference: z.number().int(),
  why: waitReason.nullable(),
  /** Mirrored exits that work at the broker, how many are pending, and the broker's message if it refused one. */
  exits: z.object({ working: z.number().int(), waiting: z.number().int(), refused: z.string().nullable() }),
  /** Whether the copied position has lacked the leader's stop for longer than a round trip. */
  unprotected: z.boolean(),
  /** The leader's orders that cannot be mirrored here, by the broker's order type, and why. */
  notMirrored: z.array(z.object({ type: z.string(), why: z.enum(['type', 'price', 'invert', 'other-prices', 'by-hand']) })),
  /** The next retry (UTC ms), if known. */
  retryAt: utcMs.nullable(),
})
export type ContractStance = z.infer<typeof contractStance>

/** One follower, live. */
export const liveFollower = z.object({
  account: z.string(),
  state: followerState,
  lock: lockReason.nullable(),
  /** The most important reason among its contracts. */
  why: waitReason.nullable(),
  line: z.enum(['up', 'connecting', 'down']),
  contracts: z.array(contractStance),
  /** Net P&L realized since 17:00 in Chicago, and all open P&L, as a decimal in the account's currency, with the age of the open part; null while unknown. */
  day: z.object({ net: decimalText, currency: z.string(), openAgeMs: z.number().int().nullable() }).nullable(),
  /** Milliseconds from receiving the leader's fill to sending the order, for the newest copy; null before the first. */
  latencyMs: z.number().nonnegative().nullable(),
  rejects: z.number().int(),
  /** Another of the user's accounts with the opposite position in the same product. */
  hedgedBy: z.object({ account: z.string(), product: z.string() }).nullable(),
  /** Positions open at the start that need the user's decision. */
  undecided: z.array(z.object({ contract: z.string(), leader: z.number().int(), follower: z.number().int() })),
})
export type LiveFollower = z.infer<typeof liveFollower>

/** One group, live. */
export const liveGroup = z.object({
  id: identifier,
  state: z.enum(['off', 'armed', 'paused']),
  /** Whether its state, or a lock of a follower, could not be saved yet: a restart before that would continue as last saved. */
  unsaved: z.boolean(),
  dryRun: z.boolean(),
  /** Why an armed group takes no new entries; null if it does. */
  blocked: z.enum(['no-lease', 'plan-ended', 'leader-down']).nullable(),
  leaderLine: z.enum(['up', 'connecting', 'down']),
  leader: z.array(z.object({ contract: z.string(), net: z.number().int() })),
  followers: z.array(liveFollower),
  /** Mirrored exits that still work although the account no longer follows: the group or follower is off, or the follower was removed. */
  left: z.array(z.object({ account: z.string(), contract: z.string(), side: z.enum(['buy', 'sell']), qty: z.number().int(), type: z.string(), price: z.string().nullable() })),
  /** Broker calls queued for the call budget, by purpose. */
  waiting: z.object({ reduce: z.number().int(), enter: z.number().int(), exits: z.number().int() }),
})
export type LiveGroup = z.infer<typeof liveGroup>

/** The use of a login's hourly call budget. */
export const callBudget = z.object({ loginId: z.string(), used: z.number().int(), limit: z.number().int(), waiting: z.number().int() })

/** The live state of the screen; `seq` grows with every change. */
export const copierLive = z.object({ seq: z.number().int(), at: utcMs, groups: z.array(liveGroup), budgets: z.array(callBudget) })
export type CopierLive = z.infer<typeof copierLive>

/** What raises an alert: a position without its stop, a lock by the guard, or positions that need the user's decision. */
export const copierTrouble = z.enum(['unprotected', 'guard', 'decision'])
export type CopierTrouble = z.infer<typeof copierTrouble>

/** An alert of a follower. `brokerText` is the broker's reason for refusing its stop. */
export const copierAlert = z.object({ trouble: copierTrouble, groupId: identifier, group: z.string(), account: z.string(), accountName: z.string(), unprotected: groupDraft.shape.unprotected, brokerText: z.string().nullable() })
export type CopierAlert = z.infer<typeof copierAlert>

/** The result of Flatten all for one account. */
export const flattenReport = z.object({
  account: z.string(),
  outcome: z.enum(['flat', 'was-flat', 'not-flat', 'not-connected']),
  /** Open positions if it is not flat, signed. */
  left: z.array(z.object({ contract: z.string(), net: z.number().int() })),
  detail: z.string().nullable(),
})
export type FlattenReport = z.infer<typeof flattenReport>

/** The result of arming a group. */
export const armOutcome = z.enum(['armed', 'consent-needed', 'only-machine-needed', 'lease-elsewhere', 'plan-limit', 'plan-needed', 'cloud-unreachable', 'nothing-on', 'accounts-taken', 'stopped'])
export type ArmOutcome = z.infer<typeof armOutcome>

/** The latencies of one copy in ms by this computer's clock: leader's fill received to order sent, order sent to acknowledged, order sent to last fill. */
export const copyTimes = z.object({ toWire: z.number().nullable(), toAck: z.number().nullable(), toFill: z.number().nullable() })

/** The copy of a leader's fill at one follower. */
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
  /** Why no order was sent, or the broker's message. */
  why: z.string().nullable(),
  times: copyTimes,
  /** Against the leader's price: ticks per contract × contracts (positive: worse than the leader), and money; null if the contracts differ or nothing filled. */
  slippage: z.object({ ticks: z.number(), money: decimalText, currency: z.string() }).nullable(),
})
export type LedgerCopy = z.infer<typeof ledgerCopy>

/** One event of the ledger with its copies: a leader's fill, a repair, an exit, a flatten, or a start. */
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

/** Latency and slippage of one follower over the requested days. */
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

const dryRunMoney = z.object({ currency: z.string(), gross: decimalText, fees: decimalText, net: decimalText })
const dryRunTotals = z.object({ orders: z.number().int(), contracts: z.number().int(), /** By currency. */ money: z.array(dryRunMoney) })

/** What dry runs would have traded: by trading day, newest first, and in total. Fees count on every simulated fill, gross P&L on closing ones. */
export const dryRunAnswer = z.object({
  days: z.array(dryRunTotals.extend({ day: z.iso.date(), lines: z.array(dryRunMoney.extend({ follower: z.string(), contract: z.string(), orders: z.number().int(), bought: z.number().int(), sold: z.number().int() })) })),
  total: dryRunTotals,
  /** Simulated positions that are still open, or were so when their dry run ended (`runEnded`), signed; only their fees count. */
  open: z.array(z.object({ follower: z.string(), contract: z.string(), net: z.number().int(), runEnded: z.boolean() })),
  /** Orders without a fill of the leader: they count at the last price before them. */
  assumed: z.number().int(),
  /** Closed contracts without a known price. */
  unpriced: z.number().int(),
  /** Contracts by where their commission comes from: the user's own rate, the broker's last charge to the follower or to a related account, the contract table, or nowhere, which counts as 0. */
  feesFrom: z.object({ own: z.array(z.string()), account: z.array(z.string()), related: z.array(z.string()), table: z.array(z.string()), unknown: z.array(z.string()) }),
})
export type DryRunAnswer = z.infer<typeof dryRunAnswer>

const groupAt = z.strictObject({ id: identifier })
const ledgerQuery = z.object({ groupId: identifier.optional(), before: z.coerce.number().int().optional(), limit: z.coerce.number().int().min(1).max(500).default(100) })

/** The trade copier. Calls need a plan with the copier, except those that stop, reduce or read. */
export const copierRoutes = {
  copier: {
    method: 'GET',
    path: '/api/copier',
    answer: z.object({
      groups: z.array(copyGroup),
      live: copierLive,
      /** The plan's limit of copy accounts over all groups, and how many are used. */
      limit: z.number().int(),
      used: z.number().int(),
    }),
  },
  saveGroup: {
    method: 'POST',
    path: '/api/copier/groups',
    body: z.strictObject({ id: identifier.nullable(), draft: groupDraft }),
    answer: z.object({ group: copyGroup.nullable(), fault: groupFault.nullable() }),
  },
  removeGroup: { method: 'POST', path: '/api/copier/groups/remove', body: groupAt, answer: z.object({ removed: z.boolean() }) },
  /** The user's consent before the first live arming. */
  consent: { method: 'POST', path: '/api/copier/consent', body: z.strictObject({}), answer: z.object({ consentedAt: moment }) },
  arm: { method: 'POST', path: '/api/copier/arm', body: groupAt.extend({ onlyMachine: z.boolean() }), answer: z.object({ outcome: armOutcome }) },
  /** Stops copying and keeps positions. Mirrored exits stay or are canceled by the group's `leftExits`. */
  disarm: { method: 'POST', path: '/api/copier/disarm', body: groupAt, answer: z.object({ live: copierLive }) },
  /** No new entries; reductions still follow. */
  pause: { method: 'POST', path: '/api/copier/pause', body: z.strictObject({ id: identifier.nullable() }), answer: z.object({ live: copierLive }) },
  resume: { method: 'POST', path: '/api/copier/resume', body: groupAt, answer: z.object({ live: copierLive }) },
  /** Flattens and locks the group's followers; the leader is not touched. */
  flatten: { method: 'POST', path: '/api/copier/flatten', body: groupAt, answer: z.object({ reports: z.array(flattenReport) }) },
  /** The user's decision on positions that were open at the start. */
  answerStart: {
    method: 'POST',
    path: '/api/copier/start',
    body: groupAt.extend({ account: accountKeyText, answer: z.enum(['adopt', 'flatten', 'leave']) }),
    answer: z.object({ live: copierLive }),
  },
  /** Returns a follower that waits for the user to its target position, or leaves it until both are flat. */
  settle: { method: 'POST', path: '/api/copier/settle', body: groupAt.extend({ account: accountKeyText, answer: z.enum(['bring-back', 'leave']) }), answer: z.object({ live: copierLive }) },
  /** Cancels the exits in `left`; positions stay. */
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

/** Downloads the ledger as CSV; `groupId` in the query narrows it. */
export const ledgerCsvPath = '/api/copier/ledger.csv'
