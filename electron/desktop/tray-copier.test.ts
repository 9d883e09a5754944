import { expect, test } from 'vitest'
import type { ProblemCode } from '#shared/api/problems.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Notice } from './sync-notice.ts'
import { createTrayCopier } from './tray-copier.ts'
import { createWords } from './words.ts'

const start = (given: { user?: string | null; refuses?: ProblemCode; breaks?: boolean } = {}) => {
  const it = { calls: [] as string[], refreshes: 0, opened: [] as (string | undefined)[], notices: [] as Notice[], logged: 0 }
  const record = (what: string) => (userId: string): void => {
    if (given.breaks === true) throw new Error('closed')
    it.calls.push(`${what} ${userId}`)
  }
  const copier = createTrayCopier({
    desk: {
      pauseCopier: (userId) => Promise.resolve(userId).then(record('pause')),
      resumeCopier: (userId) => Promise.resolve(userId).then(record('resume')).then(() => (given.refuses === undefined ? ok(null) : err(given.refuses))),
    },
    watch: { whoIs: () => Promise.resolve(given.user === undefined ? 'ann' : given.user), refresh: () => void (it.refreshes += 1) },
    openWindow: (place) => void it.opened.push(place),
    notify: (notice) => void it.notices.push(notice),
    words: createWords('en'),
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, copier }
}

test('it pauses and resumes for the signed-in user only', async () => {
  const { it, copier } = start()
  await copier.pause()
  await copier.resume()
  expect(it).toEqual({ calls: ['pause ann', 'resume ann'], refreshes: 2, opened: [], notices: [], logged: 0 })
  const nobody = start({ user: null })
  await nobody.copier.pause()
  await nobody.copier.resume()
  expect(nobody.it).toMatchObject({ calls: [], opened: [undefined, undefined], notices: [] })
})

test('a failure shows a notice, and a missing plan opens the plans', async () => {
  const plan = start({ refuses: 'plan-needed' })
  await plan.copier.resume()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], notices: [] })
  const away = start({ refuses: 'cloud-unreachable' })
  await away.copier.resume()
  expect(away.it.notices).toEqual([{ title: 'The copier could not be resumed', body: 'Your plan could not be checked. Check the internet connection and try again.', place: '/dashboard/TradeCopier' }])
  const broken = start({ breaks: true })
  await broken.copier.pause()
  expect(broken.it).toMatchObject({ notices: [{ title: 'The copier could not be paused' }], logged: 1 })
})
