import { expect, test } from 'vitest'
import { monday, openStore, user } from '#tests/helpers/store.ts'

test('the facts count tables and runs, and name everybody whom a handed on text must not name', () => {
  const store = openStore()
  store.writer.database.exec(`UPDATE profiles SET email = 'jane@example.org', display_name = 'Jane van Doe', firebase_uid = 'fb-uid', firebase_user = '{"displayName":"Jay"}'`)
  store.write.createProfile({ id: 'demo', email: null, displayName: 'The demo', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: monday })
  const facts = store.read.supportFacts()
  expect(facts.schemaVersion).toBeGreaterThan(5)
  expect(facts.rows).toMatchObject({ profiles: 2, accounts: store.read.connectedAccounts(user).length, trades: 0 })
  expect(facts.rows).not.toHaveProperty('sqlite_sequence')
  expect(facts.runs).toEqual([])
  expect(facts.personal).toEqual(expect.arrayContaining(['u1', 'jane@example.org', 'Jane van Doe', 'van', 'Doe', 'Jay', 'fb-uid', 'EVAL-101', 'Fünded-202', 'tradovate:demo:700101', '700101']))
  expect(facts.personal).not.toContain('The demo')
  expect(facts.personal).not.toContain('')
})
