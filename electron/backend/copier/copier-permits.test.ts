import { expect, onTestFinished, test, vi } from 'vitest'
import type { LeaseAnswer } from '#shared/api/copier-lease.ts'
import { err, ok } from '#shared/base/result.ts'
import type { CloudLeases } from '../cloud/leases.ts'
import type { Entries } from './engine/calls.ts'
import { createPermits, type PermittedGroup } from './copier-permits.ts'

const group = (id: string, accounts: string[], more: Partial<PermittedGroup> = {}): PermittedGroup => ({ userId: 'ann', id, accounts, dryRun: false, ...more })
const until = '2026-11-20T15:00:00.000Z'

/** Permits with manual clocks and a scripted cloud. */
const start = (given: { alone?: boolean } = {}) => {
  const it = { wall: 1_000_000, up: 0, plan: true, says: { outcome: 'granted', until } as LeaseAnswer | 'away', asked: [] as string[], allowed: [] as string[], taken: [] as string[], hold: null as Promise<void> | null, holdOf: null as string | null, holdRelease: null as Promise<void> | null, deaf: false }
  const cloud: CloudLeases = {
    take: async ({ accounts, seconds }) => {
      it.asked.push(`take ${accounts.join()} ${String(seconds)}`)
      if (it.holdOf === null || it.holdOf === accounts.join()) await it.hold
      const taken = accounts.filter((account) => it.taken.includes(account))
      if (taken.length > 0) return ok({ outcome: 'elsewhere', since: until, accounts: taken })
      return it.says === 'away' ? err({ kind: 'unreachable', cause: 'network', status: null }) : ok(it.says)
    },
    release: async ({ accounts }) => {
      it.asked.push(`release ${accounts.join()}`)
      await it.holdRelease
      return ok(null)
    },
  }
  const permits = createPermits({
    rights: { holds: () => Promise.resolve(it.plan) },
    leasesOf: () => Promise.resolve(given.alone === true ? null : cloud),
    machine: 'this computer, as it is',
    allow: ({ id }, entries: Entries, elsewhere) => (it.deaf ? Promise.reject(new Error('not received')) : Promise.resolve(void it.allowed.push([id, String(entries), ...elsewhere].join(' ')))),
    log: { warn: () => undefined },
    now: () => it.wall,
    uptime: () => it.up,
    // Only the test triggers checks.
    everyMs: 1_000_000,
  })
  onTestFinished(permits.stop)
  const settled = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
  }
  /** Advances both clocks; the permits check every second. */
  const pass = async (seconds: number, asleep = 0): Promise<void> => {
    for (let done = 0; done < seconds; done += 1) {
      it.up += 1_000
      it.wall += 1_000 + (done === 0 ? asleep * 1_000 : 0)
      permits.turn()
      await settled()
    }
  }
  return { it, permits, settled, pass }
}

test('an armed group may enter, and its lease is renewed every twenty seconds', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a', 'b'])])
  await settled()
  expect(it.allowed).toEqual(['g true'])
  await pass(61)
  expect(it.asked).toEqual(Array.from({ length: 4 }, () => 'take a,b 60'))
  permits.hold([])
  await settled()
  expect(it.asked.at(-1)).toBe('release a,b')
  await pass(60)
  expect([it.asked.length, it.allowed]).toEqual([5, ['g true']])
})

test('a lease that cannot be renewed ends before the cloud grants it to another computer, and is regained automatically', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  it.says = 'away'
  await pass(54)
  expect(it.allowed).toEqual(['g true'])
  await pass(1)
  expect(it.allowed).toEqual(['g true', 'g no-lease'])
  it.says = { outcome: 'granted', until }
  await pass(5)
  expect(it.allowed).toEqual(['g true', 'g no-lease', 'g true'])
})

test('a group with one account leased elsewhere keeps the others, and regains that one once released', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a', 'b'])])
  await settled()
  it.taken = ['a']
  await pass(20)
  expect([it.allowed, it.asked.slice(-2)]).toEqual([['g true', 'g true a'], ['take a,b 60', 'take b 60']])
  it.taken = []
  await pass(20)
  expect(it.allowed.at(-1)).toBe('g true')
})

test('confirmed leases of the other accounts hold while they are requested again', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a', 'b'])])
  await settled()
  it.taken = ['a']
  await pass(20)
  const late = Promise.withResolvers<undefined>()
  Object.assign(it, { hold: late.promise, holdOf: 'b' })
  await pass(21)
  expect([it.allowed, it.asked.at(-1)]).toEqual([['g true', 'g true a'], 'take b 60'])
  late.resolve(undefined)
  await settled()
  expect(it.allowed).toEqual(['g true', 'g true a'])
})

test('an account of two groups is released with the second', async () => {
  const { it, permits, settled } = start()
  const [one, two] = [group('g', ['a', 'b']), group('h', ['b', 'c'])]
  permits.hold([one, two])
  await settled()
  permits.hold([two])
  await settled()
  expect(it.asked.at(-1)).toBe('release a')
  await permits.giveBack(two)
  expect(it.asked.at(-1)).toBe('release b,c')
})

test('a pending request keeps no lease alive, and a late answer counts from its request', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  const late = Promise.withResolvers<undefined>()
  it.hold = late.promise
  await pass(56)
  expect(it.allowed).toEqual(['g true', 'g no-lease'])
  // Requested in second twenty.
  it.hold = null
  late.resolve(undefined)
  await settled()
  expect(it.allowed.at(-1)).toBe('g true')
  it.says = 'away'
  await pass(18)
  expect(it.allowed.at(-1)).toBe('g true')
  await pass(1)
  expect(it.allowed.at(-1)).toBe('g no-lease')
})

test('a lease ends over a sleep although the monotonic clock stood still, and when the clock is set', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  it.says = 'away'
  await pass(1, 600)
  expect(it.allowed).toEqual(['g true', 'g no-lease'])
  it.says = { outcome: 'granted', until }
  await pass(5)
  expect(it.allowed.at(-1)).toBe('g true')
  it.says = 'away'
  it.wall -= 3_600_000
  await pass(1)
  expect(it.allowed.at(-1)).toBe('g no-lease')
})

test('setting the clock back a little does not extend a lease', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  it.says = 'away'
  it.wall -= 4_000
  await pass(55)
  expect(it.allowed).toEqual(['g true', 'g no-lease'])
})

test('a lease held elsewhere, an ended plan, and a smaller plan are different reasons', async () => {
  const { it, permits, settled, pass } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  for (const [says, plan, allowed] of [[{ outcome: 'elsewhere', since: until }, true, 'no-lease a'], [{ outcome: 'granted', until }, false, 'plan-ended'], [{ outcome: 'granted', until }, true, 'true'], [{ outcome: 'plan-needed' }, true, 'plan-ended'], [{ outcome: 'plan-limit', limit: 10 }, true, 'plan-ended']] as const) {
    Object.assign(it, { says, plan })
    permits.look()
    await settled()
    expect(it.allowed.at(-1)).toBe(`g ${allowed}`)
  }
  // No report without a change.
  const count = it.allowed.length
  await pass(30)
  expect(it.allowed.length).toBe(count)
})

test('an armed group with a new account takes no entries until the cloud grants that account', async () => {
  const { it, permits, settled } = start()
  permits.hold([group('g', ['a', 'b'])])
  await settled()
  it.says = { outcome: 'elsewhere', since: until }
  permits.hold([group('g', ['b', 'c'])])
  expect(it.allowed).toEqual(['g true', 'g no-lease'])
  await settled()
  expect(it.asked).toEqual(['take a,b 60', 'release a', 'take b,c 60'])
  it.says = { outcome: 'granted', until }
  expect(await permits.take(group('g', ['b', 'c']))).toBe('granted')
  permits.look()
  await settled()
  expect(it.allowed.at(-1)).toBe('g true')
})

test('a group disarmed during a lease request releases the lease', async () => {
  const { it, permits, settled } = start()
  const late = Promise.withResolvers<undefined>()
  it.hold = late.promise
  permits.hold([group('g', ['a']), group('h', ['b'])])
  await settled()
  permits.hold([group('h', ['b'])])
  await settled()
  late.resolve(undefined)
  await settled()
  expect(it.asked.filter((asked) => asked === 'release a').length).toBeGreaterThanOrEqual(2)
  expect(it.allowed).toEqual(['h true'])
})

test('an earlier release does not end a lease taken again', async () => {
  const { it, permits, settled } = start()
  const late = Promise.withResolvers<undefined>()
  permits.hold([group('g', ['a'])])
  await settled()
  it.holdRelease = late.promise
  permits.hold([])
  const taken = permits.take(group('g', ['a']))
  await settled()
  expect(it.asked).toEqual(['take a 60', 'release a'])
  late.resolve(undefined)
  expect(await taken).toBe('granted')
  expect(it.asked).toEqual(['take a 60', 'release a', 'take a 60'])
})

test('a dry run and a computer without a cloud need the plan but no lease', async () => {
  const dry = start()
  dry.permits.hold([group('g', ['a'], { dryRun: true })])
  await dry.settled()
  expect([dry.it.allowed, dry.it.asked]).toEqual([['g true'], []])
  const { it, permits, settled, pass } = start({ alone: true })
  permits.hold([group('g', ['a'])])
  await settled()
  await pass(3_600, 86_400)
  expect(it.allowed).toEqual(['g true'])
  it.plan = false
  await pass(20)
  expect(it.allowed).toEqual(['g true', 'g plan-ended'])
  expect(await permits.holder('ann')).toBe('alone')
})

test('a report that the copier did not receive is repeated', async () => {
  const { it, permits, settled, pass } = start()
  it.deaf = true
  permits.hold([group('g', ['a'])])
  await settled()
  it.deaf = false
  await pass(21)
  expect(it.allowed).toEqual(['g true'])
})

test('shutdown waits at most three seconds for an unresponsive cloud', async () => {
  const { it, permits, settled } = start()
  permits.hold([group('g', ['a'])])
  await settled()
  it.holdRelease = new Promise(() => undefined)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let ended = false
  const end = permits.stop().then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(2_999)
  expect(ended).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await end
})

test('shutdown releases all leases', async () => {
  const { it, permits, settled } = start()
  permits.hold([group('g', ['a']), group('h', ['b'])])
  await settled()
  await permits.stop()
  expect(it.asked.filter((asked) => asked.startsWith('release'))).toEqual(['release a', 'release b'])
})
