import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { serveAuthReturns } from './returns.ts'

/** The returns alone, of a program in which a sign-in at Google with the state `mine` is under way; `come` gives where a browser is sent. */
const start = async (waitsForLink: boolean) => {
  const forward: (string | null)[] = []
  const app = express().set('query parser', 'simple')
  serveAuthReturns(app, { federatedReturned: ({ state }) => state === 'mine', awaitsLink: () => waitsForLink }, (place) => void forward.push(place))
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return { forward, come: async (path: string) => (await fetch(`${origin}${path}`, { redirect: 'manual' })).headers.get('location') }
}

test('a return from Google to a sign-in begun here brings the window to the front', async () => {
  const { forward, come } = await start(false)
  for (const query of ['', '?state=other&code=c', '?state=mine&state=mine', '?code=mine']) await come(`/auth/google/return${query}`)
  expect(forward).toEqual([])
  await come('/auth/google/return?state=mine&code=c')
  expect(forward).toEqual([null])
})

test('a mailed link continues in the window that waits for one, with the provider’s keys alone', async () => {
  const { forward, come } = await start(true)
  const link = '/auth/email-link?apiKey=key&mode=signIn&oobCode=a-b_1&continueUrl=https%3A%2F%2Fevil.example&lang=en'
  expect(await come(link)).toBe(`/#${link}`)
  expect(forward).toEqual(['/auth/email-link?apiKey=key&mode=signIn&oobCode=a-b_1&lang=en'])
  for (const query of ['', '?mode=signIn&oobCode=c', '?apiKey=key&mode=resetPassword&oobCode=c', '?apiKey=key&mode=signIn&oobCode=%3Cb%3E', '?apiKey=key&mode=signIn&oobCode=a&oobCode=b']) await come(`/auth/email-link${query}`)
  expect(forward).toHaveLength(1)
})

test('a mailed link for which nobody waits moves no window', async () => {
  const { forward, come } = await start(false)
  await come('/auth/email-link?apiKey=key&mode=signIn&oobCode=a')
  expect(forward).toEqual([])
})
