import { z } from 'zod'
import { currentVersion } from '#demo-broker/orders.ts'
import type { Hooks } from '#demo-broker/hooks.ts'

/**
 * Where and how often a fault strikes: `path` is a regular expression on `/demo/v1/fill/list`, `account` the account that a call is
 * about; without `times` it strikes until cleared.
 */
const scope = {
  path: z.string().refine(isPattern, 'not a regular expression').optional(),
  account: z.int().optional(),
  times: z.int().positive().optional(),
}

/** What the brokerage names hosts for, in its own words; clients ignore `simTrading`, and no one uses `replay`. */
export const purposes = ['live', 'demo', 'mdLive', 'mdDemo', 'replay', 'reportingLive', 'reportingDemo', 'simTrading'] as const
export type Purpose = (typeof purposes)[number]

/** Why the brokerage shuts a socket down. */
export const shutdownReason = z.enum(['Maintenance', 'ConnectionQuotaReached', 'IPQuotaReached'])

const refusal = {
  reason: z.string().min(1).default('MaxOrderQtyLimitReached'),
  text: z.string().default('Your maximum order quantity has been met.'),
}

/** One thing that the brokerage does wrong, with its scope. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refuse-refresh'), ...scope }),
  z.strictObject({ kind: z.literal('no-refresh-token'), ...scope }),
  z.strictObject({ kind: z.literal('short-lived'), seconds: z.number().nonnegative(), ...scope }),
  z.strictObject({ kind: z.literal('wrong-client'), ...scope }),
  z.strictObject({ kind: z.literal('penalty'), seconds: z.number().nonnegative(), ...scope }),
  z.strictObject({ kind: z.literal('captcha'), ...scope }),
  z.strictObject({ kind: z.literal('rate-limited'), ...scope }),
  z.strictObject({ kind: z.literal('token-dead'), ...scope }),
  z.strictObject({ kind: z.literal('permission-missing'), ...scope }),
  z.strictObject({ kind: z.literal('pushed-out'), status: z.literal([408, 429, 500]), ...scope }),
  z.strictObject({ kind: z.literal('server-error'), status: z.int().min(500).max(599), ...scope }),
  z.strictObject({ kind: z.literal('never-answers'), ...scope }),
  z.strictObject({ kind: z.literal('slow'), ms: z.int().nonnegative(), ...scope }),
  z.strictObject({ kind: z.literal('lost-answer'), ...scope }),
  z.strictObject({ kind: z.literal('truncated-json'), ...scope }),
  z.strictObject({ kind: z.literal('html'), ...scope }),
  z.strictObject({ kind: z.literal('empty-list'), ...scope }),
  z.strictObject({ kind: z.literal('accounts-need-user-id'), ...scope }),
  /** An organization, a login or everybody lives on other hosts from then on: on `localhost` for all purposes by default. */
  z.strictObject({ kind: z.literal('moved-host'), organization: z.string().optional(), login: z.string().optional(), hosts: z.partialRecord(z.enum(purposes), z.string()).optional(), ...scope }),
  z.strictObject({ kind: z.literal('shorter-items'), ...scope }),
  /** Rows are not there: those of `ids`, else the last ones. */
  z.strictObject({ kind: z.literal('missing-rows'), ids: z.array(z.int()).optional(), last: z.int().nonnegative().optional(), ...scope }),
  /** Rows say something else in these fields; with null they lack them. */
  z.strictObject({ kind: z.literal('changed-rows'), ids: z.array(z.int()).optional(), set: z.record(z.string(), z.union([z.number(), z.string(), z.null()])), ...scope }),
  z.strictObject({ kind: z.literal('unknown-fields'), ...scope }),
  z.strictObject({ kind: z.literal('malformed-row'), field: z.string().min(1), ...scope }),
  /** The login may not read the report of this name. */
  z.strictObject({ kind: z.literal('report-refused'), name: z.string().min(1), ...scope }),
  /** The reporting service gives only so many days at once. */
  z.strictObject({ kind: z.literal('report-days'), days: z.int().nonnegative(), ...scope }),
  z.strictObject({ kind: z.literal('error-text'), text: z.string().min(1), ...scope }),
  /** The line is cut before the request is done. */
  z.strictObject({ kind: z.literal('lost-request'), ...scope }),
  /** The line is cut, and the request is done `ms` later. */
  z.strictObject({ kind: z.literal('late-acceptance'), ms: z.int().nonnegative(), ...scope }),
  /** An order is not taken. */
  z.strictObject({ kind: z.literal('reject-order'), ...refusal, ...scope }),
  /** An order is taken, and refused `ms` later. */
  z.strictObject({ kind: z.literal('late-reject'), ms: z.int().nonnegative().default(20), ...refusal, ...scope }),
  /** An order fills in so many pieces: at once, or one whenever the floor steps; with `dropRest` it is canceled after the first. */
  z.strictObject({ kind: z.literal('partial-fills'), pieces: z.int().min(2), byStep: z.boolean().default(false), dropRest: z.boolean().default(false), ...scope }),
  /** An order waits, whatever the market does, until the floor releases it. */
  z.strictObject({ kind: z.literal('slow-fill'), ...scope }),
  /** An order that is to be canceled fills just before. */
  z.strictObject({ kind: z.literal('fill-beats-cancel'), ...scope }),

  // On sockets. Their path is `/demo/v1/websocket/<login>`, or without a login before the socket is authorized; `times` counts
  // events of one socket, or attempts. Requests on a socket are struck as those over HTTP are.
  /** Takes no new connection: it is answered 503. */
  z.strictObject({ kind: z.literal('socket-unreachable'), ...scope }),
  /** Authorising is refused with 401, or the socket is shut down with a reason where one is given. */
  z.strictObject({ kind: z.literal('socket-refused'), reasonCode: shutdownReason.optional(), ...scope }),
  /** Shuts down with the reason instead of telling an event. */
  z.strictObject({ kind: z.literal('socket-shutdown'), reasonCode: shutdownReason, ...scope }),
  /** Cuts the line without a close frame instead of telling an event. */
  z.strictObject({ kind: z.literal('socket-cut'), ...scope }),
  /** Stays open, but sends nothing more from an event on: no answers and no heartbeats either. */
  z.strictObject({ kind: z.literal('socket-silent'), ...scope }),
  /** Sends an event twice. */
  z.strictObject({ kind: z.literal('socket-duplicates'), ...scope }),
  /** Collects events for `ms` and sends them in another order, which `seed` fixes. */
  z.strictObject({ kind: z.literal('socket-shuffles'), ms: z.int().nonnegative(), seed: z.int().default(0), ...scope }),
  /** Keeps an event back until the faults are replaced or cleared, or the hand releases them. */
  z.strictObject({ kind: z.literal('socket-withholds'), ...scope }),
  /** Leaves a field out of an event's row. */
  z.strictObject({ kind: z.literal('socket-malformed'), field: z.string().min(1), ...scope }),
  /** Sends `entity`, or the whole `d`, as an array of one. */
  z.strictObject({ kind: z.literal('socket-arrays'), of: z.enum(['entity', 'd']), ...scope }),
  /** Sends an unknown entity before an event. */
  z.strictObject({ kind: z.literal('socket-unknown-entity'), ...scope }),
])

/** One thing that the brokerage does wrong. */
export type Fault = z.infer<typeof faultSchema>

/** The same before what it leaves out is filled in. */
export type FaultInput = z.input<typeof faultSchema>

/** The name of a fault switch. */
export type FaultKind = Fault['kind']

/** The switches that break no reads: orders and socket events. */
export type TradingFaultKind = Extract<FaultKind, `socket-${string}` | 'lost-request' | 'late-acceptance' | 'reject-order' | 'late-reject' | 'partial-fills' | 'slow-fill' | 'fill-beats-cancel'>

type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>

/** The switches of one running stand-in. */
export type Faults = {
  /** Sets one more fault; it strikes after those that were set before. */
  readonly add: (fault: FaultInput) => void
  /** Replaces all faults. */
  readonly set: (faults: readonly FaultInput[]) => void
  /** Makes the brokerage well-behaved again. */
  readonly clear: () => void
  /** The faults that can still strike, with the times that are left. */
  readonly active: () => readonly Fault[]
  /** Lets the first fault of this kind strike on this path, and on this account where one is concerned: gives it and counts it off, or null where none is set that is meant. */
  readonly take: <K extends FaultKind>(kind: K, path: string, account?: number | null, isMeant?: (fault: FaultOf<K>) => boolean) => FaultOf<K> | null
  /** Aborts when the faults of this moment are replaced or cleared. */
  readonly lifted: () => AbortSignal
}

/** A switchboard with nothing set. */
export const createFaults = (): Faults => {
  let waiting: Fault[] = []
  let lift = new AbortController()

  const replace = (faults: Fault[]): void => {
    waiting = faults
    lift.abort()
    lift = new AbortController()
  }

  const countOff = (struck: Fault): void => {
    if (struck.times === undefined) return
    const left = struck.times - 1
    waiting = waiting.flatMap((fault) => (fault !== struck ? [fault] : left > 0 ? [{ ...fault, times: left }] : []))
  }

  const strikes = <K extends FaultKind>(fault: Fault, kind: K, path: string, account: number | null): fault is FaultOf<K> =>
    fault.kind === kind && (fault.path === undefined || new RegExp(fault.path).test(path)) && (fault.account === undefined || fault.account === account)

  return {
    add: (fault) => void waiting.push(faultSchema.parse(fault)),
    set: (faults) => replace(faults.map((fault) => faultSchema.parse(fault))),
    clear: () => replace([]),
    active: () => [...waiting],
    take: (kind, path, account = null, isMeant = () => true) => {
      for (const fault of waiting) {
        if (!strikes(fault, kind, path, account) || !isMeant(fault)) continue
        countOff(fault)
        return fault
      }
      return null
    },
    lifted: () => lift.signal,
  }
}

/** What goes wrong with orders; `later` does something after so many milliseconds, unless the stand-in stops before. */
export const orderFaults = ({ faults, later }: { readonly faults: Faults; readonly later: (ms: number, act: () => void) => void }): Pick<Hooks, 'refuseOrder' | 'startOrder' | 'beforeCancel'> => ({
  refuseOrder: (path, accountId) => faults.take('reject-order', path, accountId),
  startOrder: (path, order, { start, reject }) => {
    const late = faults.take('late-reject', path, order.accountId)
    if (late !== null) return later(late.ms, () => reject({ reason: late.reason, text: late.text }))
    const partial = faults.take('partial-fills', path, order.accountId)
    if (partial !== null) order.pieces = { qty: Math.max(1, Math.floor((currentVersion(order).qty + partial.pieces - 1) / partial.pieces)), byStep: partial.byStep, dropRest: partial.dropRest }
    order.held = faults.take('slow-fill', path, order.accountId) !== null
    start()
  },
  beforeCancel: (path, order, fill) => {
    if (faults.take('fill-beats-cancel', path, order.accountId) !== null) fill()
  },
})

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
