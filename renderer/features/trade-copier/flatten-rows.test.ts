import { copierLive, follower, group, liveGroup, rule, stance } from '#tests/helpers/copier-live.ts'
import { expect, test } from 'vitest'
import { flattenRows, toFlatten } from './flatten-rows.ts'

const groups = [group('g', 'leader', [rule('a'), rule('b')])]
const live = copierLive(1, [liveGroup('g', [follower('a', { contracts: [stance({ actual: 20 }), stance({ contract: 'MESZ6', actual: 0 })] }), follower('b')])])

test('an account’s positions show until its report does', () => {
  expect(flattenRows(groups, live, [])).toEqual([
    { account: 'a', known: true, left: [{ contract: 'MNQZ6', net: 20 }], outcome: null, detail: null },
    { account: 'b', known: true, left: [], outcome: null, detail: null },
  ])
  const report = { account: 'a', outcome: 'not-flat' as const, left: [{ contract: 'MNQZ6', net: 3 }], detail: 'Market closed' }
  expect(flattenRows(groups, live, [report])[0]).toEqual({ ...report, known: true })
})

test('nobody says that an account is flat of which nothing is known', () => {
  const off = copierLive(1, [liveGroup('g', [follower('a', { state: 'off' })], { state: 'off' })])
  expect(flattenRows(groups, off, []).map(({ known }) => known)).toEqual([false, false])
})

test('dry runs are left out beside real groups', () => {
  const dry = group('dry', 'leader', [rule('c')], { dryRun: true })
  expect(toFlatten([dry, ...groups])).toEqual(groups)
  expect(toFlatten([dry])).toEqual([dry])
})
