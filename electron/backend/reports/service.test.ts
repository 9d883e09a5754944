import { expect, test } from 'vitest'
import { refuse } from '#shared/api/refused.ts'
import { createReports, type ReportsDeps } from './service.ts'

const period = { kind: 'week', from: '2026-11-16', to: '2026-11-20' } as const

/** Reports over a journal that counts what is added to it; `preview` is how a narrative begins. */
const start = (preview: ReportsDeps['narratives']['preview'], trades = 3) => {
  const added: string[] = []
  const errors: string[] = []
  const parts = {
    journal: {
      read: { report: ({ id }: { id: string }) => Promise.resolve({ id }), reportSettings: () => Promise.resolve({ schedule: { narrative: true } }) },
      write: { addReport: ({ by, period: of }: { by: string; period: typeof period }) => Promise.resolve(void added.push(`${by} ${of.to}`)) },
      computeReport: () => Promise.resolve({ trades }),
    },
    narratives: { preview }, models: {}, rights: {}, events: { push: () => undefined }, onScheduleChange: () => undefined, pdf: () => Promise.reject(new Error('Nobody asked')), now: () => 0,
    log: { error: (_: unknown, text: string) => errors.push(text) },
  } as unknown as ReportsDeps
  return { added, errors, reports: createReports(parts) }
}
const stays = new AbortController().signal

test('a scheduled report is stored even if its narrative fails', async () => {
  const { added, errors, reports } = start(() => Promise.reject(new Error('The keychain is locked')))
  await reports.makeScheduled('ann', period, stays)
  expect([added, errors]).toEqual([['schedule 2026-11-20'], ['writing the narrative of a scheduled report failed']])
})

test('without a model there is no narrative, and without trades no report', async () => {
  const { added, errors, reports } = start(() => Promise.resolve(refuse('no-model')))
  await reports.makeScheduled('ann', period, stays)
  expect([added.length, errors]).toEqual([1, []])
  const nothing = start(() => Promise.reject(new Error('Nobody asked')), 0)
  await nothing.reports.makeScheduled('ann', period, stays)
  expect([nothing.added, nothing.errors]).toEqual([[], []])
})
