import { expect, test } from 'vitest'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { startApp } from '#tests/helpers/app.ts'
import { rawRequest } from '#tests/helpers/raw-request.ts'
import { startRightsCloud } from '#tests/helpers/rights-cloud.ts'

const { payments } = subscriptionRoutes
const day = 86_400_000

/** Two users of one program, of whom the first goes to pay; `come` is any browser that comes back. */
const goToPay = async (action: 'create-checkout-session' | 'create-portal-session') => {
  const cloud = await startRightsCloud()
  const forward: (string | null)[] = []
  const clock = { now: Date.now() }
  const app = await startApp({ env: { FILLBOOK_CLOUD_URL: cloud.url }, gates: 'as-the-cloud-says', now: () => clock.now, comeForward: (place) => void forward.push(place) })
  const other = await app.newBrowser()
  const { userId } = await app.browser.signUp()
  await other.signUp('bob@example.com')
  const [mine, theirs] = [await app.browser.events(), await other.events()]
  cloud.payment = { json: { url: 'https://checkout.example/c/1' } }
  await app.browser.call(payments, { body: { userId, action, ...(action === 'create-checkout-session' ? { subscriptionType: 'autosync' } : {}) } as never })
  const returnTo = String(cloud.seen().findLast(({ fields }) => fields['action'] === action)?.fields['returnTo'])
  const come = async (address: string) => (await rawRequest(address)).headers.location
  const backs = () => [mine, theirs].map(({ seen }) => seen.filter(({ type }) => type === 'came-back'))
  return { app, clock, forward, mine, returnTo, come, backs }
}

test('whichever browser returns from payment, the paying user’s pages are notified, and the window comes to the front', async () => {
  const { forward, mine, returnTo, come, backs } = await goToPay('create-checkout-session')
  expect(await come(`${returnTo}&payment=success&session_id=cs_test_1&to=https%3A%2F%2Fevil.example`)).toBe('/#/dashboard/ManageSubscription?payment=success&session_id=cs_test_1')
  const back = await mine.next('came-back')
  expect(back).toEqual({ type: 'came-back', to: 'checkout', payment: 'success', sessionId: 'cs_test_1' })
  expect([backs(), forward]).toEqual([[[back], []], [null]])
})

test('the portal does not report what was changed there: its return counts as a possible change', { tags: 'long' }, async () => {
  const { forward, mine, returnTo, come } = await goToPay('create-portal-session')
  expect(await come(returnTo)).toBe('/#/dashboard/ManageSubscription?payment=changed')
  expect(await mine.next('came-back')).toEqual({ type: 'came-back', to: 'portal', payment: 'changed', sessionId: null })
  expect(forward).toEqual([null])
})

test('a page that links here unasked moves no window, and an unknown outcome is not passed on', { tags: 'long' }, async () => {
  const { app, clock, forward, mine, returnTo, come, backs } = await goToPay('create-checkout-session')
  const { url } = app.backend
  const strange = new URL(returnTo)
  const visit = String(strange.searchParams.get('visit'))
  strange.searchParams.set('visit', `${visit.startsWith('x') ? 'y' : 'x'}${visit.slice(1)}`)
  const addresses = [`${url}/checkout/return?payment=success&session_id=cs_1`, `${strange.href}&payment=success&session_id=cs_1`, `${url}/checkout/return?visit=&payment=success&session_id=cs_1`, `${returnTo}&visit=x&payment=success&session_id=cs_1`]
  for (const address of addresses) expect(await come(address)).toBe('/#/dashboard/ManageSubscription?payment=success&session_id=cs_1')
  expect(await come(`${url}/portal/return`)).toBe('/#/dashboard/ManageSubscription')
  expect([backs(), forward]).toEqual([[[], []], []])

  expect(await come(`${returnTo}&payment=refunded&session_id=${'c'.repeat(301)}`)).toBe('/#/dashboard/ManageSubscription')
  expect(await mine.next('came-back')).toEqual({ type: 'came-back', to: 'checkout', payment: null, sessionId: null })
  expect(forward).toHaveLength(1)

  // A checkout stays open for a day at most.
  clock.now += day + 1
  await come(`${returnTo}&payment=success&session_id=cs_1`)
  expect(forward).toHaveLength(1)
})
