// @module-tag slow
import { expect, test } from 'vitest'
import { memorySecrets } from '#tests/helpers/memory-secrets.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { quickPasswords } from '#tests/helpers/quick-passwords.ts'
import { openEmptyStore } from '#tests/helpers/store.ts'
import { createLocalIdentity } from './local-identity.ts'
import { createRecoveryCodes, unsavedCodeName } from './recovery-codes.ts'

const email = 'nina@example.com'
const [browser, password] = ['one', 'correct horse']

/** An installation with a keychain and one user at its screens, who writes down each code that shows. */
const installation = () => {
  const [store, secrets] = [openEmptyStore(), memorySecrets()]
  const journal = callsOf(store)
  const shown: string[] = []
  /** The program started anew, and killed before its write number `killAt`, of the journal or the keychain; or whose keychain is `locked`. */
  const start = (killAt = Infinity, locked = false) => {
    let writes = 0
    const orKilled = <T>(work: () => Promise<T>): Promise<T> => ((writes += 1) > killAt ? Promise.reject(new Error('killed')) : work())
    const write = new Proxy(journal.write, { get: (target, name) => (given: never) => orKilled(() => (target[name as keyof typeof target] as (given: never) => Promise<unknown>)(given)) })
    const identity = createLocalIdentity({
      journal: { read: journal.read, write },
      secrets: { get: secrets.get, set: (name, value) => (locked ? Promise.reject(new Error('locked')) : orKilled(() => secrets.set(name, value))), remove: (name) => orKilled(() => secrets.remove(name)) },
      now: Date.now,
      timeZone: 'UTC',
      cost: quickPasswords,
    })
    return { identity, writes: () => writes }
  }
  const profile = () => store.read.profileByEmail({ email })
  const latest = (): string => shown.at(-1) ?? ''
  const steps = {
    signUp: ({ identity }: ReturnType<typeof start>) => identity.signUp({ browser, email, password, displayName: '', beginsEmpty: false }),
    renew: ({ identity }: ReturnType<typeof start>) => identity.renewRecoveryCode(profile()?.id ?? '', password),
    confirm: ({ identity }: ReturnType<typeof start>) => identity.confirmRecoveryCode({ browser, email, recoveryCode: latest() }),
    /** With the code that shows now, or with the one before it. */
    reset: ({ identity }: ReturnType<typeof start>) => identity.resetPassword({ browser, email, recoveryCode: latest(), newPassword: password }),
    resetByOlder: ({ identity }: ReturnType<typeof start>) => identity.resetPassword({ browser, email, recoveryCode: shown.at(-2) ?? latest(), newPassword: password }),
  }
  return {
    secrets,
    store,
    start,
    shown,
    /** Takes a step; what it answers is written down. Returns how often it wrote. */
    take: async (step: keyof typeof steps, killAt?: number): Promise<number> => {
      const program = start(killAt)
      const answer = await steps[step](program).catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'killed') throw error
        return null
      })
      if (answer === null) return program.writes()
      expect(answer).toMatchObject({ ok: true })
      const code = answer.ok && answer.value !== null ? (answer.value as { recoveryCode?: string | null }).recoveryCode : null
      if (typeof code === 'string' && code !== latest()) shown.push(code)
      return program.writes()
    },
    /** Which of the codes that showed work, in a program that was started anew. */
    working: async () => {
      const codes = createRecoveryCodes({ journal, secrets })
      return (await Promise.all(shown.map(async (code) => ((await codes.isRight(profile(), code)) ? [code] : [])))).flat()
    },
    reminds: () => start().identity.isRecoveryCodeUnsaved(profile()?.id ?? ''),
  }
}

type Step = Parameters<ReturnType<typeof installation>['take']>[0]

// Each life ends in the step that is killed.
const lives: readonly (readonly Step[])[] = [
  ['signUp'],
  ['signUp', 'confirm'],
  ['signUp', 'reset'],
  ['signUp', 'confirm', 'renew'],
  ['signUp', 'confirm', 'renew', 'confirm'],
  ['signUp', 'confirm', 'renew', 'reset'],
  ['signUp', 'confirm', 'renew', 'resetByOlder'],
  ['signUp', 'confirm', 'renew', 'reset', 'confirm'],
  ['signUp', 'confirm', 'reset', 'reset'],
  ['signUp', 'confirm', 'reset', 'resetByOlder', 'confirm'],
]

test.each(lives.map((life) => [life.join(', '), life] as const))('killed before any write of the last of %s, a code that showed still works, or the user is reminded of a first one', async (_, life) => {
  const whole = installation()
  let writes = 0
  for (const step of life) writes = await whole.take(step)
  expect(writes).toBeGreaterThan(0)
  for (let killAt = 0; killAt < writes; killAt += 1) {
    const it = installation()
    for (const [at, step] of life.entries()) await it.take(step, at === life.length - 1 ? killAt : undefined)
    const latest = it.shown.at(-1)
    const works = await it.working()
    // The code on the last screen is the one that a person trusts; before the first one the profile, if there is one, reminds of it.
    if (latest !== undefined) expect(works, `killed before write ${String(killAt)}`).toContain(latest)
    else expect([works, await it.reminds()]).toEqual([[], it.store.read.profileByEmail({ email }) !== null])
    // What was cut short is done by doing it again.
    if (latest !== undefined) {
      await it.take(life.at(-1) ?? 'renew')
      await it.take('confirm')
      expect([await it.working(), await it.reminds()]).toEqual([[it.shown.at(-1)], false])
    }
  }
})

test('the current code works until the new one is confirmed, and never again after that', async () => {
  const it = installation()
  await it.take('signUp')
  expect([await it.reminds(), it.store.read.profileByEmail({ email })?.recoveryHash]).toEqual([true, null])
  await it.take('confirm')
  expect([await it.reminds(), it.secrets.values.size]).toEqual([false, 0])
  await it.take('renew')
  // Shown again after a reload, and the same, so that what was written down is right.
  await it.take('renew')
  expect([it.shown.length, await it.working(), await it.reminds()]).toEqual([2, it.shown, true])
  await it.take('confirm')
  expect([await it.working(), await it.reminds()]).toEqual([[it.shown[1]], false])
  // An answer that was lost on its way is asked for again.
  await it.take('confirm')
})

test('a code is confirmed by that code alone, and only so often', async () => {
  const it = installation()
  await it.take('signUp')
  await it.take('confirm')
  await it.take('renew')
  const { identity } = it.start()
  const guess = async (recoveryCode: string, whose = email) => {
    const answer = await identity.confirmRecoveryCode({ browser, email: whose, recoveryCode })
    return answer.ok ? 'ok' : answer.error.code
  }
  expect([await guess(it.shown[0] ?? ''), await guess('AAAA'), await guess(it.shown[1] ?? '', 'nobody@example.com')]).toEqual(['wrong-recovery-code', 'wrong-recovery-code', 'wrong-recovery-code'])
  const more = [await guess('B'), await guess('C'), await guess('D'), await guess(it.shown[1] ?? '')]
  expect(more).toEqual(['wrong-recovery-code', 'wrong-recovery-code', 'wrong-recovery-code', 'too-many-attempts'])
  expect(await it.working()).toEqual(it.shown)
})

test('a code that is confirmed twice at once is confirmed by both', async () => {
  const it = installation()
  await it.take('signUp')
  const { identity } = it.start()
  const confirm = () => identity.confirmRecoveryCode({ browser, email, recoveryCode: it.shown[0] ?? '' })
  expect(await Promise.all([confirm(), confirm()])).toMatchObject([{ ok: true }, { ok: true }])
  expect(await it.working()).toEqual(it.shown)
})

test('a code is renewed with the password, and guessing is throttled', async () => {
  const it = installation()
  await it.take('signUp')
  const { identity } = it.start()
  const userId = it.store.read.profileByEmail({ email })?.id ?? ''
  const guess = async (given: string | undefined) => {
    const answer = await identity.renewRecoveryCode(userId, given)
    return answer.ok ? 'ok' : answer.error.code
  }
  expect(await guess(undefined)).toBe('recent-login-needed')
  const guesses: string[] = []
  for (let count = 0; count < 6; count += 1) guesses.push(await guess('wrong horse'))
  expect(guesses).toEqual([...Array.from({ length: 5 }, () => 'wrong-credentials'), 'too-many-attempts'])
  expect(await guess(password)).toBe('too-many-attempts')
})

test('a failing keychain does not keep a profile from being created; the profile reminds of a code until it has one', async () => {
  const it = installation()
  const { identity } = it.start(Infinity, true)
  expect(await identity.signUp({ browser, email, password, displayName: '', beginsEmpty: false })).toMatchObject({ ok: true, value: { recoveryCode: null } })
  expect(await it.reminds()).toBe(true)
})

test('the code that waits is in the keychain and nowhere in the journal', async () => {
  const it = installation()
  await it.take('signUp')
  const profile = it.store.read.profileByEmail({ email })
  expect([...it.secrets.values]).toEqual([[unsavedCodeName(profile?.id ?? ''), it.shown[0]]])
  expect(JSON.stringify(profile)).not.toContain(it.shown[0])
})
