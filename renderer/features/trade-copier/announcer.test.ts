// @module-tag slow
import { copierLive, follower, liveGroup, stance } from '#tests/helpers/copier-live.ts'
import { expect, test } from 'vitest'
import { announcementsOf } from './announcer.tsx'

const before = copierLive(1, [liveGroup('g', [follower('a'), follower('b')])])

test('a follower that gets out of sync is announced, a pending order is not', () => {
  const after = copierLive(2, [liveGroup('g', [follower('a', { state: 'out-of-step' }), follower('b', { contracts: [stance({ inFlight: 1 })] })])])
  expect(announcementsOf(before, after)).toEqual([{ kind: 'follower', account: 'a', status: 'out-of-sync' }])
  expect(announcementsOf(after, before)).toEqual([{ kind: 'follower', account: 'a', status: 'in-sync' }])
})

test('arming says it once for the group', () => {
  const off = copierLive(1, [liveGroup('g', [follower('a', { state: 'off' })], { state: 'off' })])
  expect(announcementsOf(off, before)).toEqual([{ kind: 'group', groupId: 'g', state: 'armed' }])
})

test('the reason why an armed group enters nothing is announced', () => {
  const after = copierLive(2, [liveGroup('g', [follower('a'), follower('b')], { blocked: 'no-lease' })])
  expect(announcementsOf(before, after)).toEqual([{ kind: 'blocked', groupId: 'g', blocked: 'no-lease' }])
  expect(announcementsOf(after, after)).toEqual([])
})

test('a connection to the leader that is being opened is no news, one that is lost is', () => {
  const opening = copierLive(2, [liveGroup('g', [follower('a'), follower('b')], { blocked: 'leader-down', leaderLine: 'connecting' })])
  const lost = copierLive(3, [liveGroup('g', [follower('a'), follower('b')], { blocked: 'leader-down', leaderLine: 'down' })])
  expect(announcementsOf(before, opening)).toEqual([])
  expect(announcementsOf(opening, lost)).toEqual([{ kind: 'blocked', groupId: 'g', blocked: 'leader-down' }])
})

test('a group that is new says nothing', () => {
  expect(announcementsOf(copierLive(1, []), before)).toEqual([])
})
