import { expect, test } from 'vitest'
import { consentReturnOf, linkIn, argumentsBeforeLink } from './deep-link.ts'

const origin = 'http://127.0.0.1:47615'

test.each([
  ['fillbook://oauth/callback?code=a.b-c&state=s', 's', 'code=a.b-c&state=s'],
  ['fillbook://oauth/callback?state=s&error=access_denied', 's', 'state=s&error=access_denied'],
  ['fillbook://oauth/callback/?state=a%2Fb&code=a%2Fb%3D&scope=all#x', 'a/b', 'code=a%2Fb%3D&state=a%2Fb'],
  ['FILLBOOK://OAuth/Callback?state=s&code=1', 's', 'code=1&state=s'],
  ['fillbook://oauth/callback?state=s&code=1&userId=other&next=//evil.example', 's', 'code=1&state=s'],
])('%s returns the consent %s', (link, state, query) => {
  expect(consentReturnOf(link, origin)).toEqual({ state, address: `${origin}/oauth/callback?${query}` })
})

test.each([
  'fillbook://open',
  'fillbook://',
  'fillbook:',
  'fillbook://oauth/callback',
  'fillbook://oauth/callback?code=a',
  'fillbook://oauth/callback?state=s',
  'fillbook://oauth/callback?code=a&state=',
  'fillbook://oauth/callback?code=a&state=one&state=two',
  'fillbook://oauth/callback?code=a%0d%0aSet-Cookie:x&state=s',
  `fillbook://oauth/callback?state=s&code=${'a'.repeat(4_001)}`,
  'fillbook://oauth/callback/../../api/session?state=s&code=1',
  'fillbook://oauth@evil.example/callback?state=s&code=1',
  'fillbook://oauth:80/callback?state=s&code=1',
  'fillbook://payment?payment=success&session_id=cs_test_1',
  'fillbook://settings?delete=1',
  'fillbook://__proto__?state=s&code=1',
  'fillbook:oauth/callback?state=s&code=1x y',
  'https://oauth/callback?state=s&code=1',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '',
])('%s only shows the window', (link) => {
  expect(consentReturnOf(link, origin)).toBeNull()
})

test('a link is found in a command line among any other arguments', () => {
  expect(linkIn(['/opt/fillbook', '--hidden', '--', 'fillbook://open'])).toBe('fillbook://open')
  expect(linkIn(['/opt/fillbook', '--url=fillbook://open', 'https://fillbook://'])).toBeNull()
})

test('nothing in a link can become a command line switch', () => {
  expect(argumentsBeforeLink(null)).toEqual(['--'])
  expect(argumentsBeforeLink('/programs/fillbook').at(-1)).toBe('--')
  expect(linkIn(['Fillbook.exe', ...argumentsBeforeLink(null), 'fillbook://open', '--gpu-launcher=calc.exe'])).toBe('fillbook://open')
})
