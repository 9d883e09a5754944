import { expect, test } from 'vitest'
import { accountState, type AccountFacts } from './account-state.ts'

const connected: AccountFacts = { fromFiles: false, watchedSince: 100, login: 'ok', running: false, lastGoodAt: null, trouble: null }
const trouble = { at: 500, nextTryAt: 800 }

type Row = { title: string; facts: Partial<AccountFacts>; state: string; nextTryAt?: number }
const rows: Row[] = [
  { title: 'a new account was never synced', facts: {}, state: 'never' },
  { title: 'its first run is under way', facts: { running: true }, state: 'running' },
  { title: 'a run read it to the end', facts: { lastGoodAt: 400 }, state: 'good' },
  { title: 'the first run met trouble that may pass', facts: { trouble }, state: 'waiting', nextTryAt: 800 },
  { title: 'a later run met trouble that may pass', facts: { lastGoodAt: 400, trouble }, state: 'waiting', nextTryAt: 800 },
  { title: 'nobody knows when it is tried again', facts: { trouble: { at: 500, nextTryAt: null } }, state: 'waiting' },
  { title: 'the trouble is over', facts: { lastGoodAt: 600, trouble }, state: 'good' },
  { title: 'a run met trouble and read this account to the end all the same', facts: { lastGoodAt: 500, trouble }, state: 'good' },
  { title: 'it is being tried again', facts: { lastGoodAt: 400, trouble, running: true }, state: 'running' },
  { title: 'the login expired, whatever else goes on', facts: { login: 'expired', lastGoodAt: 400, running: true, trouble }, state: 'login-needed' },
  { title: 'there are no tokens for its login', facts: { login: null, lastGoodAt: 400, trouble }, state: 'login-needed' },
  { title: 'only files know it', facts: { fromFiles: true, watchedSince: null, login: null }, state: 'from-files' },
  { title: 'it came from the cloud', facts: { watchedSince: null, login: null, lastGoodAt: null }, state: 'elsewhere' },
  { title: 'it came from the cloud, and a login of the same name is here', facts: { watchedSince: null, running: true }, state: 'elsewhere' },
]

test.each(rows)('$title', ({ facts, state, nextTryAt = null }) => {
  expect(accountState({ ...connected, ...facts })).toEqual({ state, nextTryAt })
})
