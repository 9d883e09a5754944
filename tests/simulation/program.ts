import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import { startEngine, type CopierCalls } from '#backend/copier/engine/engine.ts'
import { openLine } from '#backend/copier/engine/line.ts'
import { openCopierStore } from '#backend/copier/store/copier-store.ts'
import { createLogins } from '#backend/sync/logins.ts'
import type { Timing } from '#backend/brokers/timing.ts'
import type { Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { Log } from '#shared/base/log.ts'
import type { Random } from '#demo-broker/random.ts'
import { copierPaths } from '#tests/helpers/copier-samples.ts'
import type { Broker } from './broker.ts'
import { sleep, type Clock, type Owner } from './clock.ts'

export const USER = 'trader'

/** One run of the program, from its start to its death. */
export type Program = {
  readonly owner: Owner
  /** Asks the copier as its user does. */
  readonly ask: <T>(work: (calls: CopierCalls) => T) => T
  /** Ends it between two events: nothing that it waited for ever comes. With `silently` the computer is gone, and the brokerage does not learn that its sockets closed. */
  readonly kill: (silently: boolean) => void
}

/** What outlives a run: the file, and the keychain. */
export type Computer = { readonly folder: string; readonly tokens: Map<string, Tokens> }

type Parts = { readonly clock: Clock; readonly broker: Broker; readonly random: Random; readonly computer: Computer; readonly accounts: () => readonly CopierAccount[]; readonly said: (line: string) => void }

/** Starts the product's engine on its real store and its real lines. */
export const startProgram = ({ clock, broker, random, computer, accounts, said }: Parts): Program => {
  const owner: Owner = { name: 'program', dead: false }
  const timing: Timing = { now: () => Math.floor(clock.now()), sleep: (ms, signal) => sleep(ms, undefined, { signal }), random: random.next }
  const note = (level: string) => (fields: object, message: string): void => {
    const error = 'error' in fields && fields.error instanceof Error ? fields.error.message : JSON.stringify(fields)
    said(`log ${level}: ${message} ${error}`)
  }
  const log: Log = { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') }
  return clock.as(owner, () => {
    const store = openCopierStore({ ...copierPaths(computer.folder), log })
    const main = {
      open: ({ loginId }: { loginId: string }) => {
        const tokens = computer.tokens.get(loginId)
        return Promise.resolve(tokens === undefined ? { kind: 'no-tokens' as const } : { kind: 'open' as const, tokens, hosts: broker.hosts })
      },
      refresh: ({ refreshToken }: { refreshToken: string }) => {
        const tokens = broker.refresh(refreshToken)
        return Promise.resolve(tokens === null ? { kind: 'refused' as const, lastError: 'invalid_token' } : { kind: 'renewed' as const, tokens })
      },
      replace: ({ loginId, tokens }: { loginId: string; tokens: Tokens }) => Promise.resolve(void computer.tokens.set(loginId, tokens)),
      accounts: () => Promise.resolve(accounts()),
      live: () => Promise.resolve(),
      positions: () => Promise.resolve(),
      armed: () => Promise.resolve(),
      copied: () => Promise.resolve(),
    }
    const logins = createLogins({ main, timing, stop: new AbortController().signal })
    const calls = startEngine({ store, main, logins, openLine, timing, callsPerHour: 5_000, log })
    return {
      owner,
      ask: (work) => clock.as(owner, () => work(calls)),
      kill: (silently) => {
        owner.dead = true
        broker.drop(owner, silently)
        // Closing writes nothing: uncommitted writes are lost, as by a kill.
        store.close()
      },
    }
  })
}
