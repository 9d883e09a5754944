import { randomUUID } from 'node:crypto'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import { createProjectxClient, type ApiKey } from '../brokers/projectx/client.ts'
import type { ProjectxFirmId } from '../brokers/projectx/hosts.ts'
import { accountKey } from '../brokers/projectx/mapping.ts'
import type { Timing } from '../brokers/timing.ts'
import type { AccountRow } from '../db/rows.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { TokenKeeper } from '../sync/token-keeper.ts'

type Deps = { readonly journal: JournalCalls; readonly keeper: TokenKeeper; readonly timing: Timing }

/** A user name and an API key of a firm on ProjectX. */
export type KeyInput = ApiKey & { readonly firm: ProjectxFirmId }

/**
 * Logs in with a key and keeps it with the login of that user name: connecting it again renews it instead of doubling it.
 * Its accounts are saved at once, and those that the user had removed come back.
 */
export const connectKey = async ({ journal, keeper, timing }: Deps, userId: string, { firm: firmId, userName, apiKey }: KeyInput): Promise<Result<{ loginId: string }, Refused>> => {
  const firm = await keeper.firmOf(userId, firmId)
  if (firm === null) return refuse('brokerage-not-configured')
  const key = { userName, apiKey }
  const client = createProjectxClient({ api: firm.api, key, timing, isNew: true })
  const failure = await client.prepare()
  if (failure !== null) return refused(failure)
  const listed = await client.accounts()
  if (!listed.ok) return refused(listed.error)
  const accounts = listed.value.rows
    .filter(({ isVisible }) => isVisible)
    .map(({ id, name, simulated }): AccountRow => {
      const environment = simulated ? 'demo' : 'live'
      return { key: accountKey(firmId, environment, id), environment, brokerAccountId: String(id), name }
    })
  const at = timing.now()
  // Its case does not matter to the broker.
  const brokerUserId = userName.toLowerCase()
  const known = (await journal.read.logins({ userId })).find((login) => login.broker === firmId && login.brokerUserId === brokerUserId)
  const loginId = known?.id ?? randomUUID()
  // The key first: a login without it would stand in every run's way if the program died in between.
  await keeper.keepKey({ userId, loginId }, firmId, key)
  await journal.write.saveLogin({ userId, id: loginId, broker: firmId, brokerUserId, name: userName, hosts: null, at })
  await journal.write.saveAccounts({ userId, loginId, accounts, reconnect: true, at })
  // What was imported of these accounts before is theirs from now on.
  await journal.write.settleImports({ userId, at })
  return ok({ loginId })
}

const refused = (failure: BrokerFailure): { readonly ok: false; readonly error: Refused } => {
  switch (failure.kind) {
    case 'login-needed':
      return refuse('key-refused')
    case 'refused-by-broker':
    case 'permission-missing':
      return refuse('key-not-allowed')
    case 'rate-limited':
      return refuse('brokerage-busy', { retryAfterMs: Math.ceil(failure.waitMs) })
    default:
      return refuse('brokerage-unreachable')
  }
}
