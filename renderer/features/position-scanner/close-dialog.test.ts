// @module-tag slow
import { copierLive, group, liveGroup, rule } from '#tests/helpers/copier-live.ts'
import { expect, test } from 'vitest'
import { copierRoles } from './close-dialog.tsx'

const groups = [group('g1', 'lead', [rule('a'), rule('b', { on: false })]), group('g2', 'a', [rule('lead')]), group('g3', 'lead', [rule('c')]), group('g4', 'lead', [rule('d')])]
const live = copierLive(1, [liveGroup('g1', []), liveGroup('g2', [], { state: 'paused' }), liveGroup('g3', [], { state: 'off' }), liveGroup('g4', [], { dryRun: true })])

test('what an account leads and follows, where orders are sent', () => {
  expect(copierRoles('lead', groups, live)).toEqual([{ role: 'leader', group: 'g1', followers: 1 }, { role: 'follower', group: 'g2', followers: 1 }])
  expect(copierRoles('a', groups, live)).toEqual([{ role: 'follower', group: 'g1', followers: 1 }, { role: 'leader', group: 'g2', followers: 1 }])
})

test('a follower that is switched off, and groups that send nothing, say nothing', () => {
  expect(['b', 'c', 'd'].map((account) => copierRoles(account, groups, live))).toEqual([[], [], []])
  expect(copierRoles('lead', groups, copierLive(2, []))).toEqual([])
})
