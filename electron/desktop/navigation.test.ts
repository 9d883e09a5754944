import { expect, test } from 'vitest'
import { decideNavigation, type Initiator } from './navigation.ts'

const origin = 'http://127.0.0.1:47615'
const places = { origin, consent: { origins: ['https://trader.tradovate.com', 'http://localhost:5000'], returns: ['https://cloud.fillbook.example/oauth/callback', 'https://bare.example'] } }
const course = (address: string, initiator: Initiator) => {
  const judged = decideNavigation(address, initiator, places)
  return judged.to === 'nowhere' ? judged.to : `${judged.to} ${judged.url}`
}
const everybody = ['app', 'page', 'redirect'] as const

test.each(everybody)('%s: the app and the consent pages stay inside', (initiator) => {
  for (const address of [`${origin}/`, `${origin}/#/dashboard`, `${origin}/oauth/callback?code=a&state=b`, 'https://trader.tradovate.com/oauth?x=1', 'http://localhost:5000/consent']) {
    expect(course(address, initiator)).toBe(`inside ${address}`)
  }
})

test.each(everybody)('%s: a return to the cloud opens the app with the known parameters only', (initiator) => {
  expect(course('https://cloud.fillbook.example/oauth/callback?code=a%26b&state=s&token=t&next=https://evil.example', initiator)).toBe(`app ${origin}/oauth/callback?code=a%26b&state=s`)
  expect(course('https://bare.example/?code=a&state=s', initiator)).toBe(`app ${origin}/oauth/callback?code=a&state=s`)
  expect(course('https://cloud.fillbook.example/oauth/callback?error=access_denied', initiator)).toBe(`app ${origin}/oauth/callback?error=access_denied`)
})

test.each([
  'https://checkout.stripe.com/c/pay/cs_1',
  'https://accounts.google.com/o/oauth2/v2/auth?x=1',
  'https://cloud.fillbook.example/',
  'http://127.0.0.1:47616/',
  'http://localhost:47615/',
  'http://[::1]:9099/',
])('%s opens in the system’s browser, from the app’s own page only', (address) => {
  expect(everybody.map((initiator) => course(address, initiator))).toEqual([`system ${address}`, 'nowhere', 'nowhere'])
})

test.each([
  'http://example.com/',
  'http://127.0.0.1.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<p>x',
  `blob:${origin}/0a1b`,
  `filesystem:${origin}/temporary/x`,
  `view-source:${origin}/`,
  'about:blank',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
  'mailto:a@b.example',
  'ms-msdt:/id',
  'smb://host/share',
  'fillbook://oauth/callback?code=a',
  'https://user:pass@trader.tradovate.com/',
  `http://user@127.0.0.1:47615/`,
  'https://',
  'not an address',
  '',
])('%s goes nowhere from any initiator', (address) => {
  expect(everybody.map((initiator) => course(address, initiator))).toEqual(['nowhere', 'nowhere', 'nowhere'])
})

test('what only looks like a place of ours is none', () => {
  expect(course('https://trader.tradovate.com.evil.example/', 'page')).toBe('nowhere')
  expect(course('http://trader.tradovate.com/', 'app')).toBe('nowhere')
  expect(course('https://trader.tradovate.com:8443/', 'page')).toBe('nowhere')
  expect(course('https://cloud.fillbook.example/oauth/callback/../../evil', 'page')).toBe('nowhere')
})
