import { expect, test } from 'vitest'
import { noRole } from '#shared/plans/checks.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Subscription } from '#shared/plans/subscription.ts'
import { createRights } from './rights.ts'
import type { Entitlement, Entitlements } from './entitlements.ts'

const hour = 3_600_000
const plan: Subscription = { status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: 'autosync' }
const standingOf = (subscription: Subscription | null): Entitlement => ({ subscription, details: null, role: noRole, verifiedAt: 0, now: 0 })

/** Rights over a cloud whose answers are counted and, where the test holds them, wait. */
const open = (given: { known: Entitlement | null; cloud: Entitlement | 'away' | 'silent' }) => {
  const state = { ...given, asked: 0, uptime: 0 }
  const standings: Pick<Entitlements, 'known' | 'ask'> = {
    known: () => Promise.resolve(state.known),
    ask: () => {
      state.asked += 1
      if (state.cloud === 'silent') return new Promise(() => undefined)
      if (state.cloud === 'away') return Promise.resolve(err({ kind: 'unreachable', cause: 'network', status: null }))
      state.known = state.cloud
      return Promise.resolve(ok(state.cloud))
    },
  }
  return { state, rights: createRights({ entitlements: standings, uptime: () => state.uptime, patienceMs: 50 }) }
}

test('known rights open at once, and are checked again every hour, in the background', async () => {
  const { state, rights } = open({ known: standingOf(plan), cloud: 'silent' })
  expect(await rights.require('u', 'autosync')).toEqual(ok(null))
  expect([await rights.holds('u', 'autosync'), await rights.holds('u', 'tradecopier'), state.asked]).toEqual([true, false, 1])
  state.uptime = hour - 1
  rights.inUse('u')
  expect(state.asked).toBe(1)
  const { state: answered, rights: others } = open({ known: standingOf(plan), cloud: standingOf(null) })
  others.inUse('u')
  answered.uptime = hour
  await expect.poll(() => (others.inUse('u'), answered.asked)).toBe(2)
  expect(await others.holds('u', 'autosync')).toBe(false)
})

test('before a refusal the cloud is asked; its answer then counts', async () => {
  const { state, rights } = open({ known: standingOf(null), cloud: 'away' })
  expect(await rights.require('u', 'autosync')).toMatchObject({ ok: false, error: { code: 'plan-needed' } })
  state.cloud = standingOf(plan)
  // Not again at once, but after a pause.
  expect(await rights.require('u', 'autosync')).toMatchObject({ ok: false })
  expect(state.asked).toBe(1)
  state.uptime = 5_000
  expect(await rights.require('u', 'autosync')).toEqual(ok(null))
  expect(state.asked).toBe(2)
})

test('without any earlier answer that is reported, and a silent cloud is not waited for forever', async () => {
  const { rights } = open({ known: null, cloud: 'silent' })
  expect(await rights.require('u', 'autosync')).toMatchObject({ ok: false, error: { code: 'cloud-unreachable' } })
  expect(await rights.holds('u', 'autosync')).toBe(false)
})
