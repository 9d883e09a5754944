import { expect, test } from 'vitest'
import { addressOf, linkAmong } from './deep-link.ts'

const origin = 'http://127.0.0.1:47615'

test.each([
  ['fillbook://oauth/callback?code=a.b-c&state=s', '/oauth/callback?code=a.b-c&state=s'],
  ['fillbook://oauth/callback?state=s&error=access_denied', '/oauth/callback?state=s&error=access_denied'],
  ['fillbook://oauth/callback/?state=s&code=a%2Fb%3D&scope=all#x', '/oauth/callback?code=a%2Fb%3D&state=s'],
  ['FILLBOOK://OAuth/Callback?state=s&code=1', '/oauth/callback?code=1&state=s'],
  ['fillbook://payment?payment=success&session_id=cs_test_1', '/#/dashboard/ManageSubscription?payment=success&session_id=cs_test_1'],
  ['fillbook://payment/?payment=cancelled', '/#/dashboard/ManageSubscription?payment=cancelled'],
  ['fillbook://payment', '/#/dashboard/ManageSubscription'],
  ['fillbook://payment?payment=success&session_id=cs_1&userId=other&next=//evil.example', '/#/dashboard/ManageSubscription?payment=success&session_id=cs_1'],
])('%s leads to %s', (link, path) => {
  expect(addressOf(link, origin)).toBe(`${origin}${path}`)
})

test.each([
  'fillbook://open',
  'fillbook://',
  'fillbook:',
  'fillbook://oauth/callback',
  'fillbook://oauth/callback?code=a',
  'fillbook://oauth/callback?code=a&state=',
  'fillbook://oauth/callback?code=a&state=one&state=two',
  'fillbook://oauth/callback?code=a%0d%0aSet-Cookie:x&state=s',
  `fillbook://oauth/callback?state=s&code=${'a'.repeat(4_001)}`,
  'fillbook://oauth/callback/../../api/session?state=s',
  'fillbook://oauth@evil.example/callback?state=s&code=1',
  'fillbook://oauth:80/callback?state=s&code=1',
  'fillbook://payment?payment=paid',
  'fillbook://payment?payment=success&session_id=../../x',
  'fillbook://payment?session_id=%22%3E%3Cscript%3E',
  'fillbook://payment/../settings',
  'fillbook://settings?delete=1',
  'fillbook:oauth/callback?state=s&code=1x y',
  'https://oauth/callback?state=s&code=1',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '',
])('%s only brings the window forward', (link) => {
  expect(addressOf(link, origin)).toBeNull()
})

test('a link is found among the words of a command line, whatever else stands there', () => {
  expect(linkAmong(['/opt/fillbook', '--hidden', 'fillbook://open'])).toBe('fillbook://open')
  expect(linkAmong(['/opt/fillbook', '--url=fillbook://open', 'https://fillbook://'])).toBeNull()
})
