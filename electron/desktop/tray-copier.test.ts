import { expect, test } from 'vitest'
import type { ProblemCode } from '#shared/api/problems.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Told } from './sync-notice.ts'
import { createTrayCopier } from './tray-copier.ts'
import { createWords } from './words.ts'

const start = (given: { user?: string | null; refuses?: ProblemCode; breaks?: boolean } = {}) => {
  const it = { asked: [] as string[], looks: 0, opened: [] as (string | undefined)[], told: [] as Told[], logged: 0 }
  const asked = (what: string) => (userId: string): void => {
    if (given.breaks === true) throw new Error('closed')
    it.asked.push(`${what} ${userId}`)
  }
  const copier = createTrayCopier({
    desk: {
      pauseCopier: (userId) => Promise.resolve(userId).then(asked('pause')),
      resumeCopier: (userId) => Promise.resolve(userId).then(asked('resume')).then(() => (given.refuses === undefined ? ok(null) : err(given.refuses))),
    },
    watch: { whoIs: () => Promise.resolve(given.user === undefined ? 'ann' : given.user), look: () => void (it.looks += 1) },
    openWindow: (place) => void it.opened.push(place),
    tell: (told) => void it.told.push(told),
    words: createWords('en'),
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, copier }
}

test('it pauses and resumes for the signed-in user only', async () => {
  const { it, copier } = start()
  await copier.pause()
  await copier.resume()
  expect(it).toEqual({ asked: ['pause ann', 'resume ann'], looks: 2, opened: [], told: [], logged: 0 })
  const nobody = start({ user: null })
  await nobody.copier.pause()
  await nobody.copier.resume()
  expect(nobody.it).toMatchObject({ asked: [], opened: [undefined, undefined], told: [] })
})

test('a failure shows a notice, and a missing plan opens the plans', async () => {
  const plan = start({ refuses: 'plan-needed' })
  await plan.copier.resume()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], told: [] })
  const away = start({ refuses: 'cloud-unreachable' })
  await away.copier.resume()
  expect(away.it.told).toEqual([{ title: 'The copier could not be resumed', body: 'Your plan could not be checked. Check the internet connection and try again.', place: '/dashboard/TradeCopier' }])
  const broken = start({ breaks: true })
  await broken.copier.pause()
  expect(broken.it).toMatchObject({ told: [{ title: 'The copier could not be paused' }], logged: 1 })
})
