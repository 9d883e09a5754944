import { z } from 'zod'
import { movedHostFields } from './moves.ts'
import { orderFaultSchemas } from './order-faults.ts'
import { socketFaultSchemas } from './socket-faults.ts'

/**
 * Where and how often a fault strikes: `path` is a regular expression on `/demo/v1/fill/list`, `account` the account that a call is
 * about; without `times` it strikes until cleared.
 */
const scope = {
  path: z.string().refine(isPattern, 'not a regular expression').optional(),
  account: z.int().optional(),
  times: z.int().positive().optional(),
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
  /** An organization, a login or everybody lives on other hosts. */
  z.strictObject({ kind: z.literal('moved-host'), ...movedHostFields, ...scope }),
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
  ...orderFaultSchemas(scope),
  ...socketFaultSchemas(scope),
])

/** One thing that the brokerage does wrong. */
export type Fault = z.infer<typeof faultSchema>

/** The same before what it leaves out is filled in. */
export type FaultInput = z.input<typeof faultSchema>

/** The name of a fault switch. */
export type FaultKind = Fault['kind']

/** The switches that strike nothing which is only read: orders, and what is told on sockets. */
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

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
