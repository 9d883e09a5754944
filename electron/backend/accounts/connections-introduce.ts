import { randomUUID } from 'node:crypto'
import { refuse, type Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { AccountRow } from '../db/rows.ts'
import { environments } from '../brokers/tradovate/hosts.ts'
import { openLogin, type Login } from '../brokers/tradovate/login.ts'
import { accountKey } from '../brokers/tradovate/mapping.ts'
import { createReads } from '../brokers/tradovate/reads.ts'
import type { Timing } from '../brokers/timing.ts'
import type { Tokens } from '../brokers/tradovate/tokens.ts'
import type { Brokerage, TokenKeeper } from '../sync/token-keeper.ts'

type Deps = { readonly journal: JournalCalls; readonly keeper: TokenKeeper; readonly timing: Timing }

/** A consent that just brought tokens. */
export type NewTokens = { readonly userId: string; readonly brokerage: Brokerage; readonly tokens: Tokens }

/**
 * Asks whose the new tokens are and keeps them with the login of that broker user: connecting it again renews it
 * instead of doubling it. Its accounts are saved at once, and those that the user had removed come back.
 */
export const introduce = async ({ journal, keeper, timing }: Deps, { userId, brokerage, tokens }: NewTokens): Promise<Result<{ loginId: string }, Refused>> => {
  let living = tokens
  const login = openLogin({
    tokens,
    hosts: brokerage.hosts,
    timing,
    refresh: (token) => keeper.refresh({ userId, loginId: `new of ${userId}` }, token),
    saveTokens: (next) => Promise.resolve(void (living = next)),
  })
  const user = await whoIs(login)
  // The code is used up: only a new consent helps.
  if (user === null) return refuse('answer-lost')
  // Before the tokens are kept: a renewal on the way brings others, and an organization's hosts.
  const accounts = await accountsOf(login)
  const at = timing.now()
  const known = (await journal.read.logins({ userId })).find(({ broker, brokerUserId }) => broker === 'tradovate' && brokerUserId === String(user.id))
  const loginId = known?.id ?? randomUUID()
  // Tokens first: a login without them would stand in every run's way if the program died in between.
  await keeper.keep({ userId, loginId }, brokerage.hosts, living)
  await journal.write.saveLogin({ userId, id: loginId, brokerUserId: String(user.id), name: user.name, hosts: null, at })
  await journal.write.saveAccounts({ userId, loginId, accounts, reconnect: true, at })
  // What was imported of these accounts before is theirs from now on.
  await journal.write.settleImports({ userId, at })
  return ok({ loginId })
}

const never = new AbortController().signal

const whoIs = async (login: Login): Promise<{ id: number; name: string } | null> => {
  for (const environment of environments) {
    const users = await createReads(login, environment).users(never)
    const user = users.ok ? users.value.rows[0] : undefined
    if (user !== undefined) return user
  }
  return null
}

/** What can be read now; the first sync finds the rest. */
const accountsOf = async (login: Login): Promise<AccountRow[]> => {
  const lists = await Promise.all(
    environments.map(async (environment) => {
      const listed = await createReads(login, environment).accounts(never)
      const rows = listed.ok ? listed.value.rows : []
      return rows
        .filter((row) => row.closed !== true && row.archived !== true)
        .map((row) => ({ key: accountKey(environment, row.id), environment, brokerAccountId: String(row.id), name: row.name }))
    }),
  )
  return lists.flat()
}
