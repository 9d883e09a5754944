import { z } from 'zod'
import type { Fault, Faults } from './faults.ts'
import type { Login } from './world.ts'

/** What the brokerage names hosts for, by its own words; clients ignore `simTrading`, and `replay` nobody asks. */
export const purposes = ['live', 'demo', 'mdLive', 'mdDemo', 'replay', 'reportingLive', 'reportingDemo', 'simTrading'] as const
export type Purpose = (typeof purposes)[number]

/** Hosts by purpose, `{ demo: '127.0.0.1:4011' }`; what is not named stays where it was. */
export type OwnHosts = Readonly<Partial<Record<Purpose, string>>>

/** Whom a move concerns, everybody unless told, and where they live from then on: on `localhost` for all purposes unless told. */
export const movedHostFields = { organization: z.string().optional(), login: z.string().optional(), hosts: z.partialRecord(z.enum(purposes), z.string()).optional() }

/** What is known of a caller at the moment: whose token came, null where none did. */
export type Caller = { readonly host: string; readonly path: string; readonly userId: number | null }

/** The organizations that moved to hosts of their own. */
export type Moves = {
  /** Where a caller is to go instead, `127.0.0.1:4011`; null where it is right. */
  readonly elsewhere: (caller: Caller) => string | null
  /** What the brokerage says with tokens. Nothing before the move, since the next start has other ports. */
  readonly named: (userId: number) => { readonly apiHosts?: OwnHosts }
}

type Parts = { readonly faults: Faults; readonly logins: readonly Login[]; readonly port: () => number }

/** Follows the fault `moved-host`. */
export const createMoves = ({ faults, logins, port }: Parts): Moves => {
  const hostsOf = ({ hosts }: Extract<Fault, { kind: 'moved-host' }>): OwnHosts => hosts ?? Object.fromEntries(purposes.map((purpose) => [purpose, `localhost:${port()}`]))

  const concerns = (userId: number | null) => ({ organization, login }: { readonly organization?: string | undefined; readonly login?: string | undefined }): boolean => {
    if (organization === undefined && login === undefined) return true
    const whose = logins.find((each) => each.userId === userId)
    return whose !== undefined && (organization === undefined || whose.organization === organization) && (login === undefined || whose.name === login)
  }

  const moveOf = (userId: number) => faults.active().find((fault) => fault.kind === 'moved-host' && concerns(userId)(fault))

  return {
    elsewhere: ({ host, path, userId }) => {
      const served = purposesOf(path)
      const right = (own: OwnHosts): string[] => served.flatMap((purpose) => own[purpose] ?? [])
      // Where nothing is named for it, the usual host stays right.
      const isLeft = (fault: Extract<Fault, { kind: 'moved-host' }>): boolean => concerns(userId)(fault) && right(hostsOf(fault)).length > 0 && !right(hostsOf(fault)).includes(host)
      const left = faults.take('moved-host', path, null, isLeft)
      if (left !== null) return right(hostsOf(left))[0] ?? null
      const move = userId === null ? undefined : moveOf(userId)
      const isOwn = move?.kind === 'moved-host' && right(hostsOf(move)).includes(host)
      const isUsual = host.endsWith(`:${port()}`)
      return isOwn || isUsual || userId === null ? null : `127.0.0.1:${port()}`
    },
    named: (userId) => {
      const move = moveOf(userId)
      return move?.kind === 'moved-host' ? { apiHosts: hostsOf(move) } : {}
    },
  }
}

/** Prices of both sides are told under one path. */
const purposesOf = (path: string): readonly Purpose[] => {
  const [, side, reports] = /^\/(live|demo|md)\/(rpt\/)?/.exec(path) ?? []
  if (side === 'md') return ['mdLive', 'mdDemo']
  if (side === 'live') return [reports === undefined ? 'live' : 'reportingLive']
  return side === 'demo' ? [reports === undefined ? 'demo' : 'reportingDemo'] : []
}
